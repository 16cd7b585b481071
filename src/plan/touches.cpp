// Who touches what.
#include "src/plan/draft.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace gradus {
namespace {

using kernels::PartialKind;

// A group of slots that one entry of a parameter changes together.
struct Group {
  PartialKind kind;
  int index;
  std::vector<int> slots;
  std::string name;
};

// In the order in which the law counts them.
std::vector<int> slots_of(const Plan& plan, const kernels::LawEntry& law) {
  std::vector<int> slots;
  for (int i = law.input_begin; i < law.input_end; ++i) {
    const kernels::LawInputEntry& in = plan.law_inputs[index(i)];
    if (in.kind == kernels::LawInputKind::slot) slots.push_back(in.index);
  }
  return slots;
}

std::vector<Group> groups_of(const Plan& plan) {
  std::vector<Group> groups;
  const auto add = [&](PartialKind kind, std::size_t place, int first, int count,
                       const std::string& name) {
    std::vector<int> slots(index(count));
    std::iota(slots.begin(), slots.end(), first);
    groups.push_back({kind, static_cast<int>(place), slots, name});
  };
  for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
    const kernels::BodyEntry& body = plan.bodies[i];
    add(PartialKind::inertia, i, body.mass_slot, 1, "mass distribution of " + plan.body_names[i]);
    for (int k = 0; k < 3; ++k) groups.back().slots.push_back(body.com_slot + k);
    for (int k = 0; k < 6; ++k) groups.back().slots.push_back(body.inertia_slot + k);
    const std::string joint = " of joint " + plan.joint_names[i];
    add(PartialKind::parent_point, i, body.parent_point_slot, 3, "parent point" + joint);
    add(PartialKind::child_point, i, body.child_point_slot, 3, "child point" + joint);
    add(PartialKind::parent_frame, i, body.parent_frame_slot, 9, "parent axes" + joint);
    add(PartialKind::child_frame, i, body.child_frame_slot, 9, "child axes" + joint);
  }
  for (std::size_t f = 0; f < plan.features.size(); ++f) {
    const int body = plan.features[f].body;
    add(PartialKind::feature, f, plan.features[f].slot, 3,
        std::string(plan.features[f].is_point != 0 ? "point" : "direction") + " on " +
            (body < 0 ? "ground" : plan.body_names[index(body)]));
  }
  for (std::size_t k = 0; k < plan.laws.size(); ++k)
    groups.push_back({PartialKind::law, static_cast<int>(k), slots_of(plan, plan.laws[k]),
                      "law of " + plan.law_names[k]});
  for (std::size_t k = 0; k < plan.splines.size(); ++k) {
    const kernels::SplineEntry& spline = plan.splines[k];
    add(PartialKind::spline, k, spline.slot, spline.knots + 2 * spline.given_slopes,
        "spline of " + plan.spline_name(k));
  }
  add(PartialKind::gravity, 0, plan.gravity_slot, 3, "gravity");
  for (std::size_t c = 0; c < plan.coordinates.size(); ++c) {
    const std::string name = " of " + plan.coordinate_names[c].name;
    const kernels::CoordinateEntry& coordinate = plan.coordinates[c];
    add(PartialKind::start_position, c, coordinate.position_slot, 1, "initial position" + name);
    add(PartialKind::start_velocity, c, coordinate.velocity_slot, 1, "initial velocity" + name);
  }
  return groups;
}

// Whether what body `place` carries moves with it.
bool moves(const Plan& plan, int place, int owner) {
  return owner >= place && owner < plan.bodies[index(place)].end;
}

int slide_count(kernels::JointKind kind) {
  switch (kind) {
    case kernels::JointKind::prismatic:
    case kernels::JointKind::cylindrical:
      return 1;
    case kernels::JointKind::planar:
      return 2;
    case kernels::JointKind::floating:
      return 3;
    default:
      return 0;
  }
}

// Whether a coordinate turns nothing.
bool is_slide(const Plan& plan, int coordinate) {
  const kernels::BodyEntry& body = plan.bodies[index(plan.coordinates[index(coordinate)].body)];
  return coordinate - body.first_coordinate < slide_count(body.joint);
}

bool moves_body(const Plan& plan, const Group& group, int body) {
  return kernels::is_locked_axis(group.kind) && moves(plan, group.index, body);
}

bool moves_feature(const Plan& plan, const Group& group, int feature) {
  if (group.kind == PartialKind::feature) return group.index == feature;
  return moves_body(plan, group, plan.features[index(feature)].body);
}

// Whether the law changes with the group at fixed coordinates.
bool touches_law(const Plan& plan, const Group& group, int number) {
  const kernels::LawEntry& law = plan.laws[index(number)];
  for (int i = law.input_begin; i < law.input_end; ++i) {
    const kernels::LawInputEntry& in = plan.law_inputs[index(i)];
    using kernels::LawInputKind;
    const bool is_feature =
        in.kind == LawInputKind::feature || in.kind == LawInputKind::feature_velocity;
    const bool is_length = in.kind == LawInputKind::length || in.kind == LawInputKind::length_rate;
    const bool is_pose = in.kind == LawInputKind::pose || in.kind == LawInputKind::pose_rate ||
                         in.kind == LawInputKind::pose_work;
    if ((in.kind == LawInputKind::slot && group.kind == PartialKind::law &&
         group.index == number) ||
        (is_feature && moves_feature(plan, group, in.index)) ||
        (is_length && (moves_feature(plan, group, plan.lines[index(in.index)].from) ||
                       moves_feature(plan, group, plan.lines[index(in.index)].to))) ||
        (is_pose && (moves_feature(plan, group, plan.poses[index(in.index)].from) ||
                     moves_feature(plan, group, plan.poses[index(in.index)].to))) ||
        (in.kind == LawInputKind::angular_velocity && moves_body(plan, group, in.index)))
      return true;
  }
  for (int k = law.call_begin; k < law.call_end && group.kind == PartialKind::spline; ++k)
    if (plan.spline_calls[index(k)].spline == group.index) return true;
  return false;
}

// Whether the rate of the constraint by the motion changes with the group.
bool touches_constraint(const Plan& plan, const Group& group, const kernels::ConstraintEntry& e) {
  if (e.kind == kernels::ConstraintKind::law) return touches_law(plan, group, e.feature[0]);
  return moves_feature(plan, group, e.feature[0]) || moves_feature(plan, group, e.feature[1]);
}

// Whether a sensor answers to the entry at fixed coordinates and multipliers. Energies, momenta and
// reactions of joints and loops answer to anything physical.
bool touches(const Plan& plan, const Group& group, const kernels::SensorEntry& sensor) {
  using kernels::SignalKind;
  switch (sensor.kind) {
    case SignalKind::joint_force:
    case SignalKind::joint_moment:
    case SignalKind::loop_force:
    case SignalKind::loop_moment:
      return plan.uses_reactions != 0;
    case SignalKind::constraint_power:
      return touches_constraint(plan, group, plan.constraints[index(sensor.index)]);
    case SignalKind::law:
      for (int k = 0; k < sensor.size; ++k)
        if (touches_law(plan, group, sensor.index + k)) return true;
      return false;
    case SignalKind::constraint_force:
    case SignalKind::coordinate:
    case SignalKind::rate:
    case SignalKind::coordinate_acceleration:
      return false;
    case SignalKind::kinetic_energy:
    case SignalKind::potential_energy:
    case SignalKind::total_energy:
    case SignalKind::momentum:
    case SignalKind::angular_momentum:
      return plan.uses_energy != 0 && group.kind != PartialKind::spline;
    case SignalKind::angular_velocity:
      return moves_body(plan, group, sensor.index);
    default:
      return moves_feature(plan, group, sensor.index);
  }
}

// How far beyond a knot its value matters to the slopes of a local spline: those at the ends of a
// monotone one follow three knots.
constexpr int kReach = 2;

// Adds the directions of a spline under a parameter: of the values, of the slopes, which kernels
// find, and of slopes at the ends that are given.
void add_spline_directions(Plan& plan, const Group& group, const SlotTable& slots, int p,
                           kernels::PartialEntry& entry) {
  const kernels::SplineEntry& spline = plan.splines[index(group.index)];
  const auto source = [&](int k) {
    const std::vector<int>& inputs = slots.inputs(group.slots[index(k)]);
    return std::binary_search(inputs.begin(), inputs.end(), p) ? group.slots[index(k)] : -1;
  };
  int first = 0;
  int last = spline.knots - 1;
  if (kernels::is_local(spline.kind)) {
    while (source(first) < 0) ++first;
    while (source(last) < 0) --last;
    first = std::max(first - kReach, 0);
    last = std::min(last + kReach, spline.knots - 1);
  }
  entry.first = first;
  entry.count = last - first + 1;
  for (int k = first; k <= last; ++k) plan.directions.push_back({source(k), p});
  for (int k = first; k <= last; ++k) plan.directions.push_back({-1, p});
  for (int k = spline.knots; k < static_cast<int>(group.slots.size()); ++k)
    plan.directions.push_back({source(k), p});
}

// Whether the size of the action, or where it acts, changes with the group at fixed coordinates.
bool touches_action(const Plan& plan, const Group& group, const kernels::ActionEntry& action) {
  return touches_law(plan, group, action.size) ||
         (action.work >= 0 && touches_law(plan, group, action.work)) ||
         (group.kind == PartialKind::feature && group.index == action.feature);
}

// The same of a constraint and of its generalised force.
bool changes_constraint(const Plan& plan, const Group& group, const kernels::ConstraintEntry& e) {
  if (e.kind == kernels::ConstraintKind::law) return touches_law(plan, group, e.feature[0]);
  return std::any_of(e.feature, e.feature + kernels::feature_count(e.kind),
                     [&](int f) { return moves_feature(plan, group, f); });
}

// Adds to `numbers` those of the entries that the group changes; returns where these begin.
template <class Entry>
int list_changed(std::vector<int>& numbers, const std::vector<Entry>& entries,
                 const std::function<bool(const Entry&)>& is_changed) {
  const int begin = static_cast<int>(numbers.size());
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (is_changed(entries[k])) numbers.push_back(static_cast<int>(k));
  return begin;
}

// Lists a group as an element; returns its number.
int add_element(Plan& plan, const Group& group, int touches_sensors) {
  const bool frame =
      group.kind == PartialKind::parent_frame || group.kind == PartialKind::child_frame;
  int count = frame ? 3 : static_cast<int>(group.slots.size());  // a rotation vector
  if (group.kind == PartialKind::spline) {
    kernels::SplineEntry& spline = plan.splines[index(group.index)];
    spline.element = static_cast<int>(plan.elements.size());
    count = 2 * spline.knots;  // values and slopes
  }
  const int place =
      plan.elements.empty() ? 0 : plan.elements.back().place + plan.elements.back().count;
  kernels::ElementEntry element{group.kind, group.index, place, count, touches_sensors};
  element.action_begin = list_changed<kernels::ActionEntry>(
      plan.changed_actions, plan.actions,
      [&](const auto& action) { return touches_action(plan, group, action); });
  element.action_end = static_cast<int>(plan.changed_actions.size());
  element.constraint_begin = list_changed<kernels::ConstraintEntry>(
      plan.changed_constraints, plan.constraints,
      [&](const auto& constraint) { return changes_constraint(plan, group, constraint); });
  element.constraint_end = static_cast<int>(plan.changed_constraints.size());
  plan.elements.push_back(element);
  return static_cast<int>(plan.elements.size()) - 1;
}

}  // namespace

void add_touches(Plan& plan, const int* features, int feature_count, int& begin, int& end) {
  begin = static_cast<int>(plan.touches.size());
  for (std::size_t c = 0; c < plan.coordinates.size(); ++c) {
    const int carrier = plan.coordinates[c].body;
    int bits = 0;
    for (int k = 0; k < feature_count; ++k) {
      const kernels::FeatureEntry& feature = plan.features[index(features[k])];
      if (moves(plan, carrier, feature.body) &&
          (feature.is_point != 0 || !is_slide(plan, static_cast<int>(c))))
        bits |= 1 << k;
    }
    // What moves both ends of a line or both bodies of a pose alike still turns them, so it is
    // kept.
    if (bits != 0) plan.touches.push_back({static_cast<int>(c), bits});
  }
  end = static_cast<int>(plan.touches.size());
}

void add_partials(Plan& plan, const SlotTable& slots) {
  const std::vector<Group> groups = groups_of(plan);
  std::vector<std::vector<const Group*>> changed(index(plan.parameter_count()));  // [parameter]
  std::vector<int> shows;  // [group] whether sensors answer to it
  for (const Group& group : groups) {
    const bool shown =
        std::any_of(plan.sensors.begin(), plan.sensors.end(),
                    [&](const kernels::SensorEntry& s) { return touches(plan, group, s); });
    shows.push_back(shown ? 1 : 0);
    for (const int slot : group.slots)
      for (const int p : slots.inputs(slot)) {
        std::vector<const Group*>& own = changed[index(p)];
        if (own.empty() || own.back() != &group) own.push_back(&group);
      }
  }
  std::vector<int> elements(groups.size(), -1);  // [group]
  plan.partial_begin.push_back(0);
  for (int p = 0; p < plan.parameter_count(); ++p) {
    for (const Group* entry : changed[index(p)]) {
      const Group& group = *entry;
      const auto number = static_cast<std::size_t>(entry - groups.data());
      if (elements[number] < 0) elements[number] = add_element(plan, group, shows[number]);
      plan.partials.push_back({group.kind, group.index, static_cast<int>(plan.directions.size()),
                               elements[number], shows[number]});
      plan.partial_names.push_back(group.name);
      if (group.kind == PartialKind::spline) {
        add_spline_directions(plan, group, slots, p, plan.partials.back());
        continue;
      }
      for (const int slot : group.slots) {
        const std::vector<int>& inputs = slots.inputs(slot);
        const bool depends = std::binary_search(inputs.begin(), inputs.end(), p);
        plan.directions.push_back({depends ? slot : -1, p});
      }
    }
    plan.partial_begin.push_back(static_cast<int>(plan.partials.size()));
  }
  order_directions(plan);
}

void order_directions(Plan& plan) {
  plan.direction_order.clear();
  for (std::size_t k = 0; k < plan.directions.size(); ++k)
    if (plan.directions[k].slot >= 0) plan.direction_order.push_back(static_cast<int>(k));
  std::stable_sort(plan.direction_order.begin(), plan.direction_order.end(), [&](int a, int b) {
    return plan.directions[index(a)].slot < plan.directions[index(b)].slot;
  });
}

}  // namespace gradus
