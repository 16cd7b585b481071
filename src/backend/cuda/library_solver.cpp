// Brings batches to libraries and back.
#include "src/backend/cuda/library_solver.hpp"

#include <limits>

#include "gradus/error.hpp"
#include "kernels/linear/launch.cuh"

namespace gradus {

LibrarySolver::LibrarySolver(CudaDevice& device, SolverKind kind, const LinearBatch& batch)
    : device_(device),
      batch_(batch),
      kind_(kind),
      factors_(device, systems() * sizeof(double) * static_cast<std::size_t>(batch.size) *
                           static_cast<std::size_t>(batch.size)),
      exchanges_(device, systems() * sizeof(int) * static_cast<std::size_t>(batch.size)),
      info_(device, systems() * sizeof(int)),
      status_(device, systems() * sizeof(int)),
      factor_list_(device, systems() * sizeof(double*)),
      column_list_(device, systems() * sizeof(double*)) {
  if (batch.count > std::numeric_limits<int>::max())
    throw BackendError(device.name() + ": " + solver_name(kind) + " takes at most " +
                       std::to_string(std::numeric_limits<int>::max()) + " systems (found " +
                       std::to_string(batch.count) + ")");
  point_at(factor_list_, factors(), static_cast<std::ptrdiff_t>(batch.size) * batch.size);
  const std::vector<int> zeros(systems());
  device.upload(info_.data(), zeros.data(), info_.size());
  device.upload(status_.data(), zeros.data(), status_.size());
}

// The addresses of the systems of an array, which libraries want as an array on the device.
void LibrarySolver::point_at(const DeviceBuffer& list, double* first, std::ptrdiff_t entries) {
  std::vector<double*> addresses(systems());
  for (double*& address : addresses) {
    address = first;
    first += entries;
  }
  device_.upload(list.data(), addresses.data(), list.size());
}

void LibrarySolver::make_room(int columns) {
  const std::ptrdiff_t entries = static_cast<std::ptrdiff_t>(batch_.size) * columns;
  const std::size_t bytes = systems() * sizeof(double) * static_cast<std::size_t>(entries);
  if (!columns_ || columns_->size() != bytes) {
    columns_.reset();
    columns_ = std::make_unique<DeviceBuffer>(device_, bytes);
    point_at(column_list_, this->columns(), entries);
  }
}

void LibrarySolver::factorise(const double* matrices) {
  if (is_empty()) return;
  device_.select();
  const int n = batch_.size;
  device_.check(kernels::rearrange_on_device(
      {n, n, batch_.count, batch_.matrices, true, matrices, factors(), nullptr}, device_.stream()));
  factorise_all();
  device_.check(kernels::judge_pivots_on_device(
      {n, batch_.count, batch_.definite, batch_.matrices, matrices, factors(), info(), exchanges(),
       static_cast<int*>(status_.data())},
      device_.stream()));
}

void LibrarySolver::solve(double* right_sides, int columns, bool transposed) {
  check_columns(batch_, columns);
  if (is_empty() || columns == 0) return;
  device_.select();
  make_room(columns);
  kernels::Rearrangement move{batch_.size, columns,     batch_.count,    batch_.right_sides,
                              true,        right_sides, this->columns(), nullptr};
  device_.check(kernels::rearrange_on_device(move, device_.stream()));
  substitute_all(columns, transposed);
  move.to_library = false;
  move.from = this->columns();
  move.to = right_sides;
  move.status = static_cast<const int*>(status_.data());
  device_.check(kernels::rearrange_on_device(move, device_.stream()));
}

std::vector<kernels::SystemStatus> LibrarySolver::status() {
  std::vector<kernels::SystemStatus> list(systems());
  device_.download(list.data(), status_.data(), status_.size());
  return list;
}

}  // namespace gradus
