// Forces, constraints and stiffness where nothing moves, and what they say of an equilibrium:
// whether it is one but for round-off, and whether some motion meets no stiffness there.
// docs/theory.md, section 9.
#pragma once

#include "kernels/stages/assembly.hpp"
#include "kernels/stages/resting_states.hpp"

GRADUS_KERNELS_BEGIN

constexpr double kNearRest = 1e-6;  // increments below which nothing but Newton's method counts
constexpr double kRestRoundOff = 1e-14;  // of forces, per coordinate
constexpr double kLastDigit = 1e-15;     // of a force
constexpr double kNoStiffness = 1e-14;   // of the scaled stiffness of a motion
constexpr double kNoSlope = 1e-12;       // if derivatives are asked for
constexpr int kInverseIterations = 3;
constexpr double kBalanced = 1e-9;  // forces this much smaller than those at work are none
constexpr double kNoRate = 1e-14;   // nor are rates of states below it

// The force on a coordinate where it looks for balance, or minus the rate of a state; kept states
// look for nothing.
template <class D>
GRADUS_FUNCTION RealOf<D> rest_force(const D& d, int c) {
  return keeps_state(d, c) ? RealOf<D>(0) : generalised_force(d, d.layout.load, c);
}

// The constraints' Jacobian, split without a verdict: a singular configuration on the way is none.
template <class D>
GRADUS_FUNCTION void split_at_rest(const D& d) {
  const Layout& l = d.layout;
  constraint_jacobian(d, l.free_motion);
  if (is_open_tree(d.plan)) return split_tree(d);
  split_densely(d);
}

template <class D>
GRADUS_FUNCTION void take_rest_forces(const D& d) {
  for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(d.layout.top)[c] = -rest_force(d, c);
}

// Forces, constraints and stiffness at the position, nothing moving; multipliers as those that
// leave the least of the forces unbalanced.
template <class D>
GRADUS_ROUTINE void evaluate_rest(const D& d) {
  const Layout& l = d.layout;
  for (const int rates : {l.velocity, l.acceleration, l.free_velocity, l.free_acceleration})
    set_zero(d.at(rates), d.plan.coordinate_count);
  take_resting_states(d);
  set_zero(d.at(l.multiplier), d.plan.constraint_rows);
  evaluate_forces(d);
  split_at_rest(d);
  if (d.plan.constraint_rank > 0) {
    take_rest_forces(d);
    solve_multipliers(d, motion_arrays(d, l.solution, l.multiplier), 1);
    evaluate_loads(d);
  }
  tangents(d);
  answer_to_states(d);
}

// Without a verdict, too: what is soft beside the rest is no failure.
template <class D>
GRADUS_ROUTINE void factorise_rest(const D& d, const LeadingMatrix& leading) {
  reduce_matrix(d, leading.matrix, leading.factor);
  factorise(d.at(leading.factor), d.at(leading.pivot), d.plan.independent_count);
}

// The increment that a leading matrix asks for at the evaluated position, to `solution`.
template <class D>
GRADUS_ROUTINE void solve_rest(const D& d, const LeadingMatrix& leading) {
  const Layout& l = d.layout;
  factorise_rest(d, leading);
  take_rest_forces(d);
  set_zero(d.at(l.bottom), d.plan.constraint_rank);
  add_pivot_rows(d, l.constraint, 1, -1.0, l.bottom);
  constrained_solve(d, leading, motion_arrays(d, l.solution), 1);
}

// Forces at work on coordinate c, balanced or not.
template <class D>
GRADUS_FUNCTION typename D::Value force_scale(const D& d, int c) {
  const Layout& l = d.layout;
  const int body = d.plan.coordinates[c].body;
  const auto axis = load_motion(d.at(l.axis), c);
  const auto size = [](const VectorOf<D>& v) { return sqrt(value_of(dot(v, v))); };
  const auto weight = load_force(d.at(l.load.wrench), body);
  const auto load = load_wrench(d, l.load, body);
  return size(axis.v) * (size(weight.f) + size(load.f)) +
         size(axis.w) * (size(weight.n) + size(load.n)) +
         absolute(value_of(d.at(l.load.direct)[c]));
}

// Whether the symmetric part of a matrix [n, n] is positive definite on what the constraints leave
// free of the mechanism. Constraints know of no states, which are the last of the free motions.
template <class D>
GRADUS_ROUTINE typename D::Mask is_positive(const D& d, int matrix) {
  const int free = d.plan.independent_count;
  const int own = free - d.plan.state_count;
  const auto a = d.at(d.layout.mass_factor);
  reduce_matrix(d, matrix, d.layout.mass_factor);
  for (int i = 0; i < own; ++i)
    for (int j = 0; j < i; ++j)
      a[i * free + j] = a[j * free + i] = RealOf<D>(0.5) * (a[i * free + j] + a[j * free + i]);
  typename D::Mask positive(true);
  for (int k = 0; k < own; ++k) {
    positive = positive && value_of(a[k * free + k]) > typename D::Value(0.0);
    const RealOf<D> inverse = RealOf<D>(1) / a[k * free + k];
    for (int i = k + 1; i < own; ++i) {
      const RealOf<D> factor = a[i * free + k] * inverse;
      for (int j = k + 1; j < own; ++j) a[i * free + j] -= factor * a[k * free + j];
    }
  }
  return positive;
}

// Size of the inverse of a factorised matrix [n, n], by inverse iteration.
template <class D, class Array>
GRADUS_ROUTINE typename D::Value largest_inverse(const D& d, const Array& a, const Array& pivot,
                                                 int n) {
  using Value = typename D::Value;
  const auto x = d.at(d.layout.solution);
  for (int i = 0; i < n; ++i) x[i] = RealOf<D>(1.0 / (1.0 + i % 7));  // along no motion by chance
  Value size(0.0);
  for (int k = 0; k < kInverseIterations; ++k) {
    solve_factorised(a, pivot, n, x, 1);
    size = Value(0.0);
    for (int i = 0; i < n; ++i) {
      const Value entry = absolute(value_of(x[i]));
      size = select(entry > size || !is_finite(entry), entry, size);
    }
    for (int i = 0; i < n; ++i) x[i] = x[i] / RealOf<D>(size);
  }
  return size;
}

// A size of stiffness along free motion i below which there is round-off only: a share of the
// forces at work.
template <class D>
GRADUS_FUNCTION typename D::Value least_stiffness(const D& d, int i) {
  using Value = typename D::Value;
  if (d.plan.constraint_rank == 0) return Value(1e-3) * force_scale(d, i);
  Value force(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    force += square(value_of(d.at(d.layout.null_space)[c * d.plan.independent_count + i])) *
             force_scale(d, c);
  return Value(1e-3) * force;
}

// Scales rows, then columns of the reduced stiffness by their largest entries, which have nothing
// to do with each other where states are among the coordinates; returns where one has none.
template <class D>
GRADUS_ROUTINE typename D::Mask scale_states(const D& d) {
  using Value = typename D::Value;
  const int free = d.plan.independent_count;
  const int own = free - d.plan.state_count;
  const auto a = d.at(d.layout.mass_factor);
  typename D::Mask empty(false);
  for (int i = 0; i < free; ++i) {
    const Value least = i < own ? least_stiffness(d, i) : Value(0.0);
    Value largest = least;
    for (int j = 0; j < free; ++j) {
      const Value entry = absolute(value_of(a[i * free + j]));
      largest = select(entry > largest, entry, largest);
    }
    empty = empty || !(largest > Value(0.0));
    for (int j = 0; j < free; ++j) a[i * free + j] *= RealOf<D>(Value(1.0) / largest);
    d.at(d.layout.solution)[i] = RealOf<D>(least / largest);
  }
  for (int j = 0; j < free; ++j) {
    Value largest = value_of(d.at(d.layout.solution)[j]);
    for (int i = 0; i < free; ++i) {
      const Value entry = absolute(value_of(a[i * free + j]));
      largest = select(entry > largest, entry, largest);
    }
    empty = empty || !(largest > Value(0.0));
    for (int i = 0; i < free; ++i) a[i * free + j] *= RealOf<D>(Value(1.0) / largest);
  }
  return empty;
}

// The same of a mechanism alone, rows and columns alike.
template <class D>
GRADUS_ROUTINE typename D::Mask scale_motions(const D& d) {
  using Value = typename D::Value;
  const int free = d.plan.independent_count;
  const auto a = d.at(d.layout.mass_factor);
  const auto scale = d.at(d.layout.solution);
  typename D::Mask slack(false);
  for (int i = 0; i < free; ++i) {
    Value largest = least_stiffness(d, i);
    for (int j = 0; j < free; ++j) {
      const Value row = absolute(value_of(a[i * free + j]));
      const Value column = absolute(value_of(a[j * free + i]));
      largest = select(row > largest, row, largest);
      largest = select(column > largest, column, largest);
    }
    slack = slack || !(largest > Value(0.0));
    scale[i] = RealOf<D>(Value(1.0) / sqrt(largest));
  }
  for (int i = 0; i < free; ++i)
    for (int j = 0; j < free; ++j) a[i * free + j] *= scale[i] * scale[j];
  return slack;
}

// Whether some free motion meets no stiffness, or some state no force: the stiffness in coordinates
// scaled by their own.
template <class D>
GRADUS_ROUTINE typename D::Mask is_slack(const D& d) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const int free = d.plan.independent_count;
  const auto a = d.at(l.mass_factor);
  reduce_matrix(d, l.stiffness, l.mass_factor);
  const auto slack = d.plan.state_count > 0 ? scale_states(d) : scale_motions(d);
  factorise(a, d.at(l.mass_pivot), free);
  // Derivatives lose the digits that positions keep.
  const double least = wants_gradient(d.settings) ? kNoSlope : kNoStiffness;
  return slack || !(largest_inverse(d, a, d.at(l.mass_pivot), free) < Value(1.0 / least));
}

// Whether what is left of the forces is round-off: of those at work, and of what the last digits of
// the coordinates change.
template <class D>
GRADUS_ROUTINE typename D::Mask is_round_off(const D& d) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  typename D::Mask all(true);
  for (int c = 0; c < n; ++c) {
    Value scale = force_scale(d, c);
    for (int j = 0; j < n; ++j)
      scale += absolute(value_of(d.at(d.layout.stiffness)[c * n + j])) *
               (Value(1.0) + absolute(value_of(d.at(d.layout.position)[j])));
    const Value left = absolute(value_of(rest_force(d, c)));
    all = all && left <= Value(kRestRoundOff * n) * scale;
  }
  return all;
}

// Largest of the increments at hand, beside 1 or the coordinate.
template <class D>
GRADUS_FUNCTION typename D::Value largest_rest_increment(const D& d) {
  using Value = typename D::Value;
  Value largest(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const Value size = relative_magnitude(value_of(d.at(d.layout.solution)[c]),
                                          value_of(d.at(d.layout.position)[c]));
    largest = select(size > largest || !is_finite(size), size, largest);
  }
  return largest;
}

// Whether forces at work that change in their last digit move the position by more than counts as
// near, as where the stiffness falls to nothing towards the equilibrium.
template <class D>
GRADUS_ROUTINE typename D::Mask is_blurred(const D& d) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const LeadingMatrix leading = rest_leading(l);
  factorise_rest(d, leading);
  typename D::Mask blurred(false);
  for (const double sign : {1.0, -1.0}) {
    double side = 1.0;
    for (int c = 0; c < d.plan.coordinate_count; ++c, side *= sign)
      d.at(l.top)[c] = RealOf<D>(Value(kLastDigit * side) * force_scale(d, c));
    set_zero(d.at(l.bottom), d.plan.constraint_rank);
    constrained_solve(d, leading, motion_arrays(d, l.solution), 1);
    blurred = blurred || !(largest_rest_increment(d) < Value(kNearRest));
  }
  return blurred;
}

// Where the rate of the state of coordinate c does not vanish, beside what changes of positions and
// states make of it.
template <class D>
GRADUS_ROUTINE typename D::Mask drifts(const D& d, int c) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  Value scale(0.0);
  for (int j = 0; j < n; ++j) {
    const int matrix = j < mechanism_coordinates(d) ? d.layout.stiffness : d.layout.damping;
    scale += absolute(value_of(d.at(matrix)[c * n + j])) *
             (Value(1.0) + absolute(value_of(d.at(d.layout.position)[j])));
  }
  const Value rate = absolute(value_of(generalised_force(d, d.layout.load, c)));
  return !(rate <= Value(kBalanced) * scale + Value(kNoRate));
}

// Blames the last state in whose place the rate does not vanish; returns where there is one.
template <class D>
GRADUS_ROUTINE typename D::Mask blame_state(const D& d, const typename D::Mask& where) {
  typename D::Mask any_drifts(false);
  if (d.plan.state_count == 0) return any_drifts;
  tangents(d);  // those of kept states too
  for (int c = mechanism_coordinates(d); c < d.plan.coordinate_count; ++c) {
    const auto here = where && drifts(d, c);
    RealOf<D>& to = d.at(d.layout.blamed)[0];
    to = select(here, RealOf<D>(c + 1), to);
    any_drifts = any_drifts || here;
  }
  answer_to_states(d);
  return any_drifts;
}

// Blames the coordinate whose force is balanced least, beside those at work, as number from 1 on;
// returns whether all are balanced but for round-off.
template <class D>
GRADUS_ROUTINE typename D::Mask blame_coordinate(const D& d, const typename D::Mask& where) {
  using Value = typename D::Value;
  Value scale(0.0);
  Value largest(-1.0);
  Value blamed(0.0);
  for (int c = 0; c < mechanism_coordinates(d); ++c) {
    const Value size = absolute(value_of(generalised_force(d, d.layout.load, c)));
    const Value own = force_scale(d, c);
    const auto larger = !(size <= largest);
    largest = select(larger, size, largest);
    blamed = select(larger, Value(c + 1), blamed);
    scale = select(own > scale, own, scale);
  }
  RealOf<D>& to = d.at(d.layout.blamed)[0];
  to = select(where, RealOf<D>(blamed), to);
  return largest <= Value(kBalanced) * scale;
}

GRADUS_KERNELS_END
