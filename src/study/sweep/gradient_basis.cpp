// Both families by their recurrences.
#include "src/study/sweep/gradient_basis.hpp"

#include <cmath>
#include <numbers>

namespace gradus {
namespace {

// (P_k-1 - P_k+1) / (2 sqrt(2k + 1)) at 2s - 1.
BasisWeights legendre_weights(double s) {
  const double t = 2.0 * s - 1.0;
  BasisWeights weights;
  double before = 1.0, current = t;
  for (std::size_t degree = 1; degree <= basis_degree; ++degree) {
    const auto k = static_cast<double>(degree);
    const double next = ((2.0 * k + 1.0) * t * current - k * before) / (k + 1.0);
    weights[degree - 1] = (before - next) / (2.0 * std::sqrt(2.0 * k + 1.0));
    before = current;
    current = next;
  }
  return weights;
}

// He_k-1 / sqrt(k!), from h_k = He_k / sqrt(k!).
BasisWeights hermite_weights(double z) {
  BasisWeights weights;
  double before = 0.0, current = 1.0;
  for (std::size_t degree = 1; degree <= basis_degree; ++degree) {
    const auto k = static_cast<double>(degree);
    weights[degree - 1] = current / std::sqrt(k);
    const double next = (z * current - std::sqrt(k - 1.0) * before) / std::sqrt(k);
    before = current;
    current = next;
  }
  return weights;
}

}  // namespace

BasisWeights basis_weights(Distribution::Kind kind, const StandardValue& value) {
  BasisWeights weights = kind == Distribution::Kind::uniform ? legendre_weights(value.value)
                                                             : hermite_weights(value.value);
  for (double& weight : weights) weight *= value.slope;
  return weights;
}

double poincare_constant(Distribution::Kind kind) {
  return kind == Distribution::Kind::uniform ? 1.0 / (std::numbers::pi * std::numbers::pi) : 1.0;
}

}  // namespace gradus
