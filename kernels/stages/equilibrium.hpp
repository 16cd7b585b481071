// Static equilibrium as the start of a motion: the position at which every generalised force is
// balanced by the constraints alone, D(z, 0, 0, multiplier) = 0 and Phi(z) = 0 at time 0, by
// Newton's method with the exact stiffness. Far from the solution the steps go downhill, so that
// they end in an equilibrium that is stable. docs/theory.md, section 9.
#pragma once

#include "kernels/passes/partials.hpp"
#include "kernels/stages/assembly.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kRestIterations = 300;
constexpr int kMostRegularisations = 60;  // of one step
constexpr double kNearRest = 1e-6;  // increments below which nothing but Newton's method counts
constexpr double kAtRest = 1e-11;   // those that are round-off
constexpr int kPolishing = 3;       // so many of them, for dual numbers too
constexpr int kRestPatience = 12;   // of the first kind, where round-off is larger
constexpr double kOpenRest = 1e-4;  // constraints open by more are closed first [m or 1]
constexpr double kLargestRestStep = 0.5;  // of a coordinate [rad; of lengths relative to 1 + |z|]
constexpr double kLargestRest = 1e9;      // beyond which a position runs away [rad or m]
constexpr double kDownhill = 0.8;  // share of its slope at the beginning to which a step may climb
constexpr double kNoStiffness = 1e-11;  // pivots of the scaled stiffness that count as none
constexpr double kBalanced = 1e-9;      // forces this much smaller than those at work are none

// The constraints' Jacobian, split without a verdict: a singular configuration on the way is none.
template <class D>
GRADUS_FUNCTION void split_at_rest(const D& d) {
  const Layout& l = d.layout;
  constraint_jacobian(d, l.free_motion);
  if (is_open_tree(d.plan)) return split_tree(d);
  split_jacobian(d.at(l.jacobian), d.plan.constraint_rows, d.plan.coordinate_count,
                 d.plan.constraint_rank, d.at(l.reflected), d.at(l.pivot), d.at(l.range),
                 d.at(l.null_space), d.at(l.triangle));
}

template <class D>
GRADUS_FUNCTION void take_rest_forces(const D& d) {
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(d.layout.top)[c] = -generalised_force(d, d.layout.load, c);
}

// Forces, constraints and stiffness at the position, nothing moving; multipliers as those that
// leave the least of the forces unbalanced.
template <class D>
GRADUS_ROUTINE void evaluate_rest(const D& d) {
  const Layout& l = d.layout;
  for (const int rates : {l.velocity, l.acceleration, l.free_velocity, l.free_acceleration})
    set_zero(d.at(rates), d.plan.coordinate_count);
  set_zero(d.at(l.multiplier), d.plan.constraint_rows);
  evaluate_forces(d);
  split_at_rest(d);
  if (d.plan.constraint_rank > 0) {
    take_rest_forces(d);
    solve_multipliers(d, motion_arrays(d, l.solution, l.multiplier), 1);
    evaluate_loads(d);
  }
  tangents(d);
}

// The increment that a leading matrix asks for at the evaluated position, to `solution`.
template <class D>
GRADUS_ROUTINE void solve_rest(const D& d, const LeadingMatrix& leading) {
  const Layout& l = d.layout;
  reduce_matrix(d, leading.matrix, leading.factor);
  factorise(d.at(leading.factor), d.at(leading.pivot), d.plan.independent_count);
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
// free.
template <class D>
GRADUS_ROUTINE typename D::Mask is_positive(const D& d, int matrix) {
  const int free = d.plan.independent_count;
  const auto a = d.at(d.layout.mass_factor);
  reduce_matrix(d, matrix, d.layout.mass_factor);
  for (int i = 0; i < free; ++i)
    for (int j = 0; j < i; ++j)
      a[i * free + j] = a[j * free + i] = RealOf<D>(0.5) * (a[i * free + j] + a[j * free + i]);
  typename D::Mask positive(true);
  for (int k = 0; k < free; ++k) {
    positive = positive && value_of(a[k * free + k]) > typename D::Value(0.0);
    const RealOf<D> inverse = RealOf<D>(1) / a[k * free + k];
    for (int i = k + 1; i < free; ++i) {
      const RealOf<D> factor = a[i * free + k] * inverse;
      for (int j = k + 1; j < free; ++j) a[i * free + j] -= factor * a[k * free + j];
    }
  }
  return positive;
}

// Whether some free motion meets no stiffness: the stiffness in coordinates scaled by their own, or
// by a share of the forces at work where these leave round-off only.
template <class D>
GRADUS_ROUTINE typename D::Mask is_slack(const D& d) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const int free = d.plan.independent_count;
  const auto a = d.at(l.mass_factor);
  const auto scale = d.at(l.solution);
  reduce_matrix(d, l.stiffness, l.mass_factor);
  typename D::Mask slack(false);
  for (int i = 0; i < free; ++i) {
    Value force(0.0);
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      force += square(value_of(d.at(l.null_space)[c * free + i])) * force_scale(d, c);
    Value largest = Value(1e-3) * force;
    if (d.plan.constraint_rank == 0) largest = Value(1e-3) * force_scale(d, i);
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
  factorise(a, d.at(l.mass_pivot), free);
  for (int k = 0; k < free; ++k)
    slack = slack || !(absolute(value_of(a[k * free + k])) < Value(1.0 / kNoStiffness));
  return slack;
}

// The search for an equilibrium, lane by lane. A step solves (K + weight W) x = -D with the least
// weight that makes K + weight W positive definite, W the inertias of the coordinates, so that it
// goes downhill; one that climbs again at its end is taken back and becomes shorter with a larger
// weight. Energies need not be known.
template <class D>
struct RestSearch {
  using Value = typename D::Value;
  using Mask = typename D::Mask;
  const D& d;
  Mask going;
  Mask judged;  // whether the position is the end of a step that may be taken back
  Mask converged;
  Value weight;   // of the inertias
  Value slope;    // at which the last step began
  Value calm;     // increments that were small, one after another
  Value settled;  // and those that were round-off

  GRADUS_FUNCTION void run() {
    for (int iteration = 0; iteration < kRestIterations && any(going); ++iteration) iterate();
  }

  GRADUS_FUNCTION void iterate() {
    const Layout& l = d.layout;
    evaluate_rest(d);
    judge();
    const Value open = largest_value(d, l.constraint, d.plan.constraint_rows);
    solve_rest(d, rest_leading(l));
    const Value size = largest_increment();
    const Mask near = size < Value(kNearRest) && !(open > Value(kOpenRest));
    calm = select(near, calm + Value(1.0), Value(0.0));
    settled = select(size < Value(kAtRest), settled + Value(1.0), settled);
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      d.at(l.predicted_acceleration)[c] = d.at(l.solution)[c];
    judged = Mask(false);
    if (any(going && !near)) {
      const Mask closes = open > Value(kOpenRest);
      go_downhill(going && !near && !closes);
      close(going && !near && closes);
    }
    apply(near);
    const Mask done = near && (!(settled < Value(kPolishing)) || !(calm < Value(kRestPatience)));
    converged = converged || (going && done);
    const Value far = largest_value(d, l.position, d.plan.coordinate_count);
    going = going && !done && far < Value(kLargestRest);
  }

  GRADUS_FUNCTION Value largest_increment() const {
    Value largest(0.0);
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      const Value size = relative_magnitude(value_of(d.at(d.layout.solution)[c]),
                                            value_of(d.at(d.layout.position)[c]));
      largest = select(size > largest || !is_finite(size), size, largest);
    }
    return largest;
  }

  // How the forces at the position work on the last step.
  GRADUS_FUNCTION Value work() const {
    Value sum(0.0);
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      sum += value_of(generalised_force(d, d.layout.load, c)) *
             value_of(d.at(d.layout.predicted_velocity)[c]);
    return sum;
  }

  // What a weight of one step is at least, where it is needed.
  GRADUS_FUNCTION Value least_weight() const {
    Value forces(1e-200);
    Value inertia(0.0);
    const int n = d.plan.coordinate_count;
    for (int c = 0; c < n; ++c) {
      const Value force = absolute(value_of(generalised_force(d, d.layout.load, c)));
      forces = select(force > forces, force, forces);
      const Value stiffness = absolute(value_of(d.at(d.layout.stiffness)[c * (n + 1)]));
      forces = select(stiffness > forces, stiffness, forces);
      const Value own = value_of(inertia_of(c));
      inertia = select(own > inertia, own, inertia);
    }
    return Value(1e-3) * forces / inertia;
  }

  // Coordinates that move no inertia, as those of massless bodies, count as light ones.
  GRADUS_FUNCTION RealOf<D> inertia_of(int c) const {
    const int n = d.plan.coordinate_count;
    RealOf<D> largest(0);
    for (int k = 0; k < n; ++k) {
      const RealOf<D> own = d.at(d.layout.mass_matrix)[k * (n + 1)];
      largest = select(value_of(own) > value_of(largest), own, largest);
    }
    largest = select(value_of(largest) > Value(0.0), largest, RealOf<D>(1));
    return d.at(d.layout.mass_matrix)[c * (n + 1)] + RealOf<D>(1e-3) * largest;
  }

  // Takes back a step that climbs, or whose end has no forces.
  GRADUS_FUNCTION void judge() {
    const Layout& l = d.layout;
    const Mask climbs = going && judged && !(work() < Value(kDownhill) * slope);
    weight = select(judged && !climbs, Value(0.25) * weight, weight);
    if (!any(climbs)) return;
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      RealOf<D>& position = d.at(l.position)[c];
      position = select(climbs, d.at(l.predicted_position)[c], position);
    }
    evaluate_rest(d);
    const Value least = least_weight();
    const Value more = Value(4.0) * weight;
    weight = select(climbs, select(more > least, more, least), weight);
  }

  // K + weight W, positive definite in the lanes given.
  GRADUS_FUNCTION void regularise(const Mask& where) {
    const Layout& l = d.layout;
    const int n = d.plan.coordinate_count;
    const Value least = least_weight();
    weight = select(where && weight < least, Value(0.0), weight);
    Mask lacks = where;
    for (int k = 0; k < kMostRegularisations && any(lacks); ++k) {
      for (int i = 0; i < n * n; ++i) d.at(l.position_matrix)[i] = d.at(l.stiffness)[i];
      for (int c = 0; c < n; ++c)
        d.at(l.position_matrix)[c * (n + 1)] += RealOf<D>(weight) * inertia_of(c);
      lacks = lacks && !is_positive(d, l.position_matrix);
      const Value more = Value(4.0) * weight;
      weight = select(lacks, select(more > least, more, least), weight);
    }
  }

  // Share of an increment that leaves each coordinate within its largest step.
  GRADUS_FUNCTION Value share() const {
    const Layout& l = d.layout;
    Value least(1.0);
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      const auto w = load_motion(d.at(l.axis), c).w;
      const Value most = select(value_of(dot(w, w)) > Value(0.0), Value(1.0),
                                Value(1.0) + absolute(value_of(d.at(l.position)[c])));
      const Value size = absolute(value_of(d.at(l.solution)[c]));
      const Value part = Value(kLargestRestStep) * most / size;
      least = select(part < least, part, least);
    }
    return least;
  }

  GRADUS_FUNCTION void go_downhill(const Mask& where) {
    const Layout& l = d.layout;
    if (!any(where)) return;
    regularise(where);
    solve_rest(d, position_leading(l));
    const RealOf<D> part(share());
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      d.at(l.predicted_position)[c] = d.at(l.position)[c];
      d.at(l.predicted_velocity)[c] = part * d.at(l.solution)[c];
    }
    slope = select(where, absolute(work()), slope);
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      RealOf<D>& position = d.at(l.position)[c];
      position = select(where, position + d.at(l.predicted_velocity)[c], position);
    }
    judged = where;
  }

  // The shortest way back to the constraints.
  GRADUS_FUNCTION void close(const Mask& where) {
    const Layout& l = d.layout;
    if (!any(where)) return;
    set_zero(d.at(l.solution), d.plan.coordinate_count);
    set_zero(d.at(l.bottom), d.plan.constraint_rank);
    add_pivot_rows(d, l.constraint, 1, -1.0, l.bottom);
    solve_range(d, motion_arrays(d, l.solution), 1);
    const RealOf<D> part(share());
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      RealOf<D>& position = d.at(l.position)[c];
      position = select(where, position + part * d.at(l.solution)[c], position);
    }
  }

  // The increment of Newton's method.
  GRADUS_FUNCTION void apply(const Mask& near) {
    const Layout& l = d.layout;
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      RealOf<D>& position = d.at(l.position)[c];
      position = select(going && near, position + d.at(l.predicted_acceleration)[c], position);
    }
  }
};

// Blames the coordinate whose force is balanced least, beside those at work, as number from 1 on;
// returns whether all are balanced but for round-off.
template <class D>
GRADUS_ROUTINE typename D::Mask blame_coordinate(const D& d, const typename D::Mask& where) {
  using Value = typename D::Value;
  Value scale(0.0);
  Value largest(-1.0);
  Value blamed(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
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

// From the assembled position to the equilibrium.
template <class D>
GRADUS_FUNCTION void find_equilibrium(const D& d, const LaunchArguments&) {
  using Value = typename D::Value;
  using Mask = typename D::Mask;
  const Layout& l = d.layout;
  const Value none(0.0);
  RestSearch<D> search{d, d.alive(), Mask(false), Mask(false), none, none, none, none};
  search.run();
  const Mask lost = d.alive() && !search.converged;
  evaluate_rest(d);
  const Mask slack = is_slack(d);
  Mask balanced = search.converged;
  if (any(lost)) balanced = balanced || blame_coordinate(d, lost);
  d.fail(slack && balanced, Status::stiffness_singular, 0.0);
  d.fail(lost, Status::equilibrium_missing, 0.0);
  record_violation(d, 0, l.constraint);
}

// The stiffness at the equilibrium and its factor, which the columns of its position meet.
template <class D>
GRADUS_FUNCTION void linearise_rest(const D& d, const LaunchArguments&) {
  const Layout& l = d.layout;
  evaluate_rest(d);
  factorise_reduced(d, rest_leading(l), 0.0);
  velocities(d, l.motion, d.at(l.velocity));
  evaluate_motion(d, l.acceleration);
  // With slices rest_columns() does it.
  if (!d.kHasSlices && d.settings.with_columns != 0) parameter_partials(d);
}

template <class D>
GRADUS_FUNCTION void rest_columns(const D& d, const LaunchArguments&) {
  parameter_partials(d);
}

GRADUS_KERNELS_END
