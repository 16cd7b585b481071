// The neighbours of designs, run as one batch, and what lies between them.
#include "src/sensitivity/differences.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>
#include <utility>

#include "src/motion/host_run.hpp"
#include "src/motion/stiff_designs.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

// Steps are given on the host only.
MotionOutcome outcome_of(const DesignRun& run, MotionRequest request) {
  if (request.given_steps.empty() || run.backend().kind == BackendKind::cpu)
    return run.run(std::move(request));
  const auto threads = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  return run_on_host(request, threads);
}

// Neighbours pass events at instants of their own. Steps of the design between them would be moved
// to these as derivatives move them, by a power series; steps that they choose, with errors far
// below what differences ask for, end there.
MotionRequest by_steps_to_events(MotionRequest request) {
  constexpr double most_rtol = 1e-12, most_atol = 1e-14;
  if (request.plan->events.empty()) return request;
  request.given_steps.clear();
  request.analysis.rtol = std::min(request.analysis.rtol, most_rtol);
  request.analysis.atol = std::min(request.analysis.atol, most_atol);
  return request;
}

// The designs of a request become their neighbours.
MotionRequest neighbours_of(const MotionRequest& base, double step, std::vector<double>& widths) {
  const std::size_t parameters = base.plan->nominal.size();
  MotionRequest request = base;
  request.record = false;
  request.n_design = base.n_design * parameters * 2;
  request.parameters.clear();
  for (std::size_t d = 0; d < base.n_design; ++d)
    for (std::size_t p = 0; p < parameters; ++p) {
      const auto first = base.parameters.begin() + static_cast<std::ptrdiff_t>(d * parameters);
      std::vector<double> values(first, first + static_cast<std::ptrdiff_t>(parameters));
      const double centre = values[p];
      const double h = step * std::max(std::abs(centre), 1.0);
      for (const double end : {centre + h, centre - h}) {
        values[p] = end;
        request.parameters.insert(request.parameters.end(), values.begin(), values.end());
      }
      widths.push_back((centre + h) - (centre - h));
    }
  return request;
}

// Masses and moments of inertia of zero have one neighbour only: differences to that side alone, to
// the square of the step as well. The neighbour that failed takes the status of one twice as far
// away on the other side.
void difference_to_one_side(const DesignRun& run, const MotionRequest& base, Differences& found) {
  const std::size_t parameters = base.plan->nominal.size();
  const std::size_t objectives = base.plan->objectives.size();
  MotionOutcome& neighbours = found.neighbours;
  MotionRequest request = base;
  request.record = false;
  request.parameters.clear();
  const auto step_of = [&](std::size_t n) {
    return (n % 2 == 1 ? 0.5 : -0.5) * found.widths[n / 2];
  };
  std::vector<std::size_t> failed;  // place among the neighbours
  for (std::size_t n = 0; n < neighbours.status.size(); ++n) {
    const kernels::Status status = neighbours.status[n];
    if (status != kernels::Status::negative_mass && status != kernels::Status::negative_inertia)
      continue;
    const std::size_t pair = n / 2;
    const auto first =
        base.parameters.begin() + static_cast<std::ptrdiff_t>(pair / parameters * parameters);
    for (const double factor : {2.0, 0.0}) {
      request.parameters.insert(request.parameters.end(), first,
                                first + static_cast<std::ptrdiff_t>(parameters));
      request.parameters[request.parameters.size() - parameters + pair % parameters] +=
          factor * step_of(n);
    }
    failed.push_back(n);
  }
  if (failed.empty()) return;
  request.n_design = 2 * failed.size();
  const MotionOutcome further = outcome_of(run, std::move(request));
  for (std::size_t k = 0; k < failed.size(); ++k) {
    const std::size_t n = failed[k], pair = n / 2;
    neighbours.status[n] = further.status[2 * k];
    neighbours.failure_time[n] = further.failure_time[2 * k];
    neighbours.blamed[n] = further.blamed[2 * k];
    const double* near = neighbours.objectives.data() + (n ^ 1) * objectives;
    const double* far = further.objectives.data() + 2 * k * objectives;
    const double* here = far + objectives;
    for (std::size_t o = 0; o < objectives; ++o)
      found.slopes[(pair / parameters * objectives + o) * parameters + pair % parameters] =
          (4.0 * near[o] - 3.0 * here[o] - far[o]) / (2.0 * step_of(n));
  }
}

}  // namespace

Differences central_differences(const DesignRun& run, const MotionRequest& asked, double step) {
  const MotionRequest request = by_steps_to_events(asked);
  Differences differences;
  const std::size_t parameters = request.plan->nominal.size();
  const std::size_t objectives = request.plan->objectives.size();
  if (parameters == 0) return differences;
  differences.neighbours = outcome_of(run, neighbours_of(request, step, differences.widths));
  differences.slopes.resize(request.n_design * objectives * parameters);
  for (std::size_t d = 0; d < request.n_design; ++d)
    for (std::size_t p = 0; p < parameters; ++p) {
      const std::size_t pair = d * parameters + p;
      const double* up = differences.neighbours.objectives.data() + 2 * pair * objectives;
      const double* down = up + objectives;
      for (std::size_t o = 0; o < objectives; ++o)
        differences.slopes[(d * objectives + o) * parameters + p] =
            (up[o] - down[o]) / differences.widths[pair];
    }
  difference_to_one_side(run, request, differences);
  return differences;
}

namespace {

// `halved` takes the designs that halve steps, or of which a neighbour does.
MotionOutcome differences_of(const DesignRun& run, const MotionRequest& base, double step,
                             std::set<std::size_t>& halved) {
  MotionOutcome outcome = outcome_of(run, base);
  Differences differences = central_differences(run, base, step);
  outcome.gradient = std::move(differences.slopes);
  const MotionOutcome& neighbours = differences.neighbours;
  // There is no difference where a neighbour has failed.
  const std::size_t per_design = neighbours.status.size() / base.n_design;
  for (std::size_t n = 0; n < neighbours.status.size(); ++n) {
    const std::size_t d = n / per_design;
    if (outcome.rejected_steps[d] > 0.0 || neighbours.rejected_steps[n] > 0.0) halved.insert(d);
    if (outcome.status[d] != kernels::Status::ok) continue;
    outcome.status[d] = neighbours.status[n];
    outcome.failure_time[d] = neighbours.failure_time[n];
    outcome.blamed[d] = neighbours.blamed[n];
  }
  outcome.sensitivity_s = neighbours.motion_s;
  return outcome;
}

// Neighbours that choose steps of their own, or halve some, differ by these as well, which a
// difference divides by next to nothing: they take those of the design between them, as a gradient
// by columns does, and iterate alike.
MotionOutcome differences_by_steps_of(const DesignRun& run, MotionRequest alone, double step) {
  MotionRequest direct = request_of(run, "direct");
  direct.parameters = alone.parameters;
  direct.n_design = 1;
  direct.record = direct.columns = false;
  direct.notes_steps = true;
  direct.renews_jacobian = alone.renews_jacobian = !alone.is_adaptive();
  const auto threads = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  MotionOutcome noted =
      run.backend().kind == BackendKind::cpu ? run.run(direct) : run_on_host(direct, threads);
  std::set<std::size_t> halved;
  if (noted.status.front() != kernels::Status::ok) return differences_of(run, alone, step, halved);
  alone = by_integrator_of(noted, std::move(alone));
  alone.given_steps = std::move(noted.taken_steps);
  MotionOutcome outcome = differences_of(run, alone, step, halved);
  if (outcome.status.front() == kernels::Status::ok) outcome.rejected_steps = noted.rejected_steps;
  outcome.jump = noted.jump;
  outcome.stiff_since = noted.stiff_since;
  outcome.switched = noted.switched;
  return outcome;
}

}  // namespace

MotionOutcome difference_gradient(const DesignRun& run, double step) {
  const MotionRequest& base = run.request();
  const std::size_t parameters = base.plan->nominal.size();
  std::set<std::size_t> by_steps;  // designs
  MotionOutcome outcome = make_outcome(base);
  outcome.motion_s = outcome.sensitivity_s = 0.0;
  if (!base.is_adaptive() || parameters == 0)
    outcome = differences_of(run, base, step, by_steps);
  else
    for (std::size_t design = 0; design < base.n_design; ++design) by_steps.insert(design);
  if (parameters == 0) return outcome;
  for (const std::size_t design : by_steps) {
    MotionRequest alone = base;
    const auto row = run.parameters_of(design);
    alone.parameters.assign(row.begin(), row.end());
    alone.n_design = 1;
    MotionOutcome own = differences_by_steps_of(run, std::move(alone), step);
    outcome.gradient.resize(base.n_design * own.gradient.size());
    take_design(own, 0, design, outcome);
    outcome.motion_s += own.motion_s;
    outcome.sensitivity_s += own.sensitivity_s;
    outcome.lanes = own.lanes;
  }
  return outcome;
}

}  // namespace gradus
