// The verb `check`: a gradient proved to its user by its adjoint, which is the same sums in another
// order, and by two methods that share no derivative with it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "gradus/error.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/sensitivity/differences.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

// Round-off over thousands of steps stays well below this; a wrong derivative does not.
constexpr double kDualTolerance = 1e-8;
// What central differences can confirm at their best step.
constexpr double kDifferenceTolerance = 1e-5;
constexpr double kDifferenceSteps[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

// Largest entry of the row of an objective, by which its deviations are measured.
double row_scale(const std::vector<double>& gradient, std::size_t row, std::size_t parameters) {
  double largest = 0.0;
  for (std::size_t p = 0; p < parameters; ++p)
    largest = std::max(largest, std::abs(gradient[row * parameters + p]));
  return largest > 0.0 ? largest : 1.0;
}

// w . (J v) by one gradient against (J^T w) . v by another.
double identity_deviation(const std::vector<double>& direct, const std::vector<double>& adjoint,
                          std::size_t parameters) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  const std::size_t objectives = parameters > 0 ? direct.size() / parameters : 0;
  std::vector<double> v(parameters);
  std::vector<double> w(objectives);
  for (std::size_t p = 0; p < parameters; ++p) v[p] = draw(generator);
  for (std::size_t o = 0; o < objectives; ++o)
    w[o] = draw(generator) / row_scale(direct, o, parameters);
  double forwards = 0.0;
  double backwards = 0.0;
  double magnitude = 0.0;
  for (std::size_t o = 0; o < objectives; ++o)
    for (std::size_t p = 0; p < parameters; ++p) {
      forwards += w[o] * direct[o * parameters + p] * v[p];
      magnitude += std::abs(w[o] * direct[o * parameters + p] * v[p]);
    }
  for (std::size_t p = 0; p < parameters; ++p)
    for (std::size_t o = 0; o < objectives; ++o)
      backwards += w[o] * adjoint[o * parameters + p] * v[p];
  return magnitude > 0.0 ? std::abs(forwards - backwards) / magnitude : 0.0;
}

// Keeps the step of the sweep whose difference is nearest to the direct value.
void keep_best(CheckLine& line, double difference, double step, double scale) {
  const double deviation = std::abs(difference - line.direct) / scale;
  if (!(deviation < line.difference_deviation)) return;
  line.difference = difference;
  line.difference_step = step;
  line.difference_deviation = deviation;
}

}  // namespace

CheckReport compute_check(const std::shared_ptr<const CompiledMechanism>& mechanism,
                          const Options& options) {
  Options single = options;
  single.designs = Designs();
  single.record = false;
  single.columns = false;
  const DesignRun run(mechanism, single, "direct");
  // What differs on devices has one mechanism more.
  std::shared_ptr<const CompiledMechanism> on_host = mechanism;
  Options host = single;
  if (run.backend().kind != BackendKind::cpu || asks_for_stage_solver(run.request())) {
    host.backend = "cpu";
    host.solver = "auto";
    host.precision = "double";
    on_host = std::make_shared<const CompiledMechanism>(mechanism->model(), host);
  }
  const DesignRun host_run(on_host, host);

  const MotionOutcome direct = run.run(request_of(run, "direct"));
  if (direct.status.front() != kernels::Status::ok)
    throw NumericalError(
        "check: the motion fails at t = " + std::to_string(direct.failure_time.front()) +
        " s: " + failure_message(direct.status.front(), run.plan(), direct.violated.front()));
  const MotionOutcome adjoint = host_run.run(request_of(host_run, "adjoint"));
  const MotionOutcome dual = dual_gradient(host_run);
  const std::size_t parameters = mechanism->model().parameters.size();

  CheckReport report;
  report.dual_tolerance = kDualTolerance;
  report.difference_tolerance = kDifferenceTolerance;
  for (std::size_t o = 0; o < run.plan().objectives.size(); ++o) {
    const double scale = row_scale(dual.gradient, o, parameters);
    for (std::size_t p = 0; p < parameters; ++p) {
      CheckLine line;
      line.objective = run.plan().objective_names[o].name;
      line.parameter = mechanism->model().parameters[p].name;
      line.direct = direct.gradient[o * parameters + p];
      line.adjoint = adjoint.gradient[o * parameters + p];
      line.adjoint_deviation = std::abs(line.direct - line.adjoint) / scale;
      line.dual = dual.gradient[o * parameters + p];
      line.dual_deviation = std::abs(line.direct - line.dual) / scale;
      line.difference_deviation = std::numeric_limits<double>::infinity();
      report.lines.push_back(line);
    }
  }
  for (const double step : kDifferenceSteps) {
    const MotionOutcome difference = difference_gradient(host_run, step);
    for (std::size_t k = 0; k < report.lines.size(); ++k)
      keep_best(report.lines[k], difference.gradient[k], step,
                row_scale(dual.gradient, k / parameters, parameters));
  }
  report.identity_deviation = identity_deviation(direct.gradient, adjoint.gradient, parameters);
  report.passed = report.identity_deviation <= kDualTolerance;
  for (CheckLine& line : report.lines) {
    line.passed = line.adjoint_deviation <= kDualTolerance &&
                  line.dual_deviation <= kDualTolerance &&
                  line.difference_deviation <= kDifferenceTolerance;
    report.passed = report.passed && line.passed;
  }
  return report;
}

}  // namespace gradus
