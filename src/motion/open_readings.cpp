// Multipliers without any effect on the motion are combinations of rows that are nothing. Reactions
// that these change are open, and those alone. In a plane loop closed by a hinge they turn about
// axes in the plane and push across it; what acts in the plane stays the same.
#include "src/motion/open_readings.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "src/motion/singular_start.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kOpen = 1e-7;  // of the multipliers; what is less is round-off
constexpr double kSeen = 1e-6;  // of a law; what changes it by less is round-off
constexpr int kPositions = 4;   // one may be special

// Whether multipliers m, which make the signals differ by `change`, change this one.
bool is_changed(const Plan& plan, const kernels::SensorEntry& sensor, int component,
                const VectorXd& m, const VectorXd& change) {
  const double least = kOpen * m.lpNorm<Eigen::Infinity>();
  if (sensor.kind != kernels::SignalKind::constraint_power)
    return std::abs(change(sensor.signal + component)) > least;
  // At rest a constraint has no power.
  const auto& constraint = plan.constraints[static_cast<std::size_t>(sensor.index)];
  return m.segment(constraint.row, constraint.rows).lpNorm<Eigen::Infinity>() > least;
}

// Whether a law shows nothing of a change of signals, whatever the signals and the parameters are:
// as one does that takes a force apart across an axis. What it shows is compared with what it shows
// of single components, where these are seen at all: a law may be smoothed by a large number.
bool is_blind(StartConstraints& constraints, const Plan& plan, int number, const VectorXd& change) {
  const VectorXd direction = change / change.lpNorm<Eigen::Infinity>();
  std::minstd_rand generator;
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  bool was_seen = false;
  for (const double scale : {1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12})
    for (unsigned k = 1; k <= kPositions; ++k) {
      const VectorXd signals =
          VectorXd::NullaryExpr(change.size(), [&] { return scale * any(generator); });
      const double here = constraints.law_at(plan, number, signals, k);
      if (!std::isfinite(here)) return false;
      const auto shown = [&](const VectorXd& by) {
        return std::abs(constraints.law_at(plan, number, signals + scale * by, k) - here);
      };
      double most = 0.0;
      for (Index i = 0; i < change.size(); ++i)
        most = std::max(most, shown(VectorXd::Unit(change.size(), i)));
      if (!(most > kSeen * std::abs(here))) continue;
      was_seen = true;
      if (!(shown(direction) <= kOpen * most)) return false;
    }
  return was_seen;
}

void add_readings(StartConstraints& constraints, const Plan& plan, const VectorXd& m,
                  const VectorXd& change, std::vector<OpenReading>& found) {
  for (const int number : plan.algebraic_laws) {
    const kernels::LawEntry& law = plan.laws[static_cast<std::size_t>(number)];
    for (int i = law.input_begin; i < law.input_end; ++i) {
      const kernels::LawInputEntry& input = plan.law_inputs[static_cast<std::size_t>(i)];
      if (input.kind != kernels::LawInputKind::sensor) continue;
      const kernels::SensorEntry& sensor = plan.sensors[static_cast<std::size_t>(input.index)];
      if (!kernels::is_reaction(sensor.kind) ||
          !is_changed(plan, sensor, input.component, m, change))
        continue;
      if (kernels::is_joint_reaction(sensor.kind) && is_blind(constraints, plan, number, change))
        break;
      const OpenReading reading{
          number,
          plan.signal_names[static_cast<std::size_t>(sensor.signal + input.component)].name};
      const auto same = [&](const OpenReading& r) {
        return r.law == reading.law && r.signal == reading.signal;
      };
      if (std::none_of(found.begin(), found.end(), same)) found.push_back(reading);
    }
  }
}

// At the position at hand.
void add_readings_here(StartConstraints& constraints, const MatrixXd& jacobian,
                       const Scaling& scaling, const Plan& plan, std::vector<OpenReading>& found) {
  const MatrixXd idle = free_motions(jacobian.transpose(), scaling.longest);
  const VectorXd none = VectorXd::Zero(plan.constraint_rows);
  const VectorXd without = constraints.signals_by(none);
  for (Index k = 0; k < idle.cols(); ++k) {
    VectorXd multipliers = none;
    multipliers.head(idle.rows()) = idle.col(k).cwiseQuotient(scaling.rows.head(idle.rows()));
    add_readings(constraints, plan, multipliers, constraints.signals_by(multipliers) - without,
                 found);
  }
}

}  // namespace

std::vector<OpenReading> open_readings(StartConstraints& constraints, const MatrixXd& jacobian,
                                       const Scaling& scaling, const Plan& plan) {
  std::vector<OpenReading> found;
  const auto rows = static_cast<int>(jacobian.rows());
  const VectorXd start = constraints.position();
  const MatrixXd motions = free_motions(jacobian, scaling.longest);
  std::minstd_rand generator;
  add_readings_here(constraints, jacobian, scaling, plan, found);
  for (int k = 1; k < kPositions; ++k) {
    if (move_beside(constraints, motions, scaling, rows, generator))
      add_readings_here(constraints, scaling.of(constraints.jacobian().topRows(rows)), scaling,
                        plan, found);
    constraints.position() = start;
    constraints.evaluate();
  }
  return found;
}

}  // namespace gradus
