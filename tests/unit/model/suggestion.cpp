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

TEST(Suggestion, QuotesOnOneLine) {
  EXPECT_EQ(in_quotes("a\nb"), "\"a?b\"");
  EXPECT_EQ(in_quotes(std::string(81, 'x')), "\"" + std::string(80, 'x') + "...\"");
  // The two bytes of the last letter stay together.
  EXPECT_EQ(in_quotes(std::string(79, 'x') + "\xC3\xA9zz"), "\"" + std::string(79, 'x') + "...\"");
}

}  // namespace
}  // namespace gradus
