// Batched solvers on a GPU: each against systems of every kind, and the native one against the
// host.
#include "gradus/error.hpp"
#include "tests/backend/gpu.hpp"
#include "tests/backend/linear/solver_run.hpp"

namespace gradus::test {
namespace {

class CudaSolvers : public NeedsGpu {
 protected:
  void SetUp() override {
    NeedsGpu::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) device_ = make_cuda_device(0);
  }
  Device& device() { return *device_; }

  // Those libraries that are installed.
  std::vector<SolverKind> libraries() {
    std::vector<SolverKind> list;
    for (const SolverKind kind :
         {SolverKind::cublas_getrs, SolverKind::cublas_trsm, SolverKind::cusolver})
      try {
        make_solver(device(), kind, {2, 1});
        list.push_back(kind);
      } catch (const BackendError& error) {
        RecordProperty(solver_name(kind), error.what());
      }
    return list;
  }

 private:
  std::unique_ptr<Device> device_;
};

const std::vector<int> kSizes{1, 2, 3, 4, 7, 8, 9, 16, 17, 31, 32, 33, 64, 77, 78, 128, 512};

TEST_F(CudaSolvers, NativeSolvesSystemsOfEveryKind) {
  for (const bool interleaved : {false, true})
    expect_all_kinds_solved(device(), {SolverKind::native, interleaved}, kSizes);
}

TEST_F(CudaSolvers, NativeTakesAnyNumberOfSystemsAndRightSides) {
  for (const bool interleaved : {false, true})
    expect_all_shapes_solved(device(), {SolverKind::native, interleaved});
}

// To round-off, which these systems magnify.
TEST_F(CudaSolvers, NativeAgreesWithTheHost) {
  const std::unique_ptr<Device> host = make_host_device();
  for (const int size : {3, 12, 30, 50, 100})
    for (const bool transposed : {false, true}) {
      const Systems systems = make_systems(SystemKind::kkt, size, 40, 35);
      const SolverRun run{SolverKind::native, false, false, false, transposed};
      const Solution gpu = solve(device(), run, systems);
      const Solution cpu = solve(*host, run, systems);
      for (std::size_t s = 0; s < cpu.x.size(); ++s)
        EXPECT_LE((gpu.x[s] - cpu.x[s]).norm(), 1e-8 * cpu.x[s].norm()) << size;
    }
}

TEST_F(CudaSolvers, LibrariesSolveSystemsOfEveryKind) {
  for (const SolverKind kind : libraries())
    for (const bool interleaved : {false, true}) {
      if (kind == SolverKind::cusolver)
        expect_all_kinds_solved(device(), {kind, interleaved}, kSizes);
      else
        expect_general_kinds_solved(device(), {kind, interleaved}, kSizes);
    }
}

TEST_F(CudaSolvers, FailuresLeaveOthersAlone) {
  std::vector<SolverKind> kinds = libraries();
  kinds.push_back(SolverKind::native);
  for (const SolverKind kind : kinds)
    for (const bool interleaved : {false, true}) {
      expect_failures_contained(device(), {kind, interleaved});
      if (kind == SolverKind::native || kind == SolverKind::cusolver)
        expect_failures_contained(device(), {kind, interleaved, true});
    }
}

TEST_F(CudaSolvers, RefineFromSinglePrecision) {
  for (const int size : {2, 16, 40}) {
    Systems systems = make_systems(SystemKind::random, size, 37, 35);
    for (Matrix& a : systems.matrices) a.diagonal().array() += 2.0 * size;
    const SolverRun run{SolverKind::native, true, false, true};
    EXPECT_LE(worst_error(systems, solve(device(), run, systems), run), 4e-16 * size);
  }
}

}  // namespace
}  // namespace gradus::test
