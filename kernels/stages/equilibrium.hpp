// Static equilibrium as the start of a motion: the position at which every generalised force is
// balanced by the constraints alone, D(z, 0, 0, multiplier) = 0 and Phi(z) = 0 at time 0, by
// Newton's method with the exact stiffness. Far from the solution the steps go downhill, so that
// they end in an equilibrium that is stable. States rest as well and are found with it.
// docs/theory.md, sections 9 and 18.
#pragma once

#include "kernels/passes/partials.hpp"
#include "kernels/stages/rest.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kRestIterations = 1000;
constexpr int kMostRegularisations = 60;  // of one step
constexpr double kAtRest = 1e-11;         // increments that are round-off
constexpr int kPolishing = 3;             // so many of them, for dual numbers too
constexpr int kRestPatience = 12;         // near ones in a row, where round-off is larger
constexpr double kOpenRest = 1e-4;        // constraints open by more are closed first [m or 1]
constexpr double kLargestRestStep = 0.5;  // of a coordinate [rad; of lengths relative to 1 + |z|]
constexpr double kLargestRest = 1e9;      // beyond which a position runs away [rad or m]
constexpr double kDownhill = 0.8;   // share of its slope at the beginning to which a step may climb
constexpr double kDescent = 0.1;    // share of the slope that it comes down at least
constexpr int kCorrections = 5;     // of a step that climbs
constexpr int kMostHalvings = 30;   // of a step
constexpr int kFalls = 6;           // in a row, of increments and stiffness: it falls to nothing
constexpr int kFewFalls = 2;        // that deserve a closer look
constexpr double kFallsToo = 0.95;  // share of the last to which either falls, or less
constexpr double kFarFall = 0.02;   // share of an increment that converges faster
constexpr double kFarFallToo = 0.2;     // of a stiffness that changes by chance
constexpr double kLeastWeight = 1e-14;  // of the inertias, beside the stiffness

// Whether the stiffness falls to nothing towards an equilibrium, as that of a contact without load:
// Newton's method then leaves the same share of the distance at every step, and the stiffness along
// its increments falls with them. Where there is a stiffness, increments fall ever faster and leave
// it as it is.
template <class D>
struct FallingStiffness {
  using Value = typename D::Value;
  using Mask = typename D::Mask;
  Value size{0.0};       // of the last increment
  Value stiffness{0.0};  // along it
  Value falls{0.0};      // of both, one after another
  Mask vanishes{false};

  // Looks at the increment that was solved for at the evaluated position.
  GRADUS_FUNCTION void look(const D& d, const Mask& near) {
    const Value next = largest_rest_increment(d);
    const Value along = stiffness_along(d);
    const Mask same = near && absolute(along - stiffness) < Value(1.0 - kFallsToo) * along;
    const Mask both = near && next < Value(kFallsToo) * size && next > Value(kFarFall) * size &&
                      along < Value(kFallsToo) * stiffness &&
                      along > Value(kFarFallToo) * stiffness;
    falls = select(both, falls + Value(1.0), Value(0.0));
    vanishes = near && !same && (vanishes || !(falls < Value(kFalls)));
    size = select(near, next, Value(0.0));
    stiffness = select(near, along, Value(0.0));
  }

 private:
  // Of the motion along the increment.
  GRADUS_FUNCTION Value stiffness_along(const D& d) const {
    const int n = d.plan.coordinate_count;
    Value work(0.0);
    Value square_sum(0.0);
    for (int i = 0; i < n; ++i) {
      const Value own = value_of(d.at(d.layout.solution)[i]);
      square_sum += own * own;
      for (int j = 0; j < n; ++j)
        work += own * value_of(d.at(d.layout.stiffness)[i * n + j]) *
                value_of(d.at(d.layout.solution)[j]);
    }
    return absolute(work / square_sum);
  }
};

// The search for an equilibrium, lane by lane. A step solves (K + weight W) x = -D with the least
// weight that makes K + weight W positive definite, W the inertias of the coordinates, so that it
// goes downhill. One that climbs again at its end is corrected first, from there: what stiff
// springs and constraints ask for where it left their valley. If it still climbs, it is taken back
// and becomes shorter with a larger weight. Energies need not be known.
template <class D>
struct RestSearch {
  using Value = typename D::Value;
  using Mask = typename D::Mask;
  const D& d;
  Mask going;
  Mask judged;      // whether the position is the end of a step that may be taken back
  Mask correcting;  // and is corrected before
  Mask converged;
  Mask whole;         // whether the last step is the whole increment of Newton's method
  Value weight;       // of the inertias
  Value slope;        // at which the last step began
  Value corrections;  // that it has had
  Value calm;         // increments that were small, one after another
  Value settled;      // and those that were round-off
  Value last;         // increment, and how often the step that it made has been halved
  Value halvings;
  FallingStiffness<D> falling;

  GRADUS_FUNCTION void run() {
    for (int iteration = 0; iteration < kRestIterations && any(going); ++iteration) iterate();
  }

  // Whether the stiffness vanishes at the equilibrium that was found. Where the search ended before
  // that could be told, it goes on for a while; the position stays.
  GRADUS_FUNCTION Mask is_degenerate() {
    const Layout& l = d.layout;
    const Mask asked = converged && !falling.vanishes && !(falling.falls < Value(kFewFalls));
    if (!any(asked)) return converged && falling.vanishes;
    FallingStiffness<D> further = falling;
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      d.at(l.predicted_position)[c] = d.at(l.position)[c];
    for (int k = kFewFalls; k < kFalls; ++k) {
      evaluate_rest(d);
      solve_rest(d, rest_leading(l));
      further.look(d, asked);
      for (int c = 0; c < d.plan.coordinate_count; ++c) d.at(l.position)[c] += d.at(l.solution)[c];
    }
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      d.at(l.position)[c] = d.at(l.predicted_position)[c];
    return converged && (falling.vanishes || (asked && further.vanishes));
  }

  GRADUS_FUNCTION void iterate() {
    const Layout& l = d.layout;
    evaluate_rest(d);
    judge();
    const Value open = largest_value(d, l.constraint, d.plan.constraint_rows);
    solve_rest(d, rest_leading(l));
    const Value size = largest_rest_increment(d);
    const Mask near = size < Value(kNearRest) && !(open > Value(kOpenRest));
    const Mask closes = open > Value(kOpenRest);
    const Mask moves = going && !shorten(size, near || closes);
    falling.look(d, going && near);
    calm = select(near, calm + Value(1.0), Value(0.0));
    settled = select(size < Value(kAtRest), settled + Value(1.0), settled);
    for (int c = 0; c < d.plan.coordinate_count; ++c)
      d.at(l.predicted_acceleration)[c] = d.at(l.solution)[c];
    Mask done = near && !(settled < Value(kPolishing));
    const Mask patient = going && !done && !(calm < Value(kRestPatience));
    if (any(patient)) done = done || (patient && near && is_round_off(d));
    if (any(moves && !near)) {
      go_downhill(moves && !near && !closes);
      close(moves && !near && closes);
    }
    judged = going && ((near && correcting) || (!near && (judged || !closes)));
    apply(near);
    converged = converged || (going && done);
    const Value far = largest_value(d, l.position, mechanism_coordinates(d));
    going = going && !done && far < Value(kLargestRest);
  }

  // How the forces at the position work on the last step.
  GRADUS_FUNCTION Value work() const {
    Value sum(0.0);
    for (int c = 0; c < mechanism_coordinates(d); ++c)
      sum += value_of(generalised_force(d, d.layout.load, c)) *
             value_of(d.at(d.layout.predicted_velocity)[c]);
    return sum;
  }

  // How far the step has come in all by the forces at its beginning. Corrections that go back make
  // nothing of it.
  GRADUS_FUNCTION Value descent() const {
    Value sum(0.0);
    for (int c = 0; c < mechanism_coordinates(d); ++c)
      sum -=
          value_of(d.at(d.layout.algorithmic)[c]) *
          (value_of(d.at(d.layout.position)[c]) - value_of(d.at(d.layout.predicted_position)[c]));
    return sum;
  }

  // What a weight is at least, where it is needed: next to nothing beside the stiffness, since what
  // is soft beside it goes by the weight.
  GRADUS_FUNCTION Value least_weight() const {
    Value forces(1e-200);
    Value inertia(0.0);
    const int n = d.plan.coordinate_count;
    for (int c = 0; c < mechanism_coordinates(d); ++c) {
      const Value force = absolute(value_of(generalised_force(d, d.layout.load, c)));
      forces = select(force > forces, force, forces);
      const Value stiffness = absolute(value_of(d.at(d.layout.stiffness)[c * (n + 1)]));
      forces = select(stiffness > forces, stiffness, forces);
      const Value own = value_of(inertia_of(c));
      inertia = select(own > inertia, own, inertia);
    }
    return Value(kLeastWeight) * forces / inertia;
  }

  // The weight with which the last step is half as long, or shorter.
  GRADUS_FUNCTION Value shorter_weight() const {
    Value inertia(0.0);
    for (int c = 0; c < mechanism_coordinates(d); ++c)
      inertia += value_of(inertia_of(c)) * square(value_of(d.at(d.layout.predicted_velocity)[c]));
    const Value own = slope / inertia;
    const Value more = Value(4.0) * weight;
    return select(own > more, own, more);
  }

  // Coordinates that move no inertia, as those of massless bodies, count as light ones.
  GRADUS_FUNCTION RealOf<D> inertia_of(int c) const {
    const int n = d.plan.coordinate_count;
    RealOf<D> largest(0);
    for (int k = 0; k < mechanism_coordinates(d); ++k) {
      const RealOf<D> own = d.at(d.layout.mass_matrix)[k * (n + 1)];
      largest = select(value_of(own) > value_of(largest), own, largest);
    }
    largest = select(value_of(largest) > Value(0.0), largest, RealOf<D>(1));
    return d.at(d.layout.mass_matrix)[c * (n + 1)] + RealOf<D>(1e-3) * largest;
  }

  // Whether the last step may be judged by the work of forces on it: not by those of controllers,
  // and not where states alone have changed.
  GRADUS_FUNCTION Mask has_slope() const {
    if (d.plan.state_count == 0) return Mask(true);
    if (d.plan.states_act != 0) return Mask(false);
    Value largest(0.0);
    for (int c = 0; c < mechanism_coordinates(d); ++c) {
      const Value size = relative_magnitude(value_of(d.at(d.layout.predicted_velocity)[c]),
                                            value_of(d.at(d.layout.position)[c]));
      largest = select(size > largest, size, largest);
    }
    return largest > Value(kNearRest);
  }

  // Takes back a step that climbs, or whose end has no forces, unless it may still be corrected.
  GRADUS_FUNCTION void judge() {
    const Layout& l = d.layout;
    const Mask asked = going && judged;
    const Mask open = largest_value(d, l.constraint, d.plan.constraint_rows) > Value(kOpenRest);
    const Mask climbs =
        asked && has_slope() &&
        (open || !(work() < Value(kDownhill) * slope) || !(descent() > Value(kDescent) * slope));
    correcting = climbs && corrections < Value(kCorrections) && is_finite(work());
    corrections = select(correcting, corrections + Value(1.0), Value(0.0));
    weight = select(asked && !climbs, Value(0.25) * weight, weight);
    const Mask back = climbs && !correcting;
    judged = judged && !back;
    if (!any(back)) return;
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      RealOf<D>& position = d.at(l.position)[c];
      position = select(back, d.at(l.predicted_position)[c], position);
    }
    evaluate_rest(d);
    weight = select(back, shorter_weight(), weight);
  }

  // Halves the last step where controllers act and it was whole and has led to a longer increment,
  // as beyond a limit; returns where.
  GRADUS_FUNCTION Mask shorten(const Value& size, const Mask& but) {
    if (d.plan.states_act == 0) return Mask(false);
    const Mask longer =
        going && judged && whole && !but && !(size <= last) && halvings < Value(kMostHalvings);
    last = select(longer, last, size);
    halvings = select(longer, halvings + Value(1.0), Value(0.0));
    for (int c = 0; c < d.plan.coordinate_count && any(longer); ++c) {
      RealOf<D>& position = d.at(d.layout.position)[c];
      RealOf<D>& step = d.at(d.layout.predicted_velocity)[c];
      step = select(longer, RealOf<D>(0.5) * step, step);
      position = select(longer, d.at(d.layout.predicted_position)[c] + step, position);
    }
    return longer;
  }

  // K + weight W, positive definite in the lanes given; returns the weight.
  GRADUS_FUNCTION Value regularise(const Mask& where) const {
    const Layout& l = d.layout;
    const int n = d.plan.coordinate_count;
    const Value least = least_weight();
    Value added = select(weight < least, Value(0.0), weight);
    Mask lacks = where;
    for (int k = 0; k < kMostRegularisations && any(lacks); ++k) {
      for (int i = 0; i < n * n; ++i) d.at(l.position_matrix)[i] = d.at(l.stiffness)[i];
      for (int c = 0; c < mechanism_coordinates(d); ++c)
        d.at(l.position_matrix)[c * (n + 1)] += RealOf<D>(added) * inertia_of(c);
      lacks = lacks && !is_positive(d, l.position_matrix);
      const Value more = Value(4.0) * added;
      added = select(lacks, select(more > least, more, least), added);
    }
    return added;
  }

  // Share of an increment that leaves each coordinate of the mechanism within its largest step.
  GRADUS_FUNCTION Value share() const {
    const Layout& l = d.layout;
    Value least(1.0);
    for (int c = 0; c < mechanism_coordinates(d); ++c) {
      const auto w = load_motion(d.at(l.axis), c).w;
      const Value most = select(value_of(dot(w, w)) > Value(0.0), Value(1.0),
                                Value(1.0) + absolute(value_of(d.at(l.position)[c])));
      const Value size = absolute(value_of(d.at(l.solution)[c]));
      const Value part = Value(kLargestRestStep) * most / size;
      least = select(part < least, part, least);
    }
    return least;
  }

  // A step, or the correction of the last.
  GRADUS_FUNCTION void go_downhill(const Mask& where) {
    const Layout& l = d.layout;
    if (!any(where)) return;
    const Value added = regularise(where);
    solve_rest(d, position_leading(l));
    const Mask begins = where && !correcting;
    weight = select(begins, added, weight);
    const Value shared = share();
    const RealOf<D> part(shared);
    whole = (where && !(added > Value(0.0)) && !(shared < Value(1.0))) || (whole && !where);
    for (int c = 0; c < d.plan.coordinate_count; ++c) {
      const RealOf<D> change = part * d.at(l.solution)[c];
      RealOf<D>& position = d.at(l.position)[c];
      RealOf<D>& from = d.at(l.predicted_position)[c];
      RealOf<D>& step = d.at(l.predicted_velocity)[c];
      from = select(begins, position, from);
      RealOf<D>& force = d.at(l.algorithmic)[c];
      step = select(begins, change, step);
      force = select(begins, generalised_force(d, l.load, c), force);
      position = select(where, position + change, position);
    }
    slope = select(begins, absolute(work()), slope);
    judged = judged || where;
  }

  // The shortest way back to the constraints.
  GRADUS_FUNCTION void close(const Mask& where) {
    const Layout& l = d.layout;
    if (!any(where)) return;
    whole = whole && !where;
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

// From the assembled position to the equilibrium.
template <class D>
GRADUS_FUNCTION void find_equilibrium(const D& d, const LaunchArguments&) {
  using Value = typename D::Value;
  using Mask = typename D::Mask;
  const Layout& l = d.layout;
  const Value none(0.0);
  const Mask no(false);
  RestSearch<D> search{d, d.alive(), no, no, no, no, none, none, none, none, none, none, none, {}};
  search.run();
  const Mask lost = d.alive() && !search.converged;
  const Mask degenerate = search.is_degenerate();
  evaluate_rest(d);
  const Mask slack = degenerate || is_slack(d) || is_blurred(d);
  Mask balanced = search.converged;
  if (any(lost)) balanced = balanced || blame_coordinate(d, lost) || is_round_off(d);
  const Mask drifts = blame_state(d, d.alive() && (balanced || Mask(d.plan.states_act != 0)));
  balanced = balanced && !drifts;
  d.fail(slack && balanced, Status::stiffness_singular, 0.0);
  const Mask opposite = d.alive() && open_opposite(d);
  const Mask open = opposite || (lost && !(largest_value(d, l.constraint, d.plan.constraint_rows) <
                                           Value(kClosureTolerance)));
  if (any(open)) blame_row(d, open);
  d.fail(open, Status::loop_open, 0.0);
  d.fail(lost || drifts, Status::equilibrium_missing, 0.0);
  record_violation(d, 0, l.constraint);
}

// Partials of the equations of the equilibrium: those of kept states say that they are as stated.
template <class D>
GRADUS_FUNCTION void rest_partials(const D& d) {
  parameter_partials(d);
  if (d.settings.with_adjoint != 0) return;
  const int columns = d.plan.column_count;
  const auto partial = d.at(d.layout.residual_partial[kDynamics]);
  for (int k = 0; k < d.plan.kept_state_count; ++k)
    set_zero(partial.from(d.plan.kept_states[k] * columns), columns);
  if (d.plan.kept_state_count == 0) return;
  for_each_entry(d, [&](int column, const PartialEntry& entry) {
    if (entry.kind == PartialKind::start_position && keeps_state(d, entry.index))
      partial[entry.index * columns + column] -= d.at(d.layout.direction)[entry.direction];
  });
}

// The stiffness at the equilibrium and its factor, which the columns of its position meet.
template <class D>
GRADUS_FUNCTION void linearise_rest(const D& d, const LaunchArguments&) {
  const Layout& l = d.layout;
  evaluate_rest(d);
  factorise_rest(d, rest_leading(l));
  velocities(d, l.motion, d.at(l.velocity));
  evaluate_motion(d, l.acceleration);
  // With slices rest_columns() does it.
  if (!d.kHasSlices && d.settings.with_columns != 0) rest_partials(d);
}

template <class D>
GRADUS_FUNCTION void rest_columns(const D& d, const LaunchArguments&) {
  rest_partials(d);
}

GRADUS_KERNELS_END
