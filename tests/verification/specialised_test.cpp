// Motions by kernels made for their mechanism: the numbers of general kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/model.hpp"
#include "src/motion/host_run.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/joint_friction.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"
#include "tests/support/source_path.hpp"
#include "tests/verification/specialised_runs.hpp"

namespace gradus::specialise {
namespace {

Options by_ali3p(double duration) {
  Options options;
  options.formulation = "ali3p";
  options.duration = duration;
  return options;
}

// Among them an objective whose value is taken where a step ends that is done by a program if its
// like are.
TEST(SpecialisedMotion, HasTheNumbersOfGeneralKernels) {
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  Objective late = model.objectives.front();
  late.name = "late";
  late.kind = ObjectiveKind::value;
  late.at = {300 * model.analysis.step};
  model.objectives.push_back(late);
  const Options options = by_ali3p(350 * model.analysis.step);
  expect_same_numbers(model, options, Sensitivity::direct);
  expect_same_numbers(model, options, Sensitivity::none);
}

// Steps come to ways that were not recorded, and are undone.
TEST(SpecialisedMotion, HasThemWhereStepsAreUndone) {
  const QuickCompiler quick;
  const Model model = read_model(source_path("models/slider-crank/slider-crank-spring.json"));
  const StepCounts counts =
      expect_same_numbers(model, by_ali3p(1200 * model.analysis.step), Sensitivity::direct);
  EXPECT_GT(counts.missed, 0u);
}

// Designs that differ, each with the numbers that it has among others that go by general kernels.
TEST(SpecialisedMotion, HasThemInLanes) {
  const QuickCompiler quick;
  for (const char* file :
       {"models/five-bar/five-bar.json", "models/slider-crank/slider-crank-spring.json"})
    for (const int lanes : possible_lanes()) {
      SCOPED_TRACE(file + std::to_string(lanes));
      const Model model = read_model(source_path(file));
      Options options = by_ali3p(400 * model.analysis.step);
      options.lanes = lanes;
      expect_same_numbers(model, options, Sensitivity::direct, 11);
    }
}

// Steps taken back, among them one whose end an objective looks at; all are kept, or some of the
// states between them.
TEST(SpecialisedMotion, HasThemOnTheWayBack) {
  const QuickCompiler quick;
  for (const char* file :
       {"models/five-bar/five-bar.json", "models/slider-crank/slider-crank-spring.json"})
    for (const std::size_t memory : {0, 100'000}) {  // bytes
      SCOPED_TRACE(file + std::to_string(memory));
      Model model = read_model(source_path(file));
      Objective late = model.objectives.front();
      late.name = "late";
      late.kind = ObjectiveKind::value;
      late.at = {300 * model.analysis.step};
      model.objectives.push_back(late);
      Options options = by_ali3p(400 * model.analysis.step);
      options.method = "adjoint";
      options.memory = memory;
      expect_same_numbers(model, options, Sensitivity::adjoint);
    }
}
// So many objectives that elements are pooled.
TEST(SpecialisedMotion, HasThemOnTheWayBackOfManyObjectives) {
  const QuickCompiler quick;
  Model model = read_model(source_path("models/spring-pendulum/spring-pendulum.json"));
  std::vector<double>& times = model.objectives.back().at;
  times.erase(times.begin() + 21, times.end());
  for (Parameter& parameter : model.parameters) parameter.value = 0.7;
  for (const auto& [formulation, integrator] :
       {std::pair{"ali3p", "newmark"}, std::pair{"semi-recursive", "explicit-euler"}}) {
    Options options;
    options.formulation = formulation;
    options.integrator = integrator;
    options.method = "adjoint";
    options.duration = 0.5;
    expect_same_numbers(model, options, Sensitivity::adjoint);
  }
}
TEST(SpecialisedMotion, HasThemOnTheWayBackInLanes) {
  const QuickCompiler quick;
  const Model model = read_model(source_path("models/five-bar/five-bar.json"));
  Options options = by_ali3p(300 * model.analysis.step);
  options.method = "adjoint";
  options.lanes = possible_lanes().back();
  expect_same_numbers(model, options, Sensitivity::adjoint, 11);
}
// A run goes on to be used.
TEST(SpecialisedMotion, HasThemBehindAnAdjointThatWasCancelled) {
  const QuickCompiler quick;
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  model.objectives.front().kind = ObjectiveKind::value;
  model.objectives.front().at = {200 * model.analysis.step};
  Options options = by_ali3p(250 * model.analysis.step);
  options.method = "adjoint";
  for (const char* kernels : {"general", "specialised"}) {
    options.kernels = kernels;
    const CompiledMechanism mechanism(model, options);
    MotionRequest request = mechanism.request();
    request.sensitivity = Sensitivity::adjoint;
    request.parameters = mechanism.plan().nominal;
    request.n_design = 1;
    const MotionOutcome whole = run_on_host(request, 1);
    int asked = 0;
    request.cancelled = [&] { return ++asked == 50; };
    const auto run = make_host_run(request, 1);
    EXPECT_THROW(run->run(request.parameters, 1), Cancelled);
    const MotionOutcome& again = run->run(request.parameters, 1);
    expect_same(again.objectives, whole.objectives);
    expect_same(again.gradient, whole.gradient);
    EXPECT_NE(again.objectives.front(), 0.0);
  }
}
// Forces that read reactions are unknowns of each step, states go through its end.
TEST(SpecialisedMotion, HasThemOnTheWayBackWithUnknowns) {
  const QuickCompiler quick;
  for (Model model : {derivative::of_everything(), derivative::led_by_states()}) {
    std::erase_if(model.objectives, [](const Objective& o) {
      return o.kind == ObjectiveKind::maximum || o.kind == ObjectiveKind::time_when;
    });
    Options options = by_ali3p(model.analysis.duration);
    options.step = model.analysis.duration / 400;
    options.method = "adjoint";
    expect_same_numbers(model, options, Sensitivity::adjoint);
  }
}

// Friction in all joints of a loop, and a machine with friction, control and states.
TEST(SpecialisedMotion, HasThemWithFrictionInJoints) {
  const QuickCompiler quick;
  Model loop = read_model(source_path("models/slider-crank/slider-crank-spring.json"));
  const auto rub = [&](const std::string& joint,
                       std::map<std::string, ForceValue, std::less<>> more) {
    Force force{"friction in " + joint, "joint-friction", std::move(more)};
    for (const auto& [key, value] : std::map<std::string, ForceValue>{{"joint", joint},
                                                                      {"static", 0.2},
                                                                      {"dynamic", 0.15},
                                                                      {"transition_speed", 0.1},
                                                                      {"smoothing", 0.05}})
      force[key] = value;
    loop.forces.push_back(std::move(force));
  };
  rub("A", {{"radius", 0.01}, {"length", 0.05}});
  rub("B", {{"radius", 0.01}});
  rub("C", {{"radius", 0.01}, {"length", 0.05}});
  rub("slide", {{"length", 0.1}, {"width", 0.05}});
  Options by_steps = by_ali3p(0.3);
  by_steps.step = 1e-3;
  Options by_index1;
  by_index1.formulation = "index1";
  by_index1.integrator = "dop853";
  by_index1.duration = 0.5;
  const Model machine = read_model(source_path("models/inverted-pendulum/inverted-pendulum.json"));
  by_steps.integrator = "newmark";
  expect_same_numbers(loop, by_steps, Sensitivity::direct);
  expect_same_numbers(loop, by_steps, Sensitivity::none, 11);
  expect_same_numbers(loop, by_index1, Sensitivity::adjoint);
  expect_same_numbers(machine, by_steps, Sensitivity::adjoint);
  expect_same_numbers(machine, by_index1, Sensitivity::direct);
}

// A body with coordinates of its own, a rough joint as constraints, a state that counts turns.
TEST(SpecialisedMotion, HasThemInReferencePointCoordinates) {
  const QuickCompiler quick;
  Model rod = test::one_body("rod", 2.0, "pin", JointType::revolute, {0, 1, 0}, 0.5, 4.0, "angle");
  rod.bodies[0].com = {0.4, 0.0, 0.1};
  rod.gravity = {0, 0, -9.81};
  rod.parameters = {{"k", 3.0, "", {}, ""}, {"mu", 0.2, "", {}, ""}};
  rod.forces = {make_joint_force("spring", "pin", "-k*angle"),
                derivative::friction("pin", {{"static", "mu"},
                                             {"dynamic", "0.8*mu"},
                                             {"transition_speed", 0.1},
                                             {"smoothing", 0.05},
                                             {"radius", 0.02},
                                             {"length", 0.1}})};
  rod.objectives = {{"swing", ObjectiveKind::integral, "angle^2", "", ""},
                    {"end", ObjectiveKind::terminal, "angle", "", ""}};
  Options options;
  options.coordinates = "reference-point";
  options.formulation = "index1";
  options.integrator = "dop853";
  options.duration = 0.1;
  expect_same_numbers(rod, options, Sensitivity::direct);
  options.duration = 0.03;
  expect_same_numbers(rod, options, Sensitivity::none, 5);
  Options by_steps = by_ali3p(0.03);
  by_steps.step = 1e-3;
  by_steps.coordinates = "reference-point";
  expect_same_numbers(rod, by_steps, Sensitivity::none);
}

// Lanes whose designs fail at different times stand still, which no program knows of. The state
// grows without bound at 1/gain.
void expect_same_failures(const std::string& formulation, const std::string& integrator) {
  SCOPED_TRACE(formulation);
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  model.parameters.push_back({"gain", 2.5, "", {}, ""});
  model.states.push_back({"growing", "gain*growing^2", 1.0});
  Options options = by_ali3p(400 * model.analysis.step);
  options.formulation = formulation;
  options.integrator = integrator;
  options.designs.count = 24;
  options.designs.spread = 0.1;
  Specialised specialised(model, options, Sensitivity::none);
  MotionRequest request = specialised.request;
  request.workshop = nullptr;
  const MotionOutcome general = run_on_host(request, 1);
  const auto failed = std::count_if(general.status.begin(), general.status.end(),
                                    [](auto status) { return status != kernels::Status::ok; });
  EXPECT_GT(failed, 2);
  EXPECT_LT(failed, 22);
  for (int run = 0; run < 2; ++run) {
    const MotionOutcome outcome = specialised.go();
    specialised.steps()->settle({});
    EXPECT_EQ(outcome.status, general.status);
    EXPECT_EQ(outcome.failure_time, general.failure_time);
    for (std::size_t k = 0; k < general.objectives.size(); ++k)
      EXPECT_TRUE(outcome.objectives[k] == general.objectives[k] ||
                  (std::isnan(outcome.objectives[k]) && std::isnan(general.objectives[k])))
          << k;
  }
  EXPECT_GT(specialised.steps()->counts().programmed, 0u);
}
TEST(SpecialisedMotion, HasTheFailuresOfGeneralKernels) {
  const QuickCompiler quick;
  expect_same_failures("ali3p", "newmark");
  expect_same_failures("index1", "rk4");
}

// What grows without bound is infinite before a design fails, and meets zeros that programs have
// folded.
TEST(SpecialisedMotion, FailsWithGeneralKernelsWhereNumbersOverflow) {
  const QuickCompiler quick;
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  model.parameters.push_back({"gain", 2.5, "", {}, ""});
  model.states.push_back({"growing", "gain*growing^2", 1.0});
  Options options = by_ali3p(400 * model.analysis.step);
  options.formulation = "index1";
  options.integrator = "rk4";
  Specialised specialised(model, options, Sensitivity::none);
  MotionRequest request = specialised.request;
  request.workshop = nullptr;
  for (const double gain : {2.53, 2.55, 2.58}) {
    SCOPED_TRACE(gain);
    specialised.request.parameters.back() = request.parameters.back() = gain;
    const MotionOutcome general = run_on_host(request, 1);
    EXPECT_NE(general.status.front(), kernels::Status::ok);
    for (int run = 0; run < 2; ++run) {
      const MotionOutcome outcome = specialised.go();
      specialised.steps()->settle({});
      EXPECT_EQ(outcome.status, general.status);
      EXPECT_EQ(outcome.failure_time, general.failure_time);
    }
  }
  EXPECT_GT(specialised.steps()->counts().programmed, 1000u);
}

// Tables of time and of an angle, whose pieces lanes change one after another.
TEST(SpecialisedMotion, HasThemOnSplines) {
  const QuickCompiler quick;
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  const std::string joint = model.joints.front().name;
  model.sensors.push_back({"turned", "coordinate", joint});
  model.parameters.push_back({"high", 2.0, "", {}, ""});
  std::string knots = "0, 0.15", values = "0, high";
  for (int k = 1; k <= 40; ++k) {
    knots += ", " + std::to_string(k);
    values += ", " + std::to_string(k % 3);
  }
  model.states = {
      {"a", "spline(t, [" + knots + "], [" + values + "], 'monotone')", 0.0},
      {"b", "spline(7*t + turned, [0, 0.1, 0.3], [0, high, 0], 'periodic', 'repeat')", 0.0},
      {"d", "spline(turned - sin(40*t), [-2.7, -2.3, -1.9], [0, high, 1], 'natural', 'straight')",
       0.0}};
  for (const State& state : std::vector<State>(model.states))
    model.objectives.push_back(
        {"end of " + state.name, ObjectiveKind::terminal, state.name, "", ""});
  Options options = by_ali3p(300 * model.analysis.step);
  expect_same_numbers(model, options, Sensitivity::direct);
  options.lanes = possible_lanes().back();
  expect_same_numbers(model, options, Sensitivity::none, 11);
}

// Hundreds of parameters by few columns: a window moves along their splines, whose pieces are no
// ways of their own.
TEST(SpecialisedMotion, HasThemOfSuperposedColumns) {
  const QuickCompiler quick;
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  constexpr std::size_t knots = 150;
  const double end = 300 * model.analysis.step;
  const auto push = parameter_array({"push", 1.0, "", {}, ""}, knots);
  model.parameters.insert(model.parameters.end(), push.begin(), push.end());
  std::string times;
  for (std::size_t k = 0; k < knots; ++k)
    times += (k > 0 ? ", " : "") + std::to_string(0.8 * end * static_cast<double>(k) / knots);
  model.forces.push_back(make_joint_force("push", model.joints.front().name,
                                          "spline(t, [" + times + "], push, 'linear', 'hold')"));
  for (const int lanes : {1, possible_lanes().back()}) {
    Options options = by_ali3p(end);
    options.lanes = lanes;
    for (const Sensitivity sensitivity : {Sensitivity::direct, Sensitivity::adjoint}) {
      const StepCounts counts =
          expect_same_numbers(model, options, sensitivity, lanes == 1 ? 1 : 9);
      EXPECT_LT(counts.ways, knots / 2);
    }
  }
  // A window shows the polynomials themselves.
  const Specialised motion(model, by_ali3p(end), Sensitivity::none);
  Specialised superposed(model, by_ali3p(end), Sensitivity::direct);
  EXPECT_EQ(superposed.go().objectives, run_on_host(motion.request, 1).objectives);
}

// A rate so steep that a step misses it, which the end of the motion tells of what was watched.
TEST(SpecialisedMotion, FailsWhereStepsMissTheRateOfAState) {
  const QuickCompiler quick;
  Model model = derivative::led_by_states();
  const auto expect_alike = [&](kernels::Status status) {
    Specialised specialised(model, by_ali3p(1.0), Sensitivity::none);
    MotionRequest request = specialised.request;
    request.workshop = nullptr;
    const MotionOutcome general = run_on_host(request, 1);
    EXPECT_EQ(general.status.front(), status);
    for (int run = 0; run < 20; ++run) {
      const MotionOutcome outcome = specialised.go();
      specialised.steps()->settle({});
      EXPECT_EQ(outcome.status, general.status);
      EXPECT_EQ(outcome.failure_time, general.failure_time);
    }
    const StepCounts counts = specialised.steps()->counts();
    EXPECT_EQ(counts.obstacle, "");
    EXPECT_GT(counts.programmed, counts.missed);
  };
  expect_alike(kernels::Status::ok);
  model.states[0].rate = "gain*tanh((q - 0.5)/1e-5)";
  expect_alike(kernels::Status::state_rate_jumps);
}

// General kernels go on.
TEST(SpecialisedMotion, GoesOnWithoutACompilerThatWorks) {
  const NamedCompiler named("false");
  const Model model = read_model(source_path("models/five-bar/five-bar.json"));
  Specialised specialised(model, by_ali3p(300 * model.analysis.step), Sensitivity::direct);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(specialised.go().status.front(), kernels::Status::ok);
    specialised.steps()->settle({});
  }
  const StepCounts counts = specialised.steps()->counts();
  EXPECT_EQ(counts.obstacle, "false ended with 1, and said nothing");
  EXPECT_EQ(counts.programmed, 0u);
}

// A run that ends does not wait for a compiler.
TEST(SpecialisedMotion, EndsTheCompiler) {
  const std::string folder = testing::TempDir();
  const std::string script = folder + "/compiler_that_takes_long";
  std::ofstream(script) << "#!/bin/sh\ntouch \"" << script << ".started\"\nsleep 1000\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  std::filesystem::remove(script + ".started");
  const NamedCompiler named(script);
  const Model model = read_model(source_path("models/five-bar/five-bar.json"));
  Specialised specialised(model, by_ali3p(300 * model.analysis.step), Sensitivity::none);
  while (!std::filesystem::exists(script + ".started")) {
    specialised.go();
    ASSERT_EQ(specialised.steps()->counts().obstacle, "");
  }
}

// A table with a piece for every step.
TEST(SpecialisedMotion, IsGivenUpWhereEachStepTakesAnotherWay) {
  const QuickCompiler quick;
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  std::string knots = "0", values = "0";
  for (int k = 1; k <= 2000; ++k) {
    knots += ", " + std::to_string((k - 0.5) * model.analysis.step);
    values += ", " + std::to_string(k % 7);
  }
  model.states.push_back({"table", "spline(t, [" + knots + "], [" + values + "], 'linear')", 0.0});
  Specialised specialised(model, by_ali3p(1900 * model.analysis.step), Sensitivity::none);
  std::string obstacle;
  for (int k = 0; k < 500 && obstacle.empty(); ++k) {
    EXPECT_EQ(specialised.go().status.front(), kernels::Status::ok);
    obstacle = specialised.steps()->counts().obstacle;
  }
  EXPECT_TRUE(obstacle.starts_with("most take a way of their own")) << obstacle;
}

// The torque of a spline with hundreds of knots, all of them parameters.
TEST(SpecialisedMotion, IsGivenUpWhereDesignsAreVeryLarge) {
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  std::string knots = "0";
  for (int k = 1; k < 400; ++k) knots += ", " + std::to_string(k);
  derivative::add_array(model, "values", std::vector<double>(400, 0.1));
  // (Of the time itself it would be looked at through a window.)
  model.states.push_back({"table", "spline(2*t, [" + knots + "], values, 'natural')", 0.0});
  Options options = by_ali3p(5 * model.analysis.step);
  options.method = "adjoint";
  Specialised specialised(model, options, Sensitivity::adjoint);
  EXPECT_EQ(specialised.go().status.front(), kernels::Status::ok);
  const std::string obstacle = specialised.steps()->counts().obstacle;
  EXPECT_TRUE(obstacle.starts_with("a design of this mechanism has more than")) << obstacle;
}

// Where there are none at all: see why_general().
TEST(SpecialisedMotion, IsAskedForWhereThereIsOne) {
  Model model = derivative::tilted_four_bar();
  const auto why = [&](const char* formulation, ObjectiveKind kind, Sensitivity sensitivity) {
    Options options;
    options.formulation = formulation;
    model.objectives.front().kind = kind;
    const CompiledMechanism mechanism(model, options);
    MotionRequest request = mechanism.request();
    request.sensitivity = sensitivity;
    return why_general(request);
  };
  EXPECT_EQ(why("ali3p", ObjectiveKind::integral, Sensitivity::direct), "");
  EXPECT_NE(why("ali3p", ObjectiveKind::maximum, Sensitivity::direct), "");
  EXPECT_EQ(why("ali3p", ObjectiveKind::integral, Sensitivity::adjoint), "");
  EXPECT_NE(why("ali3p", ObjectiveKind::integral, Sensitivity::continuous), "");
  EXPECT_EQ(why("index1", ObjectiveKind::maximum, Sensitivity::adjoint), "");
}

}  // namespace
}  // namespace gradus::specialise
