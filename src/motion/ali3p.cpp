// ALI3-P, read top to bottom. docs/theory.md, sections 9 and 10. Primes are derivatives by a
// parameter; x is what a projection changes; D0, D1, D2 are the residuals of the three stages.
#include "src/motion/ali3p.hpp"

#include "src/motion/common_stages.hpp"
#include "src/motion/tangent.hpp"

namespace gradus {
namespace {

using kernels::KernelId;
using kernels::Layout;
using kernels::LeadingMatrix;
using kernels::StageTangent;
using kernels::StepSettings;

// Columns of the algorithmic acceleration: those of the true one unless generalised-alpha tells
// them apart.
int algorithmic_columns(const Layout& l, const StepSettings& s) {
  const bool same = s.algorithmic[0] == 0.0 && s.algorithmic[1] == 0.0;
  return l.columns[same ? kernels::kAcceleration : kernels::kAlgorithmic];
}

// With z' = predicted + u, free rates = predicted + gamma/(beta h) u and predicted + u/(beta h^2):
// (M + gamma h C + beta h^2 K) u + Phi_z^T lambda' = -beta h^2 (K z'_p + C zd'_p + M zdd'_p +
// D0_rho); Phi_z u = -(Phi_z z'_p + Phi_rho)
StageTangent position(const Layout& l, const StepSettings& s) {
  using namespace kernels;
  const double h = s.step;
  const double bh2 = s.beta * h * h;
  const Prediction share = prediction(s);
  const int z = l.columns[kPosition];
  const int zd = l.columns[kVelocity];
  const int zdd = l.columns[kAcceleration];
  const int zd_predicted = l.columns[kPredictedVelocity];
  const int zdd_predicted = l.columns[kPredictedAcceleration];
  const int u = l.columns[kUnknown];
  StageTangent stage = stage_tangent({l.position_matrix, l.position_factor, l.position_pivot}, u);
  const int a = algorithmic_columns(l, s);
  const auto [z_a, z_zdd] = share.position;
  const auto [zd_a, zd_zdd] = share.velocity;
  before(stage, a == zdd ? combination(zd_predicted, {{zd, 1.0}, {zdd, zd_a + zd_zdd}})
                         : combination(zd_predicted, {{zd, 1.0}, {zdd, zd_zdd}, {a, zd_a}}));
  before(stage, combination(zdd_predicted, {{zdd, 1.0}}));
  before(stage, a == zdd ? combination(z, {{z, 1.0}, {zd, h}, {zdd, z_a + z_zdd}})
                         : combination(z, {{z, 1.0}, {zd, h}, {zdd, z_zdd}, {a, z_a}}));
  residual(
      stage, l.residual_partial[0], bh2,
      {{l.stiffness, z, bh2}, {l.damping, zd_predicted, bh2}, {l.mass_matrix, zdd_predicted, bh2}});
  constraints(stage, l.constraint_partial[0], {{l.jacobian, z, 1.0}});
  after(stage, combination(z, {{z, 1.0}, {u, 1.0}}));
  after(stage,
        combination(l.columns[kFreeVelocity], {{zd_predicted, 1.0}, {u, s.gamma / (s.beta * h)}}));
  after(stage, combination(l.columns[kFreeAcceleration], {{zdd_predicted, 1.0}, {u, 1.0 / bh2}}));
  return stage;
}

// M x' + Phi_z^T sigma' = -(D1_z z' + D1_rho);  Phi_z x' = -(Phi_z zd'_free + dPhi_z z' + dPhi_rho)
StageTangent velocity_projection(const Layout& l, const LeadingMatrix& leading) {
  using namespace kernels;
  const int z = l.columns[kPosition];
  const int free = l.columns[kFreeVelocity];
  const int x = l.columns[kUnknown];
  StageTangent stage = stage_tangent(leading, x);
  stage.skipped = l.skipped;
  residual(stage, l.residual_partial[1], 1.0, {{l.velocity_stiffness, z, 1.0}});
  constraints(stage, l.constraint_partial[1], {{l.jacobian, free, 1.0}, {l.jacobian_rate, z, 1.0}});
  after(stage, combination(l.columns[kVelocity], {{free, 1.0}, {x, 1.0}}));
  return stage;
}

// M x' + Phi_z^T kappa' = -(D2_z z' + D2_rho);
// Phi_z x' = -(Phi_z zdd'_free + 2 dPhi_z zd' + ddPhi_z z' + ddPhi_rho)
StageTangent acceleration_projection(const Layout& l, const StepSettings& s,
                                     const LeadingMatrix& leading) {
  using namespace kernels;
  const int z = l.columns[kPosition];
  const int zd = l.columns[kVelocity];
  const int free = l.columns[kFreeAcceleration];
  const int x = l.columns[kUnknown];
  StageTangent stage = stage_tangent(leading, x);
  stage.skipped = l.skipped + 1;
  residual(stage, l.residual_partial[2], 1.0, {{l.acceleration_stiffness, z, 1.0}});
  constraints(
      stage, l.constraint_partial[2],
      {{l.jacobian, free, 1.0}, {l.jacobian_rate, zd, 2.0}, {l.jacobian_acceleration, z, 1.0}});
  const int zdd = l.columns[kAcceleration];
  const int a = algorithmic_columns(l, s);
  after(stage, combination(zdd, {{free, 1.0}, {x, 1.0}}));
  if (a != zdd)
    after(stage, combination(a, {{a, s.algorithmic[0]},
                                 {l.columns[kPredictedAcceleration], s.algorithmic[1]},
                                 {zdd, s.algorithmic[2]}}));
  return stage;
}

}  // namespace

Formulation ali3p(const Layout& l, const StepSettings& s) {
  Formulation f;
  f.name = "ali3p";
  f.start = {KernelId::start_position, KernelId::start_velocity};
  f.settle = {KernelId::start_acceleration};
  f.step = {KernelId::predict, KernelId::solve_position, KernelId::project_velocity,
            KernelId::project_acceleration};
  const bool by_penalty = s.projection_kind == static_cast<int>(kernels::ProjectionKind::penalty);
  const LeadingMatrix projections = by_penalty ? mass_saddle(l) : mass_leading(l);
  f.start_tangents = {start_position(l), start_velocity(l)};
  f.settle_tangents = {accelerations(l, s, mass_leading(l))};
  after(f.settle_tangents.back(),
        combination(l.columns[kernels::kAlgorithmic], {{l.columns[kernels::kAcceleration], 1.0}}));
  f.step_tangents = {position(l, s), velocity_projection(l, projections),
                     acceleration_projection(l, s, projections)};
  return f;
}

}  // namespace gradus
