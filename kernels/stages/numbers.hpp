// From parameters to the numbers kernels read: slots, and the directions in which parameters change
// them. Once per design.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/expressions/evaluate.hpp"
#include "kernels/laws/number_array.hpp"
#include "kernels/laws/spline_reader.hpp"
#include "kernels/math/vector3.hpp"

GRADUS_KERNELS_BEGIN

// Joint frames become rotation vectors in the axes of their body: with X the frame, dX X^T is skew.
template <class D>
GRADUS_FUNCTION void frame_direction(const D& d, int slot, int direction) {
  const auto x = load9(d.at(d.layout.slot + slot), 0);
  const auto dx = load9(d.at(d.layout.direction + direction), 0);
  const Matrix3<RealOf<D>> w = times_transposed(dx, x);
  const RealOf<D> half(0.5);
  store3(d.at(d.layout.direction + direction), 0,
         VectorOf<D>{half * (w.m[7] - w.m[5]), half * (w.m[2] - w.m[6]), half * (w.m[3] - w.m[1])});
}

// Values at the knots of a spline from knot `begin` on, and how they change under an entry.
template <class D>
struct SplineValues {
  using Real = typename D::Real;
  const D& d;
  const PartialEntry& entry;
  const SplineEntry& spline;
  int begin;
  GRADUS_FUNCTION Dual<Real, 1> operator[](int i) const {
    const int k = begin + i;
    Dual<Real, 1> y(Real(d.at(d.layout.slot)[spline.slot + k]));
    const auto direction = d.at(d.layout.direction + entry.direction);
    const bool is_slope = k >= spline.knots;
    const int at = is_slope ? 2 * entry.count + k - spline.knots : k - entry.first;
    if (is_slope || (at >= 0 && at < entry.count)) y.derivative[0] = direction[at];
    return y;
  }
};

// How the slopes of splines follow the values at their knots. The directions of the values, and of
// slopes at the ends that are given, are known; the latter lie behind those of the slopes. Adjoints
// hand what slopes are worth to all values at once instead: gather_gradient().
template <class D>
GRADUS_ROUTINE void slope_directions(const D& d) {
  using Real = typename D::Real;
  using Change = Dual<Real, 1>;
  NumberArray<Change, typename D::Array> out{d.at(d.layout.polynomial_scratch)};
  for (int k = 0; k < d.plan.partial_count; ++k) {
    const PartialEntry& entry = d.plan.partials[k];
    if (entry.kind != PartialKind::spline) continue;
    const SplineEntry& spline = d.plan.splines[entry.index];
    if (d.settings.with_adjoint != 0 && !is_local(spline.kind)) continue;
    // Beyond its neighbours a knot of a local spline changes nothing.
    SplineView part = spline_view(d, spline);
    const int last = entry.first + entry.count;
    const int begin = is_local(spline.kind) && entry.first > 0 ? entry.first - 1 : 0;
    const int end = is_local(spline.kind) && last < spline.knots ? last + 1 : spline.knots;
    part.knot += begin;
    part.knots = end - begin;
    find_polynomials<Change>(part, SplineValues<D>{d, entry, spline, begin}, out);
    const auto direction = d.at(d.layout.direction + entry.direction);
    for (int i = 0; i < entry.count; ++i) {
      const Change slope = out[4 * (entry.first - begin + i + 1) + 1];
      direction[entry.count + i] = slope.derivative[0];
      d.fail(!is_finite(direction[entry.count + i]), Status::invalid_number, 0.0);
    }
  }
}

// Derivatives of the slots an entry concerns; those of other slots stay zero.
template <class D>
GRADUS_ROUTINE void directions(const D& d) {
  const Layout& l = d.layout;
  const auto value = d.at(l.program_value);
  const auto adjoint = d.at(l.program_adjoint);
  const auto direction = d.at(l.direction);
  const auto by_parameter = d.at(l.signal_adjoint);  // scratch
  int slot = -1;
  for (int i = 0; i < d.plan.direction_order_count; ++i) {
    const int k = d.plan.direction_order[i];
    const DirectionEntry& entry = d.plan.directions[k];
    if (entry.slot != slot) {
      slot = entry.slot;
      for (int p = 0; p < d.plan.parameter_count; ++p) by_parameter[p] = RealOf<D>(0);
      reverse(d.plan.slot_program, d.plan.slot_program.outputs[slot], value, adjoint,
              [&](int input, const RealOf<D>& a) { by_parameter[input] += a; });
    }
    direction[k] = by_parameter[entry.parameter];
    d.fail(!is_finite(direction[k]), Status::invalid_number, 0.0);
  }
  for (int p = 0; p < d.plan.parameter_count; ++p) by_parameter[p] = RealOf<D>(0);
  slope_directions(d);
  for (int p = 0; p < d.plan.parameter_count; ++p)
    for (int k = d.plan.partial_begin[p]; k < d.plan.partial_begin[p + 1]; ++k) {
      const PartialEntry& entry = d.plan.partials[k];
      if (entry.kind == PartialKind::parent_frame)
        frame_direction(d, d.plan.bodies[entry.index].parent_frame_slot, entry.direction);
      if (entry.kind == PartialKind::child_frame)
        frame_direction(d, d.plan.bodies[entry.index].child_frame_slot, entry.direction);
    }
}

// Whether a principal moment of inertia is negative by more than its tolerance: a matrix has no
// negative eigenvalue if and only if it has no negative principal minor.
template <class D>
GRADUS_FUNCTION MaskOf<RealOf<D>> has_negative_moment(const D& d, const BodyEntry& body) {
  using Value = ValueOf<RealOf<D>>;
  const auto slot = d.at(d.layout.slot);
  const Value tolerance = value_of(slot[body.inertia_tolerance_slot]);
  const int first = body.inertia_slot;
  const Value xx = value_of(slot[first]) + tolerance, yy = value_of(slot[first + 1]) + tolerance,
              zz = value_of(slot[first + 2]) + tolerance, xy = value_of(slot[first + 3]),
              xz = value_of(slot[first + 4]), yz = value_of(slot[first + 5]);
  const Value x = yy * zz - yz * yz, zero(0.0);
  const Value determinant = xx * x - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return xx < zero || yy < zero || zz < zero || x < zero || xx * zz - xz * xz < zero ||
         xx * yy - xy * xy < zero || determinant < zero;
}

// Clears the memory of the design and fills its slots. Runs first.
template <class D>
GRADUS_FUNCTION void prepare_numbers(const D& d, const LaunchArguments&) {
  const Layout& l = d.layout;
  d.forgive(typename D::Mask(true));
  // Slices of columns are cleared before.
  const int end = d.kHasSlices ? l.shared : l.size;
  for (int i = d.plan.parameter_count; i < end; ++i) d.memory[i] = RealOf<D>(0);
  const auto value = d.at(l.program_value);
  evaluate(d.plan.slot_program, d.at(l.parameter), value);
  MaskOf<RealOf<D>> finite(true);
  for (int s = 0; s < d.plan.slot_count; ++s) {
    d.at(l.slot)[s] = value[d.plan.slot_program.outputs[s]];
    finite = finite && is_finite(d.at(l.slot)[s]);
  }
  d.fail(!finite, Status::invalid_number, 0.0);
  fill_splines(d);
  for (int i = 0; i < d.plan.body_count; ++i) {
    const BodyEntry& body = d.plan.bodies[i];
    d.fail(value_of(d.at(l.slot)[body.mass_slot]) < ValueOf<RealOf<D>>(0.0), Status::negative_mass,
           0.0);
    d.fail(has_negative_moment(d, body), Status::negative_inertia, 0.0);
  }
  if (wants_gradient(d.settings) && !d.failed()) directions(d);
}

// The next of the steps that are replayed begins, for all designs.
template <class D>
GRADUS_FUNCTION void advance_clock(const D&, const LaunchArguments& arguments) {
  arguments.clock[0] += 1.0;
  arguments.clock[1] = arguments.clock[0] * arguments.chunk.settings.step;
}

GRADUS_KERNELS_END
