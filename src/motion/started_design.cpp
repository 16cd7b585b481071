// The start of one design, its matrices, and who moves in a motion.
#include "src/motion/started_design.hpp"

#include "src/motion/decompositions.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kDependent = 1e-9;  // singular values this much smaller count as none
constexpr double kMovesToo = 0.1;    // share of the coordinate that moves most

MotionRequest alone(MotionRequest request, std::span<const double> parameters) {
  request.n_design = 1;
  request.parameters.assign(parameters.begin(), parameters.end());
  request.sensitivity = Sensitivity::none;
  request.record = request.columns = false;
  request.probe = nullptr;
  request.tableau = {};
  request.formulation = &formulation_traits("ali3p");
  return request;
}

}  // namespace

StartedDesign::StartedDesign(const MotionRequest& of, std::span<const double> parameters)
    : request(alone(of, parameters)),
      setup(request, Sensitivity::none, 0),
      chunk(request, setup, choose_vehicle(request, 1)) {
  set_designs(chunk, request, setup.layout, 0, 1);
}

MatrixXd StartedDesign::matrix(int offset, Index rows, Index columns) {
  std::vector<double> flat(static_cast<std::size_t>(rows * columns));
  copy_plain(chunk, offset, static_cast<int>(flat.size()), 0, flat.data());
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      flat.data(), rows, columns);
}

MatrixXd StartedDesign::free_of_constraints(int rows, Index coordinates) {
  const Index all = request.plan->coordinate_count();
  return null_space(matrix(setup.layout.jacobian, rows, all).leftCols(coordinates), kDependent);
}

std::vector<std::string> StartedDesign::moving_joints(const MatrixXd& motions) const {
  const Plan& plan = *request.plan;
  std::vector<std::string> joints;
  for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
    const kernels::BodyEntry& body = plan.bodies[i];
    const auto own = motions.middleRows(body.first_coordinate, body.coordinate_count);
    bool moves = false;
    for (Index k = 0; k < motions.cols() && own.rows() > 0; ++k)
      moves = moves || own.col(k).lpNorm<Eigen::Infinity>() >=
                           kMovesToo * motions.col(k).lpNorm<Eigen::Infinity>();
    if (moves) joints.push_back(plan.joint_names[i]);
  }
  return joints;
}

}  // namespace gradus
