// The cooperative bodies of kernels/linear, run by teams of threads: the same bits as the plain
// bodies of kernels/math whatever the size of the team. Built with the thread sanitizer as well,
// which sees a missing barrier as a data race.
#include <gtest/gtest.h>

#include "kernels/linear/systems.hpp"
#include "tests/backend/linear/bits.hpp"
#include "tests/support/thread_team.hpp"

namespace gradus::test {
namespace {

using kernels::Factors;

constexpr int kLanes[] = {1, 2, 3, 4, 8};
constexpr int kSizes[] = {1, 2, 3, 5, 8, 19};

struct FactorisedSystem {
  Numbers a, pivot;
  bool regular = true;
};

FactorisedSystem plain_lu(const Matrix& matrix) {
  FactorisedSystem f{numbers_of(matrix), Numbers(static_cast<std::size_t>(matrix.rows())), true};
  f.regular = kernels::factorise(view(f.a), view(f.pivot), static_cast<int>(matrix.rows()));
  return f;
}

FactorisedSystem team_lu(const Matrix& matrix, int lanes) {
  FactorisedSystem f{numbers_of(matrix), Numbers(static_cast<std::size_t>(matrix.rows())), true};
  std::vector<int> verdicts(static_cast<std::size_t>(lanes));
  run_team(lanes, [&](const ThreadTeam& team) {
    verdicts[static_cast<std::size_t>(team.rank())] =
        kernels::factorise_lu(team, square(f.a, static_cast<int>(matrix.rows())), view(f.pivot),
                              static_cast<int>(matrix.rows()));
  });
  for (const int verdict : verdicts) EXPECT_EQ(verdict, verdicts[0]) << "lanes disagree";
  f.regular = verdicts[0] != 0;
  return f;
}

void expect_same_factors(const Matrix& matrix, const std::string& what) {
  const FactorisedSystem plain = plain_lu(matrix);
  for (const int lanes : kLanes) {
    const FactorisedSystem team = team_lu(matrix, lanes);
    const std::string title = what + ", " + std::to_string(lanes) + " lanes";
    EXPECT_EQ(team.regular, plain.regular) << title;
    expect_same_bits(team.a, plain.a, title + ", factors");
    expect_same_bits(team.pivot, plain.pivot, title + ", pivots");
  }
}

TEST(Teams, FactoriseAsOneDoes) {
  std::mt19937_64 generator(1);
  for (const SystemKind kind :
       {SystemKind::random, SystemKind::badly_scaled, SystemKind::nearly_singular, SystemKind::kkt})
    for (const int n : kSizes)
      expect_same_factors(system_matrix(kind, n, generator), name_of(kind) + std::to_string(n));
}

TEST(Teams, TakeTheUpperOfEqualPivots) {
  Matrix matrix(4, 4);
  matrix << 1, 2, 3, 4, -1, 5, 1, 2, 1, -2, 2, 2, -1, -5, 3, 1;
  expect_same_factors(matrix, "equal pivots");
  EXPECT_EQ(team_lu(matrix, 4).pivot[0], 0.0);
}

TEST(Teams, AgreeOnWhatIsSingularOrUndefined) {
  std::mt19937_64 generator(2);
  Matrix matrix = random_matrix(5, 5, generator);
  matrix.row(3) = 2.0 * matrix.row(1);
  EXPECT_FALSE(team_lu(matrix, 3).regular);
  EXPECT_FALSE(team_lu(Matrix::Zero(5, 5), 3).regular);
  for (const int row : {0, 2, 4}) {
    matrix = random_matrix(5, 5, generator);
    matrix(row, 0) = NAN;
    EXPECT_EQ(team_lu(matrix, 3).regular, plain_lu(matrix).regular);
    EXPECT_EQ(team_lu(matrix, 3).pivot, plain_lu(matrix).pivot) << row;
  }
}

TEST(Teams, FactoriseDefiniteMatricesAsOneDoes) {
  std::mt19937_64 generator(3);
  for (const int n : kSizes) {
    const Matrix matrix = definite_matrix(n, generator);
    Numbers alone = numbers_of(matrix);
    ASSERT_TRUE(kernels::factorise_ldlt(kernels::OneLane{}, square(alone, n), n));
    for (const int lanes : kLanes) {
      Numbers shared = numbers_of(matrix);
      run_team(lanes, [&](const ThreadTeam& team) {
        EXPECT_TRUE(kernels::factorise_ldlt(team, square(shared, n), n));
      });
      expect_same_bits(shared, alone, "L D L^T");
    }
  }
}

TEST(Teams, RefuseWhatIsNotDefinite) {
  std::mt19937_64 generator(4);
  Matrix matrix = definite_matrix(5, generator);
  matrix(3, 3) = -matrix(3, 3);
  Numbers numbers = numbers_of(matrix);
  run_team(3, [&](const ThreadTeam& team) {
    EXPECT_FALSE(kernels::factorise_ldlt(team, square(numbers, 5), 5));
  });
}

// Solves for `columns` right-hand sides in registers and in memory; both must give the bits of the
// plain bodies.
void expect_same_solutions(const Matrix& matrix, int columns, Factors kind, int lanes) {
  constexpr int kRows = 8;
  const int n = static_cast<int>(matrix.rows());
  std::mt19937_64 generator(5);
  FactorisedSystem f = plain_lu(matrix);
  const Numbers right = numbers_of(random_matrix(n, columns, generator));
  Numbers plain = right;
  if (kind == Factors::lu)
    kernels::solve_factorised(view(f.a), view(f.pivot), n, view(plain), columns);
  else
    kernels::solve_factorised_transposed(view(f.a), view(f.pivot), n, view(plain), columns);

  Numbers in_memory = right;
  Numbers streamed(right.size());
  std::vector<int> order(static_cast<std::size_t>(n));
  run_team(lanes, [&](const ThreadTeam& team) {
    kernels::solve_in_place(team, kind, view(f.a), view(f.pivot), n, view(in_memory), columns);
    kernels::find_order(team, view(f.pivot), order.data(), n);
    const auto at = [&](int i, int c) { return static_cast<std::size_t>(i * columns + c); };
    kernels::stream_columns<kRows>(
        team, kind, square(f.a, n), order, n, 0, columns,
        [&](int i, int c) { return right[at(i, c)]; },
        [&](int i, int c, double x) { streamed[at(i, c)] = x; });
  });
  expect_same_bits(in_memory, plain, "in memory");
  expect_same_bits(streamed, plain, "streamed");
}

TEST(Teams, SolveAsOneDoes) {
  std::mt19937_64 generator(6);
  for (const int n : {1, 2, 5, 8})
    for (const int columns : {1, 3, 21})
      for (const int lanes : {1, 3, 4})
        for (const Factors kind : {Factors::lu, Factors::lu_transposed})
          expect_same_solutions(random_matrix(n, n, generator), columns, kind, lanes);
}

// As in the shared memory of a device.
TEST(Teams, FactoriseMatricesWithLongRows) {
  constexpr int n = 6;
  constexpr int leading = 7;
  std::mt19937_64 generator(10);
  const Matrix matrix = definite_matrix(n, generator);
  Matrix spread = Matrix::Constant(n, leading, -7.0);
  for (const bool definite : {false, true}) {
    FactorisedSystem f = plain_lu(matrix);
    if (definite) {
      f.a = numbers_of(matrix);
      kernels::factorise_ldlt(kernels::OneLane{}, square(f.a, n), n);
    }
    spread.leftCols(n) = matrix;
    Numbers pivot(n);
    const kernels::Square<Array> a{Array(spread.data()), leading};
    run_team(3, [&](const ThreadTeam& team) {
      if (definite)
        kernels::factorise_ldlt(team, a, n);
      else
        kernels::factorise_lu(team, a, view(pivot), n);
    });
    expect_same_bits(numbers_of(spread.leftCols(n)), f.a, "factors");
    EXPECT_EQ(spread.col(n), Matrix::Constant(n, 1, -7.0));
  }
}

TEST(Teams, SolveRightAfterTheyFactorise) {
  std::mt19937_64 generator(9);
  const Matrix matrix = definite_matrix(9, generator);
  const Matrix b = random_matrix(9, 6, generator);
  for (const Factors kind : {Factors::lu, Factors::ldlt}) {
    Numbers a = numbers_of(matrix);
    Numbers pivot(9);
    Matrix x = b;
    run_team(4, [&](const ThreadTeam& team) {
      if (kind == Factors::lu)
        kernels::factorise_lu(team, square(a, 9), view(pivot), 9);
      else
        kernels::factorise_ldlt(team, square(a, 9), 9);
      kernels::solve_in_place(team, kind, view(a), view(pivot), 9, Array(x.data()), 6);
    });
    EXPECT_LT(backward_error(matrix, x, b), 1e-14);
  }
}

TEST(Teams, FormRightSidesOnTheWay) {
  // A X = C D, where the product is never stored.
  constexpr int n = 6;
  constexpr int columns = 9;
  std::mt19937_64 generator(7);
  const Matrix a = random_matrix(n, n, generator);
  const Matrix c = random_matrix(n, n, generator);
  const Matrix d = random_matrix(n, columns, generator);
  FactorisedSystem f = plain_lu(a);
  std::vector<int> order(n);
  Matrix x(n, columns);
  run_team(4, [&](const ThreadTeam& team) {
    kernels::find_order(team, view(f.pivot), order.data(), n);
    kernels::stream_columns<n>(
        team, Factors::lu, square(f.a, n), order, n, 0, columns,
        [&](int i, int k) { return c.row(i).dot(d.col(k)); },
        [&](int i, int k, double value) { x(i, k) = value; });
  });
  EXPECT_LT(backward_error(a, x, c * d), 1e-14);
}

}  // namespace
}  // namespace gradus::test
