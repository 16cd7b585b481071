// Integrals of what is a polynomial of time from knot to knot, whatever the parameters: they need
// no motion. docs/theory.md, section 12.
#pragma once

#include <optional>

#include "src/model/graph.hpp"

namespace gradus {

// The integral of a node over [0, duration], s, as a node of parameters alone; none if the node
// asks for more than parameters and `time`, the input behind these, or is no such polynomial.
std::optional<expression::Node> exact_integral(expression::Graph& graph, expression::Node integrand,
                                               int time, double duration);

}  // namespace gradus
