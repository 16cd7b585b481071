// Evaluations by programs made for their mechanism: the numbers of general kernels, whatever the
// formulation, the integrator and the sensitivities.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <string>

#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"
#include "tests/support/source_path.hpp"
#include "tests/verification/specialised_runs.hpp"

namespace gradus::specialise {
namespace {

Model five_bar() {
  return read_model(source_path("models/five-bar/five-bar.json"));
}
Model slider_crank() {
  return read_model(source_path("models/slider-crank/slider-crank-spring.json"));
}
Model chain() {
  return derivative::parametrise_all(derivative::skew_chain());
}

struct Case {
  Model (*model)();
  const char* formulation;
  const char* integrator;
  Sensitivity sensitivity;
  double duration;    // s
  double rtol = 0.0;  // 0: steps of fixed length
  double step = 1e-3;
  std::size_t designs = 1;
  bool is_optimised = false;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.formulation << ", " << c.integrator;
}

struct EvaluationProgramsBy : testing::TestWithParam<Case> {};

TEST_P(EvaluationProgramsBy, HaveTheNumbersOfGeneralKernels) {
  const Case& c = GetParam();
  std::optional<QuickCompiler> quick;
  if (!c.is_optimised) quick.emplace();
  Options options;
  options.formulation = c.formulation;
  options.integrator = c.integrator;
  options.duration = c.duration;
  options.step = c.step;
  if (c.rtol > 0.0) options.rtol = c.rtol;
  options.lanes = c.designs > 1 ? possible_lanes().back() : 1;
  expect_same_numbers(c.model(), options, c.sensitivity, c.designs, 3);
}

constexpr Sensitivity none = Sensitivity::none;
constexpr Sensitivity direct = Sensitivity::direct;
constexpr Sensitivity adjoint = Sensitivity::adjoint;

INSTANTIATE_TEST_SUITE_P(
    Methods, EvaluationProgramsBy,
    testing::Values(Case{five_bar, "index1", "dop853", direct, 2.0, 1e-6, 1e-3, 1, true},
                    Case{five_bar, "index1", "radau5", direct, 1.0, 1e-6},
                    Case{five_bar, "index1", "rk4", direct, 0.1, 0.0, 1e-3, 11},
                    Case{slider_crank, "matrix-r", "dopri5", adjoint, 1.0, 1e-6},
                    Case{slider_crank, "penalty", "rk4", none, 0.1, 0.0, 1e-3, 11, true},
                    Case{slider_crank, "index1", "newmark", adjoint, 0.1},
                    Case{chain, "fully-recursive", "dopri5", none, 1.0, 1e-6},
                    Case{chain, "semi-recursive", "rodas5p", none, 1.0, 1e-6},
                    Case{derivative::of_everything, "semi-recursive", "dop853", direct, 0.05, 1e-6},
                    Case{derivative::led_by_states, "index1", "dopri5", direct, 0.5, 1e-6},
                    Case{five_bar, "index1", "dop853", direct, 2.0, 1e-6, 1e-3, 11, true},
                    Case{slider_crank, "matrix-r", "dopri5", none, 1.0, 1e-6, 1e-3, 11},
                    Case{derivative::of_everything, "semi-recursive", "dopri5", direct, 0.05, 1e-6,
                         1e-3, 11}));

// One whose programs waste time in every function, by functions of their own that the C library has
// as well.
class SlowCompiler {
 public:
  SlowCompiler()
      : path_(testing::TempDir() + "/slow_compiler_" + std::to_string(getpid())),
        named_(written(path_)) {}
  SlowCompiler(const SlowCompiler&) = delete;
  SlowCompiler& operator=(const SlowCompiler&) = delete;
  ~SlowCompiler() {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".c");
  }

 private:
  static std::string written(const std::string& path) {
    std::ofstream(path + ".c")
        << "__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void "
           "*g) "
           "{ for (volatile int i = 0; i < 100000; ++i) (void)f, (void)g; }\n"
           "__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *g) "
           "{ (void)f, (void)g; }\n";
    std::ofstream(path) << "#!/bin/sh\nexec cc \"$@\" -Wl,-Bsymbolic -finstrument-functions '"
                        << path << ".c'\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  std::string path_;
  NamedCompiler named_;
};

// Where they are used only if they pay.
TEST(EvaluationPrograms, AreLeftAloneIfTheyAreSlower) {
  const SlowCompiler slow;
  Options options;
  options.formulation = "index1";
  options.integrator = "rk4";
  options.step = 1e-3;
  options.duration = 0.3;
  options.kernels = "auto";
  Specialised specialised(slider_crank(), options, none);
  const MotionOutcome first = specialised.go();
  StepCounts counts;
  for (int k = 0; k < 2000 && counts.obstacle.empty(); ++k) {
    EXPECT_EQ(specialised.go().objectives, first.objectives);
    if (!specialised.request.workshop->all().empty()) counts = specialised.steps()->counts();
  }
  EXPECT_NE(counts.obstacle.find("would be slower"), std::string::npos) << counts.obstacle;
  EXPECT_EQ(counts.programmed, 0u);
}

// A slider whose law is at x = 0 no longer what it was when programs learnt it: what is zero there,
// or no number, is folded away in them.
Model passing_zero(const std::string& law) {
  Model m = test::one_body("slider", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 1.0, -0.25, "x");
  m.bodies[0].points["tip"] = {0, 0, 0};
  m.sensors.push_back({"p", "position", "slider.tip"});
  m.parameters.push_back({"k", 0.01, "", {}, ""});
  m.forces.push_back(make_joint_force("push", "rail", law));
  m.objectives = {{"end", ObjectiveKind::terminal, "p.x", "", ""}};
  return m;
}

TEST(EvaluationPrograms, LeaveZerosAndNoNumbersToGeneralKernels) {
  const QuickCompiler quick;
  const auto expect_same = [](const std::string& law, bool fails) {
    SCOPED_TRACE(law);
    Options options;
    options.formulation = "semi-recursive";
    options.integrator = "rk4";
    options.step = 1e-3;
    options.duration = 8.0;
    Specialised specialised(passing_zero(law), options, Sensitivity::direct);
    MotionRequest request = specialised.request;
    request.workshop = nullptr;
    const MotionOutcome general = run_on_host(request, 1);
    EXPECT_EQ(general.status.front() != kernels::Status::ok, fails);
    for (int run = 0; run < 3; ++run) {
      const MotionOutcome outcome = specialised.go();
      specialised.steps()->settle({});
      EXPECT_EQ(outcome.status, general.status);
      EXPECT_EQ(outcome.failure_time, general.failure_time);
      if (fails) continue;
      EXPECT_EQ(outcome.objectives, general.objectives);
      EXPECT_EQ(outcome.gradient, general.gradient);
    }
    EXPECT_GT(specialised.steps()->counts().programmed, 1000u);
  };
  expect_same("k*atan2(-p.y, p.x)", false);
  expect_same("k*p.y/max(0, p.x)", true);
  expect_same("k*(1 + p.y*log(p.x))", true);
  expect_same("k*(1 + p.y*sqrt(p.x))", true);
  expect_same("k*(1 + p.y*exp(-8000*min(0, p.x)))", true);
}

}  // namespace
}  // namespace gradus::specialise
