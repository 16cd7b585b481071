// Euler parameters back to unit length, their rates across them: p <- p / |p|, p' <- p' - p (p .
// p'). What an open tree needs at the end of a step in place of closing its position.
// docs/theory.md, section 14.
#pragma once

#include "kernels/math/euler_parameters.hpp"
#include "kernels/stages/solve_columns.hpp"

GRADUS_KERNELS_BEGIN

// Keeps the length and the growth p . p' that it took away, for the columns.
template <class D>
GRADUS_ROUTINE void normalise(const D& d) {
  const Layout& l = d.layout;
  for (int i = 0; i < d.plan.body_count; ++i) {
    const int c = d.plan.bodies[i].euler;
    if (c < 0) continue;
    const auto p = load_euler(d.at(l.position + c));
    const auto rate = load_euler(d.at(l.velocity + c));
    const RealOf<D> length = sqrt(dot(p, p));
    const RealOf<D> inverse = RealOf<D>(1) / length;
    const RealOf<D> growth = inverse * dot(p, rate);
    for (int k = 0; k < 4; ++k) {
      d.at(l.position)[c + k] = inverse * p[k];
      d.at(l.velocity)[c + k] = rate[k] - growth * (inverse * p[k]);
    }
    d.at(l.articulated.length)[i] = length;
    d.at(l.articulated.growth)[i] = growth;
  }
}

// Its derivative, after it: column x of the position and y of the velocity become
//   x <- (x - p (p . x)) / length,   y <- y - growth x - p (p . y + x . p').
template <class D>
GRADUS_ROUTINE void normalise_columns(const D& d, const ColumnSpace& space) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const int columns = space.count;
  for (int i = 0; i < d.plan.body_count; ++i) {
    const int c = d.plan.bodies[i].euler;
    if (c < 0) continue;
    const auto p = load_euler(d.at(l.position + c));
    const auto rate = load_euler(d.at(l.velocity + c));
    const auto x = d.at(columns_in(d, space, kPosition) + c * columns);
    const auto y = d.at(columns_in(d, space, kVelocity) + c * columns);
    const Real inverse = Real(1) / d.at(l.articulated.length)[i];
    const Real growth = d.at(l.articulated.growth)[i];
    for (int j = 0; j < columns; ++j) {
      Real along(0);
      for (int k = 0; k < 4; ++k) along += p[k] * x[k * columns + j];
      Real drift(0);
      for (int k = 0; k < 4; ++k) {
        Real& entry = x[k * columns + j];
        entry = inverse * (entry - along * p[k]);
        drift += p[k] * y[k * columns + j] + entry * rate[k];
      }
      for (int k = 0; k < 4; ++k) y[k * columns + j] -= growth * x[k * columns + j] + drift * p[k];
    }
  }
}

GRADUS_KERNELS_END
