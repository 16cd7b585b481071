// Problems that are solved one after another, each from the optimum of the one before.
#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "tests/support/messages.hpp"
#include "tests/unit/study/optimization/optimize_fixture.hpp"

namespace gradus::test {
namespace {

class Continuations : public OptimizeStudies {};

Study continued(std::size_t starts = 1) {
  Study study = many_starts("slsqp", starts);
  Optimization& optimization = *study.optimization;
  optimization.continuation = {{0.6, {}, 1e-4, {}}, {0.8, {{"m", 1.5}}, {}, std::size_t{40}}};
  return study;
}

Optimization without_continuation(Optimization optimization) {
  optimization.continuation.clear();
  return optimization;
}

// By hand: each problem a study of its own.
OptimizationResult solved(Study study, double duration, double mass, double tolerance,
                          const std::vector<double>& start) {
  study.optimization = without_continuation(*study.optimization);
  study.options.duration = duration;
  study.options.set["m"] = mass;
  study.optimization->tolerance = tolerance;
  for (std::size_t k = 0; k < start.size(); ++k) study.optimization->variables[k].start = start[k];
  return optimize(study);
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], tolerance * std::abs(b[k]));
}

TEST_F(Continuations, GoFromOptimumToOptimum) {
  const Study study = continued();
  const OptimizationResult chained = optimize(study);
  ASSERT_TRUE(chained.succeeded);
  const auto first = solved(study, 0.6, 1.0, 1e-4, {20.0, 1.0});
  const auto second = solved(study, 0.8, 1.5, 1e-8, first.starts[0].point);
  const auto third = solved(study, 1.0, 1.0, 1e-8, second.starts[0].point);
  const std::vector<ContinuationOutcome>& outcomes = chained.starts[0].continuation;
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0].point, first.starts[0].point);
  expect_near(outcomes[1].point, second.starts[0].point, 1e-5);
  EXPECT_GT(std::abs(outcomes[0].point[0] - outcomes[1].point[0]), 0.1);
  expect_near(chained.starts[0].point, third.starts[0].point, 1e-5);
  EXPECT_EQ(chained.starts[0].start, (std::vector<double>{20.0, 1.0}));
  EXPECT_EQ(chained.starts[0].evaluations, chained.history.size());
  EXPECT_EQ(outcomes[0].evaluations, first.starts[0].evaluations);
  // All evaluations, numbered through. A problem begins with that of the study's start, for scales,
  // and that of the last optimum.
  const std::size_t next = outcomes[0].evaluations;
  for (std::size_t k = 0; k < chained.history.size(); ++k) {
    EXPECT_EQ(chained.history[k].evaluation, k);
    EXPECT_EQ(chained.history[k].step, k < next                             ? 0u
                                       : k < next + outcomes[1].evaluations ? 1u
                                                                            : 2u);
  }
  EXPECT_EQ(chained.history[next].point, (std::vector<double>{20.0, 1.0}));
  EXPECT_EQ(chained.history[next + 1].point, outcomes[0].point);
  for (const HistoryRow& row : chained.history) {  // none has failed
    EXPECT_TRUE(std::isfinite(row.objective)) << row.evaluation;
    EXPECT_GE(row.constraint_violation, 0.0) << row.evaluation;
  }
}

// The optimum of the problem before may be that of the next one: it is found at once, and scales
// are not those of a gradient that vanishes.
TEST_F(Continuations, BeginAtOptima) {
  for (const char* const method : {"slsqp", "lbfgs", "mma", "augmented-lagrangian"}) {
    Study study = suspension_study(method);
    study.optimization->constraints.clear();
    study.model.objectives[0].expression = "1 + (x - 0.1)^2 + (v + 0.2)^2 + 1e-3*(k + c)";
    study.optimization->continuation = {{0.8, {}, {}, {}}, {1.0, {}, 1e-6, {}}, {}};
    const OptimizationResult r = optimize(study);
    EXPECT_TRUE(r.succeeded) << method << ": " << r.starts[0].reason << ", " << r.check.remark;
    EXPECT_LE(r.starts[0].evaluations - r.starts[0].continuation[0].evaluations -
                  r.starts[0].continuation[1].evaluations - r.starts[0].continuation[2].evaluations,
              std::string(method) == "mma" ? 60u : 20u)
        << method;
  }
}

TEST_F(Continuations, WithManyStartsGoTheSameWays) {
  const OptimizationResult together = optimize(continued(4));
  for (std::size_t k = 0; k < 4; ++k) {
    Study alone = continued(1);
    for (std::size_t i = 0; i < 2; ++i)
      alone.optimization->variables[i].start = together.starts[k].start[i];
    const OptimizationResult own = optimize(alone);
    EXPECT_EQ(own.starts[0].point, together.starts[k].point);
    EXPECT_EQ(own.starts[0].continuation[1].point, together.starts[k].continuation[1].point);
  }
}

TEST_F(Continuations, AreWrittenAndResumed) {
  const Study study = continued(2);
  ASSERT_TRUE(optimize(study, settings("whole")).complete);
  std::size_t evaluations = 0;
  StudySettings broken = settings("broken");
  bool complete = false;
  for (int part = 0; part < 40 && !complete; ++part) {
    const std::size_t until = evaluations + 7;
    broken.existing = part == 0 ? ExistingResults::refuse : ExistingResults::resume;
    broken.interrupted = [&] { return ++evaluations > until; };
    complete = optimize(study, broken).complete;
  }
  ASSERT_TRUE(complete);
  const auto whole = results_in(folder_ / "whole"), resumed = results_in(folder_ / "broken");
  EXPECT_EQ(whole.at("summary.json"), resumed.at("summary.json"));
  EXPECT_EQ(whole.at("history.csv"), resumed.at("history.csv"));
  EXPECT_NE(whole.at("history.csv").find("feasible,problem,at k"), std::string::npos);
  const nlohmann::json summary = summary_in(folder_ / "whole");
  ASSERT_EQ(summary["continuation"].size(), 2u);
  EXPECT_EQ(summary["continuation"][0]["duration"], 0.6);
  EXPECT_EQ(summary["continuation"][1]["set"]["m"], 1.5);
  EXPECT_EQ(summary["continuation"][0]["optimum"].size(), 2u);
  EXPECT_EQ(summary["status"], "ok");
}

TEST_F(Continuations, AreChecked) {
  const auto refusal = [](const ContinuationStep& step) {
    Study study = suspension_study();
    study.optimization->continuation = {step};
    return message_of([&] { optimize(study); });
  };
  expect_part(refusal({-1.0, {}, {}, {}}), "/continuation/0/duration: found -1");
  expect_part(refusal({{}, {{"k", 30.0}}, {}, {}}), "found a value of a parameter that varies");
  expect_part(refusal({{}, {{"q", 30.0}}, {}, {}}), "q");
  expect_part(refusal({{}, {}, 2.0, {}}), "tolerance");
  // An objective at a time that a shorter motion does not reach.
  expect_part(refusal({0.3, {}, {}, {}}), "0.5");
}

TEST_F(Continuations, EndWhereAProblemHasNoDesignThatMoves) {
  Study study = continued();
  study.optimization->continuation[1].set = {{"m", -1.0}};
  const OptimizationResult r = optimize(study);
  EXPECT_FALSE(r.succeeded);
  EXPECT_FALSE(r.starts[0].converged);
  expect_part(r.starts[0].reason, "problem 2 of 3");
  EXPECT_TRUE(std::isnan(r.objective_values[0]));
}

}  // namespace
}  // namespace gradus::test
