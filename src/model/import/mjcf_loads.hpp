// What acts on the joints of MJCF: springs, dampers, dry friction and armature.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/model/import/mjcf_scene.hpp"

namespace gradus::importing {

class MjcfLoads {
 public:
  explicit MjcfLoads(MjcfScene& scene) : s_(scene) {}

  // Of the joint that was added to the scene last.
  void read(const Attributes& attributes, const MjcfJoint& joint, const ImportedJoint& imported);
  // What depends on the masses of all bodies, once these are known.
  void finish(Names& body_names);

 private:
  // A spring and a damper that are stated by what they do with the inertia at the joint.
  struct Tuned {
    std::size_t joint;  // in MjcfScene::joints
    double time_constant, damping_ratio;
  };

  // Of a free joint.
  struct FreeArmature {
    std::string joint;
    int body;
    double size;
  };

  bool read_tuned(const Attributes& a);
  void read_loads(const Attributes& a, const MjcfJoint& joint, const ImportedJoint& imported);
  void read_loads_of_turns(const Attributes& a, const MjcfJoint& joint,
                           const ImportedJoint& imported);
  void add_spring(const MjcfJoint& joint, const ImportedJoint& imported, double stiffness);
  void add_damper(const MjcfJoint& joint, const ImportedJoint& imported, double damping);
  void add_armature(const FreeArmature& armature, Names& body_names);
  void add_tuned();

  MjcfScene& s_;
  std::vector<FreeArmature> free_;
  std::vector<double> armature_;  // of all joints in their order
  std::vector<Tuned> tuned_;
};

}  // namespace gradus::importing
