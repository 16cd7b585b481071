// Fits in folders: interrupted, resumed, and shared by processes.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/source_path.hpp"
#include "tests/unit/results/temporary_folder.hpp"
#include "tests/unit/study/fake_processes.hpp"
#include "tests/unit/study/fit/five_bar_fit.hpp"

namespace gradus::test {
namespace {

class FitFolder : public TemporaryFolder {
 protected:
  static Study three_starts() {
    Study study = fit_study(five_bar_model(), 0.2);
    measure(study, {"r2.x", "r2.y"}, 10);
    vary_three(study);
    study.fit->starts = 3;
    study.fit->iterations = 8;
    return study;
  }

  void expect_same_files(const std::string& a, const std::string& b) const {
    ASSERT_EQ(names_in(path(a)), names_in(path(b)));
    for (const std::string& name : names_in(path(a))) {
      if (name == "run.json" || name == "inputs") continue;
      EXPECT_EQ(content(path(a) / name), content(path(b) / name)) << name;
    }
  }
};

TEST_F(FitFolder, GoesOnWhereItWasInterrupted) {
  const Study study = three_starts();
  StudySettings settings;
  settings.folder = path("whole");
  ASSERT_TRUE(fit(study, settings).complete);
  EXPECT_EQ(names_in(path("whole")),
            (std::set<std::string>{"inputs", "history.csv", "residuals.csv", "run.json",
                                   "starts.csv", "summary.json"}));

  settings.folder = path("parts");
  std::size_t batches = 0;
  std::size_t stops = 0;
  FitResult result;
  settings.interrupted = [&] { return ++batches % 4 == 0; };
  while (!(result = fit(study, settings)).complete) {
    ++stops;
    ASSERT_LT(stops, 100U);
    EXPECT_FALSE(std::filesystem::exists(path("parts") / "summary.json"));
    settings.existing = ExistingResults::resume;
  }
  EXPECT_GE(stops, 2U);
  expect_same_files("whole", "parts");

  // Nothing is left to do.
  EXPECT_TRUE(fit(study, settings).complete);
  expect_same_files("whole", "parts");
}

TEST_F(FitFolder, GivesTheSameToSeveralProcesses) {
  const Study study = three_starts();
  StudySettings settings;
  settings.folder = path("one");
  ASSERT_TRUE(fit(study, settings).complete);
  FitResult results[2];
  run_processes(2, [&](const Processes& processes) {
    StudySettings own;
    own.folder = path("two");
    own.processes = processes;
    try {
      results[processes.rank] = fit(study, own);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  });
  EXPECT_TRUE(results[0].complete);
  EXPECT_TRUE(results[1].complete);
  EXPECT_TRUE(results[1].parameters.empty());
  expect_same_files("one", "two");
}

// Nothing is evaluated again, and what cannot end well is said at once.
TEST_F(FitFolder, NeedsNoFolder) {
  const Study study = three_starts();
  StudySettings settings;
  std::size_t batches = 0, shown = 0;
  settings.interrupted = [&] { return ++batches == 0; };
  settings.progress = [&](const StudyProgress& progress) { shown = progress.done; };
  const FitResult whole = fit(study, settings);
  ASSERT_TRUE(whole.complete);
  std::size_t steps = 0, most = 0;
  for (const FitStart& start : whole.starts) {
    steps += 1 + start.iterations;
    most = std::max(most, 1 + start.iterations);
  }
  EXPECT_LE(shown, steps);
  EXPECT_LE(batches, most);
  const std::size_t all = batches;
  for (const std::size_t stop : {std::size_t{1}, all, all + 1}) {
    batches = 0;
    settings.interrupted = [&] { return ++batches >= stop; };
    EXPECT_EQ(fit(study, settings).complete, stop > all) << stop;
  }
  StudySettings shared;
  shared.processes.count = 2;
  shared.processes.any = [](bool value) { return value; };
  EXPECT_THROW(fit(study, shared), InputError);
}

// From a file and the tables it names, and again from the copies beside the results.
TEST_F(FitFolder, IsReadFromAFileAndFromItsCopies) {
  std::filesystem::copy_file(source_path("models/five-bar/five-bar.json"), path("five-bar.json"));
  const Study measured = three_starts();
  std::ofstream table(path("measured.csv"));
  table.precision(17);
  table << "time,r2.x\n";
  const Measurement& x = measured.fit->measurements[0];
  for (std::size_t k = 0; k < x.time.size(); ++k) table << x.time[k] << "," << x.value[k] << "\n";
  table.close();
  std::ofstream(path("study.json")) << R"({"schema": "gradus-study/1", "name": "lengths",
      "model": "five-bar.json", "options": {"backend": "cpu:1", "duration": 0.2},
      "fit": {"parameters": {"L_s1": {"start": 2.3}, "L_s2": {"start": 2}},
              "data": "measured.csv"}})";
  StudySettings settings;
  settings.folder = path("out");
  const FitResult result = fit(read_study(path("study.json")), settings);
  EXPECT_TRUE(result.succeeded) << result.starts[0].reason;
  EXPECT_NEAR(result.parameters[0].value, five_bar_truth[0], 1e-8);
  EXPECT_NEAR(result.parameters[1].value, five_bar_truth[1], 1e-8);
  for (const char* file : {"study.json", "measured.csv", "five-bar.json"})
    std::filesystem::remove(path(file));
  const FitResult again = fit(read_study_of(path("out")));
  EXPECT_EQ(again.parameters[0].value, result.parameters[0].value);
  EXPECT_EQ(again.sum_of_squares, result.sum_of_squares);
}

TEST_F(FitFolder, WritesWhatItFound) {
  Study study = three_starts();
  study.fit->starts = 1;
  StudySettings settings;
  settings.folder = path("out");
  const FitResult result = fit(study, settings);
  const std::string summary = content(path("out") / "summary.json");
  for (const char* text : {"\"schema\": \"gradus-fit/1\"", "\"name\": \"L_s1\"", "\"upper\": 3.0",
                           "\"standard_error\"", "\"singular_values\"", "\"check_deviation\""})
    EXPECT_NE(summary.find(text), std::string::npos) << text << " in " << summary;
  const std::string residuals = content(path("out") / "residuals.csv");
  EXPECT_EQ(residuals.rfind("sensor,time,measured,computed,residual\nr2.x,0,", 0), 0U);
  EXPECT_EQ(std::count(residuals.begin(), residuals.end(), '\n'), 1 + 2 * 21);
  const std::string history = content(path("out") / "history.csv");
  EXPECT_EQ(static_cast<std::size_t>(std::count(history.begin(), history.end(), '\n')),
            2 + result.starts[0].iterations);
  const std::string starts = content(path("out") / "starts.csv");
  EXPECT_EQ(starts.rfind("start,start L_s1,start L_s2,start m_A1,found L_s1,", 0), 0U) << starts;
}

}  // namespace
}  // namespace gradus::test
