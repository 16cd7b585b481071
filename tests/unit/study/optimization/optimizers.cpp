// Optimisers on formulas with known optima.
#include "src/study/optimization/optimizer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "gradus/error.hpp"
#include "tests/unit/study/optimization/analytic_problem.hpp"

namespace gradus::test {
namespace {

bool is_built(const std::string& method) {
  const std::vector<std::string> methods = optimization_methods();
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

std::string message(const SearchOutcome& outcome) {
  std::string text = outcome.start.reason + ", " + std::to_string(outcome.start.evaluations) +
                     " evaluations, point";
  for (const double value : outcome.start.point) text += " " + std::to_string(value);
  return text;
}

class EveryMethod : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!is_built(GetParam())) GTEST_SKIP() << "its module was not built";
  }
  bool takes_constraints() const { return std::string(GetParam()) != "lbfgs"; }
  bool is_mma() const { return std::string(GetParam()) == "mma"; }
  // MMA knows no curvature: where constraints alone do not fix a point, it comes no nearer.
  double nearness() const { return is_mma() ? 1e-5 : 1e-6; }
};

std::string name_of(const testing::TestParamInfo<const char*>& information) {
  std::string name = information.param;
  std::erase(name, '-');
  return name;
}

using MethodsWithConstraints = EveryMethod;
using MethodsWithEquations = EveryMethod;

INSTANTIATE_TEST_SUITE_P(Optimizers, EveryMethod,
                         testing::Values("lbfgs", "slsqp", "mma", "augmented-lagrangian", "ipopt"),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Optimizers, MethodsWithConstraints,
                         testing::Values("slsqp", "mma", "augmented-lagrangian", "ipopt"), name_of);
INSTANTIATE_TEST_SUITE_P(Optimizers, MethodsWithEquations,
                         testing::Values("slsqp", "augmented-lagrangian", "ipopt"), name_of);

TEST_P(MethodsWithConstraints, FindsTheEdgeOfADisc) {
  AnalyticProblem problem = disc(GetParam(), -2.0);
  if (is_mma()) problem.optimization.tolerance = 1e-10;
  const SearchOutcome outcome = solve(problem);
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_TRUE(outcome.feasible);
  // On the circle the angle is the only unknown: found by Newton's method.
  double angle = -2.4;
  for (int k = 0; k < 50; ++k) {
    const double c = std::cos(angle), s = std::sin(angle);
    angle -= (-s + c - 0.2 * c * s) / (-c - s - 0.2 * (c * c - s * s));
  }
  EXPECT_NEAR(outcome.start.point[0], std::cos(angle), nearness()) << message(outcome);
  EXPECT_NEAR(outcome.start.point[1], 100.0 * std::sin(angle), 100.0 * nearness())
      << message(outcome);
  EXPECT_LE(outcome.start.constraint_violation, 1e-7);
}

TEST_P(MethodsWithConstraints, BoundsMayLieFartherApartThanNumbersReach) {
  AnalyticProblem problem = disc(GetParam(), -1e308);
  problem.optimization.variables[0].upper = 1e308;
  if (is_mma()) problem.optimization.tolerance = 1e-10;
  const SearchOutcome outcome = solve(problem);
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_TRUE(outcome.feasible);
}

TEST_P(MethodsWithConstraints, FindsAnActiveBoundAndAnActiveConstraint) {
  const SearchOutcome outcome = solve(disc(GetParam(), -0.25));
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_NEAR(outcome.start.point[0], -0.25, 1e-6);
  EXPECT_NEAR(outcome.start.point[1], -100.0 * std::sqrt(1.0 - 0.0625), 1e-4);
}

TEST_P(EveryMethod, FindsABound) {
  AnalyticProblem problem = rosenbrock(GetParam());
  problem.optimization.variables[0].upper = 0.5;
  const SearchOutcome outcome = solve(problem);
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_NEAR(outcome.start.point[0], 0.5, 1e-6);
  EXPECT_NEAR(outcome.start.point[1], 0.25, 1e-6);
}

// A step too far leads to where nothing changes, which is worse than the start.
TEST_P(EveryMethod, APlateauIsNoOptimum) {
  AnalyticProblem problem;
  problem.optimization.method = GetParam();
  problem.terms.objectives = 1;
  problem.terms.minimised = {{0, 1.0}};
  problem.variable(0.5, 0.1, 3.0);
  problem.formula = [](const std::vector<double>& p) {
    const double x = p[0];
    return x < 0.8 ? Answer{4 * (x - 0.35) * (x - 0.35), 8 * (x - 0.35)} : Answer{2.89, 0.0};
  };
  const SearchOutcome outcome = solve(problem);
  EXPECT_LE(outcome.start.objective, 0.09 + 1e-12) << message(outcome);
  if (outcome.start.converged) {
    EXPECT_NEAR(outcome.start.point[0], 0.35, 1e-4) << message(outcome);
  }
}

TEST_P(EveryMethod, FindsTheEndOfTheValley) {
  const AnalyticProblem problem = rosenbrock(GetParam());
  const SearchOutcome outcome = solve(problem);
  if (is_mma()) {  // knows no curvature: slow in valleys
    EXPECT_LT(outcome.start.objective, 1e-3) << message(outcome);
    return;
  }
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_NEAR(outcome.start.point[0], 1.0, 1e-5) << message(outcome);
  EXPECT_NEAR(outcome.start.point[1], 1.0, 2e-5);
  RecordProperty("evaluations", static_cast<int>(outcome.start.evaluations));
}

TEST_P(MethodsWithEquations, KeepsAnEquation) {
  AnalyticProblem problem = disc(GetParam(), -2.0);
  problem.terms.constraints[0].lower = problem.terms.constraints[0].upper;
  problem.terms.minimised[0].weight = -3.0;  // the far side: an inequality would not hold it there
  problem.optimization.variables[0].start = 1.5;
  const SearchOutcome outcome = solve(problem);
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  const double x = outcome.start.point[0], y = outcome.start.point[1] / 100.0;
  EXPECT_NEAR(x * x + y * y, 1.0, 1e-8);
  EXPECT_GT(x, 0.7);
  EXPECT_NEAR((1.0 + 0.2 * x) * y - x, 0.0, 1e-5);
}

TEST_P(MethodsWithConstraints, HoldsBothSidesOfAConstraint) {
  AnalyticProblem problem = disc(GetParam(), -2.0);
  if (is_mma()) problem.optimization.tolerance = 1e-10;
  problem.terms.constraints[0].lower = 5.0;
  problem.formula = [](const std::vector<double>& p) {
    const double x = p[0];
    const double y = p[1] / 100.0;
    return Answer{std::pow(x - 0.1, 2) + y * y,
                  10.0 * (x * x + y * y),
                  2.0 * (x - 0.1),
                  0.02 * y,
                  20.0 * x,
                  0.2 * y};
  };
  problem.optimization.variables[0].start = 0.9;
  const SearchOutcome outcome = solve(problem);
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_NEAR(outcome.start.point[0], std::sqrt(0.5), 1e-6) << message(outcome);
  EXPECT_NEAR(outcome.start.point[1], 0.0, 1000.0 * nearness());
}

TEST_P(MethodsWithConstraints, ReportsConstraintsThatContradict) {
  AnalyticProblem problem = disc(GetParam(), 1.5);
  problem.optimization.variables[0].start = 1.7;
  problem.optimization.evaluations = 300;
  const SearchOutcome outcome = solve(problem);
  EXPECT_FALSE(outcome.start.converged);
  EXPECT_FALSE(outcome.feasible);
  EXPECT_NE(outcome.start.reason.find("constraints are violated by"), std::string::npos)
      << message(outcome);
  EXPECT_NEAR(outcome.start.constraint_violation, 12.5, 0.1) << message(outcome);
}

TEST_P(EveryMethod, StepsBackFromDesignsThatFail) {
  // A wall of failures right behind the optimum, where the slope still points to it.
  AnalyticProblem problem;
  problem.optimization.method = GetParam();
  problem.optimization.tolerance = 1e-12;
  problem.terms.objectives = 1;
  problem.terms.minimised = {{0, 1.0}};
  problem.variable(-3.0, -infinity, infinity);
  problem.variable(-1.0, -infinity, infinity);
  std::size_t failed = 0;
  problem.formula = [&failed](const std::vector<double>& p) {
    const double x = p[0], y = p[1];
    if (x > 0.02) {
      ++failed;
      return Answer{};
    }
    const double edge = std::sqrt(x * x + 1e-2);
    return Answer{edge + (y - x) * (y - x), x / edge - 2.0 * (y - x), 2.0 * (y - x)};
  };
  const SearchOutcome outcome = solve(problem);
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_NEAR(outcome.start.point[0], 0.0, 1e-6) << message(outcome);
  EXPECT_GT(failed, 0U);
  const auto rows = std::count_if(outcome.history.begin(), outcome.history.end(),
                                  [](const HistoryRow& row) { return std::isnan(row.objective); });
  EXPECT_EQ(static_cast<std::size_t>(rows), failed);
}

TEST_P(EveryMethod, EndsWhereDesignsKeepFailing) {
  AnalyticProblem problem = rosenbrock(GetParam());
  const auto formula = problem.formula;
  std::size_t asked = 0;
  problem.formula = [&asked, formula](const std::vector<double>& p) {
    return ++asked > 3 ? Answer{} : formula(p);
  };
  const SearchOutcome outcome = solve(problem);
  EXPECT_FALSE(outcome.start.converged);
  EXPECT_LE(asked, 40U);
  EXPECT_FALSE(std::isnan(outcome.start.objective));
}

TEST_P(EveryMethod, StartThatFailsSaysSo) {
  AnalyticProblem problem = rosenbrock(GetParam());
  problem.formula = [](const std::vector<double>&) { return Answer{}; };
  const SearchOutcome outcome = solve(problem);
  EXPECT_FALSE(outcome.start.converged);
  EXPECT_EQ(outcome.start.evaluations, 1U);
  EXPECT_EQ(outcome.start.reason, "the motion of the start fails");
  EXPECT_TRUE(std::isnan(outcome.start.objective));
}

TEST_P(EveryMethod, StopsWhenEvaluationsAreUsedUp) {
  AnalyticProblem problem = rosenbrock(GetParam());
  problem.optimization.evaluations = 7;
  const SearchOutcome outcome = solve(problem);
  EXPECT_FALSE(outcome.start.converged);
  EXPECT_EQ(outcome.start.evaluations, 7U);
  EXPECT_EQ(outcome.history.size(), 7U);
  EXPECT_EQ(outcome.start.reason.find("evaluations used up"), 0U) << outcome.start.reason;
}

TEST_P(EveryMethod, PassesOnWhatIsThrown) {
  AnalyticProblem problem = rosenbrock(GetParam());
  std::size_t asked = 0;
  const auto formula = problem.formula;
  problem.formula = [&](const std::vector<double>& p) {
    if (++asked > 5) throw FileError("the disk is full");
    return formula(p);
  };
  EXPECT_THROW(solve(problem), FileError);
  EXPECT_EQ(asked, 6U);
}

TEST_P(EveryMethod, ScaleOfUnitsDoesNotMatter) {
  AnalyticProblem problem = rosenbrock(GetParam());
  const auto formula = problem.formula;
  problem.formula = [formula](const std::vector<double>& p) {
    Answer answer = formula(p);
    for (double& value : answer) value *= 0x1p40;
    return answer;
  };
  const SearchOutcome large = solve(problem);
  const SearchOutcome plain = solve(rosenbrock(GetParam()));
  EXPECT_EQ(large.start.point, plain.start.point);
  EXPECT_EQ(large.start.evaluations, plain.start.evaluations);
}

TEST_P(EveryMethod, UnitsOfVariablesDoNotMatter) {
  for (const double unit : {1.0, 1e7, 1e-7, 1e-12}) {
    const SearchOutcome outcome = solve(in_units(GetParam(), unit, 1.0 / unit));
    EXPECT_TRUE(outcome.start.converged) << unit << message(outcome);
    EXPECT_NEAR(outcome.start.point[0] / unit, 0.5, 1e-4) << message(outcome);
    EXPECT_NEAR(outcome.start.point[1] * unit, -1.0, 1e-4) << message(outcome);
  }
}

// The optimum is near one of the bounds, by their distance, but not at it.
TEST_P(EveryMethod, LooksBetweenABoundAndAPointBesideIt) {
  AnalyticProblem problem;
  problem.optimization.method = GetParam();
  problem.terms.objectives = 1;
  problem.terms.minimised = {{0, 1.0}};
  problem.variable(900.0, 0.0, 1e9);
  problem.formula = [](const std::vector<double>& p) {
    return Answer{std::pow(p[0] - 500.0, 2), 2.0 * (p[0] - 500.0)};
  };
  const SearchOutcome outcome = solve(problem);
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_NEAR(outcome.start.point[0], 500.0, 1.0) << message(outcome);
}

TEST_P(EveryMethod, AHundredTogetherGiveTheBitsOfEachAlone) {
  const AnalyticProblem problem =
      takes_constraints() ? disc(GetParam(), -0.6) : rosenbrock(GetParam());
  std::vector<std::vector<double>> starts;
  const int count = std::string(GetParam()) == "ipopt" ? 30 : 100;
  for (int k = 0; k < count; ++k)
    starts.push_back({-0.5 + 0.02 * k, takes_constraints() ? 90.0 - 2.6 * k : 0.04 * k - 1.0});
  const std::vector<SearchOutcome> together = solve(problem, starts);
  for (std::size_t k = 0; k < starts.size(); k += 13) {
    const SearchOutcome alone = solve(problem, {starts[k]})[0];
    ASSERT_EQ(alone.history.size(), together[k].history.size()) << k;
    EXPECT_EQ(alone.start.point, together[k].start.point);
    for (std::size_t i = 0; i < alone.history.size(); ++i) {
      const HistoryRow& a = alone.history[i];
      const HistoryRow& b = together[k].history[i];
      ASSERT_EQ(std::memcmp(&a.objective, &b.objective, sizeof a.objective), 0) << k;
      ASSERT_EQ(a.gradient_norm, b.gradient_norm);
      ASSERT_EQ(a.constraint_violation, b.constraint_violation);
      ASSERT_EQ(b.start, k);
    }
  }
}

TEST(Optimizers, MaximisesToo) {
  if (!is_built("slsqp")) GTEST_SKIP();
  AnalyticProblem problem = disc("slsqp", -2.0);
  problem.optimization.maximize = true;
  problem.terms.minimised[0].weight = -1.0;
  const SearchOutcome outcome = solve(problem);
  EXPECT_TRUE(outcome.start.converged) << message(outcome);
  EXPECT_GT(outcome.start.objective, 1.4);
  EXPECT_GT(outcome.history.back().objective, 1.4);
}

}  // namespace
}  // namespace gradus::test
