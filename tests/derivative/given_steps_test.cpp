// Steps of adaptive methods that are noted and taken again: by the same design, by its neighbours,
// by adjoints and by dual numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "src/motion/host_run.hpp"
#include "src/sensitivity/differences.hpp"
#include "src/sensitivity/gradient.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

class GivenSteps : public testing::Test {
 protected:
  // Loose tolerances: steps are long, and few.
  static Model model() {
    Model model = parametrise(skew_chain(), [](const std::string& path) {
      return path == "mass b2" || path == "point b1.tip.z" || path == "velocity j4" ||
             path == "stiffness s1";
    });
    model.analysis.formulation = "semi-recursive";
    model.analysis.integrator = "dopri5";
    model.analysis.rtol = model.analysis.atol = 1e-3;
    model.analysis.columns_in_error = true;
    return model;
  }

  MotionRequest request(const std::string& method, bool given) const {
    MotionRequest request = request_of(run_, method);
    if (given) request.given_steps = noted_.taken_steps;
    return request;
  }
  std::size_t parameters() const { return run_.plan().nominal.size(); }

  static MotionOutcome noted(const DesignRun& run) {
    MotionRequest request = request_of(run, "direct");
    request.notes_steps = true;
    return run.run(request);
  }

  Options options_ = [] {
    Options options;
    options.backend = "cpu:1";
    return options;
  }();
  DesignRun run_{model(), options_};
  MotionOutcome noted_ = noted(run_);
};

TEST_F(GivenSteps, AreNotedAsTheyWere) {
  const std::vector<double>& steps = noted_.taken_steps;
  constexpr std::size_t width = kernels::kGivenStepNumbers;
  const std::size_t size = width * static_cast<std::size_t>(noted_.steps[0]);
  ASSERT_EQ(steps.size(), size + width);  // and what says that none of no length follows
  ASSERT_GT(steps.size(), 8U);
  double time = 0.0;
  EXPECT_LT(steps[size], 0.0);
  for (std::size_t k = 0; k < size; k += width) {
    EXPECT_NEAR(steps[k + 1], time + steps[k], 1e-15);
    time = steps[k + 1];
  }
  EXPECT_EQ(time, run_.request().settings().duration);
  const MotionOutcome plain = run_.run(request("direct", false));
  EXPECT_EQ(plain.gradient, noted_.gradient) << "noting changes nothing";
  const MotionOutcome again = run_.run(request("direct", true));
  EXPECT_EQ(again.gradient, noted_.gradient);
  EXPECT_EQ(again.objectives, noted_.objectives);
  EXPECT_EQ(again.rejected_steps[0], 0.0);
}

// Whose own error would have other steps: without columns, these do not control it.
TEST_F(GivenSteps, LeadOtherMethodsTheSameWay) {
  MotionRequest unled = request("adjoint", false);
  unled.probe = nullptr;
  const MotionOutcome own = run_.run(unled);
  EXPECT_GT(largest_deviation(own.gradient, noted_.gradient, parameters()), 1e-7);
  const MotionOutcome adjoint = run_.run(request("adjoint", true));
  EXPECT_EQ(adjoint.steps, noted_.steps);
  EXPECT_LT(largest_deviation(adjoint.gradient, noted_.gradient, parameters()), 1e-11);
  MotionRequest little = request("adjoint", true);
  little.memory = 40000;
  EXPECT_EQ(run_.run(little).gradient, adjoint.gradient);
  const MotionOutcome dual = run_dual_on_host(request("none", true), 1);
  EXPECT_LT(largest_deviation(dual.gradient, noted_.gradient, parameters()), 1e-11);
}

// Neighbours by steps of their own differ by what they allow themselves; by the same steps the
// difference is that of a smooth function.
TEST_F(GivenSteps, MakeDifferencesSmooth) {
  const auto deviation = [&](bool given) {
    const Differences found = central_differences(run_, request("none", given), 1e-5);
    return largest_deviation(found.slopes, noted_.gradient, parameters());
  };
  EXPECT_LT(deviation(true), 1e-7);
  EXPECT_GT(deviation(false), 1e-6);
}

// The method of differences does so by itself, for each of several designs, also where the motion
// has instants that steps are shortened for.
TEST(Differences, TakeTheStepsOfTheDesignBetween) {
  Model rotor;
  rotor.gravity = {0, 0, 0};
  rotor.parameters = {make_parameter("L", 0.5), make_parameter("w", 20.0)};
  rotor.bodies = {
      make_body("rod", 1.0, {"L/2", 0, 0}, {0, 0.1, 0.1, 0, 0, 0, "com"}, {{"tip", {"L", 0, 0}}})};
  rotor.joints = {make_joint("hinge", JointType::revolute, "ground", "rod", {0, 0, 1}, 0.3, "w")};
  rotor.sensors = {{"tip", "position", "rod.tip"}};
  rotor.objectives = {{"bottom", ObjectiveKind::minimum, "tip.y", "", ""},
                      {"mean", ObjectiveKind::integral, "tip.y^2", "", ""}};
  rotor.analysis.formulation = "semi-recursive";
  rotor.analysis.integrator = "dop853";
  rotor.analysis.duration = 1.0;
  Options options;
  options.backend = "cpu:1";
  options.designs.values = {0.5, 20.0, 0.6, 20.0};
  const Result direct = run_gradient(rotor, "direct", options);
  const Result differences = run_gradient(rotor, "finite-difference", options);
  for (std::size_t k = 0; k < direct.gradient.size(); ++k)
    EXPECT_NEAR(differences.gradient[k], direct.gradient[k], 1e-6) << k;
  EXPECT_NEAR(differences.gradient[0], -1.0, 1e-6);
  EXPECT_EQ(differences.step_count, direct.step_count);
}

}  // namespace
}  // namespace gradus::derivative
