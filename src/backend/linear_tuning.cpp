// Measures which solver is the fastest for which shape.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>

#include "src/backend/choice.hpp"
#include "src/backend/stored_tables.hpp"

namespace gradus {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm date{};
  localtime_r(&now, &date);
  char text[16];
  std::strftime(text, sizeof(text), "%Y-%m-%d", &date);
  return text;
}

// Matrices with a strong diagonal, so that no solver meets a difficulty: symmetric ones serve as
// definite ones.
std::vector<double> matrices_of(const SolverChoice& shape) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto n = static_cast<std::size_t>(shape.size);
  std::vector<double> all(static_cast<std::size_t>(shape.systems) * n * n);
  for (std::size_t s = 0; s < all.size(); s += n * n)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const double entry = uniform(generator);
        all[s + i * n + j] = all[s + j * n + i] = i == j ? static_cast<double>(n) + entry : entry;
      }
  return all;
}

std::size_t bytes_of(const SolverChoice& shape, int columns) {
  return static_cast<std::size_t>(shape.systems * shape.size * columns) * sizeof(double);
}

// The shortest of several times; throws BackendError where the solver does not run.
double measure(Device& device, const SolverChoice& shape, SolverKind kind,
               const DeviceBuffer& matrices, double least) {
  LinearBatch batch{shape.size, shape.systems};
  batch.definite = shape.definite;
  const std::unique_ptr<BatchedSolver> solver = make_solver(device, kind, batch);
  const DeviceBuffer right_sides(device, bytes_of(shape, shape.columns));
  const std::vector<double> ones(right_sides.size() / sizeof(double), 1.0);
  const auto run = [&] {
    device.upload(right_sides.data(), ones.data(), right_sides.size());
    const auto start = Clock::now();
    solver->factorise_and_solve(static_cast<const double*>(matrices.data()),
                                static_cast<double*>(right_sides.data()), shape.columns, false);
    device.synchronise();
    return seconds_since(start);
  };
  double best = run();
  if (best > 10.0 * least) return best;
  best = run();  // the first has warmed up
  for (const auto start = Clock::now(); seconds_since(start) < least;) best = std::min(best, run());
  return best;
}

std::vector<SolverChoice> shapes_of(const Device& device, const Tuning& tuning) {
  const double room =
      std::min(static_cast<double>(tuning.bytes), 0.5 * static_cast<double>(device.free_memory()));
  std::vector<SolverChoice> shapes;
  for (const bool definite : {false, true})
    for (const int size : tuning.sizes)
      for (const int columns : tuning.columns)
        for (const std::ptrdiff_t systems : tuning.systems) {
          const double n = size;
          const double rows = static_cast<double>(systems) * n;
          const double operations = rows * n * (2.0 / 3.0 * n + 2.0 * columns);
          // matrices, factors, right-hand sides and what solvers copy of them
          const double bytes = rows * (2.0 * n + 2.0 * columns) * sizeof(double);
          if (operations <= tuning.operations && bytes <= room)
            shapes.push_back({size, columns, systems, definite, "", {}});
        }
  return shapes;
}

std::string text_of(const SolverChoice& c) {
  return std::to_string(c.systems) + (c.definite ? " definite" : "") + " systems of size " +
         std::to_string(c.size) + ", " + std::to_string(c.columns) + " columns: " + c.solver;
}

}  // namespace

SolverTable measure_table(Device& device, const Tuning& tuning,
                          const std::function<void(const std::string&)>& progress) {
  SolverTable table{hardware_name(device), today(), "measured now", shapes_of(device, tuning)};
  for (SolverChoice& choice : table.choices) {
    const DeviceBuffer matrices(device, bytes_of(choice, choice.size));
    device.upload(matrices.data(), matrices_of(choice).data(), matrices.size());
    double best = 0.0;
    for (const SolverKind kind : kSolverKinds) {
      double seconds = 0.0;
      try {
        seconds = measure(device, choice, kind, matrices, tuning.seconds);
      } catch (const BackendError&) {
        continue;  // not on this device, or not installed
      }
      choice.seconds[solver_name(kind)] = seconds;
      if (!choice.solver.empty() && seconds >= best) continue;
      best = seconds;
      choice.solver = solver_name(kind);
    }
    if (progress) progress(text_of(choice));
  }
  return table;
}

std::vector<SolverTable> describe_solvers() {
  std::vector<SolverTable> tables{table_of(*make_host_device())};
  if (cuda_obstacle(0).empty()) tables.push_back(table_of(*make_cuda_device(0)));
  return tables;
}

SolverTable tune_solvers(const std::string& backend,
                         const std::function<void(const std::string&)>& progress) {
  const BackendChoice choice = choose_backend(backend, Work{}, {});
  if (choice.kind == BackendKind::debug)
    throw BackendError("debug: has no solvers to choose from, expected cpu or cuda[:device]");
  const std::unique_ptr<Device> device =
      choice.kind == BackendKind::cuda ? make_cuda_device(choice.device) : make_host_device();
  SolverTable table = measure_table(*device, Tuning{}, progress);
  const std::filesystem::path file = table_file(table.device);
  store_table(table, file);
  table.origin = file.string();
  return table;
}

}  // namespace gradus
