// Joints of the tree have coordinates; of those that are cut, the same is said by features.
#include "src/plan/joint_draft.hpp"

#include <algorithm>
#include <stdexcept>

#include "src/model/joint_types.hpp"

namespace gradus {

using expression::Node;
using kernels::LawInputKind;

// In the plan a joint may be followed from its child to its parent; what its frames and its child
// are is what the model states.
JointDraft::JointDraft(Draft& draft, const std::string& name, const std::string& path)
    : draft_(draft), name_(name) {
  const JointReference place = draft.references.joint_or_loop(name, draft.where(path));
  is_cut_ = place.is_loop;
  joint_ = is_cut_ ? draft.model.loops[index(place.place)] : draft.model.joints[index(place.place)];
  if (!is_cut_) first_coordinate_ = draft.first_coordinate(place.place);
  if (std::find(draft.reversed.begin(), draft.reversed.end(), name) != draft.reversed.end())
    joint_ = reversed(joint_);
  frames_ = joint_frames(draft, joint_, path);
  parent_point_ = draft.point_feature(joint_.parent, path);
  child_point_ = draft.point_feature(joint_.child, path);
  parent_body_ = draft.plan.features[index(parent_point_)].body;
  child_body_ = draft.plan.features[index(child_point_)].body;
}

bool JointDraft::is_slide(int k) const {
  return gradus::is_slide(slips_of(joint_.type)[index(k)]);
}

// The axes of the ground are no inputs of laws.
Recorded3 JointDraft::direction(LawWriter& law, int body, const FrameNodes& frame,
                                std::size_t column) const {
  const Nodes3 nodes = frame_column(frame, column);
  if (body < 0)
    return {Recorded(law, law.slot(nodes[0])), Recorded(law, law.slot(nodes[1])),
            Recorded(law, law.slot(nodes[2]))};
  const Nodes3 moved = law.position(draft_.feature(body, draft_.slots.add(nodes), false));
  return {Recorded(law, moved[0]), Recorded(law, moved[1]), Recorded(law, moved[2])};
}

Recorded3 JointDraft::direction_rate(LawWriter& law, int body, const FrameNodes& frame,
                                     std::size_t column) const {
  if (body < 0) return {};
  const int feature = draft_.feature(body, draft_.slots.add(frame_column(frame, column)), false);
  const Nodes3 rate = law.velocity(feature);
  return {Recorded(law, rate[0]), Recorded(law, rate[1]), Recorded(law, rate[2])};
}

Recorded3 JointDraft::parent_direction(LawWriter& law, std::size_t column) const {
  return direction(law, parent_body_, frames_.parent, column);
}
Recorded3 JointDraft::child_direction(LawWriter& law, std::size_t column) const {
  return direction(law, child_body_, frames_.child, column);
}

Recorded3 JointDraft::point(LawWriter& law, int feature) const {
  const Nodes3 place = law.position(feature);
  return {Recorded(law, place[0]), Recorded(law, place[1]), Recorded(law, place[2])};
}

Recorded3 JointDraft::gap(LawWriter& law) const {
  return point(law, child_point_) - point(law, parent_point_);
}

Recorded3 JointDraft::angular_velocity(LawWriter& law, int body) const {
  if (body < 0) return {};
  const Nodes3 w = law.vector(LawInputKind::angular_velocity, body);
  return {Recorded(law, w[0]), Recorded(law, w[1]), Recorded(law, w[2])};
}

Recorded3 JointDraft::relative_turning(LawWriter& law) const {
  return angular_velocity(law, child_body_) - angular_velocity(law, parent_body_);
}

Recorded3 JointDraft::axis_of(LawWriter& law, int k) const {
  if (joint_.type == JointType::planar && is_slide(k))
    return parent_direction(law, static_cast<std::size_t>(k) + 1);
  if (joint_.type == JointType::cardan && k == 1) return child_direction(law, 0);
  return parent_direction(law, 0);
}

// Counted as the coordinates of such a joint in the tree are: docs/theory.md, section 2.
Recorded JointDraft::angle(LawWriter& law, int k) const {
  if (joint_.type == JointType::cardan && k == 1) {
    const Recorded3 first = parent_direction(law, 0);
    return atan2(-dot(child_direction(law, 2), first), dot(child_direction(law, 1), first));
  }
  const Recorded3 turned = child_direction(law, joint_.type == JointType::cardan ? 0 : 1);
  return atan2(dot(parent_direction(law, 2), turned), dot(parent_direction(law, 1), turned));
}

Node JointDraft::way(LawWriter& law, int k) const {
  if (joint_.type == JointType::spherical) return law.input(LawInputKind::pose_work, pose(), 3 + k);
  if (!is_cut_) return law.coordinate(first_coordinate_ + k);
  return (is_slide(k) ? dot(axis_of(law, k), gap(law)) : angle(law, k)).in(law);
}

Recorded JointDraft::rate(LawWriter& law, int k) const {
  if (joint_.type == JointType::spherical)
    return {law, law.input(LawInputKind::pose_rate, pose(), 3 + k)};
  if (!is_cut_) return {law, law.input(LawInputKind::rate, first_coordinate_ + k)};
  const Recorded3 axis = axis_of(law, k);
  if (!is_slide(k)) return dot(axis, relative_turning(law));
  const std::size_t column = joint_.type == JointType::planar ? static_cast<std::size_t>(k) + 1 : 0;
  const auto velocity = [&](int feature) {
    const Nodes3 v = law.velocity(feature);
    return Recorded3{Recorded(law, v[0]), Recorded(law, v[1]), Recorded(law, v[2])};
  };
  const Recorded3 apart = velocity(child_point_) - velocity(parent_point_);
  return dot(axis, apart) +
         dot(direction_rate(law, parent_body_, frames_.parent, column), gap(law));
}

Recorded3 JointDraft::reaction(LawWriter& law, std::string_view kind) const {
  const std::vector<Sensor>& sensors = draft_.model.sensors;
  const auto sensor = std::find_if(sensors.begin(), sensors.end(), [&](const Sensor& s) {
    return s.type == kind && s.target == name_;
  });
  if (sensor == sensors.end()) throw std::logic_error("a reaction that no sensor shows");
  const auto place = static_cast<int>(sensor - sensors.begin());
  Recorded3 shown;
  for (int k = 0; k < 3; ++k) shown[index(k)] = {law, law.input(LawInputKind::sensor, place, k)};
  return shown;
}

Recorded3 JointDraft::moment_at_parent(LawWriter& law) const {
  return moment(law) + cross(gap(law), force(law));
}

}  // namespace gradus
