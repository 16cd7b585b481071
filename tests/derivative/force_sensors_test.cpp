// Whole-run gradients of objectives that depend on what forces and constraints exert, and their
// columns over time.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "src/model/force_kind.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/derivative/tied_bodies.hpp"
#include "tests/support/methods.hpp"

namespace gradus::derivative {
namespace {

using test::TestedFormulation;

// Every force of the tree with forces of every kind: all that sensors can show of it.
Model with_force_sensors(Model model) {
  model.objectives.clear();
  std::string powers = "0";
  const auto add = [&](const std::string& name, const std::string& value) {
    model.objectives.push_back({name, ObjectiveKind::integral, value, "", ""});
  };
  const auto show = [&](const char* type, const std::string& force, bool is_vector) {
    const std::string name = "s" + std::to_string(model.sensors.size());
    model.sensors.push_back({name, type, force});
    if (is_vector)
      add(force + " " + name,
          "dot(" + name + ", [1, -0.6, 0.8])*(1 + t) + dot(" + name + ", " + name + ")");
    else
      add(force + " " + name, name + "*(1 + t) + 0.1*" + name + "^2");
  };
  for (const Force& element : model.forces) {
    const std::string& force = element.name;
    const ActsOn on = kind_of(element).acts_on;
    const std::string& place = place_of(element);
    const bool translation = place == "sleeve.0" || place == "sea.1";
    const bool is_vector = on != ActsOn::coordinate;
    if (on == ActsOn::body || on == ActsOn::bodies || (!is_vector && !translation))
      show("applied_torque", force, is_vector);
    if (on != ActsOn::body && (is_vector || translation)) show("applied_force", force, is_vector);
    if (on == ActsOn::line) show("tension", force, false);
    model.sensors.push_back({"p_" + force, "power", force});
    powers += " + p_" + force;
  }
  add("powers", powers);
  model.objectives.push_back({"end", ObjectiveKind::terminal, powers + " + t*q", "", ""});
  return model;
}

Model briefly_by(Model model, const std::string& formulation, int steps = 3) {
  model.analysis.formulation = formulation;
  model.analysis.step = 0.004;
  model.analysis.duration = 0.004 * steps;
  return model;
}

TEST(ForceSensors, HaveExactGradients) {
  Tolerances t;
  t.smallest_entry = -1.0;  // a force does not feel every number
  expect_exact_gradient(briefly_by(parametrise_all(with_force_sensors(every_force())), "ali3p"), t);
}

Model some_forces() {
  static const std::vector<std::string> some{
      "mass ball",         "com rod.y",       "axis sleeve.x",      "point plate.grip.y",
      "vector rod.mark.z", "point arm.tip.x", "stiffness s1",       "damping s2",
      "length s3",         "gravity.y",       "velocity socket.2",  "stiffness hinge",
      "damping drift",     "load wind.y",     "stiffness rubber.x", "torsional_damping mount.y",
      "force push",        "load lamp.x",     "point yoke.grip.z",  "angle turntable",
      "child_axis pin.y"};
  return parametrise(with_force_sensors(every_force()), [](const std::string& path) {
    return std::find(some.begin(), some.end(), path) != some.end();
  });
}

class ForceSensorsOf : public testing::TestWithParam<std::string> {};

TEST_P(ForceSensorsOf, HaveExactGradients) {
  Model model = briefly_by(some_forces(), GetParam());
  model.analysis.rtol = 1e-11;
  model.analysis.atol = 1e-12;
  Tolerances t;
  t.smallest_entry = -1.0;
  expect_exact_gradient(model, t);
}

INSTANTIATE_TEST_SUITE_P(Formulations, ForceSensorsOf,
                         testing::Values("semi-recursive", "fully-recursive", "index1", "matrix-r",
                                         "penalty"),
                         [](const auto& formulation) {
                           std::string name = formulation.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class ForcesOfConstraints : public testing::TestWithParam<TestedFormulation> {};

TEST_P(ForcesOfConstraints, HaveExactGradients) {
  Model model = briefly_by(tied_bodies(), GetParam().name, 5);
  model.analysis.stabilisation = GetParam().stabilisation;
  model.analysis.penalty = 1e7;
  model.analysis.rtol = 1e-11;
  model.analysis.atol = 1e-12;
  expect_exact_gradient(model);
}

std::vector<TestedFormulation> closing() {
  std::vector<TestedFormulation> all;
  for (const TestedFormulation& formulation : test::tested_formulations())
    if (formulation.loops) all.push_back(formulation);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Formulations, ForcesOfConstraints, testing::ValuesIn(closing()),
                         [](const auto& formulation) { return formulation.param.label; });

TEST(ForcesOfConstraints, OfPrescribedMotion) {
  Model model = driven_loop();
  model.objectives.clear();
  model.sensors.push_back({"torque", "constraint_force", "drive"});
  model.sensors.push_back({"brought", "constraint_power", "drive"});
  model.objectives = {{"torque", ObjectiveKind::integral, "torque^2*(1 + t)", "", ""},
                      {"power", ObjectiveKind::integral, "brought + torque*brought", "", ""}};
  for (const char* formulation : {"kinematic", "ali3p"})
    expect_exact_gradient(briefly_by(parametrise(model,
                                                 [](const std::string& path) {
                                                   return path.rfind("mass", 0) == 0 ||
                                                          path.rfind("axis", 0) == 0 ||
                                                          path == "gravity.y" ||
                                                          path.rfind("stiffness", 0) == 0;
                                                 }),
                                     formulation, 5));
}

// Continuous adjoints know forces, which are functions of the motion; not multipliers.
TEST(ForceSensors, HaveContinuousAdjoints) {
  const auto deviation = [](double step) {
    Model model = some_forces();
    model.analysis.formulation = "semi-recursive";
    model.analysis.integrator = "newmark";
    model.analysis.duration = 0.1;
    model.analysis.step = step;
    const Result direct = run_gradient(model, "direct");
    const Result adjoint = run_gradient(model, "continuous-adjoint");
    return largest_deviation(direct.gradient, adjoint.gradient, direct.parameters.size());
  };
  const double coarse = deviation(2e-3);
  const double fine = deviation(5e-4);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_LT(fine, coarse / 8.0);
  try {
    run_gradient(tied_bodies(), "continuous-adjoint");
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("\"f_rope\""), std::string::npos) << error.what();
  }
}

// Recorded sensitivities against dual numbers through the same run: each component of a sensor
// beside its largest entry.
void expect_exact_columns(const Model& model, double tolerance) {
  Options options;
  options.columns = true;
  const Result direct = run_gradient(model, "direct", options);
  const Result dual = run_gradient(model, "dual", options);
  const std::vector<double>& a = direct.trajectories[0].sensor_columns;
  const std::vector<double>& b = dual.trajectories[0].sensor_columns;
  ASSERT_EQ(a.size(), b.size());
  const std::size_t parameters = model.parameters.size();
  const std::size_t components = direct.sensor_components.size();
  std::vector<double> scale(components, 0.0);
  std::vector<double> deviation(components, 0.0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::size_t component = k / parameters % components;
    scale[component] = std::max(scale[component], std::abs(b[k]));
    deviation[component] = std::max(deviation[component], std::abs(a[k] - b[k]));
  }
  for (std::size_t c = 0; c < components; ++c) {
    const std::string& name = direct.sensor_components[c].name;
    if (name == "p_pin") continue;  // of places that stay together: round-off
    EXPECT_LE(deviation[c], tolerance * scale[c]) << model.analysis.formulation << ": " << name;
    EXPECT_GT(scale[c], 0.0) << name;
  }
}

TEST(ForceSensors, HaveColumnsOverTime) {
  expect_exact_columns(briefly_by(some_forces(), "semi-recursive", 5), 1e-10);
}

TEST_P(ForcesOfConstraints, HaveColumnsOverTime) {
  Model model = briefly_by(tied_bodies(), GetParam().name, 5);
  model.analysis.stabilisation = GetParam().stabilisation;
  model.analysis.penalty = 1e7;
  model.sensors.push_back({"pull", "reaction_force", "rail"});
  expect_exact_columns(model, 1e-10);
  if (GetParam().name != "ali3p") return;
  model.analysis.projections = "penalty";
  expect_exact_columns(model, 1e-10);
}

}  // namespace
}  // namespace gradus::derivative
