// The five-bar mechanism as the backend tests run it: few steps, and designs drawn around the
// model.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::test {

inline const Model& five_bar() {
  static const Model model = read_model(source_path("models/five-bar/five-bar.json"));
  return model;
}

// The same with values of a sensor of acceleration at times, before the other objectives.
inline Model with_values(const std::vector<double>& times) {
  Model model = five_bar();
  model.objectives.insert(model.objectives.begin(),
                          {"a", ObjectiveKind::value, "dot(a2, r2) + energy", "", "", {}, times});
  return model;
}

inline Options short_run(const std::string& backend, std::size_t designs) {
  Options options;
  options.backend = backend;
  options.duration = 0.05;  // 50 steps
  options.designs.count = designs;
  options.designs.spread = 0.02;
  return options;
}

// Equal to the bit, NaN included.
inline void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b,
                             const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_EQ(std::memcmp(&a[k], &b[k], sizeof(double)), 0)
        << what << "[" << k << "]: " << a[k] << " and " << b[k];
}

inline void expect_same_bits(const Result& a, const Result& b) {
  expect_same_bits(a.objective_values, b.objective_values, "objective_values");
  expect_same_bits(a.gradient, b.gradient, "gradient");
  expect_same_bits(a.final_sensors, b.final_sensors, "final_sensors");
  expect_same_bits(a.constraint_violation, b.constraint_violation, "constraint_violation");
  expect_same_bits(a.newton_iterations, b.newton_iterations, "newton_iterations");
  ASSERT_EQ(a.trajectories.size(), b.trajectories.size());
  for (std::size_t d = 0; d < a.trajectories.size(); ++d) {
    expect_same_bits(a.trajectories[d].time, b.trajectories[d].time, "time");
    expect_same_bits(a.trajectories[d].coordinates, b.trajectories[d].coordinates, "coordinates");
    expect_same_bits(a.trajectories[d].rates, b.trajectories[d].rates, "rates");
    expect_same_bits(a.trajectories[d].accelerations, b.trajectories[d].accelerations,
                     "accelerations");
    expect_same_bits(a.trajectories[d].sensors, b.trajectories[d].sensors, "sensors");
    expect_same_bits(a.trajectories[d].sensor_columns, b.trajectories[d].sensor_columns,
                     "sensor_columns");
  }
}

// Row `design` of an array over designs.
inline std::vector<double> row(const std::vector<double>& values, std::size_t design,
                               std::size_t designs) {
  const std::size_t width = values.size() / designs;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(design * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

// Design `i` of one result is design `j` of another, to the bit.
inline void expect_same_design(const Result& a, std::size_t i, const Result& b, std::size_t j) {
  const auto compare = [&](std::vector<double> Result::*member, const char* what) {
    const std::string name =
        std::string(what) + " of designs " + std::to_string(i) + " and " + std::to_string(j);
    expect_same_bits(row(a.*member, i, a.n_design), row(b.*member, j, b.n_design), name);
  };
  compare(&Result::objective_values, "objective_values");
  compare(&Result::gradient, "gradient");
  compare(&Result::final_sensors, "final_sensors");
  compare(&Result::constraint_violation, "constraint_violation");
  compare(&Result::newton_iterations, "newton_iterations");
  EXPECT_EQ(a.status[i].ok, b.status[j].ok);
  EXPECT_EQ(a.status[i].message, b.status[j].message);
}

}  // namespace gradus::test
