// Eigen's decompositions.
#include "src/motion/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace gradus {

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

MatrixXd solution(const MatrixXd& matrix, const MatrixXd& right) {
  return Eigen::FullPivLU<MatrixXd>(matrix).solve(right);
}

}  // namespace gradus
