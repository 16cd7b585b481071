// Solvers of the CUDA backend on the stand-ins for the runtime, cuBLAS and cuSOLVER: layouts,
// pivots, transposition, verdicts and the order of work, without a GPU.
#include <cstdlib>

#include "gradus/error.hpp"
#include "tests/backend/linear/solver_run.hpp"

namespace gradus::test {
namespace {

class FakeLibraries : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(setenv("GRADUS_CUDA_LIBRARY", GRADUS_FAKE_CUDA_LIBRARY, 1), 0);
    ASSERT_EQ(setenv("GRADUS_CUSOLVER_LIBRARY", GRADUS_FAKE_CUDA_LIBRARY, 1), 0);
    ASSERT_EQ(setenv("GRADUS_CUBLAS_LIBRARY", "/nowhere/libcublas.so", 1), 0);
    device_ = make_cuda_device(0);
    // Where it is not installed, that is an error with a reason, and no obstacle to others.
    if (!complained_) complain();
    ASSERT_EQ(setenv("GRADUS_CUBLAS_LIBRARY", GRADUS_FAKE_CUDA_LIBRARY, 1), 0);
  }

  Device& device() { return *device_; }

 private:
  void complain() {
    complained_ = true;
    expect_solved(device(), {SolverKind::native}, make_systems(SystemKind::random, 3, 1, 1), "");
    try {
      make_solver(device(), SolverKind::cublas_trsm, {3, 1});
      ADD_FAILURE() << "nothing was thrown";
    } catch (const BackendError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("libcublas.so"), std::string::npos) << message;
      EXPECT_NE(message.find("GRADUS_CUBLAS_LIBRARY"), std::string::npos) << message;
    }
  }

  inline static bool complained_ = false;
  std::unique_ptr<Device> device_;
};

const std::vector<int> kSizes{1, 2, 5, 16, 33, 70};

TEST_F(FakeLibraries, SolveSystemsOfEveryKind) {
  for (const bool interleaved : {false, true}) {
    expect_all_kinds_solved(device(), {SolverKind::native, interleaved}, kSizes);
    expect_all_kinds_solved(device(), {SolverKind::cusolver, interleaved}, kSizes);
    for (const SolverKind kind : {SolverKind::cublas_getrs, SolverKind::cublas_trsm})
      expect_general_kinds_solved(device(), {kind, interleaved}, kSizes);
  }
}

TEST_F(FakeLibraries, TakeAnyNumberOfSystemsAndRightSides) {
  for (const SolverKind kind :
       {SolverKind::cublas_getrs, SolverKind::cublas_trsm, SolverKind::cusolver})
    for (const bool interleaved : {false, true})
      expect_all_shapes_solved(device(), {kind, interleaved});
}

TEST_F(FakeLibraries, LeaveOthersAloneWhereOneFails) {
  for (const bool interleaved : {false, true}) {
    for (const SolverKind kind :
         {SolverKind::cublas_getrs, SolverKind::cublas_trsm, SolverKind::cusolver})
      expect_failures_contained(device(), {kind, interleaved});
    expect_failures_contained(device(), {SolverKind::cusolver, interleaved, true});
  }
}

TEST_F(FakeLibraries, SayWhatTheyDoNotDo) {
  LinearBatch definite{3, 1};
  definite.definite = true;
  EXPECT_THROW(make_solver(device(), SolverKind::cublas_getrs, definite), BackendError);
  EXPECT_THROW(make_solver(device(), SolverKind::eigen, {3, 1}), BackendError);
}

}  // namespace
}  // namespace gradus::test
