// What the features of constraints and actions are worth to one objective, given what the
// generalised forces of a stage (`row` [n]) and the constraints and their rates (`constraint_row`)
// are worth to it: law_partials.hpp and the element part of partials.hpp transposed, at a cost that
// does not depend on the number of parameters. docs/theory.md, section 15.
#pragma once

#include "kernels/passes/partials.hpp"

GRADUS_KERNELS_BEGIN

// How the virtual motion that the row makes of the bodies moves feature f.
template <class D>
GRADUS_FUNCTION VectorOf<D> virtual_displacement(const D& d, int f) {
  const int body = d.plan.features[f].body;
  if (body < 0) return zero3<RealOf<D>>();
  return feature_rate(d, f, load_motion(d.at(d.layout.element.moved), body), reference_of(d, body));
}

template <class D>
GRADUS_FUNCTION VectorOf<D> virtual_line_displacement(const D& d, int k) {
  return along_line(d, k, [&](int f) { return virtual_displacement(d, f); });
}

template <class D>
GRADUS_FUNCTION PoseMotionOf<D> virtual_pose_displacement(const D& d, int k) {
  return pose_motion(
      d, k, [&](int f) { return virtual_displacement(d, f); },
      [&](int body) {
        return body < 0 ? zero3<RealOf<D>>() : load_motion(d.at(d.layout.element.moved), body).w;
      });
}

// A load on feature f that is shifted within its body acts at another place.
template <class D>
GRADUS_FUNCTION void add_displaced_load_adjoint(const D& d, const FeatureLayout& worth, int f,
                                                const VectorOf<D>& load) {
  const int body = d.plan.features[f].body;
  if (body < 0) return;
  const auto turn = load_motion(d.at(d.layout.element.moved), body).w;
  add3(d.at(worth.own_feature), f, cross(load, turn));
}

// Adds to the features of a constraint what its first and its second factor are worth.
template <class D>
GRADUS_FUNCTION void add_factors(const D& d, const ConstraintEntry& e, int array,
                                 const VectorOf<D>& first, const VectorOf<D>& second) {
  add3(d.at(array), e.feature[0], first);
  for (int j = 1; j < feature_count(e.kind); ++j) {
    const bool plus = e.kind != ConstraintKind::difference && j == 1;
    add3(d.at(array), e.feature[j], plus ? second : -second);
  }
}

// `rows` are the three levels of the constraint.
template <class D>
GRADUS_ROUTINE void bilinear_adjoint(const D& d, const FeatureLayout& worth,
                                     const ConstraintEntry& e, const VectorOf<D>* rows,
                                     const VectorOf<D>& multiplier) {
  const Layout& l = d.layout;
  const int f = e.feature[0];
  const int arrays[3] = {l.feature, l.motion.feature_velocity, l.motion.feature_acceleration};
  VectorOf<D> a[3];
  VectorOf<D> b[3];
  for (int level = 0; level < 3; ++level) {
    a[level] = load3(d.at(arrays[level]), f);
    b[level] = second_factor(d, arrays[level], e);
  }
  // Binomial shares of the levels: d/dt^i d^j of a product.
  const double share[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};
  for (int j = 0; j < 3; ++j) {
    auto first = zero3<RealOf<D>>();
    auto second = zero3<RealOf<D>>();
    for (int level = j; level < 3; ++level) {
      const VectorOf<D> row = RealOf<D>(share[level][j]) * rows[level];
      first += first_factor_adjoint(e, row, b[level - j]);
      second += second_factor_adjoint(e, row, a[level - j]);
    }
    if (j == 0) {
      // The load of the multipliers turns with the other factor.
      const auto moved = virtual_displacement(d, f);
      auto other = virtual_displacement(d, e.feature[1]);
      if (e.kind != ConstraintKind::perpendicular) other -= virtual_displacement(d, e.feature[2]);
      first += first_factor_adjoint(e, multiplier, other);
      second += second_factor_adjoint(e, multiplier, moved);
    }
    add_factors(d, e, worth.feature[j], first, second);
  }
}

// Adds what it is worth to move line k, to what its ends are worth.
template <class D>
GRADUS_FUNCTION void add_line_worth(const D& d, int array, int k, const VectorOf<D>& y) {
  add3(d.at(array), d.plan.lines[k].to, y);
  add3(d.at(array), d.plan.lines[k].from, -y);
}

// Length, rate and second rate of line k, worth `levels`: length_column() transposed.
template <class D>
GRADUS_ROUTINE void add_length_adjoint(const D& d, const FeatureLayout& worth, int k, bool free,
                                       const RealOf<D>* levels) {
  const MotionLayout& m = free ? d.layout.free_motion : d.layout.motion;
  const int* const arrays = free ? worth.free_feature : worth.feature;
  const RealOf<D> two(2);
  const auto u = line_direction(d, k);
  const auto across = direction_change(d, k, line_velocity(d, m, k));
  auto by_position = levels[0] * u + levels[1] * across;
  auto by_rate = levels[1] * u;
  if (!free) {  // which reads no accelerations
    const auto bent = line_acceleration(d, m, k) - length_acceleration(d, m, k) * u -
                      two * length_rate(d, m, k) * across;
    by_position += levels[2] * inverse_length(d, k) * bent;
    by_rate += two * levels[2] * across;
    add_line_worth(d, arrays[2], k, levels[2] * u);
  }
  add_line_worth(d, arrays[0], k, by_position);
  add_line_worth(d, arrays[1], k, by_rate);
}

// Adds what it is worth to move the bodies of pose k, to what points and turns are worth.
template <class D>
GRADUS_FUNCTION void add_pose_worth(const D& d, int features, int turns, int k,
                                    const PoseMotionOf<D>& y) {
  add3(d.at(features), d.plan.poses[k].to, y.shift);
  add3(d.at(features), d.plan.poses[k].from, -y.shift);
  if (first_body(d, k) >= 0) add3(d.at(turns), first_body(d, k), y.first - y.turn);
  if (second_body(d, k) >= 0) add3(d.at(turns), second_body(d, k), y.turn);
}

// A number of a pose or a rate of it, which is worth `share`.
template <class D>
GRADUS_ROUTINE void add_pose_adjoint(const D& d, const FeatureLayout& worth,
                                     const LawInputEntry& in, bool free, const RealOf<D>& share) {
  const int k = in.index;
  const int i = in.component;
  const int positions = free ? worth.free_feature[0] : worth.feature[0];
  const int twists = free ? worth.free_twist : worth.twist;
  if (in.kind == LawInputKind::pose)
    return add_pose_worth(d, positions, twists, k,
                          pose_worth(d, k, i, share * pose_direction(d, k, i)));
  const MotionLayout& m = free ? d.layout.free_motion : d.layout.motion;
  const auto y = share * pose_direction(d, k, i % 3);
  add_pose_worth(d, positions, twists, k, pose_rate_worth(d, m, k, i, y));
  add_pose_worth(d, free ? worth.free_feature[1] : worth.feature[1],
                 free ? worth.free_turn : worth.turn, k, pose_worth(d, k, i, y));
}

// What force or torque i of size `multiplier` on pose k makes of its points and bodies.
template <class D>
GRADUS_ROUTINE void add_pose_force_adjoint(const D& d, const FeatureLayout& worth, int k, int i,
                                           const RealOf<D>& multiplier) {
  const PoseMotionOf<D> bend = pose_bend(d, k, i, virtual_pose_displacement(d, k), true);
  add_pose_worth(d, worth.free_feature[0], worth.free_twist, k,
                 {multiplier * bend.shift, multiplier * bend.first, multiplier * bend.turn});
  if (i >= 3) return;
  const auto push = multiplier * pose_direction(d, k, i);
  add_displaced_load_adjoint(d, worth, d.plan.poses[k].to, push);
  add_displaced_load_adjoint(d, worth, d.plan.poses[k].from, -push);
}

// Adds what an input of a law is worth, by value and, of laws of positions, by its two rates.
template <class D>
GRADUS_ROUTINE void add_input_adjoint(const D& d, const FeatureLayout& worth, int input, bool free,
                                      const RealOf<D>* levels) {
  const LawInputEntry& in = d.plan.law_inputs[input];
  switch (in.kind) {
    case LawInputKind::slot:
      d.at(worth.law_slot)[input] += levels[0];
      return;
    case LawInputKind::feature:
      if (free) return add3(d.at(worth.free_feature[0]), in.index, along(in.component, levels[0]));
      for (int level = 0; level < 3; ++level)
        add3(d.at(worth.feature[level]), in.index, along(in.component, levels[level]));
      return;
    case LawInputKind::feature_velocity:
      return add3(d.at(worth.free_feature[1]), in.index, along(in.component, levels[0]));
    case LawInputKind::angular_velocity:
      if (in.index >= 0)
        add3(d.at(worth.free_turn), in.index, along(in.component, RealOf<D>(levels[0])));
      return;
    case LawInputKind::length:
      if (free)  // where laws have no rates
        return add_line_worth(d, worth.free_feature[0], in.index,
                              levels[0] * line_direction(d, in.index));
      return add_length_adjoint(d, worth, in.index, free, levels);
    case LawInputKind::length_rate: {
      const RealOf<D> rate[3] = {RealOf<D>(0), levels[0], RealOf<D>(0)};
      return add_length_adjoint(d, worth, in.index, free, rate);
    }
    case LawInputKind::pose:
    case LawInputKind::pose_rate:
      return add_pose_adjoint(d, worth, in, free, RealOf<D>(levels[0]));
    default:
      return;
  }
}

// Of tension * l_z for the length l of line k: the turns of the line, and the loads on its ends.
template <class D>
GRADUS_ROUTINE void add_tension_adjoint(const D& d, const FeatureLayout& worth, int k,
                                        const RealOf<D>& tension, bool free) {
  const LineEntry& line = d.plan.lines[k];
  const auto pull = tension * line_direction(d, k);
  add_line_worth(d, free ? worth.free_feature[0] : worth.feature[0], k,
                 tension * direction_change(d, k, virtual_line_displacement(d, k)));
  add_displaced_load_adjoint(d, worth, line.to, pull);
  add_displaced_load_adjoint(d, worth, line.from, -pull);
}

// Of multiplier * s_z for a law s of positions: what its inputs are worth, and the load on its
// features.
template <class D>
GRADUS_ROUTINE void law_force_adjoint(const D& d, const FeatureLayout& worth, const MotionLayout& m,
                                      const LawEntry& law, const RealOf<D>& multiplier, bool free) {
  using Real = typename D::Real;
  const LawInputEntry& first = d.plan.law_inputs[law.input_begin];
  if (works_on_pose(d, law))
    return add_pose_force_adjoint(d, worth, first.index, first.component, multiplier);
  if (is_input(d, law) && first.kind == LawInputKind::length)
    return add_tension_adjoint(d, worth, first.index, multiplier, free);
  const auto row = d.at(d.layout.element.row);
  const auto run = law_gradient_change(d, m, law, [&](const LawInputEntry& in) {
    if (in.kind == LawInputKind::coordinate) return Real(row[in.index]);
    if (in.kind == LawInputKind::length)
      return length_change(d, in.index, virtual_line_displacement(d, in.index));
    if (in.kind != LawInputKind::feature) return Real(0);
    return component(virtual_displacement(d, in.index), in.component);
  });
  for (int i = 0; i < input_count(law); ++i) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + i];
    const Real levels[3] = {multiplier * run.input[i].derivative[0], Real(0), Real(0)};
    add_input_adjoint(d, worth, law.input_begin + i, free, levels);
    if (in.kind == LawInputKind::feature)
      add_displaced_load_adjoint(d, worth, in.index,
                                 along(in.component, multiplier * run.input[i].value));
  }
  for_each_length(d, law, run, [&](int k, const Real& slope) {
    add_tension_adjoint(d, worth, k, multiplier * slope, free);
  });
  for_each_spline(d, law, run, [&](int spline, const auto& adjoint, const auto& x) {
    add_spline_worth(d, worth.gradient, spline, x, [&](const auto& power) {
      return multiplier * (adjoint * power).derivative[0];
    });
  });
}

template <class D>
GRADUS_ROUTINE void law_constraint_adjoint(const D& d, const FeatureLayout& worth,
                                           const ConstraintEntry& e, const VectorOf<D>* rows,
                                           const RealOf<D>& multiplier) {
  const Layout& l = d.layout;
  const LawEntry& law = d.plan.laws[e.feature[0]];
  const auto run = law_gradient_rates(d, l.motion, law, d.at(l.velocity), d.at(l.acceleration));
  const RealOf<D> two(2);
  for (int i = 0; i < input_count(law); ++i) {
    const Hyper<RealOf<D>> a = run.input[i];
    const RealOf<D> value = a.value.value;
    const RealOf<D> levels[3] = {
        rows[0].x * value + rows[1].x * rate_of(a) + rows[2].x * acceleration_of(a),
        rows[1].x * value + two * rows[2].x * rate_of(a), rows[2].x * value};
    add_input_adjoint(d, worth, law.input_begin + i, false, levels);
  }
  for_each_spline(d, law, run, [&](int spline, const auto& adjoint, const auto& x) {
    add_spline_worth(d, worth.gradient, spline, x, [&](const auto& power) {
      const auto share = adjoint * power;
      return rows[0].x * share.value.value + rows[1].x * rate_of(share) +
             rows[2].x * acceleration_of(share);
    });
  });
  law_force_adjoint(d, worth, l.motion, law, multiplier, false);
}

// `multipliers`: those of the stage that the row belongs to, -1 if it belongs to none.
template <class D>
GRADUS_ROUTINE void constraint_element_adjoint(const D& d, const FeatureLayout& worth,
                                               const ConstraintEntry& e, int multipliers) {
  if (e.kind == ConstraintKind::normalisation) return;
  VectorOf<D> rows[3];
  for (int level = 0; level < 3; ++level)
    rows[level] = load_rows(d.at(d.layout.element.constraint_row[level]), e);
  const auto multiplier = multipliers < 0 ? zero3<RealOf<D>>() : load_rows(d.at(multipliers), e);
  if (e.kind == ConstraintKind::law) return law_constraint_adjoint(d, worth, e, rows, multiplier.x);
  if (e.kind != ConstraintKind::difference) bilinear_adjoint(d, worth, e, rows, multiplier);
  for (int level = 0; level < 3 && e.kind == ConstraintKind::difference; ++level)
    add_factors(d, e, worth.feature[level], rows[level], rows[level]);
  for (int j = 0; j < feature_count(e.kind); ++j)
    add_displaced_load_adjoint(d, worth, e.feature[j], constraint_load(d, e, j, multiplier));
}

// What the size of an action is worth to what its law reads: `work` times its derivatives.
template <class D>
GRADUS_ROUTINE void action_size_adjoint(const D& d, const FeatureLayout& worth,
                                        const ActionEntry& action, const RealOf<D>& work) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const LawEntry& law = d.plan.laws[action.size];
  for (int i = law.input_begin; i < law.input_end; ++i) {
    const Real levels[3] = {-(work * d.at(l.action_slope)[i]), Real(0), Real(0)};
    add_input_adjoint(d, worth, i, true, levels);
  }
  if (law.call_begin == law.call_end) return;
  for_each_spline(d, law, law_gradient(d, l.free_motion, law, d.at(l.free_velocity)),
                  [&](int spline, const Real& adjoint, const Real& x) {
                    add_spline_worth(d, worth.gradient, spline, x,
                                     [&](const Real& power) { return -(work * adjoint * power); });
                  });
}

// After the tangents. Most rows that are a unit do no work on an action.
template <class D>
GRADUS_ROUTINE void action_adjoint(const D& d, const FeatureLayout& worth, int number) {
  using Real = typename D::Real;
  const Layout& l = d.layout;
  const MotionLayout& m = l.free_motion;
  const ActionEntry& action = d.plan.actions[number];
  Real work(0);
  for_each_action_slope(d, m, action,
                        [&](int c, const Real& slope) { work += slope * d.at(l.element.row)[c]; });
  if (!is_known_zero(work)) action_size_adjoint(d, worth, action, work);
  const Real size = d.at(l.action_size)[number];
  if (action.kind == ActionKind::effort)
    law_force_adjoint(d, worth, m, d.plan.laws[action.work], -size, true);
  if (action.kind == ActionKind::follower_force)
    add_displaced_load_adjoint(d, worth, action.feature, -(size * action_axis(d, action)));
}

GRADUS_KERNELS_END
