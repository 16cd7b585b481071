// The choice of who solves for columns on a device.
#include "src/motion/stage_solver.hpp"

#include <algorithm>

#include "src/backend/linear_table.hpp"
#include "src/model/message.hpp"
#include "src/motion/formulation.hpp"

namespace gradus {
namespace {

// Below, a thread that does everything for a design spares the transfers between kernels. No
// device has told yet where the border lies.
constexpr int kLeastSizeApart = 32;

// Equations of the reduced systems, once what holds at the start only is gone.
int reduced_size(const MotionRequest& request) {
  return kernels::after_start(request.plan->view()).independent_count;
}

bool has_stages(const MotionRequest& request) {
  const Formulation formulation = make_formulation(request.formulation, {}, request.settings());
  const auto& stages = formulation.step_tangents;
  return request.with_columns() && std::any_of(stages.begin(), stages.end(), is_for_stage_solver);
}

}  // namespace

std::vector<std::string> stage_solver_names() {
  std::vector<std::string> names{"auto", "kernel"};
  for (const SolverKind kind : kSolverKinds)
    if (kind != SolverKind::eigen) names.push_back(solver_name(kind));
  return names;
}

bool asks_for_stage_solver(const MotionRequest& request) {
  return request.mixed || (request.solver != "auto" && request.solver != "kernel");
}

void check_stage_solver(const MotionRequest& request, const BackendChoice& backend) {
  const std::string asked =
      request.mixed ? R"(precision "mixed")" : "solver " + in_quotes(request.solver);
  if (backend.kind == BackendKind::cpu)
    throw BackendError(asked + ": serves devices only (found backend " + backend.name() +
                       ", which solves for the columns of several designs in its vector registers)"
                       "; use the backend cuda or debug, or leave it out");
  if (!has_stages(request))
    throw InputError(asked + ": serves the method direct with ali3p only (found formulation " +
                     in_quotes(request.formulation) + "); leave it out");
}

bool is_for_stage_solver(const kernels::StageTangent& stage) {
  return stage.unknown >= 0 && stage.of_start == 0 && stage.leading.saddle == 0 &&
         stage.leading.matrix >= 0;
}

bool uses_stage_solver(const MotionRequest& request, const Device& device) {
  if (request.solver == "kernel" || !has_stages(request) || reduced_size(request) == 0)
    return false;
  return asks_for_stage_solver(request) ||
         (is_cuda(device) && reduced_size(request) >= kLeastSizeApart);
}

// Factors and pivots; what refinement works with. Libraries have workspace of their own.
SolverRoom stage_solver_room(const MotionRequest& request, int columns) {
  const auto size = static_cast<std::size_t>(reduced_size(request));
  return {size * (size + 1), request.mixed ? 3 * size * static_cast<std::size_t>(columns) : 0};
}

std::unique_ptr<BatchedSolver> make_stage_solver(const MotionRequest& request, Device& device,
                                                 int size, std::size_t systems, int columns) {
  LinearBatch batch;
  batch.size = size;
  batch.count = static_cast<std::ptrdiff_t>(systems);
  batch.interleaved = true;
  batch.refined = request.mixed;
  if (request.mixed) return make_solver(device, SolverKind::native, batch);
  if (const auto kind = solver_named(request.solver)) return make_solver(device, *kind, batch);
  return make_fastest_solver(device, table_of(device), batch, columns);
}

}  // namespace gradus
