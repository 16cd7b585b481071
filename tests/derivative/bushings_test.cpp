// Bushings at any angle up to half a turn: torques and their derivatives to the last digits,
// energy, and what dampers take.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

using Triple = std::array<long double, 3>;

constexpr long double kPi = 3.14159265358979323846264338327950288L;

Triple product(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// A body without weight that turns about its origin, its moments of inertia all 1, tied to the axes
// of the ground; `x` is a point of it.
Model tied_ball(const Vector3& stiffness) {
  Model m;
  m.gravity = {0, 0, 0};
  m.bodies = {make_body("ball", 1.0, {0, 0, 0}, {1, 1, 1, 0, 0, 0, "com"}, {{"x", {1, 0, 0}}})};
  m.joints = {make_joint("pivot", JointType::spherical, "ground", "ball", {0, 0, 1})};
  m.joints[0].axis.reset();
  m.joints[0].start.assign(4, {});
  m.forces = {{"rubber",
               "bushing",
               {{"from", "ground"}, {"to", "ball"}, {"torsional_stiffness", stiffness}}}};
  m.sensors = {{"a", "acceleration", "ball.x"}, {"energy", "energy", "total"}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.integrator = "rk4";
  return m;
}

// Turned by `angle` about `axis` (of any length), as far as doubles go; returns the rotation vector
// that this truly is.
Triple turn(Model& m, long double angle, const Triple& axis) {
  const long double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  std::array<double, 4> p{static_cast<double>(std::cos(angle / 2))};
  for (std::size_t i = 0; i < 3; ++i)
    p[i + 1] = static_cast<double>(std::sin(angle / 2) * axis[i] / length);
  const char* names[4] = {"e0", "e1", "e2", "e3"};
  m.parameters.clear();
  for (std::size_t i = 0; i < 4; ++i) {
    m.parameters.push_back(make_parameter(names[i], p[i]));
    m.joints[0].start[i].position = names[i];
  }
  long double sine = 0;
  for (std::size_t i = 1; i < 4; ++i) sine += static_cast<long double>(p[i]) * p[i];
  sine = std::sqrt(sine);
  const long double factor = 2 * std::atan2(sine, static_cast<long double>(p[0])) / sine;
  return {factor * p[1], factor * p[2], factor * p[3]};
}

// -J^-T K phi with J^-1 = 1 - phi~/2 + (1 - theta/2 cot(theta/2)) phi~^2 / theta^2, the left
// Jacobian of SO(3).
Triple torque_of(const Triple& phi, const Triple& stiffness) {
  Triple pull;
  for (std::size_t i = 0; i < 3; ++i) pull[i] = -stiffness[i] * phi[i];
  const long double square = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
  const long double half = std::sqrt(square) / 2;
  const long double share =
      half < 1e-3L ? 1 / 12.0L + square / 720 : (1 - half / std::tan(half)) / square;
  const Triple once = product(phi, pull);
  const Triple twice = product(phi, once);
  Triple torque;
  for (std::size_t i = 0; i < 3; ++i) torque[i] = pull[i] + once[i] / 2 + share * twice[i];
  return torque;
}

// What the parameters, the Euler parameters, do to sum k_i phi_i^2 / 2, phi_i = f p_i.
std::array<long double, 4> energy_slopes(const Model& m, const Triple& stiffness) {
  std::array<long double, 4> p{};
  long double vector = 0;
  long double pull = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    p[i] = m.parameters[i].value.value();
    if (i > 0) vector += p[i] * p[i];
    if (i > 0) pull += stiffness[i - 1] * p[i] * p[i];
  }
  const long double all = vector + p[0] * p[0];
  const long double sine = std::sqrt(vector);
  const long double f = 2 * std::atan2(sine, p[0]) / sine;
  std::array<long double, 4> slope{-2 * f * pull / all};
  for (std::size_t i = 1; i < 4; ++i)
    slope[i] = f * p[i] * (f * stiffness[i - 1] + pull * (2 * p[0] / all - f) / vector);
  return slope;
}

TEST(Bushings, TorquesHaveAllDigitsUpToHalfATurn) {
  for (const long double angle :
       {1e-9L, 1e-4L, 0.3L, 0.9L, 0.93L, 2.09L, 2.1L, 3.0L, kPi - 1e-3L, kPi - 1e-6L, kPi - 1e-9L})
    for (const Triple& axis : {Triple{1, 2, 3}, Triple{3, -1, 0.01L}, Triple{0.1L, -0.2L, -5}}) {
      SCOPED_TRACE(static_cast<double>(angle));
      Model m = tied_ball({3, 5, 11});
      m.objectives = {{"x", ObjectiveKind::value, "a.x", "", "", {}, {0}},
                      {"y", ObjectiveKind::value, "a.y", "", "", {}, {0}},
                      {"z", ObjectiveKind::value, "a.z", "", "", {}, {0}},
                      {"energy", ObjectiveKind::value, "energy", "", "", {}, {0}}};
      m.analysis.duration = m.analysis.step = 1e-6;
      const Triple phi = turn(m, angle, axis);
      const Triple torque = torque_of(phi, {3, 5, 11});
      const Result direct = run_gradient(m, "direct");
      const Result dual = run_gradient(m, "dual");
      const Result adjoint = run_gradient(m, "adjoint");
      // The point (1, 0, 0) of the body, its angular acceleration being the torque.
      const long double theta2 = phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2];
      const long double theta = std::sqrt(theta2);
      const Triple unit{1, 0, 0};
      const Triple once = product(phi, unit);
      const Triple twice = product(phi, once);
      const long double half = std::sin(theta / 2) / theta;
      Triple point;
      for (std::size_t i = 0; i < 3; ++i)
        point[i] = unit[i] + std::sin(theta) / theta * once[i] + 2 * half * half * twice[i];
      const Triple expected = product(torque, point);
      long double size = 0;
      for (const long double t : torque) size = std::max(size, std::abs(t));
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LT(std::abs(direct.objective_values[i] - expected[i]) / size, 4e-15L) << i;
      const long double energy =
          (3 * phi[0] * phi[0] + 5 * phi[1] * phi[1] + 11 * phi[2] * phi[2]) / 2;
      EXPECT_LT(std::abs(direct.objective_values[3] / energy - 1), 4e-15L);
      const std::array<long double, 4> slope = energy_slopes(m, {3, 5, 11});
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT(std::abs(direct.gradient[12 + i] - slope[i]), 4e-15L * size) << i;
      // Of the torque as well: the stiffness. Rows differ in size.
      EXPECT_LT(largest_deviation(direct.gradient, dual.gradient, 4), 1e-13);
      EXPECT_LT(largest_deviation(adjoint.gradient, dual.gradient, 4), 1e-13);
    }
}

// About the axis of a hinge a bushing is a torsional spring, from no turn at all to nearly half of
// one.
TEST(Bushings, TurnByTheAngle) {
  for (const double start : {0.0, 1e-9, 0.3, 1.2, 2.1, 3.14159, -2.9}) {
    SCOPED_TRACE(start);
    Model spring;
    spring.gravity = {0, 0, 0};
    spring.bodies = {make_body("bar", 1.0, {0.5, 0, 0}, {0.01, 0.1, 0.1, 0, 0, 0, "com"}, {})};
    spring.joints = {
        make_joint("hinge", JointType::revolute, "ground", "bar", {1, 2, -2}, start, -0.5)};
    spring.sensors = {{"q", "coordinate", "hinge"}, {"energy", "energy", "total"}};
    spring.objectives = {{"end", ObjectiveKind::terminal, "q", "", ""},
                         {"sum", ObjectiveKind::integral, "q^2", "", ""},
                         {"energy", ObjectiveKind::terminal, "energy", "", ""}};
    spring.analysis.duration = 0.2;
    spring.analysis.step = 0.01;
    Model bushing = spring;
    spring.parameters = bushing.parameters = {make_parameter("k", 3.0), make_parameter("c", 0.2)};
    spring.forces.push_back(make_torsional_spring("rubber", "hinge", "k", "c", 0));
    bushing.forces = {{"rubber",
                       "bushing",
                       {{"from", "ground"},
                        {"to", "bar"},
                        {"torsional_stiffness", {"k", "k", "k"}},
                        {"torsional_damping", {"c", "c", "c"}}}}};
    for (const char* method : {"direct", "adjoint", "dual"}) {
      const Result expected = run_gradient(spring, method);
      const Result result = run_gradient(bushing, method);
      expect_equal_values(result, expected, 1e-12);
      EXPECT_LT(largest_deviation(result.gradient, expected.gradient, 2), 1e-11) << method;
    }
  }
}

// Free to turn as it likes, through half a turn and back, within as few steps as elsewhere.
TEST(Bushings, KeepTheEnergyAtLargeTurns) {
  struct Case {
    double angle, speed;
    std::size_t steps;
  };
  for (const Case& c :
       {Case{170, 0, 1000}, Case{-170, 0, 1000}, Case{179.99, 0, 1000}, Case{100, 9, 2000}}) {
    SCOPED_TRACE(c.angle);
    Model m = tied_ball({5, 6, 9});
    m.bodies[0].inertia = {0.3, 0.2, 0.4, 0, 0, 0, "com"};
    m.analysis.integrator = "dop853";
    m.analysis.duration = 5.0;
    m.analysis.rtol = 1e-10;
    m.analysis.atol = 1e-12;
    turn(m, c.angle * kPi / 180, {1, 2, -2});
    m.joints[0].start[1].velocity = c.speed;
    m.objectives = {{"start", ObjectiveKind::value, "energy", "", "", {}, {0}},
                    {"end", ObjectiveKind::terminal, "energy", "", ""}};
    Options options;
    options.backend = "cpu:1";
    const Result r = simulate(m, options);
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    EXPECT_LT(std::abs(r.objective_values[1] / r.objective_values[0] - 1.0), 1e-8);
    EXPECT_LT(r.step_count[0] + r.rejected_steps[0], static_cast<double>(c.steps));
  }
}

// Dampers take what their torques do against the relative angular velocity, and nothing else.
TEST(Bushings, DampersTakeEnergyByTheRelativeAngularVelocity) {
  Model m = tied_ball({5, 6, 9});
  turn(m, 2.5L, {1, 2, -2});
  m.forces[0]["torsional_damping"] = {0.2, 0.3, 0.5};
  m.joints[0].start[1].velocity = 3;
  m.sensors.push_back({"w", "angular_velocity", "ball"});
  m.objectives = {{"start", ObjectiveKind::value, "energy", "", "", {}, {0}},
                  {"end", ObjectiveKind::terminal, "energy", "", ""},
                  {"loss", ObjectiveKind::integral, "0.2*w.x^2 + 0.3*w.y^2 + 0.5*w.z^2", "", ""}};
  m.analysis.duration = 1.0;
  m.analysis.step = 1e-3;
  const Result r = run_gradient(m, "direct");
  EXPECT_NEAR(r.objective_values[0] - r.objective_values[1], r.objective_values[2], 1e-9);
  EXPECT_GT(r.objective_values[2], 1.0);
}

}  // namespace
}  // namespace gradus::derivative
