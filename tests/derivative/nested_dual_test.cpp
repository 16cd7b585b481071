// Programs run on dual numbers of dual numbers, as laws are: values, rates and second rates, and
// the adjoints of all three.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "kernels/laws/law.hpp"
#include "src/model/graph.hpp"
#include "tests/support/design_fixture.hpp"

namespace gradus::derivative {
namespace {

using kernels::acceleration_of;
using kernels::rate_of;
using Number = kernels::Hyper<double>;

// The adjoints of two inputs, of the only output.
std::array<Number, 2> adjoints(const expression::Program& program,
                               const std::array<Number, 2>& input, Number& value) {
  std::vector<Number> values(program.instructions.size());
  std::vector<Number> scratch(program.instructions.size());
  kernels::evaluate(program.view(), input, values);
  value = values[static_cast<std::size_t>(program.outputs[0])];
  std::array<Number, 2> sums{Number(0), Number(0)};
  kernels::reverse(program.view(), program.outputs[0], values, scratch,
                   [&](int i, const Number& a) { sums[static_cast<std::size_t>(i)] += a; });
  return sums;
}

// sin(x) t^2 at t = 0: what the sine passes back, t^2 cos(x), and its first rate are zero there,
// and its second rate is not.
TEST(NestedDual, SecondRatesSurviveWhereTheValueVanishes) {
  expression::Graph graph;
  const expression::Node x = graph.input(0);
  const expression::Node t = graph.input(1);
  const expression::Node node =
      graph.multiply(graph.apply(kernels::Operation::sine, x), graph.multiply(t, t));
  const expression::Program program = expression::compile(graph, {node});
  const double at = 0.7;
  Number value;
  const auto adjoint =
      adjoints(program, {kernels::hyper(at, 0.3, -0.2), kernels::hyper(0.0, 1.0, 0.0)}, value);
  EXPECT_NEAR(acceleration_of(value), 2.0 * std::sin(at), 1e-15);
  EXPECT_EQ(rate_of(adjoint[0]), 0.0);
  EXPECT_NEAR(acceleration_of(adjoint[0]), 2.0 * std::cos(at), 1e-15);
  EXPECT_NEAR(rate_of(adjoint[1]), 2.0 * std::sin(at), 1e-15);
  EXPECT_NEAR(acceleration_of(adjoint[1]), 4.0 * std::cos(at) * 0.3, 1e-15);
}

// x^2.5 with its derivatives written out.
TEST(NestedDual, Powers) {
  expression::Graph graph;
  const expression::Node x = graph.input(0);
  const expression::Node node = graph.apply(kernels::Operation::power, x, graph.constant(2.5));
  const expression::Program program = expression::compile(graph, {node});
  const double v = 0.4;
  const double r = 0.3;
  const double a = 1.0;
  Number value;
  const auto adjoint = adjoints(program, {kernels::hyper(v, r, a), Number(0)}, value);
  EXPECT_NEAR(rate_of(value), 2.5 * std::pow(v, 1.5) * r, 1e-14);
  EXPECT_NEAR(acceleration_of(value), 2.5 * (1.5 * std::pow(v, 0.5) * r * r + std::pow(v, 1.5) * a),
              1e-14);
  EXPECT_NEAR(rate_of(adjoint[0]), 2.5 * 1.5 * std::pow(v, 0.5) * r, 1e-14);
  EXPECT_NEAR(acceleration_of(adjoint[0]),
              2.5 * 1.5 * (0.5 * std::pow(v, -0.5) * r * r + std::pow(v, 0.5) * a), 1e-13);
}

// Laws of a chunk of many designs run on numbers of several reals, interleaved real by real.
TEST(NestedDual, NumbersOfInterleavedDesigns) {
  std::vector<double> memory(std::size_t{10} * kernels::kTile, 0.0);
  kernels::Chunk chunk{};
  chunk.layout.size = 10;
  chunk.memory = chunk.columns = memory.data();
  chunk.design_count = 3;
  chunk.slice_count = 1;
  chunk.column_stride = 3;
  std::vector<kernels::Status> status(3, kernels::Status::ok);
  std::vector<double> times(3, 0.0);
  chunk.status = status.data();
  chunk.failure_time = times.data();
  using InterleavedNumbers = kernels::NumberArray<Number, kernels::View<double, true>>;
  for (int i = 0; i < 3; ++i) {
    const kernels::Design<double, true> d(chunk, i);
    d.at(0)[0] = 100.0;  // what lies before
    d.at(9)[0] = 200.0;  // and behind
    const InterleavedNumbers numbers{d.at(1)};
    for (int k = 0; k < 2; ++k) numbers.set(k, kernels::hyper(10.0 * i + k, 0.5, 0.25));
  }
  for (int i = 0; i < 3; ++i) {
    const kernels::Design<double, true> d(chunk, i);
    EXPECT_EQ(d.at(0)[0], 100.0);
    EXPECT_EQ(d.at(9)[0], 200.0);
    for (int k = 0; k < 2; ++k) {
      const Number x = InterleavedNumbers{d.at(1)}.from(k)[0];
      EXPECT_EQ(x.value.value, 10.0 * i + k);
      EXPECT_EQ(rate_of(x), 0.5);
      EXPECT_EQ(acceleration_of(x), 0.25);
      EXPECT_EQ(d.at(1 + 4 * k)[0], 10.0 * i + k) << "its value comes first";
    }
  }
}

}  // namespace
}  // namespace gradus::derivative
