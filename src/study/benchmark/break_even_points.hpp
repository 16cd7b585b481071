// From the rows of a benchmark to its break-even points.
#pragma once

#include "gradus/benchmark.hpp"

namespace gradus {

// Compares the first GPU with the fastest CPU row of each batch. Where no GPU or not all threads of
// the CPU were measured there are no points, but the reason.
void add_break_even(BenchmarkReport& report);

}  // namespace gradus
