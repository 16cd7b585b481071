// How two bodies move against each other that have points, directions, lines and planes in common:
// the motions that leave all of these where they are.
#pragma once

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

enum class DrawnKind { point, vector, line, plane };

struct DrawnElement {
  DrawnKind kind = DrawnKind::point;
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  // of all but vectors [m]
  Eigen::Vector3d along = Eigen::Vector3d::Zero();  // of all but points; a unit vector
};

// Numbers below `exact` are round-off, those above `distinct` are meant; sines of angles, and
// lengths beside the extent of the elements.
constexpr double kDrawnExact = 1e-9, kDrawnDistinct = 1e-3;

// Lengths of a whole drawing [m].
struct DrawnScale {
  double size = 1.0;       // its extent
  double round_off = 0.0;  // of its places: no distance below that is one
};

class FreeMotion {
 public:
  FreeMotion(const std::vector<DrawnElement>& shared, const DrawnScale& scale);

  int freedoms() const { return static_cast<int>(twists_.cols()); }
  // The joint that leaves these motions free; none for several translations alone, and for
  // translations with a turn about one direction.
  std::optional<JointType> type() const;
  // Between `exact` and `distinct`: what decides on the freedoms and may be meant or not; else 0.
  // Distances count by the extent of the drawing, of points from each other from a millionth on.
  double doubt() const { return doubt_; }

  // Whether the axis of the joint has this direction, or goes through this place. Every place and
  // direction is right for joints that have none.
  bool has_direction(const Eigen::Vector3d& direction) const;
  bool goes_through(const Eigen::Vector3d& place) const;

 private:
  int turns() const;  // dimension of the angular velocities

  Eigen::Vector3d centre_ = Eigen::Vector3d::Zero();
  double extent_ = 1.0;  // m
  // [6, freedom] orthonormal: angular velocity, velocity at the centre by the extent.
  Eigen::Matrix<double, 6, Eigen::Dynamic> twists_;
  double doubt_ = 0.0;
};

}  // namespace gradus
