// The polynomial through a few values in time, and where it or its slope is zero.
#pragma once

#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

// A value, and its first and second derivatives by time.
template <class Real>
struct Course {
  Real value, slope, curvature;
};

// Through at most N values, in Newton's form. Times are relative to `origin` [s], ascending.
template <class Real, int N>
struct Interpolant {
  int count = 0;
  double origin = 0.0;
  double time[N];
  Real difference[N];  // values, and then divided differences

  GRADUS_FUNCTION void divide() {
    for (int order = 1; order < count; ++order)
      for (int k = count - 1; k >= order; --k)
        difference[k] =
            (difference[k] - difference[k - 1]) * Real(1.0 / (time[k] - time[k - order]));
  }

  GRADUS_FUNCTION Course<Real> at(const Real& t) const {
    Course<Real> c{difference[count - 1], Real(0), Real(0)};
    for (int k = count - 2; k >= 0; --k) {
      const Real dt = t - Real(time[k]);
      c.curvature = c.curvature * dt + Real(2) * c.slope;
      c.slope = c.slope * dt + c.value;
      c.value = c.value * dt + difference[k];
    }
    return c;
  }

  // What value k counts for at t: Lagrange's polynomial.
  GRADUS_FUNCTION Real share(int k, const Real& t) const {
    Real product(1);
    for (int j = 0; j < count; ++j)
      if (j != k) product *= (t - Real(time[j])) * Real(1.0 / (time[k] - time[j]));
    return product;
  }
};

// A number and its slope.
template <class Real>
struct Line {
  Real value, slope;
};

// The zero of line_at(t) between `low` and `high`, at whose end it is above zero where `rises`:
// Newton's method, kept inside by bisection, until it stands still. Lanes that are not `wanted` are
// left alone.
template <class Real, class Function>
GRADUS_FUNCTION Real bracketed_root(const Function& line_at, Real low, Real high,
                                    const MaskOf<Real>& rises, MaskOf<Real> wanted) {
  constexpr int kMost = 200;
  const Real still = Real(1e-15) * (high - low);
  Real t = Real(0.5) * (low + high);
  for (int i = 0; i < kMost && any(wanted); ++i) {
    const Line<Real> f = line_at(t);
    const auto above = f.value > Real(0);
    const auto beyond = (rises && above) || (!rises && !above);
    high = select(wanted && beyond, t, high);
    low = select(wanted && !beyond, t, low);
    const Real newton = t - f.value / f.slope;
    const auto stands = is_zero(f.value) || absolute(newton - t) <= still;
    const Real next = select(newton > low && newton < high, newton, Real(0.5) * (low + high));
    t = select(wanted && !stands, next, t);
    wanted = wanted && !stands && high - low > still;
  }
  return t;
}

GRADUS_KERNELS_END
