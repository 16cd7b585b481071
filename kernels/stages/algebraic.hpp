// Algebraic unknowns: sizes of forces whose laws read accelerations or reactions, as friction in a
// joint does. At a given position and velocity accelerations, multipliers and reactions are linear
// in the unknowns eta, so that the equations are factorised once, and Newton's method runs on
//   eta = R(sensors at eta = 0 + gain * eta),  or  0 = R(...)
// alone. docs/theory.md, sections 19 and 24.
#pragma once

#include "kernels/passes/signals.hpp"
#include "kernels/stages/constrained_solve.hpp"
#include "kernels/stages/ties.hpp"

GRADUS_KERNELS_BEGIN

constexpr int kAlgebraicIterations = 60;
constexpr int kUndampedIterations = 12;         // after which increments are halved
constexpr double kAlgebraicIncrement = 1e-13;   // relative
constexpr double kAlgebraicFloor = 1e-15;       // of the size that counts
constexpr double kAlgebraicStagnation = 1e-10;  // later: what is left by then is round-off
constexpr double kVanishingIncrement = 1e-11;   // of laws that vanish, which are linear
constexpr double kLargestRoundOff = 1e-10;      // of these in the second iteration

template <class D>
GRADUS_INLINE bool has_algebraic(const D& d) {
  return d.plan.algebraic_count > 0;
}

// Whether the accelerations of the start are those of the motion: where nothing is integrated.
// One-step methods evaluate them anew.
template <class D>
GRADUS_INLINE bool settles_algebraic(const D& d) {
  return has_algebraic(d) && d.tableau.stages == 0;
}

// Whether unknown i makes its law vanish, rather than being it.
template <class D>
GRADUS_INLINE bool makes_vanish(const D& d, int i) {
  return d.plan.laws[d.plan.algebraic_laws[i]].vanishes != 0;
}

// Calls visit(input of the law, sensor, component) for the sensors that the law of unknown i reads.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_sensor_read(const D& d, int i, const Visit& visit) {
  const LawEntry& law = d.plan.laws[d.plan.algebraic_laws[i]];
  for (int k = 0; k < input_count(law); ++k) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + k];
    if (in.kind == LawInputKind::sensor) visit(k, d.plan.sensors[in.index], in.component);
  }
}

// The forces of the accelerations and multipliers just found.
template <class D>
GRADUS_FUNCTION void evaluate_forces_at_accelerations(const D& d) {
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(d.layout.free_acceleration)[c] = d.at(d.layout.acceleration)[c];
  evaluate_forces(d);
}

// Generalised forces of unknowns of size 1, at the motion m.
template <class D>
GRADUS_ROUTINE void algebraic_loads(const D& d, const MotionLayout& m) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const int n = d.plan.coordinate_count;
  set_zero(d.at(s.load), d.plan.algebraic_count * n);
  for (int k = 0; k < d.plan.action_count; ++k) {
    const int i = algebraic_of(d, d.plan.actions[k].size);
    if (i < 0) continue;
    const RealOf<D> share = share_of_unknown(d, m, d.plan.actions[k]);
    d.at(s.share)[k] = share;
    for_each_action_slope(d, m, d.plan.actions[k], [&](int c, const RealOf<D>& slope) {
      d.at(s.load)[i * n + c] += share * slope;
    });
  }
}

// The accelerations and multipliers that these make, with a factorised leading matrix.
template <class D>
GRADUS_ROUTINE void algebraic_responses(const D& d, const LeadingMatrix& leading) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    for (int c = 0; c < n; ++c) d.at(l.top)[c] = d.at(s.load)[i * n + c];
    set_zero(d.at(l.bottom), m);
    constrained_solve(
        d, leading,
        motion_arrays(d, s.response + i * n, m > 0 ? s.multiplier_response + i * m : -1), 1);
  }
}

// The same by the inertias of articulated bodies.
template <class D>
GRADUS_ROUTINE void articulated_responses(const D& d) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  set_zero(d.at(s.multiplier_response), d.plan.algebraic_count * m);
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    for (int c = 0; c < n; ++c) d.at(l.acceleration_load.direct)[c] = -d.at(s.load)[i * n + c];
    articulated_answer(d, l.acceleration_load, s.response + i * n, s.multiplier_response + i * m);
  }
  for (int k = 0; k < d.plan.constraint_count; ++k) {
    const ConstraintEntry& e = d.plan.constraints[k];
    if (e.kind != ConstraintKind::normalisation) continue;
    // What acts along Euler parameters moves nothing, and loads their normalisation.
    const auto p = load_euler(d.at(l.position + e.feature[0]));
    const RealOf<D> twice = RealOf<D>(2) * dot(p, p);
    for (int i = 0; i < d.plan.algebraic_count; ++i)
      d.at(s.multiplier_response)[i * m + e.row] =
          dot(p, load_euler(d.at(s.load + i * n + e.feature[0]))) / twice;
  }
  if (!goes_by_ties(d) || d.plan.tie_rows == 0) return;
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    tie_response(d, s.response + i * n, s.multiplier_response + i * m);
}

// The size of unknown i that changes accelerations, or multipliers, by as much as they are without
// it: what is round-off beside that counts for nothing, however small the unknown is itself.
template <class D>
GRADUS_ROUTINE typename D::Value size_that_counts(const D& d, int i) {
  using Value = typename D::Value;
  const AlgebraicLayout& s = d.layout.algebraic;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  Value least(0.0);
  const auto compare = [&](int base, int response, int count) {
    const Value whole = largest_value(d, base, count);
    const Value change = largest_value(d, response, count);
    const auto counts = change > Value(0.0);
    const Value size = select(counts, whole / select(counts, change, Value(1.0)), Value(0.0));
    least = select(size > Value(0.0) && !(least > Value(0.0) && least < size), size, least);
  };
  compare(s.base_acceleration, s.response + i * n, n);
  if (m > 0) compare(s.base_multiplier, s.multiplier_response + i * m, m);
  return least;
}

// Accelerations and multipliers at the unknowns, of which number i counts size(i).
template <class D, class Size>
GRADUS_FUNCTION void accelerate_with(const D& d, const Size& size) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const int n = d.plan.coordinate_count;
  const int m = d.plan.constraint_rows;
  const auto acceleration = d.at(d.layout.acceleration);
  const auto multiplier = d.at(d.layout.multiplier);
  for (int c = 0; c < n; ++c) acceleration[c] = d.at(s.base_acceleration)[c];
  for (int r = 0; r < m; ++r) multiplier[r] = d.at(s.base_multiplier)[r];
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    const RealOf<D> share = size(i);
    d.at(s.value)[i] = share;
    for (int c = 0; c < n; ++c) acceleration[c] += share * d.at(s.response)[i * n + c];
    for (int r = 0; r < m; ++r) multiplier[r] += share * d.at(s.multiplier_response)[i * m + r];
  }
}

// Accelerations and multipliers that something makes.
struct Response {
  int acceleration, multiplier;  // [n], [m]
  int unknown;                   // of which it is of size 1, -1: of none
};

template <class D>
GRADUS_INLINE Response response_of_unknown(const D& d, int j) {
  const AlgebraicLayout& s = d.layout.algebraic;
  return {s.response + j * d.plan.coordinate_count,
          s.multiplier_response + j * d.plan.constraint_rows, j};
}

// The motion of the bodies and the wrenches of what responds, in the place of those of the
// acceleration projection.
template <class D>
GRADUS_ROUTINE void respond(const D& d, const Response& x) {
  const Layout& l = d.layout;
  const LoadLayout& load = l.acceleration_load;
  carry(d, l.acceleration_change_rate, l.acceleration_change_axis, d.at(x.acceleration));
  for (int i = 0; i < d.plan.body_count; ++i)
    store_force(d.at(load.wrench), i,
                body_inertia(d, i) * load_motion(d.at(l.acceleration_change_rate), i));
  clear_loads(d, load);
  if (d.plan.constraint_rows > 0) add_constraint_loads(d, load, d.at(x.multiplier));
  for (int k = 0; k < d.plan.action_count && x.unknown >= 0; ++k) {
    const ActionEntry& action = d.plan.actions[k];
    if (algebraic_of(d, action.size) != x.unknown) continue;
    const RealOf<D> size = d.at(l.algebraic.share)[k];
    if (action.kind != ActionKind::effort) add_follower_wrench(d, action, size, load);
    add_action_load(d, action, size, load);
  }
  accumulate_wrenches(d, load.wrench);
  accumulate_loads(d, load);
}

// What a sensor of accelerations or reactions shows of what respond() left: its components from
// `out` on.
template <class D>
GRADUS_ROUTINE void response_of_sensor(const D& d, const Response& x, const SensorEntry& sensor,
                                       int out) {
  const Layout& l = d.layout;
  const auto to = d.at(out);
  const auto multiplier_of = [&](const ConstraintEntry& e) {
    return load_rows(d.at(x.multiplier), e);
  };
  switch (sensor.kind) {
    case SignalKind::coordinate_acceleration:
      for (int k = 0; k < sensor.size; ++k) to[k] = d.at(x.acceleration)[sensor.index + k];
      return;
    case SignalKind::acceleration: {
      const int body = d.plan.features[sensor.index].body;
      const auto motion =
          body < 0 ? zero_motion<RealOf<D>>() : load_motion(d.at(l.acceleration_change_rate), body);
      return store3(
          to, 0,
          body < 0 ? motion.v : feature_rate(d, sensor.index, motion, reference_of(d, body)));
    }
    case SignalKind::constraint_force: {
      const VectorOf<D> force = RealOf<D>(static_cast<double>(sensor.factor)) *
                                multiplier_of(d.plan.constraints[sensor.index]);
      for (int k = 0; k < sensor.size; ++k) to[k] = component(force, k);
      return;
    }
    case SignalKind::constraint_power: {
      const ConstraintEntry& e = d.plan.constraints[sensor.index];
      to[0] = -dot(multiplier_of(e), moved_constraint(d, e));
      return;
    }
    case SignalKind::loop_force:
    case SignalKind::loop_moment: {
      const ForceOf<D> wrench =
          loop_reaction(d, sensor.index, sensor.factor, sensor.second, multiplier_of);
      return store3(to, 0, sensor.kind == SignalKind::loop_moment ? wrench.n : wrench.f);
    }
    default: {
      const LoadLayout& load = l.acceleration_load;
      const ForceOf<D> wrench =
          shown_reaction(d, sensor,
                         ForceOf<D>(load_force(d.at(load.wrench), sensor.index) +
                                    load_wrench(d, load, sensor.index)));
      return store3(to, 0, sensor.kind == SignalKind::joint_moment ? wrench.n : wrench.f);
    }
  }
}

// Calls visit(sensor) once for each sensor that a law of unknowns reads.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_sensor_of_unknowns(const D& d, const Visit& visit) {
  for (int k = 0; k < d.plan.sensor_count; ++k)
    if (d.plan.sensors[k].is_read != 0) visit(d.plan.sensors[k]);
}

// The sensors without unknowns, and how they answer to each. Loads are those at no acceleration,
// and the motion that of the accelerations without unknowns.
template <class D>
GRADUS_ROUTINE void sensor_gains(const D& d) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  respond(d, {s.base_acceleration, s.base_multiplier, -1});
  for_each_sensor_of_unknowns(d, [&](const SensorEntry& sensor) {
    sensor_signal(d, sensor);
    for (int k = 0; k < sensor.size; ++k)
      d.at(s.base_signal)[sensor.signal + k] = d.at(l.signal)[sensor.signal + k];
  });
  for (int j = 0; j < d.plan.algebraic_count; ++j) {
    const Response x = response_of_unknown(d, j);
    respond(d, x);
    for_each_sensor_of_unknowns(d, [&](const SensorEntry& sensor) {
      response_of_sensor(d, x, sensor, s.gain + j * d.plan.signal_count + sensor.signal);
    });
  }
}

// Signals of the sensors that laws read, at the unknowns.
template <class D>
GRADUS_ROUTINE void signals_of_unknowns(const D& d) {
  const AlgebraicLayout& s = d.layout.algebraic;
  const auto signal = d.at(d.layout.signal);
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    for_each_sensor_read(d, i, [&](int, const SensorEntry& sensor, int component) {
      const int k = sensor.signal + component;
      signal[k] = d.at(s.base_signal)[k];
      for (int j = 0; j < d.plan.algebraic_count; ++j)
        signal[k] += d.at(s.gain)[j * d.plan.signal_count + k] * d.at(s.value)[j];
    });
}

// Row i of Newton's method: what is left of the equation to `step`, its derivatives to `matrix`.
// Returns the size of what the law and its sensors are made of, beside which there is round-off.
template <class D>
GRADUS_ROUTINE typename D::Value algebraic_equation(const D& d, int i) {
  using Value = typename D::Value;
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  const int count = d.plan.algebraic_count;
  const LawEntry& law = d.plan.laws[d.plan.algebraic_laws[i]];
  const auto run = law_gradient(d, l.motion, law, d.at(l.velocity));
  const RealOf<D> size = run.value[law.instruction_end - law.instruction_begin - 1];
  const bool vanishes = makes_vanish(d, i);
  const RealOf<D> unknown = vanishes ? RealOf<D>(0) : RealOf<D>(d.at(s.value)[i]);
  d.at(s.step)[i] = size - unknown;
  const auto row = d.at(s.matrix + i * count);
  for (int j = 0; j < count; ++j) row[j] = RealOf<D>(i == j && !vanishes ? 1.0 : 0.0);
  Value scale = absolute(value_of(size)) + absolute(value_of(unknown));
  for_each_sensor_read(d, i, [&](int k, const SensorEntry& sensor, int component) {
    const RealOf<D> slope = run.input[k];
    const int place = sensor.signal + component;
    Value terms = absolute(value_of(d.at(s.base_signal)[place]));
    for (int j = 0; j < count; ++j) {
      const RealOf<D> gain = d.at(s.gain)[j * d.plan.signal_count + place];
      row[j] -= slope * gain;
      terms += absolute(value_of(gain) * value_of(d.at(s.value)[j]));
    }
    scale += absolute(value_of(slope)) * terms;
  });
  d.at(s.diagonal)[i] = row[i];
  return vanishes ? scale / absolute(value_of(row[i])) : scale;  // in units of the unknown
}

template <class D>
GRADUS_FUNCTION void blame_unknown(const D& d, const typename D::Mask& where,
                                   const typename D::Value& unknown) {
  RealOf<D>& blamed = d.at(d.layout.blamed)[0];
  blamed = select(where, RealOf<D>(unknown), blamed);
}

// Blames the unknown whose law answers most to the unknown itself.
template <class D>
GRADUS_ROUTINE void blame_steepest(const D& d, const typename D::Mask& where) {
  using Value = typename D::Value;
  const AlgebraicLayout& s = d.layout.algebraic;
  Value least = value_of(d.at(s.diagonal)[0]);
  blame_unknown(d, where, Value(0.0));
  for (int i = 1; i < d.plan.algebraic_count; ++i) {
    const Value own = value_of(d.at(s.diagonal)[i]);
    const auto less = own < least;
    least = select(less, own, least);
    blame_unknown(d, where && less, Value(i));
  }
}

// One iteration of Newton's method. Returns which lanes have settled: those in which every
// increment is round-off of what its law is made of.
template <class D>
GRADUS_ROUTINE typename D::Mask iterate_unknowns(const D& d, const typename D::Mask& where,
                                                 double damping, double increment, double time) {
  using Value = typename D::Value;
  const AlgebraicLayout& s = d.layout.algebraic;
  const int count = d.plan.algebraic_count;
  signals_of_unknowns(d);
  for (int i = 0; i < count; ++i) {
    d.at(s.size)[i] = RealOf<D>(algebraic_equation(d, i));
    const auto undefined =
        where && d.alive() && !(is_finite(d.at(s.step)[i]) && is_finite(d.at(s.size)[i]));
    blame_unknown(d, undefined, Value(i));
    d.fail(undefined, Status::algebraic_undefined, time);
  }
  const auto regular = factorise(d.at(s.matrix), d.at(s.pivot), count);
  const auto singular = where && d.alive() && !regular;
  blame_steepest(d, singular);
  d.fail(singular, Status::algebraic_jammed, time);
  solve_factorised(d.at(s.matrix), d.at(s.pivot), count, d.at(s.step), 1);
  Value worst(-1.0);
  for (int i = 0; i < count; ++i) {
    const RealOf<D> step = RealOf<D>(damping) * d.at(s.step)[i];
    RealOf<D>& unknown = d.at(s.value)[i];
    unknown = select(where, unknown + step, unknown);
    const Value size = value_of(d.at(s.size)[i]);
    const Value change = absolute(value_of(step));
    const Value floor = Value(kAlgebraicFloor) * value_of(d.at(s.counts)[i]);
    Value share = select(change <= floor, Value(0.0), change / size);
    if (makes_vanish(d, i)) share = share * Value(kAlgebraicIncrement / kVanishingIncrement);
    worst = select(!(share <= worst), share, worst);
  }
  return worst <= Value(increment);
}

// Where any law reads a sensor that answers to unknown j.
template <class D>
GRADUS_ROUTINE typename D::Mask is_felt(const D& d, int j) {
  typename D::Mask felt(false);
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    for_each_sensor_read(d, i, [&](int, const SensorEntry& sensor, int component) {
      const int place = j * d.plan.signal_count + sensor.signal + component;
      felt = felt || !is_zero(value_of(d.at(d.layout.algebraic.gain)[place]));
    });
  return felt;
}

// Blames the unknown that is farthest from settling: what no law feels only follows the others.
template <class D>
GRADUS_ROUTINE void blame_unsettled(const D& d, const typename D::Mask& where) {
  using Value = typename D::Value;
  const AlgebraicLayout& s = d.layout.algebraic;
  Value worst(-1.0);
  for (int i = 0; i < d.plan.algebraic_count; ++i) {
    const Value share = absolute(value_of(d.at(s.step)[i])) / value_of(d.at(s.size)[i]);
    const auto worse = is_felt(d, i) && !(share <= worst);
    worst = select(worse, share, worst);
    blame_unknown(d, where && d.alive() && worse, Value(i));
  }
}

template <class D>
GRADUS_FUNCTION bool all_vanish(const D& d) {
  bool all = true;
  for (int i = 0; i < d.plan.algebraic_count; ++i) all = all && makes_vanish(d, i);
  return all;
}

template <class D>
GRADUS_ROUTINE void find_unknowns(const D& d, double time) {
  const AlgebraicLayout& s = d.layout.algebraic;
  set_zero(d.at(s.value), d.plan.algebraic_count);
  auto going = d.alive();
  // Equations that are linear need one iteration, and another one for its round-off: no way of a
  // recorded step depends on how these went.
  if (all_vanish(d)) {
    iterate_unknowns(d, going, 1.0, kAlgebraicIncrement, time);
    const auto settled = iterate_unknowns(d, going, 1.0, kLargestRoundOff, time);
    const auto lost = going && !settled && d.alive();
    if (any(lost)) blame_unsettled(d, lost);
    return d.fail(lost, Status::algebraic_unsolved, time);
  }
  for (int iteration = 0; iteration < kAlgebraicIterations && any(going); ++iteration) {
    const double damping = iteration < kUndampedIterations ? 1.0 : 0.5;
    const double increment =
        iteration < kUndampedIterations ? kAlgebraicIncrement : kAlgebraicStagnation;
    const auto settled = iterate_unknowns(d, going, damping, increment, time);
    going = going && !settled && d.alive();
  }
  if (any(going)) blame_unsettled(d, going);
  d.fail(going, Status::algebraic_unsolved, time);
}

// Whether the determinant of what factorise() left is positive.
template <class D>
GRADUS_FUNCTION typename D::Mask has_positive_determinant(const D& d) {
  using Value = typename D::Value;
  const AlgebraicLayout& s = d.layout.algebraic;
  const int count = d.plan.algebraic_count;
  Value sign(1.0);
  for (int k = 0; k < count; ++k) {
    const auto negative = value_of(d.at(s.matrix)[k * count + k]) < Value(0.0);
    const auto exchanged = !is_zero(value_of(d.at(s.pivot)[k]) - Value(k));
    sign = select(negative, Value(0.0) - sign, sign);
    sign = select(exchanged, Value(0.0) - sign, sign);
  }
  return sign > Value(0.0);
}

// The unknowns, and the accelerations and multipliers with them, from those without;
// `find_responses` finds what unknowns make. The branch of the equations that begins at no force
// has a positive determinant; where that is lost, the force grows faster with the reactions than
// these give way (Painleve's paradox).
template <class D, class Responses>
GRADUS_ROUTINE void solve_algebraic_with(const D& d, const MotionLayout& m, double time,
                                         const Responses& find_responses) {
  const Layout& l = d.layout;
  const AlgebraicLayout& s = l.algebraic;
  for (int c = 0; c < d.plan.coordinate_count; ++c)
    d.at(s.base_acceleration)[c] = d.at(l.acceleration)[c];
  for (int r = 0; r < d.plan.constraint_rows; ++r)
    d.at(s.base_multiplier)[r] = d.at(l.multiplier)[r];
  algebraic_loads(d, m);
  find_responses();
  for (int i = 0; i < d.plan.algebraic_count; ++i)
    d.at(s.counts)[i] = RealOf<D>(size_that_counts(d, i));
  sensor_gains(d);
  find_unknowns(d, time);
  const auto jammed = d.alive() && !has_positive_determinant(d);
  blame_steepest(d, jammed);
  d.fail(jammed, Status::algebraic_jammed, time);
  signals_of_unknowns(d);
  accelerate_with(d, [&](int i) { return RealOf<D>(d.at(s.value)[i]); });
  evaluate_motion(d, l.acceleration);
}

template <class D>
GRADUS_ROUTINE void solve_algebraic(const D& d, const LeadingMatrix& leading, double time) {
  solve_algebraic_with(d, d.layout.free_motion, time, [&] { algebraic_responses(d, leading); });
}

GRADUS_KERNELS_END
