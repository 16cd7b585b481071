// Integrals of what is a polynomial of time from knot to knot, whatever the parameters: they need
// no motion. docs/theory.md, section 12.
#pragma once

#include <optional>
#include <vector>

#include "src/model/graph.hpp"

namespace gradus {

// Gauss's rule on [-1, 1].
struct QuadraturePoint {
  double at, weight;
};
std::vector<QuadraturePoint> gauss_rule(int points);

// How an integrand is integrated exactly: so many points on each piece, between ascending times, s.
struct PieceRule {
  int points = 1;
  std::vector<double> breaks;
};

struct ExactIntegral {
  expression::Node value;  // of parameters alone
  PieceRule rule;
};

// The integral of a node over [0, duration], s; none if the node asks for more than parameters and
// `time`, the input behind these, or is no such polynomial.
std::optional<ExactIntegral> exact_integral(expression::Graph& graph, expression::Node integrand,
                                            int time, double duration);

// Objectives that are such integrals, or sums of them: values are outputs of a program of the
// parameters, integrands those of a program of parameters and time.
struct ExactIntegrals {
  expression::Program values, integrands;
  std::vector<PieceRule> rules;
  std::vector<int> objectives;  // rows of objectives that they are added to
};

}  // namespace gradus
