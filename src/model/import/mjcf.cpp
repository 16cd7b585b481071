// The parts of an MJCF document in the order in which they build on each other, and the start.
#include "src/model/import/mjcf.hpp"

#include <algorithm>

#include "src/model/import/mjcf_scene.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::importing {
namespace {

void read_option(MjcfScene& s) {
  bool has_gravity = true;
  for (const XmlElement* option : s.root.all("option")) {
    const Attributes a({option}, s.left_out);
    if (const auto gravity = a.numbers("gravity", 3, 3)) s.m.gravity = vector_of(*gravity);
    for (const char* key : {"density", "viscosity"})
      if (a.number(key, 0.0) != 0.0) s.left_out.add("option " + std::string(key));
    // How the solver of MuJoCo works.
    for (const char* key : {"timestep",          "apirate",
                            "impratio",          "tolerance",
                            "ls_tolerance",      "noslip_tolerance",
                            "mpr_tolerance",     "ccd_tolerance",
                            "o_margin",          "o_solref",
                            "o_solimp",          "o_friction",
                            "integrator",        "cone",
                            "jacobian",          "solver",
                            "iterations",        "ls_iterations",
                            "noslip_iterations", "mpr_iterations",
                            "ccd_iterations",    "sdf_iterations",
                            "sdf_initpoints",    "magnetic",
                            "sleep_tolerance"})
      a.ignore(key);
    for (const XmlElement* flag : option->all("flag"))
      for (const auto& [key, value] : flag->attributes)
        if (key == "gravity")
          has_gravity = value != "disable";
        else if (value == "disable")
          for (const char* acting : {"constraint", "equality", "frictionloss", "passive", "spring",
                                     "damper", "actuation", "clampctrl"})
            if (key == acting) s.left_out.add("flag " + key + "=disable");
  }
  if (!has_gravity) s.m.gravity = Vector::Zero();
}

class Keyframe {
 public:
  explicit Keyframe(MjcfScene& scene) : s_(scene) {
    if (s_.options.keyframe.empty()) return;
    std::vector<std::string> names;
    for (const XmlElement* key : s_.parts("keyframe")) {
      const std::string* name = key->find("name");
      const std::string number = std::to_string(names.size());
      const bool is_named = name && *name == s_.options.keyframe;
      if (is_named || (!found_ && number == s_.options.keyframe)) found_ = key;
      names.push_back(name ? *name : number);
    }
    if (!found_)
      reject(s_.root.where, "found no keyframe " + in_quotes(s_.options.keyframe),
             "a keyframe is asked for by its name, or its number from 0 on",
             suggestion(s_.options.keyframe, names));
    const Attributes a({found_}, s_.left_out);
    a.ignore("time");
    read_controls(a);
    positions_ = numbers(a, "qpos", {7, 4, 1});
    velocities_ = numbers(a, "qvel", {6, 3, 1});
    activations_ = a.numbers("act", 1, 100'000).value_or(std::vector<double>());
  }

  void write() {
    std::size_t q = 0, v = 0;
    for (const MjcfJoint& joint : s_.joints) {
      ImportedJoint& imported = s_.imported(joint);
      if (joint.has_coordinate())
        write_coordinate(joint, imported, q++, v++);
      else
        write_turn(joint, imported, q, v);
    }
    std::size_t k = 0;
    for (auto& [name, state] : s_.m.states.items()) {
      if (k < activations_.size()) state["initial"] = activations_[k];
      ++k;
    }
    if (!activations_.empty() && activations_.size() != k)
      reject(found_->where, "found " + counted(activations_.size(), "number") + " in act",
             "the actuators that are read have " + counted(k, "state"), "state as many");
  }

 private:
  std::vector<double> numbers(const Attributes& a, const std::string& key,
                              const std::vector<std::size_t>& sizes) const {
    std::size_t expected = 0;
    for (const MjcfJoint& joint : s_.joints)
      expected += sizes[joint.type == "free" ? 0 : joint.type == "ball" ? 1 : 2];
    if (expected == 0) {
      a.ignore(key);
      return {};
    }
    return a.numbers(key, expected, expected).value_or(std::vector<double>());
  }

  void read_controls(const Attributes& a) {
    const std::size_t size = s_.parts("actuator").size();
    if (size == 0) return a.ignore("ctrl");
    s_.controls = a.numbers("ctrl", size, size).value_or(std::vector<double>());
  }

  void write_coordinate(const MjcfJoint& joint, ImportedJoint& imported, std::size_t q,
                        std::size_t v) const {
    const double position = positions_.empty() ? joint.reference : positions_[q];
    if (position != 0.0) imported.position = {position};
    if (!velocities_.empty()) imported.velocity = {velocities_[v]};
  }

  // Positions of free joints are those in the world; rotations of ball joints count from the
  // position as described. Angular velocities are given in the axes of the child.
  void write_turn(const MjcfJoint& joint, ImportedJoint& imported, std::size_t& q,
                  std::size_t& v) const {
    const bool is_free = joint.type == "free";
    Pose pose{imported.place, imported.rotation};
    if (!positions_.empty()) {
      const double* at = &positions_[q];
      if (is_free) pose.place = Vector(at[0], at[1], at[2]);
      at += is_free ? 3 : 0;
      if (at[0] == 0.0 && at[1] == 0.0 && at[2] == 0.0 && at[3] == 0.0)
        reject(found_->where, "found a quaternion of length 0 in qpos", "it turns nothing",
               "state 1 0 0 0 for no rotation");
      const Matrix turned = from_quaternion({at[0], at[1], at[2], at[3]});
      pose.rotation = is_free ? turned : Matrix(imported.rotation * turned);
    }
    imported.start = pose;
    if (!velocities_.empty()) {
      const double* at = &velocities_[v];
      if (is_free) imported.velocity = {at[0], at[1], at[2]};
      at += is_free ? 3 : 0;
      const Vector turning = pose.rotation * Vector(at[0], at[1], at[2]);
      imported.velocity.insert(imported.velocity.end(), turning.begin(), turning.end());
    }
    q += is_free ? 7 : 4;
    v += is_free ? 6 : 3;
  }

  MjcfScene& s_;
  const XmlElement* found_ = nullptr;
  std::vector<double> positions_, velocities_, activations_;
};

void note_asset(const XmlElement& part, LeftOut& left_out) {
  if (part.name == "model")
    reject(part.where, "found <model>", "models within models are not read",
           "let MuJoCo write the compiled model (mj_saveLastXML), and import that");
  // Meshes count where geoms have them; the others are about looks.
  if (!is_among(part.name, {"texture", "material", "mesh"})) left_out.add(part.name);
}

void note_section(const XmlElement& section, MjcfScene& s) {
  const std::string& name = section.name;
  if (is_among(name, {"compiler", "option", "default", "worldbody", "equality", "tendon",
                      "actuator", "visual", "statistic", "size"}))
    return;
  if (name == "keyframe" && !s.options.keyframe.empty()) return;
  const bool is_named_alone = name == "keyframe";
  const bool lists =
      is_named_alone || is_among(name, {"sensor", "contact", "deformable", "custom"});
  if (name == "asset")
    for (const XmlElement& part : section.children) note_asset(part, s.left_out);
  else if (lists)
    for (const XmlElement& part : section.children)
      s.left_out.add(is_named_alone ? "keyframe" : name + " " + part.name);
  else
    s.left_out.add(name);
}

}  // namespace

ImportedMechanism read_mjcf(const XmlElement& mujoco, const std::filesystem::path& file,
                            const ImportOptions& options) {
  const XmlElement root = with_includes(mujoco, file);
  MjcfScene scene(root, file, options);
  {
    const Attributes a({&root}, scene.left_out);
    scene.m.name = a.text("model", file.stem().string());
    if (scene.m.name.empty()) scene.m.name = file.stem().string();
  }
  read_option(scene);
  read_mjcf_tree(scene);
  read_mjcf_tendons(scene);
  read_mjcf_equalities(scene);
  Keyframe keyframe(scene);
  read_mjcf_actuators(scene);
  keyframe.write();
  for (const XmlElement& section : root.children) note_section(section, scene);
  if (scene.m.bodies.empty())
    reject(root.where, "found no body", "a mechanism has at least one",
           "add bodies to <worldbody>");
  if (const std::string listed = scene.left_out.listed(); !listed.empty())
    scene.m.remarks.push_back("left out: " + listed);
  return std::move(scene.m);
}

}  // namespace gradus::importing
