// How the cost of a step grows with the number of bodies.
#include "bench/scenario/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>

namespace gradus::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kStep = 1e-4;       // s
constexpr double kDeviation = 1e-9;  // m, of the tip; both ways differ by round-off alone
constexpr int kProofSteps = 4;       // after which the tips are compared
constexpr int kMostSteps = 1 << 20;  // of a measurement

Result run(const Model& model, const std::string& formulation, int steps) {
  Options options;
  options.backend = "cpu:1";
  options.formulation = formulation;
  options.integrator = "rk4";
  options.step = kStep;
  options.duration = kStep * steps;
  Result result = simulate(model, options);
  if (!result.all_ok()) throw InputError(model.name + ": " + result.status[0].message);
  return result;
}

double processor_seconds(const Model& model, const std::string& formulation, int steps) {
  const std::clock_t start = std::clock();
  run(model, formulation, steps);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Distance of what the model shows by this formulation and by the other.
double deviation(const Model& model, const std::string& formulation) {
  const char* const by_matrix = model.loops.empty() ? "semi-recursive" : "index1";
  const std::string other = formulation == by_matrix ? "fully-recursive" : by_matrix;
  const Result found = run(model, formulation, kProofSteps);
  const Result expected = run(model, other, kProofSteps);
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k)
    sum += std::pow(found.final_sensors[k] - expected.final_sensors[k], 2);
  return std::sqrt(sum);
}

// Steps enough to take the time that is asked for, beyond what a run of one step takes.
int enough_steps(const Model& model, const std::string& formulation, double wanted) {
  const double once = processor_seconds(model, formulation, 1);
  int steps = 2;
  while (steps < kMostSteps && processor_seconds(model, formulation, steps) - once < wanted)
    steps *= 2;
  return steps;
}

std::vector<double> seconds_per_step(const Model& model, const std::string& formulation, int steps,
                                     int repeats) {
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k) {
    const double once = processor_seconds(model, formulation, 1);
    seconds.push_back((processor_seconds(model, formulation, steps) - once) / (steps - 1));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

// Slope of the logarithms by least squares, over the sizes from `smallest` on.
double exponent(const Json& points, double smallest) {
  double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (const Json& point : points) {
    if (point["bodies"].get<double>() < smallest) continue;
    const double x = std::log(point["bodies"].get<double>());
    const double y = std::log(point["seconds_per_step"].get<double>());
    n += 1.0;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

Json measure_size(const Curve& curve, int bodies, const ScalingSettings& settings) {
  const Model model = curve.make(bodies);
  Json point;
  point["bodies"] = bodies;
  point["coordinates"] = run(model, curve.formulation, 1).coordinates.size();
  point["deviation"] = deviation(model, curve.formulation);
  point["seconds_per_step"] = nullptr;
  if (!(point["deviation"].get<double>() < kDeviation)) return point;
  const int steps = enough_steps(model, curve.formulation, settings.processor_s);
  const auto seconds = seconds_per_step(model, curve.formulation, steps, settings.repeats);
  point["steps"] = steps;
  point["seconds_per_step"] = seconds[seconds.size() / 2];
  point["minimum"] = seconds.front();
  point["maximum"] = seconds.back();
  return point;
}

}  // namespace

Json measure(const Curve& curve, const ScalingSettings& settings) {
  Json json;
  json["chain"] = curve.chain;
  json["formulation"] = curve.formulation;
  json["deviation_accepted"] = kDeviation;
  json["points"] = Json::array();
  bool complete = true;
  for (const int bodies : settings.bodies) {
    if (bodies < curve.fewest) continue;
    json["points"].push_back(measure_size(curve, bodies, settings));
    complete = complete && !json["points"].back()["seconds_per_step"].is_null();
    std::cerr << curve.chain << ", " << curve.formulation << ", " << bodies
              << " bodies: " << json["points"].back()["seconds_per_step"] << " s per step\n";
  }
  const double largest = settings.bodies.back();
  const double smallest = largest / std::pow(2.0, settings.octaves);
  json["exponent_from_bodies"] = smallest;
  json["exponent"] = complete ? Json(exponent(json["points"], smallest)) : Json();
  return json;
}

}  // namespace gradus::bench
