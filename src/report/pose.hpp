// Where the parts of a model are when its motion starts.
#pragma once

#include <string>

#include "gradus/model.hpp"
#include "gradus/result.hpp"
#include "src/report/blocks.hpp"

namespace gradus::report {

struct Pose {
  enum class Kind {
    start,      // as the motion starts
    assembled,  // the loops are closed, but the motion does not start
    guess,      // as the model states its coordinates: its loops do not close
    none
  };
  Kind kind = Kind::none;
  std::string problem;  // why it is not the start
  Json drawing;         // a skeleton with one frame of "positions", and "axes" by joint
  Result start;         // names of coordinates, and the first row of their trajectory
};

// Whether joints of this type have an axis to be drawn.
bool has_axis(JointType type);

// Throws InputError if the model cannot be planned.
Pose pose_of(const Model& model);

}  // namespace gradus::report
