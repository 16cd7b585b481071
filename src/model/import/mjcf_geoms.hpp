// Mass and inertia of the shapes of which MJCF builds bodies.
#pragma once

#include <vector>

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
  MassProperties mass;   // in the axes of the element that contains it
  bool counts = true;    // its group is among those that give bodies their inertia
  bool touches = false;  // takes part in contact
  bool is_solid = true;  // no plane, no height field
};

// `needs_mass`: only then are meshes read.
MjcfGeom read_geom(const Attributes& attributes, const MjcfCompiler& compiler, MjcfMeshes& meshes,
                   bool needs_mass);

// The inertia of a body as <inertial> states it.
MassProperties read_inertial(const Attributes& attributes, const MjcfCompiler& compiler);

// What boundmass, boundinertia and balanceinertia make of a body.
MassProperties bounded(const MassProperties& body, const MjcfCompiler& compiler);

}  // namespace gradus::importing
