// Mechanisms, and the verbs that are one evaluation of one.
#include "gradus/mechanism.hpp"

#include <utility>

#include "gradus/error.hpp"
#include "src/mechanism/array_checks.hpp"
#include "src/mechanism/compilations.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/time_loop.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

// What runs of a mechanism take from other options than those it was compiled with.
Options of_run(const Options& compiled, const Options& run) {
  check_method(run.method);
  Options options = compiled;
  options.backend = run.backend;
  options.method = run.method;
  options.record = run.record;
  options.record_every = run.record_every;
  options.columns = run.columns;
  options.memory = run.memory;
  options.estimate_every = run.estimate_every;
  options.accuracy = run.accuracy;
  options.log = run.log;
  options.progress = run.progress;
  return options;
}

void set_designs(const Mechanism& mechanism, std::span<const double> parameters, Options& options) {
  const std::size_t width = mechanism.parameter_count();
  if (parameters.empty())
    return check_finite_rows(options.designs.values, width, "designs", "parameter");
  check_finite_rows(parameters, width, "parameters", "parameter");
  options.designs = {};
  options.designs.values.assign(parameters.begin(), parameters.end());
}

}  // namespace

Mechanism::Mechanism(Model model, Options options, Exchange exchange)
    : compilations_(
          std::make_shared<const Compilations>(std::move(model), options, std::move(exchange))),
      options_(std::make_shared<const Options>(std::move(options))) {
  check_method(options_->method);
  // One that is asked for by its name can run here.
  if (!compiled().backend().is_automatic())
    compiled().choose(compiled().backend(), 1, options_->method, {});
}

const CompiledMechanism& Mechanism::compiled() const {
  return *compilations_->stated();
}

const Model& Mechanism::model() const& {
  return compiled().model();
}
std::span<const double> Mechanism::nominal() const& {
  return compiled().nominal();
}
std::size_t Mechanism::objective_count() const {
  return compiled().plan().objectives.size();
}
std::size_t Mechanism::sensor_component_count() const {
  return static_cast<std::size_t>(compiled().plan().shown_signals());
}
std::size_t Mechanism::coordinate_count() const {
  return compiled().plan().coordinates.size();
}

const Exchange& Mechanism::exchange() const& {
  return compilations_->exchange();
}
std::size_t Mechanism::exchanged_component_count() const {
  const Exchange& exchange = compilations_->exchange();
  if (exchange.times.empty()) return 0;
  const Plan& plan = compilations_->extended()->plan();
  const std::size_t states = exchange.final_state ? 2 * coordinate_count() : 0;
  return (plan.objectives.size() - plan.stated_objectives - states) / exchange.times.size();
}

std::vector<double> Mechanism::start_state(std::span<const double> parameters,
                                           std::span<const double> given) const {
  if (parameters.empty()) parameters = nominal();
  check_size(parameters.size(), parameter_count(), "parameters", "[n_parameter]");
  check_finite(parameters, "parameters");
  if (given.empty()) return start_state_on_host(compiled().request(), parameters);
  check_size(given.size(), exchange().start_states ? 2 * coordinate_count() : 0, "given",
             exchange().start_states ? "[2 n_coordinate]" : kNoStartStates);
  check_finite(given, "given");
  std::vector<double> design(parameters.begin(), parameters.end());
  design.insert(design.end(), given.begin(), given.end());
  return start_state_on_host(compilations_->extended()->request(), design);
}

Result Mechanism::names() const {
  Options one = *options_;
  one.designs = {};
  one.log = {};
  BackendRequest backend = compiled().backend();
  if (backend.is_automatic()) backend.kind = BackendKind::cpu;
  const BackendChoice choice = compiled().choose(backend, 1, options_->method, {});
  return DesignRun(compilations_->stated(), one, choice).description(options_->method);
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
  return compute_motion(compilations_->stated(), run);
}

Result Mechanism::gradient(std::span<const double> parameters, const Options& options) const {
  Options run = of_run(*options_, options);
  set_designs(*this, parameters, run);
  return compute_gradient(compilations_->stated(), run);
}

CheckReport Mechanism::check() const {
  return compute_check(compilations_->stated(), *options_);
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
