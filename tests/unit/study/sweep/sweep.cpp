// The verb `sweep` in a program: whatever splits the work, and variance shares against a Monte
// Carlo without gradients.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>

#include "gradus/gradus.hpp"
#include "src/results/npz_reader.hpp"
#include "tests/support/source_path.hpp"
#include "tests/unit/study/fake_processes.hpp"
#include "tests/unit/study/scratch_folder.hpp"

namespace gradus {
namespace {

// One falling mass; what is observed is Ishigami's function of three parameters, whose variance
// shares are known.
constexpr const char* ishigami_model = R"({
  "schema": "gradus-model/1", "name": "ishigami",
  "parameters": { "x1": 1, "x2": 0, "x3": 0 },
  "bodies": { "mass": { "mass": 1, "com": [0, 0, 0],
                        "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "mass",
                         "initial": { "position": 0, "velocity": 0 } } },
  "sensors": { "z": { "coordinate": "slide" } },
  "objectives": { "f": { "terminal": "sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1) + 0*z" } },
  "analysis": { "duration": 0.001, "step": 0.001 }
})";

Study ishigami_study(std::size_t designs) {
  Study study;
  study.name = "ishigami";
  study.model = parse_model(ishigami_model);
  study.options.backend = "cpu:1";
  Sweep sweep;
  sweep.designs = designs;
  Distribution range;
  range.from = -std::acos(-1.0);
  range.to = std::acos(-1.0);
  for (const char* name : {"x1", "x2", "x3"}) sweep.parameters.push_back({name, {}, range});
  study.sweep = sweep;
  return study;
}

Study five_bar_study(std::size_t designs) {
  Study study;
  study.name = "five-bar";
  study.model = read_model(source_path("models/five-bar/five-bar.json"));
  study.options.backend = "cpu:1";
  study.options.duration = 0.05;
  Sweep sweep;
  sweep.designs = designs;
  const auto add = [&](const char* name, double from, double to) {
    Distribution range;
    range.from = from;
    range.to = to;
    sweep.parameters.push_back({name, {}, range});
  };
  add("L_s1", 2.0, 2.4);
  add("m_A1", 0.5, 1.5);
  add("r_G", 0.4, 1.0);
  study.sweep = sweep;
  return study;
}

// A mass at the pace v is at 1 after 1/v seconds, if that is within the motion.
Study passing_study(double slowest) {
  Study study;
  study.name = "passing";
  study.model = parse_model(R"({
    "schema": "gradus-model/1", "name": "passing", "gravity": [0, 0, 0],
    "parameters": { "v": 1.5 },
    "bodies": { "mass": { "mass": 1, "com": [0, 0, 0],
                          "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
    "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "mass",
                           "initial": { "position": 0, "velocity": "v" } } },
    "sensors": { "z": { "coordinate": "slide" } },
    "objectives": { "end": { "terminal": "z" },
                    "time": { "time_when": "z - 1", "otherwise": 5 } },
    "analysis": { "duration": 1, "step": 0.01 } })");
  study.options.backend = "cpu:1";
  Sweep sweep;
  sweep.designs = 200;
  Distribution range;
  range.from = slowest;
  range.to = 2;
  sweep.parameters.push_back({"v", {}, range});
  study.sweep = sweep;
  return study;
}

void expect_same(const SweepResult& a, const SweepResult& b) {
  EXPECT_EQ(a.parameter_values, b.parameter_values);
  EXPECT_EQ(a.objective_values, b.objective_values);
  ASSERT_EQ(a.statistics.size(), b.statistics.size());
  for (std::size_t i = 0; i < a.statistics.size(); ++i) {
    EXPECT_EQ(a.statistics[i].mean.value, b.statistics[i].mean.value);
    EXPECT_EQ(a.statistics[i].mean.low, b.statistics[i].mean.low);
    EXPECT_EQ(a.statistics[i].variance.high, b.statistics[i].variance.high);
    for (std::size_t k = 0; k < a.statistics[i].drivers.size(); ++k)
      EXPECT_EQ(a.statistics[i].drivers[k].first_order.low,
                b.statistics[i].drivers[k].first_order.low);
  }
}

TEST(Sweep, ChunksChangeNothing) {
  const Study study = five_bar_study(101);
  StudySettings settings;
  const SweepResult whole = sweep(study, settings);
  ASSERT_TRUE(whole.complete);
  ASSERT_EQ(whole.gradient.size(), 101u * 3 * 5);
  settings.chunk = 7;
  const SweepResult pieces = sweep(study, settings);
  expect_same(whole, pieces);
  EXPECT_EQ(whole.gradient, pieces.gradient);
}

TEST(Sweep, FoldersHoldWhatMemoryHolds) {
  const Study study = five_bar_study(70);
  const ScratchFolder folder;
  StudySettings settings;
  settings.folder = folder.path() / "out";
  settings.chunk = 6;
  const SweepResult written = sweep(study, settings);
  expect_same(sweep(study), written);
  EXPECT_FALSE(std::filesystem::exists(settings.folder / "unfinished"));
  EXPECT_TRUE(std::filesystem::exists(settings.folder / "summary.json"));
}

TEST(Sweep, RecordsEveryTimeOnce) {
  Study study = five_bar_study(3);
  study.sweep->record = {"r2"};
  const std::map<std::size_t, std::vector<double>> times{{20, {0, 0.02, 0.04, 0.05}},
                                                         {25, {0, 0.025, 0.05}}};
  for (const auto& [every, expected] : times) {
    study.sweep->record_every = every;
    const ScratchFolder folder;
    StudySettings settings;
    settings.folder = folder.path() / "out";
    sweep(study, settings);
    const results::NpzReader arrays(settings.folder / "trajectories.npz");
    const std::vector<double> found = arrays.at("time").numbers();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-15);
    EXPECT_EQ(arrays.at("sensors").shape, (results::Shape{3, expected.size(), 3}));
    for (const double value : arrays.at("sensors").numbers()) EXPECT_TRUE(std::isfinite(value));
  }
}

// Before any design runs: none of these would do so.
TEST(Sweep, RefusesSettingsThatMakeNoSense) {
  const auto complaint = [](const auto& change) {
    Study study = five_bar_study(3);
    study.options.backend = "nowhere";
    change(*study.sweep);
    try {
      sweep(study);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto expect = [](const std::string& found, const char* beginning) {
    EXPECT_EQ(found.rfind(beginning, 0), 0u) << found;
  };
  expect(complaint([](Sweep& s) {
           s.statistics.quantiles = {0.5, -0.5};
         }),
         "five-bar/statistics/quantiles/1: found -0.5, expected a number between 0 and 1");
  expect(complaint([](Sweep& s) { s.statistics.confidence = 1.5; }),
         "five-bar/statistics/confidence: found 1.5");
  expect(complaint([](Sweep& s) { s.statistics.bins = 10'001; }),
         "five-bar/statistics/bins: found 10001, expected a whole number from 0 to 10000");
  expect(complaint([](Sweep& s) { s.record = {"nosuch"}; }),
         "five-bar/record/sensors/0: found the sensor \"nosuch\"");
  expect(complaint([](Sweep& s) {
           s.record = {"r2", "r2"};
         }),
         "five-bar/record/sensors/1: found the sensor \"r2\" twice");
  expect(complaint([](Sweep& s) { s.record_every = 0; }), "five-bar/record/every: found 0");
}

TEST(Sweep, StudiesWithoutFilesCannotBeContinued) {
  const Study study = five_bar_study(4);
  const ScratchFolder folder;
  StudySettings settings;
  settings.folder = folder.path() / "out";
  sweep(study, settings);
  settings.existing = ExistingResults::resume;
  EXPECT_THROW(sweep(study, settings), InputError);
}

TEST(Sweep, TellsWhatMotionsSayOfThemselves) {
  const SweepResult result = sweep(five_bar_study(20));
  ASSERT_EQ(result.constraint_violation.size(), 3 * 20u);
  ASSERT_EQ(result.singular_passage.size(), 20u);
  for (std::size_t i = 0; i < result.constraint_violation.size(); ++i)
    EXPECT_TRUE(result.constraint_violation[i] > 0.0 && result.constraint_violation[i] < 1e-9) << i;
}

TEST(Sweep, EndsBetweenChunksWhenInterrupted) {
  const Study study = five_bar_study(20);
  StudySettings settings;
  settings.chunk = 5;
  int asked = 0;
  settings.interrupted = [&] { return ++asked > 2; };
  const SweepResult result = sweep(study, settings);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.done, 10u);
  EXPECT_TRUE(result.statistics.empty());
}

// Within a chunk, which is not kept then.
TEST(Sweep, GivesAChunkUpWhenCancelled) {
  const Study study = five_bar_study(20);
  StudySettings settings;
  settings.chunk = 5;
  std::atomic<std::size_t> done{0};
  settings.progress = [&](const StudyProgress& p) { done = p.done; };
  settings.cancelled = [&] { return done >= 10; };
  const SweepResult result = sweep(study, settings);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.done, 10u);
}

TEST(Sweep, ProcessesShareTheWork) {
  const Study study = five_bar_study(70);
  const ScratchFolder folder;
  std::vector<std::size_t> largest(3, 0);
  std::vector<SweepResult> results(3);
  run_processes(3, [&](const Processes& processes) {
    StudySettings settings;
    settings.folder = folder.path() / "out";
    settings.chunk = 4;
    settings.processes = processes;
    const auto rank = static_cast<std::size_t>(processes.rank);
    settings.progress = [&, rank](const StudyProgress& p) {
      largest[rank] = std::max(largest[rank], p.done);
    };
    results[rank] = sweep(study, settings);
  });
  EXPECT_EQ(largest, (std::vector<std::size_t>{24, 24, 22}));  // every third chunk
  for (const SweepResult& result : results) EXPECT_TRUE(result.complete);
  expect_same(sweep(study), results[0]);
}

TEST(Sweep, AProcessThatFailsEndsAll) {
  const Study study = five_bar_study(50);
  const ScratchFolder folder;
  std::vector<std::string> messages(2);
  run_processes(2, [&](const Processes& processes) {
    StudySettings settings;
    settings.folder = folder.path() / "out";
    settings.chunk = 10;
    settings.processes = processes;
    settings.interrupted = [&]() -> bool {
      if (processes.rank == 1) throw FileError("no room");
      return false;
    };
    try {
      sweep(study, settings);
    } catch (const Error& error) {
      messages[static_cast<std::size_t>(processes.rank)] = error.what();
    }
  });
  EXPECT_NE(messages[0].find("another process"), std::string::npos) << messages[0];
  EXPECT_EQ(messages[1], "no room");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out" / "summary.json"));
}

// Saltelli's and Jansen's estimators with pick-freeze samples, from values alone, and their
// standard errors.
struct BruteForce {
  double first_order = 0.0, first_error = 0.0;
  double total = 0.0, total_error = 0.0;
};

std::vector<double> values_of(Study study, std::vector<double> rows) {
  study.sweep->sampling = Sampling::list;
  study.sweep->list = std::move(rows);
  study.sweep->gradients = false;
  const SweepResult result = sweep(study);
  EXPECT_EQ(result.failed(), 0u);
  std::vector<double> values;
  for (std::size_t d = 0; d < result.designs; ++d)
    values.push_back(result.objective_values[d * result.objectives.size()]);
  return values;
}

std::vector<double> rows_of(const Study& study, const SweepResult& result) {
  std::vector<double> rows;
  for (std::size_t d = 0; d < result.designs; ++d)
    for (const SweepParameter& parameter : study.sweep->parameters)
      for (std::size_t p = 0; p < result.parameters.size(); ++p)
        if (result.parameters[p].name == parameter.name)
          rows.push_back(result.parameter_values[d * result.parameters.size() + p]);
  return rows;
}

std::vector<double> drawn(Study study, std::size_t designs, std::uint64_t seed) {
  study.sweep->designs = designs;
  study.sweep->seed = seed;
  study.sweep->gradients = false;
  return rows_of(study, sweep(study));
}

BruteForce pick_freeze(const Study& study, std::size_t n, std::size_t parameter) {
  const std::size_t width = study.sweep->parameters.size();
  const std::vector<double> a = drawn(study, n, 1001), b = drawn(study, n, 2002);
  std::vector<double> mixed = a;  // but for `parameter`, which is from b
  for (std::size_t d = 0; d < n; ++d) mixed[d * width + parameter] = b[d * width + parameter];
  const std::vector<double> fa = values_of(study, a), fb = values_of(study, b),
                            fm = values_of(study, mixed);
  double mean = 0.0, variance = 0.0;
  for (std::size_t d = 0; d < n; ++d) mean += (fa[d] + fb[d]) / (2.0 * static_cast<double>(n));
  for (std::size_t d = 0; d < n; ++d)
    variance +=
        (std::pow(fa[d] - mean, 2) + std::pow(fb[d] - mean, 2)) / (2.0 * static_cast<double>(n));
  const auto estimate = [&](auto term, double& value, double& error) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t d = 0; d < n; ++d) {
      const double t = term(d) / variance;
      sum += t;
      squares += t * t;
    }
    const auto count = static_cast<double>(n);
    value = sum / count;
    error = std::sqrt((squares / count - value * value) / count);
  };
  BruteForce result;
  estimate([&](std::size_t d) { return (fb[d] - mean) * (fm[d] - fa[d]); }, result.first_order,
           result.first_error);
  estimate([&](std::size_t d) { return 0.5 * std::pow(fa[d] - fm[d], 2); }, result.total,
           result.total_error);
  return result;
}

// Half the width of a 95 % interval, as a standard error.
double error_of(const Estimate& estimate) {
  return (estimate.high - estimate.low) / (2.0 * 1.96);
}

TEST(Sweep, VarianceSharesOfAKnownFunction) {
  const SweepResult result = sweep(ishigami_study(20000));
  const std::vector<Driver>& drivers = result.statistics[0].drivers;
  const double first[] = {0.31390519, 0.44241114, 0.0};
  const double total[] = {0.55758886, 0.44241114, 0.24368366};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(drivers[k].first_order.value, first[k],
                4.0 * error_of(drivers[k].first_order) + 1e-3)
        << drivers[k].parameter;
    EXPECT_LT(error_of(drivers[k].first_order), 0.02);
    EXPECT_GT(drivers[k].total_bound.high, total[k]);
  }
}

#ifdef GRADUS_SANITIZED
constexpr std::size_t fewer = 10;
#else
constexpr std::size_t fewer = 1;
#endif

TEST(Sweep, VarianceSharesAgreeWithBruteForce) {
  for (const Study& study : {ishigami_study(10000 / fewer), five_bar_study(2000 / fewer)}) {
    const SweepResult result = sweep(study);
    for (std::size_t k = 0; k < 3; ++k) {
      const Driver& driver = result.statistics[0].drivers[k];
      const BruteForce brute = pick_freeze(study, study.sweep->designs, k);
      const double error = std::hypot(brute.first_error, error_of(driver.first_order));
      EXPECT_NEAR(driver.first_order.value, brute.first_order, 3.0 * error)
          << study.name << " " << driver.parameter;
      EXPECT_GT(driver.total_bound.high + 3.0 * brute.total_error, brute.total)
          << study.name << " " << driver.parameter;
    }
  }
}

// No derivative tells of the jump from a time to the value of designs that never pass.
TEST(Sweep, ExplainsNoJumps) {
  for (const double slowest : {0.5, 1.1}) {
    const bool jumps = slowest < 1.0;
    StudySettings settings;
    std::string remarks;
    settings.log = [&](const std::string& text) { remarks += text + "\n"; };
    const SweepResult result = sweep(passing_study(slowest), settings);
    ASSERT_EQ(result.failed(), 0U);
    const Driver& end = result.statistics.at(0).drivers.at(0);
    EXPECT_NEAR(end.linear_share.value, 1.0, 1e-9);
    EXPECT_GT(end.total_bound.value, 0.9);
    const Driver& time = result.statistics.at(1).drivers.at(0);
    EXPECT_LT(time.mean_derivative.value, -0.2);
    for (const Estimate& share : {time.first_order, time.total_bound, time.linear_share})
      EXPECT_EQ(std::isnan(share.value), jumps) << slowest;
    EXPECT_EQ(remarks.find("\"time\" jumps to \"otherwise\"") != std::string::npos, jumps)
        << remarks;
  }
}

}  // namespace
}  // namespace gradus
