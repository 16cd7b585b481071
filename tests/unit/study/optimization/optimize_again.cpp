// Optimisations that are interrupted, shared by processes, or run beside others: the same bits.
#include <algorithm>

#include "gradus/error.hpp"
#include "tests/unit/study/fake_processes.hpp"
#include "tests/unit/study/optimization/optimize_fixture.hpp"

namespace gradus::test {
namespace {

namespace fs = std::filesystem;

TEST_F(OptimizeStudies, OfStartsThatAreAsLowTheFirstThatConvergedIsTheBest) {
  Study study = many_starts("slsqp", 12);
  study.optimization->tolerance = 1e-4;
  const OptimizationResult result = optimize(study);
  double lowest = result.starts[0].objective;
  for (const OptimizationStart& start : result.starts) lowest = std::min(lowest, start.objective);
  const auto is_as_low = [&](const OptimizationStart& start) {
    return start.converged && start.objective <= lowest * (1.0 + 1e-4);
  };
  EXPECT_GT(std::ranges::count_if(result.starts, is_as_low), 2);
  EXPECT_TRUE(is_as_low(result.starts[result.best]));
  EXPECT_GT(result.starts[result.best].objective, lowest);
  for (std::size_t k = 0; k < result.best; ++k) EXPECT_FALSE(is_as_low(result.starts[k])) << k;
}

TEST_F(OptimizeStudies, StartsTogetherGiveTheBitsOfOneAlone) {
  const Study study = many_starts("slsqp", 12);
  const OptimizationResult together = optimize(study);
  ASSERT_EQ(together.starts.size(), 12U);
  EXPECT_TRUE(together.succeeded);
  for (std::size_t k = 0; k < 12; k += 5) {
    Study one = suspension_study();
    one.optimization->variables[0].start = together.starts[k].start[0];
    one.optimization->variables[1].start = together.starts[k].start[1];
    const OptimizationResult alone = optimize(one);
    EXPECT_EQ(alone.starts[0].point, together.starts[k].point);
    EXPECT_EQ(alone.starts[0].evaluations, together.starts[k].evaluations);
    std::vector<double> objectives;
    for (const HistoryRow& row : together.history)
      if (row.start == k) objectives.push_back(row.objective);
    ASSERT_EQ(objectives.size(), alone.history.size());
    for (std::size_t i = 0; i < objectives.size(); ++i)
      EXPECT_EQ(objectives[i], alone.history[i].objective);
  }
}

TEST_F(OptimizeStudies, InterruptedAnywhereGoesTheSameWay) {
  for (const std::string& method : optimization_methods()) {
    if (method == "lbfgs" || method == "augmented-lagrangian") continue;
    Study study = many_starts(method, 3);
    if (method != "slsqp") study.optimization->evaluations = 7;
    std::size_t batches = 0;
    StudySettings whole = settings("whole");
    whole.existing = ExistingResults::overwrite;
    whole.interrupted = [&] { return ++batches == 0; };
    optimize(study, whole);
    const auto expected = results_in(whole.folder);
    ASSERT_EQ(expected.size(), 3U);
    EXPECT_FALSE(fs::exists(whole.folder / "unfinished"));
    for (std::size_t stop = 0; stop < batches; ++stop) {
      StudySettings part = settings("part");
      part.existing = ExistingResults::overwrite;
      std::size_t asked = 0;
      part.interrupted = [&] { return asked++ == stop; };
      const OptimizationResult interrupted = optimize(study, part);
      ASSERT_FALSE(interrupted.complete);
      ASSERT_FALSE(fs::exists(part.folder / "summary.json"));
      part.existing = ExistingResults::resume;
      asked = stop + 1;
      ASSERT_TRUE(optimize(study, part).complete);
      ASSERT_EQ(asked, batches + 1) << "evaluated again what was known";
      ASSERT_EQ(results_in(part.folder), expected) << method << " stopped at " << stop;
    }
  }
}

TEST_F(OptimizeStudies, ProcessesShareStarts) {
  const Study study = many_starts("slsqp", 7);
  optimize(study, settings("one"));
  const int count = 3;
  std::vector<int> complete(count, 0);
  run_processes(count, [&](const Processes& processes) {
    StudySettings shared = settings("many");
    shared.processes = processes;
    complete[static_cast<std::size_t>(processes.rank)] = optimize(study, shared).complete ? 1 : 0;
  });
  EXPECT_EQ(complete, std::vector<int>(count, 1));
  EXPECT_EQ(results_in(settings("many").folder), results_in(settings("one").folder));
}

TEST_F(OptimizeStudies, ProcessesWithoutAFolderAreRefused) {
  StudySettings shared;
  shared.processes.count = 2;
  shared.processes.any = [](bool value) { return value; };
  EXPECT_THROW(optimize(suspension_study(), shared), InputError);
}

}  // namespace
}  // namespace gradus::test
