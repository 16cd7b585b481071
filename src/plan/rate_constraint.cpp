// The force along the derivatives of psi by velocities, whose size makes the rate of psi vanish.
#include "src/plan/rate_constraint.hpp"

#include "src/model/constraint_kind.hpp"
#include "src/model/message.hpp"
#include "src/plan/recorded.hpp"

namespace gradus {
namespace {

using expression::Node;
using kernels::LawInputEntry;
using kernels::LawInputKind;
using kernels::SignalKind;

bool is_velocity(LawInputKind kind) {
  return kind == LawInputKind::feature_velocity || kind == LawInputKind::rate ||
         kind == LawInputKind::angular_velocity || kind == LawInputKind::length_rate;
}

class RateWriter {
 public:
  RateWriter(Draft& draft, const RateConstraint& constraint)
      : draft_(draft), constraint_(constraint) {}

  void require_linear() const {
    LawWriter law(draft_);
    bool reads_velocities = false;
    for (const auto& [input, slope] : law.derivatives(constraint_.formula(law))) {
      const LawInputKind kind = law.input_entry(input).kind;
      if (kind == LawInputKind::pose || kind == LawInputKind::pose_rate ||
          kind == LawInputKind::sensor || kind == LawInputKind::algebraic)
        reject(constraint_.where, "found a constraint of velocities that reads other forces", "",
               "use sensors of positions and velocities");
      if (!is_velocity(kind)) continue;
      reads_velocities = true;
      // Whether it bends anywhere: the slopes of abs and min read what they turn at.
      for (const int other : law.inputs_of(slope))
        if (is_velocity(law.input_entry(other).kind))
          reject(constraint_.where, "found an expression that is not linear in velocities",
                 "which force keeps it is not said by the equations of mechanics",
                 "write it as a sum of velocities times functions of positions");
    }
    if (!reads_velocities)
      reject(constraint_.where, "found an expression without velocities",
             "it says nothing of how fast anything moves", "use \"expression\" for positions");
  }

  // Its law; the unknown makes it 0.
  int add_unknown() {
    LawWriter law(draft_);
    const Node rate = law.rate(constraint_.formula(law),
                               [&](const LawInputEntry& in) { return rate_of_input(law, in); });
    return law.finish_vanishing(law.negate(rate), constraint_.name);
  }

  void add_forces(int unknown) {
    LawWriter law(draft_);
    const std::map<int, Node> slopes = law.derivatives(constraint_.formula(law));
    for (const auto& [input, slope] : slopes)
      if (const LawInputEntry in = law.input_entry(input); is_velocity(in.kind))
        add_force(in, unknown);
  }

 private:
  // The generalised force unknown * d psi / d velocity on what moves at that velocity.
  void add_force(const LawInputEntry& in, int unknown) {
    LawWriter work(draft_);
    LawWriter size(draft_);
    const Node value =
        size.multiply(slope_by(size, in), size.input(LawInputKind::algebraic, unknown));
    switch (in.kind) {
      case LawInputKind::feature_velocity:
        return add_effort(draft_, work, work.input(LawInputKind::feature, in.index, in.component),
                          size, value, constraint_.name);
      case LawInputKind::length_rate:
        return add_effort(draft_, work, work.input(LawInputKind::length, in.index), size, value,
                          constraint_.name);
      case LawInputKind::rate:
        return add_effort(draft_, work, work.coordinate(in.index), size, value, constraint_.name);
      default:
        if (in.index < 0 || is_zero(size, value)) return;
        draft_.plan.actions.push_back({kernels::ActionKind::fixed_torque,
                                       size.finish(value, constraint_.name), -1, in.index,
                                       in.component, -1});
    }
  }

  Node slope_by(LawWriter& law, const LawInputEntry& wanted) const {
    for (const auto& [input, slope] : law.derivatives(constraint_.formula(law))) {
      const LawInputEntry& in = law.input_entry(input);
      if (in.kind == wanted.kind && in.index == wanted.index && in.component == wanted.component)
        return slope;
    }
    return law.constant(0.0);
  }

  // Of inputs that are not positions.
  Node rate_of_input(LawWriter& law, const LawInputEntry& in) {
    const auto acceleration = [&](SignalKind kind, int of, int component) {
      return law.input(LawInputKind::sensor, draft_.acceleration_sensor(kind, of), component);
    };
    switch (in.kind) {
      case LawInputKind::rate:
        return acceleration(SignalKind::coordinate_acceleration, in.index, 0);
      case LawInputKind::feature_velocity:
        return acceleration(SignalKind::acceleration, in.index, in.component);
      case LawInputKind::length_rate:
        return second_rate_of_length(law, in.index);
      case LawInputKind::angular_velocity:
        return angular_acceleration(law, in.index, in.component);
      default:  // what else there is was refused
        return law.constant(0.0);
    }
  }

  Recorded3 recorded(LawWriter& law, const Nodes3& nodes) const {
    return {Recorded(law, nodes[0]), Recorded(law, nodes[1]), Recorded(law, nodes[2])};
  }

  Recorded3 acceleration_of(LawWriter& law, int feature) {
    return recorded(law, law.vector(LawInputKind::sensor,
                                    draft_.acceleration_sensor(SignalKind::acceleration, feature)));
  }

  // l'' = (r' . r' + r . r'' - l'^2) / l
  Node second_rate_of_length(LawWriter& law, int line) {
    const kernels::LineEntry ends = draft_.plan.lines[index(line)];
    const Recorded3 along =
        recorded(law, law.position(ends.to)) - recorded(law, law.position(ends.from));
    const Recorded3 rate =
        recorded(law, law.velocity(ends.to)) - recorded(law, law.velocity(ends.from));
    const Recorded3 second = acceleration_of(law, ends.to) - acceleration_of(law, ends.from);
    const Recorded length(law, law.input(LawInputKind::length, line));
    const Recorded length_rate(law, law.input(LawInputKind::length_rate, line));
    return ((dot(rate, rate) + dot(along, second) - length_rate * length_rate) / length).in(law);
  }

  // w' = sum of e x e'' over the axes of the body, halved.
  Node angular_acceleration(LawWriter& law, int body, int component) {
    if (body < 0) return law.constant(0.0);
    Recorded sum = 0.0;
    for (int k = 0; k < 3; ++k) {
      const int axis = draft_.axis_feature(body, k);
      sum = sum +
            cross(recorded(law, law.position(axis)), acceleration_of(law, axis))[index(component)];
    }
    return (0.5 * sum).in(law);
  }

  Draft& draft_;
  const RateConstraint& constraint_;
};

RateConstraint stated(Draft& draft, const LawReader& reader, const Constraint& constraint) {
  const std::string path = "/constraints/" + constraint.name + "/" + constraint.type;
  return {[&reader, &constraint, path](LawWriter& law) {
            return reader.lowered(law, reader.node(constraint.value, path), {}, false);
          },
          constraint.name, draft.where(path)};
}

}  // namespace

void add_start_rate(Draft& draft, const RateConstraint& constraint) {
  RateWriter(draft, constraint).require_linear();
  LawWriter law(draft);
  draft.plan.rate_laws.push_back(law.finish(constraint.formula(law), constraint.name));
}

int add_rate_constraint(Draft& draft, const RateConstraint& constraint) {
  add_start_rate(draft, constraint);
  RateWriter writer(draft, constraint);
  const int unknown = writer.add_unknown();
  writer.add_forces(unknown);
  return unknown;
}

Node power_of_rate(LawWriter& law, const RateFormula& formula, int unknown) {
  Node sum = law.constant(0.0);
  for (const auto& [number, slope] : law.derivatives(formula(law))) {
    const LawInputEntry in = law.input_entry(number);
    if (is_velocity(in.kind))
      sum = law.add(sum, law.multiply(slope, law.input(in.kind, in.index, in.component)));
  }
  return law.multiply(sum, law.input(LawInputKind::algebraic, unknown));
}

void add_rate_constraints(Draft& draft) {
  const LawReader reader(draft, LawPlace::rate_constraint);
  for (const Constraint& constraint : draft.model.constraints) {
    if (kind_of(constraint).of != ConstraintOf::rates || constraint.at_start) continue;
    const RateConstraint rate = stated(draft, reader, constraint);
    const int unknown = add_rate_constraint(draft, rate);
    LawWriter force(draft), power(draft);
    const Node size = force.input(LawInputKind::algebraic, unknown);
    draft.shown[{constraint.name, "constraint_force"}] = force.finish(size, constraint.name);
    draft.shown[{constraint.name, "constraint_power"}] =
        power.finish(power_of_rate(power, rate.formula, unknown), constraint.name);
  }
  draft.plan.lasting_rates = static_cast<int>(draft.plan.rate_laws.size());
  for (const Constraint& constraint : draft.model.constraints)
    if (kind_of(constraint).of == ConstraintOf::rates && constraint.at_start)
      add_start_rate(draft, stated(draft, reader, constraint));
}

}  // namespace gradus
