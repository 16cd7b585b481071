// Products to the bit, and small dense solves against Eigen: LU with row exchanges, the split of
// the Jacobian, and the constrained systems.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "gradus/model.hpp"
#include "kernels/base/view.hpp"
#include "kernels/math/products.hpp"
#include "kernels/stages/row_space.hpp"
#include "kernels/stages/start.hpp"
#include "kernels/stages/transposed_solve.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/design_fixture.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::derivative {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Array = kernels::View<double, false>;

RowMatrix random_matrix(support::Numbers& numbers, int rows, int columns) {
  RowMatrix m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = numbers.next();
  return m;
}

Array array(RowMatrix& m) {
  return Array(m.data());
}

// Whatever is summed together, and in whatever registers: each entry is the sum in its order.
TEST(Products, HaveTheBitsOfPlainSums) {
  support::Numbers numbers(30);
  for (int rows = 1; rows <= 9; ++rows)
    for (int inner = 0; inner <= 6; ++inner)
      for (int columns = 1; columns <= 9; ++columns)
        for (const bool transposed : {false, true}) {
          RowMatrix a = random_matrix(numbers, rows, inner);
          RowMatrix x = random_matrix(numbers, inner, columns);
          RowMatrix out = random_matrix(numbers, rows, columns);
          RowMatrix expected = out;
          for (int i = 0; i < rows; ++i)
            for (int c = 0; c < columns; ++c) {
              double sum = 0.0;
              for (int k = 0; k < inner; ++k) sum += a(i, k) * x(k, c);
              expected(i, c) += -0.3 * sum;
            }
          if (transposed) {
            RowMatrix turned = a.transpose();
            kernels::add_transposed_product(array(turned), rows, inner, array(x), columns, -0.3,
                                            array(out));
          } else {
            kernels::add_product(array(a), rows, inner, array(x), columns, -0.3, array(out));
          }
          EXPECT_EQ(out, expected) << rows << " x " << inner << " x " << columns << transposed;
        }
}

TEST(SmallSolve, FactorisedSystems) {
  support::Numbers numbers(31);
  for (const int n : {1, 2, 3, 5, 8, 13})
    for (const int columns : {1, 4, 7}) {
      const RowMatrix a = random_matrix(numbers, n, n);
      const RowMatrix b = random_matrix(numbers, n, columns);
      RowMatrix factor = a;
      RowMatrix pivot(n, 1);
      RowMatrix x = b;
      ASSERT_TRUE(kernels::factorise(array(factor), array(pivot), n));
      kernels::solve_factorised(array(factor), array(pivot), n, array(x), columns);
      const RowMatrix expected = a.fullPivLu().solve(b);
      EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm());
      RowMatrix y = b;
      kernels::solve_factorised_transposed(array(factor), array(pivot), n, array(y), columns);
      const RowMatrix transposed = a.transpose().fullPivLu().solve(b);
      EXPECT_LT((y - transposed).norm(), 1e-11 * transposed.norm());
    }
}

TEST(SmallSolve, ExchangesRowsWherePivotsVanish) {
  RowMatrix a(3, 3);
  a << 0, 2, 1, 1, 0, 0, 0, 0, 3;
  const RowMatrix b = (RowMatrix(3, 1) << 5, 1, 6).finished();
  RowMatrix factor = a;
  RowMatrix pivot(3, 1);
  RowMatrix x = b;
  ASSERT_TRUE(kernels::factorise(array(factor), array(pivot), 3));
  kernels::solve_factorised(array(factor), array(pivot), 3, array(x), 1);
  EXPECT_LT((a * x - b).norm(), 1e-15);
}

TEST(SmallSolve, ReportsSingularMatrices) {
  RowMatrix a(3, 3);
  a << 1, 2, 3, 2, 4, 6, 1, 0, 1;
  RowMatrix pivot(3, 1);
  EXPECT_FALSE(kernels::factorise(array(a), array(pivot), 3));
}

// Whatever is reflected together, and in whatever registers.
TEST(SmallSolve, ReflectsWithTheBitsOfPlainSums) {
  support::Numbers numbers(34);
  constexpr int kRows = 7;
  constexpr double kFactor = 1.7;
  for (int columns = 1; columns <= 24; ++columns)
    for (const int first : {0, 1, columns / 2})
      for (const int k : {0, 3, kRows - 1}) {
        RowMatrix vectors = random_matrix(numbers, kRows, kRows);
        RowMatrix x = random_matrix(numbers, kRows, columns);
        RowMatrix expected = x;
        for (int c = first; c < columns; ++c) {
          double sum = expected(k, c);
          for (int i = k + 1; i < kRows; ++i) sum += vectors(i, k) * expected(i, c);
          sum *= kFactor;
          expected(k, c) -= sum;
          for (int i = k + 1; i < kRows; ++i) expected(i, c) -= vectors(i, k) * sum;
        }
        kernels::reflect(array(vectors), kRows, kRows, k, kFactor, array(x), first, columns);
        EXPECT_EQ(x, expected) << columns << " columns from " << first << ", vector " << k;
      }
}

TEST(SmallSolve, SplitsJacobiansWithRedundantRows) {
  support::Numbers numbers(32);
  struct Size {
    int m, n, rank;
  };
  for (const Size& s : {Size{6, 6, 5}, Size{6, 3, 2}, Size{9, 7, 5}, Size{15, 12, 10},
                        Size{3, 4, 3}, Size{4, 4, 4}, Size{19, 25, 19}, Size{31, 40, 28}}) {
    RowMatrix jacobian = random_matrix(numbers, s.m, s.rank) * random_matrix(numbers, s.rank, s.n);
    const RowMatrix kept = jacobian;
    RowMatrix reflected(s.n, s.m), pivot(s.m, 1), range(s.n, s.rank), null_space(s.n, s.n - s.rank),
        triangle(s.rank, s.rank);
    const kernels::RankReport<double> report =
        kernels::split_jacobian(array(jacobian), s.m, s.n, s.rank, array(reflected), array(pivot),
                                array(range), array(null_space), array(triangle));
    EXPECT_EQ(jacobian, kept);
    RowMatrix basis(s.n, s.n);
    basis << range, null_space;
    EXPECT_LT((basis.transpose() * basis - RowMatrix::Identity(s.n, s.n)).norm(), 1e-13);
    EXPECT_LT((jacobian * null_space).norm(), 1e-13 * jacobian.norm());
    triangle.diagonal() = triangle.diagonal().cwiseInverse().eval();
    // Pivots are distinct rows, and range times triangle gives them back.
    std::set<int> rows;
    for (int k = 0; k < s.rank; ++k) {
      const int row = static_cast<int>(pivot(k, 0));
      rows.insert(row);
      const RowMatrix column =
          range * triangle.triangularView<Eigen::Upper>().toDenseMatrix().col(k);
      EXPECT_LT((column - jacobian.row(row).transpose()).norm(), 1e-13 * jacobian.norm());
    }
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(s.rank));
    EXPECT_GT(report.last, 1e-6 * report.first);
    EXPECT_LT(report.beyond, 1e-13 * report.first);
    EXPECT_EQ(kept.fullPivLu().rank(), s.rank);
  }
}

RowMatrix matrix(support::DesignFixture<double>& f, int offset, int rows, int columns) {
  RowMatrix m(rows, columns);
  for (int i = 0; i < rows * columns; ++i) m(i / columns, i % columns) = f.value(offset, i);
  return m;
}

// A model standing in an assembled position, its Jacobian split and its mass matrix factorised.
void start(support::DesignFixture<double>& f) {
  f.run([](const auto& d, const auto& arguments) { kernels::start_position(d, arguments); });
  f.run([](const auto& d, const auto& arguments) { kernels::start_velocity(d, arguments); });
  f.run([](const auto& d, const auto& arguments) { kernels::start_acceleration(d, arguments); });
  ASSERT_EQ(f.status(), kernels::Status::ok);
}

// Up to 19 rows, so that strips of all widths are among their products.
TEST(SmallSolve, SpansTheRowsOfConstraints) {
  for (const Model& model :
       {read_model(source_path("models/stewart-platform/stewart-platform.json")),
        double_general_loop(), two_four_bars(), slider_crank(JointType::prismatic)}) {
    SCOPED_TRACE(model.name);
    support::DesignFixture<double> f(model);
    start(f);
    const auto d = f.design();
    const kernels::Layout& l = f.layout();
    const int n = f.view().coordinate_count;
    const int rank = f.view().constraint_rank;
    const double least = kernels::span_rows(d);
    const RowMatrix basis = matrix(f, l.watch.now, rank, n);
    EXPECT_LT((basis * basis.transpose() - RowMatrix::Identity(rank, rank)).norm(), 1e-12);
    // Each pivot row lies in what the rows up to it span, on the side of its own direction.
    RowMatrix rows(rank, n);
    double shortest = 1.0;
    for (int i = 0; i < rank; ++i) {
      const int row = static_cast<int>(f.at(l.pivot, i));
      for (int c = 0; c < n; ++c) rows(i, c) = kernels::row_entry(d, row, c);
      const RowMatrix shares = basis.topRows(i + 1) * rows.row(i).transpose();
      const RowMatrix rest = rows.row(i) - shares.transpose() * basis.topRows(i + 1);
      EXPECT_LT(rest.norm(), 1e-12 * rows.row(i).norm()) << i;
      EXPECT_GT(shares(i, 0), 0.0) << i;
      shortest = std::min(shortest, shares(i, 0) / kernels::row_length(f.view(), row));
    }
    EXPECT_NEAR(least, shortest, 1e-12);
    for (int i = 0; i < rank * n; ++i) f.at(l.watch.basis, i) = f.at(l.watch.now, i);
    for (int i = 0; i < rank; ++i) f.at(l.watch.rows, i) = f.at(l.pivot, i);
    EXPECT_NEAR(kernels::turn_of_rows(d), 1.0, 1e-12);
    EXPECT_NEAR(kernels::orientation_of_rows(d, l.watch.now),
                (rows * basis.transpose()).determinant(),
                1e-12 * std::abs((rows * basis.transpose()).determinant()) + 1e-300);
  }
}

TEST(SmallSolve, ConstrainedSystems) {
  support::Numbers numbers(33);
  for (const Model& model :
       {general_loop(JointType::revolute), general_loop(JointType::prismatic),
        double_general_loop(), two_four_bars(), slider_crank(JointType::prismatic),
        long_armed_gantry(), branched_tree()}) {
    SCOPED_TRACE(model.name);
    support::DesignFixture<double> f(model);
    start(f);
    const auto d = f.design();
    const kernels::Layout& l = f.layout();
    const int n = f.view().coordinate_count;
    const int m = f.view().constraint_rows;
    const RowMatrix jacobian = matrix(f, l.jacobian, m, n);
    const RowMatrix mass = matrix(f, l.mass_matrix, n, n);
    const RowMatrix top = random_matrix(numbers, n, 1);
    const RowMatrix bottom = jacobian * random_matrix(numbers, n, 1);  // consistent
    for (int i = 0; i < n; ++i) f.at(l.top, i) = top(i, 0);
    for (int i = 0; i < f.view().constraint_rank; ++i)
      f.at(l.bottom, i) = bottom(static_cast<int>(f.at(l.pivot, i)), 0);
    const kernels::SolveArrays arrays =
        kernels::motion_arrays(d, l.solution, m == 0 ? -1 : l.multiplier_change);
    kernels::constrained_solve(d, kernels::mass_leading(d.layout), arrays, 1);

    RowMatrix system = RowMatrix::Zero(n + m, n + m);
    system.topLeftCorner(n, n) = mass;
    system.topRightCorner(n, m) = jacobian.transpose();
    system.bottomLeftCorner(m, n) = jacobian;
    RowMatrix right(n + m, 1);
    right << top, bottom;
    const RowMatrix expected = system.completeOrthogonalDecomposition().solve(right);
    ASSERT_LT((system * expected - right).norm(), 1e-10 * right.norm());
    const RowMatrix x = matrix(f, l.solution, n, 1);
    const RowMatrix multiplier = matrix(f, l.multiplier_change, m, 1);
    EXPECT_LT((x - expected.topRows(n)).norm(), 1e-9 * expected.topRows(n).norm());
    // Multipliers of redundant rows are not unique, the force they exert is.
    EXPECT_LT((mass * x + jacobian.transpose() * multiplier - top).norm(), 1e-10 * top.norm());
    EXPECT_LE((jacobian * x - bottom).norm(), 1e-11 * bottom.norm());
  }
}

}  // namespace
}  // namespace gradus::derivative
