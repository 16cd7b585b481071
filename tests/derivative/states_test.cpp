// First-order states: controllers, filters and actuators against closed forms, at the order of each
// integrator, and their derivatives in every formulation.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/derivative/tied_bodies.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::message_of;

using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

// x' = A x with the last of x the constant 1.
struct LinearSystem {
  Matrix matrix;
  Vector start;

  Vector at(long double time) const { return (matrix * time).exp() * start; }
};

// A model, and the linear system that it is as a function of the parameters.
struct LinearModel {
  Model model;
  LinearSystem (*system)(const std::vector<long double>& p);
};

// Values of the outputs of a linear model at its end, and their derivatives [output, parameter] by
// extrapolated central differences in long double.
struct Exact {
  Vector values;
  Matrix gradient;
};

Exact exact(const LinearModel& linear, const std::vector<int>& outputs) {
  std::vector<long double> p;
  for (const Parameter& parameter : linear.model.parameters) p.push_back(parameter.value.value());
  const long double time = linear.model.analysis.duration;
  const auto state = [&](std::size_t k, long double shift) {
    std::vector<long double> moved = p;
    moved[k] += shift;
    return linear.system(moved).at(time);
  };
  const Vector x = linear.system(p).at(time);
  Exact e{Vector(outputs.size()), Matrix(outputs.size(), p.size())};
  for (std::size_t o = 0; o < outputs.size(); ++o) e.values(o) = x(outputs[o]);
  for (std::size_t k = 0; k < p.size(); ++k) {
    const long double h = 1e-4L;
    const Vector coarse = (state(k, 2 * h) - state(k, -2 * h)) / (4 * h);
    const Vector fine = (state(k, h) - state(k, -h)) / (2 * h);
    const Vector slope = (4 * fine - coarse) / 3;
    for (std::size_t o = 0; o < outputs.size(); ++o) e.gradient(o, k) = slope(outputs[o]);
  }
  return e;
}

// A cart of 2 kg that a PID controller brings to 1 m.
LinearModel cart_with_pid() {
  LinearModel linear;
  Model& m = linear.model;
  m = test::one_body("cart", 2.0, "rail", JointType::prismatic, {1, 0, 0}, "x0", 0.0, "x");
  m.parameters = {{"kp", 20.0, "", {}, ""}, {"ki", 15.0, "", {}, ""}, {"kd", 8.0, "", {}, ""},
                  {"x0", 0.3, "", {}, ""},  {"e0", 0.1, "", {}, ""},  {"aim", 1.0, "", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.states = {{"wound", "aim - x", "e0", "m s"}};
  m.forces = {make_joint_force("motor", "rail", "kp*(aim - x) + ki*wound - kd*v")};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"v", ObjectiveKind::terminal, "v", "", ""},
                  {"wound", ObjectiveKind::terminal, "wound", "", ""}};
  m.analysis.duration = 2.0;
  linear.system = [](const std::vector<long double>& p) {
    Matrix a = Matrix::Zero(4, 4);
    a(0, 1) = 1;
    a.row(1) << -p[0] / 2, -p[2] / 2, p[1] / 2, p[0] * p[5] / 2;
    a.row(2) << -1, 0, 0, p[5];
    Vector start(4);
    start << p[3], 0, p[4], 1;
    return LinearSystem{a, start};
  };
  return linear;
}

// A mass on a spring, pushed by an actuator of the second order that follows a command and feels
// how fast it moves.
LinearModel mass_with_actuator() {
  LinearModel linear;
  Model& m = linear.model;
  m = test::one_body("mass", 1.5, "rail", JointType::prismatic, {1, 0, 0}, 0.2, "v0", "x");
  m.parameters = {{"w", 12.0, "", {}, ""}, {"zeta", 0.4, "", {}, ""}, {"gain", 30.0, "", {}, ""},
                  {"a0", 0.5, "", {}, ""}, {"v0", -0.4, "", {}, ""},  {"u", 0.8, "", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.states = {{"stroke", "speed", "a0"},
              {"speed", "w^2*(u - stroke) - 2*zeta*w*speed - 0.1*gain*v", "0.5*a0"}};
  m.forces = {make_joint_force("push", "rail", "gain*stroke - 40*x - 0.3*v")};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"v", ObjectiveKind::terminal, "v", "", ""},
                  {"stroke", ObjectiveKind::terminal, "stroke", "", ""},
                  {"speed", ObjectiveKind::terminal, "speed", "", ""}};
  m.analysis.duration = 1.2;
  linear.system = [](const std::vector<long double>& p) {
    Matrix a = Matrix::Zero(5, 5);
    a(0, 1) = 1;
    a.row(1) << -40 / 1.5L, -0.3L / 1.5L, p[2] / 1.5L, 0, 0;
    a(2, 3) = 1;
    a.row(3) << 0, -0.1L * p[2], -p[0] * p[0], -2 * p[1] * p[0], p[0] * p[0] * p[5];
    Vector start(5);
    start << 0.2L, p[4], p[3], p[3] / 2, 1;
    return LinearSystem{a, start};
  };
  return linear;
}

Options one_thread(const std::string& method) {
  Options options;
  options.method = method;
  options.backend = "cpu:1";
  return options;
}

// Largest errors of values and of gradients, beside 1 + their size.
struct Errors {
  double value = 0.0, gradient = 0.0;
};

Errors errors(const LinearModel& linear, const std::string& method) {
  std::vector<int> outputs;
  for (std::size_t o = 0; o < linear.model.objectives.size(); ++o)
    outputs.push_back(static_cast<int>(o));
  const Exact expected = exact(linear, outputs);
  const Result r = gradient(linear.model, one_thread(method));
  EXPECT_TRUE(r.all_ok()) << r.status[0].message;
  Errors e;
  const auto parameters = static_cast<std::size_t>(expected.gradient.cols());
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    const auto row = static_cast<Eigen::Index>(o);
    const double value = static_cast<double>(expected.values(row));
    e.value = std::max(e.value, std::abs(r.objective_values[o] - value) / (1 + std::abs(value)));
    for (std::size_t p = 0; p < parameters; ++p) {
      const double slope =
          static_cast<double>(expected.gradient(row, static_cast<Eigen::Index>(p)));
      EXPECT_GT(std::abs(slope), 1e-6) << o << " by " << p;
      e.gradient = std::max(
          e.gradient, std::abs(r.gradient[o * parameters + p] - slope) / (1 + std::abs(slope)));
    }
  }
  return e;
}

TEST(States, AControlledCartAndAnActuatorFollowTheirClosedForms) {
  for (LinearModel linear : {cart_with_pid(), mass_with_actuator()}) {
    linear.model.analysis.formulation = "semi-recursive";
    linear.model.analysis.integrator = "dop853";
    linear.model.analysis.rtol = 1e-12;
    linear.model.analysis.atol = 1e-13;
    for (const char* method : {"direct", "adjoint", "dual"}) {
      const Errors e = errors(linear, method);
      EXPECT_LT(e.value, 1e-10) << method;
      EXPECT_LT(e.gradient, 1e-9) << method;
    }
  }
}

// Steps end where states are sampled, and an integrator that any error pleases takes one from there
// to the next.
void take_steps_of(double step, Model& m) {
  std::erase_if(m.states, [](const State& state) { return state.name == "tick"; });
  m.states.push_back({"tick", 0, 0});
  m.states.back().every = step;
  m.analysis.rtol = m.analysis.atol = 0.1;
}

// Halved steps leave errors of values and of gradients divided by 2 to the order.
TEST(States, HaveTheOrderOfTheirIntegrator) {
  for (const test::TestedFormulation& formulation : test::tested_formulations()) {
    if (formulation.label.starts_with("index1_")) continue;
    for (const std::string& name : formulation_traits(formulation.name).integrators) {
      const test::TestedIntegrator integrator = test::tested_integrator(name);
      SCOPED_TRACE(formulation.name + " " + name);
      LinearModel linear = mass_with_actuator();
      linear.model.analysis.formulation = formulation.name;
      linear.model.analysis.integrator = name;
      linear.model.analysis.tolerance = 1e-12;
      const bool is_high = integrator.order > 5;
      const double coarse_step = integrator.adaptive    ? (is_high ? 0.08 : 0.01)
                                 : is_high              ? 0.15
                                 : integrator.order > 3 ? 0.03
                                                        : 0.01;
      const double ratio = integrator.adaptive ? 2 : is_high ? 1.5 : 4;
      const auto errors_by = [&](double step) {
        linear.model.analysis.step = step;
        if (integrator.adaptive) take_steps_of(step, linear.model);
        return errors(linear, "direct");
      };
      const Errors coarse = errors_by(coarse_step);
      const Errors fine = errors_by(coarse_step / ratio);
      const double value_order = std::log(coarse.value / fine.value) / std::log(ratio);
      const double gradient_order = std::log(coarse.gradient / fine.gradient) / std::log(ratio);
      // The order of dopri5 shows late: 5.9, 5.7, ... with smaller steps; that of rodas5p later.
      const double less = integrator.adaptive ? 0.75 : 0.35;
      const double more = integrator.name == "rodas5p" ? 1.1 : less;
      for (const double order : {value_order, gradient_order}) {
        EXPECT_GT(order, integrator.order - less);
        EXPECT_LT(order, integrator.order + more);
      }
    }
  }
}

// What constraints are judged by is found by random disturbances, which must not depend on states.
TEST(States, DoNotDecideWhetherAMotionIsSingular) {
  Model m = tied_bodies();
  m.analysis.formulation = "index1";
  m.analysis.integrator = "rk4";
  m.analysis.duration = 0.02;
  m.analysis.step = 0.0025;
  for (int count = 0; count < 7; ++count) {
    const Result r = simulate(m, one_thread("direct"));
    EXPECT_TRUE(r.all_ok()) << count << " states: " << r.status[0].message;
    m.states.push_back({"s" + std::to_string(count), "0*t", 0.1});
  }
}

// An actuator that moves with this share of its own acceleration, against a spring.
LinearSystem actuator(const std::vector<long double>& p, long double share, long double spring) {
  Matrix a = Matrix::Zero(3, 3);
  a(0, 1) = 1;
  a.row(1) << -share * p[0] * p[0] - spring, -2 * share * p[1] * p[0], share * p[0] * p[0] * p[2];
  Vector start(3);
  start << p[3], 0.1L, 1;
  return {a, start};
}

// A mass on a spring that a constraint makes follow an actuator of the second order, a body of its
// own: which feels the load, or is given it back.
LinearModel mass_on_actuator(bool feels) {
  LinearModel linear;
  Model& m = linear.model;
  m = test::one_body("mass", 1.5, "rail", JointType::prismatic, {1, 0, 0}, 0.0, 0.0, "x");
  m.joints[0].start[0].position_is_guess = m.joints[0].start[0].velocity_is_guess = true;
  m.bodies.push_back(m.bodies[0]);
  m.bodies[1].name = "rod";
  m.bodies[1].mass = 0.2;
  m.joints.push_back(m.joints[0]);
  m.joints[1].name = "piston";
  m.joints[1].child = "rod";
  m.joints[1].start = {{"a0", 0.1, false, false}};
  m.parameters = {{"w", 12.0, "", {}, ""},
                  {"zeta", 0.4, "", {}, ""},
                  {"u", 0.8, "", {}, ""},
                  {"a0", 0.5, "", {}, ""}};
  m.sensors.push_back({"a", "coordinate", "piston"});
  m.sensors.push_back({"da", "rate", "piston"});
  m.constraints = {{"stroke", "expression", "", "", "x - a"}};
  const std::string value = "0.2*(w^2*(u - a) - 2*zeta*w*da)";
  if (!feels) m.sensors.push_back({"load", "constraint_force", "stroke"});
  m.forces = {make_joint_force("spring", "rail", "-40*x"),
              make_joint_force("actuator", "piston", feels ? value : value + " + load")};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"v", ObjectiveKind::terminal, "da", "", ""}};
  m.analysis.duration = 1.2;
  if (feels)
    linear.system = [](const std::vector<long double>& p) {
      return actuator(p, 0.2L / 1.7L, 40 / 1.7L);
    };
  else
    linear.system = [](const std::vector<long double>& p) { return actuator(p, 1, 0); };
  return linear;
}

TEST(States, HaveBodiesInTheirPlaceThatConstraintsFollow) {
  for (const bool feels : {true, false})
    for (const char* formulation : {"ali3p", "index1", "matrix-r"}) {
      const bool is_stepped = std::string(formulation) == "ali3p";
      if (is_stepped && !feels) continue;  // reads no reactions
      LinearModel linear = mass_on_actuator(feels);
      linear.model.analysis.formulation = formulation;
      linear.model.analysis.integrator = is_stepped ? "newmark" : "dop853";
      linear.model.analysis.step = 1e-3;
      linear.model.analysis.rtol = 1e-12;
      linear.model.analysis.atol = 1e-13;
      for (const char* method : {"direct", "adjoint", "dual"}) {
        const Errors e = errors(linear, method);
        EXPECT_LT(e.value, is_stepped ? 1e-3 : 1e-10) << feels << formulation << method;
        EXPECT_LT(e.gradient, is_stepped ? 1e-2 : 1e-9) << feels << formulation << method;
      }
    }
}

// States are no part of the mechanism: its energy and momentum do not know of them.
TEST(States, HaveNoEnergyAndNoMomentum) {
  Model m = test::one_body("mass", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 0.0, 2.0, "x");
  m.states = {{"clock", 5, 3}};
  m.sensors.push_back({"e", "energy", "total"});
  m.sensors.push_back({"h", "momentum", "angular"});
  m.sensors.push_back({"shown", "state", "clock"});
  m.analysis.duration = 1.0;
  m.analysis.step = 0.1;
  Options options;
  options.backend = "cpu:1";
  const Result r = simulate(m, options);
  ASSERT_TRUE(r.all_ok());
  const std::vector<double> expected{2.0, 2.0, 0.0, 0.0, 0.0, 8.0, 8.0};
  ASSERT_EQ(r.final_sensors.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(r.final_sensors[k], expected[k], 1e-12) << r.sensor_components[k].name;
  EXPECT_EQ(r.sensor_components.back().name, "clock");
}

TEST(States, AreChecked) {
  const auto after = [](const auto& change) {
    Model m = cart_with_pid().model;
    change(m);
    return message_of([&] { validate(m); });
  };
  EXPECT_EQ(after([](Model&) {}), "no error");
  expect_part(after([](Model& m) { m.states[0].rate = "aim - y"; }), "/states/wound/rate: ");
  expect_part(after([](Model& m) { m.states[0].initial = "x"; }), "/states/wound/initial: ");
  expect_part(after([](Model& m) { m.states[0].initial = "1/0"; }), "/states/wound/initial: found");
  expect_part(after([](Model& m) { m.states[0].name = "x"; }), "the name \"x\" is taken");
  expect_part(after([](Model& m) { m.states[0].name = "two words"; }), "/states/two words: ");
  expect_part(after([](Model& m) { m.states.push_back(m.states[0]); }),
              "the name \"wound\" is taken");
  expect_part(after([](Model& m) {
                m.bodies.push_back(m.bodies[0]);
                m.bodies.back().name = "state wound";
              }),
              "/bodies/state wound: the name \"state wound\" is taken (it stands for a state)");
  expect_part(after([](Model& m) {
                m.joints.push_back(m.joints[0]);
                m.joints.back().name = "state wound";
              }),
              "/joints/state wound: the name \"state wound\" is taken (it stands for a state)");
  expect_part(
      after([](Model& m) { m.forces.push_back(make_joint_force("more", "state wound", 1)); }),
      "/forces/more/joint: found \"state wound\" (there is no joint of that name)");
  expect_part(after([](Model& m) {
                m.sensors.push_back({"s", "state", "wuond"});
              }),
              "/sensors/s/state: found \"wuond\" (there is no state of that name), did you mean "
              "\"wound\"?");
}

}  // namespace
}  // namespace gradus::derivative
