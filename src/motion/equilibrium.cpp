// Eigenvectors of the stiffness on what the constraints leave free.
#include "src/motion/equilibrium.hpp"

#include <algorithm>
#include <cmath>

#include "src/model/message.hpp"
#include "src/motion/decompositions.hpp"
#include "src/motion/started_design.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using kernels::KernelId;

constexpr double kSkew = 1e-9;        // of a stiffness that has a potential
constexpr double kSlackShare = 1e-9;  // of an even matrix
constexpr double kRoundOff = 2e-15;   // of an entry of the stiffness, as many forces add to it
constexpr double kLostDigits = 1e-6;  // relative

}  // namespace

EquilibriumReport report_equilibrium(const MotionRequest& request,
                                     std::span<const double> parameters) {
  StartedDesign design(request, parameters);
  HostChunk<double>& chunk = design.chunk;
  const Instant start{0.0, 0.0, false};
  for (const KernelId kernel :
       {KernelId::prepare_numbers, KernelId::start_position, KernelId::find_equilibrium})
    chunk.launch(kernel, start, no_stage());
  const bool slack = chunk.status() == kernels::Status::stiffness_singular;
  if (chunk.fails() && !slack) return {};
  if (!slack) chunk.launch(KernelId::linearise_rest, start, no_stage());
  if (chunk.fails() && !slack) return {};
  const Plan& plan = *request.plan;
  const Index n = plan.coordinate_count();
  const MatrixXd free = design.free_of_constraints(plan.constraint_rows);
  EquilibriumReport report;
  report.stability = Stability::stable;
  if (free.cols() == 0) return report;
  const MatrixXd stiffness =
      free.transpose() * design.matrix(design.setup.layout.stiffness, n, n) * free;
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
  report.joints = design.moving_joints(motions);
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
