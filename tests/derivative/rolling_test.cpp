// Nonholonomic constraints: skates, balls and wheels that roll, against closed forms; derivatives
// by all that they are made of, by every formulation and method, in lanes and on a device.
#include <gtest/gtest.h>

#include <algorithm>
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

struct Way {
  const char *formulation, *integrator;
  double step, tolerance;  // of values
};
const std::vector<Way>& ways() {
  static const std::vector<Way> all{
      {"index1", "dop853", 0, 1e-9},    {"index1", "radau5", 2e-3, 1e-9},
      {"matrix-r", "rk4", 1e-3, 1e-9},  {"penalty", "dop853", 0, 1e-7},
      {"ali3p", "newmark", 5e-4, 1e-4}, {"fully-recursive", "dop853", 0, 1e-9}};
  return all;
}

Model by(Model m, const Way& way) {
  m.analysis.formulation = way.formulation;
  m.analysis.integrator = way.integrator;
  if (way.step > 0.0) m.analysis.step = way.step;
  m.analysis.tolerance = 1e-12;
  m.analysis.controls_error = way.step == 0.0;
  m.analysis.rtol = 1e-11;
  m.analysis.atol = 1e-13;
  return m;
}

// Where nothing but a nonholonomic constraint ties the tree.
std::vector<Way> ways_of_open_trees() {
  std::vector<Way> all = ways();
  all.push_back({"semi-recursive", "rk4", 1e-3, 1e-9});
  all.push_back({"fully-recursive", "rk4", 1e-3, 1e-9});
  all.push_back({"fully-recursive", "dop853", 0, 1e-9});
  return all;
}

// A ball on an incline, with a push sideways; its spin follows from rolling.
Model ball_on_incline() {
  return parse_model(R"json({
  "schema": "gradus-model/1", "name": "incline",
  "parameters": { "tilt": 0.3, "r": 0.2, "m": 3.0, "J": 0.06, "v": 0.5 },
  "gravity": ["9.81*sin(tilt)", 0, "-9.81*cos(tilt)"],
  "bodies": { "ball": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": "J", "yy": "J", "zz": "J" } } },
  "joints": { "air": { "type": "floating", "parent": "ground", "child": "ball",
              "initial": { "position": [0, 0, { "guess": 0.2 }, 1, 0, 0, 0], "velocity": [0, "v", 0, 0, 0, 0] } } },
  "forces": { "rolls": { "type": "rolling", "shape": "ball", "from": "ground", "to": "ball", "radius": "r" } },
  "sensors": { "p": { "position": "ball" }, "w": { "angular_velocity": "ball" }, "N": { "normal_force": "rolls" },
               "F": { "applied_force": "rolls" }, "slides": { "sliding_speed": "rolls" }, "gap": { "gap": "rolls" },
               "power": { "power": "rolls" } },
  "objectives": { "down": { "terminal": "p.x" }, "across": { "terminal": "p.y" }, "spin": { "terminal": "w.y" },
                  "roll": { "terminal": "w.x" }, "grip": { "terminal": "F.x" }, "load": { "terminal": "N" } },
  "analysis": { "duration": 0.8 }
})json",
                     "test");
}

// The acceleration is that of a sliding body over 1 + J / (m r^2).
TEST(Rolling, TakesABallDownAnIncline) {
  const double tilt = 0.3, r = 0.2, m = 3.0, J = 0.06, v = 0.5, T = 0.8, g = 9.81;
  const double share = 1.0 / (1.0 + J / (m * r * r));
  const double a = g * std::sin(tilt) * share;
  const std::vector<double> expected{
      0.5 * a * T * T,       v * T, a * T / r, -v / r, m * (a - g * std::sin(tilt)),
      m * g * std::cos(tilt)};
  // Of the share by r, m and J.
  const double by_r = 2 * J / (m * r * r * r) * share * share;
  const double by_m = J / (m * m * r * r) * share * share;
  const double by_j = -share * share / (m * r * r);
  const double fall = g * std::sin(tilt);
  const std::vector<double> down{0.5 * T * T * g * std::cos(tilt) * share,
                                 0.5 * T * T * fall * by_r, 0.5 * T * T * fall * by_m,
                                 0.5 * T * T * fall * by_j, 0.0};
  const std::vector<double> grip{m * g * std::cos(tilt) * (share - 1), m * fall * by_r,
                                 fall * (share - 1) + m * fall * by_m, m * fall * by_j, 0.0};
  for (const Way& way : ways())
    for (const char* method : {"direct", "adjoint", "dual"}) {
      SCOPED_TRACE(std::string(way.formulation) + " " + way.integrator + " " + method);
      const Result result = run_gradient(by(ball_on_incline(), way), method);
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_NEAR(result.objective_values[k], expected[k], way.tolerance * 20) << k;
      for (std::size_t p = 0; p < 5; ++p) {
        EXPECT_NEAR(result.gradient[p], down[p], way.tolerance * 20) << p;
        EXPECT_NEAR(result.gradient[20 + p], grip[p], way.tolerance * 200) << p;
      }
      EXPECT_NEAR(result.gradient[9], T, way.tolerance * 20);             // across by v
      EXPECT_NEAR(result.gradient[19], -1.0 / r, way.tolerance * 20);     // roll by v
      EXPECT_NEAR(result.gradient[16], v / (r * r), way.tolerance * 20);  // and by r
    }
}

// An upright wheel on a plane that falls both ahead and to the left: it rolls ahead and slides to
// the left, or is held there and leans.
TEST(Rolling, LeavesWheelsThatAreFreeSidewaysToSlide) {
  const auto wheel = [](const std::string& sideways) {
    return parse_model(R"json({
  "schema": "gradus-model/1", "name": "wheel",
  "parameters": { "r": 0.3, "m": 3.0, "J": 0.14, "ahead": 0.8, "left": 0.5, "v": 1.2 },
  "gravity": ["ahead", "left", -9.81],
  "bodies": { "wheel": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 0.08, "yy": "J", "zz": 0.08 } } },
  "joints": { "air": { "type": "floating", "parent": "ground", "child": "wheel",
              "initial": { "position": [0, 0, { "guess": 0.3 }, 1, 0, 0, 0],
                           "velocity": ["v", 0, 0, 0, 0, 0] } } },
  "forces": { "rolls": { "type": "rolling", "axis": [0, 1, 0], "from": "ground", "to": "wheel", "radius": "r",
              "sideways": ")json" +
                           sideways + R"json(" } },
  "sensors": { "p": { "position": "wheel" }, "w": { "angular_velocity": "wheel" }, "F": { "applied_force": "rolls" },
               "slides": { "sliding_speed": "rolls" } },
  "objectives": { "x": { "terminal": "p.x" }, "y": { "terminal": "p.y" }, "spin": { "terminal": "w.y" },
                  "grip": { "terminal": "F.x" }, "side": { "terminal": "F.y" }, "slides": { "terminal": "slides" } },
  "analysis": { "duration": 0.6 }
})json",
                       "test");
  };
  const double r = 0.3, m = 3.0, J = 0.14, ahead = 0.8, left = 0.5, v = 1.2, T = 0.6;
  const double share = 1.0 / (1.0 + J / (m * r * r));
  const std::vector<double> expected{v * T + 0.5 * ahead * share * T * T,
                                     0.5 * left * T * T,
                                     (v + ahead * share * T) / r,
                                     m * ahead * (share - 1.0),
                                     0.0,
                                     left * T};
  for (const Way& way : ways()) {
    SCOPED_TRACE(std::string(way.formulation) + " " + way.integrator);
    const Result free = run_gradient(by(wheel("free"), way), "direct");
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(free.objective_values[k], expected[k], way.tolerance * 20) << k;
    EXPECT_NEAR(free.gradient[6 + 4], 0.5 * T * T, way.tolerance * 20);  // y by "left"
    EXPECT_NEAR(free.gradient[0 + 5], T, way.tolerance * 20);            // x by v
  }
  // Held, it leans to the left about where it touches: m y'' = m left + F and Jx wx' = r F.
  Model held = by(wheel("held"), ways()[0]);
  held.analysis.duration = 1e-4;
  const Result at_start = run_gradient(held, "direct");
  EXPECT_NEAR(at_start.objective_values[4], -m * left / (1.0 + m * r * r / 0.08), 1e-3);
  EXPECT_NEAR(at_start.objective_values[5], 0.0, 1e-9);
}

TEST(Rolling, DoesNoWorkAndDoesNotSlip) {
  Model m = by(ball_on_incline(), ways()[0]);
  m.objectives = {{"slides", ObjectiveKind::terminal, "slides", "", ""},
                  {"gap", ObjectiveKind::terminal, "gap", "", ""},
                  {"power", ObjectiveKind::integral, "abs(power)", "", ""}};
  Options options;
  options.backend = "cpu:1";
  const Result r = simulate(m, options);
  ASSERT_TRUE(r.all_ok());
  for (const double value : r.objective_values) EXPECT_NEAR(value, 0.0, 1e-9);
}

// A skate on an incline, which turns evenly.
Model skate(const std::string& edge) {
  return parse_model(R"json({
  "schema": "gradus-model/1", "name": "skate",
  "parameters": { "tilt": 0.2, "turn": 1.7, "m": 2.0 },
  "gravity": ["9.81*sin(tilt)", 0, "-9.81*cos(tilt)"],
  "bodies": { "skate": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 0.1, "yy": 0.1, "zz": 0.1 },
                         "vectors": { "side": [0, 2, 0] } } },
  "joints": { "ice": { "type": "planar", "parent": "ground", "child": "skate", "axis": [0, 0, 1], "zero": [1, 0, 0],
                       "initial": { "position": [0, 0, 0], "velocity": [0, 0, "turn"] } } },
  "sensors": { "p": { "position": "skate" }, "v": { "velocity": "skate" }, "side": { "vector": "skate.side" },
               "place": { "coordinate": "ice" }, "pace": { "rate": "ice" }, "total": { "energy": "total" },
               "force": { "constraint_force": "edge" }, "power": { "constraint_power": "edge" } },
  "constraints": { "edge": { "nonholonomic": ")json" +
                         edge + R"json(" } },
  "objectives": { "x": { "terminal": "p.x" }, "y": { "terminal": "p.y" }, "force": { "terminal": "force" } },
  "analysis": { "duration": 1.1 }
})json",
                     "test");
}

// It goes along a cycloid, across the incline for good.
TEST(Nonholonomic, MakesASkateGoAlongACycloid) {
  const double turn = 1.7, m = 2.0, T = 1.1, pull = 9.81 * std::sin(0.2);
  const double angle = turn * T, height = pull / (2 * turn * turn);
  const std::vector<double> expected{height * std::pow(std::sin(angle), 2),
                                     height * (angle - 0.5 * std::sin(2 * angle)),
                                     m * pull * std::sin(angle)};
  const double by_tilt = std::cos(0.2) / std::sin(0.2);
  const double x_by_turn = -2 * expected[0] / turn + height * T * std::sin(2 * angle);
  for (const char* edge : {"dot(v, side)", "2*(pace.1*cos(place.2) - pace.0*sin(place.2))"})
    for (const Way& way : ways_of_open_trees())
      for (const char* method : {"direct", "adjoint", "dual"}) {
        SCOPED_TRACE(std::string(edge) + " " + way.formulation + " " + way.integrator + " " +
                     method);
        const Result r = run_gradient(by(skate(edge), way), method);
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(r.objective_values[k], expected[k], 20 * way.tolerance) << k;
          EXPECT_NEAR(r.gradient[3 * k], by_tilt * expected[k], 200 * way.tolerance) << k;
        }
        EXPECT_NEAR(r.gradient[1], x_by_turn, 200 * way.tolerance);
        EXPECT_NEAR(r.gradient[2], 0.0, 200 * way.tolerance);
        EXPECT_NEAR(r.gradient[8], pull * std::sin(angle), 200 * way.tolerance);
      }
}

TEST(Nonholonomic, OnesThatDriveShowTheirPower) {
  // At a speed that grows evenly along the skate, which slides sideways.
  Model m = by(skate("0.5*(v.x*side.y - v.y*side.x) - 0.4*t"), ways()[0]);
  m.objectives = {{"work", ObjectiveKind::integral, "power", "", ""},
                  {"energy", ObjectiveKind::terminal, "total", "", ""}};
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result end = run_gradient(m, method);
    Model start = m;
    start.analysis.duration = 1e-9;
    const Result begin = run_gradient(start, method);
    EXPECT_GT(std::abs(end.objective_values[0]), 0.1);
    EXPECT_NEAR(end.objective_values[0], end.objective_values[1] - begin.objective_values[1], 1e-7);
    for (std::size_t p = 0; p < 3; ++p)
      EXPECT_NEAR(end.gradient[p], end.gradient[3 + p] - begin.gradient[3 + p], 1e-6) << p;
  }
}

// A plate on a hinge, and something eccentric that rolls on it.
Model on_plate(const std::string& force, const std::string& constraints) {
  const bool rolls = !force.empty();
  const std::string sensors =
      R"json(, "N": { "normal_force": "rolls" }, "F": { "applied_force": "rolls" },
    "slides": { "sliding_speed": "rolls" })json";
  const std::string objectives =
      R"json(, "load": { "terminal": "N + 0.3*F.x" }, "all": { "integral": "N*t" })json";
  const std::string forces =
      R"json(, "rolls": { "type": "rolling", "from": "plate.seat", "to": "ball.middle", "radius": "r", )json" +
      force + "}";
  return parse_model(R"json({
  "schema": "gradus-model/1", "name": "plate", "gravity": [0.4, -0.7, -9.3],
  "parameters": { "r": 0.11, "mass": 0.7, "tilt": 0.1, "far": 0.3, "a": 0.05, "w": 2.5, "pace": 0.4 },
  "bodies": {
    "plate": {
      "mass": 3.0, "com": [0.1, 0.02, -0.05], "inertia": { "xx": 0.3, "yy": 0.4, "zz": 0.5, "xy": 0.02, "xz": -0.01, "yz": 0.03 },
      "points": { "seat": ["far", -0.1, "0.05 + 0.1*far"] }
    },
    "ball": {
      "mass": "mass", "com": [0.01, 0.02, -0.015], "inertia": { "xx": 0.004, "yy": 0.005, "zz": 0.006, "xy": 0.0003 },
      "points": { "middle": [0.02, -0.01, 0.03], "edge": ["r", 0.02, 0.01] }
    }
  },
  "joints": {
    "hinge": { "type": "revolute", "parent": "ground", "child": "plate", "axis": [0.2, 1, 0.3],
               "initial": { "position": 0.1, "velocity": 0.6 } },
    "air": { "type": "floating", "parent": "ground", "child": "ball",
             "initial": { "position": [0.42, -0.05, { "guess": 0.15 }, 0.9, 0.3, -0.2, 0.1],
                          "velocity": ["pace", 0, 0, 0, 0, 0.8] } }
  },
  "sensors": {
    "c": { "position": "ball.middle" }, "vc": { "velocity": "ball.middle" }, "ve": { "velocity": "ball.edge" },
    "wA": { "angular_velocity": "plate" }, "wB": { "angular_velocity": "ball" }, "total": { "energy": "total" },
    "gap": { "distance": ["plate.seat", "ball.edge"] }, "closing": { "distance_rate": ["plate.seat", "ball.edge"] })json" +
                         (rolls ? sensors : "") + R"json( },
  "constraints": {)json" +
                         constraints + R"json(},
  "forces": {
    "rest": { "type": "torsional-spring-damper", "joint": "hinge", "stiffness": 60 })json" +
                         (rolls ? forces : "") + R"json( },
  "objectives": {
    "place": { "terminal": "dot(c, [1, 2, 3]) + 0.1*dot(vc, wB)" },
    "course": { "integral": "dot(c, c)*(1 + t) + 0.01*dot(wB, wB)" })json" +
                         (rolls ? objectives : "") + R"json( },
  "analysis": { "duration": 0.2, "step": 1e-3, "tolerance": 1e-12 }
})json",
                     "test");
}

const std::vector<std::string>& rolling_things() {
  static const std::vector<std::string> all{
      R"json("shape": "ball", "normal": ["tilt", 0.2, 1.3])json",
      R"json("axis": [0.2, 1.0, -0.1], "normal": ["tilt", 0.2, 1.3])json",
      R"json("axis": ["tilt", 1.0, -0.1], "sideways": "free")json",
      R"json("axis": [0.2, 1.0, -0.1], "height": "a*sin(w*surface_x)*cos(1.3*surface_y)")json",
      R"json("shape": "ball", "height": "a*sin(w*surface_x + 2*t)")json"};
  return all;
}

// Differences, which take many runs, of the first way.
void expect_exact_gradients(Model m, const std::vector<std::string>& parameters,
                            const std::vector<Way>& all = ways()) {
  std::erase_if(m.parameters, [&](const Parameter& p) {
    return std::find(parameters.begin(), parameters.end(), p.name) == parameters.end();
  });
  m.analysis.duration = 0.05;
  Tolerances tolerances;
  tolerances.dual = 1e-9;
  tolerances.difference = 1e-5;
  for (const Way& way : all) {
    SCOPED_TRACE(std::string(way.formulation) + " " + way.integrator);
    Model own = by(m, way);
    if (own.analysis.controls_error) {  // differences need steps that are the same
      own.analysis.controls_error = false;
      own.analysis.integrator = "rk4";
      own.analysis.step = 1e-3;
    }
    expect_exact_gradient(own, tolerances);
    tolerances.differences = false;
  }
}

TEST(Rolling, HasExactGradients) {
  for (const std::string& force : rolling_things()) {
    SCOPED_TRACE(force);
    std::vector<std::string> parameters{"r", "mass", "far", "pace"};
    if (force.find("tilt") != std::string::npos) parameters.push_back("tilt");
    if (force.find("a*sin") != std::string::npos) parameters.insert(parameters.end(), {"a", "w"});
    expect_exact_gradients(on_plate(force, ""), parameters);
  }
}

TEST(Rolling, KeepsEnergyWhereNothingMoves) {
  for (const std::string& force : rolling_things()) {
    if (force.find("*t") != std::string::npos) continue;  // a surface that works
    SCOPED_TRACE(force);
    Model m = by(on_plate(force, ""), ways()[0]);
    m.objectives = {{"all", ObjectiveKind::terminal, "total", "", ""},
                    {"slides", ObjectiveKind::terminal, "slides", "", ""}};
    Options options;
    options.backend = "cpu:1";
    const double end = simulate(m, options).objective_values[0];
    const bool is_free = force.find("free") != std::string::npos;
    EXPECT_TRUE(is_free || std::abs(simulate(m, options).objective_values[1]) < 1e-8);
    m.analysis.duration = 1e-9;
    EXPECT_NEAR(end, simulate(m, options).objective_values[0], 1e-8);
  }
}

TEST(Rolling, MovesTheSameByEveryFormulation) {
  for (const std::string& force : rolling_things()) {
    const Result expected = run_gradient(by(on_plate(force, ""), ways()[0]), "direct");
    for (std::size_t k = 1; k < ways().size(); ++k) {
      SCOPED_TRACE(force + ways()[k].formulation + ways()[k].integrator);
      const Result r = run_gradient(by(on_plate(force, ""), ways()[k]), "direct");
      const bool is_ali3p = std::string(ways()[k].formulation) == "ali3p";
      expect_equal_values(r, expected, is_ali3p ? 2e-3 : 1e-6);
      EXPECT_LT(largest_deviation(r.gradient, expected.gradient, 7), is_ali3p ? 2e-2 : 1e-5);
    }
  }
}

TEST(Rolling, ConvergesWithTheOrderOfNewmarksMethod) {
  const Model m = on_plate(rolling_things()[1], "");
  const Result expected = run_gradient(by(m, ways()[0]), "direct");
  std::vector<double> errors;
  for (const double step : {1e-3, 5e-4, 2.5e-4}) {
    Way way = ways()[4];
    way.step = step;
    errors.push_back(
        largest_deviation(run_gradient(by(m, way), "direct").gradient, expected.gradient, 7));
  }
  EXPECT_GT(errors[0] / errors[1], 3.0);
  EXPECT_GT(errors[1] / errors[2], 3.0);
}

// Velocities of points, directions, lengths and bodies, and the time.
TEST(Nonholonomic, HaveExactGradients) {
  for (const char* expression : {"dot(ve, [0.3, 1, w]) + 0.2*dot(wB, c) + 0.05*closing - 0.1*t",
                                 "closing*(1 + c.z) - 0.3*w*wA.y*gap"}) {
    SCOPED_TRACE(expression);
    Model m = on_plate("", R"("edge": { "nonholonomic": ")" + std::string(expression) + "\" }");
    CoordinateStart& height = m.joints[1].start[2];
    height.position = 0.15;
    height.position_is_guess = height.velocity_is_guess = false;
    expect_exact_gradients(m, {"r", "mass", "pace", "w", "far"}, ways_of_open_trees());
  }
}

// Of the velocities alone: what follows at the start, and is free then.
TEST(Nonholonomic, AtTheStartSayHowItBegins) {
  Model m = skate("dot(v, side)");
  m.constraints[0].at_start = true;
  m.constraints[0].value = "v.x - 0.3 + 0.5*pace.2";
  std::erase_if(m.sensors, [](const Sensor& s) { return s.target == "edge"; });
  m.objectives = {{"x", ObjectiveKind::terminal, "p.x", "", ""}};
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(by(m, ways()[0]), method);
    const double T = 1.1, pull = 9.81 * std::sin(0.2);
    EXPECT_NEAR(r.objective_values[0], 0.5 * pull * T * T + (0.3 - 0.5 * 1.7) * T, 1e-9);
    EXPECT_NEAR(r.gradient[1], -0.5 * T, 1e-9);
  }
}

// A force along Euler parameters loads their normalisation, in every formulation.
TEST(Nonholonomic, MayReadRatesOfEulerParameters) {
  const Model m = parse_model(R"json({
  "schema": "gradus-model/1", "name": "ball joint", "parameters": { "p": 1.2 }, "gravity": [0, 0, -9.81],
  "bodies": { "b": { "mass": "p", "com": [0.3, 0.1, 0], "inertia": { "xx": 0.6, "yy": 0.5, "zz": 0.7 } } },
  "joints": { "j": { "type": "spherical", "parent": "ground", "child": "b",
                     "initial": { "position": [1, 0.2, 0.1, 0.3], "velocity": [0, 0.5, 0.3] } } },
  "sensors": { "r": { "rate": "j" }, "v": { "velocity": "b.com" }, "x": { "position": "b.com" } },
  "constraints": { "c": { "nonholonomic": "r.0" } },
  "objectives": { "x": { "terminal": "x.z" }, "v": { "terminal": "v.x" } },
  "analysis": { "duration": 0.6 }
})json",
                              "test");
  const Result expected = run_gradient(by(m, ways()[0]), "dual");
  EXPECT_NEAR(expected.gradient[1], 0.0020908213, 1e-8);
  for (const Way& way : ways_of_open_trees())
    for (const char* method : {"direct", "adjoint", "dual"}) {
      SCOPED_TRACE(std::string(way.formulation) + " " + way.integrator + " " + method);
      const Result r = run_gradient(by(m, way), method);
      EXPECT_NEAR(r.gradient[0], expected.gradient[0], 200 * way.tolerance);
      EXPECT_NEAR(r.gradient[1], expected.gradient[1], 200 * way.tolerance);
    }
}

// A rate of the start that follows at this heading, and at others: chosen for the design at hand.
Model heading(const std::string& velocity) {
  return parse_model(R"json({
  "schema": "gradus-model/1", "name": "heading", "parameters": { "phi": 0.3, "v": 2 },
  "bodies": { "s": { "mass": 3, "com": [0.1, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 0.4 }, "vectors": { "left": [0, 1, 0] } } },
  "joints": { "j": { "type": "planar", "parent": "ground", "child": "s",
                     "initial": { "position": [0, 0, "phi"], "velocity": )json" +
                         velocity + R"json( } } },
  "sensors": { "vel": { "velocity": "s" }, "left": { "vector": "s.left" }, "E": { "energy": "kinetic" } },
  "constraints": { "edge": { "nonholonomic": "dot(vel, left) - v" } },
  "objectives": { "E": { "terminal": "E" } },
  "analysis": { "duration": 0.5, "formulation": "index1", "integrator": "dop853" }
})json",
                     "test");
}

TEST(Nonholonomic, FollowFromTheDesignAtHand) {
  Model stated = heading("[0, 0, 0.3]");
  stated.parameters[0].value = 1.5;
  Options options;
  options.backend = "cpu:1";
  const double expected = simulate(stated, options).objective_values[0];
  options.set = {{"phi", 1.5}};
  EXPECT_EQ(simulate(heading("[0, 0, 0.3]"), options).objective_values[0], expected);
  EXPECT_EQ(describe(stated).released, (std::vector<std::string>{"j.0"}));
  // Across the only rate that is left.
  options.set = {{"phi", 0.5 * std::acos(-1.0)}};
  expect_part(message_of([&] { simulate(heading("[1, 0, 0.3]"), options); }), "state fewer rates");
  Options batch;
  batch.backend = "cpu:1";
  batch.designs.values = {0.3, 2.0, 1.4, 2.0, 0.5 * std::acos(-1.0) - 1e-10, 2.0};
  Model one_left = heading("[0, 0, 0.3]");
  one_left.joints[0].start[0].velocity = 1.0;
  const Result many = simulate(one_left, batch);
  EXPECT_TRUE(many.status[0].ok);
  EXPECT_TRUE(many.status[1].ok);
  EXPECT_FALSE(many.status[2].ok);
  expect_part(many.status[2].message, "are not determined by them there");
}

TEST(Nonholonomic, ThatJumpInTimeFail) {
  Model m = skate("dot(v, side)");
  m.constraints[0].value = "v.x - 0.1*max(-1, min(1, 1e12*(t - 0.5)))";
  m.analysis.formulation = "index1";
  for (const char* integrator : {"dop853", "rk4"}) {
    m.analysis.integrator = integrator;
    m.analysis.step = 0.01;
    Options options;
    options.backend = "cpu:1";
    const Result r = simulate(m, options);
    ASSERT_FALSE(r.all_ok()) << integrator;
    if (std::string(integrator) == "rk4")
      expect_part(r.status[0].message, "does not hold any more");
  }
}

TEST(Rolling, IsTheSameInEveryLaneAndOnADevice) {
  for (const std::size_t k : {0, 3})
    expect_same_bits_everywhere(on_plate(rolling_things()[k], ""), {});
}

std::string refusal(const std::string& force, const std::string& constraints) {
  return message_of([&] { simulate(on_plate(force, constraints)); });
}

TEST(Rolling, IsChecked) {
  expect_part(refusal(R"("shape": "ball", "axis": [0, 1, 0])", ""), "a ball has no axis");
  expect_part(refusal(R"("shape": "ball", "sideways": "free")", ""), "a ball has no axis");
  expect_part(refusal(R"("axis": [0, 0, 0])", ""), "it has no direction");
  expect_part(refusal(R"("normal": [0, 0, 1], "height": "0")", ""), "found the keys");
  Model m = on_plate(rolling_things()[4], "");
  m.sensors.push_back({"works", "power", "rolls"});
  expect_part(message_of([&] { simulate(m); }), "found the time t in it");
  m = on_plate(rolling_things()[0], "");
  m.joints[1].type = JointType::planar;
  m.joints[1].axis = Vector3{"tilt", 0.2, 1.3};
  m.joints[1].start.clear();
  m.forces[1]["from"] = "ground";
  m.forces[1]["normal"] = Vector3{"tilt", 0.2, 1.3};
  expect_part(message_of([&] { simulate(m); }), "joints alone keep it");
  m = on_plate(rolling_things()[0], "");
  m.analysis.formulation = "semi-recursive";
  expect_part(message_of([&] { simulate(m); }), "for a model with \"rolls\"");
  m.analysis.formulation = "index1";
  m.analysis.coordinates = "reference-point";
  expect_part(message_of([&] { simulate(m); }), "found reference-point");
  m.analysis.coordinates = "joint";
  m.start = "equilibrium";
  expect_part(message_of([&] { simulate(m); }), "found \"equilibrium\"");
  m.start = "stated";
  m.joints[1].start[2].position_is_guess = m.joints[1].start[2].velocity_is_guess = false;
  expect_part(message_of([&] { simulate(m); }), "/forces/rolls: all initial positions are held");
}

TEST(Nonholonomic, AreChecked) {
  const auto of = [](const std::string& expression) {
    return refusal("", R"("edge": { "nonholonomic": ")" + expression + "\" }");
  };
  expect_part(of("c.z"), "found an expression without velocities");
  expect_part(of("t"), "found an expression without sensors");
  for (const char* kinked : {"abs(vc.x) - 1", "max(vc.x, 2*vc.x) - 2", "min(vc.x, 3) - 1",
                             "spline(vc.x, [0, 1, 2], [0, 5, 6], 'linear') - 5.5"})
    expect_part(of(kinked), "not linear in velocities");
  expect_part(of("vc.x^2"), "not linear in velocities");
  expect_part(of("dot(cross(wB, c), vc)/(2 + dot(c, c))"), "not linear in velocities");
  expect_part(of("total - 3"), "a nonholonomic constraint depends on positions and velocities");
  expect_part(refusal("", R"("edge": { "nonholonomic": "vc.x", "value": 1 })"),
              "the expression itself is kept at 0");
  expect_part(
      refusal("", R"("one": { "nonholonomic": "vc.x" }, "two": { "nonholonomic": "2*vc.x" })"),
      "that say the same twice");
  expect_part(
      refusal(
          R"("axis": [0, 1, 0])",
          R"("a": { "nonholonomic": "vc.x + 0.1*wB.x" }, "b": { "nonholonomic": "wB.y - 0.2*wB.x" },
                         "c": { "nonholonomic": "wA.y - wB.z" })"),
      "state fewer rates");
  Model m = skate("dot(v, side)");
  m.joints[0].start[0].velocity = 1.0;
  m.joints[0].start[1].velocity = 2.0;
  expect_part(message_of([&] { simulate(m); }), "found 0 independent rates that are left to 1");
  m = skate("dot(v, side)");
  m.forces.push_back({"push", "joint-force", {{"joint", "ice.2"}, {"value", "0.1*force"}}});
  expect_part(message_of([&] { simulate(m); }), "of a nonholonomic constraint");
}

}  // namespace
}  // namespace gradus::derivative
