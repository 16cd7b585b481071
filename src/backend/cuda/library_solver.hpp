// What solvers made of NVIDIA's libraries share: batches column by column and one matrix after
// another, as LAPACK has them, and verdicts on the pivots.
#pragma once

#include <vector>

#include "src/backend/cuda/cuda_device.hpp"
#include "src/backend/cuda/libraries.hpp"
#include "src/backend/device.hpp"

namespace gradus {

class LibrarySolver : public BatchedSolver {
 public:
  LibrarySolver(CudaDevice& device, SolverKind kind, const LinearBatch& batch);

  SolverKind kind() const override { return kind_; }
  void factorise(const double* matrices) override;
  void solve(double* right_sides, int columns, bool transposed) override;
  std::vector<kernels::SystemStatus> status() override;

 protected:
  // The work of the library, on the device's stream: on factors(), and on columns().
  virtual void factorise_all() = 0;
  virtual void substitute_all(int columns, bool transposed) = 0;

  // Solves with a triangle of all factors, on columns().
  void pass_triangle(cublasHandle_t handle, cublasFillMode_t which, cublasDiagType_t diagonal,
                     int columns, bool transposed) const {
    const double one = 1.0;
    check_library(cublas().trsm_batched(handle, CUBLAS_SIDE_LEFT, which,
                                        transposed ? CUBLAS_OP_T : CUBLAS_OP_N, diagonal,
                                        batch_.size, columns, &one, factor_list(), batch_.size,
                                        column_list(), batch_.size, count()),
                  "cublasDtrsmBatched");
  }

  int count() const { return static_cast<int>(batch_.count); }
  double* factors() const { return static_cast<double*>(factors_.data()); }
  double* columns() const { return static_cast<double*>(columns_->data()); }
  int* exchanges() const { return static_cast<int*>(exchanges_.data()); }  // LAPACK's, from 1
  int* info() const { return static_cast<int*>(info_.data()); }
  double** factor_list() const { return static_cast<double**>(factor_list_.data()); }
  double** column_list() const { return static_cast<double**>(column_list_.data()); }

  CudaDevice& device_;
  const LinearBatch batch_;

 private:
  std::size_t systems() const { return static_cast<std::size_t>(batch_.count); }
  bool is_empty() const { return batch_.count == 0 || batch_.size == 0; }
  void point_at(const DeviceBuffer& list, double* first, std::ptrdiff_t entries);
  void make_room(int columns);

  SolverKind kind_;
  DeviceBuffer factors_, exchanges_, info_, status_, factor_list_, column_list_;
  std::unique_ptr<DeviceBuffer> columns_;
};

// Throw BackendError if the library is not installed.
std::unique_ptr<BatchedSolver> make_cublas_solver(CudaDevice& device, SolverKind kind,
                                                  const LinearBatch& batch);
std::unique_ptr<BatchedSolver> make_cusolver_solver(CudaDevice& device, const LinearBatch& batch);

}  // namespace gradus
