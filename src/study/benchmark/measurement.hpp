// Times of whole runs: what `gradus bench` and the benchmarks measure with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/run.hpp"

namespace gradus {

// For an even count the mean of the middle two; `values` is not empty.
double median(std::vector<double> values);

// The gradient by options.method, or with "none" the motion alone.
Result run_once(const Model& model, const Options& options);

// Largest difference of the first design's gradient, or of its objectives, from the reference, each
// relative to the largest entry of its row. Infinite where one of them failed.
double deviation(const Result& result, const Result& reference);

// Seconds from the call to the result of each of `repeats` runs.
std::vector<double> time_runs(const Model& model, const Options& options, std::size_t repeats);

}  // namespace gradus
