// Mass and inertia of the shapes of which MJCF builds bodies.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "src/model/import/mechanism.hpp"
#include "src/model/import/mjcf_document.hpp"
#include "src/model/import/mjcf_meshes.hpp"

namespace gradus::importing {

struct MassProperties {
  double mass = 0.0;
  Vector com = Vector::Zero();
  Matrix inertia = Matrix::Zero();  // about the centre of mass

  MassProperties placed(const Pose& pose) const;
};

MassProperties together(const std::vector<MassProperties>& parts);

struct MjcfGeom {
  MassProperties mass;                 // in the axes of the body
  bool counts = true;                  // its group is among those that give bodies their inertia
  bool touches = false;                // takes part in contact
  bool is_solid = true;                // no plane, no height field
  bool is_visible = false;             // by its group and colour
  std::optional<ImportedShape> shape;  // of one that is visible and solid, in the same axes
};

// Red, green, blue and alpha of materials.
using MjcfMaterials = std::unordered_map<std::string, std::vector<double>>;
MjcfMaterials read_materials(const XmlElement& mujoco, const MjcfDefaults& defaults);

// `needs_mass`: only then, and where they are seen, are meshes read. `frame`: what contains the
// geom, in the axes of its body, which are those of mass and shape.
MjcfGeom read_geom(const Attributes& attributes, const MjcfCompiler& compiler,
                   const MjcfMaterials& materials, MjcfMeshes& meshes, const Pose& frame,
                   bool needs_mass);

// The inertia of a body as <inertial> states it.
MassProperties read_inertial(const Attributes& attributes, const MjcfCompiler& compiler);

// What boundmass, boundinertia and balanceinertia make of a body.
MassProperties bounded(const MassProperties& body, const MjcfCompiler& compiler);

}  // namespace gradus::importing
