// Springs, dampers, dry friction and armature of joints.
#include "src/model/import/mjcf_loads.hpp"

#include <algorithm>
#include <string>

#include "src/model/message.hpp"

namespace gradus::importing {

namespace {

// `factor` times a number of a model.
Json scaled(double factor, const Json& number) {
  if (number.is_number()) return factor * number.get<double>();
  if (factor == 0.0) return 0.0;
  return "(" + to_text(factor) + ")*" + number.get<std::string>();
}

}  // namespace

void MjcfLoads::read(const Attributes& a, const MjcfJoint& joint, const ImportedJoint& imported) {
  armature_.push_back(a.number("armature", 0.0));
  if (joint.has_coordinate())
    read_loads(a, joint, imported);
  else
    read_loads_of_turns(a, joint, imported);
}

void MjcfLoads::finish(Names& body_names) {
  add_tuned();
  for (const FreeArmature& armature : free_) add_armature(armature, body_names);
}

// Whether a joint is tuned, which overrides its stiffness and damping.
bool MjcfLoads::read_tuned(const Attributes& a) {
  const std::vector<double> given = a.filled("springdamper", {0.0, 0.0}, 2);
  if (given[0] == 0.0 && given[1] == 0.0) return false;
  if (!(given[0] > 0.0 && given[1] > 0.0))
    a.reject("springdamper", "a time constant and a damping ratio, both positive");
  tuned_.push_back({armature_.size() - 1, given[0], given[1]});
  return true;
}

void MjcfLoads::add_spring(const MjcfJoint& joint, const ImportedJoint& imported,
                           double stiffness) {
  const std::string parameter = "stiffness_" + identifier(imported.name);
  s_.m.forces[s_.m.force_names.usable(imported.name + " spring")] = {
      {"type", "torsional-spring-damper"},
      {"joint", imported.name},
      {"stiffness", s_.m.number(parameter, stiffness, joint.type == "hinge" ? "N m/rad" : "N/m")},
      {"angle", joint.spring_reference}};
}

// Of ball and free joints that of a bushing.
void MjcfLoads::add_damper(const MjcfJoint& joint, const ImportedJoint& imported, double damping) {
  const std::string parameter = "damping_" + identifier(imported.name);
  const std::string name = s_.m.force_names.usable(imported.name + " damping");
  if (joint.has_coordinate()) {
    const char* const unit = joint.type == "hinge" ? "N m s/rad" : "N s/m";
    s_.m.forces[name] = {{"type", "rotary-damper"},
                         {"joint", imported.name},
                         {"linear", s_.m.number(parameter, damping, unit)}};
    return;
  }
  const std::string parent =
      imported.parent == kGround ? "ground" : s_.m.body(imported.parent)->name;
  const Json constant = s_.m.number(parameter, damping, "");
  Json force = {{"type", "bushing"}, {"from", parent}, {"to", s_.m.body(imported.child)->name}};
  force["torsional_damping"] = {constant, constant, constant};
  if (joint.type == "free") force["damping"] = {constant, constant, constant};
  s_.m.forces[name] = force;
}

void MjcfLoads::read_loads(const Attributes& a, const MjcfJoint& joint,
                           const ImportedJoint& imported) {
  ImportedMechanism& m = s_.m;
  const double stiffness = a.number("stiffness", 0.0), damping = a.number("damping", 0.0),
               friction = a.number("frictionloss", 0.0), armature = armature_.back();
  const bool is_tuned = read_tuned(a);
  m.coordinate_of(imported.name);
  if (stiffness != 0.0 && !is_tuned) add_spring(joint, imported, stiffness);
  if (damping != 0.0 && !is_tuned) add_damper(joint, imported, damping);
  if (armature != 0.0)
    m.forces[m.force_names.usable(imported.name + " armature")] = {
        {"type", "joint-force"},
        {"joint", imported.name},
        {"value", "-" +
                      m.factor("armature_" + identifier(imported.name), armature,
                               joint.type == "hinge" ? "kg m^2" : "kg") +
                      "*" + m.acceleration_of(imported.name)}};
  if (friction != 0.0) m.add_dry_friction(imported, friction);
}

void MjcfLoads::read_loads_of_turns(const Attributes& a, const MjcfJoint& joint,
                                    const ImportedJoint& imported) {
  const std::string called = joint.type + " joint ";
  const double stiffness = a.number("stiffness", 0.0), damping = a.number("damping", 0.0),
               armature = armature_.back();
  const bool is_tuned = read_tuned(a);
  if (stiffness != 0.0 || is_tuned) s_.left_out.add(called + "stiffness");
  if (a.number("frictionloss", 0.0) != 0.0) s_.left_out.add(called + "frictionloss");
  if (damping != 0.0 && !is_tuned) add_damper(joint, imported, damping);
  if (armature == 0.0) return;
  if (joint.type == "free")
    free_.push_back({imported.name, imported.child, armature});
  else
    s_.left_out.add(called + "armature");
}

// As MuJoCo does, which divides by 1e-15 at least: a mass with this spring and damper would have
// the time constant and the ratio, were it the mean inertia at the joint in the position that the
// file describes.
void MjcfLoads::add_tuned() {
  if (tuned_.empty()) return;
  const std::vector<double> inertia = inertia_at_joints(s_, armature_);
  for (const Tuned& tuned : tuned_) {
    const MjcfJoint& joint = s_.joints[tuned.joint];
    if (inertia.empty()) {
      s_.left_out.add("joint springdamper");
      continue;
    }
    constexpr double least = 1e-15;
    const double mass = inertia[tuned.joint], time = tuned.time_constant;
    if (joint.has_coordinate()) {
      const double stretched = time * tuned.damping_ratio;
      add_spring(joint, s_.imported(joint), mass / std::max(least, stretched * stretched));
    }
    add_damper(joint, s_.imported(joint), 2.0 * mass / std::max(least, time));
  }
}

// A body fixed to the one that floats: mass at its origin and a moment of inertia without an axis,
// neither of which weighs anything.
void MjcfLoads::add_armature(const FreeArmature& armature, Names& body_names) {
  ImportedMechanism& m = s_.m;
  const std::string carrier = m.body(armature.body)->name;
  ImportedBody body;
  body.name = body_names.usable(carrier + " armature");
  body.number = m.number("armature_" + identifier(armature.joint), armature.size, "kg");
  ImportedJoint joint;
  joint.name = s_.joint_names.usable(body.name);
  joint.type = "fixed";
  joint.parent = armature.body;
  joint.child = static_cast<int>(m.bodies.size());
  if (m.gravity.norm() > 0.0) {
    Json lift = Json::array();
    for (Eigen::Index k = 0; k < 3; ++k) lift.push_back(scaled(-m.gravity[k], body.number));
    m.forces[m.force_names.usable(body.name)] = {
        {"type", "force"}, {"at", carrier}, {"components", lift}};
  }
  m.bodies.push_back(std::move(body));
  m.joints.push_back(std::move(joint));
}

}  // namespace gradus::importing
