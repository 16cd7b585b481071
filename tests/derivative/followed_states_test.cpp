// Constraints that read first-order states: a carriage on a track follows an actuator, and a
// pendulum on it acts on the actuator, against the equations solved apart.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/model/graph.hpp"
#include "src/model/nominal.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::message_of;

constexpr long double kDuration = 1.0L;
constexpr long double kKink = 0.4L;
constexpr std::size_t kParameters = 5;

// The track keeps the carriage at reach s + 0.1 s^2, where s' = gain sin q - s + w/2 + lift and
// w' = cos 3t - w.
Model carriage() {
  Model m = test::one_body("carriage", 2.0, "rail", JointType::prismatic, {1, 0, 0}, 0.0, 0.0, "x");
  m.joints[0].start[0].position_is_guess = m.joints[0].start[0].velocity_is_guess = true;
  Body bob;
  bob.name = "bob";
  bob.mass = 0.5;
  bob.com = {0, "-length", 0};
  m.bodies.push_back(bob);
  Joint hinge = m.joints[0];
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.parent = "carriage";
  hinge.child = "bob";
  hinge.axis = {0, 0, 1};
  hinge.start = {{0.6, -0.2, false, false}};
  m.joints.push_back(hinge);
  m.gravity = {0, -9.81, 0};
  m.parameters = {{"gain", 1.5, "", {}, ""},
                  {"reach", 0.4, "", {}, ""},
                  {"s0", 0.3, "", {}, ""},
                  {"length", 0.7, "", {}, ""},
                  {"high", 0.8, "", {}, ""}};
  m.sensors.push_back({"q", "coordinate", "hinge"});
  m.sensors.push_back({"v", "rate", "rail"});
  m.sensors.push_back({"stretch", "state", "s"});
  m.definitions = {{"lift", "spline(t, [0, 0.4, 1], [0, high, 0.2], 'linear')"},
                   {"place", "reach*s + 0.1*stretch^2"}};
  m.states = {{"s", "gain*sin(q) - stretch + 0.5*w + lift", "s0", "m"}, {"w", "cos(3*t) - w", 0.2}};
  m.constraints = {{"track", "expression", "", "", "x - place"}};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"v", ObjectiveKind::terminal, "v", "", ""},
                  {"q", ObjectiveKind::terminal, "q", "", ""},
                  {"s", ObjectiveKind::terminal, "s", "", ""},
                  {"held", ObjectiveKind::terminal, "force_of_track", "", ""}};
  m.analysis.duration = static_cast<double>(kDuration);
  return m;
}

using Numbers = std::array<long double, kParameters>;

// q, q', s, w, and what follows from them.
struct Reference {
  Numbers p;
  std::array<long double, 4> y;
  long double time = 0.0L;

  explicit Reference(const Numbers& parameters)
      : p(parameters), y{0.6L, -0.2L, parameters[2], 0.2L} {}

  struct Rates {
    std::array<long double, 4> y;
    long double x, v, force;
  };
  // `late`: behind the kink.
  Rates rates(long double t, const std::array<long double, 4>& at, bool late) const {
    const auto [q, turn, s, w] = at;
    const auto [gain, reach, s0, length, high] = p;
    const long double slope = late ? (0.2L - high) / (1 - kKink) : high / kKink;
    const long double lift = late ? high + slope * (t - kKink) : slope * t;
    const long double w_rate = std::cos(3 * t) - w;
    const long double s_rate = gain * std::sin(q) - s + w / 2 + lift;
    const long double s_second = gain * std::cos(q) * turn - s_rate + w_rate / 2 + slope;
    const long double x_second = (reach + 0.2L * s) * s_second + 0.2L * s_rate * s_rate;
    const long double turn_rate = -(9.81L * std::sin(q) + x_second * std::cos(q)) / length;
    const long double force =
        2.5L * x_second + 0.5L * length * (turn_rate * std::cos(q) - turn * turn * std::sin(q));
    return {{turn, turn_rate, s_rate, w_rate},
            reach * s + 0.1L * s * s,
            (reach + 0.2L * s) * s_rate,
            force};
  }

  void go(long double until, int steps, bool late) {
    const long double h = (until - time) / steps;
    const auto moved = [&](const Rates& rates, long double by) {
      auto to = y;
      for (std::size_t k = 0; k < 4; ++k) to[k] += by * rates.y[k];
      return to;
    };
    for (int i = 0; i < steps; ++i, time += h) {
      const Rates a = rates(time, y, late);
      const Rates b = rates(time + h / 2, moved(a, h / 2), late);
      const Rates c = rates(time + h / 2, moved(b, h / 2), late);
      const Rates d = rates(time + h, moved(c, h), late);
      for (std::size_t k = 0; k < 4; ++k)
        y[k] += h / 6 * (a.y[k] + 2 * b.y[k] + 2 * c.y[k] + d.y[k]);
    }
  }

  std::array<long double, 5> outputs(bool has_kink) {
    go(kKink, 1600, false);
    go(kDuration, 2400, has_kink);
    const Rates last = rates(kDuration, y, has_kink);
    return {last.x, last.v, y[0], y[2], last.force};
  }
};

// Values, and their derivatives [output, parameter] by extrapolated central differences.
struct Expected {
  std::vector<double> values, gradient;
};

Expected expected(bool has_kink) {
  const Numbers p{1.5L, 0.4L, 0.3L, 0.7L, 0.8L};
  Expected e;
  for (const long double value : Reference(p).outputs(has_kink))
    e.values.push_back(static_cast<double>(value));
  e.gradient.resize(e.values.size() * kParameters);
  for (std::size_t k = 0; k < kParameters; ++k) {
    const auto at = [&](long double shift) {
      Numbers moved = p;
      moved[k] += shift;
      return Reference(moved).outputs(has_kink);
    };
    const long double h = 1e-3L;
    const auto right = at(h), left = at(-h), far_right = at(2 * h), far_left = at(-2 * h);
    for (std::size_t o = 0; o < e.values.size(); ++o)
      e.gradient[o * kParameters + k] =
          static_cast<double>((8 * (right[o] - left[o]) - (far_right[o] - far_left[o])) / (12 * h));
  }
  return e;
}

double largest_error(const std::vector<double>& found, const std::vector<double>& exact) {
  double largest = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    largest = std::max(largest, std::abs(found[i] - exact[i]) / (1 + std::abs(exact[i])));
  return largest;
}

TEST(FollowedStates, LeadACarriageAsTheEquationsSay) {
  const Expected exact = expected(true);
  for (const double entry : exact.gradient) EXPECT_GT(std::abs(entry), 1e-3);
  for (const char* formulation : {"index1", "matrix-r"})
    for (const char* method : {"direct", "adjoint", "dual"}) {
      Model m = carriage();
      m.analysis.formulation = formulation;
      m.analysis.integrator = "dop853";
      m.analysis.rtol = 1e-12;
      m.analysis.atol = 1e-13;
      const Result r = run_gradient(m, method);
      EXPECT_LT(largest_error(r.objective_values, exact.values), 1e-9) << formulation << method;
      EXPECT_LT(largest_error(r.gradient, exact.gradient), 1e-8) << formulation << method;
    }
}

TEST(FollowedStates, HaveTheOrderOfTheIntegrator) {
  const Expected exact = expected(false);
  for (const auto& [formulation, integrator, order, steps] :
       {std::tuple{"ali3p", "newmark", 2.0, 100},
        {"ali3p", "generalised-alpha", 2.0, 100},
        {"index1", "rk4", 4.0, 25},
        {"matrix-r", "radau5", 5.0, 10}}) {
    SCOPED_TRACE(std::string(formulation) + " " + integrator);
    Model m = carriage();
    m.definitions[0].expression = "high*t/0.4";
    m.analysis.formulation = formulation;
    m.analysis.integrator = integrator;
    m.analysis.spectral_radius = 0.8;
    const auto errors = [&](int count) {
      m.analysis.step = m.analysis.duration / count;
      const Result r = run_gradient(m, "direct");
      return std::pair{largest_error(r.objective_values, exact.values),
                       largest_error(r.gradient, exact.gradient)};
    };
    const auto coarse = errors(steps);
    const auto fine = errors(2 * steps);
    EXPECT_NEAR(std::log2(coarse.first / fine.first), order, 0.4);
    EXPECT_NEAR(std::log2(coarse.second / fine.second), order, 0.4);
  }
}

class FollowedStatesBy : public testing::TestWithParam<test::Method> {};

TEST_P(FollowedStatesBy, HaveExactGradients) {
  Model m = carriage();
  m.definitions[0].expression = "high*t";  // differences move kinks across stages
  m.analysis.duration = 0.02;
  m.analysis.step = 0.002;
  GetParam().use_closely_in(m);
  expect_exact_gradient(m, tolerances_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Methods, FollowedStatesBy,
                         testing::ValuesIn(test::methods_that_hold_loops()),
                         [](const auto& method) { return method.param.label(); });

TEST(FollowedStates, HaveTheSameBitsInLanesAndOnDevices) {
  for (const char* formulation : {"ali3p", "index1"}) {
    Model m = carriage();
    m.analysis.duration = 0.02;
    m.analysis.step = 0.002;
    Options options;
    options.method = "direct";
    options.designs.count = 11;
    options.designs.spread = 0.05;
    options.formulation = formulation;
    expect_same_bits_everywhere(m, options);
  }
}

// What the actuator brings in is what the mechanism gains.
TEST(FollowedStates, BringInTheEnergyThatTheMechanismGains) {
  Model m = carriage();
  m.sensors.push_back({"energy", "energy", "total"});
  m.sensors.push_back({"power", "constraint_power", "track"});
  m.objectives = {{"work", ObjectiveKind::integral, "power", "", ""},
                  {"end", ObjectiveKind::terminal, "energy", "", ""},
                  {"start", ObjectiveKind::value, "energy", "", ""}};
  m.objectives[2].at = {0.0};
  m.analysis.formulation = "index1";
  m.analysis.integrator = "dop853";
  m.analysis.rtol = 1e-11;
  m.analysis.atol = 1e-12;
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(m, method);
    EXPECT_NEAR(r.objective_values[0], r.objective_values[1] - r.objective_values[2], 1e-9);
    EXPECT_GT(std::abs(r.objective_values[0]), 0.1);
    for (std::size_t p = 0; p < kParameters; ++p)
      EXPECT_NEAR(r.gradient[p], r.gradient[kParameters + p] - r.gradient[2 * kParameters + p],
                  1e-8)
          << method << p;
  }
}

// Two states hold a carriage, one of which leads the other; the load goes back to both.
TEST(FollowedStates, ShareAConstraintAndLeadEachOther) {
  Model m = carriage();
  m.definitions = {{"place", "reach*s + u*s"}};
  m.states = {{"s", "0.5 - s*u", "s0"}, {"u", "gain*s - u", 0.1}};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"v", ObjectiveKind::terminal, "v", "", ""}};
  m.analysis.formulation = "index1";
  m.analysis.integrator = "dop853";
  m.analysis.rtol = 1e-12;
  m.analysis.atol = 1e-13;
  Model free = m;
  free.constraints.clear();  // the same states, of which nothing is a coordinate
  free.objectives = {
      {"x", ObjectiveKind::terminal, "place", "", ""},
      {"v", ObjectiveKind::terminal, "(reach + u)*(0.5 - s*u) + s*(gain*s - u)", "", ""}};
  const Result led = run_gradient(m, "direct");
  const Result alone = run_gradient(free, "direct");
  EXPECT_LT(largest_error(led.objective_values, alone.objective_values), 1e-10);
  EXPECT_LT(largest_error(led.gradient, alone.gradient), 1e-9);
}

// A slide whose height above an anchor a state gives, which reads what points, vectors and lines in
// space show of a ball that swings from the slide, and a state that reads velocities.
Model slide_in_space() {
  Model m =
      test::one_body("slide", 1.3, "rail", JointType::prismatic, {0.2, 1, 0.3}, 0.0, 0.0, "x");
  m.joints[0].start[0].position_is_guess = m.joints[0].start[0].velocity_is_guess = true;
  m.joints[0].start[0].position = 0.4;
  m.bodies[0].points["hook"] = {0.1, 0.2, 0};
  Body ball;
  ball.name = "ball";
  ball.mass = 0.7;
  ball.com = {0.05, "-0.4*size", 0.1};
  ball.inertia = {0.02, 0.03, 0.025, 0, 0, 0.002, "com"};
  ball.points["tip"] = {0, "-size", 0.2};
  ball.vectors["nose"] = {0.3, 0.1, 1};
  m.bodies.push_back(ball);
  Joint socket;
  socket.name = "socket";
  socket.type = JointType::spherical;
  socket.parent = "slide.hook";
  socket.child = "ball";
  socket.start = {{0.9, 0, false, false},
                  {0.3, 0.5, false, false},
                  {-0.2, -0.4, false, false},
                  {0.1, 0.7, false, false}};
  m.joints.push_back(socket);
  m.ground.points["anchor"] = {0.3, -0.6, 0.1};
  m.ground.vectors["up"] = {0, 1, 0.2};
  m.gravity = {0, -9.81, 0.5};
  m.parameters = {{"size", 0.5, "", {}, ""}, {"k", 1.4, "", {}, ""}, {"s0", 0.2, "", {}, ""}};
  m.sensors.push_back({"tip", "position", "ball.tip"});
  m.sensors.push_back({"far", "distance", "ball.tip", "ground.anchor"});
  m.sensors.push_back({"tilt", "angle", "ball.nose", "ground.up"});
  m.sensors.push_back({"height", "distance", "slide.hook", "ground.anchor"});
  m.sensors.push_back({"v", "velocity", "ball.tip"});
  m.sensors.push_back({"turn", "angular_velocity", "ball"});
  m.states = {
      {"s", "k*far - s + 0.3*tilt*tip.y + 0.2*slow + sqrt((tip.x - 0.1*tip.z)^2 + 0.01)", "s0"},
      {"slow", "v.x + 0.1*turn.z - slow", "0.5*s0"}};
  m.constraints = {{"hang", "expression", "", "", "height^2 - 0.6 - 0.5*s"}};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"tip", ObjectiveKind::integral, "tip.z + s*v.y", "", ""},
                  {"s", ObjectiveKind::terminal, "s", "", ""}};
  m.analysis.duration = 0.3;
  m.analysis.step = 0.005;
  return m;
}

// The rate of the coordinate that a state is remains what the model says.
TEST(FollowedStates, KeepTheirRates) {
  Model m = slide_in_space();
  m.objectives = {{"g", ObjectiveKind::terminal, m.states[0].rate.expression(), "", ""}};
  m.analysis.formulation = "index1";
  m.analysis.integrator = "dop853";
  m.analysis.rtol = 1e-12;
  m.analysis.atol = 1e-13;
  Options options;
  options.record = true;
  const Result r = simulate(m, options);
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  const std::size_t n = r.coordinates.size();
  std::size_t place = 0;
  while (r.coordinates[place].name != "state s") ++place;
  const std::vector<double>& rates = r.trajectories[0].rates;
  EXPECT_NEAR(rates[rates.size() - n + place], r.objective_values[0], 1e-10);
  EXPECT_GT(std::abs(r.objective_values[0]), 0.1);
}

TEST(FollowedStates, ReadPointsVectorsAndLines) {
  for (const char* formulation : {"ali3p", "index1"}) {
    Model m = slide_in_space();
    m.analysis.formulation = formulation;
    m.analysis.integrator = std::string(formulation) == "ali3p" ? "newmark" : "rk4";
    m.analysis.duration = 0.03;
    expect_exact_gradient(m);
  }
}

TEST(FollowedStates, AreReadByConstraintsOfTheStartAlone) {
  Model m = carriage();
  m.constraints[0].at_start = true;
  m.objectives = {{"x", ObjectiveKind::value, "x", "", ""}};
  m.objectives[0].at = {0.0};
  m.analysis.step = 0.02;
  m.analysis.duration = 0.2;
  const Result r = run_gradient(m, "direct");
  EXPECT_NEAR(r.objective_values[0], 0.4 * 0.3 + 0.1 * 0.09, 1e-12);
  EXPECT_NEAR(r.gradient[1], 0.3, 1e-10);
  EXPECT_NEAR(r.gradient[2], 0.4 + 0.2 * 0.3, 1e-10);
}

// The sensor of the force that keeps the constraint has a name that is free, beside others of it.
TEST(FollowedStates, ShowWhatKeepsTheConstraint) {
  const auto names = [](const Model& m) {
    Options options;
    options.step = 0.1;
    std::string all;
    for (const NamedUnit& component : simulate(m, options).sensor_components)
      all += component.name + " ";
    return all;
  };
  Model m = carriage();
  m.objectives.clear();
  EXPECT_EQ(names(m), "x q v stretch s w force_of_track ");
  m.constraints[0].name = "the track";
  m.parameters.push_back({"force_of_the_track", 1.0, "", {}, ""});
  EXPECT_EQ(names(m), "x q v stretch s w force_of_the_track_ ");
  m.sensors.push_back({"pull", "constraint_force", "the track"});
  EXPECT_EQ(names(m), "x q v stretch pull s w force_of_the_track_ ");
}

TEST(FollowedStates, AreChecked) {
  const auto after = [](const auto& change) {
    Model m = carriage();
    change(m);
    return message_of([&] { validate(m); });
  };
  EXPECT_EQ(after([](Model&) {}), "no error");
  expect_part(after([](Model& m) { m.states[0].rate = "v - s"; }),
              "/states/s/rate: \"v\" cannot be used here at column 1 of \"v - s\" (the rate of a "
              "state that a constraint reads depends on positions, states and the time t only and "
              "it is a sensor of kind \"rate\")");
  expect_part(after([](Model& m) { m.states[0].rate = "v - s"; }),
              "use a state that follows the velocity, such as one with the rate (v - y)/T");
  expect_part(after([](Model& m) { m.states[0].rate = "(1 - s)/abs(1 - s)"; }),
              "/states/s/rate: found a division by an absolute value");
  expect_part(after([](Model& m) { m.states[0].rate = "q/sqrt(q^2)"; }),
              "/states/s/rate: found a division by an absolute value, a length or a root");
  expect_part(after([](Model& m) { m.states[0].rate = "atan2(q, s)"; }), "found atan2");
  for (const char* rate : {"max(q, s)", "abs(q - high)", "max(0, t - high)", "2*min(q, 1)^2"})
    expect_part(after([&](Model& m) { m.states[0].rate = rate; }),
                "/states/s/rate: found min, max, abs or a choice (it may have a kink or jump, and "
                "the rate of a state that a constraint reads must be smooth");
  for (const char* rate : {"sqrt(q^2)", "sqrt(q^2/4)", "(q*q)^0.3"})
    expect_part(after([&](Model& m) { m.states[0].rate = rate; }), "found a root of a product");
  for (const char* rate :
       {"spline(q, [0, 1], [0, 1], 'linear')", "spline(q, [0, 1], [0, 1], 'natural', 'hold')"})
    expect_part(after([&](Model& m) { m.states[0].rate = rate; }), "found a spline with corners");
  for (const char* rate : {"max(0, t - 0.5)", "sqrt(q^2 + 0.1)", "spline(q, [0, 1, 2], [0, 1, 0])",
                           "abs(high)*q", "spline(t, [0, 1], [high, 1], 'linear')"})
    EXPECT_EQ(after([&](Model& m) { m.states[0].rate = rate; }), "no error");
  EXPECT_EQ(after([](Model& m) { m.states[0].rate = "q/sqrt(q^2 + 0.01) + q/abs(high)"; }),
            "no error");
  expect_part(after([](Model& m) { m.start = "equilibrium"; }),
              "/states/s: found a constraint that reads it, and \"start\": \"equilibrium\"");
  const auto sample_w = [](Model& m) {
    m.states[1].rate = 0;
    m.states[1].next = "w + 0.1";
    m.states[1].every = 0.1;
  };
  expect_part(after(sample_w), "\"state\", which jumps when it is sampled), put a state between");
  expect_part(after([&](Model& m) {
                sample_w(m);
                m.constraints[0].value = "x - w";
              }),
              "\"state\", which jumps when it is sampled), put two states between");
  expect_part(
      after([](Model& m) {
        m.forces = {
            {"servo", "pid-controller", {{"joint", "hinge"}, {"target", 0}, {"integral", 1}}}};
        m.sensors.push_back({"wound", "state", "servo.integral"});
        m.constraints[0].value = "x - wound";
      }),
      "\"state\", which is one of a force), put two states between");
}

struct StepWay {
  const char* formulation;
  const char* integrator;
};
constexpr StepWay kAdaptiveWays[] = {
    {"index1", "dop853"}, {"matrix-r", "dopri5"}, {"index1", "radau9"}, {"index1", "rodas5p"}};
constexpr StepWay kFixedWays[] = {{"index1", "rk4"},
                                  {"matrix-r", "trapezoidal"},
                                  {"index1", "implicit-euler"},
                                  {"ali3p", "newmark"}};

// With an ordinary state of the same rate, whose value shows what is missed.
Model carriage_with_rate(const std::string& rate, const StepWay& way, double step) {
  Model m = carriage();
  m.states[0].rate = rate;
  m.states.push_back({"z", rate, "s0"});
  m.objectives = {{"s", ObjectiveKind::terminal, "s", "", ""},
                  {"z", ObjectiveKind::terminal, "z", "", ""}};
  m.analysis.formulation = way.formulation;
  m.analysis.integrator = way.integrator;
  m.analysis.controls_error = step == 0;
  if (step > 0) m.analysis.step = step;
  m.analysis.rtol = 1e-8;
  m.analysis.atol = 1e-9;
  return m;
}

// What a rate does within a step would be lost for good.
TEST(FollowedStates, KeepPaceWithSteepRates) {
  for (const char* rate :
       {"gain*tanh((q - 0.5)/1e-4)", "gain*tanh((q - 0.5)/1e-5)",
        "gain*spline(q, [0.4999, 0.5001], [-1, 1], 'clamped')", "gain*max(0, t - 0.5)"})
    for (const StepWay& way : kAdaptiveWays) {
      SCOPED_TRACE(rate + std::string(way.integrator));
      const Result r = simulate(carriage_with_rate(rate, way, 0));
      ASSERT_TRUE(r.all_ok()) << r.status[0].message;
      EXPECT_NEAR(r.objective_values[0], r.objective_values[1], 1e-5);
      EXPECT_GT(std::abs(r.objective_values[0] - 0.3), 0.1);
      // By itself, without one that asks for short steps as well.
      Model alone = carriage_with_rate(rate, way, 0);
      alone.states.pop_back();
      alone.objectives.pop_back();
      EXPECT_NEAR(simulate(alone).objective_values[0], r.objective_values[1], 1e-4);
    }
}

TEST(FollowedStates, FailWhereStepsMissTheirRates) {
  const std::string reason =
      "the rate of the \"state s\", which a constraint reads, jumps, or changes so fast that a "
      "step this long misses it";
  const std::string jump = "gain*atan(1/(q - 0.5))";
  for (const StepWay& way : kAdaptiveWays) {
    SCOPED_TRACE(way.integrator);
    const Result r = simulate(carriage_with_rate(jump, way, 0));
    expect_part(r.status[0].message, reason);
  }
  // Beside rates that change quickly, in the middle of a step and at its end.
  const std::string quick = " + 30*cos(10*t)";
  const std::vector<std::string> missed{jump, "gain*tanh((q - 0.5)/1e-4)", jump + quick,
                                        "gain*tanh((q - 0.3)/1e-3)" + quick,
                                        "gain*max(0, t - 0.503)"};
  for (const StepWay& way : kFixedWays)
    for (const std::string& rate : missed) {
      if (way.integrator == std::string("implicit-euler") && rate.find("max") != rate.npos)
        continue;  // whose own errors are larger
      SCOPED_TRACE(way.integrator + rate);
      const Result r = simulate(carriage_with_rate(rate, way, 0.005));
      expect_part(r.status[0].message, reason);
      EXPECT_LT(r.status[0].time, 0.9);
    }
}

// Of which each step misses too little to be told.
TEST(FollowedStates, FailWhereManyStepsMissALittle) {
  for (const char* formulation : {"index1", "ali3p"}) {
    const auto run = [&](const std::string& rate) {
      return simulate(carriage_with_rate(rate, {formulation, "newmark"}, 5e-4));
    };
    EXPECT_TRUE(run("3*cos(t) + 0.1*max(0, sin(75.4*(t - 0.96)))").all_ok());
    // Kinks 84 steps apart, always at a quarter of a step.
    expect_part(run("3*cos(t) + 0.13*abs(sin(74.79982508*(t - 1.25e-4)))").status[0].message,
                "changes so fast that a step this long misses it");
  }
}

TEST(FollowedStates, AreFollowedAtCoarseSteps) {
  for (const StepWay& way : kFixedWays)
    for (const char* rate : {"sin(5*t)", "3*cos(5*t)", "gain*(q - 0.2) - s", "1 - cos(5*t)"}) {
      SCOPED_TRACE(way.integrator + std::string(rate));
      const Result r = simulate(carriage_with_rate(rate, way, 0.02));
      ASSERT_TRUE(r.all_ok()) << r.status[0].message;
      EXPECT_NEAR(r.objective_values[0], r.objective_values[1], 0.1);
    }
}

// Parts of a rate whose derivative is infinite where they are not chosen, or overflow.
TEST(FollowedStates, IgnoreWhatIsNotChosen) {
  Model plain = carriage();
  plain.analysis.formulation = "index1";
  plain.analysis.integrator = "dop853";
  plain.analysis.rtol = 1e-9;
  Model m = plain;
  const Result r = run_gradient(plain, "direct");
  for (const char* method : {"direct", "adjoint", "dual"}) {
    SCOPED_TRACE(method);
    m.states[0].rate = plain.states[0].rate.expression() +
                       " + sqrt(max(0, t - 5)) + max(0, t - 5)^0.5 + 1/(1 + exp(-800*(q - 5)))";
    const Result more = run_gradient(m, method);
    ASSERT_TRUE(more.all_ok()) << more.status[0].message;
    EXPECT_LT(largest_error(more.objective_values, r.objective_values), 1e-9);
    EXPECT_LT(largest_error(more.gradient, r.gradient), 1e-8);
  }
}

// Derivatives of expressions as expressions, by every operation, at both sides of kinks.
TEST(Graph, DifferentiatesEveryOperation) {
  using kernels::Operation;
  for (int k = static_cast<int>(Operation::add); k < static_cast<int>(Operation::spline); ++k) {
    const auto operation = static_cast<Operation>(k);
    SCOPED_TRACE(k);
    for (const auto& [a, b] : {std::pair{0.35, 0.62}, {0.71, 0.28}}) {
      expression::Graph graph;
      const bool is_binary = operation <= Operation::power ||
                             operation == Operation::arc_tangent2 ||
                             operation == Operation::minimum || operation == Operation::maximum ||
                             operation == Operation::at_least || operation == Operation::scale;
      const expression::Node result =
          graph.apply(operation, graph.input(0), is_binary ? graph.input(1) : -1);
      const auto slopes = graph.derivatives(result);
      const auto value = [&](expression::Node node, double x, double y) {
        NodeValues values{{x, y}};
        return values.of(graph, node);
      };
      const double h = 1e-6;
      const double by_a = (value(result, a + h, b) - value(result, a - h, b)) / (2 * h);
      EXPECT_NEAR(value(slopes.at(0), a, b), by_a, 1e-8);
      if (!is_binary) continue;
      const double by_b = (value(result, a, b + h) - value(result, a, b - h)) / (2 * h);
      EXPECT_NEAR(value(slopes.at(1), a, b), by_b, 1e-8);
    }
  }
}

}  // namespace
}  // namespace gradus::derivative
