// Direct differentiation: the columns travel with the motion.
#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

bool is_reaction(kernels::SignalKind kind) {
  using kernels::SignalKind;
  return kind == SignalKind::joint_force || kind == SignalKind::joint_moment ||
         kind == SignalKind::loop_force || kind == SignalKind::loop_moment;
}

// Columns hold positions and rates; multipliers, which reactions are made of, have none.
void refuse_reactions(const Plan& plan) {
  for (std::size_t o = 0; o < plan.objectives.size(); ++o)
    for (int k = plan.objectives[o].sensor_begin; k < plan.objectives[o].sensor_end; ++k) {
      const auto s = static_cast<std::size_t>(plan.objective_sensors[static_cast<std::size_t>(k)]);
      if (!is_reaction(plan.sensors[s].kind)) continue;
      throw InputError("objective " + in_quotes(plan.objective_names[o]) +
                       ": no direct gradient (it depends on the sensor " +
                       in_quotes(plan.sensor_names[s]) +
                       ", a reaction, and the direct method carries no derivatives of reactions); "
                       "use the method dual or finite-difference");
    }
}

}  // namespace

MotionOutcome adjoint_gradient(const Session& session) {
  refuse_reactions(session.plan());
  MotionRequest request = session.request();
  request.sensitivity = Sensitivity::adjoint;
  return session.run(std::move(request));
}

MotionOutcome direct_gradient(const Session& session) {
  refuse_reactions(session.plan());
  MotionRequest request = session.request();
  request.sensitivity = Sensitivity::direct;
  return session.run(std::move(request));
}

}  // namespace gradus
