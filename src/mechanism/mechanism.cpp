// Mechanisms, and the verbs that are one evaluation of one.
#include "gradus/mechanism.hpp"

#include <cmath>
#include <utility>

#include "gradus/error.hpp"
#include "src/motion/mechanism.hpp"
#include "src/motion/time_loop.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

// What runs of a mechanism take from other options than those it was compiled with.
Options of_run(const Options& compiled, const Options& run) {
  Options options = compiled;
  options.backend = run.backend;
  options.method = run.method;
  options.record = run.record;
  options.record_every = run.record_every;
  options.columns = run.columns;
  options.memory = run.memory;
  options.log = run.log;
  options.progress = run.progress;
  return options;
}

void set_designs(const Mechanism& mechanism, std::span<const double> parameters, Options& options) {
  if (parameters.empty()) return;
  const std::size_t width = mechanism.parameter_count();
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (!std::isfinite(parameters[k]))
      throw InputError("parameters: found a number that is not finite (design " +
                       std::to_string(width > 0 ? k / width : k) + ", parameter " +
                       std::to_string(width > 0 ? k % width : 0) + ")");
  options.designs = {};
  options.designs.values.assign(parameters.begin(), parameters.end());
}

}  // namespace

Mechanism::Mechanism(Model model, Options options)
    : compiled_(std::make_shared<const CompiledMechanism>(std::move(model), options)),
      options_(std::make_shared<const Options>(std::move(options))) {}

const Model& Mechanism::model() const {
  return compiled_->model();
}
std::span<const double> Mechanism::nominal() const {
  return compiled_->nominal();
}
std::size_t Mechanism::objective_count() const {
  return compiled_->plan().objectives.size();
}
std::size_t Mechanism::sensor_component_count() const {
  return static_cast<std::size_t>(compiled_->plan().signal_count);
}
std::size_t Mechanism::coordinate_count() const {
  return compiled_->plan().coordinates.size();
}

Result Mechanism::names() const {
  Options one = *options_;
  one.designs = {};
  one.log = {};
  BackendRequest backend = compiled_->backend();
  if (backend.is_automatic()) backend.kind = BackendKind::cpu;
  const BackendChoice choice = compiled_->choose(backend, 1, options_->method, {});
  return DesignRun(compiled_, one, choice).description(options_->method);
}

Result Mechanism::simulate(std::span<const double> parameters) const {
  return simulate(parameters, *options_);
}
Result Mechanism::gradient(std::span<const double> parameters) const {
  return gradient(parameters, *options_);
}

Result Mechanism::simulate(std::span<const double> parameters, const Options& options) const {
  Options run = of_run(*options_, options);
  set_designs(*this, parameters, run);
  return compute_motion(compiled_, run);
}

Result Mechanism::gradient(std::span<const double> parameters, const Options& options) const {
  Options run = of_run(*options_, options);
  set_designs(*this, parameters, run);
  return compute_gradient(compiled_, run);
}

CheckReport Mechanism::check() const {
  return compute_check(compiled_, *options_);
}

Result simulate(const Model& model, const Options& options) {
  Stopwatch watch;
  Result result = Mechanism(model, options).simulate();
  result.timing.total_s = watch.lap();
  return result;
}

Result gradient(const Model& model, const Options& options) {
  Stopwatch watch;
  Result result = Mechanism(model, options).gradient();
  result.timing.total_s = watch.lap();
  return result;
}

CheckReport check(const Model& model, const Options& options) {
  Options one = options;
  if (one.backend == "auto") one.backend = "cpu";  // one design
  return Mechanism(model, one).check();
}

}  // namespace gradus
