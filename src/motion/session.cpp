// Sessions.
#include "src/motion/session.hpp"

#include <cmath>
#include <limits>

#include "gradus/error.hpp"
#include "src/backend/device.hpp"
#include "src/model/message.hpp"
#include "src/motion/designs.hpp"
#include "src/motion/device_run.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/formulation.hpp"
#include "src/motion/host_run.hpp"

namespace gradus {
namespace {

constexpr double kMostSteps = 1e9;

Reference read_reference(const std::string& name) {
  if (name == "rtdyn0") return Reference::rtdyn0;
  if (name == "rtdyn1") return Reference::rtdyn1;
  throw InputError("reference: found \"" + name + "\", expected rtdyn0 or rtdyn1");
}

double positive(double value, const char* what) {
  if (!std::isfinite(value) || value <= 0.0)
    throw InputError(std::string(what) + ": found " + to_text(value) +
                     ", expected a finite number above 0");
  return value;
}

// Below the first, round-off keeps increments from ever being small enough.
double checked_tolerance(double tolerance) {
  if (!(tolerance >= 1e-12 && tolerance <= 1e-2))
    throw InputError("tolerance: found " + to_text(tolerance) + ", expected 1e-12 to 1e-2");
  return tolerance;
}

// Bounds say what is sensible; a value outside them is the user's choice, but worth a remark.
void remark_on_bounds(const Model& model, const Options& options) {
  if (!options.log) return;
  for (const Parameter& parameter : model.parameters) {
    const auto set = options.set.find(parameter.name);
    if (set == options.set.end() || !parameter.bounds) continue;
    const auto& [low, high] = *parameter.bounds;
    if (set->second < low || set->second > high)
      options.log("set: " + parameter.name + " = " + to_text(set->second) +
                  " lies outside its bounds " + to_text(low) + " to " + to_text(high));
  }
}

const Model& checked(const Model& model) {
  validate(model, model.name.empty() ? "model" : model.name);
  return model;
}

}  // namespace

Session::Session(const Model& model, const Options& options)
    : model_(checked(model)),
      options_(options),
      plan_(build_plan(model, read_reference(options.reference.value_or(model.analysis.reference)),
                       model.name.empty() ? "model" : model.name)) {
  const Analysis& analysis = model.analysis;
  request_.plan = &plan_;
  request_.formulation = options.formulation.value_or(analysis.formulation);
  const double duration = positive(options.duration.value_or(analysis.duration), "duration");
  const double step = positive(options.step.value_or(analysis.step), "step");
  if (duration / step > kMostSteps)
    throw InputError("step: duration / step is " + std::to_string(duration / step) +
                     ", expected at most 1e9");
  // A whole number of equal steps, the nearest to what is asked for.
  request_.steps = static_cast<std::size_t>(std::max(1LL, std::llround(duration / step)));
  request_.step = duration / static_cast<double>(request_.steps);
  request_.tolerance = checked_tolerance(options.tolerance.value_or(analysis.tolerance));
  request_.parameters = design_values(model, options, plan_.nominal);
  remark_on_bounds(model, options);
  request_.n_design = plan_.nominal.empty() ? std::max<std::size_t>(options.designs.count, 1)
                                            : request_.parameters.size() / plan_.nominal.size();
  request_.record = options.record;
  if (options.record_every < 1) throw InputError("record every: found 0, expected at least 1");
  request_.record_every = options.record_every;
  request_.progress = options.progress;
  make_formulation(request_.formulation, {}, request_.settings());  // throws if there is none
  backend_ = choose_backend(options.backend, request_.n_design, options.log);
}

MotionOutcome Session::run(MotionRequest request) const {
  switch (backend_.kind) {
    case BackendKind::cpu:
      return run_on_host(request, backend_.threads);
    case BackendKind::debug:
      return run_on_device(request, *make_debug_device());
    case BackendKind::cuda:
      break;
  }
  return run_on_device(request, *make_cuda_device(backend_.device));
}

Result Session::result(const MotionOutcome& outcome, const std::string& method) const {
  Result r;
  r.model = model_.name;
  r.backend = backend_.name();
  r.formulation = request_.formulation;
  r.reference = plan_.reference == Reference::rtdyn0 ? "rtdyn0" : "rtdyn1";
  r.method = method;
  r.step = request_.step;
  r.steps = request_.steps;
  r.duration = request_.step * static_cast<double>(request_.steps);
  r.n_design = request_.n_design;
  for (const Parameter& p : model_.parameters) r.parameters.push_back({p.name, p.unit});
  for (const Objective& o : model_.objectives) r.objectives.push_back({o.name, o.unit});
  r.coordinates = plan_.coordinate_names;
  r.sensor_components = plan_.signal_names;
  for (std::size_t s = 0; s < model_.sensors.size(); ++s) {
    r.sensors.push_back(model_.sensors[s].name);
    r.sensor_sizes.push_back(static_cast<std::size_t>(plan_.sensors[s].size));
  }
  r.parameter_values = request_.parameters;
  r.objective_values = outcome.objectives;
  r.final_sensors = outcome.signals;
  r.constraint_violation = outcome.violation;
  r.newton_iterations = outcome.iterations;
  r.trajectories = outcome.trajectories;
  for (std::size_t d = 0; d < r.n_design; ++d) {
    DesignStatus status;
    status.ok = outcome.status[d] == kernels::Status::ok;
    status.time = outcome.failure_time[d];
    status.message = failure_message(outcome.status[d], plan_);
    r.status.push_back(status);
  }
  r.timing.motion_s = outcome.motion_s;
  r.timing.sensitivity_s = outcome.sensitivity_s;
  return r;
}

}  // namespace gradus
