// Eigen's decompositions.
#include "src/motion/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <complex>
#include <limits>

namespace gradus {
namespace {

constexpr double kOrthogonal = 1e-4;
constexpr double kEntryRoundOff = 4e-15;  // of a matrix, and of the decomposition

// Columns and rows of like size, by powers of two (Parlett and Reinsch), as long as that makes
// their sums smaller by a twentieth.
Eigen::VectorXd balancing(const Eigen::MatrixXd& matrix) {
  constexpr double gain = 0.95;
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(matrix.rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      double row = 0.0, column = 0.0;
      for (Eigen::Index j = 0; j < matrix.rows(); ++j) {
        if (j == i) continue;
        row += std::abs(matrix(i, j)) * scale(j) / scale(i);
        column += std::abs(matrix(j, i)) * scale(i) / scale(j);
      }
      if (row == 0.0 || column == 0.0) continue;
      const double factor =
          std::ldexp(1.0, static_cast<int>(std::lround(0.5 * std::log2(row / column))));
      if (!(row / factor + column * factor < gain * (row + column))) continue;
      scale(i) *= factor;
      changed = true;
    }
  }
  return scale;
}

// Two steps of inverse iteration.
template <class Solve>
Eigen::VectorXcd improved(Eigen::VectorXcd vector, const Solve& solve) {
  for (int step = 0; step < 2; ++step) {
    const Eigen::VectorXcd better = solve(vector);
    if (!better.allFinite() || !(better.stableNorm() > 0.0)) break;
    vector = better.stableNormalized();
  }
  return vector;
}

}  // namespace

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd null_space(const MatrixXd& rows, double threshold) {
  if (rows.rows() == 0) return MatrixXd::Identity(rows.cols(), rows.cols());
  Eigen::JacobiSVD<MatrixXd> svd(rows, Eigen::ComputeFullV);
  svd.setThreshold(threshold);
  return svd.matrixV().rightCols(rows.cols() - svd.rank());
}

SingularVectors singular_vectors(const MatrixXd& matrix) {
  const Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}

VectorXd first_left_vector(const MatrixXd& matrix) {
  const Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeFullU);
  return svd.matrixU().col(0);
}

VectorXd shortest_solution(const MatrixXd& matrix, const VectorXd& wanted, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  factors.setThreshold(threshold);
  factors.compute(matrix);
  return factors.solve(wanted);
}

PivotedColumns pivoted_columns(const MatrixXd& matrix, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixXd> factors;
  factors.setThreshold(threshold);
  factors.compute(matrix);
  const auto& order = factors.colsPermutation().indices();
  return {{order.begin(), order.end()}, factors.matrixQR().diagonal(), factors.rank()};
}

MatrixXd complement(const MatrixXd& rows) {
  const Eigen::HouseholderQR<MatrixXd> range(rows.transpose());
  return (range.householderQ() * MatrixXd::Identity(rows.cols(), rows.cols()))
      .rightCols(rows.cols() - rows.rows());
}

Eigenvectors eigenvectors(const MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

ComplexEigenvectors complex_eigenvectors(const MatrixXd& matrix) {
  const Eigen::EigenSolver<MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

ModalVectors modal_vectors(const MatrixXd& matrix) {
  const VectorXd scale = balancing(matrix);
  const VectorXd inverse = scale.cwiseInverse();
  const MatrixXd even = inverse.asDiagonal() * matrix * scale.asDiagonal();
  const Eigen::EigenSolver<MatrixXd> solver(even);
  // Beside the eigenvalue, where factors have no pivots that are 0.
  const std::complex<double> nudge =
      std::numeric_limits<double>::epsilon() * even.norm() * std::complex<double>(8.0, 3.0);
  ModalVectors found{solver.eigenvalues(), solver.eigenvectors(),
                     Eigen::MatrixXcd::Ones(matrix.rows(), matrix.cols()),
                     VectorXd::Zero(matrix.rows())};
  const VectorXd row_sizes = even.cwiseAbs().rowwise().maxCoeff();
  const Eigen::MatrixXcd complex = even.cast<std::complex<double>>();
  for (Index k = 0; k < found.values.size(); ++k) {
    std::complex<double>& value = found.values(k);
    if (value.imag() < 0.0) {  // of a pair, behind the other one
      value = std::conj(found.values(k - 1));
      found.right.col(k) = found.right.col(k - 1).conjugate();
      found.left.col(k) = found.left.col(k - 1).conjugate();
      found.rounding(k) = found.rounding(k - 1);
      continue;
    }
    Eigen::MatrixXcd shifted = complex;
    shifted.diagonal().array() -= value + nudge;
    const Eigen::PartialPivLU<Eigen::MatrixXcd> factors(shifted);
    const Eigen::VectorXcd right =
        improved(found.right.col(k),
                 [&](const Eigen::VectorXcd& v) -> Eigen::VectorXcd { return factors.solve(v); });
    const Eigen::VectorXcd left =
        improved(found.left.col(k), [&](const Eigen::VectorXcd& v) -> Eigen::VectorXcd {
          return factors.transpose().solve(v);
        });
    const std::complex<double> product = left.conjugate().dot(right);
    // The quotient of both vectors has the error of both multiplied, unless they are nearly
    // orthogonal, as where eigenvalues coincide.
    if (std::abs(product) > kOrthogonal) {
      const std::complex<double> quotient = left.conjugate().dot(complex * right) / product;
      value = value.imag() == 0.0 ? quotient.real() : quotient;
    }
    found.rounding(k) = kEntryRoundOff * left.normalized().cwiseAbs().dot(row_sizes) /
                        (std::abs(product) / (left.norm() * right.norm()));
    found.right.col(k) = (scale.asDiagonal() * right).normalized();
    found.left.col(k) = (inverse.asDiagonal() * left).normalized();
  }
  return found;
}

MatrixXd solution(const MatrixXd& matrix, const MatrixXd& right) {
  return Eigen::FullPivLU<MatrixXd>(matrix).solve(right);
}

}  // namespace gradus
