// Sweeps over steps and tolerances.
#include "bench/scenario/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "src/motion/formulation.hpp"
#include "src/study/benchmark/measurement.hpp"

namespace gradus::bench {
namespace {

constexpr double kCoarsestStep = 0.02;       // s
constexpr double kCoarsestTolerance = 1e-4;  // rtol
constexpr double kAtolPerRtol = 0.1;         // coordinates are of order 1

Options one_thread() {
  Options options;
  options.backend = "cpu:1";
  return options;
}

double largest_error(const std::vector<double>& values, const std::vector<double>& exact) {
  double largest = 0.0;
  for (std::size_t k = 0; k < exact.size(); ++k)
    largest = std::max(largest, std::abs(values[k] - exact[k]) / std::abs(exact[k]));
  return largest;
}

struct Run {
  Result result;
  double processor;  // s
};

Run timed_run(const Model& model) {
  const std::clock_t start = std::clock();
  Result result = gradient(model, one_thread());
  return {std::move(result), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

void time_point(const Model& model, int repeats, Point& point) {
  std::vector<double> seconds;
  std::vector<double> processor;
  for (int k = 0; k < repeats; ++k) {
    const Run run = timed_run(model);
    seconds.push_back(run.result.timing.total_s);
    processor.push_back(run.processor);
  }
  point.seconds = median(seconds);
  point.processor = median(processor);
}

// The next accuracy: half the step, or half a decade of the tolerance.
double finer(const Method& method, double accuracy) {
  return method.adaptive() ? accuracy * std::sqrt(0.1) : 0.5 * accuracy;
}

}  // namespace

std::string Method::name() const {
  const bool plain = stabilisation.empty() || stabilisation == "projection";
  return formulation + (plain ? "" : ", " + stabilisation) + ", " + integrator;
}

bool Method::adaptive() const {
  return integrator == "dopri5" || integrator == "dop853";
}

std::vector<Method> loop_methods() {
  std::vector<Method> methods;
  for (const FormulationTraits& traits : formulations()) {
    const std::string formulation(traits.name);
    const bool open = formulation.find("-recursive") != std::string::npos;
    if (open || formulation == "kinematic") continue;
    const std::vector<std::string> ways = formulation == "index1"
                                              ? std::vector<std::string>{"projection", "baumgarte"}
                                              : std::vector<std::string>{""};
    for (const std::string& stabilisation : ways)
      for (const std::string& integrator : traits.integrators)
        methods.push_back({formulation, integrator, stabilisation});
  }
  return methods;
}

Model with_method(Model model, const Method& method, double accuracy) {
  model.analysis.formulation = method.formulation;
  model.analysis.integrator = method.integrator;
  if (!method.stabilisation.empty()) model.analysis.stabilisation = method.stabilisation;
  if (method.adaptive()) {
    model.analysis.rtol = accuracy;
    model.analysis.atol = kAtolPerRtol * accuracy;
  } else {
    model.analysis.step = accuracy;
  }
  return model;
}

std::vector<double> converged_gradient(const Model& model) {
  return gradient(with_method(model, {"matrix-r", "dop853", ""}, 1e-13), one_thread()).gradient;
}

Sweep sweep(const Model& model, const Method& method, const std::vector<double>& exact,
            const SweepLimits& limits) {
  Sweep s{method, {}, {}};
  double accuracy = method.adaptive() ? kCoarsestTolerance
                                      : std::min(kCoarsestStep, 0.25 * model.analysis.duration);
  for (int k = 0; k < limits.most_points; ++k, accuracy = finer(method, accuracy)) {
    const Model variant = with_method(model, method, accuracy);
    const auto [result, processor] = timed_run(variant);
    if (!result.all_ok()) {
      s.failure = result.status[0].message;
      if (s.points.empty()) continue;
      break;
    }
    s.failure.clear();
    Point point{accuracy, result.step_count[0], largest_error(result.gradient, exact), 0.0, 0.0};
    const bool slow = processor > limits.most_seconds;
    time_point(variant, slow ? 1 : limits.repeats, point);
    s.points.push_back(point);
    if (point.error < limits.least_error || slow) break;
  }
  return s;
}

std::optional<double> processor_seconds_at(const Sweep& sweep, double target) {
  for (std::size_t k = 0; k < sweep.points.size(); ++k) {
    const Point& fine = sweep.points[k];
    if (fine.error > target) continue;
    if (k == 0) return fine.processor;
    const Point& coarse = sweep.points[k - 1];
    const double share = std::log(coarse.error / target) / std::log(coarse.error / fine.error);
    return coarse.processor * std::pow(fine.processor / coarse.processor, share);
  }
  return std::nullopt;
}

}  // namespace gradus::bench
