// Eigenvectors of the stiffness on what the constraints leave free.
#include "src/motion/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include "src/model/message.hpp"
#include "src/motion/decompositions.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_run.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using kernels::KernelId;

constexpr double kDependentTies = 1e-9;  // singular values this much smaller count as none
constexpr double kSkew = 1e-9;           // of a stiffness that has a potential
constexpr double kSlackShare = 1e-9;     // of an even matrix
constexpr double kRoundOff = 2e-15;      // of an entry of the stiffness, as many forces add to it
constexpr double kLostDigits = 1e-6;     // relative
constexpr double kMovesToo = 0.1;        // share of the coordinate that moves most

MatrixXd numbers_at(HostChunk<double>& chunk, int offset, Index rows, Index columns) {
  std::vector<double> flat(static_cast<std::size_t>(rows * columns));
  copy_plain(chunk, offset, static_cast<int>(flat.size()), 0, flat.data());
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      flat.data(), rows, columns);
}

// Those that take part in one of the motions, the columns.
std::vector<std::string> moving_joints(const Plan& plan, const MatrixXd& motions) {
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

}  // namespace

EquilibriumReport report_equilibrium(MotionRequest request, std::span<const double> parameters) {
  const Plan& plan = *request.plan;
  request.n_design = 1;
  request.parameters.assign(parameters.begin(), parameters.end());
  request.sensitivity = Sensitivity::none;
  request.record = request.columns = false;
  request.probe = nullptr;
  request.tableau = {};
  request.formulation = &formulation_traits("ali3p");  // which forms the matrices
  const HostSetup setup(request, Sensitivity::none, 0);
  HostChunk<double> chunk(request, setup, choose_vehicle(request, 1));
  set_designs(chunk, request, setup.layout, 0, 1);
  const Instant start{0.0, 0.0, false};
  for (const KernelId kernel :
       {KernelId::prepare_numbers, KernelId::start_position, KernelId::find_equilibrium})
    chunk.launch(kernel, start, no_stage());
  const bool slack = chunk.status() == kernels::Status::stiffness_singular;
  if (chunk.fails() && !slack) return {};
  if (!slack) chunk.launch(KernelId::linearise_rest, start, no_stage());
  if (chunk.fails() && !slack) return {};
  const Index n = plan.coordinate_count();
  const MatrixXd free =
      null_space(numbers_at(chunk, setup.layout.jacobian, plan.constraint_rows, n), kDependentTies);
  EquilibriumReport report;
  report.stability = Stability::stable;
  if (free.cols() == 0) return report;
  const MatrixXd stiffness =
      free.transpose() * numbers_at(chunk, setup.layout.stiffness, n, n) * free;
  // Each motion counts by its own size, whatever the units.
  VectorXd scale = VectorXd::Ones(stiffness.rows());
  for (Index i = 0; i < scale.size(); ++i)
    if (const double size = stiffness.row(i).lpNorm<Eigen::Infinity>(); size > 0.0)
      scale(i) = 1.0 / std::sqrt(size);
  const MatrixXd even = scale.asDiagonal() * stiffness * scale.asDiagonal();
  const MatrixXd symmetric = 0.5 * (even + even.transpose());
  const auto [values, vectors] = eigenvectors(symmetric);
  const Index count = slack ? (values.array().abs() < kSlackShare).count() : 1;
  MatrixXd motions(n, std::max<Index>(count, 1));
  for (Index k = 0, found = 0; k < values.size() && found < motions.cols(); ++k)
    if (!slack || std::abs(values(k)) < kSlackShare || count == 0)
      motions.col(found++) = free * scale.asDiagonal() * vectors.col(k);
  report.round_off = kRoundOff * values.cwiseAbs().maxCoeff() / values.cwiseAbs().minCoeff();
  report.joints = moving_joints(plan, motions);
  if (values(0) < 0.0) report.stability = Stability::unstable;
  if ((even - even.transpose()).lpNorm<Eigen::Infinity>() > kSkew)
    report.stability = Stability::open;
  if (slack) report.stability = Stability::slack;
  return report;
}

std::string lost_digits_text(const EquilibriumReport& report) {
  const bool found = report.stability != Stability::absent && report.stability != Stability::slack;
  if (!found || !(report.round_off > kLostDigits)) return "";
  return "derivatives of the equilibrium may be wrong by " + rounded_text(report.round_off, 1) +
         " of their size, as the stiffness of some motions is so small beside that of others; "
         "replace the stiffest springs by joints";
}

std::string equilibrium_text(const EquilibriumReport& report) {
  switch (report.stability) {
    case Stability::stable:
      return "stable";
    case Stability::unstable:
      return "unstable in " + quoted_list(report.joints);
    case Stability::slack:
      return "one of many: " + quoted_list(report.joints) + " may move without a force";
    case Stability::open:
      return "of unknown stability (some forces have no potential, so that the stiffness does not "
             "tell)";
    case Stability::absent:
      break;
  }
  return "not found";
}

}  // namespace gradus
