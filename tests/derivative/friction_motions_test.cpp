// Motions with friction in joints of which something else is known: a closed form, an equation of
// motion of their own, the same mechanism by other means.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/joint_friction.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::failure_of;

Model with_steps(Model m, double duration) {
  use_exact_steps(m, duration);
  return m;
}

// A block that slides on a plane, in a direction of its own, against Coulomb friction: with the law
// d tanh(v / v_t) its speed follows sinh(v / v_t) = sinh(v_0 / v_t) exp(-d g t / v_t).
Model block_on_plane(double transition_speed) {
  Model m;
  m.gravity = {0, 0, -9.81};
  Body block;
  block.name = "block";
  block.mass = 1.3;
  block.com = {0, 0, 0};
  block.inertia = {0.01, 0.01, 0.01, 0, 0, 0, "com"};
  m.bodies = {block};
  Joint plane;
  plane.name = "plane";
  plane.type = JointType::planar;
  plane.parent = "ground";
  plane.child = "block";
  plane.axis = Vector3{0, 0, 1};
  plane.start = {at(0.1, 0.6), at(-0.2, 0.8), at(0, 0)};
  m.joints = {plane};
  m.parameters = {make_parameter("mu", 0.3)};
  m.forces = {friction("plane", {{"law", "coulomb"},
                                 {"dynamic", "mu"},
                                 {"transition_speed", transition_speed},
                                 {"smoothing", 1e-6},
                                 {"speed_smoothing", 1e-9}})};
  m.sensors = {{"place", "coordinate", "plane"}, {"pace", "rate", "plane"}};
  m.objectives = {{"x", ObjectiveKind::terminal, "place.0", "", ""},
                  {"y", ObjectiveKind::terminal, "place.1", "", ""},
                  {"v", ObjectiveKind::terminal, "norm([pace.0, pace.1, 0])", "", ""}};
  return m;
}

TEST(FrictionMotions, StopsABlockWhereItShould) {
  const double vt = 0.02, mu = 0.3, g = 9.81;
  // While it slides, at the end of it, and creeping.
  for (const double t : {0.2, 0.33, 0.36}) {
    const Result r = run_gradient(with_steps(block_on_plane(vt), t), "direct");
    const double v = vt * std::asinh(std::sinh(1.0 / vt) * std::exp(-mu * g * t / vt));
    EXPECT_NEAR(r.objective_values[2], v, 1e-8);
  }
  // Where it comes to rest: the integral of v / (mu g tanh(v / v_t)) from 0 to v_0, which is the
  // distance of dry friction and pi^2 / 12 v_t^2 / (mu g) more.
  const Result r = run_gradient(with_steps(block_on_plane(vt), 0.6), "direct");
  const double distance = (0.5 + std::acos(-1.0) * std::acos(-1.0) / 12 * vt * vt) / (mu * g);
  EXPECT_NEAR(r.objective_values[0], 0.1 + 0.6 * distance, 1e-8);
  EXPECT_NEAR(r.objective_values[1], -0.2 + 0.8 * distance, 1e-8);
  EXPECT_NEAR(r.gradient[0], -0.6 * distance / mu, 1e-7);
  EXPECT_NEAR(r.gradient[1], -0.8 * distance / mu, 1e-7);
}

// A block on a belt, held by a spring: it sticks and slips in turn. `belt` moves under it at a
// constant speed; the friction is that of the joint between both.
constexpr double kBeltSpeed = 0.3, kBeltStiffness = 90.0, kBeltStatic = 0.6, kBeltDynamic = 0.35,
                 kBeltTransition = 0.02;

Model block_on_belt() {
  Model m;
  m.gravity = {0, 0, -9.81};
  Body belt;
  belt.name = "belt";
  belt.mass = 5;
  belt.com = {0, 0, 0};
  belt.inertia = {0.1, 0.1, 0.1, 0, 0, 0, "com"};
  Body block = belt;
  block.name = "block";
  block.mass = 1.5;
  m.bodies = {belt, block};
  Joint roll = make_joint("roll", JointType::prismatic, "ground", "belt", {1, 0, 0}, 0, kBeltSpeed);
  roll.start[0].position_is_guess = true;
  Joint contact = make_joint("contact", JointType::prismatic, "belt", "block", {1, 0, 0}, 0, 0);
  contact.zero = Vector3{0, 1, 0};
  m.joints = {roll, contact};
  m.constraints = {{"drive", "coordinate", "roll", "", std::to_string(kBeltSpeed) + "*t"}};
  m.parameters = {make_parameter("static", kBeltStatic), make_parameter("k", kBeltStiffness)};
  m.sensors = {{"at", "position", "block"}, {"rate", "velocity", "block"}};
  m.forces = {make_force("spring", "block", {"-k*at.x", 0, 0}),
              friction("contact", {{"law", "brown-mcphee"},
                                   {"static", "static"},
                                   {"dynamic", kBeltDynamic},
                                   {"transition_speed", kBeltTransition},
                                   {"load", "force"},
                                   {"smoothing", 1e-9}})};
  for (const int passage : {2, 3, 4}) {
    Objective o{"passage " + std::to_string(passage), ObjectiveKind::time_when, "at.x - 0.05", "",
                ""};
    o.direction = Passages::rising;
    o.passage = passage;
    m.objectives.push_back(o);
  }
  use_exact_steps(m, 3.0);
  return m;
}

// Times at which x passes 0.05 m upwards, by an equation of motion of its own.
std::vector<double> passages_of_block(double stiffness, double mu_s) {
  using Long = long double;
  const Long h = 2e-5L, m = 1.5L, g = 9.81L;
  const auto slope = [&](Long x, Long v) {
    const Long s = (v - kBeltSpeed) / kBeltTransition;
    const Long d = s * s / 4 + 0.75L;
    const Long mu = kBeltDynamic * std::tanh(4 * s) + (mu_s - kBeltDynamic) * s / (d * d);
    return (-stiffness * x - mu * m * g) / m;
  };
  std::vector<double> times;
  Long x = 0, v = kBeltSpeed;
  for (int k = 0; k < 150000; ++k) {
    const Long a1 = slope(x, v), v2 = v + h / 2 * a1;
    const Long a2 = slope(x + h / 2 * v, v2), v3 = v + h / 2 * a2;
    const Long a3 = slope(x + h / 2 * v2, v3), v4 = v + h * a3;
    const Long a4 = slope(x + h * v3, v4);
    const Long next = x + h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    const Long pace = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (x < 0.05L && next >= 0.05L) {
      // A cubic through both ends.
      Long share = (0.05L - x) / (next - x);
      for (int i = 0; i < 20; ++i) {
        const Long u = share, w = 1 - u;
        const Long value = w * w * (1 + 2 * u) * x + u * u * (3 - 2 * u) * next +
                           h * (u * w * w * v - u * u * w * pace);
        const Long rate =
            6 * u * w * (next - x) + h * (w * (1 - 3 * u) * v + u * (3 * u - 2) * pace);
        share -= (value - 0.05L) / rate;
      }
      times.push_back(static_cast<double>((k + share) * h));
    }
    x = next;
    v = pace;
  }
  return times;
}

TEST(FrictionMotions, MakesABlockOnABeltStickAndSlipWithTheRightPeriod) {
  const std::vector<double> expected = passages_of_block(kBeltStiffness, kBeltStatic);
  ASSERT_GE(expected.size(), 4U);
  const Result r = run_gradient(block_on_belt(), "direct");
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(r.objective_values[k], expected[k + 1], 2e-7) << k;
  // The period is that of sticking and slipping, not of the spring: 2 pi sqrt(m / k).
  const double period = expected[3] - expected[2];
  EXPECT_NEAR(r.objective_values[2] - r.objective_values[1], period, 1e-7);
  EXPECT_GT(std::abs(period - 2 * std::acos(-1.0) * std::sqrt(1.5 / kBeltStiffness)), 0.05);
  const double step = 1e-4;
  const auto up = passages_of_block(kBeltStiffness, kBeltStatic + step),
             down = passages_of_block(kBeltStiffness, kBeltStatic - step);
  for (std::size_t k = 0; k < 3; ++k) {
    const double slope = (up[k + 1] - down[k + 1]) / (2 * step);
    EXPECT_NEAR(r.gradient[2 * k], slope, 1e-4 * std::abs(slope)) << k;
  }
}

// A pendulum loses by the friction in its pin what the friction takes, and moves as the law says
// that a user would write.
TEST(FrictionMotions, TakesFromAPendulumWhatItLoses) {
  Model m = test::one_body("rod", 2.0, "pin", JointType::revolute, {0, 0, 1}, 0.3, 1.5, "q");
  m.gravity = {0, -9.81, 0};
  m.bodies[0].com = {0.8, 0, 0};
  m.bodies[0].inertia = {0.01, 0.05, 0.05, 0, 0, 0, "com"};
  m.parameters = {make_parameter("mu", 0.9), make_parameter("r", 0.1), make_parameter("slip", 0.5)};
  m.sensors.push_back({"w", "rate", "pin"});
  m.sensors.push_back({"load", "reaction_force", "pin"});
  m.sensors.push_back({"all", "energy", "total"});
  Model by_law = m;
  m.forces = {friction("pin", {{"law", "coulomb"},
                               {"dynamic", "mu"},
                               {"transition_speed", "r*slip"},
                               {"radius", "r"},
                               {"load", "force"},
                               {"pressure_factor", 1},
                               {"smoothing", 0.1}})};
  by_law.forces = {
      make_joint_force("friction", "pin", "-mu*r*sqrt(load.x^2 + load.y^2 + 0.01)*tanh(w/slip)")};
  Result results[2];
  for (Model* const model : {&m, &by_law}) {
    model->sensors.push_back({"taken", "power", "friction"});
    model->objectives = {{"energy", ObjectiveKind::terminal, "all", "", ""},
                         {"lost", ObjectiveKind::integral, "taken", "", ""},
                         {"q", ObjectiveKind::terminal, "q", "", ""}};
    use_exact_steps(*model, 1.5);
    results[model == &m ? 0 : 1] = run_gradient(*model, "direct");
  }
  expect_equal_values(results[0], results[1], 1e-11);
  EXPECT_LT(largest_deviation(results[0].gradient, results[1].gradient, 3), 1e-9);
  const double before = 0.5 * (0.05 + 2 * 0.64) * 1.5 * 1.5 + 2 * 9.81 * 0.8 * std::sin(0.3);
  EXPECT_NEAR(results[0].objective_values[0] - before, results[0].objective_values[1], 1e-9);
  EXPECT_LT(results[0].objective_values[1], -1.0);
}

// A plane loop leaves open what its hinges and slides carry across its plane. Friction in hinges
// that reads the forces in the plane alone is the same wherever the loop is cut.
Model rough_slider_crank(JointType cut, const char* load) {
  Model m = slider_crank(cut);
  m.parameters = {make_parameter("mu", 0.4), make_parameter("r", 0.03)};
  std::vector<Joint> all = m.joints;
  all.insert(all.end(), m.loops.begin(), m.loops.end());
  for (const Joint& joint : all) {
    if (joint.type != JointType::revolute) continue;
    std::map<std::string, ForceValue> keys{{"static", "mu"},
                                           {"dynamic", "0.8*mu"},
                                           {"transition_speed", 0.1},
                                           {"smoothing", 0.1},
                                           {"radius", "r"}};
    keys["load"] = load;
    if (std::string(load) == "full") keys["length"] = 0.1;
    m.forces.push_back(friction(joint.name, keys, "friction in " + joint.name));
  }
  m.sensors = {{"tip", "position", "rod.tip"}, {"tip_rate", "velocity", "rod.tip"}};
  m.objectives = {{"end", ObjectiveKind::terminal, "tip.x + tip.y", "", ""},
                  {"all", ObjectiveKind::integral, "dot(tip_rate, tip_rate)", "", ""}};
  use_exact_steps(m, 0.5);
  return m;
}

TEST(FrictionMotions, InPlaneLoopsReadsTheForcesInThePlane) {
  const Result one = run_gradient(rough_slider_crank(JointType::revolute, "force"), "direct");
  const Result other = run_gradient(rough_slider_crank(JointType::prismatic, "force"), "direct");
  expect_equal_values(one, other, 1e-9);
  EXPECT_LT(largest_deviation(one.gradient, other.gradient, 2), 1e-8);
  EXPECT_GT(std::abs(one.gradient[0]), 1e-3);
  expect_part(failure_of(rough_slider_crank(JointType::revolute, "full")),
              "which these share in more than one way");
}

}  // namespace
}  // namespace gradus::derivative
