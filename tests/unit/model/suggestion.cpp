// Suggestions name what was probably meant, and nothing far-fetched.
#include "src/model/suggestion.hpp"

#include <gtest/gtest.h>

#include "src/model/message.hpp"

namespace gradus {
namespace {

TEST(Suggestion, FindsMisspellings) {
  const std::vector<std::string> names{"stiffness", "damping", "length", "from", "to"};
  EXPECT_EQ(nearest("stifness", names), "stiffness");
  EXPECT_EQ(nearest("legnth", names), "length");
  EXPECT_EQ(nearest("Damping", names), "damping");
  EXPECT_EQ(nearest("form", names), "from");
  EXPECT_EQ(nearest("colour", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("q", names), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), names), "");
}

TEST(Suggestion, SaysWhatIsKnown) {
  EXPECT_EQ(suggestion("lenth", {"length", "mass"}), "did you mean \"length\"?");
  EXPECT_EQ(suggestion("zzz", {"length", "mass"}), "known are \"length\", \"mass\"");
  EXPECT_EQ(suggestion("zzz", {}), "there are none");
}

TEST(Message, WritesSharesAsPeopleDo) {
  EXPECT_EQ(percent_text(0.00123), "0.12 %");
  EXPECT_EQ(percent_text(0.0567), "5.7 %");
  EXPECT_EQ(percent_text(0.157), "16 %");
  EXPECT_EQ(percent_text(0.998), "100 %");
  EXPECT_EQ(percent_text(12.34), "1234 %");
}

TEST(Message, CountsInTheSingularToo) {
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(0, "step"), "0 steps");
  EXPECT_EQ(counted(2, "body", "bodies"), "2 bodies");
}

TEST(Suggestion, QuotesOnOneLine) {
  EXPECT_EQ(in_quotes("a\nb"), "\"a?b\"");
  EXPECT_EQ(in_quotes(std::string(81, 'x')), "\"" + std::string(80, 'x') + "...\"");
  // The two bytes of the last letter stay together.
  EXPECT_EQ(in_quotes(std::string(79, 'x') + "\xC3\xA9zz"), "\"" + std::string(79, 'x') + "...\"");
}

}  // namespace
}  // namespace gradus
