// How a run is given up on its way.
#pragma once

#include <functional>

#include "gradus/error.hpp"

namespace gradus {

// Looks at launches of kernels, of which a step has several: asked at so few of them, the question
// costs nothing beside them.
class Cancellation {
 public:
  // Without a question nothing is ever cancelled.
  explicit Cancellation(const std::function<bool()>& asked_for) : asked_for_(asked_for) {}

  // Throws Cancelled.
  void look() {
    if (!asked_for_ || ++launches_ % kLaunches != 0 || !asked_for_()) return;
    throw Cancelled("the run was cancelled");
  }

 private:
  static constexpr unsigned kLaunches = 8;
  std::function<bool()> asked_for_;
  unsigned launches_ = 0;
};

}  // namespace gradus
