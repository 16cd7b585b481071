// What `gradus bench` and the benchmarks measure with: chains of any size, times of whole runs, and
// the points at which a GPU overtakes the CPU.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/benchmark.hpp"
#include "gradus/model.hpp"
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

// Each bar hangs by a revolute joint on the tip of the one before it; the axes are z, or z and y in
// turn, so that the motion is spatial. Parameters are the mass and the length of bars spread evenly
// along the chain; beyond 2 * bodies their centres of mass and moments of inertia follow. Beyond 4
// * bodies there must be a multiple of that: each quantity is then the sum of equally many. The
// objective is the integral of the squared distance of the last tip from the origin.
Model chain_of_bars(const std::string& name, int bodies, int parameters, bool planar);

// Compares the first GPU with the fastest CPU row of each batch. Where no GPU or not all threads of
// the CPU were measured there are no points, but the reason.
void add_break_even(BenchmarkReport& report);

}  // namespace gradus
