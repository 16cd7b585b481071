// Factors in single precision with solutions refined to double precision, and their refusal.
#include "tests/backend/linear/solver_run.hpp"

namespace gradus::test {
namespace {

constexpr SolverRun kRefined{SolverKind::native, false, false, true};

TEST(RefinedSolutions, AreAsGoodAsDoublePrecision) {
  const std::unique_ptr<Device> host = make_host_device();
  const std::unique_ptr<Device> debug = make_debug_device();
  for (const int size : {1, 2, 5, 16, 40, 100})
    for (const bool transposed : {false, true})
      for (const bool interleaved : {false, true}) {
        SolverRun run = kRefined;
        run.transposed = transposed;
        run.interleaved = interleaved;
        // well conditioned: the diagonal rules
        Systems systems = make_systems(SystemKind::random, size, 5, 3);
        for (Matrix& a : systems.matrices) a.diagonal().array() += 2.0 * size;
        EXPECT_LE(worst_error(systems, solve(*host, run, systems), run), 4e-16 * size) << size;
        EXPECT_LE(worst_error(systems, solve(*debug, run, systems), run), 4e-16 * size) << size;
      }
}

TEST(RefinedSolutions, ServeDefiniteSystems) {
  const std::unique_ptr<Device> host = make_host_device();
  SolverRun run = kRefined;
  run.definite = true;
  const Systems systems = make_systems(SystemKind::definite, 12, 5, 3);
  EXPECT_LE(worst_error(systems, solve(*host, run, systems), run), 1e-14);
}

// Without refinement single precision would leave 1e-7: the bounds above are out of its reach.
TEST(RefinedSolutions, AreNotThoseOfTheFirstFactors) {
  const std::unique_ptr<Device> host = make_host_device();
  Systems systems = make_systems(SystemKind::random, 8, 1, 1);
  systems.matrices[0].diagonal().array() += 16.0;
  const Eigen::MatrixXf single = systems.matrices[0].cast<float>();
  const Eigen::VectorXf b = systems.right_sides[0].cast<float>();
  const Matrix x = single.partialPivLu().solve(b).cast<double>();
  EXPECT_GT(backward_error(systems.matrices[0], x, systems.right_sides[0]), 1e-9);
}

// What single precision cannot factorise is refused system by system, and solved in double.
TEST(RefinedSolutions, AreRefusedWhereTheyDoNotConverge) {
  const std::unique_ptr<Device> host = make_host_device();
  Systems systems = make_systems(SystemKind::random, 10, 3, 4);
  for (Matrix& a : systems.matrices) a.diagonal().array() += 20.0;
  std::mt19937_64 generator(1);
  systems.matrices[1] = nearly_singular_matrix(10, generator);  // condition above 1e9
  systems.matrices[2] *= 1e45;                                  // beyond single precision
  const Solution refined = solve(*host, kRefined, systems);
  EXPECT_EQ(refined.status,
            (std::vector<SystemStatus>{SystemStatus::solved, SystemStatus::refused,
                                       SystemStatus::refused, SystemStatus::solved}));
  EXPECT_TRUE(refined.x[1].array().isNaN().all());
  EXPECT_TRUE(refined.x[2].array().isNaN().all());
  EXPECT_LT(backward_error(systems.matrices[3], refined.x[3], systems.right_sides[3]), 1e-15);
  const SolverRun full{SolverKind::native};
  EXPECT_LE(worst_error(systems, solve(*host, full, systems), full), kBackwardError);
}

// Systems between the two: whatever is not refused is right.
TEST(RefinedSolutions, AreRightOrRefused) {
  const std::unique_ptr<Device> host = make_host_device();
  int solved = 0;
  int refused = 0;
  for (int digits = 0; digits <= 14; ++digits) {
    Systems systems = make_systems(SystemKind::random, 6, 2, 8, static_cast<unsigned>(digits));
    for (Matrix& a : systems.matrices)
      a.row(5) = a.topRows(5).colwise().sum() + std::pow(10.0, -digits) * a.row(5);
    const Solution solution = solve(*host, kRefined, systems);
    for (std::size_t s = 0; s < 8; ++s) {
      if (solution.status[s] == SystemStatus::refused) {
        ++refused;
        continue;
      }
      ++solved;
      EXPECT_LE(backward_error(systems.matrices[s], solution.x[s], systems.right_sides[s]), 1e-15);
    }
  }
  EXPECT_GT(solved, 30);
  EXPECT_GT(refused, 30);
}

}  // namespace
}  // namespace gradus::test
