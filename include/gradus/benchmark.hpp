// The verb `benchmark`: how long batches take on each backend, and where a GPU overtakes the CPU.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// From how many designs on a GPU is faster than all threads of the CPU, for one size of mechanism.
struct BreakEven {
  std::string method;  // "none": the motion alone
  std::size_t bodies = 0;
  std::size_t parameters = 0;
  std::optional<std::size_t> designs;  // empty: the GPU was not faster with the most designs
  std::size_t fewest = 0;              // designs that were measured
  std::size_t most = 0;
};

struct BenchmarkSettings {
  // Measures this one. Otherwise open chains of `bodies` bars with `parameters` parameters each.
  std::optional<Model> model;
  std::vector<std::size_t> bodies = {4, 16, 32};
  std::vector<std::size_t> parameters = {4, 32};
  std::vector<std::size_t> designs = {1, 16, 256, 4096};
  std::vector<std::string> backends = {"cpu:1", "cpu", "cuda"};  // any of Options but auto
  std::vector<std::string> methods = {"direct"};  // as of Options; "none": the motion alone
  std::size_t steps = 20;                         // of the length that the model says
  std::size_t repeats = 3;                        // runs that are timed, after one that is not
  double spread = 1e-3;                           // of the designs around the model
  double longest = 30.0;  // s: on the CPU, runs that would take longer are left out
  std::function<void(const std::string&)> log;
  std::function<void(double done)> progress;  // fraction, 0 to 1
};

// One batch on one backend. Parameters go in and results come out within its time.
struct BenchmarkRow {
  std::string model;
  std::string method;
  std::string backend;      // as it was asked for
  std::string backend_ran;  // as it ran, e.g. "cpu:2"
  std::size_t bodies = 0;
  std::size_t parameters = 0;
  std::size_t designs = 0;
  std::size_t steps = 0;
  std::string remark;      // why there are no times; empty if there are
  double deviation = 0.0;  // of the first design from one thread of the CPU, relative
  double seconds = 0.0;    // median
  double minimum = 0.0;
  double maximum = 0.0;

  bool measured() const { return remark.empty(); }
  double designs_per_second() const;
  double column_steps_per_second() const;  // 0 of the motion alone
};

// What a time means little without.
struct Machine {
  std::string processor;
  std::size_t threads = 0;
  std::string memory;
  std::string gpu;           // empty: none that can be used
  std::string gpu_obstacle;  // why not
};

struct BenchmarkReport {
  Machine machine;
  BenchmarkSettings settings;
  std::vector<BenchmarkRow> rows;  // by method, bodies, parameters, designs and backend
  std::map<std::string, std::string> obstacles;  // backends that cannot run here, and why
  std::vector<BreakEven> break_even;
  std::string no_break_even;  // why there are none

  // How many times as fast as the first backend that ran the same batch; 0 if none did.
  double ratio(const BenchmarkRow& row) const;
};

Machine this_machine();

// Throws InputError. What a backend cannot do is said in the report.
BenchmarkReport benchmark(const BenchmarkSettings& settings = {});

// The table by which `auto` chooses, as text of its file: for this machine, GPU and version. Only
// of a report with break-even points.
std::string break_even_text(const BenchmarkReport& report);

// Where `auto` looks for that file: in $XDG_CACHE_HOME or ~/.cache. Empty if neither is known.
std::string break_even_file();

}  // namespace gradus
