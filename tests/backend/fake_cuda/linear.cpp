// Solvers of the CUDA backend on the stand-ins for the runtime, cuBLAS and cuSOLVER: layouts,
// pivots, transposition, verdicts and the order of work, without a GPU.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "gradus/error.hpp"
#include "tests/backend/fake_cuda/live_handles.hpp"
#include "tests/backend/five_bar.hpp"
#include "tests/backend/linear/solver_run.hpp"
#include "tests/derivative/build.hpp"

namespace gradus::test {
namespace {

class FakeLibraries : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(setenv("GRADUS_MODULES", GRADUS_FAKE_CUDA_MODULES, 1), 0);
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

double deviation(const Result& a, const Result& b) {
  double scale = 0.0;
  double apart = 0.0;
  for (std::size_t k = 0; k < b.gradient.size(); ++k) {
    scale = std::max(scale, std::abs(b.gradient[k]));
    apart = std::max(apart, std::abs(a.gradient[k] - b.gradient[k]));
  }
  EXPECT_GT(scale, 0.0);
  return apart / scale;
}

TEST_F(FakeLibraries, SolveForTheColumnsOfAMotion) {
  const Result host = gradient(five_bar(), short_run("cpu:1", 37));
  for (const char* solver : {"native", "cublas-getrs", "cublas-trsm", "cusolver"}) {
    Options options = short_run("cuda", 37);
    options.solver = solver;
    const Result gpu = gradient(five_bar(), options);
    ASSERT_TRUE(gpu.all_ok());
    EXPECT_EQ(gpu.solver, solver);
    EXPECT_LT(deviation(gpu, host), 1e-11) << solver;
  }
}

// A chain of so many bodies on slides and hinges.
Model chain(int bodies) {
  using namespace derivative;
  Model model;
  model.gravity = {0.3, -9.81, 0.1};
  std::string parent = "ground";
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    model.bodies.push_back(make_body(name, 1.0, {0.1, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0, "com"},
                                     {{"tip", {0.2, 0.01 * i, 0}}}));
    model.joints.push_back(make_joint("j" + std::to_string(i), JointType::revolute, parent, name,
                                      {0, 0.1 * i, 1}, 0.1));
    parent = name + ".tip";
  }
  add_objectives(model, parent, "j0");
  model.analysis.step = 1e-3;
  model.analysis.duration = 2e-3;
  return parametrise(model, [](const std::string& path) { return path.rfind("mass b1", 0) == 0; });
}

// Unasked, where it may pay.
TEST_F(FakeLibraries, SolveForTheColumnsOfLargeMechanismsUnasked) {
  struct Batch {
    int bodies;
    std::size_t designs;
    const char* solver;
  };
  for (const auto& [bodies, designs, solver] :
       {Batch{31, 1, ""}, Batch{100, 2, ""}, Batch{100, 1, "cusolver"}}) {
    Options options = short_run("cuda", designs);
    options.duration.reset();
    const Result gpu = gradient(chain(bodies), options);
    ASSERT_TRUE(gpu.all_ok());
    EXPECT_EQ(gpu.solver, solver) << bodies;
    options.backend = "cpu:1";
    EXPECT_LT(deviation(gpu, gradient(chain(bodies), options)), 1e-11);
  }
}

TEST_F(FakeLibraries, LeaveNothingBehindWhereTheyFail) {
  const int before = live_handles();
  LinearBatch definite{3, 1};
  definite.definite = true;
  make_solver(device(), SolverKind::cublas_getrs, {3, 1});
  make_solver(device(), SolverKind::cusolver, definite);
  EXPECT_EQ(live_handles(), before);
  ASSERT_EQ(setenv("GRADUS_FAKE_CUDA", "no-stream-for-libraries", 1), 0);
  EXPECT_THROW(make_solver(device(), SolverKind::cublas_getrs, {3, 1}), BackendError);
  EXPECT_THROW(make_solver(device(), SolverKind::cusolver, {3, 1}), BackendError);
  EXPECT_THROW(make_solver(device(), SolverKind::cusolver, definite), BackendError);
  unsetenv("GRADUS_FAKE_CUDA");
  EXPECT_EQ(live_handles(), before);
}

TEST_F(FakeLibraries, SayWhatTheyDoNotDo) {
  LinearBatch definite{3, 1};
  definite.definite = true;
  EXPECT_THROW(make_solver(device(), SolverKind::cublas_getrs, definite), BackendError);
  EXPECT_THROW(make_solver(device(), SolverKind::eigen, {3, 1}), BackendError);
}

}  // namespace
}  // namespace gradus::test
