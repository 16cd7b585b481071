// A small result whose every number can be told from every other.
#pragma once

#include <cmath>
#include <limits>

#include "gradus/result.hpp"

namespace gradus::test {

inline std::vector<double> numbers(std::size_t count, double first) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(first + static_cast<double>(i) / 3.0);
  return values;
}

inline Trajectory sample_trajectory(std::size_t design, std::size_t n_time) {
  Trajectory trajectory;
  trajectory.design = design;
  const double first = 1000.0 * static_cast<double>(design + 1);
  for (std::size_t i = 0; i < n_time; ++i) trajectory.time.push_back(static_cast<double>(i));
  trajectory.coordinates = numbers(n_time, first);
  trajectory.rates = numbers(n_time, first + 100);
  trajectory.accelerations = numbers(n_time, first + 200);
  trajectory.sensors = numbers(4 * n_time, first + 300);
  return trajectory;
}

inline Result sample_result(std::size_t n_design = 1) {
  Result result;
  result.model = "pendulum";
  result.backend = "cpu:2";
  result.formulation = "ali3p";
  result.reference = "rtdyn0";
  result.method = "direct";
  result.step = 1e-3;
  result.duration = 0.1;
  result.steps = 100;
  result.n_design = n_design;
  result.parameters = {{"mass", "kg"}, {"length", "m"}};
  result.objectives = {{"psi1", "m^2 s"}, {"psi2", ""}, {"ψ3", "N m"}};
  result.coordinates = {{"A", "rad"}};
  result.sensors = {"tip", "energy"};
  result.sensor_sizes = {3, 1};
  result.sensor_components = {{"tip.x", "m"}, {"tip.y", "m"}, {"tip.z", "m"}, {"energy", "J"}};
  result.parameter_values = numbers(2 * n_design, 1.0);
  result.objective_values = numbers(3 * n_design, 10.0);
  result.gradient = numbers(6 * n_design, 100.0);
  result.final_sensors = numbers(4 * n_design, 200.0);
  result.status.resize(n_design);
  result.constraint_violation = numbers(3 * n_design, 1e-9);
  result.newton_iterations = numbers(n_design, 300.0);
  result.timing = {1.5, 1.0, 0.5};
  return result;
}

// Marks a design as the engine does.
inline void fail_design(Result& result, std::size_t design) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto poison = [&](std::vector<double>& values, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) values[design * width + i] = nan;
  };
  poison(result.objective_values, 3);
  poison(result.gradient, 6);
  poison(result.final_sensors, 4);
  poison(result.constraint_violation, 3);
  result.status[design] = {false, 0.25, "Newton's method does not converge"};
}

}  // namespace gradus::test
