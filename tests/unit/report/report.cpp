// The parts of reports: rounding, thinning, tables, motions, and pages that no text can break out
// of.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "gradus/error.hpp"
#include "src/report/pages.hpp"
#include "tests/support/source_path.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus::report {
namespace {

using ReportFiles = test::TemporaryFolder;

TEST(ReportNumbers, HaveSixDigits) {
  EXPECT_EQ(number(1.0 / 3.0).dump(), "0.333333");
  EXPECT_EQ(number(-1234567.0).dump(), "-1234570");
  EXPECT_EQ(number(1e300).dump(), "1e+300");
  EXPECT_EQ(number(4.0).dump(), "4");
  EXPECT_TRUE(number(missing).is_null());
  EXPECT_TRUE(number(std::numeric_limits<double>::infinity()).is_null());
}

TEST(ReportNumbers, ThinEvenlyWithBothEnds) {
  EXPECT_TRUE(thinned(0, 5).empty());
  EXPECT_EQ(thinned(1, 5), std::vector<std::size_t>{0});
  EXPECT_EQ(thinned(3, 5), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(thinned(9, 5), (std::vector<std::size_t>{0, 2, 4, 6, 8}));
  for (const std::size_t count : {2001u, 5001u, 123456789u}) {
    const std::vector<std::size_t> indices = thinned(count, 2000);
    ASSERT_EQ(indices.size(), 2000u);
    EXPECT_EQ(indices.back(), count - 1);
    for (std::size_t i = 1; i < indices.size(); ++i) {
      const double gap = static_cast<double>(indices[i] - indices[i - 1]);
      ASSERT_NEAR(gap, static_cast<double>(count - 1) / 1999.0, 1.0);
    }
  }
}

TEST(ReportNumbers, ThinWithWhatIsNeeded) {
  EXPECT_EQ(thinned_with(3, 5, {1}), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(thinned_with(100, 6, {41, 40, 40, 41}),
            (std::vector<std::size_t>{0, 33, 40, 41, 66, 99}));
  EXPECT_LE(thinned_with(100'000, 2000, {7, 8, 9}).size(), 2000u);
  std::vector<std::size_t> many;
  for (std::size_t i = 0; i < 9000; ++i) many.push_back(11 * i);
  EXPECT_LE(thinned_with(100'000, 2000, many).size(), 2000u);
}

TEST(ReportMembers, MayBeMissingOrOfAnotherKind) {
  const Json object = {{"a", 1.5}, {"b", "text"}, {"c", nullptr}};
  EXPECT_EQ(number_of(object, "a"), 1.5);
  EXPECT_TRUE(std::isnan(number_of(object, "b")));
  EXPECT_TRUE(std::isnan(number_of(Json::array(), "a")));
  EXPECT_EQ(text_of(object, "b"), "text");
  EXPECT_EQ(text_of(object, "c", "else"), "else");
}

TEST_F(ReportFiles, ReadsTablesWithQuotes) {
  std::ofstream(path("a.csv")) << "name,\"x, y\"\r\n\"a \"\"b\"\"\",1.5\nc,\n";
  const TextTable table(path("a.csv"));
  EXPECT_EQ(table.texts("name"), (std::vector<std::string>{"a \"b\"", "c"}));
  EXPECT_EQ(table.numbers("x, y")[0], 1.5);
  EXPECT_TRUE(std::isnan(table.numbers("x, y")[1]));
  EXPECT_THROW(table.texts("z"), FileError);
  EXPECT_THROW(TextTable(path("b.csv")), FileError);
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(HtmlReport, TextCannotBecomeMarkup) {
  const std::string hostile = "</script><!--<img src=x>&@DATA@ \xFF";
  const std::string page = html_page(
      {{"title", hostile}, {"subtitle", hostile}, {"blocks", Json::array({{{hostile, hostile}}})}});
  EXPECT_EQ(occurrences(page, "</script>"), 2u);
  EXPECT_EQ(occurrences(page, "<img"), 0u);
  EXPECT_EQ(occurrences(page, "<!--"), 1u);  // that of the template
  EXPECT_EQ(occurrences(page, "@DATA@"), 5u);
  EXPECT_NE(page.find("<title>&lt;/script&gt;&lt;!--&lt;img src=x&gt;&amp;@DATA@"),
            std::string::npos);
}

Model five_bar() {
  return read_model(source_path("models/five-bar/five-bar.json"));
}

TEST(ReportMotion, HasPlacesOfBodiesJointsAndSprings) {
  Options options;
  options.duration = 0.5;
  const Json shown = motion("design 0", five_bar(), options);
  ASSERT_FALSE(shown.contains("error")) << shown["error"];
  EXPECT_EQ(shown["bodies"].size(), 4u);
  EXPECT_EQ(shown["joints"].size(), 5u);
  EXPECT_EQ(shown["links"].size(), 2u);
  EXPECT_EQ(shown["ground"].size(), 2u);
  EXPECT_EQ(shown["up"], Json({0, 9.81, 0}));
  const std::size_t n_time = shown["time"].size(), n_places = shown["places"].size();
  EXPECT_GT(n_time, 200u);
  EXPECT_LE(n_time, 302u);
  ASSERT_EQ(shown["positions"].size(), n_time * n_places * 3);
  // A joint's two places stay together.
  for (const Json& joint : shown["joints"])
    for (std::size_t i = 0; i < n_time; ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto at = [&](const char* side) {
          return shown["positions"][(i * n_places + joint[side].get<std::size_t>()) * 3 + k]
              .get<double>();
        };
        ASSERT_NEAR(at("parent"), at("child"), 2e-5);
      }
}

TEST(ReportMotion, SaysWhyThereIsNone) {
  Options options;
  options.set["L_A1"] = 10.0;
  const Json failed = motion("design 0", five_bar(), options);
  EXPECT_NE(failed["error"].get<std::string>().find("failed"), std::string::npos);
  options.set["nobody"] = 1.0;
  EXPECT_NE(motion("x", five_bar(), options)["error"].get<std::string>().find("nobody"),
            std::string::npos);
}

TEST(ReportMotion, FindsFreeNamesForItsSensors) {
  Model model = five_bar();
  model.sensors.push_back({"place_0", "position", "12.tip"});
  Options options;
  options.duration = 0.01;
  EXPECT_FALSE(motion("x", model, options).contains("error"));
}

}  // namespace
}  // namespace gradus::report
