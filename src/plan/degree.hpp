// Expressions as polynomials of time.
#pragma once

#include <algorithm>
#include <cmath>

#include "src/model/graph.hpp"

namespace gradus {

constexpr int kNoPolynomial = 100;

// The degree of what an operation makes of operands of degrees a and b, kNoPolynomial if that is no
// polynomial, or one of a higher degree.
inline int polynomial_degree(const expression::Graph& graph, const kernels::Instruction& i, int a,
                             int b) {
  using kernels::Operation;
  if (a == 0 && b == 0) return 0;
  switch (i.operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::negate:
      return std::max(a, b);
    case Operation::multiply:
      return std::min(a + b, kNoPolynomial);
    case Operation::divide:
      return b == 0 ? a : kNoPolynomial;
    case Operation::power: {
      const double exponent = graph.is_constant(i.b) ? graph.constant_value(i.b) : -1.0;
      const bool is_whole = exponent >= 0.0 && exponent == std::floor(exponent);
      return is_whole && a * exponent < kNoPolynomial ? static_cast<int>(a * exponent)
                                                      : kNoPolynomial;
    }
    default:
      return kNoPolynomial;
  }
}

}  // namespace gradus
