// Steps by a kernel that was made for one mechanism, on a device.
#pragma once

#include <cstddef>
#include <string>

#include "kernels/core/status.hpp"

namespace gradus {

// Designs of a device, and how far such a kernel takes them: each that has not failed to the last
// step, or as far as it knows the way. Kernels declare the same for themselves
// (src/specialise/emit.cpp).
struct StepBatch {
  double* motions;                // [tile, place, 32] of what does not depend on columns
  std::ptrdiff_t motion_pitch;    // numbers from one tile to the next
  double* columns;                // [tile, place, 32] of the rest
  std::ptrdiff_t column_pitch;    // numbers from one tile to the next
  const kernels::Status* status;  // [design]
  int* reached;                   // [design] steps that are done
  std::ptrdiff_t last;            // of the steps that are wanted
  double length;                  // of a step [s]
  std::ptrdiff_t count;           // designs
};

// What was compiled: a function where the host takes the steps, else an image for a GPU.
struct StepCode {
  void (*function)(StepBatch) = nullptr;
  std::string image;
};

// The steps of one mechanism, as a device has loaded them.
class StepKernel {
 public:
  virtual ~StepKernel() = default;
  StepKernel(const StepKernel&) = delete;
  StepKernel& operator=(const StepKernel&) = delete;
  // After everything asked of the device before.
  virtual void launch(const StepBatch& batch) = 0;

 protected:
  StepKernel() = default;
};

}  // namespace gradus
