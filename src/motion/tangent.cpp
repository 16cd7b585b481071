// Linearised stages that formulations share.
#include "src/motion/tangent.hpp"

namespace gradus {

using namespace kernels;  // words for stages

// Held z' given;  Phi_z z' = -Phi_rho
StageTangent start_position(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), kPosition);
  stage.of_start = 1;
  residual(stage, kStartPosition, -1.0, {});
  constraints(stage, kConstraint, {});
  return stage;
}

// Held zd' given;  Phi_z zd' = -(dPhi_z z' + dPhi_rho)
StageTangent start_velocity(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), kVelocity);
  stage.of_start = 1;
  residual(stage, kStartVelocity, -1.0, {{l.held_rate, kPosition, 1.0}});
  constraints(stage, kConstraintRate, {{l.jacobian_rate, kPosition, 1.0}});
  return stage;
}

// Held z' kept;  Phi_z z' = -Phi_rho
StageTangent closed_position(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), kPosition);
  stage.held_columns = kPosition;
  constraints(stage, kConstraint, {});
  return stage;
}

// Held zd' kept;  Phi_z zd' = -(dPhi_z z' + dPhi_rho)
StageTangent closed_velocity(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), kVelocity);
  stage.held_columns = kVelocity;
  constraints(stage, kConstraintRate, {{l.jacobian_rate, kPosition, 1.0}});
  return stage;
}

// M zdd' + Phi_z^T lambda' = -(K z' + C zd' + D_rho);
// Phi_z zdd' = -(2 dPhi_z zd' + ddPhi_z z' + ddPhi_rho), and with stabilisation
//   - 2 xi Omega (Phi_z zd' + dPhi_z z' + dPhi_rho) - Omega^2 (Phi_z z' + Phi_rho)
StageTangent accelerations(const Layout& l, const StepSettings& s, const LeadingMatrix& leading) {
  const ColumnSet z = kPosition;
  const ColumnSet zd = kVelocity;
  StageTangent stage = stage_tangent(leading, kAcceleration);
  residual(stage, kDynamics, 1.0, {{l.stiffness, z, 1.0}, {l.damping, zd, 1.0}});
  constraints(stage, kConstraintAcceleration,
              {{l.jacobian_rate, zd, 2.0}, {l.jacobian_acceleration, z, 1.0}});
  if (s.frequency == 0.0) return stage;
  constraints(stage, kConstraintRate, {{l.jacobian, zd, 1.0}, {l.jacobian_rate, z, 1.0}},
              2.0 * s.damping_ratio * s.frequency);
  constraints(stage, kConstraint, {{l.jacobian, z, 1.0}}, s.frequency * s.frequency);
  return stage;
}

}  // namespace gradus
