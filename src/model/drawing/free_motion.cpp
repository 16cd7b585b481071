// Screws that shared elements leave free, by their singular value decomposition.
#include "src/model/drawing/free_motion.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

Matrix3d cross_matrix(const Vector3d& v) {
  Matrix3d matrix;
  matrix << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return matrix;
}

// What a twist (w, v) does to an element at `arm` from the centre: its rows are zero for a motion
// that leaves it where it is. The velocity at the arm is v - arm x w.
MatrixXd rows_of(const DrawnElement& element, const Vector3d& arm) {
  MatrixXd turn(3, 6), velocity(3, 6);
  turn << cross_matrix(element.along), Matrix3d::Zero();
  velocity << -cross_matrix(arm), Matrix3d::Identity();
  MatrixXd rows(0, 6);
  switch (element.kind) {
    case DrawnKind::point:
      rows = velocity;
      break;
    case DrawnKind::vector:
      rows = turn;
      break;
    case DrawnKind::line:
      rows.resize(6, 6);
      rows << turn, cross_matrix(element.along) * velocity;
      break;
    case DrawnKind::plane:
      rows.resize(4, 6);
      rows << turn, element.along.transpose() * velocity;
      break;
  }
  return rows;
}

// How far two elements are from touching, where that decides on the joint: points from each other
// and from lines, and parallel lines from each other.
double distance(const DrawnElement& a, const DrawnElement& b) {
  const auto is = [&](DrawnKind one, DrawnKind other) { return a.kind == one && b.kind == other; };
  const Vector3d arm = b.place - a.place;
  if (is(DrawnKind::point, DrawnKind::point)) return arm.norm();
  if (is(DrawnKind::line, DrawnKind::point)) return a.along.cross(arm).norm();
  if (is(DrawnKind::point, DrawnKind::line)) return b.along.cross(arm).norm();
  const bool are_lines = is(DrawnKind::line, DrawnKind::line);
  return are_lines && a.along.cross(b.along).norm() < kDrawnDistinct ? a.along.cross(arm).norm()
                                                                     : 0.0;
}

// Of all distances the one, beside the size of the drawing, that may be meant or not; 0: none.
double doubtful_distance(const std::vector<DrawnElement>& shared, const DrawnScale& scale) {
  constexpr double distinct_points = 1e-6;
  for (std::size_t i = 0; i < shared.size(); ++i)
    for (std::size_t j = i + 1; j < shared.size(); ++j) {
      const bool are_points =
          shared[i].kind == DrawnKind::point && shared[j].kind == DrawnKind::point;
      const double found = distance(shared[i], shared[j]);
      if (found > scale.round_off &&
          found < (are_points ? distinct_points : kDrawnDistinct) * scale.size)
        return found / scale.size;
    }
  return 0.0;
}

}  // namespace

FreeMotion::FreeMotion(const std::vector<DrawnElement>& shared, const DrawnScale& scale)
    : doubt_(doubtful_distance(shared, scale)) {
  double places = 0.0;
  for (const DrawnElement& element : shared)
    if (element.kind != DrawnKind::vector) {
      centre_ += element.place;
      places += 1.0;
    }
  if (places > 0.0) centre_ /= places;
  double extent = 0.0;
  for (const DrawnElement& element : shared)
    if (element.kind != DrawnKind::vector)
      extent = std::max(extent, (element.place - centre_).norm());
  extent_ = extent > scale.round_off ? extent : scale.size;

  MatrixXd rows = MatrixXd::Zero(6, 6);
  for (const DrawnElement& element : shared) {
    const MatrixXd added = rows_of(element, (element.place - centre_) / extent_);
    rows.conservativeResize(rows.rows() + added.rows(), 6);
    rows.bottomRows(added.rows()) = added;
  }
  const Eigen::JacobiSVD<MatrixXd> svd(rows, Eigen::ComputeFullV);
  int rank = 0;
  for (int k = 0; k < 6; ++k) {
    const double value = svd.singularValues()[k];
    if (value >= kDrawnExact) ++rank;
    if (value >= kDrawnExact && value < kDrawnDistinct) doubt_ = value;
  }
  twists_ = svd.matrixV().rightCols(6 - rank);
}

int FreeMotion::turns() const {
  if (freedoms() == 0) return 0;
  const Eigen::JacobiSVD<MatrixXd> svd(twists_.topRows<3>());
  return static_cast<int>((svd.singularValues().array() > kDrawnExact).count());
}

std::optional<JointType> FreeMotion::type() const {
  const int turns = this->turns();
  if (freedoms() == 0) return JointType::fixed;
  if (freedoms() == 1) return turns == 0 ? JointType::prismatic : JointType::revolute;
  if (freedoms() == 2 && turns == 1) return JointType::cylindrical;
  if (freedoms() == 3 && turns == 3) return JointType::spherical;
  if (freedoms() == 3 && turns == 1) return JointType::planar;
  return std::nullopt;
}

bool FreeMotion::has_direction(const Vector3d& direction) const {
  const int turns = this->turns();
  if (freedoms() == 0 || turns > 1) return true;
  const MatrixXd part = turns == 1 ? twists_.topRows<3>() : twists_.bottomRows<3>();
  return (cross_matrix(direction.normalized()) * part).norm() < 1e3 * kDrawnExact;
}

// Where the body slides along the axis, if at all, while it turns about it.
bool FreeMotion::goes_through(const Vector3d& place) const {
  const std::optional<JointType> type = this->type();
  if (type != JointType::revolute && type != JointType::cylindrical && type != JointType::spherical)
    return true;
  const Vector3d arm = (place - centre_) / extent_;
  for (int k = 0; k < freedoms(); ++k) {
    const Vector3d turn = twists_.col(k).head<3>();
    const Vector3d velocity = twists_.col(k).tail<3>() - arm.cross(turn);
    const double across =
        type == JointType::spherical ? velocity.norm() : turn.cross(velocity).norm();
    if (across > 1e3 * kDrawnExact) return false;
  }
  return true;
}

}  // namespace gradus
