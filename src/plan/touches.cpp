// Who touches what.
#include "src/plan/draft.hpp"

#include <algorithm>
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

std::vector<int> range(int first, int count) {
  std::vector<int> slots;
  for (int k = 0; k < count; ++k) slots.push_back(first + k);
  return slots;
}

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
  for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
    const kernels::BodyEntry& body = plan.bodies[i];
    const int at = static_cast<int>(i);
    std::vector<int> inertia = range(body.mass_slot, 1);
    for (const int s : range(body.com_slot, 3)) inertia.push_back(s);
    for (const int s : range(body.inertia_slot, 6)) inertia.push_back(s);
    groups.push_back(
        {PartialKind::inertia, at, inertia, "mass distribution of " + plan.body_names[i]});
    const std::string joint = " of joint " + plan.joint_names[i];
    groups.push_back(
        {PartialKind::parent_point, at, range(body.parent_point_slot, 3), "parent point" + joint});
    groups.push_back(
        {PartialKind::child_point, at, range(body.child_point_slot, 3), "child point" + joint});
    groups.push_back(
        {PartialKind::parent_frame, at, range(body.parent_frame_slot, 9), "parent axes" + joint});
    groups.push_back(
        {PartialKind::child_frame, at, range(body.child_frame_slot, 9), "child axes" + joint});
  }
  for (std::size_t f = 0; f < plan.features.size(); ++f) {
    const int body = plan.features[f].body;
    groups.push_back({PartialKind::feature, static_cast<int>(f), range(plan.features[f].slot, 3),
                      std::string(plan.features[f].is_point != 0 ? "point" : "direction") + " on " +
                          (body < 0 ? "ground" : plan.body_names[index(body)])});
  }
  for (std::size_t k = 0; k < plan.springs.size(); ++k)
    groups.push_back({PartialKind::spring, static_cast<int>(k), range(plan.springs[k].slot, 3),
                      "constants of " + plan.spring_names[k]});
  for (std::size_t k = 0; k < plan.torsionals.size(); ++k)
    groups.push_back({PartialKind::torsional, static_cast<int>(k),
                      range(plan.torsionals[k].slot, 3),
                      "constants of " + plan.torsional_names[k]});
  for (std::size_t k = 0; k < plan.laws.size(); ++k)
    groups.push_back({PartialKind::law, static_cast<int>(k), slots_of(plan, plan.laws[k]),
                      "law of " + plan.law_names[k]});
  groups.push_back({PartialKind::gravity, 0, range(plan.gravity_slot, 3), "gravity"});
  for (std::size_t c = 0; c < plan.coordinates.size(); ++c) {
    const kernels::CoordinateEntry& coordinate = plan.coordinates[c];
    const std::string name = " of " + plan.coordinate_names[c].name;
    groups.push_back({PartialKind::start_position, static_cast<int>(c),
                      range(coordinate.position_slot, 1), "initial position" + name});
    groups.push_back({PartialKind::start_velocity, static_cast<int>(c),
                      range(coordinate.velocity_slot, 1), "initial velocity" + name});
  }
  return groups;
}

bool moves(const kernels::BodyEntry& body, int place, int owner) {
  return owner >= place && owner < body.end;
}

bool moves_feature(const Plan& plan, const Group& group, int feature) {
  if (group.kind == PartialKind::feature) return group.index == feature;
  return kernels::is_locked_axis(group.kind) &&
         moves(plan.bodies[index(group.index)], group.index, plan.features[index(feature)].body);
}

// Whether some sensor answers to the entry at fixed coordinates. Energies, momenta and reactions
// answer to anything physical.
bool touches_sensors(const Plan& plan, const Group& group) {
  for (const kernels::SensorEntry& sensor : plan.sensors) {
    switch (sensor.kind) {
      case kernels::SignalKind::coordinate:
      case kernels::SignalKind::rate:
      case kernels::SignalKind::coordinate_acceleration:
        continue;
      case kernels::SignalKind::kinetic_energy:
      case kernels::SignalKind::potential_energy:
      case kernels::SignalKind::total_energy:
      case kernels::SignalKind::momentum:
      case kernels::SignalKind::angular_momentum:
        if (plan.uses_energy != 0) return true;
        continue;
      case kernels::SignalKind::joint_force:
      case kernels::SignalKind::joint_moment:
      case kernels::SignalKind::loop_force:
      case kernels::SignalKind::loop_moment:
        if (plan.uses_reactions != 0) return true;
        continue;
      case kernels::SignalKind::angular_velocity:
        if (kernels::is_locked_axis(group.kind) &&
            moves(plan.bodies[index(group.index)], group.index, sensor.index))
          return true;
        continue;
      case kernels::SignalKind::distance:
        if (moves_feature(plan, group, sensor.second)) return true;
        break;
      default:
        break;
    }
    if (moves_feature(plan, group, sensor.index)) return true;
  }
  return false;
}

// Lists a group as an element; returns its number.
int add_element(Plan& plan, const Group& group, int touches_sensors) {
  const bool frame =
      group.kind == PartialKind::parent_frame || group.kind == PartialKind::child_frame;
  const int count = frame ? 3 : static_cast<int>(group.slots.size());  // a rotation vector
  const int place =
      plan.elements.empty() ? 0 : plan.elements.back().place + plan.elements.back().count;
  plan.elements.push_back({group.kind, group.index, place, count, touches_sensors});
  return static_cast<int>(plan.elements.size()) - 1;
}

}  // namespace

void add_touches(Plan& plan, const int* features, int feature_count, int& begin, int& end) {
  begin = static_cast<int>(plan.touches.size());
  for (std::size_t c = 0; c < plan.coordinates.size(); ++c) {
    const int carrier = plan.coordinates[c].body;
    int bits = 0;
    for (int k = 0; k < feature_count; ++k)
      if (moves(plan.bodies[index(carrier)], carrier, plan.features[index(features[k])].body))
        bits |= 1 << k;
    // What moves both ends of a line alike still turns it, so it is kept.
    if (bits != 0) plan.touches.push_back({static_cast<int>(c), bits});
  }
  end = static_cast<int>(plan.touches.size());
}

void add_partials(Plan& plan, const SlotTable& slots) {
  const std::vector<Group> groups = groups_of(plan);
  std::vector<std::vector<const Group*>> changed(index(plan.parameter_count()));  // [parameter]
  std::vector<int> shows;  // [group] whether sensors answer to it
  for (const Group& group : groups) {
    shows.push_back(touches_sensors(plan, group) ? 1 : 0);
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
      for (const int slot : group.slots)
        plan.directions.push_back({slots.depends(slot, p) ? slot : -1, p});
    }
    plan.partial_begin.push_back(static_cast<int>(plan.partials.size()));
  }
  plan.direction_order.resize(plan.directions.size());
  std::iota(plan.direction_order.begin(), plan.direction_order.end(), 0);
  std::stable_sort(plan.direction_order.begin(), plan.direction_order.end(), [&](int a, int b) {
    return plan.directions[index(a)].slot < plan.directions[index(b)].slot;
  });
}

}  // namespace gradus
