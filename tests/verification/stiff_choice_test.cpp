// The integrator "auto": what is stiff runs by Radau IIA as if it had been asked for, what is not
// never does, and whoever names an explicit method keeps it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/motion/mechanism.hpp"
#include "src/motion/stiff_designs.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"
#include "tests/support/random_forces.hpp"
#include "tests/support/source_path.hpp"
#include "tests/support/stiff_models.hpp"
#include "tests/support/van_der_pol.hpp"

namespace gradus::derivative {
namespace {

using test::Draw;
using test::MechanismPair;

Options on_one_thread() {
  Options options;
  options.backend = "cpu:1";
  return options;
}

Model loose(Model m, double rtol) {
  m.analysis.rtol = rtol;
  m.analysis.atol = 1e-2 * rtol;
  return m;
}

// With the tolerances of their tests, and others.
std::vector<Model> stiff_models() {
  Model oscillator = test::van_der_pol(1000.0);
  oscillator.analysis.duration = 2000.0;
  std::vector<Model> models{test::pendulum_on_bushing(), test::governor()};
  for (const double rtol : {1e-2, 1e-4, 1e-8}) {
    Model reaction = test::robertson();
    reaction.analysis.rtol = rtol;
    models.push_back(reaction);
    models.push_back(loose(oscillator, rtol));
    models.push_back(loose(test::pendulum_on_bushing(), rtol));
    models.push_back(loose(test::governor(), rtol));
    for (const auto& [k, c] :
         {std::pair{"1e9", "1e5"}, std::pair{"1e9", "1"}, std::pair{"1e5", "1e3"}})
      models.push_back(loose(test::follower(k, c), rtol));
  }
  return models;
}

TEST(StiffChoice, StiffMotionsAreThoseOfRadau) {
  for (Model m : stiff_models())
    for (const char* method : {"none", "direct"}) {
      SCOPED_TRACE(m.name + " " + method + ", rtol " + std::to_string(m.analysis.rtol));
      const auto result_by = [&](const std::string& integrator) {
        m.analysis.integrator = integrator;
        return method == std::string("none") ? simulate(m, on_one_thread())
                                             : run_gradient(m, method);
      };
      const Result chosen = result_by("auto");
      ASSERT_TRUE(chosen.all_ok()) << chosen.status[0].message;
      ASSERT_EQ(chosen.integrator, m.analysis.rtol > 1e-3 ? "radau5" : "radau9");
      EXPECT_EQ(chosen.stiff_integrator, chosen.integrator);
      EXPECT_EQ(chosen.switched, std::vector<double>{1.0});
      EXPECT_GT(chosen.stiff_since[0], 0.0);
      const Result named = result_by(chosen.integrator);
      EXPECT_EQ(chosen.objective_values, named.objective_values);
      EXPECT_EQ(chosen.gradient, named.gradient);
      EXPECT_EQ(chosen.step_count, named.step_count);
    }
}

TEST(StiffChoice, AllMethodsDifferentiateTheSwitchedMotion) {
  for (Model m : {test::governor(), loose(test::pendulum_on_bushing(), 1e-8)})
    for (const bool controls : {true, false}) {
      SCOPED_TRACE(m.name + (controls ? ", columns in error" : ""));
      m.analysis.integrator = "auto";
      m.analysis.columns_in_error = controls;
      const Result direct = run_gradient(m, "direct");
      ASSERT_EQ(direct.integrator, "radau9");
      for (const char* method : {"adjoint", "dual", "finite-difference"}) {
        const Result other = run_gradient(m, method);
        EXPECT_EQ(other.integrator, "radau9") << method;
        expect_equal_values(direct, other, 1e-10);
        const bool is_exact = method != std::string("finite-difference");
        for (const double slope : direct.gradient) EXPECT_NE(slope, 0.0);
        EXPECT_LT(largest_deviation(other.gradient, direct.gradient, direct.parameters.size()),
                  is_exact ? 1e-9 : 1e-4)
            << method;
      }
    }
}

TEST(StiffChoice, CheckProvesASwitchedMotion) {
  Model m = test::governor();
  m.analysis.integrator = "auto";
  const CheckReport report = check(m, on_one_thread());
  EXPECT_TRUE(report.passed) << report.derivative.message << report.accuracy.message
                             << report.model.message;
}

// As a file that says nothing of steps.
TEST(StiffChoice, IsTheDefault) {
  Model m = test::governor();
  EXPECT_EQ(simulate(m, on_one_thread()).integrator, "radau9");
  Options options = on_one_thread();
  options.formulation = "index1";
  options.integrator = "auto";
  EXPECT_EQ(simulate(m, options).integrator, "radau9");
  options.integrator.reset();
  EXPECT_EQ(simulate(m, options).integrator, "dop853");
}

TEST(StiffChoice, WhoNamesAnExplicitMethodKeepsItAndIsTold) {
  Model m = loose(test::governor(), 1e-6);
  for (const char* integrator : {"dop853", "dopri5"}) {
    m.analysis.integrator = integrator;
    Options options = on_one_thread();
    std::vector<std::string> remarks;
    options.log = [&](const std::string& text) { remarks.push_back(text); };
    const Result r = simulate(m, options);
    ASSERT_TRUE(r.all_ok());
    EXPECT_EQ(r.integrator, integrator);
    EXPECT_EQ(r.stiff_integrator, "");
    EXPECT_GT(r.stiff_since[0], 0.0);
    EXPECT_GT(r.step_count[0], 2000.0);
    EXPECT_TRUE(std::any_of(remarks.begin(), remarks.end(), [](const std::string& text) {
      return text.starts_with("stiff: ") && text.find("radau9") != std::string::npos;
    })) << integrator;
  }
}

// Springs from soft to nearly rigid: some designs are stiff, others are not.
Model springs() {
  Model m = test::follower("k", "c");
  m.parameters.push_back({"k", 10.0, "N/m", {}, ""});
  m.parameters.push_back({"c", 0.1, "N s/m", {}, ""});
  m.analysis.integrator = "auto";
  return m;
}
std::vector<double> rows_of_springs() {
  std::vector<double> rows;
  for (const double k : {10.0, 1e9, 30.0, 1e7, 1e8, 0.5})
    rows.insert(rows.end(), {1.0, k, 1e-2 * k});
  return rows;
}

TEST(StiffChoice, ADesignHasTheSameAnswerWhereverItRuns) {
  const Model m = springs();
  const std::vector<double> rows = rows_of_springs();
  for (const char* method : {"direct", "adjoint"}) {
    std::vector<double> values, gradient_of_all, switched;
    for (std::size_t d = 0; d < rows.size() / 3; ++d) {
      Options one = on_one_thread();
      one.method = method;
      one.designs.values.assign(rows.begin() + static_cast<std::ptrdiff_t>(3 * d),
                                rows.begin() + static_cast<std::ptrdiff_t>(3 * d + 3));
      const Result r = gradient(m, one);
      ASSERT_TRUE(r.all_ok()) << r.status[0].message;
      EXPECT_EQ(r.integrator, r.switched[0] > 0.0 ? "radau9" : "dop853");
      values.insert(values.end(), r.objective_values.begin(), r.objective_values.end());
      gradient_of_all.insert(gradient_of_all.end(), r.gradient.begin(), r.gradient.end());
      switched.push_back(r.switched[0]);
    }
    EXPECT_EQ(switched, (std::vector<double>{0, 1, 0, 1, 1, 0}));
    for (const char* backend : {"cpu:1", "cpu:3", "debug"}) {
      SCOPED_TRACE(std::string(method) + " on " + backend);
      Options all;
      all.method = method;
      all.backend = backend;
      all.designs.values = rows;
      const Result r = gradient(m, all);
      EXPECT_EQ(r.objective_values, values);
      EXPECT_EQ(r.gradient, gradient_of_all);
      EXPECT_EQ(r.switched, switched);
      EXPECT_EQ(r.integrator, "dop853");
      EXPECT_EQ(r.stiff_integrator, "radau9");
      EXPECT_EQ(r.integrator_of(1), "radau9");
      EXPECT_EQ(r.integrator_of(2), "dop853");
    }
  }
}

// Trajectories and their sensitivities belong to the motion that counts.
TEST(StiffChoice, RecordsTheSwitchedMotion) {
  Model m = springs();
  Options options = on_one_thread();
  options.columns = true;
  options.record_every = 100;
  options.designs.values = rows_of_springs();
  const Result chosen = gradient(m, options);
  ASSERT_EQ(chosen.trajectories.size(), 6U);
  for (std::size_t d = 0; d < 6; ++d) {
    m.analysis.integrator = chosen.integrator_of(d);
    Options one = options;
    one.designs.values.assign(
        options.designs.values.begin() + static_cast<std::ptrdiff_t>(3 * d),
        options.designs.values.begin() + static_cast<std::ptrdiff_t>(3 * d + 3));
    const Result named = gradient(m, one);
    EXPECT_EQ(chosen.trajectories[d].design, d);
    EXPECT_EQ(chosen.trajectories[d].time, named.trajectories[0].time);
    EXPECT_EQ(chosen.trajectories[d].coordinates, named.trajectories[0].coordinates);
    EXPECT_EQ(chosen.trajectories[d].sensor_columns, named.trajectories[0].sensor_columns);
  }
}

TEST(StiffChoice, SessionsSwitchToo) {
  const Model m = springs();
  const Mechanism mechanism(m, on_one_thread());
  Session session(mechanism);
  const std::vector<double> rows = rows_of_springs();
  std::vector<double> values(12), slopes(36), again(12);
  EXPECT_EQ(session.gradient(rows, {values, slopes, {}, {}}), 0U);
  EXPECT_EQ(session.gradient(rows, {again, slopes, {}, {}}), 0U);
  Options options = on_one_thread();
  options.designs.values = rows;
  const Result r = gradient(m, options);
  EXPECT_EQ(values, r.objective_values);
  EXPECT_EQ(again, r.objective_values);
  EXPECT_EQ(slopes, r.gradient);
}

// By runs that are made up: of two designs one is stiff, and Newton's method fails for it.
TEST(StiffChoice, WhatTheImplicitMethodCannotDoTheExplicitOneDoes) {
  const CompiledMechanism mechanism(springs(), on_one_thread());
  MotionRequest request = mechanism.request();
  request.n_design = 2;
  request.parameters = {1, 10, 0.1, 1, 1e9, 1e7};
  MotionOutcome outcome = make_outcome(request);
  outcome.objectives = {1, 2, 3, 4};
  outcome.status[1] = kernels::Status::stiff;
  outcome.stiff_since[1] = 0.25;
  std::vector<std::string> ran;
  MotionOutcome again;
  run_stiff_designs(request, outcome, [&](const MotionRequest& another) -> MotionOutcome& {
    ran.push_back(another.analysis.integrator);
    EXPECT_EQ(another.n_design, 1U);
    EXPECT_EQ(another.parameters, (std::vector<double>{1, 1e9, 1e7}));
    EXPECT_FALSE(another.leaves_stiff());
    again = make_outcome(another);
    again.objectives = {5, 6};
    if (another.tableau.implicit) again.status[0] = kernels::Status::newton_diverged;
    return again;
  });
  EXPECT_EQ(ran, (std::vector<std::string>{"radau9", "dop853"}));
  EXPECT_EQ(outcome.status[1], kernels::Status::ok);
  EXPECT_EQ(outcome.objectives, (std::vector<double>{1, 2, 5, 6}));
  EXPECT_EQ(outcome.stiff_since, (std::vector<double>{0, 0.25}));
  EXPECT_EQ(outcome.switched, (std::vector<double>{0, 0}));
}

void expect_not_stiff(Model m, const std::string& what, double rtol) {
  m = loose(std::move(m), rtol);
  m.analysis.integrator = "auto";
  const Result r = simulate(m, on_one_thread());
  SCOPED_TRACE(what + ", rtol " + std::to_string(rtol));
  for (const double since : r.stiff_since) EXPECT_EQ(since, 0.0);
  EXPECT_EQ(r.integrator, "dop853");
}

constexpr double kTolerances[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};

// Fast, but nothing but fast: as many steps as accuracy asks for.
TEST(StiffChoice, FastOscillationsAreNotStiff) {
  Model m = test::one_body("mass", 1.0, "rail", JointType::prismatic, {1, 0, 0}, "a", 0.0, "z");
  m.parameters = {{"a", 1.0, "m", {}, ""}, {"w", 200.0, "rad/s", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.objectives = {{"z", ObjectiveKind::terminal, "z", "m", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.duration = 30.0;
  for (const double rtol : kTolerances) {
    m.forces = {make_joint_force("spring", "rail", "-w^2*z")};
    expect_not_stiff(m, "oscillation", rtol);
    m.forces = {make_joint_force("spring", "rail", "-w^2*(z - 0.01*t) + 10*cos(3*t)")};
    expect_not_stiff(m, "oscillation about something slow", rtol);
    m.forces = {make_joint_force("spring", "rail", "-w^2*z - 2e6*z^3 - 0.01*v")};
    expect_not_stiff(m, "Duffing's oscillator", rtol);
  }
}

// Columns, and instants at which values are due, keep steps of a motion short that is as smooth as
// rest.
TEST(StiffChoice, WhatIsNotTheMotionsIsNotStiffness) {
  Model m = test::one_body("mass", 1.0, "rail", JointType::prismatic, {1, 0, 0}, "a", 0.0, "z");
  m.parameters = {{"a", 0.0, "m", {}, ""}, {"w", 50.0, "rad/s", {}, ""}};
  m.forces = {make_joint_force("spring", "rail", "-w^2*z")};
  m.objectives = {{"z", ObjectiveKind::terminal, "z", "m", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.integrator = "auto";
  m.analysis.duration = 30.0;
  const Result r = run_gradient(m, "direct");
  EXPECT_GT(r.step_count[0], 2000.0);
  EXPECT_EQ(r.switched, std::vector<double>{0.0});
  EXPECT_EQ(r.objective_values, std::vector<double>{0.0});
  EXPECT_NEAR(r.gradient[0], std::cos(1500.0), 1e-4);
  m.parameters[0].value = 1.0;
  m.parameters[1].value = 0.1;
  Objective often{"often", ObjectiveKind::value, "z", "m", ""};
  for (int k = 1; k < 3000; ++k) often.at.push_back(0.01 * k);
  m.objectives = {often};
  const Result values = simulate(m, on_one_thread());
  EXPECT_GT(values.step_count[0], 2999.0);
  EXPECT_EQ(values.switched, std::vector<double>{0.0});
}

// Kinks, jumps and impacts make steps short where they are, and nowhere else.
TEST(StiffChoice, ContactsAndJumpsAreNotStiff) {
  Model m = test::one_body("ball", 1.0, "slide", JointType::prismatic, {0, 1, 0}, 0.5, 0.0, "y");
  m.gravity = {0, -9.81, 0};
  m.sensors.push_back({"v", "rate", "slide"});
  m.objectives = {{"y", ObjectiveKind::terminal, "y", "m", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.duration = 20.0;
  for (const double rtol : kTolerances) {
    m.forces = {make_joint_force("contact", "slide", "max(0, -1e6*y)")};
    expect_not_stiff(m, "ball", rtol);
    m.forces = {make_joint_force("contact", "slide", "max(0, -1e6*y*(1 - 0.1*v))")};
    m.analysis.duration = 3.0;
    expect_not_stiff(m, "ball that loses energy", rtol);
    m.forces = {make_joint_force("relay", "slide", "9.81 - 40*tanh(1e3*y) - 0.5*v")};
    expect_not_stiff(m, "relay", rtol);
  }
}

// Of every kind, with forces and drivers.
TEST(StiffChoice, RandomMechanismsAreNotStiff) {
  int ran = 0;
  for (unsigned seed = 1; ran < 200; ++seed) {
    const int bodies = 2 + static_cast<int>(seed % 5);
    Draw draw(seed);
    MechanismPair pair = seed % 3 == 0   ? test::random_tree_of_all_joints(seed, bodies)
                         : seed % 3 == 1 ? test::random_tree(seed, bodies, 0.4)
                                         : test::random_loop(seed, 6 + bodies % 2, seed % 2 == 0);
    if (seed % 2 == 0) test::add_random_forces(pair, draw);
    Model m = pair.model;
    m.analysis = {};
    m.analysis.formulation = "auto";
    m.analysis.singular = "continue";
    m.analysis.duration = 2.0;
    const double rtol = kTolerances[seed % 8];
    m = loose(std::move(m), std::max(rtol, 1e-10));
    const Result r = simulate(m, on_one_thread());
    if (!r.all_ok()) continue;
    ++ran;
    EXPECT_EQ(r.stiff_since, std::vector<double>{0.0})
        << m.name << ", seed " << seed << ", rtol " << rtol << ", " << r.step_count[0] << " steps";
  }
}

TEST(StiffChoice, ModelsThatComeAlongAreNotStiff) {
  for (const char* file : {"five-bar/five-bar.json", "slider-crank/slider-crank.json"}) {
    Model m = read_model(source_path(std::string("models/") + file));
    for (const double rtol : {1e-3, 1e-6, 1e-10}) {
      m.analysis.formulation = "auto";
      expect_not_stiff(m, file, rtol);
    }
  }
}

}  // namespace
}  // namespace gradus::derivative
