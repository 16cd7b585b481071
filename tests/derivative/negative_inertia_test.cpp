// Designs whose moments of inertia are negative fail by name; round-off and printed digits are
// none.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gradus/run.hpp"
#include "tests/derivative/gradient_check.hpp"

namespace gradus::derivative {
namespace {

// A body on a joint, with more bodies and parameters as the test says.
Model rod(const std::string& joint, const std::string& parameters, const std::string& inertia,
          const std::string& com = "[0.4, 0.1, 0]", const std::string& bodies = "",
          const std::string& joints = "") {
  return parse_model(R"({"schema": "gradus-model/1", "name": "rod", "gravity": [0, -9.81, 0],
    "parameters": {)" +
                     parameters + R"(},
    "bodies": {"rod": {"mass": 1, "com": )" +
                     com + R"(, "inertia": {)" + inertia + R"(},
      "points": {"base": [0, 0, 0]}})" +
                     bodies + R"(},
    "joints": {"pivot": {"type": ")" +
                     joint + R"(", "parent": "ground", "child": "rod"})" + joints + R"(},
    "sensors": {"com": {"position": "rod.com"}}, "objectives": {"height": {"integral": "com.y"}},
    "analysis": {"duration": 0.05}})");
}

// One that turns freely, so that all six entries count.
Model free_rod(const std::string& bodies = "", const std::string& joints = "",
               const std::string& parameter = "") {
  return rod("spherical",
             R"("xx": 0.3, "yy": 0.2, "zz": 0.25, "xy": 0, "xz": 0, "yz": 0)" + parameter,
             R"("xx": "xx", "yy": "yy", "zz": "zz", "xy": "xy", "xz": "xz", "yz": "yz")",
             "[0.4, 0.1, 0]", bodies, joints);
}

std::string message_of(const Model& model, std::vector<double> values) {
  Options options;
  options.backend = "cpu:1";
  options.designs.values = std::move(values);
  return gradient(model, options).status[0].message;
}

TEST(NegativeInertia, FailsByNameAndParameters) {
  const std::string message = message_of(free_rod(), {0.3, 0.2, -0.25, 0, 0, 0});
  EXPECT_NE(message.find("a principal moment of inertia is negative"), std::string::npos)
      << message;
  EXPECT_NE(message.find("\"rod\" is -0.25 kg m^2"), std::string::npos) << message;
  EXPECT_NE(message.find("zz = -0.25"), std::string::npos) << message;
}

// Each of the minors by which a matrix may have a negative eigenvalue.
TEST(NegativeInertia, IsFoundInEveryMinor) {
  const std::vector<std::vector<double>> wrong = {
      {-0.3, 0.2, 0.25, 0, 0, 0},  {0.3, -0.2, 0.25, 0, 0, 0},  {0.3, 0.2, 0.25, 0.3, 0, 0},
      {0.3, 0.2, 0.25, 0, 0.3, 0}, {0.3, 0.2, 0.25, 0, 0, 0.3}, {0.2, 0.2, 0.2, 0.12, 0.12, 0.12},
      {0, 0, 0, 0.1, 0, 0},        {0, 0, 0, 0, 0.1, 0},        {0, 0, 0, 0, 0, 0.1}};
  for (const std::vector<double>& values : wrong) {
    std::vector<double> signs = values;
    if (values[3] * values[4] * values[5] > 0.0) signs[3] = -signs[3];
    EXPECT_NE(message_of(free_rod(), signs).find("negative"), std::string::npos) << values[0];
  }
  EXPECT_EQ(message_of(free_rod(), {0.2, 0.2, 0.2, 0.12, 0.12, 0.12}), "");
}

TEST(NegativeInertia, PrintedDigitsAreNone) {
  EXPECT_EQ(message_of(free_rod(), {0.3, 0.2, -2e-6, 0, 0, 0}), "");
  EXPECT_NE(message_of(free_rod(), {0.3, 0.2, -4e-6, 0, 0, 0}), "");
}

// Beside the inertia of what fixed joints make one with the body.
TEST(NegativeInertia, CountsWhatIsFixedToTheBody) {
  const Model model = free_rod(
      R"(, "flange": {"mass": 0.01, "com": [0, 0, 0], "inertia": {"xx": 0, "yy": 0, "zz": "f"}})",
      R"(, "weld": {"type": "fixed", "parent": "rod", "child": "flange"})", R"(, "f": 1e-6)");
  EXPECT_EQ(message_of(model, {0.3, 0.2, 0.25, 0, 0, 0, -1e-6}), "");
  EXPECT_NE(message_of(model, {0.3, 0.2, 0.25, 0, 0, 0, -1e-4}), "");
}

// The inertia of a point about another one is the difference of numbers that are equal.
TEST(NegativeInertia, RoundOffIsNone) {
  const Model model = rod("revolute", R"("L": 1)",
                          R"("xx": "0.64*L^2", "yy": "0.36*L^2", "zz": "L^2", "xy": "-0.48*L^2",
                             "about": "base")",
                          R"(["0.6*L", "0.8*L", 0])");
  for (int k = 1; k <= 100; ++k) EXPECT_EQ(message_of(model, {0.037 * k * k}), "") << k;
}

// Differences at a moment of zero go to one side.
TEST(NegativeInertia, DifferencesGoToOneSide) {
  const Model model =
      rod("revolute", R"("xx": 0, "yy": 0, "zz": 0)", R"("xx": "xx", "yy": "yy", "zz": "zz")");
  Options options;
  options.difference_step = 1e-5;
  const Result direct = run_gradient(model, "direct");
  const Result differences = run_gradient(model, "finite-difference", options);
  ASSERT_TRUE(differences.all_ok()) << differences.status[0].message;
  EXPECT_NE(direct.gradient[2], 0.0);
  EXPECT_LT(largest_deviation(direct.gradient, differences.gradient, model.parameters.size()),
            1e-5);
}

}  // namespace
}  // namespace gradus::derivative
