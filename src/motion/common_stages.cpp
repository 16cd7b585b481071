// Linearised stages that formulations share.
#include "src/motion/common_stages.hpp"

#include "src/motion/tangent.hpp"

namespace gradus {

using kernels::kAcceleration;
using kernels::kPosition;
using kernels::kVelocity;
using kernels::Layout;
using kernels::LeadingMatrix;
using kernels::StageTangent;

LeadingMatrix held_leading(const Layout& l) {
  return {-1, l.kinematic_factor, l.kinematic_pivot};
}
LeadingMatrix mass_leading(const Layout& l) {
  return {l.mass_matrix, l.mass_factor, l.mass_pivot};
}
LeadingMatrix mass_saddle(const Layout& l) {
  return {l.mass_matrix, l.saddle, l.saddle_pivot, 1};
}

// Held z' given;  Phi_z z' = -Phi_rho
StageTangent start_position(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), l.columns[kPosition]);
  stage.of_start = 1;
  residual(stage, l.start_partial[0], -1.0, {});
  constraints(stage, l.constraint_partial[0], {});
  return stage;
}

// Held zd' given;  Phi_z zd' = -(dPhi_z z' + dPhi_rho)
StageTangent start_velocity(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), l.columns[kVelocity]);
  stage.of_start = 1;
  residual(stage, l.start_partial[1], -1.0, {{l.held_rate, l.columns[kPosition], 1.0}});
  constraints(stage, l.constraint_partial[1], {{l.jacobian_rate, l.columns[kPosition], 1.0}});
  return stage;
}

// Held z' kept;  Phi_z z' = -Phi_rho
StageTangent closed_position(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), l.columns[kPosition]);
  stage.held_columns = l.columns[kPosition];
  constraints(stage, l.constraint_partial[0], {});
  return stage;
}

// Held zd' kept;  Phi_z zd' = -(dPhi_z z' + dPhi_rho)
StageTangent closed_velocity(const Layout& l) {
  StageTangent stage = stage_tangent(held_leading(l), l.columns[kVelocity]);
  stage.held_columns = l.columns[kVelocity];
  constraints(stage, l.constraint_partial[1], {{l.jacobian_rate, l.columns[kPosition], 1.0}});
  return stage;
}

// M zdd' + Phi_z^T lambda' = -(K z' + C zd' + D_rho);
// Phi_z zdd' = -(2 dPhi_z zd' + ddPhi_z z' + ddPhi_rho), and with stabilisation
//   - 2 xi Omega (Phi_z zd' + dPhi_z z' + dPhi_rho) - Omega^2 (Phi_z z' + Phi_rho)
StageTangent accelerations(const Layout& l, const kernels::StepSettings& s,
                           const LeadingMatrix& leading) {
  const int z = l.columns[kPosition];
  const int zd = l.columns[kVelocity];
  StageTangent stage = stage_tangent(leading, l.columns[kAcceleration]);
  residual(stage, l.residual_partial[0], 1.0, {{l.stiffness, z, 1.0}, {l.damping, zd, 1.0}});
  constraints(stage, l.constraint_partial[2],
              {{l.jacobian_rate, zd, 2.0}, {l.jacobian_acceleration, z, 1.0}});
  if (s.frequency == 0.0) return stage;
  constraints(stage, l.constraint_partial[1], {{l.jacobian, zd, 1.0}, {l.jacobian_rate, z, 1.0}},
              2.0 * s.damping_ratio * s.frequency);
  constraints(stage, l.constraint_partial[0], {{l.jacobian, z, 1.0}}, s.frequency * s.frequency);
  return stage;
}

}  // namespace gradus
