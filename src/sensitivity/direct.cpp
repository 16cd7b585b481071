// Direct differentiation and the two adjoints: runs of the motion that carry columns or rows.
#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

// Reactions are worth something to multipliers, of which a continuous adjoint knows nothing.
void refuse_reactions(const Plan& plan) {
  for (std::size_t o = 0; plan.uses_reactions != 0 && o < plan.objectives.size(); ++o)
    for (int k = plan.objectives[o].sensor_begin; k < plan.objectives[o].sensor_end; ++k) {
      const auto s = static_cast<std::size_t>(plan.objective_sensors[static_cast<std::size_t>(k)]);
      const kernels::SignalKind kind = plan.sensors[s].kind;
      if (kind < kernels::SignalKind::joint_force) continue;
      throw InputError("objective " + in_quotes(plan.objective_names[o].name) +
                       ": no continuous adjoint (it depends on the sensor " +
                       in_quotes(plan.sensor_names[s]) +
                       ", a reaction); use the method direct or adjoint");
    }
}

// A value within the motion makes its costates jump there.
void refuse_values(const Plan& plan) {
  for (std::size_t o = 0; o < plan.objectives.size(); ++o)
    if (plan.objectives[o].kind == kernels::ObjectiveKind::value)
      throw InputError(
          "objective " + in_quotes(plan.objective_names[o].name) +
          ": no continuous adjoint (it is a value at a time); use the method direct or "
          "adjoint");
}

// Sensitivities of reactions over time are not recorded.
void refuse_reaction_columns(const MotionRequest& request) {
  const Plan& plan = *request.plan;
  for (std::size_t s = 0; s < plan.sensors.size() && request.columns; ++s)
    if (plan.sensors[s].kind >= kernels::SignalKind::joint_force)
      throw InputError("columns: the sensor " + in_quotes(plan.sensor_names[s]) +
                       " is a reaction (columns are recorded of motions, not of forces); leave the "
                       "sensor out, or use the method dual");
}

// Columns are what adjoints do without.
void refuse_columns(const DesignRun& run, const char* method) {
  if (run.request().columns)
    throw InputError(std::string("columns: the method ") + method +
                     " follows objectives backwards and has no columns; use the method direct, or "
                     "leave them out");
}

}  // namespace

MotionRequest request_of(const DesignRun& run, const std::string& method) {
  MotionRequest request = run.request();
  if (method == "direct") {
    refuse_reaction_columns(request);
    request.sensitivity = Sensitivity::direct;
  } else if (method == "adjoint") {
    refuse_columns(run, "adjoint");
    request.sensitivity = Sensitivity::adjoint;
  } else if (method == "continuous-adjoint") {
    refuse_columns(run, "continuous-adjoint");
    refuse_reactions(run.plan());
    refuse_values(run.plan());
    request.sensitivity = Sensitivity::continuous;
  }
  return request;
}

MotionOutcome adjoint_gradient(const DesignRun& run) {
  return run.run(request_of(run, "adjoint"));
}
MotionOutcome direct_gradient(const DesignRun& run) {
  return run.run(request_of(run, "direct"));
}

}  // namespace gradus
