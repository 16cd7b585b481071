// Chooses solvers by the table; the tables built in.
#include "src/backend/linear_table.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <span>
#include <tuple>

namespace gradus {
namespace {

double ratio(double a, double b) {
  return std::abs(std::log2(std::max(a, 1.0) / std::max(b, 1.0)));
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos)
      return line.substr(line.find(": ") + 2);
  return "cpu";
}

// A row of the tables built in: who serves general matrices, and who definite ones.
struct BuiltInRow {
  int size;
  std::ptrdiff_t systems;
  SolverKind general, definite;
};

std::span<const BuiltInRow> built_in_rows(const Device& device) {
  using enum SolverKind;
  // Not measured: what fits shared memory stays with the kernels of gradus; many larger matrices go
  // to batched routines, few to those that fill a device with one.
  static constexpr BuiltInRow kOfGpu[] = {
      {4, 1, native, native},       {64, 1, native, native},
      {128, 1, cusolver, cusolver}, {128, 1024, cublas_trsm, cusolver},
      {512, 1, cusolver, cusolver}, {512, 1024, cublas_trsm, cusolver}};
  // As measured on an AMD EPYC with SSE2 (docs/performance.md): the two meet between 64 and 128,
  // whatever the numbers of right-hand sides and systems.
  static constexpr BuiltInRow kOfHost[] = {{64, 1, native, native}, {128, 1, eigen, eigen}};
  if (is_cuda(device)) return kOfGpu;
  if (device.name() == "cpu") return kOfHost;
  return {};
}

}  // namespace

SolverTable built_in_table(const Device& device) {
  SolverTable table{hardware_name(device), "", "built in", {}};
  for (const bool definite : {false, true})
    for (const BuiltInRow& row : built_in_rows(device))
      table.choices.push_back({row.size,
                               1,
                               row.systems,
                               definite,
                               solver_name(definite ? row.definite : row.general),
                               {}});
  return table;
}

SolverKind choose_solver(const SolverTable& table, const LinearBatch& batch, int columns) {
  using Distance = std::tuple<double, double, double>;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Distance nearest{kFar, kFar, kFar};
  SolverKind kind = SolverKind::native;
  for (const SolverChoice& choice : table.choices) {
    const std::optional<SolverKind> named = solver_named(choice.solver);
    if (choice.definite != batch.definite || !named) continue;
    const Distance distance{
        ratio(batch.size, choice.size), ratio(columns, choice.columns),
        ratio(static_cast<double>(batch.count), static_cast<double>(choice.systems))};
    if (distance >= nearest) continue;
    nearest = distance;
    kind = *named;
  }
  return kind;
}

std::unique_ptr<BatchedSolver> make_fastest_solver(Device& device, const SolverTable& table,
                                                   const LinearBatch& batch, int columns,
                                                   std::ptrdiff_t systems) {
  LinearBatch all = batch;
  if (systems > 0) all.count = systems;
  const SolverKind kind = batch.refined ? SolverKind::native : choose_solver(table, all, columns);
  if (kind != SolverKind::native) try {
      return make_solver(device, kind, batch);
    } catch (const BackendError&) {
      // a library that is not installed here
    }
  return make_solver(device, SolverKind::native, batch);
}

bool is_cuda(const Device& device) {
  return device.name().rfind("cuda:", 0) == 0;
}

std::string hardware_name(const Device& device) {
  if (!is_cuda(device)) return device.name() == "cpu" ? processor_name() : device.name();
  const std::string name = device.name();  // "cuda:0 (NVIDIA H100)"
  const std::size_t begin = name.find('(') + 1;
  return name.substr(begin, name.rfind(')') - begin);
}

}  // namespace gradus
