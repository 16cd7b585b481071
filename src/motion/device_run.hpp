// Time loops on a device: chunks of designs, all of which advance one step together; and what runs
// there leave of their designs.
#pragma once

#include "src/motion/device_chunk.hpp"

namespace gradus {

MotionOutcome run_on_device(const MotionRequest& request, Device& device);

// Status, objectives, final sensors and the books of the run.
void collect_motion(DeviceChunk& chunk, const kernels::Layout& layout, const MotionRequest& request,
                    std::size_t first, MotionOutcome& outcome);

// Gradients of the columns that travel along, and the matrices of sums of squares; NaN of designs
// that have failed.
void collect_gradient(DeviceChunk& chunk, const kernels::Layout& layout,
                      const MotionRequest& request, std::size_t first, MotionOutcome& outcome);

// Takes back what was recorded of failed designs from their failure on: on a device nobody looks
// before the end.
void trim_failures(const Plan& plan, std::size_t first, std::size_t count, MotionOutcome& outcome);

}  // namespace gradus
