// The solver made of cuBLAS: getrfBatched, then getrsBatched or two batched triangular solves.
#include "gradus/error.hpp"
#include "kernels/linear/launch.cuh"
#include "src/backend/cuda/library_solver.hpp"

namespace gradus {
namespace {

class CublasSolver : public LibrarySolver {
 public:
  CublasSolver(CudaDevice& device, SolverKind kind, const LinearBatch& batch)
      : LibrarySolver(device, kind, batch), handle_(make_cublas(device.stream())) {}

 protected:
  void factorise_all() override {
    const int n = batch_.size;
    check_library(
        cublas().getrf_batched(handle_.get(), n, factor_list(), n, exchanges(), info(), count()),
        "cublasDgetrfBatched");
  }

  void substitute_all(int columns, bool transposed) override {
    if (kind() == SolverKind::cublas_getrs) return solve_at_once(columns, transposed);
    if (!transposed) exchange_rows(columns, false);
    for (const bool lower : {!transposed, transposed})
      pass_triangle(handle_.get(), lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                    lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, columns, transposed);
    if (transposed) exchange_rows(columns, true);
  }

 private:
  void solve_at_once(int columns, bool transposed) {
    const int n = batch_.size;
    int info = 0;  // of the arguments, not of the systems
    check_library(
        cublas().getrs_batched(handle_.get(), transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n, columns,
                               factor_list(), n, exchanges(), column_list(), n, &info, count()),
        "cublasDgetrsBatched");
  }

  void exchange_rows(int columns, bool backwards) {
    device_.check(kernels::exchange_rows_on_device(
        {batch_.size, columns, batch_.count, backwards, exchanges(), this->columns()},
        device_.stream()));
  }

  CublasHandle handle_;
};

}  // namespace

std::unique_ptr<BatchedSolver> make_cublas_solver(CudaDevice& device, SolverKind kind,
                                                  const LinearBatch& batch) {
  if (batch.definite)
    throw BackendError(device.name() + ": " + solver_name(kind) +
                       " has no factorisation of definite matrices (cusolver and native have)");
  device.select();
  return std::make_unique<CublasSolver>(device, kind, batch);
}

}  // namespace gradus
