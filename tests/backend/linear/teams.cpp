// The cooperative bodies of kernels/linear, run by teams of threads: the same bits as the plain
// bodies of kernels/math whatever the size of the team. Built with the thread sanitizer as well,
// which sees a missing barrier as a data race.
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/linear/systems.hpp"
#include "tests/support/linear_systems.hpp"
#include "tests/support/thread_team.hpp"

namespace gradus::test {
namespace {

using kernels::Factors;
using Numbers = std::vector<double>;
using Array = kernels::View<double, false>;

constexpr int kLanes[] = {1, 2, 3, 4, 8};
constexpr int kSizes[] = {1, 2, 3, 5, 8, 19};

Array view(Numbers& numbers) {
  return {numbers.data(), 1};
}

Numbers numbers_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

// Signs of zeros and undefined numbers count as well.
void expect_same_bits(const Numbers& a, const Numbers& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    ASSERT_EQ(std::memcmp(&a[k], &b[k], sizeof(double)), 0)
        << what << "[" << k << "]: " << a[k] << " and " << b[k];
}

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
        kernels::factorise_lu(team, view(f.a), view(f.pivot), static_cast<int>(matrix.rows()));
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
    ASSERT_TRUE(kernels::factorise_ldlt(kernels::OneLane{}, view(alone), n));
    for (const int lanes : kLanes) {
      Numbers shared = numbers_of(matrix);
      run_team(lanes, [&](const ThreadTeam& team) {
        EXPECT_TRUE(kernels::factorise_ldlt(team, view(shared), n));
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
    EXPECT_FALSE(kernels::factorise_ldlt(team, view(numbers), 5));
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
        team, kind, view(f.a), order, n, 0, columns, [&](int i, int c) { return right[at(i, c)]; },
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
        kernels::factorise_lu(team, view(a), view(pivot), 9);
      else
        kernels::factorise_ldlt(team, view(a), 9);
      kernels::solve_in_place(team, kind, view(a), view(pivot), 9, Array(x.data(), 1), 6);
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
        team, Factors::lu, view(f.a), order, n, 0, columns,
        [&](int i, int k) { return c.row(i).dot(d.col(k)); },
        [&](int i, int k, double value) { x(i, k) = value; });
  });
  EXPECT_LT(backward_error(a, x, c * d), 1e-14);
}

// A whole batch by teams of `lanes` threads; the parts of its arguments.
struct Batch {
  Numbers matrices, factors, pivots, right_sides, refinement;
  std::vector<float> single_factors, correction;
  std::vector<int> status;
  kernels::LinearArguments arguments{};

  Batch(int size, int columns, int count, bool interleaved, bool definite, bool refined) {
    const auto n = static_cast<std::size_t>(size);
    const auto systems = static_cast<std::size_t>(count);
    const std::size_t entries = systems * n * static_cast<std::size_t>(columns);
    factors.resize(systems * n * n);
    single_factors.resize(systems * n * n);
    pivots.resize(systems * n);
    refinement.resize(2 * entries);
    correction.resize(entries);
    status.resize(systems);
    std::mt19937_64 generator(8);
    matrices.resize(systems * n * n);
    right_sides = numbers_of(random_matrix(1, static_cast<int>(entries), generator));
    for (int s = 0; s < count; ++s) {
      const Matrix matrix =
          definite ? definite_matrix(size, generator) : random_matrix(size, size, generator);
      const auto view = [&](auto interleaving) {
        return kernels::entries_of<decltype(interleaving)::value>(matrices.data(), s, count,
                                                                  size * size);
      };
      for (int k = 0; k < size * size; ++k)
        (interleaved ? view(std::true_type())[k] : view(std::false_type())[k]) = matrix.data()[k];
    }
    arguments = {kernels::LinearWork::factorise_and_solve,
                 size,
                 columns,
                 count,
                 interleaved,
                 definite,
                 false,
                 refined,
                 matrices.data(),
                 factors.data(),
                 single_factors.data(),
                 pivots.data(),
                 status.data(),
                 right_sides.data(),
                 refinement.data(),
                 correction.data()};
  }

  template <class Team>
  void run(const Team& team) const {
    for (std::ptrdiff_t s = 0; s < arguments.count; ++s) {
      if (arguments.interleaved)
        kernels::LinearSystems<Team, true>{arguments}(team, s);
      else
        kernels::LinearSystems<Team, false>{arguments}(team, s);
    }
  }
};

TEST(Teams, WorkThroughBatchesAsOneDoes) {
  for (const bool interleaved : {false, true})
    for (const bool definite : {false, true})
      for (const bool refined : {false, true}) {
        Batch alone(7, 10, 3, interleaved, definite, refined);
        Batch shared(7, 10, 3, interleaved, definite, refined);
        alone.run(kernels::OneLane{});
        run_team(4, [&](const ThreadTeam& team) { shared.run(team); });
        EXPECT_EQ(shared.status, std::vector<int>(3, 0));
        expect_same_bits(shared.right_sides, alone.right_sides, "solutions");
      }
}

TEST(Teams, RefuseTogether) {
  Batch shared(6, 5, 3, true, false, true);
  for (std::size_t k = 0; k < 36; ++k) shared.matrices[3 * k + 1] *= 1e60;  // of system 1
  shared.right_sides[2] = NAN;                                              // of system 2
  run_team(4, [&](const ThreadTeam& team) { shared.run(team); });
  EXPECT_EQ(shared.status, (std::vector<int>{0, 3, 3}));
  for (std::size_t k = 0; k < 30; ++k) {
    EXPECT_TRUE(std::isfinite(shared.right_sides[3 * k]));
    EXPECT_TRUE(std::isnan(shared.right_sides[3 * k + 1]));
    EXPECT_TRUE(std::isnan(shared.right_sides[3 * k + 2]));
  }
}

}  // namespace
}  // namespace gradus::test
