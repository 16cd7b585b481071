// Contacts and tyres: the same as forces and torques whose laws say the whole formula, closed forms
// of impacts, energy, and derivatives by all that they are made of.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/messages.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::message_of;

// A plate that a hinge carries, and a ball that floats above it.
std::string two_bodies(const std::string& definitions, const std::string& forces,
                       const std::string& sensors) {
  return R"json({
  "schema": "gradus-model/1", "name": "ball on a plate", "gravity": [0.4, -0.7, -9.3],
  "parameters": {
    "k": 900.0, "c": 0.21, "mu": 0.3, "vs": 0.4, "r": 0.11, "n": 1.4, "mass": 0.7, "tilt": 0.1,
    "far": 0.3, "st": 0.45, "vb": 0.7, "out": 0.4, "fade": 0.02, "e": 0.6, "v0": 0.8
  },
  "definitions": {)json" +
         definitions + R"json(},
  "bodies": {
    "plate": {
      "mass": 3.0, "com": [0.1, 0.02, -0.05],
      "inertia": { "xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": 0.02, "xz": -0.01, "yz": 0.03 },
      "points": { "seat": ["far", -0.1, 0.05] }, "vectors": { "up": ["tilt", 0.2, 1.3] }
    },
    "ball": {
      "mass": "mass", "com": [0.01, 0.02, -0.015],
      "inertia": { "xx": 0.004, "yy": 0.005, "zz": 0.006, "xy": 0.0003 },
      "points": { "middle": [0.02, -0.01, 0.03] }, "vectors": { "axle": [0.2, 1.0, -0.1] }
    }
  },
  "joints": {
    "hinge": { "type": "revolute", "parent": "ground", "child": "plate", "axis": [0.2, 1, 0.3],
               "initial": { "position": 0.1, "velocity": 0.6 } },
    "air": { "type": "floating", "parent": "ground", "child": "ball",
             "initial": { "position": [0.42, -0.05, 0.0, 0.9, 0.3, -0.2, 0.1],
                          "velocity": [0.3, -0.2, -0.5, 1.5, 2.5, -0.8] } }
  },
  "sensors": {
    "c0": { "position": "ball.middle" }, "vc": { "velocity": "ball.middle" },
    "p0": { "position": "plate.seat" }, "vp": { "velocity": "plate.seat" },
    "up": { "vector": "plate.up" }, "axle": { "vector": "ball.axle" },
    "wA": { "angular_velocity": "plate" }, "wB": { "angular_velocity": "ball" })json" +
         sensors + R"json( },
  "forces": {
    "rest": { "type": "torsional-spring-damper", "joint": "hinge", "stiffness": 60, "damping": 2 })json" +
         forces + R"json( },
  "objectives": {
    "place": { "terminal": "dot(c0, [1, 2, 3]) + 0.1*dot(vc, wB)" },
    "course": { "integral": "dot(c0, c0)*(1 + t) + 0.01*dot(wB, wB)" },
    "plate": { "terminal": "p0.z + 0.3*vp.x" }
  },
  "analysis": { "duration": 0.12, "step": 5e-4, "tolerance": 1e-12 }
})json";
}

Model with_contact(const std::string& keys) {
  return parse_model(two_bodies("",
                                R"json(,
    "touch": { "type": "contact", "from": "plate.seat", "to": "ball.middle", "normal": ["tilt", 0.2, 1.3],
               "radius": "r", )json" +
                                    keys + "}",
                                R"json(,
    "f": { "applied_force": "touch" }, "m": { "applied_torque": "touch" }, "load": { "normal_force": "touch" },
    "slide": { "sliding_speed": "touch" }, "gap": { "gap": "touch" }, "takes": { "power": "touch" })json"),
                     "test");
}

// Forces F at the middle of the ball and -F at the seat, with the moments of both.
const char* const kStatedForces = R"json(,
    "on": { "type": "force", "at": "ball.middle", "components": ["F.x", "F.y", "F.z"] },
    "turn": { "type": "torque", "body": "ball", "components": ["MB.x", "MB.y", "MB.z"] },
    "off": { "type": "force", "at": "plate.seat", "components": ["-F.x", "-F.y", "-F.z"] },
    "back": { "type": "torque", "body": "plate", "components": ["-MA.x", "-MA.y", "-MA.z"] })json";

// The same by laws: N presses, and `friction` is the coefficient at the speed `s`.
Model stated(const std::string& pressing, const std::string& friction) {
  return parse_model(two_bodies(R"json(
    "u": "up/sqrt(dot(up, up))", "arm": "c0 - p0", "g": "dot(u, arm) - r",
    "gd": "dot(u, vc - vp) + dot(cross(wA, u), arm)", "depth": "max(-g, 0)",
    "N": ")json" + pressing + R"json(",
    "at": "c0 - r*u", "rel": "vc + cross(wB, at - c0) - vp - cross(wA, at - p0)",
    "vt": "rel - dot(rel, u)*u", "s": "sqrt(dot(vt, vt) + (1e-6*vs)^2)", "rough": ")json" +
                                    friction + R"json(",
    "F": "N*u - (N*rough*tanh(s/vs)/s)*vt", "MB": "cross(at - c0, F)", "MA": "cross(at - p0, F)")json",
                                kStatedForces, ""),
                     "test");
}

struct Law {
  const char *keys, *pressing, *friction;
};
const std::vector<Law>& laws_of_contacts() {
  static const std::vector<Law> laws{
      {R"("stiffness": "k", "damping": "c")", "k*depth^1.5*max(1 - c*gd, 0)", "0"},
      {R"("stiffness": "k", "damping": "c", "exponent": "n", "dynamic": "mu", "transition_speed": "vs")",
       "k*max(-g, 1e-100)^n*max(1 - c*gd, 0)", "mu"},
      {R"("law": "flores", "stiffness": "k", "restitution": "e", "impact_speed": "v0", "dynamic": "mu",
          "transition_speed": "vs", "static": "st", "stribeck_speed": "vb")",
       "k*depth^1.5*max(1 - 8*(1 - e)/(5*e*v0)*gd, 0)", "mu + (st - mu)*exp(-(s/vb)^2)"},
      {R"("law": "lankarani-nikravesh", "stiffness": "k", "restitution": "e", "impact_speed": "v0")",
       "k*depth^1.5*max(1 - 3*(1 - e^2)/(4*v0)*gd, 0)", "0"},
      {R"("law": "kelvin-voigt", "stiffness": "k", "damping": "c", "dynamic": "mu", "transition_speed": "vs")",
       "max(k*depth - c*gd, 0)*touches", "mu"},
      {R"("law": "kelvin-voigt", "stiffness": "k", "damping": "c", "restitution_damping": "out",
          "damping_depth": "fade")",
       "max(k*depth - min(depth/fade, 1)^2*(3 - 2*min(depth/fade, 1))*(max(gd, 0)*out + min(gd, "
       "0)*c), 0)",
       "0"}};
  return laws;
}

// Where a law is made of what expressions have no word for, the ball touches all the time.
std::string all_the_time(std::string law) {
  const std::size_t at = law.find("*touches");
  if (at != std::string::npos) law.erase(at, 8);
  return law;
}

TEST(Contacts, DoWhatTheirFormulasSay) {
  for (const Law& law : laws_of_contacts()) {
    SCOPED_TRACE(law.keys);
    for (const char* method : {"direct", "adjoint"}) {
      const Result contact = run_gradient(with_contact(law.keys), method);
      const Result laws = run_gradient(stated(all_the_time(law.pressing), law.friction), method);
      expect_equal_values(contact, laws, 1e-10);
      EXPECT_LT(largest_deviation(contact.gradient, laws.gradient, 15), 1e-9);
    }
  }
}

// The parameters that the keys read, and those of the bodies.
Model with_parameters_of(Model m, const std::string& keys, const std::string& others) {
  std::erase_if(m.parameters, [&](const Parameter& p) {
    return keys.find("\"" + p.name + "\"") == std::string::npos &&
           (" " + others + " ").find(" " + p.name + " ") == std::string::npos;
  });
  return m;
}

TEST(Contacts, HaveExactGradients) {
  for (const Law& law : laws_of_contacts()) {
    SCOPED_TRACE(law.keys);
    expect_exact_gradient(with_parameters_of(with_contact(law.keys), law.keys, "r mass tilt far"));
  }
}

TEST(Contacts, MoveTheSameByEveryFormulation) {
  for (Model m :
       {with_contact(laws_of_contacts()[1].keys), with_contact(laws_of_contacts()[5].keys)}) {
    m.analysis.integrator = "rk4";
    m.analysis.step = 2e-4;
    m.analysis.formulation = "semi-recursive";
    const Result expected = run_gradient(m, "direct");
    for (const char* formulation : {"fully-recursive", "index1", "matrix-r", "penalty", "ali3p"})
      for (const char* method : {"direct", "adjoint"}) {
        SCOPED_TRACE(std::string(formulation) + " " + method);
        const bool is_ali3p = std::string(formulation) == "ali3p";
        m.analysis.formulation = formulation;
        m.analysis.integrator = is_ali3p ? "newmark" : "rk4";
        const Result r = run_gradient(m, method);
        expect_equal_values(r, expected, is_ali3p ? 1e-4 : 1e-8);
        EXPECT_LT(largest_deviation(r.gradient, expected.gradient, 15), is_ali3p ? 1e-2 : 1e-6);
      }
  }
}

TEST(Contacts, ShowWhatTheyExert) {
  Model m = with_contact(laws_of_contacts()[1].keys);
  m.analysis.duration = 0.05;  // it still touches then
  const std::string lever = "cross(-r*up/sqrt(dot(up, up)), f)";
  const auto at_end = [](const char* name, const std::string& what) {
    return Objective{name, ObjectiveKind::terminal, what, "", ""};
  };
  m.objectives = {
      at_end("load", "load"),
      at_end("pressed", "dot(f, up)/sqrt(dot(up, up))"),
      at_end("slide", "slide"),
      at_end("gap", "gap"),
      at_end("depth", "dot(up, c0 - p0)/sqrt(dot(up, up)) - r"),
      at_end("moment", "dot(m, m)"),
      at_end("lever", "dot(" + lever + ", " + lever + ")"),
      at_end("power", "takes"),
      at_end("by both",
             "dot(f, vc - vp) + dot(m, wB) - dot(cross(c0 - r*up/sqrt(dot(up, up)) - p0, f), wA)")};
  const std::vector<double> v = run_gradient(m, "direct").objective_values;
  EXPECT_GT(v[0], 1.0);
  EXPECT_NEAR(v[0], v[1], 1e-9 * v[0]);
  EXPECT_GT(v[2], 0.01);
  EXPECT_LT(v[3], 0.0);
  EXPECT_NEAR(v[3], v[4], 1e-13);
  EXPECT_GT(v[5], 1e-3);
  EXPECT_NEAR(v[5], v[6], 1e-9 * v[5]);
  EXPECT_GT(std::abs(v[7]), 1.0);
  EXPECT_NEAR(v[7], v[8], 1e-9 * std::abs(v[7]));
}

// A mass that flies against a wall, without weight.
Model impact(const std::string& keys) {
  return parse_model(R"json({
  "schema": "gradus-model/1", "name": "impact", "gravity": [0, 0, 0],
  "parameters": { "v": 2.0, "k": 5e4, "d": 0.3, "m": 0.4 },
  "bodies": { "ball": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 0, "yy": 0, "zz": 0 } } },
  "joints": { "rail": { "type": "prismatic", "parent": "ground", "child": "ball", "axis": [1, 0, 0],
                        "initial": { "position": 0.01, "velocity": "-v" } } },
  "forces": { "wall": { "type": "contact", "from": "ground", "to": "ball", "normal": [3, 0, 0], "stiffness": "k", )json" +
                         keys + R"json( } },
  "sensors": { "x": { "coordinate": "rail" }, "xd": { "rate": "rail" } },
  "objectives": { "out": { "terminal": "xd" }, "deepest": { "minimum": "x" } },
  "analysis": { "duration": 0.06, "formulation": "semi-recursive", "integrator": "dop853", "rtol": 1e-11, "atol": 1e-13 }
})json",
                     "test");
}

// What is lost on the way in, in d^2/m, is what is found on the way out.
TEST(Contacts, BounceAsHuntAndCrossleySay) {
  const Result r = run_gradient(impact(R"("damping": "d")"), "direct");
  const double v = 2.0, k = 5e4, d = 0.3, m = 0.4, w = r.objective_values[0];
  const auto lost = [d](double x) { return d * x - std::log1p(d * x); };
  EXPECT_GT(w, 1.0);
  EXPECT_NEAR(lost(-w), lost(v), 1e-8);
  const double by_w = -d + d / (1 - d * w);
  EXPECT_NEAR(r.gradient[0], (d - d / (1 + d * v)) / by_w, 1e-5);
  EXPECT_NEAR(r.gradient[1], 0.0, 1e-9);
  EXPECT_NEAR(r.gradient[2], (v - v / (1 + d * v) + w - w / (1 - d * w)) / by_w, 1e-5);
  EXPECT_NEAR(r.gradient[3], 0.0, 1e-5);
  const double depth = std::pow(2.5 * m / (k * d * d) * lost(v), 0.4);
  EXPECT_NEAR(r.objective_values[1], -depth, 1e-6 * depth);
}

TEST(Contacts, KeepEnergyWithoutDamping) {
  const Result r = run_gradient(impact(R"("law": "kelvin-voigt")"), "direct");
  EXPECT_NEAR(r.objective_values[0], 2.0, 1e-8);
  EXPECT_NEAR(r.objective_values[1], -2.0 * std::sqrt(0.4 / 5e4), 1e-9);
}

TEST(Contacts, FailWhereNumbersOfADesignAreNone) {
  const Model m = impact(R"("damping": "d", "exponent": "0.8 + d")");
  for (const double d : {0.3, 0.1}) {
    Options options;
    options.set = {{"d", d}};
    options.backend = "cpu:1";
    EXPECT_EQ(simulate(m, options).all_ok(), d == 0.3) << d;
  }
}

// Whatever its length, a normal says a direction, and where nothing touches there is no force.
TEST(Contacts, GoByTheDirectionOfTheirNormal) {
  Model m = impact(R"("damping": "d")");
  m.sensors.push_back({"load", "normal_force", "wall"});
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"load", ObjectiveKind::terminal, "load", "", ""}};
  const double expected = run_gradient(m, "direct").objective_values[0];
  EXPECT_EQ(run_gradient(m, "direct").objective_values[1], 0.0);
  for (const double length : {1e-200, 1e-161, 1e154, 1e200}) {
    m.forces[0]["normal"] = Vector3{length, 0, 0};
    EXPECT_EQ(run_gradient(m, "direct").objective_values[0], expected) << length;
  }
  m.forces[0]["normal"] = Vector3{0, 0, 0};
  expect_part(message_of([&] { validate(m); }), "it has no direction");
}

// A ball on a surface of some height above the ground.
Model on_height(const std::string& height, const std::string& force) {
  return parse_model(R"json({
  "schema": "gradus-model/1", "name": "waves", "gravity": [0, 0, -9.81],
  "parameters": { "a": 0.1, "w": 2.5, "k": 2000, "r": 0.15, "mu": 0.4 },
  "bodies": { "ball": { "mass": 1.3, "com": [0, 0, 0], "inertia": { "xx": 0.02, "yy": 0.03, "zz": 0.025 } } },
  "joints": { "air": { "type": "floating", "parent": "ground", "child": "ball",
              "initial": { "position": [0.4, 0.3, 0.2, 1, 0.05, 0.1, -0.1], "velocity": [1.5, -0.3, 0.1, 0.4, 3, 1] } } },
  "forces": { "road": { "from": "ground", "to": "ball", "height": ")json" +
                         height + "\", " + force + R"json(} },
  "sensors": { "at": { "position": "ball" }, "v": { "velocity": "ball" }, "spin": { "angular_velocity": "ball" },
               "all": { "energy": "total" }, "gap": { "gap": "road" } },
  "objectives": { "end": { "terminal": "dot(at, [1, 2, 3]) + 0.1*dot(v, spin)" }, "energy": { "terminal": "all" },
                  "near": { "integral": "gap" } },
  "analysis": { "duration": 0.5, "formulation": "semi-recursive", "integrator": "dop853", "rtol": 1e-11, "atol": 1e-12 }
})json",
                     "test");
}

constexpr const char* kWaves = "a*sin(w*surface_x)*cos(1.3*surface_y)";
constexpr const char* kSmoothBall =
    R"("type": "contact", "law": "kelvin-voigt", "stiffness": "k", "radius": "r")";

// A force on the gap has a potential, whatever the surface.
TEST(Contacts, OnHeightsKeepEnergy) {
  Model m = on_height(kWaves, kSmoothBall);
  const double at_end = run_gradient(m, "direct").objective_values[1];
  m.analysis.duration = 0.01;
  const double at_start = run_gradient(m, "direct").objective_values[1];
  EXPECT_NEAR(at_end, at_start, 1e-8 * std::abs(at_start));
}

// A ball that meets a floor which rises is one that meets it faster.
TEST(Contacts, OnAHeightThatMovesAreThoseOfTheirRelativeMotion) {
  const auto meets = [](const char* height, double speed) {
    Model m = impact(R"("damping": "d")");
    m.joints[0].axis = Vector3{0, 0, 1};
    m.parameters[0].value = speed;
    std::erase_if(m.forces[0].values, [](const auto& value) { return value.first == "normal"; });
    m.forces[0]["height"] = height;
    return run_gradient(m, "direct").objective_values[0];
  };
  EXPECT_NEAR(meets("0.7*t", 2.0), meets("0", 2.7) + 0.7, 1e-8);
}

// A slope that is a plane is the same as its normal.
TEST(Contacts, OnAnEvenSlopeAreThoseOfItsPlane) {
  const std::string rough =
      std::string(kSmoothBall) + R"(, "damping": 9, "dynamic": "mu", "transition_speed": 0.3)";
  Model slope = on_height("0.3*surface_x - 0.2*surface_y + 0.02", rough);
  Model plane = on_height("0", rough);
  Force& road = plane.forces[0];
  std::erase_if(road.values, [](const auto& value) { return value.first == "height"; });
  road["normal"] = Vector3{-0.3, 0.2, 1};
  road["from"] = "ground.start";
  plane.ground.points["start"] = {0, 0, 0.02};
  const Result a = run_gradient(slope, "direct");
  const Result b = run_gradient(plane, "direct");
  expect_equal_values(a, b, 1e-9);
  EXPECT_LT(largest_deviation(a.gradient, b.gradient, 5), 1e-7);
}

TEST(Contacts, OnHeightsHaveExactGradients) {
  const std::string tyre =
      R"("type": "tyre", "axis": [0.1, 1, 0.2], "radius": "r", "stiffness": "k", "damping": 12,
      "longitudinal_friction": "mu", "lateral_friction": 0.6, "critical_slip": 0.2, "critical_angle": 0.15)";
  const std::string ball =
      std::string(kSmoothBall) + R"(, "damping": 9, "dynamic": "mu", "transition_speed": 0.3)";
  const std::string spline =
      "a*spline(surface_x, [-1, 0, 0.5, 1, 1.5, 3], [0.1, 0.3, w, 0.5, 0.9, 0.2]) + 0.02*sin(9*t)";
  for (const std::string& force : {tyre, ball})
    for (const std::string& height : {std::string(kWaves), spline}) {
      SCOPED_TRACE(height + force);
      Model m = on_height(height, force);
      m.objectives.erase(m.objectives.begin() + 1);
      m.analysis.duration = 0.1;
      m.analysis.integrator = "rk4";
      m.analysis.step = 5e-4;
      expect_exact_gradient(m);
    }
}

// A wheel on a plate that moves, and the same by laws.
Model with_tyre(const std::string& keys) {
  return parse_model(two_bodies("",
                                R"json(,
    "touch": { "type": "tyre", "from": "plate.seat", "to": "ball.middle", "normal": ["tilt", 0.2, 1.3],
               "axis": [0.2, 1.0, -0.1], "radius": "r", "stiffness": "k", "damping": "c", )json" +
                                    keys + "}",
                                R"json(, "slip": { "slip": "touch" })json"),
                     "test");
}

Model stated_tyre(const std::string& speed, const std::string& along, const std::string& across) {
  return parse_model(two_bodies(R"json(
    "u": "up/sqrt(dot(up, up))", "arm": "c0 - p0", "ax": "axle/sqrt(dot(axle, axle))", "lean": "dot(u, ax)",
    "cosl": "sqrt(1 - lean^2)", "g": "dot(u, arm) - r*cosl",
    "gd": "dot(u, vc - vp) + dot(cross(wA, u), arm) + r*lean/cosl*(dot(cross(wA, u), ax) + dot(u, cross(wB, ax)))",
    "N": "max(-k*g - c*gd, 0)",
    "low": "(-r/cosl)*(u - lean*ax)", "fwd": "cross(ax, u)/cosl", "left": "cross(u, fwd)",
    "mid": "vc - vp - cross(wA, arm)", "rel": "vc + cross(wB, low) - vp - cross(wA, arm + low)",
    "vx": "dot(mid, fwd)", "den": ")json" +
                                    speed + R"json(",
    "kap": "dot(rel, fwd)/den", "alp": "atan(dot(rel, left)/den)",
    "along": ")json" + along + R"json(", "across": ")json" +
                                    across + R"json(",
    "F": "N*u + (N*along)*fwd + (N*across)*left", "MB": "cross(low, F)", "MA": "cross(arm + low, F)")json",
                                kStatedForces, ""),
                     "test");
}

struct TyreLaw {
  const char *keys, *speed, *along, *across;
};
const std::vector<TyreLaw>& laws_of_tyres() {
  static const std::vector<TyreLaw> laws{
      {R"("longitudinal_friction": "mu", "lateral_friction": "st", "critical_slip": "vb", "critical_angle": "vs")",
       "sqrt(vx^2 + 0.01)", "-mu*tanh(kap/vb)", "-st*tanh(alp/vs)"},
      {R"("law": "saturated", "longitudinal_friction": "mu", "lateral_friction": "st", "critical_slip": "v0",
          "critical_angle": "e", "least_speed": "out")",
       "max(abs(vx), out)", "-mu*max(-1, min(1, kap/v0))", "-st*max(-1, min(1, alp/e))"},
      {R"("combined": "ellipse", "longitudinal_friction": "mu", "lateral_friction": "st", "critical_slip": "vb",
          "critical_angle": "vs")",
       "sqrt(vx^2 + 0.01)",
       "-mu*tanh(sqrt((kap/vb)^2 + (alp/vs)^2))*kap/vb/sqrt((kap/vb)^2 + (alp/vs)^2)",
       "-st*tanh(sqrt((kap/vb)^2 + (alp/vs)^2))*alp/vs/sqrt((kap/vb)^2 + (alp/vs)^2)"},
      {R"("law": "magic-formula", "longitudinal_friction": "mu", "lateral_friction": "st",
          "longitudinal_shape": [10, 1.6, 0.7], "lateral_shape": ["8*n", "n", "-e"])",
       "sqrt(vx^2 + 0.01)", "-mu*sin(1.6*atan(10*kap - 0.7*(10*kap - atan(10*kap))))",
       "-st*sin(n*atan(8*n*alp + e*(8*n*alp - atan(8*n*alp))))"}};
  return laws;
}

TEST(Tyres, DoWhatTheirFormulasSay) {
  for (const TyreLaw& law : laws_of_tyres()) {
    SCOPED_TRACE(law.keys);
    for (const char* method : {"direct", "adjoint"}) {
      const Result tyre = run_gradient(with_tyre(law.keys), method);
      const Result laws = run_gradient(stated_tyre(law.speed, law.along, law.across), method);
      expect_equal_values(tyre, laws, 1e-9);
      EXPECT_LT(largest_deviation(tyre.gradient, laws.gradient, 15), 1e-8);
    }
  }
}

// One that stands still on its wheel is dragged forward and to the left.
TEST(Tyres, ShowTheirSlip) {
  Model m = on_height("0", R"("type": "tyre", "radius": "r", "stiffness": "k")");
  m.joints[0].start[0].velocity = 2.0;
  m.joints[0].start[1].velocity = 1.0;
  for (std::size_t k = 3; k < 7; ++k) m.joints[0].start[k].velocity = 0.0;
  for (std::size_t k = 3; k < 7; ++k) m.joints[0].start[k].position = k == 3 ? 1.0 : 0.0;
  m.sensors.push_back({"slip", "slip", "road"});
  m.objectives = {{"along", ObjectiveKind::terminal, "slip.0", "", ""},
                  {"angle", ObjectiveKind::terminal, "slip.1", "", ""}};
  m.analysis.duration = 0.01;
  const std::vector<double> slip = run_gradient(m, "direct").objective_values;
  const double speed = std::sqrt(4.0 + 0.01);
  EXPECT_NEAR(slip[0], 2.0 / speed, 1e-12);
  EXPECT_NEAR(slip[1], std::atan(1.0 / speed), 1e-12);
}

TEST(Tyres, HaveExactGradients) {
  for (const TyreLaw& law : laws_of_tyres()) {
    SCOPED_TRACE(law.keys);
    const std::string keys =
        std::string(law.keys) + (std::string(law.keys).find("8*n") < 999 ? R"("n""e")" : "");
    expect_exact_gradient(with_parameters_of(with_tyre(law.keys), keys, "r mass tilt far k c"));
  }
}

TEST(Contacts, AreTheSameInEveryLaneAndOnADevice) {
  expect_same_bits_everywhere(with_contact(laws_of_contacts()[2].keys), {});
  expect_same_bits_everywhere(with_tyre(laws_of_tyres()[3].keys), {});
}

TEST(Contacts, AreChecked) {
  const auto refusal = [](const std::string& keys) {
    return message_of([&] { with_contact(keys); });
  };
  const std::string base = R"("stiffness": 1)";
  expect_part(refusal(R"("damping": 1)"), "the key \"stiffness\" is missing");
  expect_part(refusal(base + R"(, "height": "0")"), "found the keys \"normal\" and \"height\"");
  expect_part(refusal(base + R"(, "restitution": 0.5)"),
              "the law \"hunt-crossley\" does not have it");
  expect_part(refusal(base + R"(, "law": "flores", "restitution": 0.5)"),
              "the key \"impact_speed\" is missing");
  expect_part(refusal(base + R"(, "damping_depth": 0.1)"),
              "the law \"hunt-crossley\" does not have it");
  expect_part(refusal(base + R"(, "dynamic": 0.1)"), "without \"transition_speed\"");
  expect_part(refusal(base + R"(, "static": 0.1)"), "without \"stribeck_speed\"");
  expect_part(refusal(base + R"(, "damping": -1)"), "it has to be 0 or above");
  expect_part(refusal(base + R"(, "exponent": 0.5)"), "it has to be 1 or above");
  expect_part(refusal(R"("law": "flores", "stiffness": 1, "impact_speed": 1, "restitution": 1.2)"),
              "it has to be 1 or below");
  const auto of_height = [](const std::string& height) {
    return message_of([&] { simulate(on_height(height, kSmoothBall)); });
  };
  expect_part(of_height("at.x"), "found a law of sensors");
  expect_part(of_height("surface_z"), "unknown name \"surface_z\"");
  EXPECT_EQ(message_of([&] { on_height("0.1*t", kSmoothBall); }), "no error");
  const auto of_tyre = [](const std::string& keys) { return message_of([&] { with_tyre(keys); }); };
  expect_part(of_tyre(R"("lateral_friction": 1)"), "the key \"critical_angle\" is missing");
  expect_part(of_tyre(R"("critical_slip": 1)"), "the key \"longitudinal_friction\" is missing");
  expect_part(of_tyre(R"("law": "magic-formula", "lateral_friction": 1, "critical_angle": 1)"),
              "\"lateral_shape\" is missing");
  expect_part(of_tyre(R"("lateral_friction": 1, "critical_angle": 1, "lateral_shape": [1, 1, 1])"),
              "\"magic-formula\"");
}

}  // namespace
}  // namespace gradus::derivative
