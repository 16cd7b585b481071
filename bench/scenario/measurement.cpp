// Times one scenario and states what was measured.
#include "bench/scenario/measurement.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

#include "src/study/benchmark/measurement.hpp"

namespace gradus::bench {
namespace {

using Json = nlohmann::ordered_json;

// With more parameters dual numbers take too long to check a gradient.
constexpr std::size_t kDualParameters = 256;

Json statistics(const std::vector<double>& values) {
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  Json json;
  json["median"] = median(values);
  json["minimum"] = *smallest;
  json["maximum"] = *largest;
  json["spread"] = (*largest - *smallest) / median(values);  // relative to the median
  return json;
}

// Processor time of all threads of this program.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Largest difference of the first design's gradient from that of another method, by the largest
// entry of its row.
double deviation_from_reference(const Scenario& scenario, const Result& result) {
  Options other = scenario.options;
  const bool many = scenario.model.parameters.size() > kDualParameters;
  other.method = scenario.options.method != "direct" ? "direct" : many ? "adjoint" : "dual";
  other.designs = Designs();
  const Result reference = gradient(scenario.model, other);
  return gradus::deviation(result, reference);
}

Json times(const Scenario& scenario, const Result& shape, int repeats) {
  std::vector<double> total;
  std::vector<double> processor;
  std::vector<double> motion;
  std::vector<double> sensitivity;
  std::vector<double> alone;
  std::vector<double> alone_processor;
  for (int k = 0; k < repeats; ++k) {
    const double start = processor_seconds();
    const Result result = gradient(scenario.model, scenario.options);
    const double middle = processor_seconds();
    const Result motion_alone = simulate(scenario.model, scenario.options);
    total.push_back(result.timing.total_s);
    processor.push_back(middle - start);
    motion.push_back(result.timing.motion_s);
    sensitivity.push_back(result.timing.sensitivity_s);
    alone.push_back(motion_alone.timing.total_s);
    alone_processor.push_back(processor_seconds() - middle);
  }
  const double column_steps = static_cast<double>(shape.n_design) *
                              static_cast<double>(shape.parameters.size()) *
                              static_cast<double>(shape.steps);
  Json json;
  json["total_s"] = statistics(total);
  if (scenario.target_s > 0.0) json["target_s"] = scenario.target_s;
  json["processor_s"] =
      statistics(processor);  // of all threads; on one thread, what total_s is on a quiet machine
  json["motion_s"] = statistics(motion);
  json["sensitivity_s"] = statistics(sensitivity);
  json["simulate_s"] = statistics(alone);
  json["simulate_processor_s"] = statistics(alone_processor);
  json["column_steps_per_s"] = column_steps / median(total);
  json["column_steps_per_processor_s"] = column_steps / median(processor);
  json["gradient_cost_ratio"] = median(total) / median(alone);
  json["gradient_cost_ratio_processor"] = median(processor) / median(alone_processor);
  return json;
}

}  // namespace

Json measure(const Scenario& scenario, int repeats) {
  const Result result = gradient(scenario.model, scenario.options);
  const Result motion = simulate(scenario.model, scenario.options);
  double iterations = 0.0;
  for (const double count : motion.newton_iterations) iterations += count;

  Json json;
  json["name"] = scenario.name;
  json["model"] = result.model;
  json["backend"] = result.backend;
  json["method"] = result.method;
  json["formulation"] = result.formulation + ", " + result.reference;
  json["designs"] = result.n_design;
  json["coordinates"] = result.coordinates.size();
  json["parameters"] = result.parameters.size();
  json["objectives"] = result.objectives.size();
  json["steps"] = result.steps;
  json["step_s"] = result.step;
  json["newton_iterations_per_step"] =
      iterations / (static_cast<double>(result.n_design) * static_cast<double>(result.steps));
  const double deviation = deviation_from_reference(scenario, result);
  json["deviation"] = deviation;
  json["deviation_accepted"] = scenario.deviation;
  json["times"] = deviation <= scenario.deviation ? times(scenario, result, repeats) : Json();
  return json;
}

}  // namespace gradus::bench
