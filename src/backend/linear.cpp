// Makes batched solvers.
#include "src/backend/linear.hpp"

#include "gradus/error.hpp"
#include "src/backend/device.hpp"
#include "src/backend/linear_native.hpp"

namespace gradus {
namespace {

// Offsets within a system are int.
constexpr int kLargestSize = 4096;

void check_batch(const LinearBatch& batch, SolverKind kind) {
  if (batch.size < 0 || batch.size > kLargestSize)
    throw InputError("linear systems: size " + std::to_string(batch.size) + " (expected 0 to " +
                     std::to_string(kLargestSize) + ")");
  if (batch.count < 0)
    throw InputError("linear systems: " + std::to_string(batch.count) +
                     " of them (expected 0 or more)");
  if (batch.refined && kind != SolverKind::native)
    throw InputError("linear systems: found solver " + solver_name(kind) +
                     " for refined solutions (only native refines)");
}

}  // namespace

std::optional<SolverKind> solver_named(const std::string& name) {
  for (const SolverKind kind : kSolverKinds)
    if (name == solver_name(kind)) return kind;
  return std::nullopt;
}

std::unique_ptr<BatchedSolver> make_solver(Device& device, SolverKind kind,
                                           const LinearBatch& batch) {
  check_batch(batch, kind);
  if (kind == SolverKind::native) return make_native_solver(device, batch);
  return device.make_library_solver(kind, batch);
}

}  // namespace gradus
