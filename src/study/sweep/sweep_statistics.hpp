// Statistics of a sweep, from its designs one after another in their order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "gradus/sweep.hpp"

namespace gradus {

class SweepStatistics {
 public:
  SweepStatistics(const Sweep& sweep, const std::vector<NamedUnit>& objectives);
  ~SweepStatistics();

  // One design that did not fail: the values of the parameters of the sweep [n_parameter of the
  // sweep], the objectives, and their gradient [n_objective, n_parameter of the sweep], empty
  // without gradients. `index` is that of the design.
  void add(std::size_t index, std::span<const double> values, std::span<const double> objectives,
           std::span<const double> gradient);

  std::vector<ObjectiveStatistics> result() const;

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace gradus
