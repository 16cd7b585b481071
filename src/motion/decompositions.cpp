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

// Columns and rows of like size, by powers of two (Parlett and Reinsch).
Eigen::VectorXd balancing(const Eigen::MatrixXd& matrix) {
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
      const int power = static_cast<int>(std::lround(0.5 * std::log2(row / column)));
      if (power == 0) continue;
      scale(i) = std::ldexp(scale(i), power);
      changed = true;
    }
  }
  return scale;
}

// One step of inverse iteration.
Eigen::VectorXcd improved(const Eigen::MatrixXcd& matrix, std::complex<double> value,
                          const Eigen::VectorXcd& vector) {
  Eigen::MatrixXcd shifted = matrix;
  shifted.diagonal().array() -= value;
  const Eigen::VectorXcd better = Eigen::PartialPivLU<Eigen::MatrixXcd>(shifted).solve(vector);
  return better.allFinite() && better.stableNorm() > 0.0 ? better.stableNormalized() : vector;
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
  // What is round-off beside the largest entries would be made large by balancing.
  const double least = kEntryRoundOff * matrix.cwiseAbs().maxCoeff();
  const MatrixXd clean = (matrix.array().abs() > least).select(matrix, 0.0);
  const VectorXd scale = balancing(clean);
  const VectorXd inverse = scale.cwiseInverse();
  const MatrixXd even = inverse.asDiagonal() * clean * scale.asDiagonal();
  const Eigen::EigenSolver<MatrixXd> solver(even);
  // Beside the eigenvalue, where factors have no pivots that are 0.
  const std::complex<double> nudge =
      std::numeric_limits<double>::epsilon() * even.norm() * std::complex<double>(8.0, 3.0);
  ModalVectors found{solver.eigenvalues(), solver.eigenvectors(),
                     Eigen::MatrixXcd::Ones(matrix.rows(), matrix.cols()),
                     VectorXd::Zero(matrix.rows())};
  const VectorXd row_sizes = even.cwiseAbs().rowwise().maxCoeff();
  const Eigen::MatrixXcd complex = even.cast<std::complex<double>>();
  const Eigen::MatrixXcd transposed = complex.transpose();
  for (Index k = 0; k < found.values.size(); ++k) {
    std::complex<double>& value = found.values(k);
    Eigen::VectorXcd right = found.right.col(k), left = found.left.col(k);
    for (int round = 0; round < 2; ++round) {
      right = improved(complex, value + nudge, right);
      left = improved(transposed, value + nudge, left);
      left = improved(transposed, value + nudge, left);
      const std::complex<double> product = left.conjugate().dot(right);
      const std::complex<double> quotient = left.conjugate().dot(complex * right) / product;
      // The quotient of both vectors has the error of both multiplied, unless they are nearly
      // orthogonal, as where eigenvalues coincide.
      if (std::abs(product) > kOrthogonal) value = quotient;
    }
    if (solver.eigenvalues()(k).imag() == 0.0) value = value.real();
    const Eigen::VectorXcd unit_left = left.normalized();
    const double product = std::abs(unit_left.conjugate().dot(right.normalized()));
    found.rounding(k) = kEntryRoundOff * unit_left.cwiseAbs().dot(row_sizes) / product;
    found.right.col(k) = (scale.asDiagonal() * right).normalized();
    found.left.col(k) = (inverse.asDiagonal() * left).normalized();
  }
  return found;
}

MatrixXd solution(const MatrixXd& matrix, const MatrixXd& right) {
  return Eigen::FullPivLU<MatrixXd>(matrix).solve(right);
}

}  // namespace gradus
