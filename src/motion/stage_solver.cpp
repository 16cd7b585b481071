// The choice of who solves for columns on a device.
#include "src/motion/stage_solver.hpp"

#include "src/backend/stored_tables.hpp"
#include "src/model/message.hpp"
#include "src/motion/column_split.hpp"
#include "src/motion/formulation.hpp"

namespace gradus {
namespace {

// Unasked: below, a thread that does everything for a design spares the transfers between kernels;
// beyond, solvers have no room. No device has told yet where the lower border lies.
constexpr int kLeastSizeApart = 32;
constexpr int kLargestSizeApart = 4096;

// Equations of the reduced systems, once what holds at the start only is gone.
int reduced_size(const MotionRequest& request) {
  return kernels::after_start(request.plan->view()).independent_count;
}

bool has_stages(const MotionRequest& request) {
  return request.with_columns() && request.formulation->has_stages;
}

// Columns of designs that are solved for apart do not travel in slices, so that designs alone must
// fill the device. Those of a single design are right-hand sides of one system, for which the
// native solver has one team only.
bool pays_unasked(const MotionRequest& request, const Device& device) {
  const int size = reduced_size(request);
  const std::size_t parameters = request.plan->nominal.size();
  if (!is_cuda(device) || size < kLeastSizeApart || size > kLargestSizeApart) return false;
  if (request.n_design > 1) return request.n_design >= kFullDevice;
  constexpr std::size_t kMostColumns = 1 << 17;
  LinearBatch one;
  one.size = size;
  one.count = 1;
  return parameters <= kMostColumns &&
         choose_solver(table_of(device), one, static_cast<int>(parameters)) != SolverKind::native;
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
  if (!request.with_columns())
    throw InputError(asked + ": serves gradients by the method direct only; leave it out");
  if (backend.kind == BackendKind::cpu)
    throw BackendError(asked + ": serves devices only (found backend " + backend.name() +
                       ", which solves for the columns of several designs in its vector registers)"
                       "; use the backend cuda or debug, or leave it out");
  if (!has_stages(request))
    throw InputError(asked + ": serves ali3p only (found formulation " +
                     in_quotes(std::string(request.formulation->name)) + "); leave it out");
  if (reduced_size(request) == 0)
    throw InputError(asked + ": nothing to solve for (no coordinate is free); leave it out");
}

bool is_for_stage_solver(const kernels::StageTangent& stage) {
  return stage.unknown != kernels::kNoColumns && stage.of_start == 0 &&
         stage.leading.kind == kernels::LeadingKind::reduced;
}

bool uses_stage_solver(const MotionRequest& request, const Device& device) {
  if (request.solver == "kernel" || !has_stages(request) || reduced_size(request) == 0)
    return false;
  return asks_for_stage_solver(request) || pays_unasked(request, device);
}

// Factors and pivots; what refinement works with. Libraries have workspace of their own.
SolverRoom stage_solver_room(const MotionRequest& request, int columns) {
  const auto size = static_cast<std::size_t>(reduced_size(request));
  return {size * (size + 1), request.mixed ? 3 * size * static_cast<std::size_t>(columns) : 0};
}

std::unique_ptr<BatchedSolver> make_stage_solver(const MotionRequest& request, Device& device,
                                                 LinearBatch batch, int columns) {
  batch.refined = request.mixed;
  if (request.mixed) return make_solver(device, SolverKind::native, batch);
  if (const auto named = solver_named(request.solver)) return make_solver(device, *named, batch);
  return make_fastest_solver(device, table_of(device), batch, columns,
                             static_cast<std::ptrdiff_t>(request.n_design));
}

}  // namespace gradus
