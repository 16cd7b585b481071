// Linear systems with redundant equations, solved so that the result is analytic in the data: which
// equations are independent is decided once from the real parts, and the rest is plain elimination.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/oracle/algebra.hpp"

namespace oracle {

// Relative size below which a pivot counts as zero. Redundant rows are dependent only up to the
// error of the positions (1e-12 or so), well-posed mechanisms are far above.
constexpr double kRankThreshold = 1e-8;

// Indices of a largest set of independent rows, ascending.
template <typename S>
std::vector<int> independent_rows(const MatrixX<S>& matrix) {
  if (matrix.rows() == 0 || matrix.cols() == 0) return {};
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors;
  factors.setThreshold(kRankThreshold);
  factors.compute(Eigen::MatrixXd(matrix.real().transpose()));
  std::vector<int> rows;
  for (Eigen::Index i = 0; i < factors.rank(); ++i) {
    rows.push_back(static_cast<int>(factors.colsPermutation().indices()(i)));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

template <typename S>
MatrixX<S> selected_rows(const MatrixX<S>& matrix, const std::vector<int>& rows) {
  return matrix(rows, Eigen::all);
}

// The shortest x with A x = b on the given independent rows.
template <typename S>
VectorX<S> minimum_norm(const MatrixX<S>& a, const VectorX<S>& b, const std::vector<int>& rows) {
  if (rows.empty()) return VectorX<S>::Zero(a.cols());
  const MatrixX<S> independent = selected_rows<S>(a, rows);
  const MatrixX<S> gram = independent * independent.transpose();
  return independent.transpose() * gram.partialPivLu().solve(selected_rows<S>(b, rows));
}

// Least squares if the unknowns are determined, otherwise the shortest solution. For consistent
// equations.
template <typename S>
VectorX<S> consistent_solution(const MatrixX<S>& a, const VectorX<S>& b) {
  const std::vector<int> rows = independent_rows<S>(a);
  if (static_cast<Eigen::Index>(rows.size()) < a.cols()) return minimum_norm<S>(a, b, rows);
  const MatrixX<S> gram = a.transpose() * a;
  return gram.partialPivLu().solve(VectorX<S>(a.transpose() * b));
}

}  // namespace oracle
