// Batches of systems solved on a device, and what is asked of the solutions whatever solved them.
#pragma once

#include <gtest/gtest.h>

#include "src/backend/device.hpp"
#include "tests/support/linear_systems.hpp"

namespace gradus::test {

using kernels::SystemStatus;

// Systems on the host, row-major, one after another.
struct Systems {
  std::vector<Matrix> matrices, right_sides;
  int size() const { return matrices.empty() ? 0 : static_cast<int>(matrices[0].rows()); }
  int columns() const { return right_sides.empty() ? 0 : static_cast<int>(right_sides[0].cols()); }
};

inline Systems make_systems(SystemKind kind, int size, int columns, int count, unsigned seed = 1) {
  std::mt19937_64 generator(seed);
  Systems systems;
  for (int s = 0; s < count; ++s) {
    systems.matrices.push_back(system_matrix(kind, size, generator));
    systems.right_sides.push_back(random_matrix(size, columns, generator));
  }
  return systems;
}

struct Solution {
  std::vector<Matrix> x;
  std::vector<SystemStatus> status;
};

// How a run is asked for.
struct SolverRun {
  SolverKind kind = SolverKind::native;
  bool interleaved = false;
  bool definite = false;
  bool refined = false;
  bool transposed = false;
  bool at_once = false;            // factorised and solved in one call
  bool mixed_arrangement = false;  // matrices the other way
};

inline std::string name_of(const SolverRun& run) {
  return solver_name(run.kind) + (run.interleaved ? ", interleaved" : "") +
         (run.definite ? ", definite" : "") + (run.refined ? ", refined" : "") +
         (run.transposed ? ", transposed" : "") + (run.at_once ? ", at once" : "") +
         (run.mixed_arrangement ? ", matrices the other way" : "");
}

// Where entry e of system s lies in a batch.
inline std::size_t place_of(std::size_t s, std::size_t e, std::size_t entries, bool interleaved) {
  const std::ptrdiff_t first = kernels::offset_of({interleaved, 0}, static_cast<std::ptrdiff_t>(s),
                                                  static_cast<std::ptrdiff_t>(entries));
  return static_cast<std::size_t>(first) + e * (interleaved ? kernels::kTile : 1);
}

// The entries of all systems as a batch holds them.
inline std::vector<double> packed(const std::vector<Matrix>& list, bool interleaved) {
  const std::size_t entries = list.empty() ? 0 : static_cast<std::size_t>(list[0].size());
  const std::size_t room = interleaved ? (list.size() + 31) / 32 * 32 : list.size();
  std::vector<double> batch(entries * room);
  for (std::size_t s = 0; s < list.size(); ++s)
    for (std::size_t e = 0; e < entries; ++e)
      batch[place_of(s, e, entries, interleaved)] = list[s].data()[e];
  return batch;
}

inline std::vector<Matrix> unpacked(const std::vector<double>& batch, const Systems& systems,
                                    bool interleaved) {
  const std::size_t count = systems.matrices.size();
  std::vector<Matrix> list(count, Matrix(systems.size(), systems.columns()));
  for (std::size_t s = 0; s < count; ++s) {
    const auto entries = static_cast<std::size_t>(list[s].size());
    for (std::size_t e = 0; e < entries; ++e)
      list[s].data()[e] = batch[place_of(s, e, entries, interleaved)];
  }
  return list;
}

inline Solution solve(Device& device, const SolverRun& run, const Systems& systems) {
  const bool matrices_interleaved = run.interleaved != run.mixed_arrangement;
  const std::vector<double> matrices = packed(systems.matrices, matrices_interleaved);
  std::vector<double> x = packed(systems.right_sides, run.interleaved);
  const DeviceBuffer a(device, matrices.size() * sizeof(double));
  const DeviceBuffer b(device, x.size() * sizeof(double));
  device.upload(a.data(), matrices.data(), a.size());
  device.upload(b.data(), x.data(), b.size());
  const auto count = static_cast<std::ptrdiff_t>(systems.matrices.size());
  const std::unique_ptr<BatchedSolver> solver = make_solver(device, run.kind,
                                                            {systems.size(),
                                                             count,
                                                             {matrices_interleaved},
                                                             {run.interleaved},
                                                             run.definite,
                                                             run.refined});
  EXPECT_EQ(solver->kind(), run.kind);
  const auto* on_device = static_cast<const double*>(a.data());
  auto* right_sides = static_cast<double*>(b.data());
  if (run.at_once) {
    solver->factorise_and_solve(on_device, right_sides, systems.columns(), run.transposed);
  } else {
    solver->factorise(on_device);
    solver->solve(right_sides, systems.columns(), run.transposed);
  }
  device.download(x.data(), b.data(), b.size());
  return {unpacked(x, systems, run.interleaved), solver->status()};
}

// The largest backward error over all systems; fails where one is not solved.
inline double worst_error(const Systems& systems, const Solution& solution, const SolverRun& run) {
  double worst = 0.0;
  for (std::size_t s = 0; s < systems.matrices.size(); ++s) {
    EXPECT_EQ(solution.status[s], SystemStatus::solved) << "system " << s << " by " << name_of(run);
    const Matrix a = run.transposed ? Matrix(systems.matrices[s].transpose()) : systems.matrices[s];
    const double error = backward_error(a, solution.x[s], systems.right_sides[s]);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

// What LU with row exchanges may leave: round-off times a modest growth of the pivots; matrices
// here have orders up to some hundred.
constexpr double kBackwardError = 1e-13;

inline void expect_solved(Device& device, const SolverRun& run, const Systems& systems,
                          const std::string& what) {
  const double error = worst_error(systems, solve(device, run, systems), run);
  EXPECT_LE(error, kBackwardError)
      << what << " of size " << systems.size() << " on " << device.name() << " by " << name_of(run);
}

// Kinds of systems, forward and transposed, in one call and in two.
inline void expect_general_kinds_solved(Device& device, SolverRun run,
                                        const std::vector<int>& sizes) {
  for (const int size : sizes)
    for (const SystemKind kind : {SystemKind::random, SystemKind::badly_scaled,
                                  SystemKind::nearly_singular, SystemKind::kkt}) {
      run.transposed = !run.transposed;
      run.at_once = kind == SystemKind::random || kind == SystemKind::kkt;
      expect_solved(device, run, make_systems(kind, size, size > 64 ? 2 : 5, 3), name_of(kind));
    }
}

// Definite systems as well, by their own factorisation.
inline void expect_all_kinds_solved(Device& device, SolverRun run, const std::vector<int>& sizes) {
  expect_general_kinds_solved(device, run, sizes);
  run.definite = true;
  for (const int size : sizes)
    expect_solved(device, run, make_systems(SystemKind::definite, size, 5, 3), "definite");
}

// Numbers of systems and right-hand sides, among them none, odd ones and more than a warp has
// lanes.
inline void expect_all_shapes_solved(Device& device, SolverRun run) {
  for (const int count : {0, 1, 33, 130})
    for (const int columns : {0, 1, 3, 37}) {
      run.transposed = !run.transposed;
      expect_solved(device, run, make_systems(SystemKind::random, 6, columns, count), "random");
    }
  expect_solved(device, run, make_systems(SystemKind::random, 5, 4096, 2), "random");
  expect_solved(device, run, make_systems(SystemKind::random, 4, 1, 100'000), "random");
}

// Failing systems are marked and get NaN; their neighbours have the bits they have alone.
inline void expect_failures_contained(Device& device, SolverRun run) {
  const SystemKind kind = run.definite ? SystemKind::definite : SystemKind::random;
  const Systems good = make_systems(kind, 7, 3, 5);
  Systems bad = good;
  bad.matrices[1].row(4).setZero();
  bad.matrices[1].col(4).setZero();
  bad.matrices[3](2, 2) = NAN;
  const Solution alone = solve(device, run, good);
  const Solution beside = solve(device, run, bad);
  for (std::size_t s = 0; s < 5; ++s) {
    if (s == 1 || s == 3) {
      EXPECT_EQ(beside.status[s],
                run.definite ? SystemStatus::not_definite : SystemStatus::singular)
          << name_of(run) << ", system " << s;
      EXPECT_TRUE(beside.x[s].array().isNaN().all()) << name_of(run) << ", system " << s;
    } else {
      EXPECT_EQ(beside.status[s], SystemStatus::solved) << name_of(run) << ", system " << s;
      EXPECT_EQ(beside.x[s], alone.x[s]) << name_of(run) << ", system " << s;
    }
  }
}

}  // namespace gradus::test
