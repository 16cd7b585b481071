// Packs of lanes: every lane computes what the plain number would, to the bit, whatever the others
// do.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "kernels/math/dual.hpp"
#include "kernels/math/pack.hpp"
#include "kernels/math/small_solve.hpp"

namespace gradus::derivative {
namespace {

using kernels::Pack;
constexpr int kLanes = 2;  // the pack that every processor has
using Number = Pack<kLanes>;
using Plain = kernels::View<double, false>;
using Packed = kernels::View<Number, false>;

Plain array(std::vector<double>& values) {
  return Plain(values.data());
}
Packed array(std::vector<Number>& values) {
  return Packed(values.data());
}

void expect_bits(double expected, double found, const char* what) {
  if (std::isnan(expected) && std::isnan(found)) return;
  EXPECT_EQ(std::memcmp(&expected, &found, sizeof(double)), 0)
      << what << ": " << expected << " and " << found;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<double> kNumbers{0.0,  -0.0, 1.0,       -1.5,       1e-310,
                                   2e10, 0.3,  kInfinity, -kInfinity, std::nan("")};

// Calls check(x, y, packs of both with something else in the other lane, lane).
template <class Check>
void for_all_pairs(const Check& check) {
  for (const double x : kNumbers)
    for (const double y : kNumbers)
      for (int lane = 0; lane < kLanes; ++lane) {
        Number a(0.7);
        Number b(-0.2);
        kernels::set_lane(a, lane, x);
        kernels::set_lane(b, lane, y);
        check(x, y, a, b, lane);
      }
}

TEST(Pack, ComputesLaneByLane) {
  for_all_pairs([](double x, double y, const Number& a, const Number& b, int k) {
    using kernels::lane;
    expect_bits(x + y, lane(a + b, k), "sum");
    expect_bits(x - y, lane(a - b, k), "difference");
    expect_bits(x * y, lane(a * b, k), "product");
    expect_bits(x / y, lane(a / b, k), "quotient");
    expect_bits(-x, lane(-a, k), "negative");
    expect_bits(x, lane(Number(x), k), "constant");
    expect_bits(std::sqrt(x), lane(sqrt(a), k), "root");
    expect_bits(std::sin(x), lane(sin(a), k), "sine");
    expect_bits(std::pow(x, y), lane(pow(a, b), k), "power");
    expect_bits(std::atan2(x, y), lane(atan2(a, b), k), "angle");
    expect_bits(std::fabs(x), lane(absolute(a), k), "magnitude");
    expect_bits(kernels::relative_magnitude(x, y), lane(relative_magnitude(a, b), k), "relative");
    expect_bits(x < y ? x : y, lane(select(a < b, a, b), k), "choice");
  });
}

TEST(Pack, ComparesLaneByLane) {
  for_all_pairs([](double x, double y, const Number& a, const Number& b, int k) {
    using kernels::lane;
    EXPECT_EQ(x < y, lane(a < b, k));
    EXPECT_EQ(x > y, lane(a > b, k));
    EXPECT_EQ(x <= y, lane(a <= b, k));
    EXPECT_EQ(x >= y, lane(a >= b, k));
    EXPECT_EQ(x == y, lane(a == b, k));
    EXPECT_EQ(kernels::is_finite(x), lane(is_finite(a), k));
    EXPECT_EQ(kernels::is_zero(x), lane(is_zero(a), k));
    EXPECT_EQ(x < y || !(x > y), lane(a < b || !(a > b), k));
    EXPECT_EQ(x < y && x > 0.0, lane(a < b && a > Number(0.0), k));
  });
}

TEST(Pack, KnowsWhetherAnyLaneAsks) {
  for (int bits = 0; bits < 1 << kLanes; ++bits) {
    kernels::PackMask<kLanes> mask(false);
    for (int k = 0; k < kLanes; ++k) kernels::set_lane(mask, k, (bits >> k & 1) != 0);
    EXPECT_EQ(any(mask), bits != 0);
    EXPECT_EQ(any(!mask), bits != (1 << kLanes) - 1);
  }
}

// Each number once, with all its lanes.
TEST(Pack, VisitsTheNumbersOfItsLanes) {
  for (int first = 0; first < 3; ++first)
    for (int second = 0; second < 3; ++second) {
      Number index(first);
      kernels::set_lane(index, 1, second);
      std::array<int, kLanes> seen{-1, -1};
      int visits = 0;
      kernels::for_each_number(index, [&](int number, const auto& where) {
        ++visits;
        for (int k = 0; k < kLanes; ++k) {
          if (!kernels::lane(where, k)) continue;
          EXPECT_EQ(seen[static_cast<std::size_t>(k)], -1);
          seen[static_cast<std::size_t>(k)] = number;
        }
      });
      EXPECT_EQ(visits, first == second ? 1 : 2);
      EXPECT_EQ(seen[0], first);
      EXPECT_EQ(seen[1], second);
    }
}

// Dual numbers over packs choose lane by lane too.
TEST(Pack, CarriesDualNumbers) {
  using Dual = kernels::Dual<double, 1>;
  using PackedDual = kernels::Dual<Number, 1>;
  for_all_pairs([](double x, double y, const Number& a, const Number& b, int k) {
    Dual p(x);
    p.derivative[0] = y;
    PackedDual q(a);
    q.derivative[0] = b;
    const auto compare = [&](const Dual& expected, const PackedDual& found, const char* what) {
      expect_bits(expected.value, kernels::lane(found.value, k), what);
      expect_bits(expected.derivative[0], kernels::lane(found.derivative[0], k), what);
    };
    compare(absolute(p), absolute(q), "magnitude");
    compare(pow(p, p), pow(q, q), "power");
    compare(select(p < Dual(0.5), p, p * p), select(q < PackedDual(0.5), q, q * q), "choice");
  });
}

// A system whose lanes are those of two plain ones.
struct Systems {
  std::array<std::vector<double>, kLanes> plain;
  std::vector<Number> packed;

  Systems(std::size_t size, std::mt19937& random) : packed(size) {
    std::normal_distribution<double> normal;
    for (int k = 0; k < kLanes; ++k) {
      auto& values = plain[static_cast<std::size_t>(k)];
      values.resize(size);
      for (std::size_t i = 0; i < size; ++i) {
        values[i] = normal(random);
        kernels::set_lane(packed[i], k, values[i]);
      }
    }
  }
  void expect_same(const char* what) const {
    for (int k = 0; k < kLanes; ++k)
      for (std::size_t i = 0; i < packed.size(); ++i)
        expect_bits(plain[static_cast<std::size_t>(k)][i], kernels::lane(packed[i], k), what);
  }
};

// Random systems exchange other rows in every lane.
TEST(PackedSolve, ExchangesTheRowsOfEachLane) {
  std::mt19937 random(7);
  for (int n = 1; n <= 9; ++n)
    for (const int columns : {1, 4, 5, 19}) {
      const auto size = static_cast<std::size_t>(n);
      Systems a(size * size, random);
      Systems transposed = a;
      Systems x(size * static_cast<std::size_t>(columns), random);
      Systems y = x;
      Systems pivot(size, random);
      for (std::size_t k = 0; k < kLanes; ++k) {
        EXPECT_TRUE(factorise(array(a.plain[k]), array(pivot.plain[k]), n));
        solve_factorised(array(a.plain[k]), array(pivot.plain[k]), n, array(x.plain[k]), columns);
        solve_factorised_transposed(array(a.plain[k]), array(pivot.plain[k]), n, array(y.plain[k]),
                                    columns);
      }
      EXPECT_FALSE(any(!factorise(array(a.packed), array(pivot.packed), n)));
      solve_factorised(array(a.packed), array(pivot.packed), n, array(x.packed), columns);
      solve_factorised_transposed(array(a.packed), array(pivot.packed), n, array(y.packed),
                                  columns);
      a.expect_same("factor");
      pivot.expect_same("pivot");
      x.expect_same("solution");
      y.expect_same("transposed solution");
    }
}

TEST(PackedSolve, TellsWhichLaneIsSingular) {
  std::mt19937 random(8);
  constexpr int n = 4;
  Systems a(n * n, random);
  Systems pivot(n, random);
  for (int j = 0; j < n; ++j) kernels::set_lane(a.packed[static_cast<std::size_t>(n + j)], 1, 0.0);
  const auto regular = factorise(array(a.packed), array(pivot.packed), n);
  EXPECT_TRUE(kernels::lane(regular, 0));
  EXPECT_FALSE(kernels::lane(regular, 1));
  EXPECT_TRUE(factorise(array(a.plain[0]), array(pivot.plain[0]), n));
  for (std::size_t i = 0; i < n * n; ++i)
    expect_bits(a.plain[0][i], kernels::lane(a.packed[i], 0), "factor beside a singular one");
}

TEST(PackedSolve, SplitsTheJacobianOfEachLane) {
  std::mt19937 random(9);
  constexpr int m = 4;
  constexpr int n = 6;
  for (int rank = 1; rank <= m; ++rank) {
    Systems jacobian(m * n, random);
    Systems reflected(m * n, random);
    Systems pivot(m, random);
    const auto r = static_cast<std::size_t>(rank);
    Systems range(n * r, random);
    Systems null_space(n * (n - r), random);
    Systems triangle(r * r, random);
    const auto report = split_jacobian(array(jacobian.packed), m, n, rank, array(reflected.packed),
                                       array(pivot.packed), array(range.packed),
                                       array(null_space.packed), array(triangle.packed));
    for (std::size_t k = 0; k < kLanes; ++k) {
      const auto plain = split_jacobian(
          array(jacobian.plain[k]), m, n, rank, array(reflected.plain[k]), array(pivot.plain[k]),
          array(range.plain[k]), array(null_space.plain[k]), array(triangle.plain[k]));
      expect_bits(plain.first, kernels::lane(report.first, static_cast<int>(k)), "first");
      expect_bits(plain.last, kernels::lane(report.last, static_cast<int>(k)), "last");
      expect_bits(plain.beyond, kernels::lane(report.beyond, static_cast<int>(k)), "beyond");
    }
    pivot.expect_same("pivot");
    range.expect_same("range");
    null_space.expect_same("null space");
    triangle.expect_same("triangle");
  }
}

}  // namespace
}  // namespace gradus::derivative
