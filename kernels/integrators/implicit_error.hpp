// The error of a step of an implicit method: by an embedded method that counts the start of the
// step, and what of it the Jacobian there lets pass, which damps what the method damps. E. Hairer,
// G. Wanner, Solving Ordinary Differential Equations II, section IV.8.
#pragma once

#include "kernels/integrators/closing_error.hpp"
#include "kernels/integrators/controlled_stages.hpp"

GRADUS_KERNELS_BEGIN

// Where an error is kept, of the motion or of its columns, [n, columns] each, and what makes it.
struct ErrorPlaces {
  int position, velocity;
  int base, stages;  // accelerations
  int columns;
};

// (1 - h g J)^-1 times the error, where J is the Jacobian of z and z' as one system: the factors of
// the first block of the iteration. Filtering twice, as codes do after a rejection, would lose
// sight of velocities that a stiff spring prescribes: they converge slowly, and would be wrong at
// will.
template <class D>
GRADUS_ROUTINE void find_error(const D& d, double h, const ErrorPlaces& e) {
  const IntegratorLayout& s = d.layout.integrator;
  const TableauView& t = d.tableau;
  const int n = d.plan.coordinate_count;
  const int size = n * e.columns;
  const auto position = d.at(e.position);
  const auto velocity = d.at(e.velocity);
  for (int i = 0; i < size; ++i) {
    RealOf<D> bar(0);
    RealOf<D> plain = RealOf<D>(tableau(d, t.error(), t.stages)) * d.at(e.base)[i];
    for (int j = 0; j < t.stages; ++j) {
      const RealOf<D> stage = d.at(e.stages + j * size)[i];
      bar += RealOf<D>(tableau(d, t.error_bar(), j)) * stage;
      plain += RealOf<D>(tableau(d, t.error(), j)) * stage;
    }
    position[i] = RealOf<D>(h * h) * bar;
    velocity[i] = RealOf<D>(h) * plain;
  }
  const RealOf<D> share(h * tableau(d, t.blocks(), 0));
  const auto jacobian = d.at(s.base_jacobian);
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < n; ++k) {
      const RealOf<D> weight = share * jacobian[r * 2 * n + k];
      for (int c = 0; c < e.columns; ++c)
        velocity[r * e.columns + c] += weight * position[k * e.columns + c];
    }
  solve_factorised(d.at(s.block_matrix), d.at(s.block_pivot), n, velocity, e.columns);
  for (int i = 0; i < size; ++i) position[i] += share * velocity[i];
}

// Sum of squares of the error of the state over what is allowed.
template <class D>
GRADUS_ROUTINE double implicit_state_error(const D& d) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  double sum = 0.0;
  const auto add = [&](int error, int before, int after, int i) {
    const double ratio = value_of(d.at(error)[i]) /
                         (d.settings.atol + d.settings.rtol * larger_of(d, before, after, i));
    sum += ratio * ratio;
  };
  for (int i = 0; i < d.plan.coordinate_count; ++i) {
    add(s.position_error, s.position, l.position, i);
    add(s.velocity_error, s.velocity, l.velocity, i);
  }
  return sum;
}

// The same of the worst column.
template <class D>
GRADUS_ROUTINE double implicit_column_error(const D& d) {
  const Layout& l = d.layout;
  const IntegratorLayout& s = l.integrator;
  const int columns = d.plan.column_count;
  double worst = 0.0;
  for (int c = 0; c < columns; ++c) {
    double sum = 0.0;
    const auto add = [&](int error, int before, int after) {
      const double scale = column_scale(d, largest_of_column(d, before, after, c), c);
      for (int i = 0; i < d.plan.coordinate_count; ++i) {
        const double ratio = value_of(d.at(error)[i * columns + c]) / scale;
        sum += ratio * ratio;
      }
    };
    add(s.position_error_columns, s.position_columns, l.columns[kPosition]);
    add(s.velocity_error_columns, s.velocity_columns, l.columns[kVelocity]);
    worst = worse_of(worst, sum);
  }
  return worst;
}

// Mean square of the error over what is allowed, of the state or of the worst of the columns.
template <class D>
GRADUS_ROUTINE double implicit_error_square(const D& d, double h, bool with_columns) {
  const IntegratorLayout& s = d.layout.integrator;
  const int count = d.plan.coordinate_count > 0 ? 2 * d.plan.coordinate_count : 1;
  find_error(d, h, {s.position_error, s.velocity_error, s.acceleration, s.stages, 1});
  double worst = implicit_state_error(d);
  if (with_columns) {
    find_error(d, h,
               {s.position_error_columns, s.velocity_error_columns, s.acceleration_columns,
                s.stage_columns, d.plan.column_count});
    worst = worse_of(worst, implicit_column_error(d));
  }
  return worst / count;
}

GRADUS_KERNELS_END
