// Values and derivatives of expressions.
#include "src/model/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <ostream>

#include "kernels/math/dual.hpp"
#include "tests/unit/model/expression_helpers.hpp"

namespace gradus::expression {
namespace {

using Vector = std::vector<double>;

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Value of an expression of the scalars x, y and the vectors u, v.
Vector value(const std::string& text, const Vector& inputs) {
  Graph graph;
  const TestScope scope(graph, {"x", "y"}, {"u", "v"});
  return run(compile(graph, parse(graph, text, scope, "test").components), inputs);
}

double constant(const std::string& text) {
  Graph graph;
  const Node node = parse_scalar(graph, text, EmptyScope(), "test");
  EXPECT_TRUE(graph.is_constant(node)) << text;
  return graph.constant_value(node);
}

TEST(Expression, NumbersAndPrecedence) {
  EXPECT_EQ(constant("1e-3"), 1e-3);
  EXPECT_EQ(constant(".5"), 0.5);
  EXPECT_EQ(constant("2."), 2.0);
  EXPECT_EQ(constant(" 1 + 2*3 "), 7.0);
  EXPECT_EQ(constant("(1 + 2)*3"), 9.0);
  EXPECT_EQ(constant("8/4/2"), 1.0);
  EXPECT_EQ(constant("10 - 3 - 2"), 5.0);
  EXPECT_EQ(constant("-3^2"), -9.0);
  EXPECT_EQ(constant("(-3)^2"), 9.0);
  EXPECT_EQ(constant("2^-1"), 0.5);
  EXPECT_EQ(constant("2^3^2"), 512.0);
  EXPECT_EQ(constant("2*-3"), -6.0);
  EXPECT_EQ(constant("--3"), 3.0);
  EXPECT_EQ(constant("+3"), 3.0);
  EXPECT_EQ(constant("2*pi"), 2 * pi);
  EXPECT_EQ(constant("-3*pi/4"), -3 * pi / 4);
  EXPECT_EQ(constant("min(3, 1, 2)"), 1.0);
  EXPECT_EQ(constant("max(3, 1, 5, 2)"), 5.0);
  EXPECT_EQ(constant("[1, 2, 3].y"), 2.0);
  EXPECT_EQ(constant("dot([1,2,3], [4,5,6])"), 32.0);
  EXPECT_EQ(constant("norm([2,3,6])"), 7.0);
  EXPECT_EQ(constant("cross([1,0,0], [0,1,0]).z"), 1.0);
  EXPECT_EQ(constant("sqrt(17)/2"), std::sqrt(17.0) / 2);
  EXPECT_EQ(constant("pi/4 + atan(1.5)"), pi / 4 + std::atan(1.5));
}

TEST(Expression, VectorArithmetic) {
  const Vector inputs{2, 3, 1, -2, 4, 5, 7, -11};
  EXPECT_EQ(value("u + v", inputs), (Vector{6, 5, -7}));
  EXPECT_EQ(value("u - v", inputs), (Vector{-4, -9, 15}));
  EXPECT_EQ(value("-u", inputs), (Vector{-1, 2, -4}));
  EXPECT_EQ(value("x*u", inputs), (Vector{2, -4, 8}));
  EXPECT_EQ(value("u*x", inputs), (Vector{2, -4, 8}));
  EXPECT_EQ(value("u/x", inputs), (Vector{0.5, -1, 2}));
  EXPECT_EQ(value("[x, y, x*y]", inputs), (Vector{2, 3, 6}));
  EXPECT_EQ(value("(u + v).z", inputs), (Vector{-7}));
  EXPECT_EQ(value("dot(u, v)", inputs), (Vector{5 - 14 - 44}));
  EXPECT_EQ(value("cross(u, v)", inputs), (Vector{22 - 28, 20 + 11, 7 + 10}));
  EXPECT_EQ(value("norm(u)^2 - dot(u, u)", inputs)[0], std::sqrt(21.0) * std::sqrt(21.0) - 21);
}

// An expression of x and y, the same in C++, and a point at which both are defined.
struct Case {
  const char* text;
  double (*expected)(double x, double y);
  double x, y;
  friend void PrintTo(const Case& c, std::ostream* stream) { *stream << c.text; }
};

const Case cases[] = {
    {"x + y", [](double x, double y) { return x + y; }, 0.7, -0.3},
    {"x - y", [](double x, double y) { return x - y; }, 0.7, -0.3},
    {"x * y", [](double x, double y) { return x * y; }, 0.7, -0.3},
    {"x / y", [](double x, double y) { return x / y; }, 0.7, -0.3},
    {"-x", [](double x, double) { return -x; }, 0.7, 0},
    {"x ^ y", [](double x, double y) { return std::pow(x, y); }, 0.7, -1.3},
    {"x ^ 4", [](double x, double) { return std::pow(x, 4); }, -0.7, 0},
    {"x ^ -2", [](double x, double) { return std::pow(x, -2); }, -0.7, 0},
    {"x ^ 2", [](double x, double) { return x * x; }, -0.7, 0},
    {"x ^ 3", [](double x, double) { return x * x * x; }, -0.7, 0},
    {"3 ^ x", [](double x, double) { return std::pow(3.0, x); }, 1.7, 0},
    {"sqrt(x)", [](double x, double) { return std::sqrt(x); }, 0.7, 0},
    {"sin(x)", [](double x, double) { return std::sin(x); }, 0.7, 0},
    {"cos(x)", [](double x, double) { return std::cos(x); }, 0.7, 0},
    {"tan(x)", [](double x, double) { return std::tan(x); }, 0.7, 0},
    {"asin(x)", [](double x, double) { return std::asin(x); }, 0.7, 0},
    {"acos(x)", [](double x, double) { return std::acos(x); }, 0.7, 0},
    {"atan(x)", [](double x, double) { return std::atan(x); }, 0.7, 0},
    {"atan2(x, y)", [](double x, double y) { return std::atan2(x, y); }, 0.7, -0.4},
    {"sinh(x)", [](double x, double) { return std::sinh(x); }, 0.7, 0},
    {"cosh(x)", [](double x, double) { return std::cosh(x); }, 0.7, 0},
    {"tanh(x)", [](double x, double) { return std::tanh(x); }, 0.7, 0},
    {"exp(x)", [](double x, double) { return std::exp(x); }, 0.7, 0},
    {"log(x)", [](double x, double) { return std::log(x); }, 0.7, 0},
    {"abs(x)", [](double x, double) { return std::fabs(x); }, -0.7, 0},
    {"abs(y)", [](double, double y) { return std::fabs(y); }, 0, 0.7},
    {"min(x, y)", [](double x, double y) { return std::fmin(x, y); }, 0.7, -0.3},
    {"min(y, x)", [](double x, double y) { return std::fmin(x, y); }, 0.7, -0.3},
    {"max(x, y)", [](double x, double y) { return std::fmax(x, y); }, 0.7, -0.3},
    {"max(y, x)", [](double x, double y) { return std::fmax(x, y); }, 0.7, -0.3},
    {"sin(x*y)/(1 + exp(-x)^2) + x*log(y)^3",
     [](double x, double y) {
       return std::sin(x * y) / (1 + std::pow(std::exp(-x), 2)) + x * std::pow(std::log(y), 3);
     },
     0.7, 1.9},
    {"norm([x, y, 2*x]) * dot([x, 1, y], cross([1, x, 0], [0, y, 1]))",
     [](double x, double y) { return std::sqrt(5 * x * x + y * y) * (x * x - 1 + y * y); }, 0.7,
     1.9},
};

class ExpressionCase : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, ExpressionCase, testing::ValuesIn(cases));

TEST_P(ExpressionCase, ValueAsInTheStandardLibrary) {
  const Case& c = GetParam();
  const double expected = c.expected(c.x, c.y);
  EXPECT_NEAR(value(c.text, {c.x, c.y, 0, 0, 0, 0, 0, 0})[0], expected,
              4e-16 * (1 + std::fabs(expected)))
      << c.text;
}

TEST_P(ExpressionCase, ReverseSweepAgreesWithDualNumbersAndDifferences) {
  const Case& c = GetParam();
  Graph graph;
  const TestScope scope(graph, {"x", "y"});
  const Program program = compile(graph, {parse_scalar(graph, c.text, scope, "test")});

  const Vector point{c.x, c.y};
  Vector values(program.instructions.size()), adjoints(values.size(), -1e9), gradient(2, 0.0);
  kernels::evaluate(program.view(), point, values);
  kernels::reverse(
      program.view(), program.outputs[0], values, adjoints,
      [&](int input, double adjoint) { gradient[static_cast<std::size_t>(input)] += adjoint; });

  using Dual = kernels::Dual<double, 2>;
  std::vector<Dual> dual_point{c.x, c.y};
  dual_point[0].derivative[0] = dual_point[1].derivative[1] = 1.0;
  const Dual dual = run(program, dual_point)[0];

  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(gradient[i], dual.derivative[i], 1e-14 * (1 + std::fabs(gradient[i]))) << c.text;
    const double h = 1e-5;
    Vector ahead = point, behind = point;
    ahead[i] += h;
    behind[i] -= h;
    const double difference =
        (c.expected(ahead[0], ahead[1]) - c.expected(behind[0], behind[1])) / (2 * h);
    EXPECT_NEAR(gradient[i], difference, 1e-8 * (1 + std::fabs(difference))) << c.text;
  }
  EXPECT_GT(std::fabs(gradient[0]) + std::fabs(gradient[1]), 0.1) << c.text << " is vacuous";
}

// Adjoints of a program's only output.
Vector gradient_of(const std::string& text, const Vector& point) {
  Graph graph;
  const TestScope scope(graph, {"x", "y"});
  const Program program = compile(graph, {parse_scalar(graph, text, scope, "test")});
  Vector values(program.instructions.size()), adjoints(values.size()), gradient(2, 0.0);
  kernels::evaluate(program.view(), point, values);
  kernels::reverse(
      program.view(), program.outputs[0], values, adjoints,
      [&](int input, double adjoint) { gradient[static_cast<std::size_t>(input)] += adjoint; });
  return gradient;
}

TEST(Expression, DerivativesAtKinksAreOneSided) {
  EXPECT_EQ(gradient_of("abs(x)", {0, 0})[0], 1.0);
  EXPECT_EQ(gradient_of("min(x, y)", {2, 2}), (Vector{1, 0}));
  EXPECT_EQ(gradient_of("max(x, y)", {2, 2}), (Vector{1, 0}));
  EXPECT_EQ(gradient_of("sqrt(x)", {0, 0})[0], infinity);
  EXPECT_EQ(gradient_of("x^y", {0, 2}), (Vector{0, 0}));
  EXPECT_EQ(gradient_of("x^y", {-2, 4}), (Vector{-32, 0}));
}

TEST(Expression, NotANumberPassesThroughMinimumAndMaximum) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* text : {"min(x, y)", "max(x, y)"}) {
    EXPECT_TRUE(std::isnan(value(text, {nan, 1, 0, 0, 0, 0, 0, 0})[0])) << text;
    EXPECT_TRUE(std::isnan(value(text, {1, nan, 0, 0, 0, 0, 0, 0})[0])) << text;
  }
}

// The slope of sqrt(x) at 0 is infinite, but y^2 does not depend on it.
TEST(Expression, OtherOutputsDoNotDisturbAReverseSweep) {
  Graph graph;
  const TestScope scope(graph, {"x", "y"});
  const Node root = parse_scalar(graph, "sqrt(x)", scope, "test");
  const Node other = parse_scalar(graph, "x + y^2", scope, "test");
  const Program program = compile(graph, {root, other});
  const Vector point{0, 3};
  Vector values(program.instructions.size()), adjoints(values.size()), gradient(2, 0.0);
  kernels::evaluate(program.view(), point, values);
  kernels::reverse(
      program.view(), program.outputs[1], values, adjoints,
      [&](int input, double adjoint) { gradient[static_cast<std::size_t>(input)] += adjoint; });
  EXPECT_EQ(gradient, (Vector{1, 6}));
}

}  // namespace
}  // namespace gradus::expression
