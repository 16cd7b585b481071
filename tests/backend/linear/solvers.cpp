// Batched solvers on the host and on the debug device: each against systems of every kind, and
// against each other.
#include "gradus/error.hpp"
#include "kernels/base/view.hpp"
#include "kernels/math/small_solve.hpp"
#include "tests/backend/linear/solver_run.hpp"

namespace gradus::test {
namespace {

// 1 to 64 and 65 to 512: around powers of two, and where blocks of libraries begin.
const std::vector<int> kSmallSizes{1, 2, 3, 4, 7, 8, 16, 17, 32, 33, 64};
const std::vector<int> kLargeSizes{65, 128, 200, 512};

std::vector<int> all_sizes() {
  std::vector<int> sizes(kSmallSizes);
  sizes.insert(sizes.end(), kLargeSizes.begin(), kLargeSizes.end());
  return sizes;
}

TEST(BatchedSolvers, SolveSystemsOfEveryKindAndSize) {
  const std::unique_ptr<Device> host = make_host_device();
  for (const SolverKind kind : {SolverKind::native, SolverKind::eigen})
    expect_all_kinds_solved(*host, {kind}, all_sizes());
}

TEST(BatchedSolvers, SolveInterleavedSystems) {
  const std::unique_ptr<Device> host = make_host_device();
  for (const SolverKind kind : {SolverKind::native, SolverKind::eigen})
    expect_all_kinds_solved(*host, {kind, true}, kSmallSizes);
}

// As the slices of a single design need it.
TEST(BatchedSolvers, TakeMatricesAndRightSidesThatLieInDifferentWays) {
  const std::unique_ptr<Device> host = make_host_device();
  for (const SolverKind kind : {SolverKind::native, SolverKind::eigen})
    for (const bool interleaved : {false, true}) {
      SolverRun run{kind, interleaved};
      run.mixed_arrangement = true;
      expect_all_kinds_solved(*host, run, {1, 3, 8, 33});
    }
  SolverRun refined{SolverKind::native};
  refined.mixed_arrangement = refined.refined = true;
  expect_solved(*host, refined, make_systems(SystemKind::random, 9, 4, 40), "random");
}

// Tiles may lie far apart, among other numbers.
TEST(BatchedSolvers, LeaveWhatLiesBetweenTilesAlone) {
  const std::unique_ptr<Device> host = make_host_device();
  constexpr std::size_t kCount = 70;
  constexpr std::size_t kMatrixPitch = 32 * (9 + 5);
  constexpr std::size_t kRightSidePitch = 32 * (6 + 2);
  const Systems systems = make_systems(SystemKind::random, 3, 2, kCount);
  std::vector<double> a(3 * kMatrixPitch, 7.0);
  std::vector<double> b(3 * kRightSidePitch, 7.0);
  for (std::size_t s = 0; s < kCount; ++s) {
    for (std::size_t e = 0; e < 9; ++e)
      a[s / 32 * kMatrixPitch + e * 32 + s % 32] = systems.matrices[s].data()[e];
    for (std::size_t e = 0; e < 6; ++e)
      b[s / 32 * kRightSidePitch + e * 32 + s % 32] = systems.right_sides[s].data()[e];
  }
  const Solution expected = solve(*host, {SolverKind::native}, systems);
  LinearBatch batch{3, kCount, {true, kMatrixPitch}, {true, kRightSidePitch}};
  const std::unique_ptr<BatchedSolver> solver = make_solver(*host, SolverKind::native, batch);
  solver->factorise(a.data());
  solver->solve(b.data(), 2, false);
  for (std::size_t s = 0; s < kCount; ++s)
    for (std::size_t e = 0; e < 6; ++e)
      EXPECT_EQ(b[s / 32 * kRightSidePitch + e * 32 + s % 32], expected.x[s].data()[e]);
  for (std::size_t tile = 0; tile < 3; ++tile)
    for (std::size_t k = 32 * 6; k < kRightSidePitch; ++k)
      EXPECT_EQ(b[tile * kRightSidePitch + k], 7.0);
}

TEST(BatchedSolvers, SolveInTheMemoryOfADevice) {
  const std::unique_ptr<Device> debug = make_debug_device();
  for (const bool interleaved : {false, true})
    expect_all_kinds_solved(*debug, {SolverKind::native, interleaved}, {1, 3, 8, 33, 65});
}

TEST(BatchedSolvers, TakeAnyNumberOfSystemsAndRightSides) {
  const std::unique_ptr<Device> host = make_host_device();
  for (const SolverKind kind : {SolverKind::native, SolverKind::eigen})
    for (const bool interleaved : {false, true})
      expect_all_shapes_solved(*host, {kind, interleaved});
}

TEST(BatchedSolvers, FailuresLeaveOthersAlone) {
  const std::unique_ptr<Device> host = make_host_device();
  const std::unique_ptr<Device> debug = make_debug_device();
  for (const bool interleaved : {false, true})
    for (const bool definite : {false, true}) {
      for (const SolverKind kind : {SolverKind::native, SolverKind::eigen})
        expect_failures_contained(*host, {kind, interleaved, definite});
      expect_failures_contained(*debug, {SolverKind::native, interleaved, definite});
    }
}

// Round-off leaves a pivot of 1e-16 of matrices that are singular.
TEST(BatchedSolvers, RefuseWhatIsSingularToWorkingPrecision) {
  const std::unique_ptr<Device> host = make_host_device();
  Systems systems = make_systems(SystemKind::random, 3, 1, 2);
  systems.matrices[0] << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  for (const SolverKind kind : {SolverKind::native, SolverKind::eigen}) {
    const Solution solution = solve(*host, {kind}, systems);
    EXPECT_EQ(solution.status[0], SystemStatus::singular) << solver_name(kind);
    EXPECT_TRUE(solution.x[0].array().isNaN().all()) << solver_name(kind);
    EXPECT_EQ(solution.status[1], SystemStatus::solved) << solver_name(kind);
  }
}

// Known solutions: x is a row of small whole numbers, and so are matrices and products.
TEST(BatchedSolvers, ReachKnownSolutions) {
  const std::unique_ptr<Device> host = make_host_device();
  std::mt19937_64 generator(3);
  for (const SolverKind kind : {SolverKind::native, SolverKind::eigen})
    for (const bool transposed : {false, true}) {
      Systems systems = make_systems(SystemKind::random, 9, 4, 2);
      Matrix known = (8.0 * random_matrix(9, 4, generator)).array().round();
      for (std::size_t s = 0; s < 2; ++s) {
        Matrix& a = systems.matrices[s];
        a = (100.0 * a).array().round();
        systems.right_sides[s] = transposed ? Matrix(a.transpose() * known) : Matrix(a * known);
      }
      const Solution solution = solve(*host, {kind, false, false, false, transposed}, systems);
      for (const Matrix& x : solution.x)
        EXPECT_LT((x - known).cwiseAbs().maxCoeff(), 1e-10) << solver_name(kind);
    }
}

// Forward errors agree to the condition of the systems, which for random ones of this size is below
// a million.
TEST(BatchedSolvers, AgreeWithEachOther) {
  const std::unique_ptr<Device> host = make_host_device();
  for (const int size : {2, 16, 65}) {
    const Systems systems = make_systems(SystemKind::random, size, 3, 4);
    const Solution native = solve(*host, {SolverKind::native}, systems);
    const Solution eigen = solve(*host, {SolverKind::eigen}, systems);
    for (std::size_t s = 0; s < 4; ++s)
      EXPECT_LT((native.x[s] - eigen.x[s]).norm(), 1e-9 * eigen.x[s].norm()) << size;
  }
}

// What formulations call and what the seam calls is one thing.
TEST(BatchedSolvers, NativeHasTheBitsOfTheKernels) {
  const std::unique_ptr<Device> host = make_host_device();
  using Array = kernels::View<double, false>;
  for (const bool transposed : {false, true}) {
    const Systems systems = make_systems(SystemKind::random, 11, 23, 1);
    Matrix a = systems.matrices[0];
    Matrix x = systems.right_sides[0];
    std::vector<double> pivot(11);
    const Array factors(a.data()), pivots(pivot.data()), columns(x.data());
    ASSERT_TRUE(kernels::factorise(factors, pivots, 11));
    if (transposed)
      kernels::solve_factorised_transposed(factors, pivots, 11, columns, 23);
    else
      kernels::solve_factorised(factors, pivots, 11, columns, 23);
    for (const bool interleaved : {false, true})
      EXPECT_EQ(
          solve(*host, {SolverKind::native, interleaved, false, false, transposed}, systems).x[0],
          x);
  }
}

TEST(BatchedSolvers, FactorsServeMoreThanOnce) {
  const std::unique_ptr<Device> host = make_host_device();
  for (const SolverKind kind : {SolverKind::native, SolverKind::eigen}) {
    const Systems systems = make_systems(SystemKind::random, 6, 4, 1);
    const std::unique_ptr<BatchedSolver> solver = make_solver(*host, kind, {6, 1});
    solver->factorise(systems.matrices[0].data());
    for (const int columns : {4, 1, 2}) {
      const Matrix b = systems.right_sides[0].leftCols(columns);
      Matrix x = b;
      solver->solve(x.data(), columns, false);
      EXPECT_LT(backward_error(systems.matrices[0], x, b), kBackwardError);
      x = b;
      solver->solve(x.data(), columns, true);
      EXPECT_LT(backward_error(systems.matrices[0].transpose(), x, b), kBackwardError);
    }
  }
}

TEST(BatchedSolvers, SayWhatTheyDoNotDo) {
  const std::unique_ptr<Device> host = make_host_device();
  const std::unique_ptr<Device> debug = make_debug_device();
  EXPECT_THROW(make_solver(*host, SolverKind::native, {-1, 1}), InputError);
  EXPECT_THROW(make_solver(*host, SolverKind::native, {5000, 1}), InputError);
  EXPECT_THROW(make_solver(*host, SolverKind::native, {1, -1}), InputError);
  EXPECT_THROW(make_solver(*host, SolverKind::eigen, {3, 1, {}, {}, false, true}), InputError);
  EXPECT_THROW(make_solver(*host, SolverKind::native, {3, 1})->solve(nullptr, -1, false),
               InputError);
  try {
    make_solver(*host, SolverKind::cusolver, {3, 1});
    FAIL() << "nothing was thrown";
  } catch (const BackendError& error) {
    EXPECT_STREQ(error.what(), "cpu: the solver cusolver does not run there");
  }
  EXPECT_THROW(make_solver(*debug, SolverKind::eigen, {3, 1}), BackendError);
}

TEST(BatchedSolvers, HaveNames) {
  for (const SolverKind kind : kSolverKinds) EXPECT_EQ(solver_named(solver_name(kind)), kind);
  EXPECT_EQ(solver_named("lapack"), std::nullopt);
}

}  // namespace
}  // namespace gradus::test
