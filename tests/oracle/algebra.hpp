// Types and products for scalars that may be complex. Derivatives are taken by complex step, so
// every operation has to be analytic: Eigen's dot, cross, norm and adjoint conjugate their
// arguments and must not be used on differentiated paths.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <complex>

namespace oracle {

using Complex = std::complex<double>;

template <typename S>
using Vector3 = Eigen::Matrix<S, 3, 1>;
template <typename S>
using Vector4 = Eigen::Matrix<S, 4, 1>;
template <typename S>
using Matrix3 = Eigen::Matrix<S, 3, 3>;
template <typename S>
using VectorX = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <typename S>
using MatrixX = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <typename S>
using RowX = Eigen::Matrix<S, 1, Eigen::Dynamic>;

inline double real_part(double x) {
  return x;
}
inline double real_part(const Complex& x) {
  return x.real();
}

// Largest magnitude of the real parts: for decisions such as "has Newton converged", never for
// values.
template <typename Derived>
double largest_real(const Eigen::MatrixBase<Derived>& values) {
  double largest = 0.0;
  for (Eigen::Index row = 0; row < values.rows(); ++row) {
    for (Eigen::Index column = 0; column < values.cols(); ++column) {
      const double magnitude = std::abs(real_part(values(row, column)));
      // Written so that a NaN is returned, not skipped.
      if (!(magnitude <= largest)) largest = magnitude;
    }
  }
  return largest;
}

// The scalar product without conjugation.
template <typename A, typename B>
typename A::Scalar inner(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  return a.cwiseProduct(b).sum();
}

template <typename S>
Vector3<S> cross(const Vector3<S>& a, const Vector3<S>& b) {
  return Vector3<S>(a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2),
                    a(0) * b(1) - a(1) * b(0));
}

template <typename S>
S length(const Vector3<S>& a) {
  using std::sqrt;
  return sqrt(inner(a, a));
}

template <typename S>
Vector3<S> unit(const Vector3<S>& a) {
  return a / length(a);
}

// The matrix of a x (.).
template <typename S>
Matrix3<S> skew(const Vector3<S>& a) {
  Matrix3<S> matrix;
  matrix << S(0), -a(2), a(1), a(2), S(0), -a(0), -a(1), a(0), S(0);
  return matrix;
}

}  // namespace oracle
