// Forces whose laws read reactions and accelerations, such as friction in joints: against an
// equation of motion that is solved by itself, and their derivatives in every formulation that
// takes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::failure_of;

// A pendulum in a rough bearing: what the bearing carries depends on how the friction slows the
// pendulum down.
Model rough_pendulum() {
  Model m = test::one_body("rod", "m", "pin", JointType::revolute, {0, 0, 1}, 0.3, "w0", "q");
  m.gravity = {0, -9.81, 0};
  m.bodies[0].com = {"L", 0, 0};
  m.bodies[0].inertia = {0.01, 0.05, 0.05, 0, 0, 0, "com"};
  m.parameters = {{"m", 2.0, "", {}, ""}, {"L", 0.8, "", {}, ""},  {"mu", 0.9, "", {}, ""},
                  {"r", 0.1, "", {}, ""}, {"w0", 1.5, "", {}, ""}, {"slip", 0.5, "", {}, ""}};
  m.sensors.push_back({"w", "rate", "pin"});
  m.sensors.push_back({"load", "reaction_force", "pin"});
  m.sensors.push_back({"drag", "applied_torque", "friction"});
  m.forces = {
      make_joint_force("friction", "pin", "-mu*r*sqrt(load.x^2 + load.y^2 + 0.01)*tanh(w/slip)")};
  m.objectives = {{"q", ObjectiveKind::terminal, "q", "", ""},
                  {"w", ObjectiveKind::terminal, "w", "", ""},
                  {"work", ObjectiveKind::integral, "drag*w", "", ""},
                  {"carried", ObjectiveKind::integral, "load.x^2 + load.y*q", "", ""}};
  m.analysis.duration = 1.0;
  m.analysis.formulation = "semi-recursive";
  m.analysis.integrator = "dop853";
  m.analysis.rtol = 1e-12;
  m.analysis.atol = 1e-13;
  return m;
}

using Long = long double;
using PendulumState = std::array<Long, 4>;  // angle, rate, and the two integrals

// The same by the equation I q'' + m g L cos q = friction(q, q', q''), solved for q'' by itself.
PendulumState slope_of_pendulum(const std::array<Long, 6>& p, const PendulumState& y) {
  const auto [m, length, mu, r, w0, slip] = p;
  const Long inertia = 0.05L + m * length * length;
  const Long g = 9.81L;
  const Long s = std::sin(y[0]), c = std::cos(y[0]);
  const Long drag = mu * r * std::tanh(y[1] / slip);
  Long a = -m * g * length * c / inertia;
  Long x = 0, z = 0, n = 0;
  for (int k = 0; k < 20; ++k) {
    x = m * length * (-a * s - y[1] * y[1] * c);
    z = m * length * (a * c - y[1] * y[1] * s) + m * g;
    n = std::sqrt(x * x + z * z + 0.01L);
    const Long left = inertia * a + m * g * length * c + drag * n;
    a -= left / (inertia + drag * m * length * (z * c - x * s) / n);
  }
  return {y[1], a, -drag * n * y[1], x * x + z * y[0]};
}

PendulumState end_of_pendulum(const std::array<Long, 6>& p) {
  const int steps = 4000;
  const Long h = 1.0L / steps;
  PendulumState y{0.3L, p[4], 0, 0};
  const auto at = [&](const PendulumState& k, Long share) {
    PendulumState moved = y;
    for (std::size_t i = 0; i < 4; ++i) moved[i] += share * k[i];
    return slope_of_pendulum(p, moved);
  };
  for (int i = 0; i < steps; ++i) {
    const PendulumState k1 = slope_of_pendulum(p, y);
    const PendulumState k2 = at(k1, h / 2);
    const PendulumState k3 = at(k2, h / 2);
    const PendulumState k4 = at(k3, h);
    for (std::size_t j = 0; j < 4; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return y;
}

TEST(ReactionForces, OfARoughBearingFollowItsOwnEquation) {
  Model m = rough_pendulum();
  std::array<Long, 6> p{};
  for (std::size_t k = 0; k < p.size(); ++k) p[k] = m.parameters[k].value.value();
  const PendulumState exact = end_of_pendulum(p);
  for (const auto& [integrator, method] : {std::pair{"dop853", "direct"},
                                           {"dop853", "adjoint"},
                                           {"dop853", "dual"},
                                           {"radau9", "direct"},
                                           {"radau9", "adjoint"},
                                           {"radau5", "direct"}}) {
    m.analysis.integrator = integrator;
    const Result r = run_gradient(m, method);
    for (std::size_t o = 0; o < exact.size(); ++o) {
      const auto value = static_cast<double>(exact[o]);
      EXPECT_NEAR(r.objective_values[o], value, 1e-10 * (1 + std::abs(value)))
          << integrator << " " << method;
    }
    for (std::size_t k = 0; k < p.size(); ++k) {
      const auto moved = [&](Long shift) {
        std::array<Long, 6> other = p;
        other[k] += shift;
        return end_of_pendulum(other);
      };
      const Long h = 2e-4L * p[k];
      const PendulumState far_up = moved(2 * h), far_down = moved(-2 * h), up = moved(h),
                          down = moved(-h);
      for (std::size_t o = 0; o < exact.size(); ++o) {
        const auto expected =
            static_cast<double>((8 * (up[o] - down[o]) - (far_up[o] - far_down[o])) / (12 * h));
        EXPECT_NEAR(r.gradient[o * p.size() + k], expected, 1e-9 * (1 + std::abs(expected)))
            << integrator << " " << method << ": " << m.objectives[o].name << " by "
            << m.parameters[k].name;
      }
    }
  }
}

// A loop of joints of every kind, with friction, added mass and a state that read each other's
// reactions, forces of every kind of action among them.
Model with_reaction_forces(Model m, bool closed) {
  m.sensors.push_back({"on_pin", "reaction_force", "pin"});
  m.sensors.push_back({"about_sleeve", "reaction_moment", "sleeve"});
  m.sensors.push_back({"pin_rate", "rate", "pin"});
  m.sensors.push_back({"tip", "acceleration", "arm.tip"});
  m.sensors.push_back({"spin", "coordinate_acceleration", "pin"});
  const std::string other = closed ? "on_cut" : "on_pin";
  if (closed) m.sensors.push_back({"on_cut", "reaction_force", "cut"});
  m.states = {
      {"bristle", "pin_rate - 3*bristle*sqrt(1 + dot(" + other + ", " + other + ")/40)", 0.2}};
  m.forces.push_back(make_joint_force(
      "rub", "pin", "-0.05*sqrt(dot(on_pin, on_pin) + 0.1)*tanh(pin_rate) - 0.2*bristle"));
  m.forces.push_back(
      {"drag",
       "force",
       {{"at", "arm.tip"},
        {"components", Vector3{"-0.02*tip.x", "0.04*" + other + ".z", "-0.03*about_sleeve.y"}},
        {"axes", "body"}}});
  m.forces.push_back(
      {"twist",
       "torque",
       {{"body", "rod"}, {"components", Vector3{"0.02*spin", "0.03*" + other + ".x", 0}}}});
  m.sensors.push_back({"rubbing", "applied_torque", "rub"});
  m.sensors.push_back({"power", "power", "drag"});
  m.objectives.push_back(
      {"worn", ObjectiveKind::integral, "rubbing*pin_rate + bristle*on_pin.y", "", ""});
  m.objectives.push_back(
      {"last", ObjectiveKind::terminal, "power + dot(" + other + ", [1, 2, 3]) + spin", "", ""});
  return m;
}

Model parametrised(const Model& model) {
  static const std::vector<std::string> some{
      "mass ball",        "com rod.y",  "inertia plate.xy",   "point arm.tip.x",  "axis sleeve.x",
      "child_axis pin.y", "axis cut.x", "point ground.end.y", "stiffness s1",     "damping s2",
      "length s3",        "gravity.y",  "position socket.1",  "velocity socket.2"};
  return parametrise(model, [](const std::string& path) {
    return std::find(some.begin(), some.end(), path) != some.end();
  });
}

Model in_use(Model m, const test::Method& method) {
  method.use_in(m);
  m.analysis.rtol = 1e-5;  // all are compared by the same steps
  m.analysis.atol = 1e-6;
  m.analysis.penalty = 1e7;
  m.analysis.duration = 0.02;
  m.analysis.step = 0.02 / 6;
  return m;
}

class ReactionForcesBy : public testing::TestWithParam<test::Method> {};

TEST_P(ReactionForcesBy, HaveExactGradients) {
  const bool closed = GetParam().formulation.loops;
  const Model tree = closed ? closed_by(JointType::revolute) : every_joint();
  expect_exact_gradient(in_use(parametrised(with_reaction_forces(tree, closed)), GetParam()),
                        tolerances_of(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Methods, ReactionForcesBy, testing::ValuesIn(test::tested_methods(false)),
                         [](const auto& method) { return method.param.label(); });

// Where nothing is free, they change what the drivers exert.
TEST(ReactionForces, LoadDrivers) {
  Model m = driven_loop();
  m.sensors.push_back({"load", "reaction_force", "j1"});
  m.sensors.push_back({"other", "reaction_force", "j3"});
  m.forces.push_back(make_joint_force("rub", "j1", "-0.3*sqrt(dot(load, load) + 1)"));
  m.objectives = {{"carried", ObjectiveKind::integral, "dot(other, other)", "", ""}};
  m.objectives.push_back({"last", ObjectiveKind::terminal, "dot(load, [1, 2, 3])", "", ""});
  m = parametrise(m, [](const std::string& path) {
    return path.rfind("mass", 0) == 0 || path == "gravity.y" || path.rfind("stiffness", 0) == 0;
  });
  m.analysis.formulation = "kinematic";
  m.analysis.duration = 0.05;
  m.analysis.step = 0.01;
  expect_exact_gradient(m);
  Options options;
  options.designs.count = 5;
  options.designs.spread = 0.02;
  expect_same_bits_everywhere(m, options);
}

// Sensors of a ball joint have four components, more than vectors have.
TEST(ReactionForces, ReadEveryComponentOfASensor) {
  Model m;
  m.name = "ball";
  m.gravity = {0.3, -9.81, 0.2};
  m.parameters = {{"m", 2.0, "", {}, ""}, {"c", 0.02, "", {}, ""}, {"k", 0.03, "", {}, ""}};
  Body ball;
  ball.name = "ball";
  ball.mass = "m";
  ball.com = {0.3, 0.1, -0.2};
  ball.inertia = {0.2, 0.3, 0.25, 0, 0, 0, "com"};
  m.bodies = {ball};
  Joint socket;
  socket.name = "socket";
  socket.type = JointType::spherical;
  socket.parent = "ground";
  socket.child = "ball";
  socket.start = {{0.9, 1.0, false, false},
                  {0.3, 2.0, false, false},
                  {-0.2, -1.0, false, false},
                  {0.1, 0.0, false, false}};
  m.joints = {socket};
  m.sensors = {{"a", "coordinate_acceleration", "socket"},
               {"w", "angular_velocity", "ball"},
               {"q", "coordinate", "socket"}};
  m.forces = {make_torque("twist", "ball", {"c*a.3 + k*a.1", "k*a.3", 0}, "body")};
  m.objectives = {{"end", ObjectiveKind::terminal, "q.1 + w.x", "", ""},
                  {"all", ObjectiveKind::integral, "a.3*w.y", "", ""}};
  m.analysis.formulation = "index1";
  m.analysis.integrator = "rk4";
  m.analysis.duration = 0.1;
  m.analysis.step = 1e-3;
  expect_exact_gradient(m);
}

// A cart that is driven, and pushed besides by a share of the power P = T v of its drive: with
// m a = T + share P the drive exerts T = m a / (1 + share v), and has brought in the integral of P.
Model cart_pushed_by_power() {
  Model m = test::one_body("cart", "m", "rail", JointType::prismatic, {1, 0, 0}, 0.0, 0.0, "x");
  m.joints[0].start[0].position_is_guess = m.joints[0].start[0].velocity_is_guess = true;
  m.parameters = {{"m", 2.0, "", {}, ""},
                  {"v0", 0.4, "", {}, ""},
                  {"a", 1.5, "", {}, ""},
                  {"share", 0.3, "", {}, ""}};
  m.constraints = {{"drive", "coordinate", "rail", "", "v0*t + a*t^2/2"}};
  m.sensors.push_back({"power", "constraint_power", "drive"});
  m.forces = {make_joint_force("push", "rail", "share*power")};
  m.objectives = {{"power", ObjectiveKind::terminal, "power", "", ""},
                  {"energy", ObjectiveKind::integral, "power", "", ""}};
  m.analysis.duration = 1.0;
  m.analysis.rtol = 1e-12;
  m.analysis.atol = 1e-13;
  return m;
}

TEST(ReactionForces, ReadThePowerOfADrive) {
  const double mass = 2.0, v0 = 0.4, a = 1.5, b = 0.3, v = v0 + a;
  const double k = 1 + b * v, k0 = 1 + b * v0;
  const double by_v = mass * v / k;  // of the energy, by the speed at the end
  const double by_v0 = -mass * v0 / k0;
  const double energy = mass * ((v - v0) / b - std::log(k / k0) / (b * b));
  const double by_share = mass * (-(v - v0) / (b * b) + 2 * std::log(k / k0) / (b * b * b) -
                                  (v / k - v0 / k0) / (b * b));
  const std::array<double, 2> values{mass * a * v / k, energy};
  const std::array<double, 8> gradient{a * v / k,
                                       mass * a / (k * k),
                                       mass * (v / k + a / (k * k)),
                                       -mass * a * v * v / (k * k),
                                       energy / mass,
                                       by_v + by_v0,
                                       by_v,
                                       by_share};
  for (const auto& [formulation, integrator] : {std::pair{"kinematic", ""},
                                                {"index1", "dop853"},
                                                {"index1", "radau9"},
                                                {"matrix-r", "radau5"}}) {
    Model m = cart_pushed_by_power();
    m.analysis.formulation = formulation;
    m.analysis.integrator = integrator;
    const double tolerance = integrator[0] == 0 ? 1e-6 : 1e-10;  // of sums over 1000 steps
    for (const char* method : {"direct", "adjoint", "dual"}) {
      const Result r = run_gradient(m, method);
      for (std::size_t o = 0; o < 2; ++o)
        EXPECT_NEAR(r.objective_values[o], values[o], tolerance) << formulation << method;
      for (std::size_t e = 0; e < 8; ++e)
        EXPECT_NEAR(r.gradient[e], gradient[e], tolerance) << formulation << method << e;
    }
  }
}

TEST(ReactionForces, HaveTheSameBitsInLanesAndOnDevices) {
  Options options;
  options.designs.count = 11;
  options.designs.spread = 0.02;
  for (const auto& [formulation, integrator] :
       {std::pair{"index1", "rk4"}, {"matrix-r", "rk4"}, {"ali3p", "newmark"}}) {
    Model m = parametrised(with_reaction_forces(closed_by(JointType::revolute), true));
    m.analysis.formulation = formulation;
    m.analysis.integrator = integrator;
    m.analysis.duration = 0.01;
    m.analysis.step = 0.002;
    expect_same_bits_everywhere(m, options);
  }
}

// What is exerted is what the law says of the reactions that sensors show.
TEST(ReactionForces, AreWhatTheirLawsSay) {
  Model m = with_reaction_forces(closed_by(JointType::revolute), true);
  m.objectives = {{"gap", ObjectiveKind::integral,
                   "(rubbing + 0.05*sqrt(dot(on_pin, on_pin) + 0.1)*tanh(pin_rate) + "
                   "0.2*bristle)^2 + 0*q",
                   "", ""},
                  {"size", ObjectiveKind::integral, "rubbing^2", "", ""}};
  m.analysis.formulation = "index1";
  m.analysis.integrator = "rk4";
  Options options;
  options.backend = "cpu:1";
  const Result r = simulate(m, options);
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  EXPECT_GT(r.objective_values[1], 1e-4);
  EXPECT_LT(r.objective_values[0], 1e-24 * r.objective_values[1]);
}

// A block whose weight is lifted off its rail: what the rail carries is zero as the difference of
// larger numbers, of which only round-off is left to the law that reads it.
TEST(ReactionForces, OfWhatCancelsDoNothing) {
  Model m =
      test::one_body("block", "m", "rail", JointType::prismatic, {1, 0.3, 0.2}, 0.0, 1.0, "x");
  m.gravity = {0, -9.81, 0};
  m.parameters = {{"m", 2.3, "", {}, ""}};
  m.sensors.push_back({"load", "reaction_force", "rail"});
  m.forces = {make_force("lift", "block", {"0.7*load.x", "9.81*m - 0.6*load.y", "0.4*load.z"}),
              make_joint_force("rub", "rail", "0.3*load.y - 7*load.z + load.x")};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""}};
  m.analysis.duration = 0.1;
  m.analysis.integrator = "rk4";
  Options options;
  options.backend = "cpu:1";
  options.designs.count = 50;
  options.designs.spread = 0.3;
  for (const char* formulation : {"semi-recursive", "matrix-r"}) {
    m.analysis.formulation = formulation;
    const Result r = simulate(m, options);
    for (std::size_t k = 0; k < 50; ++k) {
      ASSERT_TRUE(r.status[k].ok) << r.status[k].message;
      EXPECT_NEAR(r.objective_values[k], 0.1, 1e-12);
    }
  }
}

TEST(ReactionForces, ThatAreUndefinedFailByName) {
  const std::string undefined = "log(load.x - 1e9)";
  Model m = rough_pendulum();
  m.states = {{"grown", undefined, 0.0}, {"worn", "load.y", 0.0}};
  expect_part(failure_of(m), "\"state grown\" became infinite or undefined");
  std::swap(m.states[0].rate, m.states[1].rate);
  expect_part(failure_of(m), "\"state worn\" became infinite or undefined");
  m.states[1].rate = 0.0;
  m.forces[0]["value"] = undefined;
  expect_part(failure_of(m), "\"friction\" became infinite or undefined");
}

// A block that a rod pushes: where the friction grows faster than the load, no force is in balance
// with it (Painleve's paradox), or one beyond the point where all would be infinite.
TEST(ReactionForces, ThatJamFail) {
  Model m = test::one_body("block", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 0.0, 1.0, "x");
  m.sensors.push_back({"a", "coordinate_acceleration", "rail"});
  m.forces = {make_joint_force("added mass", "rail", "-0.5*a + 3")};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""}};
  m.analysis.duration = 1.0;
  m.analysis.formulation = "semi-recursive";
  Options options;
  options.backend = "cpu:1";
  const Result r = simulate(m, options);
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  EXPECT_NEAR(r.objective_values[0], 1.0 + 0.5 * 3 / 1.5, 1e-9);
  m.forces[0]["value"] = "3 + 2*abs(a)";
  expect_part(failure_of(m), "the force \"added mass\" was not found");
  m.states = {{"measured", "1e3*a", 0.0}};  // which follows, whatever it is
  expect_part(failure_of(m), "the force \"added mass\" was not found");
  // Named among others that do not jam.
  const Model other =
      test::one_body("other", 1.0, "track", JointType::prismatic, {1, 0, 0}, 0.0, 1.0, "other_x");
  m.bodies.push_back(other.bodies[0]);
  m.joints.push_back(other.joints[0]);
  m.sensors.push_back({"other_a", "coordinate_acceleration", "track"});
  m.forces.insert(m.forces.begin(), make_joint_force("other", "track", "-0.5*other_a"));
  m.states = {{"felt", "a", 0.0}};
  m.forces[1]["value"] = "-0.5*a + 3";
  EXPECT_EQ(failure_of(m), "no failure");
  for (const char* law : {"2*a + 3", "a + 3"}) {  // an inertia of -1 kg, and of none
    m.forces[1]["value"] = law;
    expect_part(failure_of(m),
                "the force \"added mass\" grows faster with accelerations or reactions");
  }
}

TEST(ReactionForces, AreRefusedWhereTheyCannotBeTold) {
  Model m = rough_pendulum();
  m.analysis.integrator.clear();
  m.analysis.formulation = "ali3p";
  m.start = "equilibrium";
  expect_part(failure_of(m), "which are unknown at rest");
}

}  // namespace
}  // namespace gradus::derivative
