// What a run on a device leaves of its designs.
#pragma once

#include "src/motion/device_chunk.hpp"

namespace gradus {

// The sensitivities of the sensors that travel along, to row `row` of the trajectories, which have
// room for it.
void record_columns(DeviceChunk& chunk, const kernels::Layout& layout, const MotionRequest& request,
                    const Instant& at, std::size_t row, std::size_t first, MotionOutcome& outcome);

// Status, objectives, final sensors and the books of the run.
void collect_motion(DeviceChunk& chunk, const kernels::Layout& layout, const MotionRequest& request,
                    std::size_t first, MotionOutcome& outcome);

// Gradients of the columns that travel along, and the matrices of sums of squares; NaN of designs
// that have failed.
void collect_gradient(DeviceChunk& chunk, const kernels::Layout& layout,
                      const MotionRequest& request, std::size_t first, MotionOutcome& outcome);

// Which solver worked apart from the kernels, and how often it was refused in single precision.
void collect_refusals(DeviceChunk& chunk, const kernels::Layout& layout,
                      const MotionRequest& request, std::size_t first, MotionOutcome& outcome);

// Takes back what was recorded of failed designs from their failure on: on a device nobody looks
// before the end.
void trim_failures(const Plan& plan, std::size_t first, std::size_t count, MotionOutcome& outcome);

}  // namespace gradus
