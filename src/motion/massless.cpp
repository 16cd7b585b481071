// The null space of the mass matrix among the motions that the constraints leave free.
#include "src/motion/massless.hpp"

#include "src/motion/decompositions.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_run.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDependent = 1e-9;   // singular values this much smaller count as none
constexpr double kNoInertia = 1e-13;  // beside what the coordinates of a motion have by themselves
constexpr double kTakesPart = 0.1;    // share of the coordinate that moves most

MatrixXd matrix_at(HostChunk<double>& chunk, int offset, Index rows, Index columns) {
  std::vector<double> flat(static_cast<std::size_t>(rows * columns));
  copy_plain(chunk, offset, static_cast<int>(flat.size()), 0, flat.data());
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      flat.data(), rows, columns);
}

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

std::vector<std::string> massless_joints(MotionRequest request,
                                         std::span<const double> parameters) {
  const Plan& plan = *request.plan;
  request.n_design = 1;
  request.parameters.assign(parameters.begin(), parameters.end());
  request.sensitivity = Sensitivity::none;
  request.record = request.columns = false;
  request.tableau = {};
  request.formulation = &formulation_traits("ali3p");  // which forms the matrices
  const HostSetup setup(request, Sensitivity::none, 0);
  HostChunk<double> chunk(request, setup, choose_vehicle(request, 1));
  set_designs(chunk, request, setup.layout, 0, 1);
  run_start(request, setup.formulation, chunk);
  if (chunk.status() != kernels::Status::mass_singular) return {};
  const Index n = plan.coordinate_count();
  const MatrixXd motions = massless_motions(
      matrix_at(chunk, setup.layout.mass_matrix, n, n),
      null_space(matrix_at(chunk, setup.layout.jacobian, plan.constraint_rows - plan.start_rows, n),
                 kDependent));
  std::vector<std::string> joints;
  for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
    const kernels::BodyEntry& body = plan.bodies[i];
    const auto own = motions.middleRows(body.first_coordinate, body.coordinate_count).cwiseAbs();
    for (Index m = 0; m < motions.cols(); ++m) {
      if (own.rows() == 0 ||
          own.col(m).maxCoeff() < kTakesPart * motions.col(m).lpNorm<Eigen::Infinity>())
        continue;
      joints.push_back(plan.joint_names[i]);
      break;
    }
  }
  return joints;
}

}  // namespace gradus
