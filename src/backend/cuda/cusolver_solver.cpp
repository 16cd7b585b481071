// The solver made of cuSOLVER: matrices large enough to fill a device one after another, on several
// streams so that they overlap; potrfBatched for definite ones, whose triangles cuBLAS solves.
#include <algorithm>
#include <optional>

#include "src/backend/cuda/library_solver.hpp"

namespace gradus {
namespace {

constexpr int kStreams = 4;

// A stream with what cuSOLVER needs on it.
class Lane {
 public:
  // For matrices of n equations; n = 0: without room to work in.
  Lane(CudaDevice& device, double* matrix, int n)
      : device_(device),
        stream_(make_stream(device.name())),
        event_(make_event(device.name())),
        handle_(make_cusolver(stream_.get())) {
    int entries = 0;
    if (n > 0)
      check_library(cusolver().getrf_buffer_size(handle(), n, n, matrix, n, &entries),
                    "cusolverDnDgetrf_bufferSize");
    work_.emplace(device, sizeof(double) * static_cast<std::size_t>(entries));
  }
  ~Lane() { cudaStreamSynchronize(stream_.get()); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  cusolverDnHandle_t handle() const { return handle_.get(); }
  double* work() const { return static_cast<double*>(work_->data()); }

  // One stream goes on when the other has done what it was asked before.
  void follow(cudaStream_t other) { chain(other, stream_.get()); }
  void precede(cudaStream_t other) { chain(stream_.get(), other); }

 private:
  void chain(cudaStream_t first, cudaStream_t second) {
    check_call(cudaEventRecord(event_.get(), first), "cudaEventRecord", device_.name());
    check_call(cudaStreamWaitEvent(second, event_.get(), 0), "cudaStreamWaitEvent", device_.name());
  }

  CudaDevice& device_;
  Stream stream_;
  Event event_;
  CusolverHandle handle_;
  std::optional<DeviceBuffer> work_;
};

class CusolverSolver : public LibrarySolver {
 public:
  CusolverSolver(CudaDevice& device, const LinearBatch& batch)
      : LibrarySolver(device, SolverKind::cusolver, batch) {
    const std::ptrdiff_t lanes =
        batch.definite ? 1 : std::min<std::ptrdiff_t>(batch.count, kStreams);
    for (std::ptrdiff_t k = 0; k < lanes; ++k)
      lanes_.push_back(std::make_unique<Lane>(device, factors(), batch.definite ? 0 : batch.size));
    if (batch.definite) triangles_ = make_cublas(device.stream());
  }

 protected:
  void factorise_all() override {
    const int n = batch_.size;
    if (batch_.definite) {
      lanes_[0]->follow(device_.stream());
      check_library(cusolver().potrf_batched(lanes_[0]->handle(), CUBLAS_FILL_MODE_LOWER, n,
                                             factor_list(), n, info(), count()),
                    "cusolverDnDpotrfBatched");
      lanes_[0]->precede(device_.stream());
      return;
    }
    for_each_system([&](const Lane& lane, std::ptrdiff_t s) {
      check_library(cusolver().getrf(lane.handle(), n, n, factors() + s * n * n, n, lane.work(),
                                     exchanges() + s * n, info() + s),
                    "cusolverDnDgetrf");
    });
  }

  void substitute_all(int columns, bool transposed) override {
    if (batch_.definite) return substitute_definite(columns);
    const int n = batch_.size;
    // The verdict on the factors is in status already; this one is about arguments.
    for_each_system([&](const Lane& lane, std::ptrdiff_t s) {
      check_library(cusolver().getrs(lane.handle(), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n,
                                     columns, factors() + s * n * n, n, exchanges() + s * n,
                                     this->columns() + s * n * columns, n, info() + s),
                    "cusolverDnDgetrs");
    });
  }

 private:
  template <class Action>
  void for_each_system(const Action& action) {
    for (const auto& lane : lanes_) lane->follow(device_.stream());
    const auto lanes = static_cast<std::ptrdiff_t>(lanes_.size());
    for (std::ptrdiff_t s = 0; s < batch_.count; ++s)
      action(*lanes_[static_cast<std::size_t>(s % lanes)], s);
    for (const auto& lane : lanes_) lane->precede(device_.stream());
  }

  // potrsBatched takes one right-hand side only.
  void substitute_definite(int columns) {
    for (const bool transposed : {false, true})
      pass_triangle(triangles_.get(), CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_NON_UNIT, columns,
                    transposed);
  }

  std::vector<std::unique_ptr<Lane>> lanes_;
  CublasHandle triangles_;
};

}  // namespace

std::unique_ptr<BatchedSolver> make_cusolver_solver(CudaDevice& device, const LinearBatch& batch) {
  device.select();
  return std::make_unique<CusolverSolver>(device, batch);
}

}  // namespace gradus
