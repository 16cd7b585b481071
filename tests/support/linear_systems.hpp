// Linear systems of the kinds that solvers are judged by, and the judgement: backward errors, which
// do not depend on how hard a system is.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace gradus::test {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

enum class SystemKind { random, badly_scaled, nearly_singular, kkt, definite };

inline std::string name_of(SystemKind kind) {
  switch (kind) {
    case SystemKind::random:
      return "random";
    case SystemKind::badly_scaled:
      return "badly scaled";
    case SystemKind::nearly_singular:
      return "nearly singular";
    case SystemKind::kkt:
      return "KKT";
    case SystemKind::definite:
      return "definite";
  }
  return "";
}

inline Matrix random_matrix(int rows, int columns, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Matrix matrix(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) matrix(i, j) = uniform(generator);
  return matrix;
}

inline Matrix definite_matrix(int n, std::mt19937_64& generator) {
  const Matrix root = random_matrix(n, n, generator);
  return root * root.transpose() + 0.1 * Matrix::Identity(n, n);
}

// Rows and columns differ by up to eight orders of magnitude; powers of two, so that no digit is
// lost.
inline Matrix badly_scaled_matrix(int n, std::mt19937_64& generator) {
  std::uniform_int_distribution<int> power(-7, 6);
  Matrix matrix = random_matrix(n, n, generator);
  for (int i = 0; i < n; ++i) matrix.row(i) *= std::ldexp(1.0, power(generator));
  for (int j = 0; j < n; ++j) matrix.col(j) *= std::ldexp(1.0, power(generator));
  return matrix;
}

// The last row differs from a sum of others by 1e-9.
inline Matrix nearly_singular_matrix(int n, std::mt19937_64& generator) {
  Matrix matrix = random_matrix(n, n, generator);
  if (n < 2) return matrix;
  const Matrix last = matrix.row(n - 1);
  matrix.row(n - 1) = matrix.topRows(n - 1).colwise().sum() / n + 1e-9 * last;
  return matrix;
}

// [M J^T; J 0]: masses and constraints. Symmetric, indefinite, zeros on the diagonal.
inline Matrix kkt_matrix(int n, std::mt19937_64& generator) {
  const int m = n / 3;
  Matrix matrix = Matrix::Zero(n, n);
  matrix.topLeftCorner(n - m, n - m) = definite_matrix(n - m, generator);
  const Matrix jacobian = random_matrix(m, n - m, generator);
  matrix.bottomLeftCorner(m, n - m) = jacobian;
  matrix.topRightCorner(n - m, m) = jacobian.transpose();
  return matrix;
}

inline Matrix system_matrix(SystemKind kind, int n, std::mt19937_64& generator) {
  switch (kind) {
    case SystemKind::random:
      return random_matrix(n, n, generator);
    case SystemKind::badly_scaled:
      return badly_scaled_matrix(n, generator);
    case SystemKind::nearly_singular:
      return nearly_singular_matrix(n, generator);
    case SystemKind::kkt:
      return kkt_matrix(n, generator);
    case SystemKind::definite:
      return definite_matrix(n, generator);
  }
  return {};
}

// The smallest change of matrix and right-hand side, relative to their norms, after which x solves
// the system exactly: the largest |A x - b| / (|A| |x| + |b|) over the columns (Rigal and Gaches).
// The residual is summed in long double, which here has eleven bits more.
inline double backward_error(const Matrix& a, const Matrix& x, const Matrix& b) {
  const double norm = a.cwiseAbs().rowwise().sum().maxCoeff();
  double worst = 0.0;
  for (int c = 0; c < b.cols(); ++c) {
    long double residual = 0.0L;
    for (int i = 0; i < a.rows(); ++i) {
      long double sum = -static_cast<long double>(b(i, c));
      for (int k = 0; k < a.cols(); ++k)
        sum += static_cast<long double>(a(i, k)) * static_cast<long double>(x(k, c));
      residual = std::max(residual, std::abs(sum));
    }
    const double scale = norm * x.col(c).cwiseAbs().maxCoeff() + b.col(c).cwiseAbs().maxCoeff();
    const double error = static_cast<double>(residual) / scale;
    if (!(error <= worst)) worst = error;  // undefined numbers stay
  }
  return worst;
}

}  // namespace gradus::test
