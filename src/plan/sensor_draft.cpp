// Most sensors are signals that kernels have; formulas become laws.
#include "src/plan/sensor_draft.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace gradus {

using kernels::LawInputKind;
using kernels::SignalKind;

SensorDraft::SensorDraft(Draft& draft, const Sensor& sensor)
    : draft_(draft),
      sensor_(sensor),
      kind_(kind_of(sensor)),
      path_("/sensors/" + sensor.name),
      unit_(kind_.unit) {
  entry_.signal = draft.plan.signal_count;
  entry_.size = sensor_size(draft.model, sensor);
  if (kind_.of == SensorOf::joint) unit_.insert(0, unit_of_coordinate(draft, target(), path_));
}

int SensorDraft::axis(int k) const {
  const int body = draft_.references.point(target(), where()).body;
  return body == ground_body ? -1 : draft_.axis_feature(draft_.position_of(body), k);
}

std::size_t SensorDraft::constraint_of_model() const {
  std::size_t place = 0;
  while (draft_.model.constraints[place].name != target()) ++place;
  return place;
}

void SensorDraft::show(SignalKind kind, int index, int second, int factor) {
  entry_.kind = kind;
  entry_.index = index;
  entry_.second = second;
  entry_.factor = factor;
}

// In the plan a joint may be followed from its child to its parent; what it puts on the child of
// the model is then the opposite.
void SensorDraft::show_reaction(SignalKind of_joint, SignalKind of_loop) {
  const JointReference place = draft_.references.joint_or_loop(target(), where());
  if (place.is_loop) {
    const auto [first, end] = draft_.loop_constraints[index(place.place)];
    const Joint& loop = draft_.model.loops[index(place.place)];
    return show(of_loop, first, draft_.point_feature(loop.child, path_), end);
  }
  const Joint& joint = draft_.model.joints[index(place.place)];
  const bool is_reversed = std::find(draft_.reversed.begin(), draft_.reversed.end(), joint.name) !=
                           draft_.reversed.end();
  const std::vector<int>& order = draft_.order.joint;
  const auto body = std::find(order.begin(), order.end(), place.place) - order.begin();
  const int at = draft_.point_feature(is_reversed ? joint.parent : joint.child, path_);
  show(of_joint, static_cast<int>(body), at, is_reversed ? -1 : 1);
}

void SensorDraft::show(LawWriter& law, std::span<const expression::Node> components,
                       const std::string& name) {
  show(SignalKind::law, static_cast<int>(draft_.plan.laws.size()));
  for (const expression::Node component : components) law.finish(component, name);
}

void SensorDraft::show_exerted(std::vector<expression::Node> (*exerted)(Draft&, LawWriter&,
                                                                        const std::string&)) {
  LawWriter law(draft_);
  show(law, exerted(draft_, law, target()), target());
}

void SensorDraft::show_of_force() {
  if (const auto normal = draft_.normal_constraints.find(target());
      sensor_.type == "normal_force" && normal != draft_.normal_constraints.end()) {
    draft_.plan.shown_normals.push_back(normal->second);
    return show(SignalKind::constraint_force, normal->second, 0, -1);
  }
  show(SignalKind::law, draft_.shown.at({target(), sensor_.type}));
}

void SensorDraft::show_formula() {
  LawWriter law(draft_);
  std::vector<expression::Node> components;
  for (int k = 0; k < entry_.size; ++k)
    components.push_back(kind_.formula(SensorFormula(*this, law), k).in(law));
  show(law, components, sensor_.name);
}

void SensorDraft::finish() {
  if (kind_.write != nullptr)
    kind_.write(*this);
  else
    show_formula();
  Plan& plan = draft_.plan;
  for (int k = 0; k < entry_.size; ++k)
    plan.signal_names.push_back({sensor_.name + component_name(entry_.size, k), unit_});
  plan.signal_count += entry_.size;
  plan.sensor_names.push_back(sensor_.name);
  plan.sensors.push_back(entry_);
}

void SensorFormula::require_velocities() const {
  if (sensor_.kind().level == MotionLevel::position)
    throw std::logic_error("a sensor of positions that reads velocities");
}

Recorded SensorFormula::input(LawInputKind kind, int index, int component) const {
  if (kind == LawInputKind::feature_velocity || kind == LawInputKind::rate ||
      kind == LawInputKind::angular_velocity || kind == LawInputKind::length_rate)
    require_velocities();
  return {law_, law_.input(kind, index, component)};
}

Recorded3 SensorFormula::inputs(LawInputKind kind, int index) const {
  return {input(kind, index, 0), input(kind, index, 1), input(kind, index, 2)};
}

Recorded SensorFormula::state() const {
  const LawInputKind kind =
      sensor_.is_of_followed_state() ? LawInputKind::coordinate : LawInputKind::rate;
  return input(kind, sensor_.coordinate_of_state());
}

Recorded3 SensorFormula::line() const {
  const Recorded3 to = position(Named::second);
  return to - position(Named::first);
}

Recorded3 SensorFormula::line_rate() const {
  const Recorded3 to = velocity(Named::second);
  return to - velocity(Named::first);
}

Recorded3 SensorFormula::axis(int k) const {
  const int feature = sensor_.axis(k);
  if (feature >= 0) return inputs(LawInputKind::feature, feature);
  Recorded3 unit{};
  unit[index(k)] = 1.0;
  return unit;
}

Recorded3 SensorFormula::axis_rate(int k) const {
  const int feature = sensor_.axis(k);
  return feature >= 0 ? inputs(LawInputKind::feature_velocity, feature) : Recorded3{};
}

std::string component_name(int size, int k) {
  if (size == 3) return std::string(".") + "xyz"[k];
  return size == 1 ? "" : "." + std::to_string(k);
}

void add_sensors(Draft& draft) {
  for (const Sensor& sensor : draft.model.sensors) SensorDraft(draft, sensor).finish();
  Plan& plan = draft.plan;
  // Not shown: signals without names.
  for (const auto& [kind, of] : draft.acceleration_sensors) {
    kernels::SensorEntry entry{};
    entry.kind = kind;
    entry.index = of;
    entry.size = kind == SignalKind::acceleration ? 3 : 1;
    entry.signal = plan.signal_count;
    plan.signal_count += entry.size;
    plan.sensor_names.emplace_back();
    plan.sensors.push_back(entry);
  }
  for (const int number : plan.algebraic_laws) {
    const kernels::LawEntry& law = plan.laws[index(number)];
    for (int k = law.input_begin; k < law.input_end; ++k)
      if (const kernels::LawInputEntry& in = plan.law_inputs[index(k)];
          in.kind == LawInputKind::sensor)
        plan.sensors[index(in.index)].is_read = 1;
  }
}

}  // namespace gradus
