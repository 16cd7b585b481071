// An MJCF document with its includes in place, what its compiler says, and its classes of defaults.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "src/model/import/rotation.hpp"
#include "src/model/import/xml.hpp"

namespace gradus::importing {

// The document's element, with what it includes in the place of <include>. Files are sought beside
// the one that includes them, then beside the document. Throws InputError and FileError.
XmlElement with_includes(const XmlElement& mujoco, const std::filesystem::path& file);

struct MjcfCompiler {
  bool is_in_degrees = true;
  std::string euler_sequence = "xyz";
  bool limits_automatically = true;
  std::string inertia_from_geoms = "auto";
  double least_mass = 0.0, least_inertia = 0.0;
  bool balances_inertia = false;
  double total_mass = -1.0;  // kg; not above 0: as it is
  std::vector<double> inertia_groups{0, 5};
  std::string mesh_folder;

  double angle(double given) const;  // rad
};

// Of all <compiler> elements; later ones override.
MjcfCompiler read_compiler(const XmlElement& mujoco, LeftOut& left_out);

class MjcfDefaults {
 public:
  explicit MjcfDefaults(const XmlElement& mujoco);

  // The element and its defaults, the nearest first: those of its own class, or else of the one
  // that is active where it stands. Defaults bear the name of the element, or `tag`.
  std::vector<const XmlElement*> chain(const XmlElement& element, const std::string& active,
                                       const std::string& tag = "") const;
  // All elements of the class and those that it derives from, the farthest first.
  std::vector<const XmlElement*> all_of(const XmlElement& element, const std::string& active) const;
  // What becomes active within an element that names a class for its content.
  std::string active_within(const XmlElement& element, const std::string& active) const;

 private:
  struct Class {
    std::string parent;  // empty: none
    std::vector<const XmlElement*> elements;
  };
  void add(const XmlElement& section, const std::string& parent);
  const Class& named(const std::string& name, const XmlElement& element) const;
  const Class& of(const XmlElement& element, const std::string& active) const;

  std::unordered_map<std::string, Class> classes_;
  std::vector<std::string> names_;
};

// Place and rotation: pos, and one of quat, axisangle, xyaxes, zaxis, euler.
Pose read_pose(const Attributes& attributes, const MjcfCompiler& compiler);

}  // namespace gradus::importing
