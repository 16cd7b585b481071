// The seam of batched linear algebra: many small dense systems, factorised once and solved for many
// right-hand sides, by gradus itself or by a library. Which one serves a size is decided by
// linear_table.hpp.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "kernels/linear/arguments.hpp"

namespace gradus {

class Device;

enum class SolverKind {
  native,        // kernels/linear: every device
  eigen,         // the host
  cublas_getrs,  // CUDA: getrfBatched and getrsBatched
  cublas_trsm,   // CUDA: getrfBatched and two batched triangular solves
  cusolver,      // CUDA: getrf and getrs for each matrix, on several streams; potrfBatched
};
inline constexpr SolverKind kSolverKinds[] = {SolverKind::native, SolverKind::eigen,
                                              SolverKind::cublas_getrs, SolverKind::cublas_trsm,
                                              SolverKind::cusolver};

inline std::string solver_name(SolverKind kind) {
  constexpr const char* kNames[] = {"native", "eigen", "cublas-getrs", "cublas-trsm", "cusolver"};
  return kNames[static_cast<std::size_t>(kind)];
}
std::optional<SolverKind> solver_named(const std::string& name);

// `count` matrices of `size` rows and columns, row-major; right-hand sides [size, columns].
struct LinearBatch {
  int size = 0;
  std::ptrdiff_t count = 0;
  kernels::Arrangement matrices = {};
  kernels::Arrangement right_sides = {};
  bool definite = false;  // symmetric, of which solvers read either triangle, and positive definite
  bool refined = false;   // factors in single precision, solutions refined to double; native only
};

// Factorises and solves batches of one shape, in the memory of the device it was made for. Systems
// that fail are marked, get NaN for solutions, and leave the others alone.
class BatchedSolver {
 public:
  virtual ~BatchedSolver() = default;

  virtual SolverKind kind() const = 0;

  // Keeps the factors; `matrices` stay as they are. Refined solutions read them again.
  virtual void factorise(const double* matrices) = 0;

  // Solves A x = b, or A^T x = b, in place for [count, size, columns] right-hand sides. Only after
  // factorise().
  virtual void solve(double* right_sides, int columns, bool transposed) = 0;

  // Both at once, which may be faster.
  virtual void factorise_and_solve(const double* matrices, double* right_sides, int columns,
                                   bool transposed) {
    factorise(matrices);
    solve(right_sides, columns, transposed);
  }

  // How each system fared until now. A refused one stays so until the next factorisation.
  virtual std::vector<kernels::SystemStatus> status() = 0;
};

// Makes a solver for a device, which must outlive it. Throws BackendError with the reason if the
// solver does not run there, InputError for a shape that is none.
std::unique_ptr<BatchedSolver> make_solver(Device& device, SolverKind kind,
                                           const LinearBatch& batch);

// That of Eigen's factorisations, in host memory.
std::unique_ptr<BatchedSolver> make_eigen_solver(const LinearBatch& batch);

// Throws InputError if there are too many right-hand sides, whose offsets within a system are int,
// or fewer than none.
inline void check_columns(const LinearBatch& batch, int columns) {
  const int most = std::numeric_limits<int>::max() / (2 * (batch.size > 0 ? batch.size : 1));
  if (columns < 0 || columns > most)
    throw InputError("linear systems: " + std::to_string(columns) +
                     " right-hand sides (expected 0 to " + std::to_string(most) + " of size " +
                     std::to_string(batch.size) + ")");
}

// A pivot smaller than this, relative to the largest before it, makes a matrix singular for every
// solver.
inline constexpr double kPivotThreshold = 1e-15;

}  // namespace gradus
