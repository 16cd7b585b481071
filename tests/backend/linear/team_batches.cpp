// Whole batches by teams of threads, beside the same batches by one lane.
#include "kernels/linear/systems.hpp"
#include "tests/backend/linear/bits.hpp"
#include "tests/support/thread_team.hpp"

namespace gradus::test {
namespace {

// A whole batch by teams of `lanes` threads; the parts of its arguments.
struct Batch {
  Numbers matrices, factors, pivots, right_sides, refinement;
  std::vector<float> single_factors, correction;
  std::vector<int> status;
  kernels::LinearArguments arguments{};

  Batch(int size, int columns, int count, bool interleaved, bool definite, bool refined) {
    const auto n = static_cast<std::size_t>(size);
    // In whole tiles.
    const std::size_t systems = interleaved ? (static_cast<std::size_t>(count) + 31) / 32 * 32
                                            : static_cast<std::size_t>(count);
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
        return kernels::entries_of<decltype(interleaving)::value>(matrices.data(), s, size * size);
      };
      for (int k = 0; k < size * size; ++k)
        (interleaved ? view(std::true_type())[k] : view(std::false_type())[k]) = matrix.data()[k];
    }
    arguments = {kernels::LinearWork::factorise_and_solve,
                 size,
                 columns,
                 count,
                 {interleaved},
                 {interleaved},
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
      if (arguments.right_side_arrangement.interleaved)
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
        EXPECT_EQ(std::vector<int>(shared.status.begin(), shared.status.begin() + 3),
                  std::vector<int>(3, 0));
        expect_same_bits(shared.right_sides, alone.right_sides, "solutions");
      }
}

TEST(Teams, RefuseTogether) {
  Batch shared(6, 5, 3, true, false, true);
  for (std::size_t k = 0; k < 36; ++k) shared.matrices[32 * k + 1] *= 1e60;  // of system 1
  shared.right_sides[2] = NAN;                                               // of system 2
  run_team(4, [&](const ThreadTeam& team) { shared.run(team); });
  shared.status.resize(3);
  EXPECT_EQ(shared.status, (std::vector<int>{0, 3, 3}));
  for (std::size_t k = 0; k < 30; ++k) {
    EXPECT_TRUE(std::isfinite(shared.right_sides[32 * k]));
    EXPECT_TRUE(std::isnan(shared.right_sides[32 * k + 1]));
    EXPECT_TRUE(std::isnan(shared.right_sides[32 * k + 2]));
  }
}

}  // namespace
}  // namespace gradus::test
