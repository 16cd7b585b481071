// The whole fit: parameters of the five-bar mechanism from its own motion.
#include "tests/unit/study/fit/five_bar_fit.hpp"
#include "tests/support/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "src/cli/study_reports.hpp"

namespace gradus::test {
namespace {

TEST(FiveBarFit, FindsLengthsAndMassFromAPerfectMotion) {
  Study study = fit_study(five_bar_model());
  measure(study, {"r2.x", "r2.y", "alpha1"}, 10);
  vary_three(study);
  const FitResult result = fit(study);
  ASSERT_TRUE(result.complete);
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason;
  ASSERT_EQ(result.parameters.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(result.parameters[i].value, five_bar_truth[i], 1e-10);
    EXPECT_LT(result.parameters[i].standard_error, 1e-10);
  }
  EXPECT_LT(result.gradient_norm, 1e-11);
  EXPECT_LT(result.sum_of_squares, 1e-22);
  EXPECT_LT(result.check_deviation, 1e-6);
  EXPECT_EQ(result.residuals.size(), 303U);
  // A heavier bar and a longer spring nearly do the same.
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings[0].find("\"L_s1\" and \"m_A1\" can hardly be told apart"),
            std::string::npos)
      << result.warnings[0];
}

TEST(FiveBarFit, GivesIntervalsThatContainTheTruthUnderNoise) {
  Study study = fit_study(five_bar_model());
  measure(study, {"r2.x", "r2.y"}, 5);
  std::size_t number = 0;
  for (Measurement& measurement : study.fit->measurements)
    for (double& value : measurement.value) value += 1e-3 * noise(number++);
  vary_three(study);
  study.fit->confidence = 0.99;
  const FitResult result = fit(study);
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason;
  // Uniform noise between -1e-3 and 1e-3.
  EXPECT_NEAR(result.residual_deviation, 1e-3 / std::sqrt(3.0), 1e-4);
  for (std::size_t i = 0; i < 3; ++i) {
    const FittedParameter& parameter = result.parameters[i];
    EXPECT_LT(parameter.low, five_bar_truth[i]);
    EXPECT_GT(parameter.high, five_bar_truth[i]);
    EXPECT_GT(std::abs(parameter.value - five_bar_truth[i]), 1e-7);
    EXPECT_LT(parameter.standard_error, 0.05);
  }
  EXPECT_LT(result.gradient_norm, 1e-6);
  const std::string text = cli::fit_report(result);
  EXPECT_NE(text.find("99 % from"), std::string::npos) << text;
  EXPECT_NE(text.find("L_s1"), std::string::npos) << text;

  // With deviations that are known, errors do not depend on the residuals.
  Study known = study;
  known.fit->deviations_known = true;
  for (Measurement& measurement : known.fit->measurements) measurement.deviation = 1e-3;
  const FitResult other = fit(known);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(other.parameters[i].standard_error,
                result.parameters[i].standard_error * 1e-3 / result.residual_deviation,
                1e-4 * other.parameters[i].standard_error);
}

// Spring 1 as two springs beside each other, whose stiffnesses nothing tells apart.
Model with_parallel_springs() {
  Model model = five_bar_model();
  model.parameters.push_back({"k_a", 60.0, "N/m", {}, ""});
  model.parameters.push_back({"k_b", 40.0, "N/m", {}, ""});
  Force twin = model.forces[0];
  model.forces[0]["stiffness"] = "k_a";
  twin.name = "spring 1 too";
  twin["stiffness"] = "k_b";
  model.forces.push_back(twin);
  return model;
}

// The same spring, its stiffness in one unit or another.
TEST(FiveBarFit, UnitsOfParametersDoNotMatter) {
  const auto fitted = [](double unit, bool bounded) {
    Model model = five_bar_model();
    model.parameters.push_back({"z", 100.0 * unit, "", {}, ""});
    model.forces[0]["stiffness"] =
        unit == 1.0 ? "z" : "z / " + std::to_string(unit * 1e20) + " * 1e20";
    Study study = fit_study(model, 0.5);
    measure(study, {"r2.x", "r2.y"}, 10);
    study.fit->variables = {{"z", 80.0 * unit}, {"L_s1", 2.2}};
    if (bounded) study.fit->variables[0] = {"z", 80.0 * unit, 0.0, 1.0};
    return fit(study);
  };
  const FitResult plain = fitted(1.0, false);
  ASSERT_TRUE(plain.succeeded) << plain.starts[0].reason;
  EXPECT_NEAR(plain.parameters[0].value, 100.0, 1e-6);
  for (const bool bounded : {false, true}) {
    const FitResult small = fitted(1e-12, bounded);
    EXPECT_TRUE(small.succeeded) << small.starts[0].reason << small.check_deviation;
    EXPECT_NEAR(small.parameters[0].value, 100e-12, 1e-18);
    EXPECT_NEAR(small.parameters[1].value, plain.parameters[1].value, 1e-9);
  }
}

bool warns(const FitResult& result, const std::vector<std::string>& texts) {
  return std::any_of(result.warnings.begin(), result.warnings.end(), [&](const auto& warning) {
    return std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return warning.find(text) != std::string::npos;
    });
  });
}

TEST(FiveBarFit, NamesParametersThatCannotBeToldApart) {
  Study study = fit_study(with_parallel_springs(), 0.5);
  measure(study, {"r2.x", "r2.y"}, 10);
  study.fit->variables = {{"k_a", 55.0}, {"L_s1", 2.2}, {"k_b", 39.0}};
  const FitResult result = fit(study);
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason;
  EXPECT_TRUE(warns(result, {"\"k_a\", \"k_b\" cannot be told apart", "k_a by +1, k_b by -1"}))
      << result.warnings.at(0);
  EXPECT_TRUE(std::isnan(result.parameters[0].standard_error));
  EXPECT_TRUE(std::isnan(result.parameters[2].standard_error));
  EXPECT_LT(result.parameters[1].standard_error, 1e-6);
  EXPECT_NEAR(result.parameters[1].value, five_bar_truth[0], 1e-7);
  EXPECT_NEAR(result.parameters[0].value + result.parameters[2].value, 100.0, 1e-5);
  EXPECT_LT(result.singular_values[2], 1e-9);
}

TEST(FiveBarFit, NamesAParameterThatNothingAnswersTo) {
  Model model = five_bar_model();
  model.parameters.push_back({"idle", 3.0, "", {}, ""});
  Study study = fit_study(model, 0.5);
  measure(study, {"r2.x"}, 10);
  study.fit->variables = {{"idle", 2.0}, {"L_s1", 2.2}};
  const FitResult result = fit(study);
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason;
  EXPECT_TRUE(warns(result, {"no measurement answers to \"idle\""}));
  EXPECT_EQ(result.warnings.size(), 1U);
  EXPECT_EQ(result.parameters[0].value, 2.0);
  EXPECT_TRUE(std::isnan(result.parameters[0].standard_error));
  EXPECT_FALSE(std::isnan(result.parameters[1].standard_error));
  EXPECT_NEAR(result.parameters[1].value, five_bar_truth[0], 1e-8);
}

TEST(FiveBarFit, LeavesParametersAtBoundsOutOfTheErrors) {
  Study study = fit_study(five_bar_model(), 0.5);
  measure(study, {"r2.x", "r2.y"}, 10);
  vary_three(study);
  study.fit->variables[2].lower = 1.1;
  const FitResult result = fit(study);
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason << result.check_deviation;
  EXPECT_EQ(result.parameters[2].value, 1.1);
  EXPECT_TRUE(result.parameters[2].at_bound);
  EXPECT_TRUE(std::isnan(result.parameters[2].standard_error));
  EXPECT_GT(result.parameters[0].standard_error, 0.0);
  EXPECT_TRUE(std::isnan(result.covariance[2]));
  EXPECT_TRUE(warns(result, {"\"m_A1\" is at its bound 1.1"}));
}

TEST(FiveBarFit, SaysThatAsManyMeasurementsAsParametersLeaveNoErrors) {
  Study study = fit_study(five_bar_model(), 0.5);
  measure(study, {"r2.x"}, 250);  // 0, 0.25 and 0.5 s
  vary_three(study);
  study.fit->variables.pop_back();
  study.fit->measurements[0].time.erase(study.fit->measurements[0].time.begin());
  study.fit->measurements[0].value.erase(study.fit->measurements[0].value.begin());
  const FitResult result = fit(study);
  EXPECT_TRUE(std::isnan(result.parameters[0].standard_error));
  EXPECT_TRUE(std::isnan(result.residual_deviation));
  EXPECT_TRUE(warns(result, {"no more measurements than parameters"}));
}

TEST(FiveBarFit, KeepsTheBestOfManyStarts) {
  Study study = fit_study(five_bar_model(), 0.5);
  measure(study, {"r2.x", "r2.y"}, 10);
  vary_three(study);
  study.fit->starts = 4;
  const FitResult result = fit(study);
  ASSERT_EQ(result.starts.size(), 4U);
  EXPECT_EQ(result.starts[0].start[2], 1.3);
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_NE(result.starts[k].start, result.starts[k - 1].start);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_GE(result.starts[k].start[i], study.fit->variables[i].lower);
      EXPECT_LE(result.starts[k].start[i], study.fit->variables[i].upper);
    }
    EXPECT_GE(result.starts[k].sum_of_squares + 1e-20, result.sum_of_squares);
  }
  // Several end at the truth; the first of them is the best.
  for (std::size_t k = 0; k < result.best; ++k) EXPECT_GT(result.starts[k].sum_of_squares, 1e-20);
  EXPECT_EQ(result.sum_of_squares, result.starts[result.best].sum_of_squares);
  EXPECT_EQ(result.parameters[0].value, result.starts[result.best].point[0]);
  EXPECT_TRUE(result.succeeded);
}

// Its method has no derivatives of sensors over time.
TEST(FiveBarFit, SaysThatItUsesDirectSensitivities) {
  Study study = fit_study(five_bar_model(), 0.05);
  measure(study, {"r2.x"}, 5);
  study.fit->variables = {{"L_s1", 2.2}};
  study.options.method = "adjoint";
  std::string log;
  StudySettings settings;
  settings.log = [&](const std::string& text) { log += text; };
  const FitResult result = fit(study, settings);
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason;
  EXPECT_EQ(result.run.method, "direct");
  EXPECT_NE(log.find("direct instead of adjoint"), std::string::npos) << log;
}

TEST(FiveBarFit, FailsWithoutACrashWhereNoMotionIsFound) {
  Study study = fit_study(five_bar_model(), 0.05);
  measure(study, {"r2.x"}, 5);
  study.fit->variables = {{"L_A1", 50.0}};  // the loop cannot close
  const FitResult result = fit(study);
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.succeeded);
  EXPECT_TRUE(warns(result, {"nothing was fitted"}));
  EXPECT_TRUE(std::isnan(result.parameters[0].value));
  EXPECT_FALSE(cli::fit_report(result).empty());
}

}  // namespace
}  // namespace gradus::test
