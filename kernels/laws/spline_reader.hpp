// Splines of a design: their polynomials where a law or an objective asks for them, how these
// answer to parameters, and what they are worth to objectives. docs/theory.md, section 6.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/expressions/spline.hpp"
#include "kernels/math/dual.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE SplineView spline_view(const D& d, const SplineEntry& spline) {
  return spline_view(spline, d.plan.spline_numbers);
}

// A number that does not change along the direction of dual numbers, and one that does.
template <class Number, class Real>
GRADUS_INLINE Number with_change(const Real& value, [[maybe_unused]] const Real& change) {
  if constexpr (std::is_same<Number, Real>::value) {
    return value;
  } else if constexpr (std::is_same<Number, Dual<Real, 1>>::value) {
    Number x(value);
    x.derivative[0] = change;
    return x;
  } else {
    return Number(Dual<Real, 1>(value));
  }
}

// Where x lies in a window.
template <class Number, class D>
GRADUS_FUNCTION Number place_in_window(const D& d, const SplineEntry& spline, const Number& x) {
  if (spline.window < 0) return x;
  using Real = typename D::Real;
  const auto slot = d.at(d.layout.slot + spline.window);
  return (x - with_change<Number>(Real(slot[0]), Real(0)) -
          with_change<Number>(Real(slot[1]), Real(0))) *
         with_change<Number>(Real(slot[2]), Real(0));
}

// How the coefficients of polynomial q change under an entry, by values and slopes at its ends.
template <class D>
GRADUS_FUNCTION void polynomial_change(const D& d, const PartialEntry& entry, const SplineView& s,
                                       int q, RealOf<D>* change) {
  using Real = typename D::Real;
  const auto direction = d.at(d.layout.direction + entry.direction);
  const auto of = [&](int knot, int level) {
    const int k = knot - entry.first;
    return k < 0 || k >= entry.count ? Real(0) : Real(direction[level * entry.count + k]);
  };
  const int k = q < 1 ? 0 : q - 1;
  change[0] = of(k, 0);
  change[1] = is_held(s, q) ? Real(0) : of(k, 1);
  change[2] = change[3] = Real(0);
  if (q == 0 || q == s.knots || s.kind == SplineKind::linear) return;
  const Real per_width(1.0 / (s.knot[k + 1] - s.knot[k]));
  const Real secant = (of(k + 1, 0) - change[0]) * per_width;
  const Real end = of(k + 1, 1);
  change[2] = (Real(3) * secant - Real(2) * change[1] - end) * per_width;
  change[3] = (change[1] + end - Real(2) * secant) * per_width * per_width;
}

// Splines as programs ask for them; under an entry, if there is one, their polynomials change.
template <class D>
struct SplineReader {
  using Real = typename D::Real;
  const D& d;
  const PartialEntry* entry = nullptr;

  // Calls, so that programs without splines stay as short as they are.
  template <class Number>
  GRADUS_CALL Number value(int number, const Number& x) const {
    return piece(number, x).value();
  }
  template <class Number>
  GRADUS_CALL Number slope(int number, const Number& x, const Number& adjoint) const {
    const Number slope = piece(number, x).slope(adjoint);
    const int window = d.plan.splines[number].window;
    if (window < 0) return slope;
    return slope * with_change<Number>(Real(d.at(d.layout.slot + window)[2]), Real(0));
  }

  template <class Number>
  GRADUS_FUNCTION SplinePiece<Number> piece(int number, const Number& at) const {
    const SplineEntry& spline = d.plan.splines[number];
    const Number x = place_in_window(d, spline, at);
    const SplineView s = spline_view(d, spline);
    const auto polynomial = d.at(d.layout.polynomial + spline.polynomial);
    const bool changes =
        entry != nullptr && entry->kind == PartialKind::spline && entry->index == number;
    Real base(0);
    Real value[4] = {Real(0), Real(0), Real(0), Real(0)};
    Real change[4] = {Real(0), Real(0), Real(0), Real(0)};
    const auto place = spline_place(s, plain(x));
    for_each_number(place.polynomial, [&](int q, const auto& where) {
      base = select(where, Real(spline_base(s, q)), base);
      const int coefficients = is_held(s, q) ? 1 : 4;
      for (int j = 0; j < coefficients; ++j)
        value[j] = select(where, Real(polynomial[4 * q + j]), value[j]);
      if (!changes) return;
      Real here[4];
      polynomial_change(d, *entry, s, q, here);
      for (int j = 0; j < 4; ++j) change[j] = select(where, here[j], change[j]);
    });
    const Number shift = with_change<Number>(Real(place.shift), Real(0));
    SplinePiece<Number> piece{x - shift - with_change<Number>(base, Real(0)), {}};
    for (int j = 0; j < 4; ++j) piece.c[j] = with_change<Number>(value[j], change[j]);
    return piece;
  }

  // How the spline at x changes under an entry of it.
  template <class Number>
  GRADUS_FUNCTION Number change(const PartialEntry& by, const Number& at) const {
    const SplineEntry& spline = d.plan.splines[by.index];
    const Number x = place_in_window(d, spline, at);
    const SplineView s = spline_view(d, spline);
    Real base(0);
    Real change[4] = {Real(0), Real(0), Real(0), Real(0)};
    const auto place = spline_place(s, plain(x));
    for_each_number(place.polynomial, [&](int q, const auto& where) {
      base = select(where, Real(spline_base(s, q)), base);
      Real here[4];
      polynomial_change(d, by, s, q, here);
      for (int j = 0; j < 4; ++j) change[j] = select(where, here[j], change[j]);
    });
    const Number shift = with_change<Number>(Real(place.shift), Real(0));
    SplinePiece<Number> piece{x - shift - with_change<Number>(base, Real(0)), {}};
    for (int j = 0; j < 4; ++j) piece.c[j] = with_change<Number>(change[j], Real(0));
    return piece.value();
  }
};

// Adds to an element what the values and slopes at the knots of its spline are worth, the
// coefficients of the polynomial there being worth worth_of(u^j).
template <class D, class Number, class Worth>
GRADUS_FUNCTION void add_spline_worth(const D& d, int gradient, int number, const Number& at,
                                      const Worth& worth_of) {
  using Real = typename D::Real;
  const SplineEntry& spline = d.plan.splines[number];
  if (spline.element < 0) return;
  const Number x = place_in_window(d, spline, at);
  const SplineView s = spline_view(d, spline);
  const auto out = d.at(gradient + d.plan.elements[spline.element].place);
  const auto place = spline_place(s, plain(x));
  for_each_number(place.polynomial, [&](int q, const auto& where) {
    const Number base = with_change<Number>(Real(spline_base(s, q)), Real(0));
    const Number u = x - with_change<Number>(Real(place.shift), Real(0)) - base;
    Real worth[4];
    Number power = with_change<Number>(Real(1), Real(0));
    for (int j = 0; j < 4; ++j) {
      worth[j] = select(where, Real(worth_of(power)), Real(0));
      power = power * u;
    }
    const int k = q < 1 ? 0 : q - 1;
    const int n = s.knots;
    if (is_held(s, q)) worth[1] = Real(0);
    if (q == 0 || q == n || s.kind == SplineKind::linear) {
      out[k] += worth[0];
      out[n + k] += worth[1];
      return;
    }
    const Real per_width(1.0 / (s.knot[k + 1] - s.knot[k]));
    const Real second = worth[2] * per_width;
    const Real third = worth[3] * per_width * per_width;
    const Real secant = (Real(3) * second - Real(2) * third) * per_width;
    out[k] += worth[0] - secant;
    out[k + 1] += secant;
    out[n + k] += worth[1] - Real(2) * second + third;
    out[n + k + 1] += third - second;
  });
}

// The polynomials of all splines, once the numbers of a design are known.
template <class D>
GRADUS_ROUTINE void fill_splines(const D& d) {
  for (int i = 0; i < d.plan.spline_count; ++i) {
    const SplineEntry& spline = d.plan.splines[i];
    auto out = d.at(d.layout.polynomial + spline.polynomial);
    find_polynomials<RealOf<D>>(spline_view(d, spline), d.at(d.layout.slot + spline.slot), out);
  }
}

GRADUS_KERNELS_END
