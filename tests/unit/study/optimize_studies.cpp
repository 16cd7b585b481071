// The verb `optimize` on a small model: optima, checks, interruptions, processes, results.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "src/cli/optimization_report.hpp"
#include "tests/unit/study/suspension.hpp"

namespace gradus::test {
namespace {

namespace fs = std::filesystem;

class OptimizeStudies : public testing::Test {
 protected:
  void SetUp() override {
    if (optimization_methods().size() < 4) GTEST_SKIP() << "gradus was built without NLopt";
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) /
              ("optimize-" + std::string(info->name()) + "-" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  StudySettings settings(const char* name = "a") const {
    StudySettings result;
    result.folder = folder_ / name;
    return result;
  }

  fs::path folder_;
};

// All that must not differ between runs.
std::map<std::string, std::string> results_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "run.json") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files[entry.path().filename()] =
        std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return files;
}

nlohmann::json summary_in(const fs::path& folder) {
  std::ifstream stream(folder / "summary.json");
  return nlohmann::json::parse(stream);
}

Study many_starts(const std::string& method, std::size_t starts) {
  Study study = suspension_study(method);
  study.optimization->starts = starts;
  study.optimization->seed = 3;
  return study;
}

TEST_F(OptimizeStudies, EveryMethodFindsTheSameOptimum) {
  std::vector<double> expected;
  for (const std::string& method : optimization_methods()) {
    if (method == "lbfgs") continue;
    Study study = suspension_study(method);
    study.optimization->tolerance = 1e-13;
    study.optimization->constraint_tolerance = 1e-10;
    const OptimizationResult result = optimize(study);
    EXPECT_TRUE(result.complete);
    EXPECT_TRUE(result.succeeded) << method << ": " << result.starts[0].reason << "; "
                                  << result.check.remark;
    EXPECT_EQ(result.check.method, "adjoint");
    EXPECT_LT(result.check.gradient_deviation, 1e-12);
    EXPECT_LT(result.check.stationarity, 1e-6);
    EXPECT_EQ(result.check.active, std::vector<std::string>{"effort at its maximum"});
    EXPECT_GT(result.check.constraint_multipliers.at(0), 0.0);
    EXPECT_NEAR(result.constraint_values.at(0), 20.0, 1e-6);
    const std::vector<double>& point = result.starts[0].point;
    if (expected.empty()) expected = point;
    EXPECT_NEAR(point[0] / expected[0], 1.0, 1e-6) << method;
    EXPECT_NEAR(point[1] / expected[1], 1.0, 1e-6) << method;
  }
}

TEST_F(OptimizeStudies, MultipliersAreWhatTheBoundCosts) {
  const auto optimum = [](double bound) {
    Study study = suspension_study();
    study.optimization->constraints[0].upper = bound;
    study.optimization->tolerance = 1e-12;
    return optimize(study);
  };
  const double slope =
      (optimum(20.01).starts[0].objective - optimum(19.99).starts[0].objective) / 0.02;
  EXPECT_NEAR(-optimum(20.0).check.constraint_multipliers[0] / slope, 1.0, 1e-4);
}

TEST_F(OptimizeStudies, BoundsOnly) {
  Study study = suspension_study("lbfgs");
  study.optimization->constraints.clear();
  const OptimizationResult result = optimize(study);
  EXPECT_TRUE(result.succeeded);
  EXPECT_EQ(result.starts[0].point, (std::vector<double>{100.0, 10.0}));
  EXPECT_EQ(result.check.active.size(), 2U);
}

TEST_F(OptimizeStudies, ConstraintsHoldAtAllTimes) {
  Study study = suspension_study();
  study.optimization->maximize = true;
  study.optimization->objective = {{"travel", 2.0}, {"late@0.5", -0.5}};
  study.optimization->constraints = {{"late", -1.0, 0.3}};
  const OptimizationResult result = optimize(study);
  EXPECT_TRUE(result.succeeded) << result.check.remark;
  ASSERT_EQ(result.constraints.size(), 2U);
  EXPECT_EQ(result.constraints[1].name, "late@0.5");
  EXPECT_LE(result.constraint_values[0], 0.3 + 1e-6);
  EXPECT_LE(result.constraint_values[1], 0.3 + 1e-6);
  const double written = 2.0 * result.objective_values[0] - 0.5 * result.objective_values[3];
  EXPECT_EQ(result.starts[0].objective, written);
  EXPECT_EQ(result.check.objective, written);
  EXPECT_GT(result.starts[0].objective, result.history[0].objective);
}

TEST_F(OptimizeStudies, WrongGradientsAreFound) {
  Study study = suspension_study();
  study.options.method = "finite-difference";
  study.options.difference_step = 0.2;
  study.optimization->evaluations = 60;
  const OptimizationResult result = optimize(study);
  EXPECT_EQ(result.check.method, "direct");
  EXPECT_FALSE(result.check.passed);
  EXPECT_FALSE(result.succeeded);
  EXPECT_NE(result.check.remark.find("gradients deviate by"), std::string::npos)
      << result.check.remark;
}

TEST_F(OptimizeStudies, ContradictionsAreReported) {
  Study study = suspension_study();
  study.optimization->constraints.push_back({"travel", 0.0, 1e-4});
  const OptimizationResult result = optimize(study, settings());
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.succeeded);
  EXPECT_FALSE(result.check.passed);
  EXPECT_EQ(summary_in(settings().folder)["status"], "failed");
}

TEST_F(OptimizeStudies, DesignsThatFailEndTheirStart) {
  Study study = suspension_study();
  study.model.objectives[0].expression = "x^2 * sqrt(k - 50)";  // not a number below 50
  const OptimizationResult result = optimize(study, settings());
  EXPECT_FALSE(result.succeeded);
  EXPECT_EQ(result.starts[0].reason, "the motion of the start fails");
  EXPECT_TRUE(summary_in(settings().folder)["objective"].is_null());
  EXPECT_NE(cli::optimization_report(result).find("every design failed"), std::string::npos);
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
  std::barrier<> meeting(count);
  std::atomic<int> says{0};
  std::vector<std::thread> threads;
  std::vector<int> complete(count, 0);
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      StudySettings shared = settings("many");
      shared.processes.rank = rank;
      shared.processes.count = count;
      shared.processes.barrier = [&] { meeting.arrive_and_wait(); };
      shared.processes.any = [&](bool value) {
        if (value) ++says;
        meeting.arrive_and_wait();
        const bool result = says > 0;
        meeting.arrive_and_wait();
        if (rank == 0) says = 0;
        meeting.arrive_and_wait();
        return result;
      };
      complete[static_cast<std::size_t>(rank)] = optimize(study, shared).complete ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(complete, std::vector<int>(count, 1));
  EXPECT_EQ(results_in(settings("many").folder), results_in(settings("one").folder));
}

TEST_F(OptimizeStudies, ProcessesWithoutAFolderAreRefused) {
  StudySettings shared;
  shared.processes.count = 2;
  shared.processes.any = [](bool value) { return value; };
  EXPECT_THROW(optimize(suspension_study(), shared), InputError);
}

TEST_F(OptimizeStudies, SummaryHoldsTheOptimum) {
  const Study study = many_starts("slsqp", 2);
  const OptimizationResult result = optimize(study, settings());
  const nlohmann::json summary = summary_in(settings().folder);
  EXPECT_EQ(summary["schema"], "gradus-optimize/1");
  EXPECT_EQ(summary["status"], "ok");
  EXPECT_EQ(summary["minimize"][0]["objective"], "travel");
  EXPECT_EQ(summary["variables"][1]["name"], "c");
  EXPECT_EQ(summary["variables"][1]["unit"], "N s/m");
  const OptimizationStart& best = result.starts[result.best];
  EXPECT_EQ(summary["variables"][1]["optimum"].get<double>(), best.point[1]);
  EXPECT_EQ(summary["objective"].get<double>(), best.objective);
  EXPECT_EQ(summary["objectives"].size(), 4U);
  EXPECT_EQ(summary["constraints"][0]["name"], "effort");
  EXPECT_TRUE(summary["constraints"][0]["lower"].is_null());
  EXPECT_EQ(summary["constraints"][0]["active"], true);
  EXPECT_EQ(summary["starts"].size(), 2U);
  EXPECT_EQ(summary["check"]["passed"], true);
  EXPECT_EQ(summary["evaluations"], result.history.size());
  const auto files = results_in(settings().folder);
  EXPECT_EQ(static_cast<std::size_t>(
                std::count(files.at("history.csv").begin(), files.at("history.csv").end(), '\n')),
            result.history.size() + 1);
  EXPECT_EQ(files.at("starts.csv").rfind("start,start k,start c,found k,found c,objective", 0), 0U);
  const std::string report = cli::optimization_report(result);
  for (const char* part : {"minimised travel of suspension by slsqp", "36.968", "active",
                           "check by adjoint", "passed", "effort at its maximum"})
    EXPECT_NE(report.find(part), std::string::npos) << part << "\n" << report;
}

TEST_F(OptimizeStudies, ProgressNamesTheBestSoFar) {
  std::vector<std::string> remarks;
  StudySettings watched;
  watched.progress = [&](const StudyProgress& progress) {
    EXPECT_EQ(progress.what, "evaluations");
    remarks.push_back(progress.remark);
  };
  Study study = suspension_study();
  study.optimization->constraints[0].upper = 8.0;  // not met at the start
  optimize(study, watched);
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks.front().rfind("constraints violated by ", 0), 0U) << remarks.front();
}

TEST_F(OptimizeStudies, StudyWithoutASectionIsRefused) {
  Study study = suspension_study();
  study.optimization.reset();
  EXPECT_THROW(optimize(study), InputError);
}

}  // namespace
}  // namespace gradus::test
