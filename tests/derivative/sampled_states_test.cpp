// Sampled controllers against their exact discrete motion, at the order of each integrator, and
// their derivatives in every formulation and by every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/derivative/sampled_reference.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::message_of;

State sampled(const std::string& name, const Number& next, double every, const Number& initial = 0,
              double offset = 0) {
  State state;
  state.name = name;
  state.next = next;
  state.every = every;
  state.initial = initial;
  state.offset = offset;
  return state;
}

// A cart that is brought to `aim`, free or on a spring with a damper.
Model cart(bool is_damped) {
  Model m = test::one_body("cart", "m", "rail", JointType::prismatic, {1, 0, 0}, "x0", "v0", "x");
  m.parameters = {{"m", 2.0, "", {}, ""},   {"kp", 6.0, "", {}, ""}, {"ki", 3.0, "", {}, ""},
                  {"kd", 2.0, "", {}, ""},  {"x0", 0.3, "", {}, ""}, {"v0", -0.2, "", {}, ""},
                  {"aim", 1.0, "", {}, ""}, {"u0", 0.4, "", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.forces = {make_joint_force("motor", "rail", is_damped ? "u - 5*x - 0.3*v" : "u")};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"v", ObjectiveKind::terminal, "v", "", ""},
                  {"path", ObjectiveKind::integral, "x", "", ""},
                  {"work", ObjectiveKind::integral, "u*v", "", ""},
                  {"half", ObjectiveKind::value, "u", "", ""},
                  {"u", ObjectiveKind::terminal, "u", "", ""}};
  m.objectives[4].at = {0.5};
  m.analysis.duration = 1.0;
  m.analysis.tolerance = 1e-12;
  m.analysis.rtol = 1e-12;
  m.analysis.atol = 1e-13;
  return m;
}

Model cart_with_pd(bool is_damped) {
  Model m = cart(is_damped);
  m.states = {sampled("u", "kp*(aim - x) - kd*v", 0.1, "u0")};
  return m;
}

// With the sum of the errors, a difference of the last two, and a delay of one period; in an order
// in which states would read new values of others, if these were set one after another.
Model cart_with_pid(bool is_damped) {
  Model m = cart(is_damped);
  m.states = {sampled("earlier", "aim - x", 0.1), sampled("total", "total + 0.1*(aim - x)", 0.1),
              sampled("wanted", "kp*(aim - x) + ki*total + kd*(aim - x - earlier)/0.1", 0.1, "u0"),
              sampled("u", "wanted", 0.1, "u0")};
  return m;
}

struct SampledCart {
  const char* name;
  Model model;
  const ExactCart& exact;
};

std::vector<SampledCart> carts(bool are_damped) {
  return {{"PD", cart_with_pd(are_damped), are_damped ? damped_pd : free_pd},
          {"PID", cart_with_pid(are_damped), are_damped ? damped_pid : free_pid}};
}

struct ErrorsOfCart {
  double value = 0.0, gradient = 0.0;
};

// Largest errors beside 1 + the size, but of the objective `but`.
ErrorsOfCart errors_of_cart(const Model& model, const ExactCart& exact, const std::string& method,
                            const std::string& but = "") {
  const Result r = run_gradient(model, method);
  ErrorsOfCart e;
  const auto error = [](double found, double expected) {
    return std::abs(found - expected) / (1 + std::abs(expected));
  };
  for (std::size_t o = 0; o < cart_outputs; ++o) {
    if (model.objectives[o].name == but) continue;
    e.value = std::max(e.value, error(r.objective_values[o], exact.value[o]));
    for (std::size_t k = o * cart_parameters; k < (o + 1) * cart_parameters; ++k)
      e.gradient = std::max(e.gradient, error(r.gradient[k], exact.gradient[k]));
  }
  return e;
}

TEST(SampledStates, FollowTheExactDiscreteMotion) {
  for (SampledCart c : carts(true))
    for (const char* integrator : {"dop853", "radau5", "rk4"}) {
      c.model.analysis.formulation = "semi-recursive";
      c.model.analysis.integrator = integrator;
      c.model.analysis.step = 0.005;
      for (const char* method : {"direct", "adjoint", "dual"}) {
        const ErrorsOfCart e = errors_of_cart(c.model, c.exact, method);
        EXPECT_LT(e.value, 1e-9) << c.name << " " << integrator << " " << method;
        EXPECT_LT(e.gradient, 1e-9) << c.name << " " << integrator << " " << method;
      }
    }
}

// A part of the mass that a force stands for, which reads the acceleration: the same motion.
TEST(SampledStates, FollowItWhereAForceReadsAccelerations) {
  for (SampledCart c : carts(true))
    for (const char* integrator : {"dop853", "radau9", "rk4"}) {
      c.model.bodies[0].mass = "m - 0.7";
      c.model.sensors.push_back({"a", "coordinate_acceleration", "rail"});
      c.model.forces = {make_joint_force("motor", "rail", "u - 5*x - 0.3*v - 0.7*a")};
      c.model.analysis.formulation = "semi-recursive";
      c.model.analysis.integrator = integrator;
      c.model.analysis.step = 0.005;
      c.model.analysis.controls_error = std::string(integrator) != "rk4";
      for (const char* method : {"direct", "adjoint", "dual"}) {
        const ErrorsOfCart e = errors_of_cart(c.model, c.exact, method);
        EXPECT_LT(e.value, 1e-9) << c.name << " " << integrator << " " << method;
        EXPECT_LT(e.gradient, 1e-9) << c.name << " " << integrator << " " << method;
      }
      c.model.sensors.pop_back();
    }
}

// The acceleration of a free cart is constant between samples, which the second order follows
// exactly; so are the work and what is sampled.
TEST(SampledStates, AreExactInEveryFormulationWhereNothingElseActs) {
  for (const test::Method& method : test::tested_methods(false)) {
    if (method.integrator.order < 2) continue;
    for (SampledCart c : carts(false)) {
      SCOPED_TRACE(method.label() + " " + c.name);
      method.use_in(c.model);
      c.model.analysis.step = 0.05;
      for (const char* by : {"direct", "adjoint", "dual"}) {
        const ErrorsOfCart e = errors_of_cart(c.model, c.exact, by, "path");
        EXPECT_LT(e.value, 1e-10) << by;
        EXPECT_LT(e.gradient, 1e-9) << by;
      }
    }
  }
}

// Halved steps leave errors divided by 2 to the order, of integrals as well.
TEST(SampledStates, LeaveIntegratorsTheirOrder) {
  for (const test::Method& method : test::tested_methods(false)) {
    if (method.integrator.adaptive || method.formulation.label.starts_with("index1_")) continue;
    SCOPED_TRACE(method.label());
    SampledCart c = carts(true)[1];
    method.use_in(c.model);
    c.model.analysis.step = method.integrator.order > 3 ? 0.05 : 0.01;
    const ErrorsOfCart coarse = errors_of_cart(c.model, c.exact, "direct");
    if (method.integrator.order > 5) {  // and only round-off is left
      EXPECT_LT(coarse.value, 1e-12);
      EXPECT_LT(coarse.gradient, 1e-11);
      continue;
    }
    c.model.analysis.step /= 2;
    const ErrorsOfCart fine = errors_of_cart(c.model, c.exact, "direct");
    EXPECT_NEAR(std::log2(coarse.value / fine.value), method.integrator.order, 0.4);
    EXPECT_NEAR(std::log2(coarse.gradient / fine.gradient), method.integrator.order, 0.4);
  }
}

// Two loops, whose drive follows three states of two clocks, which read points, velocities and a
// table, and whose reactions count.
Model sampled_loop() {
  Model m = guided_loop();
  m.sensors.push_back({"pull", "constraint_force", "guide"});
  m.states = {sampled("slow", "0.3 - q + 0.2*held - 0.1*v.x*depth", 0.004, "0.2*depth", 0.002),
              sampled("held", "qd*beat*0.05 + 0.5*slow*spline(t, [0, 0.01, 0.03], [1, depth, 0.4])",
                      0.002, 0.05),
              sampled("last", "0.4*last + r.y*slow", 0.004, "depth"),
              {"wound", "held - 0.2*wound", 0.1}};
  force_of(m, "servo")["value"] = "-0.7*held + depth*cos(t) + 1.3*slow - wound*last";
  m.objectives.push_back({"states", ObjectiveKind::integral, "slow^2 + held*q", "", ""});
  m.objectives.push_back({"end of states", ObjectiveKind::terminal, "slow + 2*held*last", "", ""});
  m.objectives.push_back({"work", ObjectiveKind::integral, "pull*held", "", ""});
  m.objectives.push_back({"within", ObjectiveKind::value, "held + qdd*slow + pull", "", ""});
  m.objectives.back().at = {0.006};
  m.analysis.duration = 0.012;
  m.analysis.step = 0.001;
  m.analysis.rtol = 1e-7;  // gradients are compared by the same steps
  m.analysis.atol = 1e-8;
  return m;
}

class SampledStatesOf : public testing::TestWithParam<test::Method> {};

TEST_P(SampledStatesOf, HaveExactGradients) {
  Model m = sampled_loop();
  GetParam().use_in(m);
  m.analysis.penalty = 1e7;
  expect_exact_gradient(m, tolerances_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Methods, SampledStatesOf,
                         testing::ValuesIn(test::methods_that_hold_loops()),
                         [](const auto& method) { return method.param.label(); });

// What is sampled sets the size of friction, which reads reactions; a state in between reads what a
// constraint exerts, and is sampled in its turn. Values at samples are of the forces behind them.
Model sampled_friction() {
  Model m = sampled_loop();
  m.sensors.push_back({"load", "reaction_force", "j3"});
  m.sensors.push_back({"rubbing", "applied_force", "rub"});
  m.states.push_back({"worn", "0.2*pull - 2*worn + held", 0.1});
  m.states.push_back(sampled("seen", "0.5*seen + worn*qd", 0.004));
  m.forces.push_back(make_joint_force(
      "rub", "j3", "-0.3*(1 + held)*sqrt(dot(load, load) + 0.1)*tanh(3*qd) + 0.4*seen - 0.1*pull"));
  m.objectives.push_back({"heat", ObjectiveKind::integral, "rubbing*qd + worn*seen", "", ""});
  m.objectives.push_back({"behind", ObjectiveKind::value, "rubbing + qdd + dot(load, v)", "", ""});
  m.objectives.back().at = {0.004, 0.007, 0.008};
  m.analysis.duration = 0.008;
  return m;
}

TEST(SampledStates, OfForcesThatReadReactionsHaveExactGradients) {
  for (const auto& [formulation, integrator, adapts] : {std::tuple{"index1", "radau9", true},
                                                        {"index1", "generalised-alpha", false},
                                                        {"matrix-r", "dopri5", true}}) {
    SCOPED_TRACE(std::string(formulation) + " " + integrator);
    Model m = sampled_friction();
    m.analysis.formulation = formulation;
    m.analysis.integrator = integrator;
    m.analysis.controls_error = adapts;
    Tolerances t;
    t.dual = 1e-9;
    expect_exact_gradient(m, t);
  }
}

// At a sample the law holds with what is behind it.
TEST(SampledStates, OfForcesThatReadReactionsAreInForceAtOnce) {
  Model m = sampled_friction();
  const std::string law =
      "-0.3*(1 + held)*sqrt(dot(load, load) + 0.1)*tanh(3*qd) + 0.4*seen - 0.1*pull";
  m.objectives = {{"gap", ObjectiveKind::value, "rubbing - (" + law + ")", "", ""},
                  {"size", ObjectiveKind::value, "rubbing", "", ""}};
  for (Objective& o : m.objectives) o.at = {0.002, 0.004, 0.005, 0.006, 0.008};
  m.analysis.formulation = "index1";
  for (const char* integrator : {"rk4", "dop853", "newmark"}) {
    m.analysis.integrator = integrator;
    const Result r = run_gradient(m, "direct");
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_LT(std::abs(r.objective_values[k]), 1e-11) << integrator << k;
      EXPECT_GT(std::abs(r.objective_values[5 + k]), 0.01) << integrator << k;
    }
  }
}

// Lengths, axes, points and masses of a loop, by what states read of it.
TEST(SampledStates, AnswerToTheGeometryOfWhatTheyRead) {
  for (const auto& [formulation, projections] : {std::pair{"ali3p", "exact"},
                                                 {"ali3p", "penalty"},
                                                 {"index1", "exact"},
                                                 {"matrix-r", "exact"}}) {
    SCOPED_TRACE(std::string(formulation) + " " + projections);
    Model m = bennett_linkage();
    const std::string joint = m.joints[0].name;
    m.sensors.push_back({"turning", "angular_velocity", m.bodies[1].name});
    m.states = {sampled("u", "0.5*dot(r, v) + turning.x - 0.4*u", 0.004, 0.1),
                sampled("w", "dot(turning, [0.2, -0.3, 1])*r.x + 0.1*u", 0.008, 0.2, 0.004)};
    m.forces.push_back(make_joint_force("drive", joint, "u + 0.5*w"));
    m.objectives.push_back({"states", ObjectiveKind::integral, "u^2 + w*q", "", ""});
    m.analysis.formulation = formulation;
    m.analysis.projections = projections;
    m.analysis.duration = 0.024;
    m.analysis.step = 0.002;
    m.analysis.rtol = 1e-11;
    m.analysis.atol = 1e-12;
    expect_exact_gradient(m);
  }
}

// A pendulum with friction and a torque that is sampled, which is not linear.
Model sampled_pendulum() {
  Model m = test::one_body("rod", "m", "hinge", JointType::revolute, {0, 0, 1}, "q0", 0.0, "q");
  m.gravity = {0, -9.81, 0};
  m.bodies[0].com = {"0.5*length", 0, 0};
  m.bodies[0].inertia = {0, "m*length^2/12", "m*length^2/12", 0, 0, 0, "com"};
  m.parameters = {{"m", 1.3, "", {}, ""},
                  {"length", 0.7, "", {}, ""},
                  {"q0", 0.4, "", {}, ""},
                  {"kp", 9.0, "", {}, ""},
                  {"kd", 1.5, "", {}, ""}};
  m.sensors.push_back({"w", "rate", "hinge"});
  m.states = {sampled("torque", "kp*sin(1 - q) - kd*w*abs(w) + 0.3*torque", 0.05, "0.1*kp", 0.025)};
  m.forces = {make_joint_force("motor", "hinge", "torque")};
  m.objectives = {{"q", ObjectiveKind::terminal, "q", "", ""},
                  {"effort", ObjectiveKind::integral, "torque^2 + q*torque", "", ""},
                  {"most", ObjectiveKind::maximum, "q", "", ""}};
  m.analysis.duration = 1.0;
  m.analysis.step = 0.0125;
  m.analysis.tolerance = 1e-12;
  m.analysis.rtol = 1e-12;
  m.analysis.atol = 1e-13;
  return m;
}

// Central differences of the best of several steps. Where the angle is largest, is looked for in a
// polynomial across samples, at which accelerations jump: as the steps of the integrator lie.
TEST(SampledStates, OfAPendulumAgreeWithDifferences) {
  for (const char* formulation : {"auto", "ali3p", "fully-recursive"}) {
    Model m = sampled_pendulum();
    m.analysis.formulation = formulation;
    const Result r = run_gradient(m, "direct");
    const std::size_t count = m.parameters.size();
    for (std::size_t p = 0; p < count; ++p) {
      std::vector<double> least(m.objectives.size(), 1e300);
      for (double h = 1e-3; h > 1e-7; h *= 0.1) {
        Options options;
        options.backend = "cpu:1";
        const double value = m.parameters[p].value.value();
        options.set[m.parameters[p].name] = value + h;
        const Result above = simulate(m, options);
        options.set[m.parameters[p].name] = value - h;
        const Result below = simulate(m, options);
        for (std::size_t o = 0; o < least.size(); ++o) {
          const double slope = (above.objective_values[o] - below.objective_values[o]) / (2 * h);
          const double found = r.gradient[o * count + p];
          least[o] = std::min(least[o], std::abs(slope - found) / (1 + std::abs(found)));
        }
      }
      for (std::size_t o = 0; o < least.size(); ++o)
        EXPECT_LT(least[o], o == 2 ? 1e-5 : 1e-8)
            << formulation << " " << m.objectives[o].name << " by " << m.parameters[p].name;
    }
  }
}

TEST(SampledStates, HaveTheSameBitsInLanesAndOnDevices) {
  for (const auto& [formulation, integrator] :
       {std::pair{"ali3p", "newmark"}, {"index1", "generalised-alpha"}, {"matrix-r", "dopri5"}})
    for (const char* method : {"direct", "adjoint"}) {
      SCOPED_TRACE(std::string(formulation) + " " + method);
      Model m = sampled_loop();
      m.analysis.integrator = integrator;
      Options options;
      options.method = method;
      options.designs.count = 5;
      options.designs.spread = 0.05;
      options.formulation = formulation;
      expect_same_bits_everywhere(m, options);
    }
}

// Adjoints that keep some of the motion only, and take steps once more.
TEST(SampledStates, AreTakenOnceMoreWhereMemoryIsShort) {
  for (const char* integrator : {"newmark", "dop853"}) {
    Model m = cart_with_pid(true);
    m.analysis.formulation = std::string(integrator) == "newmark" ? "ali3p" : "semi-recursive";
    m.analysis.integrator = integrator;
    m.analysis.step = 0.0005;
    m.analysis.rtol = 1e-13;
    const Result all = run_gradient(m, "adjoint");
    Options options;
    options.memory = 60000;
    const Result some = run_gradient(m, "adjoint", options);
    EXPECT_GT(some.recomputation, 0.5) << integrator;
    EXPECT_EQ(some.gradient, all.gradient) << integrator;
  }
}

// What is shown at an instant of sampling is that behind the sample; in between, what was sampled
// last. So are its sensitivities, and what the motion between makes of it.
TEST(SampledStates, AreRecordedAsTheyAre) {
  for (const char* integrator : {"dopri5", "rk4", "newmark"}) {
    Model m = cart_with_pd(false);
    m.analysis.formulation = std::string(integrator) == "newmark" ? "ali3p" : "semi-recursive";
    m.analysis.integrator = integrator;
    m.analysis.step = 0.025;
    m.sensors.push_back({"a", "coordinate_acceleration", "rail"});
    Options options;
    options.record = options.columns = true;
    const Result r = run_gradient(m, "direct", options);
    const Trajectory& t = r.trajectories[0];
    ASSERT_EQ(t.time.size(), 41U);
    const bool has_history = !t.objective_history.empty();  // of steps of fixed length
    EXPECT_EQ(has_history, std::string(integrator) != "dopri5");
    const std::size_t sensors = r.sensor_components.size();  // x, v, a, u
    ASSERT_EQ(sensors, 4U);
    const auto shown = [&](std::size_t row, std::size_t s) { return t.sensors[row * sensors + s]; };
    for (std::size_t row = 0; row < 41; ++row) {
      const std::size_t sample = row - row % 4;
      const double x = shown(sample, 0);
      const double v = shown(sample, 1);
      const double u = 6 * (1 - x) - 2 * v;
      const double since = t.time[row] - t.time[sample];
      EXPECT_NEAR(shown(row, 3), u, 1e-12) << integrator << " " << row;
      EXPECT_NEAR(shown(row, 2), u / 2, 1e-9) << integrator << " " << row;
      EXPECT_NEAR(shown(row, 0), x + v * since + u * since * since / 4, 1e-10) << row;
      if (has_history) {
        const double work = shown(row, 1) * shown(row, 1) - 0.04;  // of 2 kg, from -0.2 m/s on
        EXPECT_NEAR(t.objective_history[row * cart_outputs + 3], work, 1e-12) << row;
      }
      const auto slope = [&](std::size_t at, std::size_t s, std::size_t p) {
        return t.sensor_columns[(at * sensors + s) * cart_parameters + p];
      };
      const double du = -6 * slope(sample, 0, 4) - 2 * slope(sample, 1, 4);
      EXPECT_NEAR(slope(row, 3, 4), du, 1e-9) << integrator << " " << row;
      EXPECT_NEAR(slope(row, 1, 4), slope(sample, 1, 4) + since * du / 2, 1e-9) << row;
    }
  }
}

TEST(SampledStates, AreChecked) {
  const auto after = [](const auto& change) {
    Model m = cart_with_pd(true);
    change(m.states[0]);
    return message_of([&] { validate(m); });
  };
  EXPECT_EQ(after([](State&) {}), "no error");
  expect_part(after([](State& s) { s.next = "aim - y"; }), "/states/u/next: unknown name \"y\"");
  expect_part(after([](State& s) { s.next = "1/0"; }), "/states/u/next: found \"1/0\"");
  expect_part(after([](State& s) { s.every = 0; }), "/states/u/every: found 0 (a state with");
  expect_part(after([](State& s) { s.every = -1; }),
              "/states/u/every: found -1 (it must be positive");
  expect_part(after([](State& s) { s.every = NAN; }), "/states/u/every: found nan");
  expect_part(after([](State& s) { s.offset = -0.1; }), "/states/u/offset: found -0.1");
  expect_part(after([](State& s) { s.offset = NAN; }), "/states/u/offset: found nan");
  expect_part(after([](State& s) { s.rate = "x"; }), "/states/u/rate: found a rate of a sampled");
}

std::string message_of_state(const std::string& state) {
  return message_of([&] {
    parse_model(R"({"schema": "gradus-model/1", "name": "m", "parameters": {"T": 0.1},
      "bodies": {"b": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
      "joints": {"j": {"type": "prismatic", "parent": "ground", "child": "b"}},
      "states": {"u": )" +
                state + "}}");
  });
}

TEST(SampledStates, AreCheckedInFiles) {
  EXPECT_EQ(message_of_state(R"({"next": "u/2", "every": "1/50", "offset": 0.01})"), "no error");
  expect_part(message_of_state("{}"), "/states/u: found neither \"rate\" nor \"next\"");
  expect_part(message_of_state(R"({"next": 1, "rate": 1, "every": 1})"),
              "/states/u: found the keys \"rate\" and \"next\"");
  expect_part(message_of_state(R"({"next": 1})"), "every");
  expect_part(message_of_state(R"({"rate": 1, "every": 1})"),
              "/states/u/every: found \"every\" beside a \"rate\"");
  expect_part(message_of_state(R"({"next": 1, "every": 0})"), "/states/u/every: found 0");
  expect_part(message_of_state(R"({"next": 1, "every": "T"})"), "times of sampling are constants");
  expect_part(message_of_state(R"({"next": 1, "every": 1, "offset": "T"})"),
              "times of sampling are constants");
}

TEST(SampledStates, WantStepsThatEndWithThem) {
  const auto after = [](double step, const auto& change) {
    Model m = cart_with_pd(true);
    m.analysis.formulation = "ali3p";
    m.analysis.step = step;
    change(m);
    return message_of([&] { simulate(m); });
  };
  const auto nothing = [](Model&) {};
  EXPECT_EQ(after(0.02, nothing), "no error");
  expect_part(after(0.03, nothing),
              "/states/u/every: found 0.1 (steps of fixed length end at every sample, they are "
              "0.030303030303 s long), a step of 0.025 s fits");
  expect_part(after(0.2, nothing), "a step of 0.1 s fits");
  expect_part(after(0.02, [](Model& m) { m.states[0].offset = 0.005; }),
              "/states/u/offset: found 0.005 (steps of fixed length end at every sample, they are "
              "0.02 s long), a step of 0.005 s fits");
  expect_part(after(0.02, [](Model& m) { m.states[0].every = std::sqrt(0.005); }),
              "choose times of sampling and a duration that are whole numbers of one step");
  const auto sample_often = [](Model& m) {
    m.states[0].every = 1e-9;
    m.analysis.formulation = "auto";
  };
  expect_part(after(0.1, sample_often),
              "/states/u/every: found 1e-09 (a motion of 1 s has more than 2e+06 samples)");
  expect_part(message_of([] {
                Options options;
                options.method = "continuous-adjoint";
                Model m = cart_with_pd(true);
                m.objectives.resize(3);
                m.analysis.step = 0.02;
                gradient(m, options);
              }),
              "found \"continuous-adjoint\" for a model with \"state u\", which is sampled");
}

// Periods whose multiples are rounded, so that times that should be equal are not.
TEST(SampledStates, AreSampledTogetherWhereTimesMeet) {
  Model m = cart(true);
  m.states = {sampled("u", "3*fast", 0.3), sampled("fast", "fast + 1", 0.1),
              sampled("echo", "echo + u", 0.1), sampled("never", 7, 0.1, 2, 5.0)};
  m.objectives = {{"u", ObjectiveKind::terminal, "u", "", ""},
                  {"fast", ObjectiveKind::terminal, "fast + never", "", ""},
                  {"echo", ObjectiveKind::terminal, "echo", "", ""},
                  {"sum", ObjectiveKind::integral, "u", "", ""}};
  for (const char* formulation : {"ali3p", "auto"}) {
    m.analysis.formulation = formulation;
    m.analysis.step = 0.05;
    const Result r = simulate(m);
    ASSERT_TRUE(r.all_ok());
    // u is 0, 9, 18, 27 from 0, 0.3, 0.6, 0.9 on: what `fast` was before. So is what `echo` adds.
    EXPECT_EQ(r.objective_values[0], 27.0) << formulation;
    EXPECT_EQ(r.objective_values[1], 13.0) << formulation;
    EXPECT_EQ(r.objective_values[2], 3 * 9.0 + 3 * 18.0 + 27.0) << formulation;
    EXPECT_NEAR(r.objective_values[3], 0.3 * 27 + 0.1 * 27, 1e-12) << formulation;
  }
}

// Times that nearly meet, of a slow clock and a fast one, are instants of their own.
TEST(SampledStates, AreSampledApartWhereTimesDiffer) {
  Model m = cart(true);
  m.states = {sampled("u", "u + 1", 0.4, 0, 0.1 - 1e-7), sampled("fast", "fast + u", 1e-3)};
  m.objectives = {{"u", ObjectiveKind::terminal, "u", "", ""},
                  {"fast", ObjectiveKind::terminal, "fast", "", ""}};
  m.analysis.formulation = "auto";
  m.analysis.rtol = 1e-6;
  const Result r = simulate(m);
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  EXPECT_EQ(r.objective_values[0], 3.0);
  EXPECT_EQ(r.objective_values[1], 400 * 1 + 400 * 2 + 101 * 3);
}

TEST(SampledStates, FailWhereTheyAreNoNumbers) {
  Model m = cart_with_pd(true);
  m.states[0].next = "sqrt(0.35 - t)";
  for (const char* formulation : {"ali3p", "auto"}) {
    m.analysis.formulation = formulation;
    m.analysis.step = 0.05;
    const Result r = simulate(m);
    ASSERT_FALSE(r.status[0].ok) << formulation;
    EXPECT_NEAR(r.status[0].time, 0.4, 1e-12) << formulation;
    expect_part(r.status[0].message,
                "the state u became infinite or undefined when it was sampled");
  }
}

}  // namespace
}  // namespace gradus::derivative
