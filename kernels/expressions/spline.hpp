// Splines: from the values at the knots to the polynomial of every segment, and the look-up of the
// one that holds a point. docs/theory.md, section 6.
#pragma once

#include <cmath>
#include <type_traits>

#include "kernels/expressions/evaluate.hpp"
#include "kernels/expressions/spline_entry.hpp"
#include "kernels/math/dual.hpp"

GRADUS_KERNELS_BEGIN

// The number that decides on which segment a number lies.
GRADUS_INLINE double plain(double x) {
  return x;
}
template <class Number>
GRADUS_INLINE auto plain(const Number& x) {
  if constexpr (std::is_same<ValueOf<Number>, Number>::value)
    return x;
  else
    return plain(x.value);
}

// Of equal numbers the first.
template <class Number>
GRADUS_FUNCTION Number smaller(const Number& a, const Number& b) {
  return operations::minimum_operation::value(a, b);
}
template <class Number>
GRADUS_FUNCTION Number larger(const Number& a, const Number& b) {
  return operations::maximum_operation::value(a, b);
}

// Polynomial q of a spline is c0 + u (c1 + u (c2 + u c3)) with u = x - base(q): polynomial 0 lies
// before the first knot, polynomial k + 1 behind knot k. Numbers 4 q, ..., 4 q + 3 of `out`.
template <class Number, class Values, class Out>
struct SplinePolynomials {
  const SplineView& s;
  const Values& y;  // at the knots, and the slopes at the ends if these are given
  Out& out;

  GRADUS_FUNCTION void find() const {
    if (s.kind == SplineKind::natural) return find_natural();
    if (s.kind == SplineKind::linear) {
      for (int k = 0; k < s.knots; ++k) set(k, 1, secant(k < segments() ? k : k - 1));
    } else if (s.kind == SplineKind::monotone) {
      find_monotone_slopes();
    } else {
      find_smooth_slopes();
    }
    for (int k = 0; k < s.knots; ++k) set(k, 0, Number(y[k]));
    for (int k = 0; k < segments(); ++k) {
      const bool bends = s.kind != SplineKind::linear;
      const Number d0 = at(k, 1);
      const Number d1 = at(k + 1, 1);
      const Number w(width(k));
      const Number slope = secant(k);
      set(k, 2, bends ? (Number(3.0) * slope - Number(2.0) * d0 - d1) / w : Number(0.0));
      set(k, 3, bends ? (d0 + d1 - Number(2.0) * slope) / (w * w) : Number(0.0));
    }
    close_ends();
  }

 private:
  GRADUS_FUNCTION int segments() const { return s.knots - 1; }
  GRADUS_FUNCTION double width(int k) const { return s.knot[k + 1] - s.knot[k]; }
  GRADUS_FUNCTION Number secant(int k) const {
    return (Number(y[k + 1]) - Number(y[k])) / Number(width(k));
  }
  GRADUS_FUNCTION double row(int k, SplineRow what) const {
    return s.rows[kSplineRowNumbers * k + static_cast<int>(what)];
  }
  GRADUS_FUNCTION Number at(int k, int j) const { return Number(out[4 * (k + 1) + j]); }
  GRADUS_FUNCTION void set(int k, int j, const Number& x) const {
    set_entry(out, 4 * (k + 1) + j, x);
  }

  // Straight ends: what is beyond them holds, repeats or extends is seen to by the look-up.
  GRADUS_FUNCTION void close_ends() const {
    for (int j = 0; j < 4; ++j) {
      set_entry(out, j, j < 2 ? at(0, j) : Number(0.0));
      if (j > 1) set(segments(), j, Number(0.0));
    }
  }

  // Halves c of the second derivatives at the knots, with none at the ends:
  // h(k-1) c(k-1) + 2 (h(k-1) + h(k)) c(k) + h(k) c(k+1) = 3 (secant(k) - secant(k-1)).
  GRADUS_FUNCTION void find_natural() const {
    const int n = segments();
    set(0, 2, Number(0.0));
    set(n, 2, Number(0.0));
    for (int k = 1; k < n; ++k) {
      const Number bend = Number(3.0) * (secant(k) - secant(k - 1));
      set(k, 2, bend - Number(row(k, SplineRow::below)) * at(k - 1, 2));
    }
    for (int k = n - 1; k >= 1; --k) {
      const Number rest = at(k, 2) - Number(width(k)) * at(k + 1, 2);
      set(k, 2, rest / Number(row(k, SplineRow::pivot)));
    }
    set(0, 0, Number(y[0]));
    for (int k = 0; k < n; ++k) {
      const Number w(width(k));
      const Number bend = Number(2.0) * at(k, 2) + at(k + 1, 2);
      set(k, 1, secant(k) - Number(width(k) / 3.0) * bend);
      set(k, 3, (at(k + 1, 2) - at(k, 2)) / Number(3.0 * width(k)));
      set(k + 1, 0, at(k, 0) + w * (at(k, 1) + w * (at(k, 2) + w * at(k, 3))));
    }
    set(n, 1, secant(n - 1) + Number(width(n - 1) / 3.0) * at(n - 1, 2));
    close_ends();
  }

  // Fritsch and Carlson's choice as Fritsch and Butland put it: the harmonic mean of the secants of
  // both sides, and none where they differ in sign. At the ends the parabola through three knots,
  // kept to the sign of the first secant and to three times it.
  GRADUS_FUNCTION void find_monotone_slopes() const {
    const int n = segments();
    if (n == 1) {
      set(0, 1, secant(0));
      set(1, 1, secant(0));
      return;
    }
    for (int k = 1; k < n; ++k) {
      const double before = 2.0 * width(k) + width(k - 1);
      const double behind = width(k) + 2.0 * width(k - 1);
      const double share = before / (before + behind);
      const Number a = secant(k - 1);
      const Number b = secant(k);
      const Number none(0.0);
      set(k, 1,
          mean_of_rises(larger(none, a), larger(none, b), share) -
              mean_of_rises(larger(none, -a), larger(none, -b), share));
    }
    set(0, 1, end_slope(secant(0), secant(1), width(0), width(1)));
    set(n, 1, end_slope(secant(n - 1), secant(n - 2), width(n - 1), width(n - 2)));
  }
  GRADUS_FUNCTION Number mean_of_rises(const Number& a, const Number& b, double share) const {
    const Number sum = Number(share) * b + Number(1.0 - share) * a;
    return a * (b / larger(Number(1e-300), sum));
  }
  GRADUS_FUNCTION Number end_slope(const Number& near, const Number& far, double h0,
                                   double h1) const {
    const Number parabola = (Number(2.0 * h0 + h1) * near - Number(h0) * far) / Number(h0 + h1);
    const Number none(0.0);
    const Number three(3.0);
    return smaller(three * larger(none, near), larger(three * smaller(none, near), parabola));
  }

  // Slopes with which second derivatives go on at the knots, by the factors in `rows`.
  GRADUS_FUNCTION void find_smooth_slopes() const {
    const bool turns = s.kind == SplineKind::periodic;
    const int last = turns ? segments() - 1 : segments();
    for (int k = 0; k <= last; ++k) set(k, 1, right_hand_side(k, last));
    for (int k = 1; k <= last; ++k)
      set(k, 1, at(k, 1) - Number(row(k, SplineRow::below)) * at(k - 1, 1));
    for (int k = 0; turns && k + 1 < last; ++k)
      set(last, 1, at(last, 1) - Number(row(k, SplineRow::last_row)) * at(k, 1));
    set(last, 1, at(last, 1) / Number(row(last, SplineRow::pivot)));
    for (int k = last - 1; k >= 0; --k) {
      Number rest = at(k, 1) - Number(row(k, SplineRow::above)) * at(k + 1, 1);
      if (turns) rest = rest - Number(row(k, SplineRow::last_column)) * at(last, 1);
      set(k, 1, rest / Number(row(k, SplineRow::pivot)));
    }
    if (turns) set(segments(), 1, at(0, 1));
  }
  GRADUS_FUNCTION Number right_hand_side(int k, int last) const {
    if (s.kind == SplineKind::clamped && (k == 0 || k == last))
      return s.given_slopes != 0 ? Number(y[s.knots + (k == 0 ? 0 : 1)]) : Number(0.0);
    const SplineSecants sides = secants_of(s.kind, k, last);
    return Number(row(k, SplineRow::first)) * secant(sides.first) +
           Number(row(k, SplineRow::second)) * secant(sides.second);
  }
};

template <class Number, class Values, class Out>
GRADUS_FUNCTION void find_polynomials(const SplineView& s, const Values& y, Out& out) {
  SplinePolynomials<Number, Values, Out>{s, y, out}.find();
}

// How many knots are up to x; of NaN, none.
GRADUS_FUNCTION int knots_up_to(const SplineView& s, double x) {
  int low = 0;
  int high = s.knots;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (s.knot[middle] <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Where a point lies: on which polynomial, as a whole number of each lane, and by what it is
// shifted to lie in the first period.
template <class Value>
struct SplinePlace {
  Value polynomial, shift;
};

// Whether all numbers lie on pieces between knots.
GRADUS_FUNCTION bool goes_on_inside(const SplineView& s) {
  return s.ends == SplineEnds::repeat || s.ends == SplineEnds::extend ||
         s.ends == SplineEnds::window;
}

// To the first period, where a spline repeats.
template <class Value>
GRADUS_FUNCTION Value spline_shift(const SplineView& s, const Value& x) {
  if (s.ends != SplineEnds::repeat) return Value(0.0);
  const double period = s.knot[s.knots - 1] - s.knot[0];
  return Value(period) * floor((x - Value(s.knot[0])) / Value(period));
}

// The last polynomial ends with the last knot, which is often the end of the motion; a time that is
// a sum of steps may miss it by rounding.
template <class Value>
GRADUS_FUNCTION auto ends_by_rounding(const SplineView& s, const Value& x) {
  const double last = s.knot[s.knots - 1];
  const double rounding = 4e-16 * (::fabs(s.knot[0]) + ::fabs(last));
  return x - Value(last) <= Value(rounding);
}

GRADUS_FUNCTION SplinePlace<double> spline_place(const SplineView& s, double x) {
  const double shift = spline_shift(s, x);
  int q = knots_up_to(s, x - shift);
  const bool is_inside = goes_on_inside(s);
  if (q == s.knots && (is_inside || ends_by_rounding(s, x))) q = s.knots - 1;
  if (is_inside && q < 1) q = 1;
  return {static_cast<double>(q), shift};
}

// Lane by lane.
template <class Value>
GRADUS_FUNCTION SplinePlace<Value> spline_place(const SplineView& s, const Value& x) {
  SplinePlace<Value> places{Value(0.0), Value(0.0)};
  for (int i = 0; i < ScalarTraits<Value>::kLanes; ++i) {
    const SplinePlace<double> place = spline_place(s, lane(x, i));
    set_lane(places.polynomial, i, place.polynomial);
    set_lane(places.shift, i, place.shift);
  }
  return places;
}

GRADUS_FUNCTION double spline_base(const SplineView& s, int q) {
  return s.knot[q < 1 ? 0 : q - 1];
}
// Whether polynomial q is a constant because the spline holds its value beyond its ends.
GRADUS_FUNCTION bool is_held(const SplineView& s, int q) {
  return s.ends == SplineEnds::hold && (q == 0 || q == s.knots);
}

// The polynomial at hand and the place on it.
template <class Number>
struct SplinePiece {
  Number u;
  Number c[4];
  GRADUS_FUNCTION Number value() const { return c[0] + u * (c[1] + u * (c[2] + u * c[3])); }
  // The slope by u, times `adjoint`.
  GRADUS_FUNCTION Number slope(const Number& adjoint) const {
    const Number second = c[2] + u * c[3];
    const Number first = c[1] + u * second;
    const Number once = adjoint * u;
    return adjoint * first + once * second + once * u * c[3];
  }
};

GRADUS_KERNELS_END
