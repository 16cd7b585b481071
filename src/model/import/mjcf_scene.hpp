// What the readers of the parts of an MJCF document share.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gradus/import.hpp"
#include "src/model/import/mechanism.hpp"
#include "src/model/import/mjcf_document.hpp"
#include "src/model/import/mjcf_meshes.hpp"

namespace gradus::importing {

struct MjcfJoint {
  std::size_t index = 0;          // in ImportedMechanism::joints
  std::string type;               // hinge, slide, ball or free
  double reference = 0.0;         // its coordinate as described, rad or m
  double spring_reference = 0.0;  // where its spring is at rest
  std::vector<double> range;      // empty: none

  bool has_coordinate() const { return type == "hinge" || type == "slide"; }
};

struct MjcfSite {
  int body = kGround;
  Pose pose;          // in the axes of the body
  std::string point;  // its name there
};

struct MjcfTendon {
  std::vector<std::pair<std::size_t, double>> terms;  // joints, coefficients
  std::string length, rate;                           // expressions
  double reference = 0.0;                             // its length as described
};

struct MjcfScene {
  MjcfScene(const XmlElement& mujoco, const std::filesystem::path& document,
            const ImportOptions& import_options)
      : root(mujoco),
        options(import_options),
        compiler(read_compiler(root, left_out)),
        defaults(root),
        meshes(root, defaults, compiler, document) {
    m.patterns = options.parameters;
  }

  const XmlElement& root;  // with its includes
  const ImportOptions& options;
  ImportedMechanism m;
  LeftOut left_out;
  MjcfCompiler compiler;
  MjcfDefaults defaults;
  MjcfMeshes meshes;

  std::vector<MjcfJoint> joints;             // in the order of qpos
  std::vector<Pose> poses;                   // of m.bodies, global, as described
  std::vector<double> gravity_compensation;  // of m.bodies
  std::unordered_map<std::string, int> bodies{{"world", kGround}};
  std::unordered_map<std::string, std::size_t> joint_of;
  std::unordered_map<std::string, MjcfSite> sites;
  std::unordered_map<std::string, MjcfTendon> tendons;
  std::vector<double> controls;  // of actuators in their order; empty: none stated
  Names joint_names, constraint_names;

  ImportedJoint& imported(const MjcfJoint& joint) { return m.joints[joint.index]; }
  // As described but for joints with springs, which are where these are at rest.
  Pose pose_at_rest(int body) const;
  Pose pose_of(int body) const { return body == kGround ? Pose() : poses[std::size_t(body)]; }

  // The parts of all sections of this name.
  std::vector<const XmlElement*> parts(const std::string& section) const {
    std::vector<const XmlElement*> found;
    for (const XmlElement* one : root.all(section))
      for (const XmlElement& part : one->children) found.push_back(&part);
    return found;
  }

  // What an attribute names. Throws InputError if there is no such thing.
  int body_named(const Attributes& attributes, const std::string& key) const;
  const MjcfJoint& joint_named(const Attributes& attributes, const std::string& key) const;
  const MjcfSite& site_named(const Attributes& attributes, const std::string& key) const;
  // The place "body.point" of a point that is added to a body.
  std::string new_point(int body, const std::string& name, const Vector& place);
  std::string place_of(int body, const std::string& point) const;
};

// <worldbody>: bodies, joints, sites, and what geoms weigh.
void read_mjcf_tree(MjcfScene& scene);
// <equality> and <tendon>.
void read_mjcf_tendons(MjcfScene& scene);
void read_mjcf_equalities(MjcfScene& scene);
// Of each joint, in their order, the mean inertia that the mechanism has there in the position
// described while all others are free to move, kg m^2 or kg: by how many directions it moves in,
// over the sum of their diagonal entries of the inverse mass matrix, to which armature [joint] is
// added. Empty where that matrix cannot be inverted, or has more than 2000 rows.
std::vector<double> inertia_at_joints(const MjcfScene& scene, const std::vector<double>& armature);
// <actuator>.
void read_mjcf_actuators(MjcfScene& scene);

}  // namespace gradus::importing
