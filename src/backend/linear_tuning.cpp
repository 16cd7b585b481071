// Measures which solver is the fastest for which shape.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>

#include "src/backend/choice.hpp"
#include "src/backend/linear_table.hpp"

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

// A shape in the memory of a device.
class Trial {
 public:
  Trial(Device& device, const SolverChoice& shape)
      : device_(device),
        shape_(shape),
        host_(matrices_of(shape)),
        matrices_(device, host_.size() * sizeof(double)),
        right_sides_(device, entries() * sizeof(double)) {
    device.upload(matrices_.data(), host_.data(), matrices_.size());
  }

  // The shortest of several times; throws BackendError where the solver does not run.
  double measure(SolverKind kind, double least) {
    LinearBatch batch{shape_.size, shape_.systems};
    batch.definite = shape_.definite;
    const std::unique_ptr<BatchedSolver> solver = make_solver(device_, kind, batch);
    run(*solver);  // warms up
    double best = run(*solver);
    for (const auto start = Clock::now(); seconds_since(start) < least;)
      best = std::min(best, run(*solver));
    return best;
  }

 private:
  std::size_t entries() const {
    return static_cast<std::size_t>(shape_.systems) * static_cast<std::size_t>(shape_.size) *
           static_cast<std::size_t>(shape_.columns);
  }

  double run(BatchedSolver& solver) {
    const std::vector<double> ones(entries(), 1.0);
    device_.upload(right_sides_.data(), ones.data(), right_sides_.size());
    const auto start = Clock::now();
    solver.factorise_and_solve(static_cast<const double*>(matrices_.data()),
                               static_cast<double*>(right_sides_.data()), shape_.columns, false);
    device_.synchronise();
    return seconds_since(start);
  }

  Device& device_;
  SolverChoice shape_;
  std::vector<double> host_;
  DeviceBuffer matrices_, right_sides_;
};

double operations_of(const SolverChoice& shape) {
  const double n = shape.size;
  return static_cast<double>(shape.systems) * n * n * (2.0 / 3.0 * n + 2.0 * shape.columns);
}

double bytes_of(const SolverChoice& shape) {
  const double n = shape.size;
  // matrices, factors, right-hand sides and what solvers copy of them
  return static_cast<double>(shape.systems) * n * (2.0 * n + 2.0 * shape.columns) * sizeof(double);
}

std::vector<SolverChoice> shapes_of(const Device& device, const Tuning& tuning) {
  const double room =
      std::min(static_cast<double>(tuning.bytes), 0.5 * static_cast<double>(device.free_memory()));
  std::vector<SolverChoice> shapes;
  for (const bool definite : {false, true})
    for (const int size : tuning.sizes)
      for (const int columns : tuning.columns)
        for (const std::ptrdiff_t systems : tuning.systems) {
          const SolverChoice shape{size, columns, systems, definite, "", {}};
          if (operations_of(shape) <= tuning.operations && bytes_of(shape) <= room)
            shapes.push_back(shape);
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
    Trial trial(device, choice);
    double best = 0.0;
    for (const SolverKind kind : kSolverKinds) {
      double seconds = 0.0;
      try {
        seconds = trial.measure(kind, tuning.seconds);
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
