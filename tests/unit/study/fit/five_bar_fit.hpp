// Fits of the five-bar mechanism to what it measures itself.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "gradus/study.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::test {

inline constexpr double fit_infinity = std::numeric_limits<double>::infinity();

inline Model five_bar_model() {
  return read_model(source_path("models/five-bar/five-bar.json"));
}

// A study without variables and measurements.
inline Study fit_study(const Model& model, double duration = 1.0, double step = 1e-3) {
  Study study;
  study.name = "fit of the five-bar";
  study.model = model;
  study.options.backend = "cpu:2";
  study.options.duration = duration;
  study.options.step = step;
  study.fit = Fit();
  study.files = {{"study", "{}"}};
  return study;
}

inline std::size_t component_of(const Result& result, const std::string& name) {
  for (std::size_t k = 0; k < result.sensor_components.size(); ++k)
    if (result.sensor_components[k].name == name) return k;
  throw std::runtime_error("no component " + name);
}

// Measures components at every so many steps of the model's own motion.
inline void measure(Study& study, const std::vector<std::string>& components, std::size_t every) {
  Options options = study.options;
  options.record = true;
  options.record_every = every;
  const Result result = simulate(study.model, options);
  const Trajectory& trajectory = result.trajectories.at(0);
  for (const std::string& name : components) {
    const std::size_t component = component_of(result, name);
    Measurement measurement;
    measurement.sensor = measurement.column = name;
    measurement.time = trajectory.time;
    for (std::size_t k = 0; k < trajectory.time.size(); ++k)
      measurement.value.push_back(
          trajectory.sensors[k * result.sensor_components.size() + component]);
    study.fit->measurements.push_back(measurement);
  }
}

// Numbers between -1 and 1 that look like noise and are always the same.
inline double noise(std::size_t k) {
  const double x = std::sin(12.9898 * static_cast<double>(k + 1)) * 43758.5453;
  return 2.0 * (x - std::floor(x)) - 1.0;
}

inline const double five_bar_truth[] = {std::sqrt(5.0), std::sqrt(17.0) / 2.0, 1.0};

// Natural lengths and a mass, some percent away from the truth.
inline void vary_three(Study& study) {
  study.fit->variables = {{"L_s1", 1.03 * five_bar_truth[0], 1.5, 3.0},
                          {"L_s2", 0.96 * five_bar_truth[1], 1.5, 3.0},
                          {"m_A1", 1.3, 0.5, 2.0}};
}

}  // namespace gradus::test
