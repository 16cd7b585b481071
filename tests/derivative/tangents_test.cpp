// Derivatives of the stages' residuals by coordinates, rates and accelerations against dual
// numbers.
#include <Eigen/Cholesky>

#include "kernels/stages/start.hpp"
#include "tests/derivative/kernel_check.hpp"

namespace gradus::derivative {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

RowMatrix matrix_at(Fixture<double>& f, int offset, int rows, int columns) {
  RowMatrix m(rows, columns);
  for (int i = 0; i < rows * columns; ++i) m(i / columns, i % columns) = f.value(offset, i);
  return m;
}

// Calls compare(row, column, dual fixture) after an evaluation with coordinate `column` of the
// array at `seed` seeded.
template <class Evaluate, class Compare>
void differentiate(Fixture<Dual1>& f, int seed, const Evaluate& evaluate, const Compare& compare) {
  for (int c = 0; c < f.view().coordinate_count; ++c) {
    Dual1& entry = f.at(seed, c);
    const Dual1 kept = entry;
    entry = seeded(kept.value);
    evaluate(f.design());
    compare(c);
    entry = kept;
  }
}

TEST(Tangents, MassMatrixIsSymmetricAndPositiveDefinite) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    f.set_random_state(7);
    kernels::evaluate_forces(f.design());
    kernels::tangents(f.design());
    const int n = f.view().coordinate_count;
    const RowMatrix mass = matrix_at(f, f.layout().mass_matrix, n, n);
    EXPECT_LT((mass - mass.transpose()).cwiseAbs().maxCoeff(), 1e-14 * mass.cwiseAbs().maxCoeff());
    // Along Euler parameters nothing moves.
    RowMatrix regular = mass;
    for (int i = 0; i < f.view().body_count; ++i) {
      const int c = f.view().bodies[i].euler;
      if (c < 0) continue;
      const RowMatrix p = matrix_at(f, f.layout().position + c, 4, 1);
      EXPECT_LT((mass.middleCols(c, 4) * p).cwiseAbs().maxCoeff(),
                1e-13 * mass.cwiseAbs().maxCoeff());
      regular.block(c, c, 4, 4) += p * p.transpose();
    }
    EXPECT_EQ(regular.llt().info(), Eigen::Success);
    kernels::mass_matrix(f.design());
    EXPECT_EQ(matrix_at(f, f.layout().mass_matrix, n, n), mass);
  });
}

TEST(Tangents, StiffnessDampingAndMassOfTheForces) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    for (const unsigned state : {1U, 2U}) {
      Fixture<double> f(model, reference);
      Fixture<Dual1> g(model, reference);
      f.set_random_state(state);
      g.set_random_state(state);
      evaluate_everything(f.design());
      const kernels::Layout& l = f.layout();
      const int n = f.view().coordinate_count;
      const auto check = [&](int seed, int tangent, const char* what) {
        Comparison comparison(what);
        differentiate(
            g, seed, [](const auto& d) { kernels::evaluate_forces(d); },
            [&](int c) {
              for (int k = 0; k < n; ++k)
                comparison.add(f.value(tangent, k * n + c),
                               slope_of(kernels::generalised_force(g.design(), l.load, k)));
            });
        comparison.expect_equal();
      };
      check(l.position, l.stiffness, "stiffness");
      check(l.free_velocity, l.damping, "damping");
      check(l.free_acceleration, l.mass_matrix, "mass");
    }
  });
}

TEST(Tangents, ResidualAloneIsTheSameForce) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    Fixture<double> g(model, reference);
    f.set_random_state(4);
    g.set_random_state(4);
    kernels::evaluate_forces(f.design());
    kernels::evaluate_residual(g.design());
    Comparison comparison("residual");
    for (int k = 0; k < f.view().coordinate_count; ++k)
      comparison.add(kernels::generalised_force(g.design(), g.layout().load, k),
                     kernels::generalised_force(f.design(), f.layout().load, k));
    comparison.expect_equal();
  });
}

TEST(Tangents, Projections) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    if (f.view().constraint_rows == 0) return;
    Fixture<Dual1> g(model, reference);
    f.set_random_state(3);
    g.set_random_state(3);
    evaluate_everything(f.design());
    const kernels::Layout& l = f.layout();
    const int n = f.view().coordinate_count;
    const int m = f.view().constraint_rows;
    struct Stage {
      int change, multiplier, stiffness;
      const kernels::LoadLayout& load;
    };
    for (const Stage& stage :
         {Stage{l.velocity_change, l.velocity_multiplier, l.velocity_stiffness, l.velocity_load},
          Stage{l.acceleration_change, l.acceleration_multiplier, l.acceleration_stiffness,
                l.acceleration_load}}) {
      // The residual that is differentiated is M x + Phi_z^T multiplier.
      Comparison value("residual of a projection");
      const RowMatrix mass = matrix_at(f, l.mass_matrix, n, n);
      const RowMatrix jacobian = matrix_at(f, l.jacobian, m, n);
      const Eigen::VectorXd residual = mass * matrix_at(f, stage.change, n, 1) +
                                       jacobian.transpose() * matrix_at(f, stage.multiplier, m, 1);
      for (int k = 0; k < n; ++k)
        value.add(kernels::generalised_force(f.design(), stage.load, k), residual[k]);
      value.expect_equal();

      Comparison comparison("stiffness of a projection");
      differentiate(
          g, l.position, [](const auto& d) { evaluate_everything(d); },
          [&](int c) {
            for (int k = 0; k < n; ++k)
              comparison.add(f.value(stage.stiffness, k * n + c),
                             slope_of(kernels::generalised_force(g.design(), stage.load, k)));
          });
      comparison.expect_equal();
    }
  });
}

TEST(Tangents, ConstraintsAndTheirRates) {
  for_each_kernel_model([](const Model& model, Reference reference) {
    Fixture<double> f(model, reference);
    if (f.view().constraint_rows == 0) return;
    Fixture<Dual1> g(model, reference);
    f.set_random_state(5);
    g.set_random_state(5);
    evaluate_everything(f.design());
    kernels::constraint_jacobian_rates(f.design(), f.layout().motion,
                                       f.design().at(f.layout().velocity),
                                       f.design().at(f.layout().acceleration));
    const kernels::Layout& l = f.layout();
    const int n = f.view().coordinate_count;
    const auto check = [&](int seed, int values, int derivative, double factor, const char* what) {
      Comparison comparison(what);
      differentiate(
          g, seed, [](const auto& d) { evaluate_everything(d); },
          [&](int c) {
            for (int i = 0; i < f.view().constraint_rows; ++i)
              comparison.add(factor * f.value(derivative, i * n + c), slope_of(g.at(values, i)));
          });
      comparison.expect_equal();
    };
    check(l.position, l.constraint, l.jacobian, 1.0, "constraint by position");
    check(l.position, l.constraint_rate, l.jacobian_rate, 1.0, "rate by position");
    check(l.position, l.constraint_acceleration, l.jacobian_acceleration, 1.0,
          "acceleration by position");
    check(l.velocity, l.constraint_rate, l.jacobian, 1.0, "rate by velocity");
    check(l.velocity, l.constraint_acceleration, l.jacobian_rate, 2.0, "acceleration by velocity");
    check(l.acceleration, l.constraint_acceleration, l.jacobian, 1.0,
          "acceleration by acceleration");
  });
}

}  // namespace
}  // namespace gradus::derivative
