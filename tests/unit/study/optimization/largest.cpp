// The largest of several objectives: published minimax problems (Charalambous and Bandler; Rosen
// and Suzuki; as collected by Luksan and Vlcek, "Test problems for nonsmooth optimization", 2000),
// and a study.
#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "src/cli/study_reports.hpp"
#include "tests/unit/study/optimization/analytic_problem.hpp"
#include "tests/unit/study/optimization/optimize_fixture.hpp"

namespace gradus::test {
namespace {

bool is_built(const std::string& method) {
  const std::vector<std::string> methods = optimization_methods();
  return std::find(methods.begin(), methods.end(), method) != methods.end();
}

AnalyticProblem minimax(const std::string& method, std::size_t objectives,
                        const std::vector<double>& start) {
  AnalyticProblem problem;
  problem.optimization.method = method;
  problem.optimization.worst_case = problem.terms.worst_case = true;
  problem.optimization.tolerance = 1e-9;
  problem.optimization.constraint_tolerance = 1e-10;
  problem.optimization.evaluations = 3000;
  problem.terms.objectives = objectives;
  for (std::size_t i = 0; i < objectives; ++i) problem.terms.minimised.push_back({i, 1.0});
  for (const double x : start) problem.variable(x, -infinity, infinity);
  return problem;
}

AnalyticProblem charalambous_bandler(const std::string& method) {
  AnalyticProblem problem = minimax(method, 3, {1.0, -0.1});
  problem.formula = [](const std::vector<double>& p) {
    const double x = p[0], y = p[1], e = 2.0 * std::exp(y - x);
    return Answer{x * x + std::pow(y, 4),
                  (2 - x) * (2 - x) + (2 - y) * (2 - y),
                  e,
                  2 * x,
                  4 * y * y * y,  //
                  -2 * (2 - x),
                  -2 * (2 - y),  //
                  -e,
                  e};
  };
  return problem;
}

AnalyticProblem rosen_suzuki(const std::string& method) {
  AnalyticProblem problem = minimax(method, 4, {0.0, 0.0, 0.0, 0.0});
  problem.formula = [](const std::vector<double>& p) {
    const double a = p[0], b = p[1], c = p[2], d = p[3];
    const double f = a * a + b * b + 2 * c * c + d * d - 5 * a - 5 * b - 21 * c + 7 * d;
    const double g[4] = {2 * a - 5, 2 * b - 5, 4 * c - 21, 2 * d + 7};
    const double h[3] = {a * a + b * b + c * c + d * d + a - b + c - d - 8,
                         a * a + 2 * b * b + c * c + 2 * d * d - a - d - 10,
                         2 * a * a + b * b + c * c + 2 * a - b - d - 5};
    const double s[3][4] = {{2 * a + 1, 2 * b - 1, 2 * c + 1, 2 * d - 1},
                            {2 * a - 1, 4 * b, 2 * c, 4 * d - 1},
                            {4 * a + 2, 2 * b - 1, 2 * c, -1}};
    Answer answer{f, f + 10 * h[0], f + 10 * h[1], f + 10 * h[2]};
    answer.insert(answer.end(), g, g + 4);
    for (const auto& row : s)
      for (int k = 0; k < 4; ++k) answer.push_back(g[k] + 10 * row[k]);
    return answer;
  };
  return problem;
}

class Largest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!is_built(GetParam())) GTEST_SKIP() << "its module was not built";
  }
};
INSTANTIATE_TEST_SUITE_P(Optimizers, Largest,
                         testing::Values("slsqp", "mma", "augmented-lagrangian", "ipopt"),
                         [](const auto& information) {
                           std::string name = information.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(Largest, CharalambousAndBandler) {
  const SearchOutcome found = solve(charalambous_bandler(GetParam()));
  EXPECT_TRUE(found.start.converged) << found.start.reason;
  EXPECT_NEAR(found.start.objective, 1.952224494, 1e-8) << found.start.reason;
  EXPECT_NEAR(found.start.point[0], 1.139037652, 1e-4);
  EXPECT_NEAR(found.start.point[1], 0.899559938, 1e-4);
}

TEST_P(Largest, RosenAndSuzuki) {
  const SearchOutcome found = solve(rosen_suzuki(GetParam()));
  EXPECT_TRUE(found.start.converged) << found.start.reason;
  EXPECT_NEAR(found.start.objective, -44.0, 1e-6) << found.start.reason;
  const double expected[4] = {0, 1, 2, -1};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(found.start.point[k], expected[k], 1e-3) << k;
}

// max(3 - x, 2 (x - 1)), once with x at least 1.8 by a bound, once by a constraint.
TEST_P(Largest, BesideBoundsAndConstraints) {
  for (const bool by_bound : {true, false}) {
    AnalyticProblem problem = minimax(GetParam(), 3, {});
    problem.variable(2.5, by_bound ? 1.8 : -10, 10);
    problem.terms.minimised = {{0, 1.0}, {1, 2.0}};
    if (!by_bound) problem.constraint(2, 1.8, infinity);
    problem.formula = [](const std::vector<double>& p) {
      return Answer{3 - p[0], p[0] - 1, p[0], -1, 1, 1};
    };
    const SearchOutcome found = solve(problem);
    EXPECT_TRUE(found.start.converged && found.feasible) << found.start.reason;
    EXPECT_NEAR(found.start.point[0], 1.8, 1e-7);
    EXPECT_NEAR(found.start.objective, 1.6, 1e-7);
  }
}

TEST_P(Largest, DesignsThatFailAreSteppedBackFrom) {
  AnalyticProblem problem = charalambous_bandler(GetParam());
  problem.formula = [inner = problem.formula](const std::vector<double>& p) {
    return p[1] > 0.95 ? Answer{} : inner(p);
  };
  const SearchOutcome found = solve(problem);
  EXPECT_NEAR(found.start.objective, 1.952224494, 1e-5) << found.start.reason;
}

using LargestStudies = OptimizeStudies;

// Travel falls and effort rises with stiffness and damping: they meet.
TEST_F(LargestStudies, MeetsWhereObjectivesAreEqual) {
  Study study = suspension_study();
  study.optimization->constraints.clear();
  study.optimization->worst_case = true;
  study.optimization->objective = {{"travel", 300.0}, {"effort", 1.0}};
  study.optimization->tolerance = 1e-12;
  const OptimizationResult result = optimize(study, settings());
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason << "; " << result.check.remark;
  const double travel = 300.0 * result.objective_values[0], effort = result.objective_values[1];
  EXPECT_NEAR(travel, effort, 1e-6 * effort);
  EXPECT_NEAR(result.starts[0].objective, std::max(travel, effort), 1e-12);
  EXPECT_LT(result.starts[0].objective, 0.999 * result.history[0].objective);
  EXPECT_EQ(result.check.active.size(), 2U);
  EXPECT_EQ(result.check.active[0], "travel as the largest");
  // No neighbour is better.
  for (const double dk : {-0.05, 0.05})
    for (const double dc : {-0.02, 0.0, 0.02}) {
      Options options = study.options;
      options.set = {{"k", result.starts[0].point[0] + dk}, {"c", result.starts[0].point[1] + dc}};
      const Result beside = simulate(study.model, options);
      EXPECT_GT(std::max(300.0 * beside.objective_values[0], beside.objective_values[1]),
                result.starts[0].objective);
    }
  const nlohmann::json summary = summary_in(folder_ / "a");
  EXPECT_EQ(summary["combined"], "largest");
  EXPECT_NE(cli::optimization_report(result).find("the largest of 300 * travel, effort"),
            std::string::npos);
}

// Of values at several times the lowest one is raised.
TEST_F(LargestStudies, SmallestOfValuesAtTimes) {
  Study study = suspension_study();
  study.optimization->maximize = true;
  study.optimization->worst_case = true;
  study.optimization->objective = {{"late", 1.0}};
  const OptimizationResult result = optimize(study);
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason << "; " << result.check.remark;
  const double lowest = std::min(result.objective_values[2], result.objective_values[3]);
  EXPECT_EQ(result.starts[0].objective, lowest);
  EXPECT_EQ(result.check.objective, lowest);
  EXPECT_GT(lowest, result.history[0].objective + 0.01);
}

}  // namespace
}  // namespace gradus::test
