// Continuous adjoints on the host.
#include "src/motion/continuous_run.hpp"

#include <algorithm>
#include <utility>

#include "gradus/error.hpp"

namespace gradus {
namespace {

using kernels::KernelId;

// How often the rule begins anew with ali3p, so that errors along the constraints do not grow.
constexpr std::size_t kStretches = 64;
constexpr std::size_t kShortestStretch = 8;  // steps

// What the trapezoidal rule backwards needs of the motion forwards.
void check_request(const MotionRequest& request, const Formulation& formulation, std::size_t record,
                   std::size_t budget) {
  if (!formulation.has_clock() && formulation.evaluation)
    throw InputError("method: found \"continuous-adjoint\" for " + request.formulation +
                     " (no differential equation is integrated there); use adjoint");
  const std::string& integrator = request.analysis.integrator;
  const bool adaptive = formulation.has_clock() && request.tableau.view(nullptr).error_order > 0;
  if (adaptive || (!formulation.has_clock() && integrator != "newmark"))
    throw InputError(
        "method: found \"continuous-adjoint\" with the integrator " + integrator +
        " (it goes backwards by the trapezoidal rule over steps of equal length); use " +
        (adaptive ? "an integrator of fixed steps" : "newmark") +
        ", or the method adjoint, which is exact with every integrator");
  const std::size_t bytes = (request.steps + 1) * record * sizeof(double);
  if (budget > 0 && bytes > budget)
    throw InputError("memory: found " + std::to_string(budget) +
                     " bytes for a thread (a continuous adjoint keeps all steps, " +
                     std::to_string(bytes) +
                     " bytes); give more, or use the method adjoint, which takes steps once more "
                     "instead");
}

}  // namespace

ContinuousRun::ContinuousRun(const MotionRequest& request, const Formulation& formulation,
                             const kernels::Layout& layout, HostChunk<double>& chunk,
                             std::size_t budget)
    : request_(request),
      formulation_(formulation),
      layout_(layout),
      chunk_(chunk),
      tape_(static_cast<std::size_t>(layout.record_size), request.steps + 1) {
  check_request(request, formulation, static_cast<std::size_t>(layout.record_size), budget);
  tape_.add_block();
}

double ContinuousRun::weight(std::size_t k) const {
  return k == 0 || k == request_.steps ? 0.5 * request_.step : request_.step;
}

void ContinuousRun::launch(KernelId kernel, std::size_t k, double weight, int last) {
  chunk_.launch(kernel, static_cast<double>(k) * request_.step, weight, last, no_stage());
}

void ContinuousRun::keep(std::size_t k, const Instant& at) {
  double* record = tape_.step(0, k);
  chunk_.set_record(record, 1);
  chunk_.launch(KernelId::keep_step, at, no_stage());
  keep_projected(record);
}

// The differential equations know the motion after projection only, where the equations of motion
// hold with the multipliers of both stages; before it, accelerations err by the order of the step.
// In the order of kernels/stages/restore_step.hpp.
void ContinuousRun::keep_projected(double* record) const {
  const kernels::PlanView view = kernels::after_start(request_.plan->view());
  const std::ptrdiff_t n = view.coordinate_count;
  const std::ptrdiff_t m = view.constraint_rows;
  const auto set = [&](std::ptrdiff_t k) { return record + k * n; };
  std::copy_n(set(1), n, set(3));
  std::copy_n(set(2), n, set(4));
  std::fill_n(set(5), 2 * n, 0.0);
  double* multiplier = set(7);
  for (std::ptrdiff_t i = 0; i < m; ++i) multiplier[i] += multiplier[2 * m + i];
  std::fill_n(multiplier + m, 2 * m, 0.0);
  // Integrands meet the constraints at all times, whatever the motion found to be projected.
  if (request_.analysis.projections != "none") std::fill_n(multiplier + 3 * m, 2, 0.0);
}

void ContinuousRun::forwards(const std::function<void(std::size_t, const Instant&)>& observe) {
  const bool clock = formulation_.has_clock();
  chunk_.set_record(clock ? tape_.step(0, 0) : nullptr, clock ? request_.steps + 1 : 0);
  const auto run = [&](KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    chunk_.launch(kernel, at, stage);
  };
  const auto watch = [&](std::size_t k, const Instant& at) {
    if (!clock && !fails()) keep(k, at);
    observe(k, at);
    return !fails();
  };
  run_time_loop(request_, formulation_, run, watch);
}

void ContinuousRun::backwards() {
  if (formulation_.has_clock())
    reverse_one_step_method();
  else
    reverse_ali3p();
  chunk_.set_record(nullptr, 0);
  if (!fails()) reverse_start();
}

void ContinuousRun::reverse_one_step_method() {
  const std::size_t steps = request_.steps;
  chunk_.set_record(tape_.step(0, steps - 1), 1);
  launch(KernelId::continuous_begin, steps, weight(steps));
  for (std::size_t k = steps; k > 0 && !fails(); --k) {
    chunk_.set_record(tape_.step(0, k - 1), 1);
    launch(KernelId::continuous_step, k - 1, weight(k - 1), k == 1 ? 1 : 0);
  }
}

void ContinuousRun::solve_adjoint(const kernels::StageTangent& stage) {
  chunk_.launch(KernelId::solve_adjoint, Instant{0.0, 0.0, false}, stage);
}

void ContinuousRun::restore(std::size_t k) {
  chunk_.set_record(tape_.step(0, k), 1);
  launch(KernelId::restore_step, k, 0.0);
}

// What the integrands of an instant are worth to position and free rates, through the projections.
void ContinuousRun::load_integrands(std::size_t k) {
  launch(KernelId::continuous_clear, k, 0.0, k == request_.steps ? 1 : 0);
  launch(KernelId::add_objective_rows, k, weight(k));
  const auto& stages = formulation_.step_tangents;
  for (auto stage = stages.rbegin(); stage != stages.rend() - 1; ++stage) solve_adjoint(*stage);
}

void ContinuousRun::reverse_ali3p() {
  const std::size_t steps = request_.steps;
  restore(steps);
  launch(KernelId::continuous_clear, steps, 0.0, 1);
  launch(KernelId::add_objective_rows, steps, 0.0, 1);
  solve_adjoint(formulation_.settle_tangents.front());
  launch(KernelId::continuous_keep, steps, 0.0);
  load_integrands(steps);
  launch(KernelId::continuous_final, steps, weight(steps));
  launch(KernelId::gather_elements, steps, 0.0);
  correct(steps);
  const std::size_t stretch = std::max<std::size_t>(steps / kStretches, kShortestStretch);
  for (std::size_t k = steps; k-- > 0 && !fails();) {
    const bool anew = k % stretch == 0 && k >= kShortestStretch && steps - k >= kShortestStretch;
    pass_instant(k, k == 0 ? 1 : anew ? 3 : 0);
    if (anew) correct(k);
  }
}

void ContinuousRun::pass_instant(std::size_t k, int kind) {
  restore(k);
  load_integrands(k);
  launch(KernelId::continuous_instant, k, weight(k), kind);
  launch(KernelId::gather_elements, k, 0.0);
}

// A trial of two steps back from where the rule begins shows what part of the costate along the
// constraints is missing; what the trial did is taken back. What the first correction leaves has
// the order of the step, the second its square.
void ContinuousRun::correct(std::size_t k) {
  if (k < 2 || request_.plan->constraint_rank() == 0) return;
  const kernels::PlanView view = request_.plan->view();
  const int objectives = view.objective_count;
  const std::pair<int, int> arrays[] = {
      {layout_.costate.rows, 2 * view.coordinate_count * objectives},
      {layout_.element.gradient, objectives * view.element_size},
      {layout_.objective_gradient, objectives * view.parameter_count}};
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<std::vector<double>> kept;
    for (const auto& [offset, size] : arrays)
      kept.emplace_back(chunk_.at(offset), chunk_.at(offset) + size);
    pass_instant(k - 1, 0);
    pass_instant(k - 2, 2);
    for (std::size_t i = 0; i < kept.size(); ++i)
      std::copy(kept[i].begin(), kept[i].end(), chunk_.at(arrays[i].first));
    restore(k);
    launch(KernelId::continuous_correct, k, 0.0);
    launch(KernelId::gather_elements, k, 0.0);
  }
}

// Rows of the start position and velocity meet the start problems.
void ContinuousRun::reverse_start() {
  for (const KernelId kernel : formulation_.start) launch(kernel, 0, 0.0);
  launch(KernelId::start_partials, 0, 0.0);
  const auto& stages = formulation_.start_tangents;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) solve_adjoint(*stage);
  launch(KernelId::gather_elements, 0, 0.0);
  launch(KernelId::gather_gradient, 0, 0.0);
}

}  // namespace gradus
