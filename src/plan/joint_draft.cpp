// Joints of the tree have coordinates; of those that are cut, the same is said by features.
#include "src/plan/joint_draft.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "src/model/joint_types.hpp"
#include "src/model/states.hpp"

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

Recorded3 JointDraft::gap_rate(LawWriter& law) const {
  const auto velocity = [&](int feature) {
    const Nodes3 v = law.velocity(feature);
    return Recorded3{Recorded(law, v[0]), Recorded(law, v[1]), Recorded(law, v[2])};
  };
  const Recorded3 child = velocity(child_point_);
  return child - velocity(parent_point_);
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
JointDraft::SineCosine JointDraft::sine_cosine(LawWriter& law, int k) const {
  if (joint_.type == JointType::cardan && k == 1) {
    const Recorded3 first = parent_direction(law, 0);
    return {-dot(child_direction(law, 2), first), dot(child_direction(law, 1), first)};
  }
  const Recorded3 turned = child_direction(law, joint_.type == JointType::cardan ? 0 : 1);
  return {dot(parent_direction(law, 2), turned), dot(parent_direction(law, 1), turned)};
}

Recorded JointDraft::angle(LawWriter& law, int k) const {
  const SineCosine turn = sine_cosine(law, k);
  return atan2(turn.sine, turn.cosine);
}

Recorded JointDraft::beyond(LawWriter& law, int k, const Recorded& value) const {
  const CoordinateName& name = coordinates_of(joint_.type)[index(k)];
  if (name.unit != "rad") return coordinate(law, k) - value;
  const auto [sine, cosine] = sine_cosine(law, k);
  return atan2(sine * cos(value) - cosine * sin(value), cosine * cos(value) + sine * sin(value));
}

// The count differs from the angle by whole turns and the error of its integral: the value of the
// coordinate depends on the whole turns alone, and its derivatives on neither.
Recorded JointDraft::coordinate(LawWriter& law, int k) const {
  const int euler = first_euler_parameter(joint_.type);
  if (euler >= 0 && k >= euler) return relative_euler(law, k - euler, false);
  if (joint_.type == JointType::floating)
    return dot(parent_direction(law, static_cast<std::size_t>(k)), gap(law));
  if (is_slide(k)) return dot(axis_of(law, k), gap(law));
  const bool is_single = coordinate_count(joint_.type) == 1;
  const State* const count =
      find_turn_count(draft_.model, is_single ? name_ : name_ + "." + std::to_string(k));
  if (count == nullptr) return angle(law, k);
  const Recorded counted(law,
                         law.input(LawInputKind::rate, draft_.coordinate_of_state(count->name)));
  return counted + beyond(law, k, counted);
}

Recorded JointDraft::coordinate_rate(LawWriter& law, int k) const {
  const int euler = first_euler_parameter(joint_.type);
  if (euler >= 0 && k >= euler) return relative_euler(law, k - euler, true);
  if (joint_.type != JointType::floating) return rate(law, k);
  const auto column = static_cast<std::size_t>(k);
  return dot(parent_direction(law, column), gap_rate(law)) +
         dot(direction_rate(law, parent_body_, frames_.parent, column), gap(law));
}

// conj(p) q, p and q being those of the bodies: only joints without directions have them.
Recorded JointDraft::relative_euler(LawWriter& law, int k, bool rates) const {
  constexpr int place[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
  constexpr int sign[4][4] = {{1, 1, 1, 1}, {1, -1, -1, 1}, {1, 1, -1, -1}, {1, -1, 1, -1}};
  const auto of = [&](int body, int i, LawInputKind kind) -> Recorded {
    if (body < 0) return i == 0 && kind == LawInputKind::coordinate ? 1.0 : 0.0;
    return {law, law.input(kind, draft_.plan.bodies[index(body)].euler + i)};
  };
  const auto product = [&](LawInputKind first, LawInputKind second) {
    Recorded sum = 0.0;
    for (int i = 0; i < 4; ++i)
      sum = sum + static_cast<double>(sign[k][i]) * of(parent_body_, i, first) *
                      of(child_body_, place[k][i], second);
    return sum;
  };
  if (!rates) return product(LawInputKind::coordinate, LawInputKind::coordinate);
  return product(LawInputKind::rate, LawInputKind::coordinate) +
         product(LawInputKind::coordinate, LawInputKind::rate);
}

Recorded JointDraft::turned_beyond(LawWriter& law, int k, std::span<const Node> euler) const {
  std::array<Recorded, 4> e;
  Recorded square = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    e[i] = Recorded(law, euler[i]);
    square = square + e[i] * e[i];
  }
  const auto wanted = [&](std::size_t i, std::size_t j) {  // of the rotation, times the square
    if (i == j) return 2.0 * (e[0] * e[0] + e[i + 1] * e[i + 1]) - square;
    const double cyclic = (i + 1) % 3 == j ? -1.0 : 1.0;
    return 2.0 * (e[i + 1] * e[j + 1] + cyclic * e[0] * e[4 - i - j]);
  };
  const auto entry = [&](std::size_t i, std::size_t j) {
    Recorded sum = 0.0;
    for (std::size_t m = 0; m < 3; ++m)
      sum = sum + dot(parent_direction(law, i), child_direction(law, m)) * wanted(j, m);
    return sum;
  };
  const std::size_t a = (index(k) + 1) % 3;
  const std::size_t b = (index(k) + 2) % 3;
  return (entry(b, a) - entry(a, b)) / (2.0 * square);
}

Node JointDraft::way(LawWriter& law, int k) const {
  if (joint_.type == JointType::spherical) return law.input(LawInputKind::pose_work, pose(), 3 + k);
  if (!is_cut_) return law.coordinate(first_coordinate_ + k);
  if (joint_.type == JointType::floating) return coordinate(law, k).in(law);
  return (is_slide(k) ? dot(axis_of(law, k), gap(law)) : angle(law, k)).in(law);
}

Recorded JointDraft::rate(LawWriter& law, int k) const {
  if (joint_.type == JointType::spherical)
    return {law, law.input(LawInputKind::pose_rate, pose(), 3 + k)};
  if (!is_cut_) return {law, law.input(LawInputKind::rate, first_coordinate_ + k)};
  const Recorded3 axis = axis_of(law, k);
  if (!is_slide(k)) return dot(axis, relative_turning(law));
  const std::size_t column = joint_.type == JointType::planar ? static_cast<std::size_t>(k) + 1 : 0;
  return dot(axis, gap_rate(law)) +
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

namespace {

// The number behind the dot of "joint.k"; 0 where there is none.
int place_in_joint(const std::string& text) {
  int place = 0;
  const std::size_t dot = text.find('.');
  if (dot != std::string::npos)
    std::from_chars(text.data() + dot + 1, text.data() + text.size(), place);
  return place;
}

}  // namespace

bool is_of_cut_joint(const Draft& draft, const std::string& text, const std::string& path) {
  return draft.references.joint_or_loop(joint_name_of(text), draft.where(path)).is_loop;
}

std::string unit_of_coordinate(const Draft& draft, const std::string& text,
                               const std::string& path) {
  const JointReference joint =
      draft.references.joint_or_loop(joint_name_of(text), draft.where(path));
  const int place = place_in_joint(text);
  if (!joint.is_loop)
    return draft.plan.coordinate_names[index(draft.first_coordinate(joint.place) + place)].unit;
  return std::string(coordinates_of(draft.model.loops[index(joint.place)].type)[index(place)].unit);
}

CoordinateDraft::CoordinateDraft(Draft& draft, const std::string& text, const std::string& path)
    : CoordinateDraft(draft, joint_name_of(text), place_in_joint(text), path) {}

CoordinateDraft::CoordinateDraft(Draft& draft, const std::string& joint, int place,
                                 const std::string& path)
    : place_(place) {
  const JointReference found = draft.references.joint_or_loop(joint, draft.where(path));
  if (found.is_loop)
    joint_.emplace(draft, joint, path);
  else
    coordinate_ = draft.first_coordinate(found.place) + place;
}

Recorded CoordinateDraft::value(LawWriter& law) const {
  if (joint_) return joint_->coordinate(law, place_);
  return {law, law.coordinate(coordinate_)};
}

Recorded CoordinateDraft::rate(LawWriter& law) const {
  if (joint_) return joint_->coordinate_rate(law, place_);
  return {law, law.input(LawInputKind::rate, coordinate_)};
}

Recorded CoordinateDraft::beyond(LawWriter& law, const Recorded& value) const {
  return joint_ ? joint_->beyond(law, place_, value) : this->value(law) - value;
}

Node CoordinateDraft::work(LawWriter& law) const {
  return joint_ ? joint_->way(law, place_) : law.coordinate(coordinate_);
}

// Their rates are those of the angles.
void add_turn_counts(Draft& draft) {
  for (const State& state : draft.model.states) {
    if (state.turn.empty()) continue;
    LawWriter work(draft);
    LawWriter size(draft);
    const CoordinateDraft counted(draft, state.turn, "/joints/" + state.turn);
    add_effort(draft, work, work.coordinate(draft.coordinate_of_state(state.name)), size,
               counted.rate(size).in(size), disc_of_state(state.name));
  }
}

}  // namespace gradus
