// Splines of all kinds against SciPy (spline_reference.py): made of operations, as parameters and
// starts of a model have them, and looked up, as laws and objectives do.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "kernels/expressions/spline.hpp"
#include "kernels/expressions/spline_worth.hpp"
#include "tests/unit/model/expression_helpers.hpp"
#include "tests/unit/model/spline_reference.hpp"

namespace gradus::expression {
namespace {

using Values = std::vector<double>;
using Slope1 = kernels::Dual<double, 1>;
using Slope2 = kernels::Dual<Slope1, 1>;

struct Spline {
  Graph graph;
  Node node = -1;
  std::size_t count = 0;  // of free values

  Spline(const reference::Case& c, bool x_is_input = true) {
    count = static_cast<std::size_t>(c.knots) - (c.repeats ? 1 : 0);
    const TestScope scope(graph, {"x"}, {}, {{"y", static_cast<int>(count)}});
    std::ostringstream text;
    text.precision(17);
    text << "spline(" << (x_is_input ? "x" : "0.25") << ", ";
    for (int k = 0; k < c.knots; ++k)
      text << (k == 0 ? "[" : ", ") << reference::knots[static_cast<std::size_t>(k)];
    text << "], y, " << c.options << ")";
    // Lists of three are vectors, which are lists, too.
    node = parse_scalar(graph, text.str(), scope, "test");
  }
};

Values values_of(const reference::Case& c, std::size_t count) {
  Values values(reference::values.begin(),
                reference::values.begin() + static_cast<std::ptrdiff_t>(count));
  if (c.repeats) values.push_back(values.front());
  return values;
}

Slope2 moving(double x) {
  Slope2 moving{Slope1(x)};
  moving.value.derivative[0] = 1.0;
  moving.derivative[0] = Slope1(1.0);
  return moving;
}

void expect_row(const reference::Case& c, std::size_t place, const Slope2& y) {
  SCOPED_TRACE(std::string(c.options) + ", " + std::to_string(c.knots) + " knots at " +
               std::to_string(reference::places[place]));
  const double* row = c.rows.data() + 3 * place;
  const double size = 1.0 + std::abs(row[0]) + std::abs(row[1]) + std::abs(row[2]);
  EXPECT_NEAR(y.value.value, row[0], 3e-14 * size);
  EXPECT_NEAR(y.value.derivative[0], row[1], 3e-14 * size);
  EXPECT_NEAR(y.derivative[0].derivative[0], row[2], 1e-13 * size);
}

TEST(SplineKinds, OfOperations) {
  for (const reference::Case& c : reference::cases) {
    const Spline spline(c);
    const Program program = compile(spline.graph, {spline.node});
    for (std::size_t p = 0; p < reference::places.size(); ++p) {
      std::vector<Slope2> inputs{moving(reference::places[p])};
      for (std::size_t k = 0; k < spline.count; ++k) inputs.emplace_back(reference::values[k]);
      expect_row(c, p, run(program, inputs)[0]);
    }
  }
}

TEST(SplineKinds, LookedUp) {
  for (const reference::Case& c : reference::cases) {
    const Spline spline(c);
    const SplineCall* const call = spline.graph.spline_at(spline.node);
    ASSERT_NE(call, nullptr);
    const kernels::SplineView view = call->shape.view();
    Values values = values_of(c, spline.count);
    values.insert(values.end(), reference::slopes.begin(), reference::slopes.end());
    Values polynomials(4 * static_cast<std::size_t>(c.knots + 1));
    kernels::find_polynomials<double>(view, values, polynomials);
    for (std::size_t p = 0; p < reference::places.size(); ++p) {
      const auto place = kernels::spline_place(view, reference::places[p]);
      const int q = static_cast<int>(place.polynomial);
      kernels::SplinePiece<Slope2> piece{};
      piece.u = moving(reference::places[p]) - Slope2(place.shift) -
                Slope2(kernels::spline_base(view, q));
      for (int j = 0; j < (kernels::is_held(view, q) ? 1 : 4); ++j)
        piece.c[j] = Slope2(polynomials[static_cast<std::size_t>(4 * q + j)]);
      expect_row(c, p, piece.value());
      EXPECT_NEAR(piece.slope(Slope2(2.0)).value.value, 2.0 * c.rows[3 * p + 1],
                  1e-13 * (1.0 + std::abs(c.rows[3 * p + 1])));
    }
  }
}

TEST(SplineKinds, DerivativesByValues) {
  for (const reference::Case& c : reference::cases) {
    const Spline spline(c);
    const Program program = compile(spline.graph, {spline.node});
    const double tolerance = std::string(c.options).find("monotone") == 1 ? 3e-9 : 1e-12;
    for (std::size_t p = 0; p < reference::places.size(); ++p) {
      SCOPED_TRACE(std::string(c.options) + " at " + std::to_string(reference::places[p]));
      Values inputs{reference::places[p]};
      inputs.insert(inputs.end(), reference::values.begin(),
                    reference::values.begin() + static_cast<std::ptrdiff_t>(spline.count));
      Values results(program.instructions.size()), adjoints(results.size());
      Values gradient(inputs.size());
      kernels::evaluate(program.view(), inputs, results);
      kernels::reverse(program.view(), program.outputs[0], results, adjoints,
                       [&](int i, double a) { gradient[static_cast<std::size_t>(i)] += a; });
      for (std::size_t k = 0; k < spline.count; ++k) {
        const double expected = c.by_values[p * spline.count + k];
        EXPECT_NEAR(gradient[k + 1], expected, tolerance * (1.0 + std::abs(expected))) << k;
      }
    }
  }
}

// What slopes are worth to all values at once is what each value makes of them.
TEST(SplineKinds, WorthOfSlopes) {
  int kinds = 0;
  for (const reference::Case& c : reference::cases) {
    const Spline spline(c);
    const kernels::SplineView view = spline.graph.spline_at(spline.node)->shape.view();
    if (kernels::is_local(view.kind)) continue;
    SCOPED_TRACE(std::string(c.options) + ", " + std::to_string(c.knots) + " knots");
    ++kinds;
    const auto knots = static_cast<std::size_t>(c.knots);
    Values inputs = values_of(c, spline.count);
    if (view.given_slopes != 0)
      inputs.insert(inputs.end(), reference::slopes.begin(), reference::slopes.end());

    Values values(knots, 0.0), slopes, secants(knots), curvatures(knots);
    for (std::size_t k = 0; k < knots; ++k)
      slopes.push_back(std::cos(3.0 * static_cast<double>(k)) + 0.2);
    const Values worth = slopes;
    kernels::SlopeWorth<double, double*>{view, values.data(), slopes.data(), secants.data(),
                                         curvatures.data()}
        .to_values();
    if (view.given_slopes != 0) {
      values.push_back(slopes.front());
      values.push_back(slopes.back());
    }

    double largest = 0.0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::vector<Slope1> seeded(inputs.begin(), inputs.end());
      seeded[i].derivative[0] = 1.0;
      std::vector<Slope1> polynomials(4 * (knots + 1), 0.0);
      kernels::find_polynomials<Slope1>(view, seeded, polynomials);
      double expected = 0.0;
      for (std::size_t k = 0; k < knots; ++k)
        expected += worth[k] * polynomials[4 * (k + 1) + 1].derivative[0];
      largest = std::fmax(largest, std::fabs(expected));
      EXPECT_NEAR(values[i], expected, 1e-14 * (10.0 + std::fabs(expected))) << i;
    }
    const bool is_flat = view.kind == kernels::SplineKind::periodic && c.knots == 2;
    EXPECT_EQ(largest > 0.1, !is_flat);
  }
  EXPECT_GT(kinds, 5);
}

// Where a segment is flat the slopes at its ends stay zero, whichever value changes.
TEST(SplineKinds, MonotoneSlopesOfFlatSegments) {
  const kernels::SplineView view{kernels::SplineKind::monotone,
                                 kernels::SplineEnds::hold,
                                 5,
                                 0,
                                 reference::knots.data(),
                                 nullptr};
  for (int k = 0; k < 5; ++k) {
    std::vector<Slope1> values{0.0, 1.0, 1.0, 3.0, 3.5};
    values[static_cast<std::size_t>(k)].derivative[0] = 1.0;
    std::vector<Slope1> polynomials(24, 0.0);
    kernels::find_polynomials<Slope1>(view, values, polynomials);
    for (const std::size_t knot : {1u, 2u}) {
      EXPECT_EQ(polynomials[4 * (knot + 1) + 1].value, 0.0);
      EXPECT_EQ(polynomials[4 * (knot + 1) + 1].derivative[0], 0.0);
    }
    EXPECT_GT(polynomials[4 * 4 + 1].value, 0.1);
  }
}

// Never beyond the values at its ends, where a natural spline swings over.
TEST(SplineKinds, MonotoneStaysBetweenValues) {
  Graph graph;
  const TestScope scope(graph, {"x"});
  const Node monotone = parse_scalar(
      graph, "spline(x, [0, 1, 2, 3, 4], [0, 0.01, 5, 5.01, 9], 'monotone')", scope, "test");
  const Node natural =
      parse_scalar(graph, "spline(x, [0, 1, 2, 3, 4], [0, 0.01, 5, 5.01, 9])", scope, "test");
  const Program program = compile(graph, {monotone, natural});
  double last = -1.0, lowest = 0.0;
  for (int k = 0; k <= 400; ++k) {
    const Values y = run(program, Values{0.01 * k});
    EXPECT_GE(y[0], last);
    last = y[0];
    lowest = std::fmin(lowest, y[1]);
  }
  EXPECT_LT(lowest, -0.1);
}

TEST(SplineKinds, UsualEnds) {
  Graph graph;
  const TestScope scope(graph, {"x"});
  const auto at_nine = [&](const std::string& options) {
    const Node node =
        parse_scalar(graph, "spline(x, [0, 1, 2, 4], [1, 2, 4, 1]" + options + ")", scope, "test");
    return run(compile(graph, {node}), Values{9.0})[0];
  };
  EXPECT_EQ(at_nine(""), at_nine(", 'natural', 'straight'"));
  EXPECT_NE(at_nine(""), 1.0);
  for (const char* kind : {"'linear'", "'monotone'", "'clamped'"})
    EXPECT_EQ(at_nine(std::string(", ") + kind), 1.0) << kind;
  EXPECT_EQ(at_nine(", 'clamped', [1, -2]"), -9.0);
  EXPECT_EQ(at_nine(", \"not-a-knot\""), at_nine(", 'not-a-knot', 'straight'"));
  EXPECT_NEAR(at_nine(", 'periodic'"), at_nine(", 'linear', 'repeat'"), 1e-15);
}

}  // namespace
}  // namespace gradus::expression
