// The solver made of Eigen's factorisations: LU with row exchanges in blocks, Cholesky.
#include "src/backend/linear.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace gradus {
namespace {

using kernels::SystemStatus;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
using Exchanges = Eigen::Map<Eigen::VectorXi>;

class EigenSolver : public BatchedSolver {
  // Rows and columns of one system where it lies.
  template <class Number>
  auto system(Number* array, const kernels::Arrangement& arrangement, std::ptrdiff_t s,
              int columns) const {
    using Mapped = std::conditional_t<std::is_const_v<Number>, const Matrix, Matrix>;
    const std::ptrdiff_t inner = arrangement.interleaved ? kernels::kTile : 1;
    Number* start =
        array + kernels::offset_of(arrangement, s, std::ptrdiff_t{batch_.size} * columns);
    return Eigen::Map<Mapped, 0, Strides>(start, batch_.size, columns,
                                          Strides(inner * columns, inner));
  }

 public:
  explicit EigenSolver(const LinearBatch& batch)
      : batch_(batch),
        factors_(static_cast<std::size_t>(batch.count), Matrix(batch.size, batch.size)),
        rows_(static_cast<std::size_t>(batch.count * batch.size)),
        status_(static_cast<std::size_t>(batch.count), SystemStatus::solved) {}

  SolverKind kind() const override { return SolverKind::eigen; }

  void factorise(const double* matrices) override {
    for (std::ptrdiff_t s = 0; s < batch_.count; ++s) {
      Matrix& factor = factors_[static_cast<std::size_t>(s)];
      factor = system(matrices, batch_.matrices, s, batch_.size);
      status_[static_cast<std::size_t>(s)] =
          batch_.definite ? factorise_definite(factor) : factorise_general(factor, exchanges(s));
    }
  }

  void solve(double* right_sides, int columns, bool transposed) override {
    check_columns(batch_, columns);
    Matrix x;  // contiguous, and apart from the batch
    for (std::ptrdiff_t s = 0; s < batch_.count; ++s) {
      auto place = system(right_sides, batch_.right_sides, s, columns);
      if (status_[static_cast<std::size_t>(s)] != SystemStatus::solved) {
        place.setConstant(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      x = place;
      substitute(factors_[static_cast<std::size_t>(s)], exchanges(s), x, transposed);
      place = x;
    }
  }

  std::vector<SystemStatus> status() override { return status_; }

 private:
  Exchanges exchanges(std::ptrdiff_t s) { return {rows_.data() + s * batch_.size, batch_.size}; }

  // Whether no pivot(k) is far smaller than those before it.
  template <class Pivot>
  static bool is_regular(std::ptrdiff_t size, const Pivot& pivot) {
    double largest = 0.0;
    for (std::ptrdiff_t k = 0; k < size; ++k) {
      largest = std::max(largest, pivot(k));
      if (!(pivot(k) > kPivotThreshold * largest)) return false;
    }
    return true;
  }

  static SystemStatus factorise_general(Matrix& a, Exchanges exchanges) {
    if (a.size() == 0) return SystemStatus::solved;
    const Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(a);
    exchanges = lu.permutationP().indices();
    return is_regular(a.rows(), [&](auto k) { return std::abs(a(k, k)); }) ? SystemStatus::solved
                                                                           : SystemStatus::singular;
  }

  // The squares of Cholesky's diagonal are the pivots.
  static SystemStatus factorise_definite(Matrix& a) {
    if (a.size() == 0) return SystemStatus::solved;
    const Eigen::LLT<Eigen::Ref<Matrix>> cholesky(a);
    const bool definite = cholesky.info() == Eigen::Success &&
                          is_regular(a.rows(), [&](auto k) { return a(k, k) * a(k, k); });
    return definite ? SystemStatus::solved : SystemStatus::not_definite;
  }

  void substitute(const Matrix& a, const Exchanges& exchanges, Matrix& x, bool transposed) const {
    const Eigen::PermutationWrapper<const Exchanges> rows(exchanges);
    if (batch_.definite) {
      a.triangularView<Eigen::Lower>().solveInPlace(x);
      a.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
    } else if (transposed) {
      a.triangularView<Eigen::Upper>().transpose().solveInPlace(x);
      a.triangularView<Eigen::UnitLower>().transpose().solveInPlace(x);
      x = rows.transpose() * x;
    } else {
      x = rows * x;
      a.triangularView<Eigen::UnitLower>().solveInPlace(x);
      a.triangularView<Eigen::Upper>().solveInPlace(x);
    }
  }

  LinearBatch batch_;
  std::vector<Matrix> factors_;
  std::vector<int> rows_;  // [count, size]
  std::vector<SystemStatus> status_;
};

}  // namespace

std::unique_ptr<BatchedSolver> make_eigen_solver(const LinearBatch& batch) {
  return std::make_unique<EigenSolver>(batch);
}

}  // namespace gradus
