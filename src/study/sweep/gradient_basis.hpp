// First-order effects from gradients.
//
// E[f | x] is expanded in orthonormal polynomials of the standardised variable s of x, and
// integration by parts turns each coefficient into a mean of derivatives:
//   s uniform in 0 to 1, Legendre:  c_k = E[f P_k] sqrt(2k + 1) = -E[df/ds Q_k] sqrt(2k + 1), where
//     Q_k = (P_k+1 - P_k-1) / (2 (2k + 1)) has the derivative P_k and vanishes at both ends;
//   s standard normal, Hermite:     c_k = E[f He_k] / sqrt(k!) = E[df/ds He_k-1] / sqrt(k!).
// The sum of c_k^2, k > 0, is Var(E[f | x]).
#pragma once

#include <array>
#include <cstddef>

#include "src/study/sampling/distribution.hpp"

namespace gradus {

// Polynomials up to this degree: two whole waves over a range lose at most 0.3 % of their
// variance, and higher degrees add more noise than they explain.
inline constexpr std::size_t basis_degree = 8;
using BasisWeights = std::array<double, basis_degree>;

// c_k = E[df/dx weight k - 1], by the distribution and a value of x.
BasisWeights basis_weights(Distribution::Kind kind, const StandardValue& value);

// The constant of Poincare's inequality Var f <= C E[(df/ds)^2].
double poincare_constant(Distribution::Kind kind);

}  // namespace gradus
