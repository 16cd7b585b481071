// A plan mirrored to a device: one block of memory, and a view whose pointers lie in it.
#pragma once

#include "kernels/core/plan_view.hpp"
#include "src/backend/device.hpp"

namespace gradus {

class DevicePlan {
 public:
  DevicePlan(Device& device, const kernels::PlanView& host);
  const kernels::PlanView& view() const { return view_; }

 private:
  DeviceBuffer buffer_;
  kernels::PlanView view_;
};

}  // namespace gradus
