// Where two courses meet that a kink parts: the one before it and the one behind it.
#pragma once

#include "kernels/math/interpolant.hpp"

GRADUS_KERNELS_BEGIN

// The jump of the slope at a corner, relative to what courses bend by over the interval about it:
// what bends as much may be round.
constexpr double kLeastCorner = 4.0;

// A meeting point, and what both courses count for in its derivative.
template <class Real>
struct Corner {
  MaskOf<Real> exists;
  Real time, before, behind;
};

// The corner between `low` and `high`, where it is a peak or a trough. At the time t where courses
// meet, V = P(t) = Q(t), so that dV = dP + P' dt with dt = -(dP - dQ) / (P' - Q').
template <class Real, int N>
GRADUS_FUNCTION Corner<Real> corner_between(const Interpolant<Real, N>& before,
                                            const Interpolant<Real, N>& behind, double low,
                                            double high, bool is_peak) {
  const auto gap_at = [&](const Real& t) {
    const Course<Real> p = before.at(t), q = behind.at(t);
    return Line<Real>{p.value - q.value, p.slope - q.slope};
  };
  const Real sign(is_peak ? 1.0 : -1.0);
  const auto meets =
      sign * gap_at(Real(low)).value < Real(0) && sign * gap_at(Real(high)).value > Real(0);
  const Real t = bracketed_root(gap_at, Real(low), Real(high), MaskOf<Real>(is_peak), meets);
  const Course<Real> p = before.at(t), q = behind.at(t);
  const Real jump = p.slope - q.slope;
  const Real bend = (absolute(p.curvature) + absolute(q.curvature)) * Real(high - low);
  const auto turns = sign * p.slope > Real(0) && sign * q.slope < Real(0);
  return {meets && turns && absolute(jump) > Real(kLeastCorner) * bend, t, Real(0) - q.slope / jump,
          p.slope / jump};
}

GRADUS_KERNELS_END
