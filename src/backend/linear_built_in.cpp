// The tables of solvers built in.
#include "src/backend/linear_table.hpp"

namespace gradus {
namespace {

SolverChoice row(int size, int columns, std::ptrdiff_t systems, bool definite, SolverKind kind) {
  return {size, columns, systems, definite, solver_name(kind), {}};
}

// Not measured: what fits shared memory stays with the kernels of gradus; many larger matrices go
// to batched routines, few to those that fill a device with one.
std::vector<SolverChoice> rows_of_gpu() {
  std::vector<SolverChoice> rows;
  for (const bool definite : {false, true}) {
    const SolverKind many = definite ? SolverKind::cusolver : SolverKind::cublas_trsm;
    for (const int size : {4, 64}) rows.push_back(row(size, 1, 1, definite, SolverKind::native));
    for (const int size : {128, 512}) {
      rows.push_back(row(size, 1, 1, definite, SolverKind::cusolver));
      rows.push_back(row(size, 1, 1024, definite, many));
    }
  }
  return rows;
}

// As measured on an AMD EPYC with SSE2 (docs/performance.md): the two meet between 64 and 128,
// whatever the numbers of right-hand sides and systems.
std::vector<SolverChoice> rows_of_host() {
  std::vector<SolverChoice> rows;
  for (const bool definite : {false, true}) {
    rows.push_back(row(64, 1, 1, definite, SolverKind::native));
    rows.push_back(row(128, 1, 1, definite, SolverKind::eigen));
  }
  return rows;
}

}  // namespace

SolverTable built_in_table(const Device& device) {
  SolverTable table{hardware_name(device), "", "built in", {}};
  if (is_cuda(device))
    table.choices = rows_of_gpu();
  else if (device.name() == "cpu")
    table.choices = rows_of_host();
  return table;
}

}  // namespace gradus
