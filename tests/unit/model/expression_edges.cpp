// Derivatives of expressions at the edges of powers, roots and angles: what mathematics says, by
// dual numbers forwards, by the reverse sweep, and by the reverse sweep of dual numbers.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/math/dual.hpp"
#include "tests/unit/model/expression_helpers.hpp"

namespace gradus::expression {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
using Number = kernels::Dual<double, 2>;

struct Edge {
  const char* text;
  double x, y;
  double value, by_x, by_y;
};

constexpr Edge kEdges[] = {
    // Bump stops, open and just touching.
    {"max(0, x)^1.5", -1, 0, 0, 0, 0},
    {"max(0, x)^1.5", 0, 0, 0, 0, 0},
    {"x^1.5", 0, 0, 0, 0, 0},
    {"abs(x)^1.5", 0, 0, 0, 0, 0},
    {"max(0, x)^y", -1, 1.5, 0, 0, 0},
    // Slopes that are infinite at the edge, for what changes there.
    {"x^0.5", 0, 0, 0, kInfinity, 0},
    {"sqrt(x)", 0, 0, 0, kInfinity, 0},
    {"x^y", 0, 0.5, 0, kInfinity, 0},
    {"max(0, x)^0.5", -1, 0, 0, 0, 0},
    {"sqrt(max(0, x))", -1, 0, 0, 0, 0},
    {"y*sqrt(max(0, x))", -1, 3, 0, 0, 0},
    {"asin(min(1, x))", 2, 0, std::numbers::pi / 2, 0, 0},
    {"acos(max(-1, x))", -2, 0, std::numbers::pi, 0, 0},
    // And that a factor makes up for: drag.
    {"x*abs(x)^0.5", 0, 0, 0, 0, 0},
    {"x*sqrt(abs(x))", 0, 0, 0, 0, 0},
    // Exponents.
    {"x^y", 0, 1.5, 0, 0, 0},
    {"x^y", 0, 1, 0, 1, 0},
    {"x^y", 2, 0, 1, 0, std::numbers::ln2},
    // No derivative.
    {"norm([x, y, 0])", 0, 0, 0, nan, nan},
    {"atan2(x, y)", 0, 0, 0, nan, nan},
    {"atan2(max(0, x), max(0, y))", -1, -1, 0, 0, 0},
};

void expect_same(double expected, double found, const Edge& e) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(found)) << e.text << " gives " << found;
  else
    EXPECT_EQ(expected, found) << e.text << " at " << e.x << ", " << e.y;
}

Program compiled(const Edge& e) {
  Graph graph;
  const TestScope scope(graph, {"x", "y"});
  return compile(graph, {parse_scalar(graph, e.text, scope, "test")});
}

template <class Real>
std::array<Real, 2> gradient_of(const Program& program, const std::array<Real, 2>& point) {
  std::vector<Real> values(program.instructions.size()), adjoints(values.size());
  std::array<Real, 2> gradient{Real(0), Real(0)};
  kernels::evaluate(program.view(), point, values);
  kernels::reverse(
      program.view(), program.outputs[0], values, adjoints,
      [&](int i, const Real& adjoint) { gradient[static_cast<std::size_t>(i)] += adjoint; });
  return gradient;
}

std::array<Number, 2> seeded(double x, double y) {
  std::array<Number, 2> point{Number(x), Number(y)};
  point[0].derivative[0] = point[1].derivative[1] = 1.0;
  return point;
}

TEST(ExpressionEdges, DualNumbers) {
  for (const Edge& e : kEdges) {
    const Program program = compiled(e);
    std::vector<Number> values(program.instructions.size());
    kernels::evaluate(program.view(), seeded(e.x, e.y), values);
    const Number result = values[static_cast<std::size_t>(program.outputs[0])];
    expect_same(e.value, result.value, e);
    expect_same(e.by_x, result.derivative[0], e);
    expect_same(e.by_y, result.derivative[1], e);
  }
}

TEST(ExpressionEdges, ReverseSweep) {
  for (const Edge& e : kEdges) {
    const auto gradient = gradient_of<double>(compiled(e), {e.x, e.y});
    expect_same(e.by_x, gradient[0], e);
    expect_same(e.by_y, gradient[1], e);
  }
}

// What laws do: the slopes and how they change.
TEST(ExpressionEdges, ReverseSweepOfDualNumbers) {
  const struct {
    Edge edge;
    double by_xx, by_xy, by_yy;
  } edges[] = {
      {{"max(0, x)^1.5", -1, 0, 0, 0, 0}, 0, 0, 0},
      {{"max(0, x)^1.5", 0, 0, 0, 0, 0}, 0, 0, 0},
      {{"max(0, x)^y", -1, 1.5, 0, 0, 0}, 0, 0, 0},
      {{"sqrt(max(0, x))", -1, 0, 0, 0, 0}, 0, 0, 0},
      {{"y*sqrt(max(0, x))", -1, 3, 0, 0, 0}, 0, 0, 0},
      {{"x^2.5", 0, 0, 0, 0, 0}, 0, 0, 0},
      {{"x^1.5", 0, 0, 0, 0, 0}, kInfinity, 0, 0},
      {{"x^y", 2, 0, 1, 0, std::numbers::ln2}, 0, 0.5, std::numbers::ln2 * std::numbers::ln2},
  };
  for (const auto& c : edges) {
    const auto gradient = gradient_of<Number>(compiled(c.edge), seeded(c.edge.x, c.edge.y));
    expect_same(c.edge.by_x, gradient[0].value, c.edge);
    expect_same(c.edge.by_y, gradient[1].value, c.edge);
    expect_same(c.by_xx, gradient[0].derivative[0], c.edge);
    expect_same(c.by_xy, gradient[0].derivative[1], c.edge);
    expect_same(c.by_xy, gradient[1].derivative[0], c.edge);
    expect_same(c.by_yy, gradient[1].derivative[1], c.edge);
  }
}

}  // namespace
}  // namespace gradus::expression
