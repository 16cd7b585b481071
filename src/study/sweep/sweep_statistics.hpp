// Statistics of a sweep, accumulated over its designs in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/study/sweep/drivers.hpp"

namespace gradus {

class SweepStatistics {
 public:
  SweepStatistics(const Sweep& sweep, const std::vector<NamedUnit>& objectives);

  // One design that did not fail: the values of the parameters of the sweep [n_parameter of the
  // sweep], the objectives, and their gradient [n_objective, n_parameter of the sweep], empty
  // without gradients. `index` is that of the design.
  void add(std::size_t index, std::span<const double> values, std::span<const double> objectives,
           std::span<const double> gradient);

  std::vector<ObjectiveStatistics> result() const;

 private:
  ObjectiveStatistics result(std::size_t objective) const;
  void add_distribution(double mean, double variance, std::vector<double> values,
                        ObjectiveStatistics& statistics) const;

  const Sweep sweep_;
  const std::vector<NamedUnit> objectives_;
  std::vector<std::vector<double>> values_;  // [objective][design]
  std::vector<std::uint8_t> groups_;         // [design]
  std::optional<DriverSums> drivers_;        // with gradients
};

}  // namespace gradus
