// Eigenvectors of the stiffness on what the constraints leave free, and of the linearised motions
// of mechanism and states.
#include "src/motion/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/model/message.hpp"
#include "src/motion/decompositions.hpp"
#include "src/motion/started_design.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using kernels::KernelId;

constexpr double kSkew = 1e-9;         // of a stiffness that has a potential
constexpr double kSlackShare = 1e-9;   // of an even matrix
constexpr double kRoundOff = 2e-15;    // of an entry of the stiffness, as many forces add to it
constexpr double kLostDigits = 1e-6;   // relative
constexpr double kLeastGrowth = 1e-9;  // of an eigenvalue, beside the largest, that is none

// What the stiffness on free motions of a mechanism says; `slack`: the search found that some
// motion meets none.
struct Judgement {
  Stability stability = Stability::stable;
  MatrixXd motions;  // of the coordinates, that are unstable or slack
  double round_off = 0.0;
};

// Of a stiffness whose motions are the columns of `free`.
Judgement judge_stiffness(const MatrixXd& stiffness, const MatrixXd& free, bool slack) {
  // Each motion counts by its own size, whatever the units.
  VectorXd scale = VectorXd::Ones(stiffness.rows());
  for (Index i = 0; i < scale.size(); ++i)
    if (const double size = stiffness.row(i).lpNorm<Eigen::Infinity>(); size > 0.0)
      scale(i) = 1.0 / std::sqrt(size);
  const MatrixXd even = scale.asDiagonal() * stiffness * scale.asDiagonal();
  const MatrixXd symmetric = 0.5 * (even + even.transpose());
  const auto [values, vectors] = eigenvectors(symmetric);
  const Index count = slack ? (values.array().abs() < kSlackShare).count() : 1;
  Judgement judged;
  judged.motions.resize(free.rows(), std::max<Index>(count, 1));
  for (Index k = 0, found = 0; k < values.size() && found < judged.motions.cols(); ++k)
    if (!slack || std::abs(values(k)) < kSlackShare || count == 0)
      judged.motions.col(found++) = free * scale.asDiagonal() * vectors.col(k);
  judged.round_off = kRoundOff * values.cwiseAbs().maxCoeff() / values.cwiseAbs().minCoeff();
  if (values(0) < 0.0) judged.stability = Stability::unstable;
  if ((even - even.transpose()).lpNorm<Eigen::Infinity>() > kSkew)
    judged.stability = Stability::open;
  if (slack) judged.stability = Stability::slack;
  return judged;
}

// What is slack among mechanism and states: rows and columns count by sizes of their own.
Judgement judge_singular(const MatrixXd& matrix, const MatrixXd& free) {
  const auto inverse_of = [](const VectorXd& sizes) -> VectorXd {
    return (sizes.array() > 0.0).select(sizes.cwiseInverse(), 1.0);
  };
  const MatrixXd rows = inverse_of(matrix.cwiseAbs().rowwise().maxCoeff()).asDiagonal() * matrix;
  const VectorXd scale = inverse_of(rows.cwiseAbs().colwise().maxCoeff().transpose());
  const auto [values, right] = singular_vectors(rows * scale.asDiagonal());
  Judgement judged;
  const Index count = std::max<Index>((values.array() < kSlackShare * values(0)).count(), 1);
  judged.motions = free * scale.asDiagonal() * right.rightCols(count);
  judged.round_off = kRoundOff * values(0) / values(values.size() - 1);
  judged.stability = Stability::slack;
  return judged;
}

// What the eigenvalues of a system x' = A x say; `motions` are those of the coordinates by x.
Judgement judge_system(const MatrixXd& system, const MatrixXd& motions) {
  Judgement judged;
  judged.stability = Stability::kept;
  if (!system.allFinite()) return judged;
  const auto [values, vectors] = complex_eigenvectors(system);
  Index worst = 0;
  values.real().maxCoeff(&worst);
  const double least = kLeastGrowth * values.cwiseAbs().maxCoeff();
  if (values(worst).real() < -least) judged.stability = Stability::stable;
  if (values(worst).real() > least) judged.stability = Stability::unstable;
  judged.motions = motions * vectors.col(worst).real();
  return judged;
}

// Mechanism and states beside an equilibrium. The last coordinates are those of states.
class RestingSystem {
 public:
  RestingSystem(StartedDesign& design, const Plan& plan)
      : n_(plan.coordinate_count()),
        own_(n_ - plan.state_count),
        stiffness_(design.matrix(design.setup.layout.stiffness, n_, n_)),
        damping_(design.matrix(design.setup.layout.damping, n_, n_)),
        mass_(design.matrix(design.setup.layout.mass_matrix, n_, n_)),
        free_(design.free_of_constraints(plan.constraint_rows, own_)) {
    for (Index c = own_; c < n_; ++c) {
      const bool kept = std::count(plan.kept_states.begin(), plan.kept_states.end(), c) > 0;
      if (!kept) states_.push_back(c);
      kept_acts_ = kept_acts_ || (kept && stiffness_.col(c).cwiseAbs().sum() > 1.0);
    }
    acts_ = plan.states_act != 0;
  }

  Judgement judge(bool slack) const {
    if (basis().cols() == 0) return {};
    if (slack) return judge_singular(reduced(), basis());
    if (kept_acts_) return {Stability::kept, {}, judge_singular(reduced(), basis()).round_off};
    if (acts_) {
      Judgement judged = judge_system(system(), motions_of_system());
      judged.round_off = judge_singular(reduced(), basis()).round_off;
      return judged;
    }
    // The mechanism knows of no states, and has a stability of its own.
    const MatrixXd free = basis().leftCols(free_.cols());
    Judgement own;
    if (free.cols() > 0) own = judge_stiffness(free.transpose() * stiffness_ * free, free, false);
    if (own.stability != Stability::stable || states_.empty()) return own;
    Judgement judged = judge_system(-at(stiffness_, states_, states_), selected());
    judged.round_off = own.round_off;
    return judged;
  }

 private:
  // Unit vectors of the states that rest.
  MatrixXd selected() const { return MatrixXd::Identity(n_, n_)(Eigen::all, states_); }
  static MatrixXd at(const MatrixXd& a, const std::vector<Index>& rows,
                     const std::vector<Index>& columns) {
    return a(rows, columns);
  }
  MatrixXd basis() const {
    MatrixXd all = MatrixXd::Zero(n_, free_.cols() + static_cast<Index>(states_.size()));
    all.topLeftCorner(own_, free_.cols()) = free_;
    all.rightCols(static_cast<Index>(states_.size())) = selected();
    return all;
  }
  MatrixXd reduced() const { return basis().transpose() * stiffness_ * basis(); }

  // x = (positions, rates, states) on the free motions: M z'' = -(K z + C z' + K_y y), and states
  // likewise with 1 for M.
  MatrixXd system() const {
    const Index f = free_.cols();
    const Index s = static_cast<Index>(states_.size());
    const MatrixXd k = reduced();
    const MatrixXd c = basis().transpose() * damping_ * basis();
    const MatrixXd m = basis().transpose() * mass_ * basis();
    MatrixXd forces(f + s, 2 * f + s);
    forces << k.leftCols(f), c.leftCols(f), k.rightCols(s);
    MatrixXd system = MatrixXd::Zero(2 * f + s, 2 * f + s);
    system.block(0, f, f, f).setIdentity();
    system.bottomRows(f + s) = -solution(m, forces);
    return system;
  }
  MatrixXd motions_of_system() const {
    const Index f = free_.cols();
    MatrixXd motions = MatrixXd::Zero(n_, 2 * f + static_cast<Index>(states_.size()));
    motions.leftCols(f) = basis().leftCols(f);
    motions.rightCols(static_cast<Index>(states_.size())) = selected();
    return motions;
  }

  Index n_, own_;
  MatrixXd stiffness_, damping_, mass_, free_;
  std::vector<Index> states_;  // coordinates of those that rest
  bool acts_ = false;          // forces read one of them
  bool kept_acts_ = false;     // or one of the others
};

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
  EquilibriumReport report;
  report.stability = Stability::stable;
  if (plan.coordinate_count() == 0) return report;
  Judgement judged;
  if (plan.state_count > 0) {
    judged = RestingSystem(design, plan).judge(slack);
  } else {
    const Index n = plan.coordinate_count();
    const MatrixXd free = design.free_of_constraints(plan.constraint_rows, n);
    if (free.cols() == 0) return report;
    const MatrixXd stiffness = design.matrix(design.setup.layout.stiffness, n, n);
    judged = judge_stiffness(free.transpose() * stiffness * free, free, slack);
  }
  report.stability = judged.stability;
  report.round_off = judged.round_off;
  if (judged.motions.cols() > 0) report.joints = design.moving_joints(judged.motions);
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
    case Stability::kept:
      return "of unknown stability (forces read states that are sampled or keep their values, or "
             "nothing damps a motion)";
    case Stability::absent:
      break;
  }
  return "not found";
}

}  // namespace gradus
