// Objectives that are values at given times: their gradients beside integrals and end values, and
// that they are what a motion that ends there has at its end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "src/motion/mechanism.hpp"
#include "src/plan/layout.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/methods.hpp"

namespace gradus::derivative {
namespace {

using test::Method;

constexpr double kStep = 1.0 / 256;  // so that products are exact
constexpr int kSteps = 6;
constexpr const char* kMixture =
    "dot(r, [1, 2, -0.5]) + dot(v, [0.7, -1, 0.4]) + dot(cross(a, r), [1, 0.5, 2]) + qdd*q + "
    "0.1*total + t*q";

Objective values_at(const std::vector<double>& times, const std::string& name = "mixture") {
  return {name, ObjectiveKind::value, kMixture, "", "", {}, times};
}

// Between integrals and end values.
void add_values(Model& model, const std::vector<double>& times) {
  model.objectives.insert(model.objectives.begin() + 2, values_at(times));
}

Model mechanism(const Method& method) {
  static const std::vector<std::string> some{
      "mass ball",    "com rod.y",         "axis sleeve.x",    "axis cut.x",
      "stiffness s1", "position socket.1", "velocity socket.2"};
  Model model =
      parametrise(method.formulation.loops ? closed_by(JointType::revolute) : every_joint(),
                  [](const std::string& path) {
                    return std::find(some.begin(), some.end(), path) != some.end();
                  });
  method.use_closely_in(model);
  model.analysis.step = kStep;
  model.analysis.duration = kSteps * kStep;
  return model;
}

// Adaptive steps end wherever they are asked to.
std::vector<double> times(const Method& method) {
  if (method.integrator.adaptive) return {0.0031, 0.4 * kSteps * kStep, 0.0141};
  return {kStep, 3 * kStep, 4 * kStep};
}

class Values : public testing::TestWithParam<Method> {};

TEST_P(Values, AreDifferentiatedExactly) {
  Model model = mechanism(GetParam());
  add_values(model, times(GetParam()));
  expect_exact_gradient(model, tolerances_of(GetParam()));
}

// Entries of the row of an objective.
std::vector<double> row_of(const Result& result, const std::string& name) {
  const std::size_t width = result.parameters.size();
  for (std::size_t o = 0; o < result.objectives.size(); ++o) {
    if (result.objectives[o].name != name) continue;
    const auto begin = result.gradient.begin() + static_cast<std::ptrdiff_t>(o * width);
    return {begin, begin + static_cast<std::ptrdiff_t>(width)};
  }
  ADD_FAILURE() << "no objective " << name;
  return {};
}

double value_of(const Result& result, const std::string& name) {
  for (std::size_t o = 0; o < result.objectives.size(); ++o)
    if (result.objectives[o].name == name) return result.objective_values[o];
  ADD_FAILURE() << "no objective " << name;
  return NAN;
}

// So many that elements are found for units of generalised forces and constraints, and pooled:
// against columns, which know nothing of that.
TEST_P(Values, ArePooledWhereTheyAreMany) {
  Model model = mechanism(GetParam());
  add_values(model, times(GetParam()));
  const std::vector<Objective> stated = model.objectives;
  for (int k = 2; k <= 24; ++k)
    for (Objective objective : stated) {
      objective.name += " times " + std::to_string(k);
      objective.expression = std::to_string(k) + "*(" + objective.expression + ")";
      model.objectives.push_back(objective);
    }
  const CompiledMechanism mechanism(model, {});
  ASSERT_TRUE(pools_elements(mechanism.plan().view(), Sensitivity::adjoint));
  const Result direct = run_gradient(model, "direct"), adjoint = run_gradient(model, "adjoint");
  EXPECT_LT(largest_deviation(adjoint.gradient, direct.gradient, direct.parameters.size()),
            tolerances_of(GetParam()).dual);
}

// A motion that ends there, by the same steps, or nearly so. What it was worth before does not
// enter.
TEST_P(Values, AreThoseOfAMotionThatEndsThere) {
  const std::vector<double> all = times(GetParam());
  Model model = mechanism(GetParam());
  add_values(model, all);
  for (const char* method : {"direct", "adjoint"}) {
    const Result whole = run_gradient(model, method);
    for (std::size_t k = 0; k < all.size(); ++k) {
      Model shorter = mechanism(GetParam());
      shorter.analysis.duration = all[k];
      if (k > 0) add_values(shorter, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k)});
      shorter.objectives.push_back({"end", ObjectiveKind::terminal, kMixture, "", ""});
      Options options;
      if (!GetParam().integrator.adaptive) options.step = kStep;
      const Result part = run_gradient(shorter, method, options);
      const std::string name = whole.objectives[2 + k].name;
      // Gradients of integrals decide on adaptive steps, and their last bits depend on what else is
      // computed with them.
      const bool adaptive = GetParam().integrator.adaptive;
      const double end = value_of(part, "end");
      EXPECT_NEAR(value_of(whole, name), end, adaptive ? 1e-11 * std::abs(end) : 0.0)
          << name << " by " << method;
      const std::vector<double> expected = row_of(part, "end");
      EXPECT_LT(largest_deviation(row_of(whole, name), expected, expected.size()),
                adaptive ? 1e-10 : 1e-12)
          << name << " by " << method;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Values, testing::ValuesIn(test::tested_methods(false)),
                         [](const auto& method) { return method.param.label(); });

Method method_of(const std::string& formulation, const std::string& integrator) {
  for (const Method& method : test::tested_methods(false))
    if (method.formulation.label == formulation && method.integrator.name == integrator)
      return method;
  throw std::runtime_error("no test knows " + formulation + " with " + integrator);
}

// Nothing is carried from one time to the next: the rows of others leave the bits alone, and the
// end is a time like any other.
void expect_independent(const Method& tested) {
  Model model = mechanism(tested);
  add_values(model, {kStep, 4 * kStep, kSteps * kStep});
  model.objectives.push_back({"end", ObjectiveKind::terminal, kMixture, "", ""});
  Model one = mechanism(tested);
  add_values(one, {4 * kStep});
  for (const char* method : {"direct", "adjoint"}) {
    const Result all = run_gradient(model, method);
    const Result single = run_gradient(one, method);
    EXPECT_EQ(row_of(all, "mixture@0.015625"), row_of(single, "mixture@0.015625"));
    EXPECT_EQ(row_of(all, "mixture@0.0234375"), row_of(all, "end"));
    EXPECT_EQ(value_of(all, "mixture@0.0234375"), value_of(all, "end"));
    EXPECT_NE(value_of(all, "mixture@0.00390625"), value_of(all, "mixture@0.015625"));
  }
}

TEST(ValuesAtTimes, AreIndependentOfEachOther) {
  expect_independent(method_of("ali3p", "newmark"));
  expect_independent(method_of("matrix_r", "generalised-alpha"));
  expect_independent(method_of("index1", "radau5"));
  expect_independent(method_of("penalty", "rk4"));
}

TEST(ValuesAtTimes, MayBeThoseOfTheStart) {
  for (const auto& [formulation, integrator] :
       {std::pair{"ali3p", "newmark"}, std::pair{"matrix_r", "rk4"}, std::pair{"index1", "radau5"},
        std::pair{"matrix_r", "generalised-alpha"}, std::pair{"matrix_r", "dop853"}}) {
    Model model = mechanism(method_of(formulation, integrator));
    add_values(model, {0.0, 2 * kStep});
    const Result direct = run_gradient(model, "direct");
    const std::size_t width = direct.parameters.size();
    ASSERT_EQ(direct.objectives[2].name, "mixture@0");
    const std::vector<double> start = row_of(direct, "mixture@0");
    EXPECT_GT(*std::max_element(start.begin(), start.end()), 1e-3);
    for (const char* method : {"adjoint", "dual"}) {
      const Result other = run_gradient(model, method);
      EXPECT_LT(largest_deviation(start, row_of(other, "mixture@0"), width), 1e-10)
          << formulation << " " << integrator << " " << method;
      const double value = value_of(direct, "mixture@0");
      EXPECT_NEAR(value_of(other, "mixture@0"), value, 1e-13 * std::abs(value));
    }
  }
}

TEST(ValuesAtTimes, OfAPrescribedMotionAreDifferentiatedExactly) {
  Model model = parametrise(driven_loop(), [](const std::string& path) {
    return path.rfind("point", 0) == 0 && path.find("wall") == std::string::npos;
  });
  model.analysis.formulation = "kinematic";
  const double h = model.analysis.step;
  add_values(model, {2 * h, 3 * h});
  expect_exact_gradient(model);
}

// Steps end at every time of a mesh, and are as long as before in between.
TEST(ValuesAtTimes, CutAdaptiveStepsOnlyWhereTheyAreDue) {
  Model model = mechanism(method_of("matrix_r", "dopri5"));
  model.analysis.duration = 0.5;
  const Result without = run_gradient(model, "direct");
  std::vector<double> mesh;
  for (int k = 1; k <= 5; ++k) mesh.push_back(0.1 * k - 0.013);
  add_values(model, mesh);
  const Result with = run_gradient(model, "direct");
  std::cout << without.step_count[0] << " steps, with five values " << with.step_count[0] << '\n';
  EXPECT_GT(with.step_count[0], without.step_count[0]);
  EXPECT_LE(with.step_count[0], without.step_count[0] + 2.0 * static_cast<double>(mesh.size()));
}

// A mass on a rail falls: the error of its steps is round-off, so that only times end them.
Model falling_mass() {
  Model model;
  model.gravity = {0, -9.81, 0};
  model.bodies = {make_body("mass", 2.0, {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {})};
  model.joints = {make_joint("rail", JointType::prismatic, "ground", "mass", {0, 1, 0}, 1.0)};
  model.sensors = {{"height", "coordinate", "rail"}};
  return model;
}

void expect_taken_there(const Model& model, const Result& result) {
  ASSERT_TRUE(result.all_ok());
  const std::vector<double>& times = model.objectives[0].at;
  ASSERT_EQ(result.objective_values.size(), times.size());
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(result.objective_values[k], 1.0 - 0.5 * 9.81 * times[k] * times[k] + times[k],
                1e-12)
        << result.objectives[k].name;
}

// Decimal times, most of which are no products of the step to the last bit.
TEST(ValuesAtTimes, AreFoundAmongTheSteps) {
  Model model = falling_mass();
  model.analysis.step = 0.01;
  std::vector<double> mesh;
  for (int k = 0; k <= 100; ++k) mesh.push_back(std::stod(std::to_string(k) + "e-2"));
  model.objectives = {{"fall", ObjectiveKind::value, "height + t", "", "", {}, mesh}};
  for (const char* formulation : {"ali3p", "semi-recursive"}) {
    model.analysis.formulation = formulation;
    expect_taken_there(model, simulate(model));
  }
}

// One step from each to the next; start and length of three of them add up to less.
TEST(ValuesAtTimes, EndAdaptiveStepsToTheLastBit) {
  Model model = falling_mass();
  model.analysis.formulation = "semi-recursive";
  model.analysis.step = 5.0;
  model.analysis.duration = 5.0;
  std::vector<double> mesh;
  for (double time = 1e-6; time < 4.0; time *= 2.7) mesh.push_back(time);
  model.objectives = {{"fall", ObjectiveKind::value, "height + t", "", "", {}, mesh}};
  for (const char* integrator : {"dopri5", "dop853"}) {
    model.analysis.integrator = integrator;
    const Result result = simulate(model);
    expect_taken_there(model, result);
    EXPECT_EQ(result.step_count[0], static_cast<double>(mesh.size()) + 1.0);
  }
}

std::string error_of(const Model& model, const Options& options = {}) {
  try {
    simulate(model, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ValuesAtTimes, SayWhereStepsEnd) {
  Model model = mechanism(method_of("ali3p", "newmark"));
  model.name = "trial";
  model.analysis.step = 0.01;
  model.analysis.duration = 1.0;
  add_values(model, {0.1 + 0.2, 0.744});
  EXPECT_EQ(error_of(model),
            "trial: /objectives/mixture/at: found 0.744 (no step ends there, they are 0.01 s "
            "long), the nearest possible times are 0.74 and 0.75");
  model.objectives[2].at = {0.29, 1.5};
  EXPECT_EQ(error_of(model),
            "trial: /objectives/mixture/at: found 1.5 (the motion ends at 1 s), choose times from "
            "0 to that, or a longer duration");
  Options options;
  options.duration = 0.1;
  model.objectives[2].at = {0.05, 0.2};
  EXPECT_NE(error_of(model, options).find("the motion ends at 0.1 s"), std::string::npos);
  for (const std::vector<double>& possible :
       {std::vector<double>{0.29, 0.1 + 0.2}, std::vector<double>{0.0, 1.0}}) {
    model.objectives[2].at = possible;
    EXPECT_EQ(error_of(model), "no error");
  }
}

TEST(ValuesAtTimes, OfBuiltModelsAreChecked) {
  Model model = mechanism(method_of("ali3p", "newmark"));
  model.name = "trial";
  add_values(model, {});
  EXPECT_NE(error_of(model).find("/objectives/mixture/at: found no time"), std::string::npos);
  model.objectives[2].at = {kStep, kStep};
  EXPECT_NE(error_of(model).find("found 0.00390625 after 0.00390625 (times ascend)"),
            std::string::npos)
      << error_of(model);
  model.objectives[2].at = {-kStep};
  EXPECT_NE(error_of(model).find("found -0.00390625 (the motion begins at 0)"), std::string::npos);
  model.objectives[2].at = {NAN};
  EXPECT_NE(error_of(model).find("found nan"), std::string::npos);
  model.objectives[2] = {"end", ObjectiveKind::terminal, "t", "", "", {}, {kStep}};
  EXPECT_NE(error_of(model).find("only values are taken at times"), std::string::npos);
  model.objectives[2] = values_at({kStep});
  model.objectives.push_back({"mixture@0.00390625", ObjectiveKind::terminal, "t", "", ""});
  EXPECT_NE(error_of(model).find("/objectives"), std::string::npos);
}

}  // namespace
}  // namespace gradus::derivative
