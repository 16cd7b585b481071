// Least squares with solutions that are known: certified, exact, or at bounds.
#include "src/study/fit/levenberg_marquardt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "src/study/fit/fit_model.hpp"

namespace gradus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Residuals and their derivatives [n_residual, n] at a point.
struct Rows {
  std::vector<double> residuals, jacobian;
};
using Residuals = std::function<Rows(const std::vector<double>&)>;

Ask asking(const Residuals& residuals) {
  return [residuals](const std::vector<double>& x) {
    const Rows rows = residuals(x);
    const std::size_t n = x.size();
    LeastSquaresSums sums{0.0, std::vector<double>(n), std::vector<double>(n * n)};
    for (std::size_t k = 0; k < rows.residuals.size(); ++k) {
      sums.sum += rows.residuals[k] * rows.residuals[k];
      for (std::size_t i = 0; i < n; ++i) {
        sums.gradient[i] += rows.jacobian[k * n + i] * rows.residuals[k];
        for (std::size_t j = 0; j < n; ++j)
          sums.normal[i * n + j] += rows.jacobian[k * n + i] * rows.jacobian[k * n + j];
      }
    }
    return pack(sums);
  };
}

LeastSquaresProblem unbounded(const std::vector<double>& start) {
  LeastSquaresProblem problem;
  problem.start = start;
  problem.lower.assign(start.size(), -kInfinity);
  problem.upper.assign(start.size(), kInfinity);
  return problem;
}

Rows rosenbrock(const std::vector<double>& x) {
  return {{10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]}, {-20.0 * x[0], 10.0, -1.0, 0.0}};
}

// NIST, Statistical Reference Datasets, Misra1a: y = b1 (1 - exp(-b2 x)).
Rows misra1a(const std::vector<double>& b) {
  const double y[] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                      44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
  const double x[] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                      378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
  Rows rows;
  for (std::size_t k = 0; k < 14; ++k) {
    const double decay = std::exp(-b[1] * x[k]);
    rows.residuals.push_back(b[0] * (1.0 - decay) - y[k]);
    rows.jacobian.insert(rows.jacobian.end(), {1.0 - decay, b[0] * x[k] * decay});
  }
  return rows;
}

TEST(LevenbergMarquardt, FindsTheCertifiedValuesOfMisra1aFromBothStarts) {
  for (const std::vector<double>& start : {std::vector{500.0, 1e-4}, std::vector{250.0, 5e-4}}) {
    const LeastSquaresSolution found = levenberg_marquardt(unbounded(start), asking(misra1a));
    EXPECT_TRUE(found.converged) << found.reason;
    EXPECT_NEAR(found.point[0], 2.3894212918e+02, 1e-8);
    EXPECT_NEAR(found.point[1], 5.5015643181e-04, 1e-14);
    EXPECT_NEAR(found.sums.sum, 1.2455138894e-01, 1e-11);
    EXPECT_LT(found.gradient_norm, 1e-9 * found.start_gradient_norm);
  }
}

TEST(LevenbergMarquardt, HasTheCertifiedStandardErrorsOfMisra1a) {
  const std::vector<double> start{250.0, 5e-4};
  const LeastSquaresSolution found = levenberg_marquardt(unbounded(start), asking(misra1a));
  FitResult result;
  for (std::size_t k = 0; k < 2; ++k)
    result.parameters.push_back({{"b" + std::to_string(k + 1), ""}, start[k], found.point[k]});
  result.sum_of_squares = found.sum_of_squares;
  add_statistics(misra1a(found.point).jacobian, result);
  EXPECT_NEAR(result.parameters[0].standard_error, 2.7070075241, 1e-8);
  EXPECT_NEAR(result.parameters[1].standard_error, 7.2668688436e-06, 1e-14);
  EXPECT_NEAR(result.residual_deviation, 1.0187876330e-01, 1e-10);
  // Student's t with 12 degrees of freedom: 2.178812829667.
  EXPECT_NEAR(result.parameters[0].high - result.parameters[0].value, 2.178812829667 * 2.7070075241,
              1e-7);
  EXPECT_NEAR(result.parameters[0].value - result.parameters[0].low, 2.178812829667 * 2.7070075241,
              1e-7);
  // b1 and b2 of this problem are known to be nearly collinear.
  EXPECT_LT(result.correlation[1], -0.99);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings[0].find("\"b1\" and \"b2\""), std::string::npos) << result.warnings[0];
}

TEST(LevenbergMarquardt, EndsInTheValleyOfRosenbrockWithAllDigits) {
  const LeastSquaresSolution found =
      levenberg_marquardt(unbounded({-1.2, 1.0}), asking(rosenbrock));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_NEAR(found.point[0], 1.0, 1e-12);
  EXPECT_NEAR(found.point[1], 1.0, 1e-12);
  EXPECT_LT(found.gradient_norm, 1e-10 * found.start_gradient_norm);
  EXPECT_LT(found.iterations, 40U);
}

// Where residuals vanish the last steps each square the error.
TEST(LevenbergMarquardt, ConvergesFasterThanLinearlyWithoutResiduals) {
  const LeastSquaresSolution found = levenberg_marquardt(unbounded({1.3, 1.5}), asking(rosenbrock));
  ASSERT_GE(found.history.size(), 4U);
  bool fast = false;
  for (std::size_t k = 1; k < found.history.size(); ++k)
    fast = fast || (found.history[k - 1].sum_of_squares > 1e-20 &&
                    found.history[k - 1].sum_of_squares < 1e-10 &&
                    found.history[k].sum_of_squares < 1e-8 * found.history[k - 1].sum_of_squares);
  EXPECT_TRUE(fast);
}

TEST(LevenbergMarquardt, StopsAtBoundsWithoutTheGradientThatPointsOut) {
  LeastSquaresProblem problem = unbounded({-1.2, 1.0});
  problem.upper[0] = 0.5;
  problem.lower[0] = -2.0;
  const LeastSquaresSolution found = levenberg_marquardt(problem, asking(rosenbrock));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_EQ(found.point[0], 0.5);
  EXPECT_NEAR(found.point[1], 0.25, 1e-10);
  EXPECT_NEAR(found.sums.sum, 0.25, 1e-12);
  EXPECT_LT(found.gradient_norm, 1e-8 * found.start_gradient_norm);
  EXPECT_EQ(held_at_bounds(problem, found.point, found.sums.gradient),
            (std::vector<bool>{true, false}));
}

// The other variables take the bound for given; what the step is worth is counted with it.
TEST(LevenbergMarquardt, SolvesOnceMoreWhereAStepMeetsABound) {
  LeastSquaresProblem problem = unbounded({0.0, 0.0});
  problem.upper[0] = 0.5;
  const LeastSquaresSums sums{10.0, {-3.0, -3.0}, {2.0, 1.0, 1.0, 2.0}};
  const DampedStep step = damped_step(problem, problem.start, sums, {1.0, 1.0}, 1e-14);
  EXPECT_EQ(step.point[0], 0.5);
  EXPECT_NEAR(step.point[1], 1.25, 1e-12);
  EXPECT_NEAR(step.decrease, 5.625, 1e-12);
}

TEST(LevenbergMarquardt, LeavesABoundThatTheGradientPointsAwayFrom) {
  LeastSquaresProblem problem = unbounded({0.0, 0.0});
  problem.lower = {0.0, 0.0};
  problem.upper = {4.0, 4.0};
  const LeastSquaresSolution found = levenberg_marquardt(problem, asking(rosenbrock));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_NEAR(found.point[0], 1.0, 1e-10);
  EXPECT_NEAR(found.point[1], 1.0, 1e-10);
}

TEST(LevenbergMarquardt, AsksForNoPointOutsideTheBounds) {
  LeastSquaresProblem problem = unbounded({250.0, 5e-4});
  problem.lower = {100.0, 5.2e-4 - 1e-4};
  problem.upper = {230.0, 6.5e-4};
  problem.start = {110.0, 5e-4};
  const Ask ask = asking(misra1a);
  const LeastSquaresSolution found = levenberg_marquardt(problem, [&](const auto& x) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_GE(x[i], problem.lower[i]);
      EXPECT_LE(x[i], problem.upper[i]);
    }
    return ask(x);
  });
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_EQ(found.point[0], 230.0);
}

TEST(LevenbergMarquardt, TreatsFailuresAsRejectedSteps) {
  const Ask ask = asking(rosenbrock);
  std::size_t failures = 0;
  const LeastSquaresSolution found =
      levenberg_marquardt(unbounded({-1.2, 1.0}), [&](const std::vector<double>& x) {
        // The first undamped step would go to (1, -3.84).
        const bool fails = x[1] < -0.5;
        failures += fails;
        return fails ? Answer() : ask(x);
      });
  EXPECT_GT(failures, 0U);
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_NEAR(found.point[0], 1.0, 1e-10);
}

TEST(LevenbergMarquardt, SaysThatTheStartFails) {
  const LeastSquaresSolution found =
      levenberg_marquardt(unbounded({1.0}), [](const auto&) { return Answer(); });
  EXPECT_FALSE(found.converged);
  EXPECT_TRUE(found.history.empty());
  EXPECT_NE(found.reason.find("start"), std::string::npos);
}

TEST(LevenbergMarquardt, EndsWhereTheIterationsDo) {
  LeastSquaresProblem problem = unbounded({-1.2, 1.0});
  problem.iterations = 3;
  const LeastSquaresSolution found = levenberg_marquardt(problem, asking(rosenbrock));
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations, 3U);
  EXPECT_EQ(found.history.size(), 4U);
}

TEST(LevenbergMarquardt, LeavesWhatNothingAnswersToWhereItStarted) {
  const auto residuals = [](const std::vector<double>& x) {
    const Rows rows = rosenbrock({x[0], x[1]});
    return Rows{rows.residuals,
                {rows.jacobian[0], rows.jacobian[1], 0.0, rows.jacobian[2], rows.jacobian[3], 0.0}};
  };
  const LeastSquaresSolution found =
      levenberg_marquardt(unbounded({-1.2, 1.0, 7.0}), asking(residuals));
  EXPECT_TRUE(found.converged) << found.reason;
  EXPECT_NEAR(found.point[1], 1.0, 1e-10);
  EXPECT_EQ(found.point[2], 7.0);
}

// A derivative that is round-off answers to nothing either, however little the damping has become.
TEST(LevenbergMarquardt, TakesRoundOffForNoAnswer) {
  const auto residuals = [](const std::vector<double>& x) {
    return Rows{{x[0] * x[0] - 2.0, 1.0}, {2.0 * x[0], 3e-17, 0.0, 1e-17}};
  };
  const auto found = levenberg_marquardt(unbounded({1.0, 5.0}), asking(residuals));
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.point[0], std::sqrt(2.0), 1e-12);
  EXPECT_EQ(found.point[1], 5.0);
}

TEST(LevenbergMarquardt, DoesNotPromiseMuchOfAWrongGradient) {
  const Ask ask = asking(rosenbrock);
  const LeastSquaresSolution found =
      levenberg_marquardt(unbounded({-1.2, 1.0}), [&](const std::vector<double>& x) {
        Answer answer = ask(x);
        for (std::size_t i = 1; i < 3; ++i) answer[i] = -answer[i];
        return answer;
      });
  EXPECT_FALSE(found.converged) << found.reason;
}

// Another unit of a parameter changes nothing but the parameter.
TEST(LevenbergMarquardt, GivesTheSameInAnyUnit) {
  const LeastSquaresSolution plain = levenberg_marquardt(unbounded({250.0, 5e-4}), asking(misra1a));
  for (const double unit : {0x1p-40, 0x1p40}) {
    const auto residuals = [unit](const std::vector<double>& x) {
      Rows rows = misra1a({x[0] / unit, x[1]});
      for (std::size_t k = 0; k < rows.jacobian.size(); k += 2) rows.jacobian[k] /= unit;
      return rows;
    };
    const LeastSquaresSolution found =
        levenberg_marquardt(unbounded({250.0 * unit, 5e-4}), asking(residuals));
    EXPECT_TRUE(found.converged) << found.reason;
    EXPECT_EQ(found.point[0] / unit, plain.point[0]);
    EXPECT_EQ(found.point[1], plain.point[1]);
    EXPECT_EQ(found.iterations, plain.iterations);
  }
}

TEST(LevenbergMarquardt, ScalesAreSizesOfTheStarts) {
  LeastSquaresProblem problem = unbounded({-3e-9, 0.0, 0.0, 0.0});
  problem.lower[1] = -2.0;
  problem.upper[1] = 3.0;
  problem.upper[2] = 1e-6;
  EXPECT_EQ(variable_scales(problem), (std::vector{3e-9, 5.0, 1e-6, 1.0}));
  EXPECT_EQ(size_at(-2.0, 3.0), 2.0);
  EXPECT_EQ(size_at(0.0, 3.0), 3e-3);
}

TEST(FitStatistics, TakesTheFirstThatConvergedOfThoseWithTheSameSum) {
  const auto start = [](double sum, bool converged) {
    FitStart result;
    result.sum_of_squares = sum;
    result.converged = converged;
    return result;
  };
  const double none = std::nan("");
  EXPECT_EQ(best_fit_start({start(2, true), start(1, false), start(1 + 1e-12, true)}, 0.0), 2U);
  EXPECT_EQ(best_fit_start({start(1 + 1e-6, true), start(1, false)}, 0.0), 1U);
  EXPECT_EQ(best_fit_start({start(1 + 1e-12, true), start(1, true)}, 0.0), 0U);
  EXPECT_EQ(best_fit_start({start(1e-20, false), start(1e-24, false), start(1e-18, true)}, 1e-17),
            2U);
  EXPECT_EQ(best_fit_start({start(none, false), start(3, false)}, 0.0), 1U);
  EXPECT_EQ(best_fit_start({start(none, false), start(none, false)}, 0.0), 0U);
}

TEST(FitStatistics, HasIntervalsOfAnyConfidence) {
  for (const bool known : {false, true}) {
    FitResult result;
    result.parameters = {{{"a", ""}, 1, 1}};
    result.sum_of_squares = 1e-4;
    result.fit.confidence = 0.9999999999999999;
    result.fit.deviations_known = known;
    add_statistics({1, 2, 3}, result);
    const FittedParameter& a = result.parameters[0];
    EXPECT_TRUE(std::isfinite(a.low) && std::isfinite(a.high));
    EXPECT_GT((a.high - a.value) / a.standard_error, known ? 8.0 : 1e7);
  }
}

// What is at its bound is given, not estimated: the others have the errors of a fit without it.
TEST(FitStatistics, CountsNoParameterAtItsBound) {
  const std::vector<double> slopes{1, 2, 3, 4, 5};
  std::vector<double> both;
  for (const double slope : slopes) both.insert(both.end(), {slope, slope * slope});
  FitResult alone, beside;
  alone.parameters = {{{"a", ""}, 1, 1}};
  beside.parameters = {{{"a", ""}, 1, 1}, {{"b", ""}, 1, 1}};
  beside.parameters[1].at_bound = true;
  alone.sum_of_squares = beside.sum_of_squares = 0.8;
  add_statistics(slopes, alone);
  add_statistics(both, beside);
  EXPECT_NEAR(alone.residual_deviation, std::sqrt(0.8 / 4.0), 1e-15);
  EXPECT_EQ(beside.residual_deviation, alone.residual_deviation);
  EXPECT_NEAR(beside.parameters[0].standard_error, alone.parameters[0].standard_error, 1e-15);
  EXPECT_NEAR(beside.parameters[0].high, alone.parameters[0].high, 1e-14);
  EXPECT_TRUE(std::isnan(beside.parameters[1].standard_error));
}

// Columns that differ by round-off alone are not told apart by it.
TEST(FitStatistics, TakesRoundOffForNothing) {
  std::vector<double> jacobian;
  for (int k = 0; k < 20; ++k) {
    const double x = std::sin(1.0 + k), y = std::cos(2.0 * k);
    jacobian.insert(jacobian.end(), {x, -2.0 * x * (1.0 + 1e-13 * (k % 3)), y});
  }
  FitResult result;
  result.parameters = {{{"a", ""}, 1, 1}, {{"b", ""}, 1, 1}, {{"c", ""}, 1, 1}};
  result.sum_of_squares = 1e-4;
  add_statistics(jacobian, result);
  EXPECT_TRUE(std::isnan(result.parameters[0].standard_error));
  EXPECT_TRUE(std::isnan(result.parameters[1].standard_error));
  EXPECT_TRUE(std::isnan(result.correlation[1]));
  EXPECT_GT(result.parameters[2].standard_error, 0.0);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings[0].find("\"a\", \"b\" cannot be told apart"), std::string::npos);
  EXPECT_NE(result.warnings[0].find("a by +1, b by +0.5"), std::string::npos) << result.warnings[0];
}

}  // namespace
}  // namespace gradus
