// Where a GPU overtakes the CPU: found from times, and looked up for a work at hand.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/benchmark.hpp"

namespace gradus {

// What `auto` must know of a run.
struct Work {
  std::size_t designs = 1;
  std::size_t bodies = 1;
  std::size_t parameters = 0;
  std::string method = "none";
};

// Times of one batch.
struct TimePair {
  std::size_t designs = 0;
  double cpu = 0.0;  // s
  double gpu = 0.0;  // s
};

// Fills in `designs`, `fewest` and `most`. The break-even lies behind the last size at which the
// CPU was not slower, on a straight line between the logarithms of designs and of cpu / gpu.
// `pairs` is not empty.
void find_break_even(std::vector<TimePair> pairs, BreakEven& point);

struct BreakEvenTable {
  std::string gpu;          // name of the device
  std::size_t threads = 0;  // of the CPU
  std::vector<BreakEven> points;
};

// What gradus knows where nothing was measured (docs/performance.md): one H200 beside 16 threads.
const BreakEvenTable& built_in_break_even();

// The point nearest to the work: of its method if there is one, by the logarithms of bodies and of
// parameters. Null for an empty table.
const BreakEven* nearest_point(const BreakEvenTable& table, const Work& work);

// Whether a GPU pays by that point.
bool pays(const BreakEven& point, const Work& work);

// "8 bodies, 32 parameters, direct: from 1646 designs on"
std::string to_text(const BreakEven& point);

}  // namespace gradus
