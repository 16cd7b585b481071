// Splines against an independent construction: second derivatives by dense elimination, values by
// the formula of each segment.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "kernels/math/dual.hpp"
#include "tests/unit/model/expression_helpers.hpp"

namespace gradus::expression {
namespace {

using Numbers = std::vector<double>;
using Dual = kernels::Dual<double, 1>;
using Dual2 = kernels::Dual<Dual, 1>;

const Numbers knots{-1.3, -0.4, 0.1, 0.9, 2.5, 2.9};
const Numbers nodes{0.7, -1.1, 2.3, 0.4, 1.9, -0.6};

std::string text_of(const Numbers& numbers) {
  std::ostringstream text;
  text.precision(17);
  for (std::size_t k = 0; k < numbers.size(); ++k) text << (k == 0 ? "[" : ", ") << numbers[k];
  return text.str() + "]";
}

Numbers second_derivatives(const Numbers& x, const Numbers& y) {
  const std::size_t n = x.size();
  std::vector<Numbers> a(n, Numbers(n + 1, 0.0));
  a[0][0] = a[n - 1][n - 1] = 1.0;
  for (std::size_t k = 1; k + 1 < n; ++k) {
    a[k][k - 1] = (x[k] - x[k - 1]) / 6;
    a[k][k] = (x[k + 1] - x[k - 1]) / 3;
    a[k][k + 1] = (x[k + 1] - x[k]) / 6;
    a[k][n] = (y[k + 1] - y[k]) / (x[k + 1] - x[k]) - (y[k] - y[k - 1]) / (x[k] - x[k - 1]);
  }
  for (std::size_t p = 0; p < n; ++p)  // Gauss and Jordan; diagonally dominant
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = r == p ? 0.0 : a[r][p] / a[p][p];
      for (std::size_t c = 0; c <= n; ++c) a[r][c] -= factor * a[p][c];
    }
  Numbers m(n);
  for (std::size_t k = 0; k < n; ++k) m[k] = a[k][n] / a[k][k];
  return m;
}

struct Expected {
  double value, slope, curvature;
};

Expected expected(const Numbers& x, const Numbers& y, double at) {
  const Numbers m = second_derivatives(x, y);
  std::size_t k = 0;
  while (k + 2 < x.size() && at >= x[k + 1]) ++k;
  const double h = x[k + 1] - x[k];
  const auto inside = [&](double p) -> Expected {
    const double a = (x[k + 1] - p) / h;
    const double b = (p - x[k]) / h;
    return {
        a * y[k] + b * y[k + 1] + ((a * a * a - a) * m[k] + (b * b * b - b) * m[k + 1]) * h * h / 6,
        (y[k + 1] - y[k]) / h - (3 * a * a - 1) / 6 * h * m[k] + (3 * b * b - 1) / 6 * h * m[k + 1],
        a * m[k] + b * m[k + 1]};
  };
  const double nearest = std::fmin(std::fmax(at, x.front()), x.back());
  Expected e = inside(nearest);
  e.value += e.slope * (at - nearest);
  if (at != nearest) e.curvature = 0.0;
  return e;
}

// Value, slope and second derivative by x of the expression of x and the nodes y.
Expected computed(const Numbers& x, const Numbers& y, double at) {
  Graph graph;
  const TestScope scope(graph, {"x"}, {}, {{"y", static_cast<int>(y.size())}});
  const Node node = parse_scalar(graph, "spline(x, " + text_of(x) + ", y)", scope, "test");
  std::vector<Dual2> inputs{Dual2(Dual(at))};
  inputs[0].value.derivative[0] = 1.0;
  inputs[0].derivative[0] = Dual(1.0);
  for (const double node_value : y) inputs.emplace_back(node_value);
  const Dual2 result = run(compile(graph, {node}), inputs)[0];
  return {result.value.value, result.value.derivative[0], result.derivative[0].derivative[0]};
}

void expect_equal(const Expected& a, const Expected& b, double tolerance) {
  EXPECT_NEAR(a.value, b.value, tolerance);
  EXPECT_NEAR(a.slope, b.slope, tolerance);
  EXPECT_NEAR(a.curvature, b.curvature, tolerance);
}

TEST(Spline, KnownValues) {
  // Through (0, 0), (1, 1), (2, 0): (3 x - x^3)/2 up to 1.
  expect_equal(computed({0, 1, 2}, {0, 1, 0}, 0.5), {0.6875, 1.125, -1.5}, 1e-15);
  expect_equal(computed({0, 1, 2}, {0, 1, 0}, 1.5), {0.6875, -1.125, -1.5}, 1e-15);
  expect_equal(computed({0, 1, 2}, {0, 1, 0}, -2.0), {-3.0, 1.5, 0.0}, 1e-15);
  expect_equal(computed({0, 1, 2}, {0, 1, 0}, 4.0), {-3.0, -1.5, 0.0}, 1e-15);
  expect_equal(computed({0, 2}, {1, 5}, 0.5), {2.0, 2.0, 0.0}, 1e-15);
  for (const double at : {-3.0, 0.3, 1.0, 2.2, 9.0})
    expect_equal(computed({-1, 0, 1, 3}, {-3, -1, 1, 5}, at), {2 * at - 1, 2.0, 0.0}, 1e-14);
}

TEST(Spline, ValuesAndDerivativesByX) {
  for (double at = -3.05; at < 5.0; at += 0.1)
    expect_equal(computed(knots, nodes, at), expected(knots, nodes, at), 1e-12);
}

// At knots and in the smallest neighbourhoods of them, where rounding must not lose or double the
// slope.
TEST(Spline, AtKnots) {
  for (std::size_t k = 0; k < knots.size(); ++k)
    for (const double at :
         {knots[k], std::nextafter(knots[k], -9.0), std::nextafter(knots[k], 9.0)})
      expect_equal(computed(knots, nodes, at), expected(knots, nodes, at), 1e-11);
  const Numbers far{-1000.0, 1e-20, 3.0};
  for (const double at : {0.0, 0.9e-20, 1e-20, 1.1e-20})
    expect_equal(computed(far, {1, 2, 0}, at), expected(far, {1, 2, 0}, at), 1e-12);
}

TEST(Spline, ManyKnots) {
  Numbers x, y;
  for (int k = 0; k < 60; ++k) {
    x.push_back(k + 0.3 * std::sin(7.0 * k));
    y.push_back(std::cos(5.0 * k) * k);
  }
  for (const double at : {-500.0, 0.4, 17.77, 31.9, 58.2, 700.0}) {
    const Expected e = expected(x, y, at);
    expect_equal(computed(x, y, at), e, 1e-13 * (1000.0 + std::abs(e.value)));
  }
}

// The spline is linear in its values: the derivative by one is the spline through 1 there and 0
// elsewhere.
TEST(Spline, DerivativesByValues) {
  Graph graph;
  const TestScope scope(graph, {"x"}, {}, {{"y", static_cast<int>(nodes.size())}});
  const Node node = parse_scalar(graph, "spline(x, " + text_of(knots) + ", y)", scope, "test");
  const Program program = compile(graph, {node});
  for (const double at : {-2.0, -1.3, -0.7, 0.0, 0.1, 1.7, 2.8, 4.0}) {
    Numbers inputs{at};
    inputs.insert(inputs.end(), nodes.begin(), nodes.end());
    Numbers values(program.instructions.size()), adjoints(values.size()), gradient(inputs.size());
    kernels::evaluate(program.view(), inputs, values);
    kernels::reverse(program.view(), program.outputs[0], values, adjoints,
                     [&](int i, double a) { gradient[static_cast<std::size_t>(i)] += a; });
    EXPECT_NEAR(gradient[0], expected(knots, nodes, at).slope, 1e-12);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      Numbers unit(nodes.size(), 0.0);
      unit[k] = 1.0;
      const double exact = expected(knots, unit, at).value;
      EXPECT_GT(std::abs(exact) + (at == 0.1 || at == -1.3 ? 1.0 : 0.0), 1e-4);
      EXPECT_NEAR(gradient[k + 1], exact, 1e-13);
    }
  }
}

TEST(Spline, OfConstantsIsAConstant) {
  Graph graph;
  const Node node = parse_scalar(graph, "spline(0.5, [0, 1, 2], [0, 1, 0])", EmptyScope(), "test");
  ASSERT_TRUE(graph.is_constant(node));
  EXPECT_EQ(graph.constant_value(node), 0.6875);
}

TEST(Spline, PassesNotANumberOn) {
  EXPECT_TRUE(std::isnan(computed(knots, nodes, std::nan("")).value));
}

}  // namespace
}  // namespace gradus::expression
