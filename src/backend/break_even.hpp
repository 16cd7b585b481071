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
  int lanes = 0;             // designs that a core is to advance at once, 0: as suits it
  std::string untried = {};  // the formulation, if no GPU has run it yet
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

// What gradus knows where nothing was measured (docs/performance.md). It speaks for the GPU whose
// times it holds, and for no other. Those of the CPU are reckoned for so many threads, each of
// which advances `lanes` designs at once: recorded were 16 threads that advanced one at a time.
BreakEvenTable built_in_break_even(std::size_t threads, int lanes);

// The point nearest to the work: of its method if there is one, by the logarithms of bodies and of
// parameters. Null for an empty table.
const BreakEven* nearest_point(const BreakEvenTable& table, const Work& work);

// Whether a GPU pays by that point.
bool pays(const BreakEven& point, const Work& work);

// "8 bodies, 32 parameters, direct: from 1646 designs on"
std::string to_text(const BreakEven& point);

}  // namespace gradus
