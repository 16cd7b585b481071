// ALI3-P, read top to bottom. docs/theory.md, sections 9 and 10. Primes are derivatives by a
// parameter; x is what a projection changes; D0, D1, D2 are the residuals of the three stages.
#include "src/motion/formulation.hpp"

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
kernels::ColumnSet algorithmic_columns(const StepSettings& s) {
  const bool same = s.algorithmic[0] == 0.0 && s.algorithmic[1] == 0.0;
  return same ? kernels::kAcceleration : kernels::kAlgorithmic;
}

// With the free acceleration w' as the unknown, z' = z'_w + beta h^2 w' and zd'_free = zd'_w +
// gamma h w', where z'_w and zd'_w are what is known of them: (M + gamma h C + beta h^2 K) w' +
// Phi_z^T lambda' = -(K z'_w + C zd'_w + D0_rho); Phi_z w' = -(Phi_z z'_w + Phi_rho) / (beta h^2)
StageTangent position(const Layout& l, const StepSettings& s) {
  using namespace kernels;
  const double h = s.step;
  const double bh2 = s.beta * h * h;
  const double gh = s.gamma * h;
  const Prediction share = prediction(s);
  const ColumnSet z = kPosition;
  const ColumnSet zd = kVelocity;
  const ColumnSet zdd = kAcceleration;
  const ColumnSet zd_free = kFreeVelocity;
  const ColumnSet w = kFreeAcceleration;
  StageTangent stage = stage_tangent(position_leading(l), w);
  const ColumnSet a = algorithmic_columns(s);
  const auto [z_a, z_zdd] = share.position;
  const auto [zd_a, zd_zdd] = share.velocity;
  before(stage, a == zdd ? combination(zd_free, {{zd, 1.0}, {zdd, zd_a + zd_zdd - gh}})
                         : combination(zd_free, {{zd, 1.0}, {zdd, zd_zdd - gh}, {a, zd_a}}));
  before(stage, a == zdd ? combination(z, {{z, 1.0}, {zd, h}, {zdd, z_a + z_zdd - bh2}})
                         : combination(z, {{z, 1.0}, {zd, h}, {zdd, z_zdd - bh2}, {a, z_a}}));
  residual(stage, kDynamics, 1.0, {{l.stiffness, z, 1.0}, {l.damping, zd_free, 1.0}});
  constraints(stage, kConstraint, {{l.jacobian, z, 1.0}}, 1.0 / bh2);
  after(stage, combination(z, {{z, 1.0}, {w, bh2}}));
  after(stage, combination(zd_free, {{zd_free, 1.0}, {w, gh}}));
  return stage;
}

// M x' + Phi_z^T sigma' = -(D1_z z' + D1_rho);  Phi_z x' = -(Phi_z zd'_free + dPhi_z z' + dPhi_rho)
StageTangent velocity_projection(const Layout& l, const LeadingMatrix& leading) {
  using namespace kernels;
  const ColumnSet z = kPosition;
  const ColumnSet free = kFreeVelocity;
  const ColumnSet x = kUnknown;
  StageTangent stage = stage_tangent(leading, x);
  stage.skipped = l.skipped;
  residual(stage, kVelocityProjection, 1.0, {{l.velocity_stiffness, z, 1.0}});
  constraints(stage, kConstraintRate, {{l.jacobian, free, 1.0}, {l.jacobian_rate, z, 1.0}});
  after(stage, combination(kVelocity, {{free, 1.0}, {x, 1.0}}));
  return stage;
}

// M x' + Phi_z^T kappa' = -(D2_z z' + D2_rho);
// Phi_z x' = -(Phi_z zdd'_free + 2 dPhi_z zd' + ddPhi_z z' + ddPhi_rho)
StageTangent acceleration_projection(const Layout& l, const StepSettings& s,
                                     const LeadingMatrix& leading) {
  using namespace kernels;
  const ColumnSet z = kPosition;
  const ColumnSet zd = kVelocity;
  const ColumnSet free = kFreeAcceleration;
  const ColumnSet x = kUnknown;
  StageTangent stage = stage_tangent(leading, x);
  stage.skipped = l.skipped + 1;
  residual(stage, kAccelerationProjection, 1.0, {{l.acceleration_stiffness, z, 1.0}});
  constraints(
      stage, kConstraintAcceleration,
      {{l.jacobian, free, 1.0}, {l.jacobian_rate, zd, 2.0}, {l.jacobian_acceleration, z, 1.0}});
  const ColumnSet zdd = kAcceleration;
  const ColumnSet a = algorithmic_columns(s);
  // What the algorithmic acceleration keeps of the true one at the start, before that is gone.
  if (a != zdd) after(stage, combination(a, {{a, s.algorithmic[0]}, {zdd, s.algorithmic[1]}}));
  after(stage, combination(zdd, {{free, 1.0}, {x, 1.0}}));
  if (a != zdd) after(stage, combination(a, {{a, 1.0}, {zdd, s.algorithmic[2]}}));
  return stage;
}

}  // namespace

Formulation ali3p(const Layout& l, const StepSettings& s) {
  Formulation f = starting(l, s);
  f.step = {KernelId::predict, KernelId::solve_position, KernelId::project_velocity,
            KernelId::project_acceleration};
  const bool by_penalty = s.projection_kind == static_cast<int>(kernels::ProjectionKind::penalty);
  const LeadingMatrix projections = by_penalty ? mass_saddle(l) : mass_leading(l);
  after(f.settle_tangents.back(),
        combination(kernels::kAlgorithmic, {{kernels::kAcceleration, 1.0}}));
  after(f.settle_tangents.back(), combination(kernels::kFreeVelocity, {{kernels::kVelocity, 1.0}}));
  f.step_tangents = {position(l, s), velocity_projection(l, projections),
                     acceleration_projection(l, s, projections)};
  return f;
}

}  // namespace gradus
