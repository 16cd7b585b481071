// First-order conditions at points where they are known.
#include "src/study/optimization/scaled_problem.hpp"

#include <gtest/gtest.h>

#include "tests/unit/study/optimization/analytic_problem.hpp"

namespace gradus::test {
namespace {

// Linear: gradients of the objective and of constraints that are 0 at the start. Variables lie in
// [0, 1] and constraints below 0 or, as equations, at 0.
FirstOrder conditions(const std::vector<double>& gradient,
                      const std::vector<std::vector<double>>& rows, const std::vector<double>& x,
                      bool equations = false) {
  AnalyticProblem problem;
  problem.terms.objectives = 1 + rows.size();
  problem.terms.minimised = {{0, 1.0}};
  for (const double value : x) problem.variable(value, 0.0, 1.0);
  Answer answer(problem.terms.objectives, 0.0);
  answer.insert(answer.end(), gradient.begin(), gradient.end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    problem.constraint(1 + i, equations ? 0.0 : -infinity, 0.0);
    answer.insert(answer.end(), rows[i].begin(), rows[i].end());
  }
  const ScaledProblem scaled(problem.optimization, problem.terms, x, answer);
  return first_order(scaled, x, scaled.evaluation(answer), 1e-6);
}

TEST(FirstOrder, OfAFreePointIsTheGradient) {
  EXPECT_DOUBLE_EQ(conditions({3.0, 4.0}, {}, {0.5, 0.5}).stationarity, 1.0);
}

// Where small changes of the start lead elsewhere its gradient says nothing about what is to gain.
TEST(FirstOrder, AGradientFarBeyondTheObjectiveCountsForLittle) {
  AnalyticProblem problem;
  problem.terms.objectives = 1;
  problem.terms.minimised = {{0, 1.0}};
  problem.variable(0.5, 0.0, 1.0);
  problem.variable(0.5, 0.0, 1.0);
  const std::vector<double> x{0.5, 0.5};
  const ScaledProblem scaled(problem.optimization, problem.terms, x, Answer{10.0, 1e9, 0.0});
  const Answer later{1.0, 60.0, 80.0};
  EXPECT_NEAR(first_order(scaled, x, scaled.evaluation(later), 1e-6).stationarity, 0.1, 1e-12);
}

TEST(FirstOrder, BoundsHoldBackOneSideOnly) {
  EXPECT_EQ(conditions({3.0, -4.0}, {}, {0.0, 1.0}).stationarity, 0.0);
  EXPECT_DOUBLE_EQ(conditions({-3.0, -4.0}, {}, {0.0, 1.0}).stationarity, 0.6);
  EXPECT_DOUBLE_EQ(conditions({3.0, 4.0}, {}, {0.0, 1.0}).stationarity, 0.8);
}

TEST(FirstOrder, BoundsWithRoomHoldBackWhatLiesBeyond) {
  EXPECT_NEAR(conditions({1.0, 0.0}, {}, {4e-8, 0.5}).stationarity, 2e-4, 1e-12);
  EXPECT_EQ(conditions({1.0, 0.0}, {}, {4e-8, 0.5}).bound_active[0], -1);
  EXPECT_NEAR(conditions({1.0, 0.0}, {}, {2e-6, 0.5}).stationarity, 1.0, 1e-12);
  EXPECT_EQ(conditions({0.0, 1.0}, {}, {4e-8, 0.5}).bound_active[0], 0);
}

// One row between `lower` and `upper` at `value`, with the gradient (1, 0).
FirstOrder at_row(double slope, double lower, double upper, double value) {
  AnalyticProblem problem;
  problem.terms.objectives = 2;
  problem.terms.minimised = {{0, 1.0}};
  problem.variable(0.5, 0.0, 1.0);
  problem.variable(0.5, 0.0, 1.0);
  problem.constraint(1, lower, upper);
  const Answer answer{0.0, value, slope, 0.0, 1.0, 0.0};
  const std::vector<double> x{0.5, 0.5};
  const ScaledProblem scaled(problem.optimization, problem.terms, x, answer);
  return first_order(scaled, x, scaled.evaluation(answer), 1e-6);
}

TEST(FirstOrder, BothSidesOfANarrowRowMayPush) {
  const FirstOrder upper = at_row(-1.0, -1e-7, 1e-7, 1e-7);
  EXPECT_NEAR(upper.stationarity, 0.0, 1e-14);
  EXPECT_NEAR(upper.multipliers[0], 1.0, 1e-14);
  EXPECT_EQ(upper.active[0], 1);
  const FirstOrder lower = at_row(1.0, -1e-7, 1e-7, -1e-7);
  EXPECT_NEAR(lower.stationarity, 0.0, 1e-14);
  EXPECT_NEAR(lower.multipliers[0], -1.0, 1e-14);
  EXPECT_EQ(lower.active[0], -1);
  EXPECT_NEAR(at_row(-1.0, -1e-7, 1e-7, 0.0).stationarity, std::sqrt(1e-7), 1e-12);
}

TEST(FirstOrder, RowsWithRoomHoldBackWhatLiesBeyond) {
  EXPECT_NEAR(at_row(-1.0, -1.0, 1e-7, 0.0).stationarity, std::sqrt(1e-7), 1e-12);
  const FirstOrder away = at_row(0.0, -1.0, 1e-7, 0.0);
  EXPECT_EQ(away.stationarity, 0.0);
  EXPECT_EQ(away.active[0], 0);
}

TEST(FirstOrder, ConstraintsTakeMultipliersOfTheRightSign) {
  const FirstOrder right = conditions({-3.0, -4.0}, {{3.0, 4.0}}, {0.5, 0.5});
  EXPECT_NEAR(right.stationarity, 0.0, 1e-14);
  EXPECT_NEAR(right.multipliers[0], 1.0, 1e-14);
  EXPECT_EQ(right.active[0], 1);
  const FirstOrder wrong = conditions({3.0, 4.0}, {{3.0, 4.0}}, {0.5, 0.5});
  EXPECT_DOUBLE_EQ(wrong.stationarity, 1.0);
  EXPECT_EQ(wrong.multipliers[0], 0.0);
  const FirstOrder equation = conditions({3.0, 4.0}, {{3.0, 4.0}}, {0.5, 0.5}, true);
  EXPECT_NEAR(equation.stationarity, 0.0, 1e-14);
  EXPECT_NEAR(equation.multipliers[0], -1.0, 1e-14);
}

TEST(FirstOrder, ChoosesAmongConstraints) {
  // Only the second and third can balance the gradient; the first pushes the other way.
  const FirstOrder found = conditions(
      {-1.0, -1.0, 0.0}, {{-1.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, {0.5, 0.5, 0.5});
  EXPECT_NEAR(found.stationarity, 0.0, 1e-14);
  EXPECT_NEAR(found.multipliers[0], 0.0, 1e-14);
  EXPECT_GT(found.multipliers[1], 0.5);
  EXPECT_GT(found.multipliers[2], 0.5);
}

TEST(FirstOrder, RedundantConstraintsDoNoHarm) {
  const FirstOrder found =
      conditions({-1.0, -1.0}, {{1.0, 1.0}, {1.0, 1.0}, {2.0, 2.0}}, {0.5, 0.5});
  EXPECT_NEAR(found.stationarity, 0.0, 1e-12);
}

TEST(FirstOrder, BoundsAndConstraintsTogether) {
  // The constraint alone would leave a remainder that the bound of x takes: its multiplier must
  // come from y only.
  const FirstOrder found = conditions({5.0, -1.0}, {{1.0, 1.0}}, {0.0, 0.5});
  EXPECT_NEAR(found.stationarity, 0.0, 1e-14);
  // Here the bound may not push: x would go up.
  const FirstOrder pushed = conditions({-5.0, -1.0}, {{1.0, 1.0}}, {0.0, 0.5});
  EXPECT_NEAR(pushed.stationarity, std::sqrt(8.0 / 26.0), 1e-12);
}

}  // namespace
}  // namespace gradus::test
