// The solver made of cuSOLVER: matrices large enough to fill a device one after another, on several
// streams so that they overlap; potrfBatched for definite ones, whose triangles cuBLAS solves.
#include <algorithm>

#include "src/backend/cuda/call.hpp"
#include "src/backend/cuda/libraries.hpp"
#include "src/backend/cuda/library_solver.hpp"

namespace gradus {
namespace {

constexpr int kStreams = 4;

// A stream with what cuSOLVER needs on it.
class Lane {
 public:
  explicit Lane(CudaDevice& device)
      : device_(device),
        stream_(make_stream(device.name())),
        event_(make_event(device.name())),
        handle_(make_cusolver(stream_.get())) {}
  ~Lane() { cudaStreamSynchronize(stream_.get()); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  cusolverDnHandle_t handle() const { return handle_.get(); }
  double* work() const { return static_cast<double*>(work_->data()); }

  void make_work(double* matrix, int n) {
    int entries = 0;
    check_library(cusolver().getrf_buffer_size(handle(), n, n, matrix, n, &entries),
                  "cusolverDnDgetrf_bufferSize");
    work_ = std::make_unique<DeviceBuffer>(
        device_, sizeof(double) * static_cast<std::size_t>(std::max(entries, 1)));
  }

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
  std::unique_ptr<DeviceBuffer> work_;
};

class CusolverSolver : public LibrarySolver {
 public:
  CusolverSolver(CudaDevice& device, const LinearBatch& batch)
      : LibrarySolver(device, SolverKind::cusolver, batch) {
    const std::ptrdiff_t lanes =
        batch.definite ? 1 : std::min<std::ptrdiff_t>(batch.count, kStreams);
    for (std::ptrdiff_t k = 0; k < lanes; ++k) lanes_.push_back(std::make_unique<Lane>(device));
    if (batch.definite) {
      triangles_ = make_cublas(device.stream());
    } else if (batch.size > 0) {
      for (const auto& lane : lanes_) lane->make_work(factors(), batch.size);
    }
  }

 protected:
  void factorise_all() override {
    const int n = batch().size;
    if (batch().definite) {
      lanes_[0]->follow(device().stream());
      check_library(cusolver().potrf_batched(lanes_[0]->handle(), CUBLAS_FILL_MODE_LOWER, n,
                                             factor_list(), n, info(), count()),
                    "cusolverDnDpotrfBatched");
      lanes_[0]->precede(device().stream());
      return;
    }
    for_each_system([&](const Lane& lane, std::ptrdiff_t s) {
      check_library(cusolver().getrf(lane.handle(), n, n, factors() + s * n * n, n, lane.work(),
                                     exchanges() + s * n, info() + s),
                    "cusolverDnDgetrf");
    });
  }

  void substitute_all(int columns, bool transposed) override {
    if (batch().definite) return substitute_definite(columns);
    const int n = batch().size;
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
    for (const auto& lane : lanes_) lane->follow(device().stream());
    const auto lanes = static_cast<std::ptrdiff_t>(lanes_.size());
    for (std::ptrdiff_t s = 0; s < batch().count; ++s)
      action(*lanes_[static_cast<std::size_t>(s % lanes)], s);
    for (const auto& lane : lanes_) lane->precede(device().stream());
  }

  // potrsBatched takes one right-hand side only.
  void substitute_definite(int columns) {
    const int n = batch().size;
    const double one = 1.0;
    for (const cublasOperation_t operation : {CUBLAS_OP_N, CUBLAS_OP_T})
      check_library(
          cublas().trsm_batched(triangles_.get(), CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                                operation, CUBLAS_DIAG_NON_UNIT, n, columns, &one, factor_list(), n,
                                column_list(), n, count()),
          "cublasDtrsmBatched");
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
