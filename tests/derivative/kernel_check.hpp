// Differentiating kernels by dual numbers: models to do it on, and comparison of whole matrices.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/stages/linearise.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/design_fixture.hpp"

namespace gradus::derivative {

using support::Dual1;
using support::seeded;
using support::slope_of;
template <class Real>
using Fixture = support::DesignFixture<Real>;

// Mechanisms in which every kernel has something to do, all their numbers parameters.
inline std::vector<Model> kernel_models() {
  std::vector<Model> models;
  for (const Model& model : {skew_chain(), branched_tree(), general_loop(JointType::revolute),
                             general_loop(JointType::prismatic), double_general_loop(),
                             every_joint(), every_force(), every_constraint()})
    models.push_back(parametrise_all(model));
  // Where no zero directions are compared, theirs change nothing.
  models.push_back(parametrise_all(
      every_closure(), {"zero cut 0", "zero cut 2", "zero cut 3", "zero cut 5", "child_zero cut 0",
                        "child_zero cut 2", "child_zero cut 3", "child_zero cut 5"}));
  return models;
}

// Calls use(model, reference) for every mechanism and reference point.
template <class Use>
void for_each_kernel_model(const Use& use) {
  for (const Model& model : kernel_models())
    for (const Reference reference : {Reference::rtdyn0, Reference::rtdyn1}) {
      SCOPED_TRACE(model.name + (reference == Reference::rtdyn0 ? " rtdyn0" : " rtdyn1"));
      use(model, reference);
    }
}

// Everything up to the residuals of the three stages, at the state of the design: forces at the
// free motion, motion and constraints after projection, and what the projections do.
template <class D>
void evaluate_everything(const D& d) {
  const kernels::Layout& l = d.layout;
  kernels::evaluate_forces(d);
  kernels::tangents(d);
  kernels::velocities(d, l.motion, d.at(l.velocity));
  kernels::constraint_rates(d, l.motion, d.at(l.velocity));
  kernels::evaluate_motion(d, l.acceleration);
  kernels::constraint_jacobian(d, l.motion);
  kernels::linearise_projection(d, l.velocity_change, l.velocity_multiplier, l.velocity_change_rate,
                                l.velocity_change_axis, l.velocity_load, l.velocity_stiffness);
  kernels::linearise_projection(d, l.acceleration_change, l.acceleration_multiplier,
                                l.acceleration_change_rate, l.acceleration_change_axis,
                                l.acceleration_load, l.acceleration_stiffness);
}

// Collects pairs of an analytic and a dual derivative and compares them on the scale of the
// largest.
class Comparison {
 public:
  explicit Comparison(std::string what) : what_(std::move(what)) {}
  void add(double analytic, double dual) {
    scale_ = std::max(scale_, std::abs(dual));
    deviation_ =
        std::isfinite(analytic - dual) ? std::max(deviation_, std::abs(analytic - dual)) : 1e300;
  }
  // Rounding of sums of some hundred terms.
  void expect_equal(double tolerance = 1e-12) const {
    EXPECT_GT(scale_, 1e-3) << what_ << " vanishes, the test would prove nothing";
    EXPECT_LT(deviation_, tolerance * scale_) << what_;
  }

 private:
  std::string what_;
  double scale_ = 0.0;
  double deviation_ = 0.0;
};

}  // namespace gradus::derivative
