// The null space of the mass matrix among the motions that the constraints leave free.
#include "src/motion/massless.hpp"

#include <cmath>

#include "src/model/message.hpp"
#include "src/motion/decompositions.hpp"
#include "src/motion/started_design.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kNoInertia = 1e-13;  // beside what the coordinates of a motion have by themselves

// Columns are motions of the coordinates that move no inertia.
MatrixXd massless_motions(const MatrixXd& mass, const MatrixXd& free) {
  MatrixXd reduced = free.transpose() * mass * free;
  VectorXd scale = VectorXd::Ones(reduced.rows());
  for (Index i = 0; i < scale.size(); ++i)
    if (reduced(i, i) > 0.0) scale(i) = 1.0 / std::sqrt(reduced(i, i));
  reduced = scale.asDiagonal() * reduced * scale.asDiagonal();
  const Eigenvectors found = eigenvectors(reduced);
  Index count = 0;
  while (count < scale.size() && found.values(count) < kNoInertia) ++count;
  return free * scale.asDiagonal() * found.vectors.leftCols(count);
}

}  // namespace

std::vector<std::string> massless_joints(const MotionRequest& request,
                                         std::span<const double> parameters) {
  StartedDesign design(request, parameters);
  run_start(design.request, design.setup.formulation, design.chunk);
  if (design.chunk.status() != kernels::Status::mass_singular) return {};
  const Plan& plan = *request.plan;
  const Index n = plan.coordinate_count();
  return design.moving_joints(massless_motions(
      design.matrix(design.setup.layout.mass_matrix, n, n),
      design.free_of_constraints(plan.constraint_rows - plan.start_rows, plan.coordinate_count())));
}

std::string massless_before_ties(const MotionRequest& request) {
  return "some motion of the tree moves no inertia before its loops and constraints are taken into "
         "account, which " +
         in_quotes(request.formulation->name) +
         " does last; use \"index1\", or give the bodies mass and inertia";
}

}  // namespace gradus
