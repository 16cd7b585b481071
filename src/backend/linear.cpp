// Makes batched solvers. That of gradus itself owns factors on a device and launches
// kernels/linear.
#include "src/backend/linear.hpp"

#include "src/backend/device.hpp"

namespace gradus {
namespace {

class NativeSolver : public BatchedSolver {
 public:
  NativeSolver(Device& device, const LinearBatch& batch)
      : device_(device),
        batch_(batch),
        factors_(device, entries(batch.size) * (batch.refined ? sizeof(float) : sizeof(double))),
        pivots_(device, entries(1) * sizeof(double)),
        status_(device, static_cast<std::size_t>(batch.count) * sizeof(int)) {
    arguments_.size = batch.size;
    arguments_.count = batch.count;
    arguments_.matrix_arrangement = batch.matrices;
    arguments_.right_side_arrangement = batch.right_sides;
    arguments_.definite = batch.definite;
    arguments_.refined = batch.refined;
    arguments_.factors = static_cast<double*>(factors_.data());
    arguments_.single_factors = static_cast<float*>(factors_.data());
    arguments_.pivots = static_cast<double*>(pivots_.data());
    arguments_.status = static_cast<int*>(status_.data());
    const std::vector<kernels::SystemStatus> start(static_cast<std::size_t>(batch.count));
    device.upload(status_.data(), start.data(), status_.size());
  }

  SolverKind kind() const override { return SolverKind::native; }

  void factorise(const double* matrices) override {
    arguments_.matrices = matrices;
    run(kernels::LinearWork::factorise);
  }

  void solve(double* right_sides, int columns, bool transposed) override {
    set_right_sides(right_sides, columns, transposed);
    run(kernels::LinearWork::solve);
  }

  void factorise_and_solve(const double* matrices, double* right_sides, int columns,
                           bool transposed) override {
    arguments_.matrices = matrices;
    set_right_sides(right_sides, columns, transposed);
    run(kernels::LinearWork::factorise_and_solve);
  }

  std::vector<kernels::SystemStatus> status() override {
    std::vector<kernels::SystemStatus> list(static_cast<std::size_t>(batch_.count));
    device_.download(list.data(), status_.data(), list.size() * sizeof(int));
    return list;
  }

 private:
  // In whole tiles.
  std::size_t entries(int columns) const {
    const std::ptrdiff_t systems = batch_.right_sides.interleaved
                                       ? kernels::tiles_of(batch_.count) * kernels::kTile
                                       : batch_.count;
    return static_cast<std::size_t>(systems) * static_cast<std::size_t>(batch_.size) *
           static_cast<std::size_t>(columns);
  }

  // Room for refinement grows as it is needed, and is kept.
  void set_right_sides(double* right_sides, int columns, bool transposed) {
    check_columns(batch_, columns);
    arguments_.right_sides = right_sides;
    arguments_.columns = columns;
    arguments_.transposed = transposed;
    if (!batch_.refined) return;
    const std::size_t doubles = 2 * entries(columns) * sizeof(double);
    const std::size_t bytes = doubles + entries(columns) * sizeof(float);
    if (!scratch_ || scratch_->size() < bytes) {
      scratch_.reset();
      scratch_ = std::make_unique<DeviceBuffer>(device_, bytes);
    }
    auto* start = static_cast<char*>(scratch_->data());
    arguments_.refinement = reinterpret_cast<double*>(start);
    arguments_.correction = reinterpret_cast<float*>(start + doubles);
  }

  void run(kernels::LinearWork work) {
    arguments_.work = work;
    if (batch_.count > 0 && batch_.size > 0) device_.solve_systems(arguments_);
  }

  Device& device_;
  LinearBatch batch_;
  DeviceBuffer factors_, pivots_, status_;
  std::unique_ptr<DeviceBuffer> scratch_;
  kernels::LinearArguments arguments_{};
};

// Offsets within a system are int.
constexpr int kLargestSize = 4096;

}  // namespace

std::optional<SolverKind> solver_named(const std::string& name) {
  for (const SolverKind kind : kSolverKinds)
    if (name == solver_name(kind)) return kind;
  return std::nullopt;
}

std::unique_ptr<BatchedSolver> make_solver(Device& device, SolverKind kind,
                                           const LinearBatch& batch) {
  if (batch.size < 0 || batch.size > kLargestSize)
    throw InputError("linear systems: size " + std::to_string(batch.size) + " (expected 0 to " +
                     std::to_string(kLargestSize) + ")");
  if (batch.count < 0)
    throw InputError("linear systems: " + std::to_string(batch.count) +
                     " of them (expected 0 or more)");
  if (batch.refined && kind != SolverKind::native)
    throw InputError("linear systems: found solver " + solver_name(kind) +
                     " for refined solutions (only native refines)");
  if (kind == SolverKind::native) return std::make_unique<NativeSolver>(device, batch);
  return device.make_library_solver(kind, batch);
}

}  // namespace gradus
