// Makes batched solvers.
#include "src/backend/linear.hpp"

#include <limits>

#include "gradus/error.hpp"
#include "src/backend/device.hpp"
#include "src/backend/linear_native.hpp"

namespace gradus {
namespace {

constexpr const char* kNames[] = {"native", "eigen", "cublas-getrs", "cublas-trsm", "cusolver"};

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

std::string solver_name(SolverKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

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

void check_columns(const LinearBatch& batch, int columns) {
  const int most = std::numeric_limits<int>::max() / (2 * (batch.size > 0 ? batch.size : 1));
  if (columns < 0 || columns > most)
    throw InputError("linear systems: " + std::to_string(columns) +
                     " right-hand sides (expected 0 to " + std::to_string(most) + " of size " +
                     std::to_string(batch.size) + ")");
}

}  // namespace gradus
