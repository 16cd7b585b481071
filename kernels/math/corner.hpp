// Where two courses meet that a kink parts: the one before it and the one behind it.
#pragma once

#include "kernels/math/interpolant.hpp"

GRADUS_KERNELS_BEGIN

// The jump of the slope at a corner, relative to what courses bend by over the interval about it:
// what bends as much may be round.
constexpr double kLeastCorner = 4.0;

// What courses may miss each other by where they meet at an end of the interval, relative to how
// far they are apart at both; what the polynomials are wrong by comes on top.
constexpr double kCornerSlack = 1e-9;

// A meeting point, what both courses count for in its derivative, and what they may miss it by.
template <class Real>
struct Corner {
  MaskOf<Real> exists;
  Real time, before, behind, slack;
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
  const Real at_low = sign * gap_at(Real(low)).value, at_high = sign * gap_at(Real(high)).value;
  const Real bends = absolute(before.at(Real(low)).curvature - behind.at(Real(high)).curvature);
  const Real slack = Real(kCornerSlack) * (absolute(at_low) + absolute(at_high)) +
                     Real((high - low) * (high - low)) * bends;
  const auto meets = at_low < slack && at_high > Real(0) - slack && at_low < at_high;
  const Real t = bracketed_root(gap_at, Real(low), Real(high), MaskOf<Real>(is_peak), meets);
  const Course<Real> p = before.at(t), q = behind.at(t);
  const Real jump = p.slope - q.slope;
  const Real bend = (absolute(p.curvature) + absolute(q.curvature)) * Real(high - low);
  const auto turns = sign * p.slope > Real(0) && sign * q.slope < Real(0);
  return {meets && turns && absolute(jump) > Real(kLeastCorner) * bend, t, Real(0) - q.slope / jump,
          p.slope / jump, slack};
}

GRADUS_KERNELS_END
