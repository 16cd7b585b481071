// Residuals at measured times and their derivatives.
#include "src/study/fit/fit_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gradus/error.hpp"
#include "tests/unit/study/fit/five_bar_fit.hpp"

namespace gradus::test {
namespace {

// Times between steps, at both ends too.
Study between_steps() {
  Study study = fit_study(five_bar_model(), 0.2);
  for (const char* sensor : {"r2.x", "v2.y", "a2.x", "alpha2", "energy"}) {
    Measurement measurement;
    measurement.sensor = sensor;
    measurement.deviation = 0.5;
    measurement.time = {0.0003, 0.01, 0.0503, 0.11217, 0.1996, 0.2};
    measurement.value = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    study.fit->measurements.push_back(measurement);
  }
  vary_three(study);
  return study;
}

TEST(FitModel, DifferentiatesItsInterpolatedSensors) {
  Study study = between_steps();
  study.model.sensors.push_back({"f", "reaction_force", "1"});
  study.fit->measurements[1].sensor = "f.x";
  const FitModel model(study, 1);
  const std::vector<double> point = model.problem().start;
  FitEvaluation here;
  ASSERT_TRUE(model.evaluate(point, here));
  ASSERT_EQ(here.residuals.size(), 30U);
  EXPECT_NEAR(here.residuals[7], (here.computed[7] - 0.2) / 0.5, 1e-15);
  for (std::size_t i = 0; i < 3; ++i) {
    const double step = 1e-5;
    std::vector<double> low = point, high = point;
    low[i] -= step;
    high[i] += step;
    FitEvaluation before, after;
    ASSERT_TRUE(model.evaluate(low, before));
    ASSERT_TRUE(model.evaluate(high, after));
    for (std::size_t k = 0; k < 30; ++k) {
      const double difference = (after.residuals[k] - before.residuals[k]) / (2.0 * step);
      EXPECT_NEAR(here.jacobian[k * 3 + i], difference, 1e-6 * (1.0 + std::abs(difference)))
          << k << " by " << i;
    }
  }
}

TEST(FitModel, SumsWhatItEvaluates) {
  const Study study = between_steps();
  const FitModel model(study, 2);
  const std::vector<double> point = model.problem().start;
  FitEvaluation here;
  ASSERT_TRUE(model.evaluate(point, here));
  LeastSquaresSums sums;
  ASSERT_TRUE(unpack(model.sums({{50.0, 1.0, 1.0}, point})[1], 3, sums));
  LeastSquaresSums expected{0.0, std::vector<double>(3), std::vector<double>(9)};
  for (std::size_t k = 0; k < 30; ++k) {
    expected.sum += here.residuals[k] * here.residuals[k];
    for (std::size_t i = 0; i < 3; ++i) {
      expected.gradient[i] += here.jacobian[k * 3 + i] * here.residuals[k];
      for (std::size_t j = 0; j < 3; ++j)
        expected.normal[i * 3 + j] += here.jacobian[k * 3 + i] * here.jacobian[k * 3 + j];
    }
  }
  EXPECT_DOUBLE_EQ(sums.sum, expected.sum);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(sums.gradient[i], expected.gradient[i]);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(sums.normal[i], expected.normal[i]);
  EXPECT_DOUBLE_EQ(model.sums_of_motion(point, {point})[0], expected.sum);
}

TEST(FitModel, ProvesItsGradientByCentralDifferences) {
  const Study study = between_steps();
  const FitModel model(study, 1);
  const auto ask = [&](const auto& point) { return model.sums({point})[0]; };
  const auto sums = [&](const auto& centre, const auto& points) {
    return model.sums_of_motion(centre, points);
  };
  const auto checked = [&](const Ask& asked) {
    return gradient_deviation(model.problem(), model.problem().start, asked, sums);
  };
  EXPECT_LT(checked(ask).deviation, 1e-8);
  EXPECT_NEAR(checked(ask).error, 1e-4, 1e-6);  // this motion is smooth
  EXPECT_TRUE(checked(ask).agrees());
  // An error of one entry shows.
  const auto wrong = [&](const auto& point) {
    Answer answer = model.sums({point})[0];
    answer[2] *= 1.0 + 1e-4;
    return answer;
  };
  EXPECT_GT(checked(wrong).deviation, 1e-6);
}

// Interpolation loses nothing that steps have: between them its error falls with their length to
// the fourth power, here against a motion of many more steps.
TEST(FitModel, InterpolatesAtFourthOrder) {
  const auto computed = [](double step) {
    Study study = fit_study(five_bar_model(), 0.2, step);
    study.options.formulation = "index1";
    study.options.integrator = "dopri5";
    study.options.rtol = 1e-12;
    study.options.atol = 1e-13;
    Measurement measurement;
    measurement.sensor = "alpha2";
    measurement.time = {0.0137, 0.0771, 0.1313, 0.1933};
    measurement.value = {0, 0, 0, 0};
    study.fit->measurements.push_back(measurement);
    study.fit->variables = {{"L_s1", 2.2}};
    FitEvaluation evaluation;
    EXPECT_TRUE(FitModel(study, 1).evaluate({2.2}, evaluation));
    return evaluation.computed;
  };
  const std::vector<double> exact = computed(5e-4), coarse = computed(2e-2), fine = computed(1e-2);
  const auto error = [&](const std::vector<double>& values) {
    double sum = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k) sum += std::pow(values[k] - exact[k], 2);
    return std::sqrt(sum);
  };
  EXPECT_GT(error(coarse), 1e-9);
  EXPECT_NEAR(std::log2(error(coarse) / error(fine)), 4.0, 1.0);
}

// Each line breaks one rule.
TEST(FitModel, RefusesWhatCannotBeFitted) {
  const auto expect = [](const std::string& text, const auto& change) {
    Study study = between_steps();
    change(study);
    try {
      const FitModel model(study, 1);
      ADD_FAILURE() << "nothing thrown, expected: " << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  expect("no section \"fit\"", [](Study& s) { s.fit.reset(); });
  expect("did you mean \"L_s1\"", [](Study& s) { s.fit->variables[0].name = "L_s"; });
  expect("named twice", [](Study& s) { s.fit->variables[1].name = "L_s1"; });
  expect("outside the bounds", [](Study& s) { s.fit->variables[0].start = 5.0; });
  expect("are not finite", [](Study& s) {
    s.fit->starts = 2;
    s.fit->variables[1].upper = fit_infinity;
  });
  expect("there are no parameters", [](Study& s) { s.fit->variables.clear(); });
  expect("did you mean \"r2.x\"", [](Study& s) { s.fit->measurements[0].sensor = "r2.w"; });
  expect("found the deviation 0", [](Study& s) { s.fit->measurements[0].deviation = 0.0; });
  expect("lasts from 0 to 0.2", [](Study& s) { s.fit->measurements[0].time[5] = 0.21; });
  expect("times ascend", [](Study& s) { s.fit->measurements[0].time[1] = 0.0003; });
  expect("not a finite number", [](Study& s) { s.fit->measurements[0].value[1] = NAN; });
  expect("give each value its time", [](Study& s) { s.fit->measurements[0].time.pop_back(); });
  expect("found 0 measurements", [](Study& s) { s.fit->measurements.clear(); });
  expect("/tolerance: found 0", [](Study& s) { s.fit->tolerance = 0.0; });
  expect("/confidence: found 1", [](Study& s) { s.fit->confidence = 1.0; });
  expect("/starts: found 0", [](Study& s) { s.fit->starts = 0; });
  expect("/starts: found 4097, expected a whole number from 1 to 4096",
         [](Study& s) { s.fit->starts = 4097; });
}

TEST(FitModel, LeavesOutReactionsThatNobodyMeasures) {
  Study study = between_steps();
  study.model.sensors.push_back({"f", "reaction_force", "1"});
  study.model.sensors.push_back({"a", "acceleration", "ground"});
  study.model.definitions.push_back({"swing", "a.x*t"});  // which needs its sensor
  study.model.objectives[0].expression = "dot(f, f) + swing";
  const FitModel model(study, 1);
  FitEvaluation evaluation;
  EXPECT_TRUE(model.evaluate(model.problem().start, evaluation));
}

}  // namespace
}  // namespace gradus::test
