// Springs, dampers, dry friction and armature of joints.
#include "src/model/import/mjcf_loads.hpp"

#include <algorithm>
#include <string>

#include "src/model/import/mjcf_geoms.hpp"
#include "src/model/message.hpp"

namespace gradus::importing {

void MjcfLoads::read(const Attributes& a, const MjcfJoint& joint, const ImportedJoint& imported) {
  armature_.push_back(a.number("armature", 0.0));
  if (joint.has_coordinate())
    read_loads(a, joint, imported);
  else
    read_loads_of_turns(a, joint, imported);
}

void MjcfLoads::finish() {
  add_tuned();
  for (const auto& [body, armature] : armature_of_body_)
    add_armature(s_.m.bodies[std::size_t(body)], armature);
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
    armature_of_body_[imported.child] = armature;
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

// Mass at the origin of a body that floats, and a moment of inertia without an axis, neither of
// which weighs anything.
void MjcfLoads::add_armature(ImportedBody& body, double armature) {
  const MassProperties added{armature, Vector::Zero(), armature * Matrix::Identity()};
  const MassProperties whole = together({{body.mass, body.com, body.inertia}, added});
  body.mass = whole.mass;
  body.com = whole.com;
  body.inertia = whole.inertia;
  const Vector weight = armature * s_.m.gravity;
  if (weight.norm() == 0.0) return;
  s_.m.forces[s_.m.force_names.usable(body.name + " armature")] = {
      {"type", "force"}, {"at", body.name}, {"components", {-weight[0], -weight[1], -weight[2]}}};
}

}  // namespace gradus::importing
