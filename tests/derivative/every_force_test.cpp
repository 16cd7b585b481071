// Whole runs with forces, constraints and sensors of every kind: gradients, and what the motion
// must satisfy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

Result record(const Model& model) {
  Options options;
  options.backend = "cpu:1";
  options.record = true;
  Result r = simulate(model, options);
  EXPECT_TRUE(r.all_ok()) << r.status[0].message << " at " << r.status[0].time;
  return r;
}

TEST(EveryForce, OpenTree) {
  expect_exact_gradient(ended_after(6, parametrise_all(every_force())));
}

TEST(EveryForce, DrivenLoopWithoutFreedom) {
  // Forces and masses change nothing about it, nor does where an angle is counted from that the
  // loop determines.
  expect_exact_gradient(parametrise(driven_loop(), [](const std::string& path) {
    return (path.rfind("point", 0) == 0 && path.find("wall") == std::string::npos) ||
           path.rfind("axis", 0) == 0 || path.rfind("child_axis", 0) == 0;
  }));
}

TEST(EveryForce, GuidedLoopWithFreedomLeft) {
  // Where the angle of a joint that is left to the loops is counted from changes nothing. Beside
  // the beat of the guide some inertias and a slack spring do too little to be told from rounding.
  expect_exact_gradient(
      parametrise_all(guided_loop(), {"zero j4", "inertia", "com", "stiffness s2", "damping s2"}));
}

std::size_t component(const Result& r, const std::string& name) {
  for (std::size_t k = 0; k < r.sensor_components.size(); ++k)
    if (r.sensor_components[k].name == name) return k;
  ADD_FAILURE() << "no sensor component " << name;
  return 0;
}

// Component of a sensor at a row of the record.
double sensed(const Result& r, const std::string& name, std::size_t row) {
  return r.trajectories[0].sensors[row * r.sensor_components.size() + component(r, name)];
}

void expect_same_motion(const Model& a, const Model& b, double tolerance) {
  const Result ra = record(a);
  const Result rb = record(b);
  const std::vector<double>& x = ra.trajectories[0].accelerations;
  const std::vector<double>& y = rb.trajectories[0].accelerations;
  ASSERT_EQ(x.size(), y.size());
  double scale = 0.0;
  double deviation = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    scale = std::max(scale, std::abs(x[k]));
    deviation = std::max(deviation, std::abs(x[k] - y[k]));
  }
  EXPECT_GT(scale, 1.0);
  EXPECT_LT(deviation, tolerance * scale);
}

TEST(Laws, DrivenCoordinateFollowsItsLaw) {
  const Model model = driven_loop();
  const Result r = record(model);
  const Trajectory& run = r.trajectories[0];
  const std::size_t n = r.coordinates.size();
  ASSERT_EQ(r.coordinates[3].name, "j4");
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double t = run.time[k];
    EXPECT_NEAR(run.coordinates[k * n + 3], 0.9 + 1.2 * t + 0.4 * t * t, 1e-9);
    EXPECT_NEAR(run.rates[k * n + 3], 1.2 + 0.8 * t, 1e-9);
    EXPECT_NEAR(run.accelerations[k * n + 3], 0.8, 1e-8);
  }
  for (std::size_t level = 0; level < 3; ++level) EXPECT_LT(r.constraint_violation[level], 1e-9);
}

// A law that says what the constants of a spring say moves the mechanism alike.
TEST(Laws, SpringsByLawAndByConstants) {
  const Model native = every_joint();
  Model law = native;
  law.forces[0] = make_spring_law("s1", "ground.wall", "rod.tip", "31*(length - 0.6) + 0.4*rate");
  expect_same_motion(native, law, 1e-10);
}

TEST(Laws, TorsionalSpringsAndJointForces) {
  Model spring = every_joint();
  Model law = spring;
  spring.forces.push_back(make_torsional_spring("hinge", "pin", 31.0, 0.2, 0.4));
  law.forces.push_back(make_joint_force("hinge", "pin", "-31*(q - 0.4) - 0.2*qd"));
  expect_same_motion(spring, law, 1e-10);
}

// Between the ground and a body a bushing is a force along the global axes.
TEST(Laws, BushingsOnTheGroundAndLoads) {
  Model bushing = every_joint();
  bushing.sensors.push_back({"near", "position", "arm.tip"});
  bushing.sensors.push_back({"far", "velocity", "arm.tip"});
  Model load = bushing;
  bushing.forces.push_back({"rubber",
                            "bushing",
                            {{"from", "ground.base"},
                             {"to", "arm.tip"},
                             {"stiffness", {11, 13, 17}},
                             {"damping", {0.4, 0.5, 0.6}}}});
  load.forces.push_back(
      make_force("rubber", "arm.tip",
                 {"-11*(near.x - 0.1) - 0.4*far.x", "-13*(near.y - 0.2) - 0.5*far.y",
                  "-17*(near.z + 0.1) - 0.6*far.z"}));
  expect_same_motion(bushing, load, 1e-10);
}

// About the axis of a hinge on the ground it does not matter to what a torque is fixed, and the
// joint force is the same again.
TEST(Laws, TorquesAboutAFixedAxis) {
  Model m;
  m.name = "pendulum";
  m.gravity = {0, -9.81, 0};
  m.bodies = {make_body("rod", 1.2, {0.4, 0, 0}, {0.01, 0.1, 0.1, 0, 0, 0, "com"}, {})};
  m.joints = {make_joint("hinge", JointType::revolute, "ground", "rod", {0, 0, 1}, 0.3, 0.5)};
  m.analysis.duration = 0.5;
  m.analysis.step = 2e-3;
  m.analysis.tolerance = 1e-12;
  Model global = m;
  global.forces = {make_torque("motor", "rod", {0.4, 0, "3*cos(4*t)"})};
  Model body = m;
  body.forces = {make_torque("motor", "rod", {0, -0.3, "3*cos(4*t)"}, "body")};
  Model joint = m;
  joint.forces.push_back(make_joint_force("motor", "hinge", "3*cos(4*t)"));
  expect_same_motion(global, joint, 1e-11);
  expect_same_motion(body, joint, 1e-11);
}

TEST(Laws, TorsionalSpringsKeepTheirEnergy) {
  Model m;
  m.name = "torsion pendulum";
  m.gravity = {0, -9.81, 0};
  m.bodies = {make_body("rod", 1.2, {0.4, 0, 0}, {0.01, 0.1, 0.1, 0, 0, 0, "com"}, {})};
  m.joints = {make_joint("hinge", JointType::revolute, "ground", "rod", {0, 0, 1}, 0.3, 0.5)};
  m.forces.push_back(make_torsional_spring("coil", "hinge", 9.0, 0.0, -0.2));
  m.sensors = {{"total", "energy", "total"}, {"kinetic", "energy", "kinetic"}};
  m.analysis.duration = 2.0;
  m.analysis.step = 1e-3;
  m.analysis.tolerance = 1e-12;
  const Result r = record(m);
  double least = 1e300;
  double most = 0.0;
  for (std::size_t k = 0; k < r.trajectories[0].time.size(); ++k) {
    // The trapezoidal rule errs by about (h omega)^2 / 12 of the energy exchanged.
    EXPECT_NEAR(sensed(r, "total", k), sensed(r, "total", 0), 2e-5);
    least = std::min(least, sensed(r, "kinetic", k));
    most = std::max(most, sensed(r, "kinetic", k));
  }
  EXPECT_GT(most - least, 0.5);
}

void add_reactions(Model& m, const std::vector<std::string>& joints) {
  for (const std::string& joint : joints) {
    m.sensors.push_back({"force_" + joint, "reaction_force", joint});
    m.sensors.push_back({"moment_" + joint, "reaction_moment", joint});
  }
}

// Wherever the loop is cut, its joints carry the same.
TEST(Sensors, ReactionsDoNotDependOnTheCut) {
  Model reference = four_bar(2);
  add_reactions(reference, {"A", "1", "2", "B"});
  const Result expected = record(reference);
  for (const int cut : {1, 3}) {
    Model model = four_bar(cut);
    add_reactions(model, {"A", "1", "2", "B"});
    const Result r = record(model);
    // With the cut at B joint 2 has parent and child the other way round.
    const double sign = cut == 3 ? -1.0 : 1.0;
    for (const std::string joint : {"A", "1", "2", "B"})
      for (const std::string axis : {".x", ".y"}) {
        const double force = sensed(expected, "force_" + joint + axis, 0);
        EXPECT_NEAR((joint == "2" ? sign : 1.0) * sensed(r, "force_" + joint + axis, 0), force,
                    1e-9 * std::max(1.0, std::abs(force)))
            << joint << axis << " cut " << cut;
        EXPECT_GT(std::abs(force), 1e-2);
        EXPECT_NEAR(sensed(r, "moment_" + joint + ".z", 0), 0.0, 1e-9);
      }
  }
}

// The same with the joint followed from its child to its parent: two hinges in a row, one stated
// backwards.
TEST(Sensors, ReactionOfAReversedJoint) {
  Model m;
  m.name = "double pendulum";
  m.gravity = {0.3, -9.81, 0.2};
  const auto rod = [](const std::string& name) {
    return make_body(name, 1.2, {0.4, 0.1, -0.1}, {0.02, 0.1, 0.13, 0, 0, 0, "com"},
                     {{"tip", {0.8, 0, 0.1}}});
  };
  m.bodies = {rod("first"), rod("second")};
  m.joints = {
      make_joint("one", JointType::revolute, "ground", "first", {0, 0.2, 1}, 0.3, 0.5),
      make_joint("two", JointType::revolute, "first.tip", "second", {0.1, 0, 1}, 0.4, -0.9)};
  m.joints[1].child_axis = Vector3{0, 0, 1};
  m.analysis.duration = 2e-3;
  add_reactions(m, {"one", "two"});
  Model backwards = m;
  Joint& joint = backwards.joints[1];
  std::swap(joint.parent, joint.child);
  std::swap(joint.axis, joint.child_axis);
  joint.start[0].position = -0.4;
  joint.start[0].velocity = 0.9;
  const Result a = record(m);
  const Result b = record(backwards);
  for (const char* axis : {".x", ".y", ".z"}) {
    EXPECT_NEAR(sensed(a, std::string("force_one") + axis, 0),
                sensed(b, std::string("force_one") + axis, 0), 1e-9);
    EXPECT_NEAR(sensed(a, std::string("force_two") + axis, 0),
                -sensed(b, std::string("force_two") + axis, 0), 1e-9);
    EXPECT_NEAR(sensed(a, std::string("moment_two") + axis, 0),
                -sensed(b, std::string("moment_two") + axis, 0), 1e-9);
    EXPECT_GT(std::abs(sensed(a, std::string("force_two") + axis, 0)), 1e-2);
  }
}

// Rates of the momenta are the forces from outside: weight and the reactions of the ground.
TEST(Sensors, MomentaAnswerToWeightAndReactions) {
  Model m = four_bar(3);
  m.forces.clear();
  m.objectives.clear();
  m.analysis.duration = 0.01;
  m.analysis.step = 1e-4;
  m.sensors = {{"p", "momentum", "linear"}, {"h", "momentum", "angular"}};
  double mass = 0.0;
  for (const Body& body : m.bodies) {
    mass += body.mass.value();
    m.sensors.push_back({body.name, "position", body.name + ".com"});
  }
  add_reactions(m, {"A", "B"});
  const Result r = record(m);
  const std::size_t k = 50;
  const auto rate = [&](const std::string& name) {
    return (sensed(r, name, k + 1) - sensed(r, name, k - 1)) / 2e-4;
  };
  const double gx = 0.8;
  const double gy = -9.7;
  const double fx = sensed(r, "force_A.x", k) + sensed(r, "force_B.x", k) + mass * gx;
  const double fy = sensed(r, "force_A.y", k) + sensed(r, "force_B.y", k) + mass * gy;
  double moment = 1.3 * sensed(r, "force_B.y", k) - 0.1 * sensed(r, "force_B.x", k);
  for (const Body& body : m.bodies)
    moment += body.mass.value() *
              (sensed(r, body.name + ".x", k) * gy - sensed(r, body.name + ".y", k) * gx);
  // Second differences over 1e-4 s.
  EXPECT_NEAR(rate("p.x"), fx, 1e-4);
  EXPECT_NEAR(rate("p.y"), fy, 1e-4);
  EXPECT_NEAR(rate("h.z"), moment, 1e-4);
  EXPECT_GT(std::abs(rate("h.z")), 0.1);
}

}  // namespace
}  // namespace gradus::derivative
