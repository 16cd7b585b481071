// From options to requests, and from outcomes to results.
#include "src/motion/design_run.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "gradus/error.hpp"
#include "src/backend/device.hpp"
#include "src/motion/device_run.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/host_memory.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/remarks.hpp"
#include "src/motion/stage_solver.hpp"

namespace gradus {
namespace {

// Outside its knots a spline is a guess.
void set_extrapolation(const Plan& plan, const std::vector<double>& extrapolation, Result& result) {
  for (std::size_t s = 0; s < plan.splines.size(); ++s)
    if (kernels::extrapolates(plan.splines[s].ends))
      result.extrapolating_splines.push_back(plan.spline_name(s));
  for (std::size_t d = 0; d < result.n_design; ++d)
    for (std::size_t s = 0; s < plan.splines.size(); ++s) {
      if (!kernels::extrapolates(plan.splines[s].ends)) continue;
      const double* const found = extrapolation.data() + 2 * (d * plan.splines.size() + s);
      result.extrapolation.push_back(found[0]);
      result.extrapolation_start.push_back(
          found[0] > 0.0 ? found[1] : std::numeric_limits<double>::quiet_NaN());
    }
}

// Which integrator ran which design.
void set_stiffness(const MotionRequest& request, MotionOutcome& outcome, Result& result) {
  if (request.tableau.implicit || !request.is_adaptive()) return;
  result.stiff_since = std::move(outcome.stiff_since);
  if (request.stiff_integrator.empty()) return;
  result.switched = std::move(outcome.switched);
  const auto count = std::ranges::count(result.switched, 1.0);
  if (count == 0) return;
  result.stiff_integrator = request.stiff_integrator;
  if (static_cast<std::size_t>(count) == result.n_design)
    result.integrator = request.stiff_integrator;
}

}  // namespace

DesignRun::DesignRun(const Model& model, const Options& options, const std::string& method)
    : DesignRun(std::make_shared<const CompiledMechanism>(model, options), options, method) {}

DesignRun::DesignRun(std::shared_ptr<const CompiledMechanism> mechanism, const Options& options,
                     const std::string& method)
    : DesignRun(std::move(mechanism), options, BackendChoice{}) {
  backend_ = mechanism_->choose(options.backend, request_.n_design, method, options.log);
}

DesignRun::DesignRun(std::shared_ptr<const CompiledMechanism> mechanism, const Options& options,
                     const BackendChoice& backend)
    : mechanism_(std::move(mechanism)),
      options_(options),
      request_(mechanism_->request()),
      backend_(backend) {
  const std::vector<double>& nominal = plan().nominal;
  request_.parameters = design_values(model(), options, nominal);
  request_.n_design = nominal.empty() ? std::max<std::size_t>(options.designs.count, 1)
                                      : request_.parameters.size() / nominal.size();
  request_.record = options.record || options.columns;
  request_.columns = options.columns;
  if (options.record_every < 1) throw InputError("record every: found 0, expected at least 1");
  request_.record_every = options.record_every;
  request_.progress = options.progress;
  request_.cancelled = options.cancelled;
  request_.log = options.log;
  request_.memory = options.memory;
}

MotionOutcome DesignRun::run(MotionRequest request) const {
  if (asks_for_stage_solver(request)) check_stage_solver(request, backend_);
  require_memory_of_outcome(request);
  if (backend_.kind == BackendKind::cpu) return run_on_host(request, backend_.threads);
  if (request.tableau.linear)
    throw InputError("backend: found " + backend_.name() + ", where " +
                     request.analysis.integrator +
                     " does not run; use cpu, or the integrator radau9");
  const std::unique_ptr<Device> device =
      backend_.kind == BackendKind::debug ? make_debug_device() : make_cuda_device(backend_.device);
  return is_adjoint(request.sensitivity) ? run_adjoint_on_device(request, *device)
                                         : run_on_device(request, *device);
}

std::span<const double> DesignRun::parameters_of(std::size_t design) const {
  const std::size_t count = plan().nominal.size();
  return std::span(request_.parameters).subspan(design * count, count);
}

Result DesignRun::description(const std::string& method) const {
  Result r;
  r.model = model().name;
  r.backend = backend_.name();
  r.formulation = request_.formulation->name;
  r.coordinate_kind = mechanism().request().analysis.coordinates;
  r.reference = plan().reference == Reference::rtdyn0 ? "rtdyn0" : "rtdyn1";
  r.method = method;
  r.step = request_.step;
  r.steps = request_.steps;
  r.adaptive = request_.tableau.error_order > 0;
  r.duration = request_.step * static_cast<double>(request_.steps);
  r.n_design = request_.n_design;
  for (const Parameter& p : model().parameters) r.parameters.push_back({p.name, p.unit});
  r.objectives = plan().objective_names;
  for (const Objective& o : model().objectives)
    if (!o.residuals.empty()) r.least_squares.push_back(o.name);
  r.coordinates = plan().coordinate_names;
  r.sensor_components = plan().signal_names;
  for (std::size_t s = 0; s < model().sensors.size(); ++s) {
    r.sensors.push_back(model().sensors[s].name);
    r.sensor_sizes.push_back(static_cast<std::size_t>(plan().sensors[s].size));
  }
  if (request_.analysis.singular != "fail") r.singular_start = name_of_singular_start(plan());
  r.integrator = request_.analysis.integrator;
  r.parameter_values = request_.parameters;
  return r;
}

Result DesignRun::result(MotionOutcome outcome, const std::string& method) const {
  Result r = description(method);
  r.lanes = outcome.lanes;
  r.solver = outcome.solver;
  r.refused = std::move(outcome.refused);
  r.objective_values = std::move(outcome.objectives);
  r.final_sensors = std::move(outcome.signals);
  r.gauss_newton = std::move(outcome.gauss_newton);
  r.constraint_violation = std::move(outcome.violation);
  r.newton_iterations = std::move(outcome.iterations);
  r.singular_passage = std::move(outcome.passage);
  r.jump = std::move(outcome.jump);
  set_stiffness(request_, outcome, r);
  r.step_count = std::move(outcome.steps);
  r.rejected_steps = std::move(outcome.rejected_steps);
  r.gradient = std::move(outcome.gradient);
  r.trajectories = std::move(outcome.trajectories);
  for (const PassedEvent& passed : outcome.events) {
    const kernels::EventEntry& event = plan().events[passed.event];
    r.events.push_back({plan().law_names[static_cast<std::size_t>(event.when)], passed.time});
  }
  r.has_sensor_columns = request_.columns;
  r.has_objective_history = request_.records_objectives();
  for (std::size_t d = 0; d < r.n_design; ++d) {
    DesignStatus status;
    status.ok = outcome.status[d] == kernels::Status::ok;
    if (status.ok && request_.tableau.stages == 0)
      r.step_count[d] = static_cast<double>(request_.steps);
    status.time = outcome.failure_time[d];
    status.message = failure_message(outcome.status[d], request_, outcome.blamed[d], status.time,
                                     parameters_of(d));
    r.status.push_back(status);
  }
  set_extrapolation(plan(), outcome.extrapolation, r);
  if (options_.log) remark_on_motions(r, options_.log);
  remark_on_angles(outcome.largest_angle, plan(), options_);
  r.recomputation = outcome.recomputation;
  r.timing.motion_s = outcome.motion_s;
  r.timing.sensitivity_s = outcome.sensitivity_s;
  return r;
}

Result run_motion(const std::shared_ptr<const CompiledMechanism>& mechanism,
                  const Options& options) {
  if (options.columns)
    throw InputError(
        "columns: simulate computes no sensitivities; use gradient, or leave them out");
  const DesignRun designs(mechanism, options);
  return designs.result(designs.run(designs.request()), "none");
}

}  // namespace gradus
