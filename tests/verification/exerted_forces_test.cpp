// What sensors show of forces and constraints, against laws of mechanics that know nothing of how
// they are found: the power of everything that acts is the rate of the kinetic energy, virtual work
// gives the torque of a motor, and a body in rest or steady motion the forces on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/derivative/tied_bodies.hpp"

namespace gradus::test {
namespace {

Result recorded(const Model& model) {
  Options options;
  options.backend = "cpu:1";
  options.record = true;
  Result result = simulate(model, options);
  EXPECT_TRUE(result.all_ok()) << model.name << ": " << result.status[0].message;
  return result;
}

// A component of a sensor at every recorded time.
std::vector<double> history(const Result& result, const std::string& component) {
  const std::vector<NamedUnit>& names = result.sensor_components;
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const NamedUnit& name) { return name.name == component; });
  if (found == names.end()) throw InputError("no sensor " + component);
  const auto place = static_cast<std::size_t>(found - names.begin());
  std::vector<double> values;
  for (std::size_t row = 0; row < result.trajectories[0].time.size(); ++row)
    values.push_back(result.trajectories[0].sensors[row * names.size() + place]);
  return values;
}

// a . b of two sensors of vectors.
std::vector<double> products(const Result& result, const std::string& a, const std::string& b) {
  std::vector<double> sum(result.trajectories[0].time.size(), 0.0);
  for (const char* k : {".x", ".y", ".z"}) {
    const std::vector<double> x = history(result, a + k);
    const std::vector<double> y = history(result, b + k);
    for (std::size_t row = 0; row < sum.size(); ++row) sum[row] += x[row] * y[row];
  }
  return sum;
}

std::string text_of(const Number& number) {
  return number.is_expression() ? "(" + number.expression() + ")" : to_text(number.value());
}

// The kinetic energy at both ends, and the work of weight, forces and constraints between.
void expect_energy_balance(Model model, double duration) {
  const Vector3& g = model.gravity;
  model.definitions.push_back(
      {"weight", "[" + text_of(g[0]) + "," + text_of(g[1]) + "," + text_of(g[2]) + "]"});
  model.sensors.push_back({"all_momentum", "momentum", "linear"});
  model.sensors.push_back({"all_kinetic", "energy", "kinetic"});
  std::string power = "dot(weight, all_momentum)";
  std::string size = "abs(" + power + ")";
  const auto add = [&](const char* type, const std::string& target) {
    const std::string name = "power_" + std::to_string(model.sensors.size());
    model.sensors.push_back({name, type, target});
    power += " + " + name;
    size += " + abs(" + name + ")";
  };
  for (const Force& force : model.forces) add("power", force.name);
  for (const Constraint& constraint : model.constraints) add("constraint_power", constraint.name);
  model.objectives = {{"work", ObjectiveKind::integral, power, "J", ""},
                      {"size", ObjectiveKind::integral, size, "J", ""},
                      {"end", ObjectiveKind::terminal, "all_kinetic", "J", ""},
                      {"start", ObjectiveKind::value, "all_kinetic", "J", ""}};
  model.objectives.back().at = {0.0};
  model.analysis.formulation = "index1";
  model.analysis.integrator = "dop853";
  model.analysis.rtol = 1e-11;
  model.analysis.atol = 1e-12;
  model.analysis.duration = duration;
  model.analysis.step = 1e-3;
  Options options;
  options.backend = "cpu:1";
  const Result result = simulate(model, options);
  ASSERT_TRUE(result.all_ok()) << model.name << ": " << result.status[0].message;
  const std::vector<double>& v = result.objective_values;
  EXPECT_GT(v[1], 0.1) << model.name << ": nothing works";
  EXPECT_GT(std::abs(v[2] - v[3]), 1e-3) << model.name << ": nothing changes";
  EXPECT_NEAR(v[0], v[2] - v[3], 1e-8 * v[1]) << model.name;
}

TEST(ExertedForces, BringTheEnergyOfATree) {
  expect_energy_balance(derivative::every_force(), 0.3);
}

TEST(ExertedForces, BringTheEnergyOfADrivenLoop) {
  expect_energy_balance(derivative::driven_loop(), 0.2);
}

TEST(ExertedForces, BringTheEnergyOfAGuidedLoop) {
  expect_energy_balance(derivative::guided_loop(), 0.2);
}

TEST(ExertedForces, BringTheEnergyOfTiedBodies) {
  expect_energy_balance(derivative::tied_bodies(), 0.2);
}

// Of every force its power is what it does to the velocities where it acts.
TEST(ExertedForces, HaveTheirPower) {
  Model model = derivative::every_force();
  std::vector<Force> springs, loads;
  const auto show = [&](const std::string& name, const char* type, const std::string& target) {
    model.sensors.push_back({name, type, target});
  };
  for (const Force& force : model.forces) {
    show("p_" + force.name, "power", force.name);
    if (force.type == "spring-damper") springs.push_back(force);
    if (force.type == "force" || force.type == "torque") loads.push_back(force);
  }
  for (const Force& spring : springs) {
    show("f_" + spring.name, "applied_force", spring.name);
    show("n_" + spring.name, "tension", spring.name);
    show("to_" + spring.name, "velocity", text_of(spring, "to"));
    show("from_" + spring.name, "velocity", text_of(spring, "from"));
    show("end_" + spring.name, "position", text_of(spring, "to"));
    show("begin_" + spring.name, "position", text_of(spring, "from"));
  }
  for (const Force& load : loads) {
    const bool is_torque = load.type == "torque";
    show("f_" + load.name, is_torque ? "applied_torque" : "applied_force", load.name);
    show("v_" + load.name, is_torque ? "angular_velocity" : "velocity", place_of(load));
  }
  show("f_mount", "applied_force", "mount");
  show("t_mount", "applied_torque", "mount");
  show("v_mount", "velocity", "knob.grip");
  show("w_mount", "angular_velocity", "knob");
  show("t_hinge", "applied_torque", "hinge");
  show("f_push", "applied_force", "push");
  show("pin_rate", "rate", "pin");
  show("sea_rate", "rate", "sea");
  model.analysis.duration = 0.05;
  model.analysis.step = 1e-3;
  const Result r = recorded(model);
  const auto expect = [&](const std::string& force, const std::vector<double>& power) {
    const std::vector<double> shown = history(r, "p_" + force);
    double largest = 0.0;
    for (const double p : shown) largest = std::max(largest, std::abs(p));
    EXPECT_GT(largest, 1e-4) << force;
    for (std::size_t k = 0; k < shown.size(); ++k)
      EXPECT_NEAR(shown[k], power[k], 1e-12 * largest) << force << " at row " << k;
  };
  const auto sum = [](std::vector<double> a, const std::vector<double>& b, double factor) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += factor * b[k];
    return a;
  };
  const auto times = [](std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] *= b[k];
    return a;
  };
  for (const Force& spring : springs) {
    const std::string f = "f_" + spring.name;
    expect(spring.name,
           sum(products(r, f, "to_" + spring.name), products(r, f, "from_" + spring.name), -1.0));
    // It pulls its end towards its beginning by the tension.
    const std::vector<double> along =
        sum(products(r, f, "begin_" + spring.name), products(r, f, "end_" + spring.name), -1.0);
    const std::vector<double> tension = history(r, "n_" + spring.name);
    const std::vector<double> square = products(r, f, f);
    for (std::size_t k = 0; k < tension.size(); ++k) {
      EXPECT_NEAR(square[k], tension[k] * tension[k], 1e-12 * (1.0 + square[k]));
      EXPECT_GT(along[k] * tension[k], 0.0) << spring.name;
    }
  }
  for (const Force& load : loads)
    expect(load.name, products(r, "f_" + load.name, "v_" + load.name));
  expect("mount", sum(products(r, "f_mount", "v_mount"), products(r, "t_mount", "w_mount"), 1.0));
  expect("hinge", times(history(r, "t_hinge"), history(r, "pin_rate")));
  expect("push", times(history(r, "f_push"), history(r, "sea_rate.1")));
  for (const double force : history(r, "f_push")) EXPECT_EQ(force, 1.7);
}

// A crank that a motor turns at a rate that grows, a rod, and a slider that a load acts on.
struct SliderCrank {
  double r = 0.12, l = 0.35, m1 = 1.1, m2 = 0.8, m3 = 1.9, i1 = 0.004, i2 = 0.011;
  double start = 0.4, rate = 6.0, growth = 4.0;

  Model model(const std::string& formulation) const {
    const auto t = [](double x) { return to_text(x); };
    return parse_model(R"({"schema": "gradus-model/1", "name": "slider-crank",
      "gravity": [0, -9.81, 0],
      "bodies": {
        "crank": {"mass": )" +
                       t(m1) + R"(, "com": [)" + t(r / 2) + R"(, 0, 0],
                  "inertia": {"xx": 0.01, "yy": 0.01, "zz": )" +
                       t(i1) + R"(}, "points": {"tip": [)" + t(r) + R"(, 0, 0]}},
        "rod": {"mass": )" +
                       t(m2) + R"(, "com": [)" + t(l / 2) + R"(, 0, 0],
                "inertia": {"xx": 0.01, "yy": 0.01, "zz": )" +
                       t(i2) + R"(}, "points": {"tip": [)" + t(l) + R"(, 0, 0]}},
        "slider": {"mass": )" +
                       t(m3) + R"(, "com": [0, 0, 0],
                   "inertia": {"xx": 0.01, "yy": 0.01, "zz": 0.01}}},
      "joints": {
        "A": {"type": "revolute", "parent": "ground", "child": "crank",
              "initial": {"position": {"guess": 0.4}}},
        "B": {"type": "revolute", "parent": "crank.tip", "child": "rod",
              "initial": {"position": {"guess": -0.5}}},
        "rail": {"type": "prismatic", "parent": "ground", "child": "slider", "axis": [1, 0, 0],
                 "initial": {"position": {"guess": 0.46}}},
        "C": {"type": "revolute", "parent": "rod.tip", "child": "slider", "cut": true}},
      "constraints": {"motor": {"coordinate": "A", "value": ")" +
                       t(start) + " + " + t(rate) + "*t + " + t(growth / 2) + R"(*t^2"}},
      "forces": {"load": {"type": "joint-force", "joint": "rail", "value": "-25*sin(3*t) - 8"}},
      "sensors": {"torque": {"constraint_force": "motor"}, "power": {"constraint_power": "motor"},
                  "force": {"applied_force": "load"}},
      "analysis": {"formulation": ")" +
                       formulation + R"(", "duration": 1.2, "step": 0.01}})");
  }

  // By virtual work: what the motor brings is what moves the bodies against weight and load.
  double torque(double time) const {
    const double a = start + rate * time + growth / 2 * time * time;
    const double da = rate + growth * time;
    const double dda = growth;
    const double sine = -r * std::sin(a) / l;  // of the angle b of the rod
    const double cosine = std::sqrt(1 - sine * sine);
    const double db = -r * std::cos(a) * da / (l * cosine);
    const double ddb =
        (r * std::sin(a) * da * da - r * std::cos(a) * dda + l * sine * db * db) / (l * cosine);
    // Of the tip of the crank, and of a point at a distance along the rod from it.
    const double vx = -r * std::sin(a) * da, vy = r * std::cos(a) * da;
    const double ax = -r * std::sin(a) * dda - r * std::cos(a) * da * da;
    const double ay = r * std::cos(a) * dda - r * std::sin(a) * da * da;
    const double h = l / 2;
    const double ux = vx - h * sine * db, uy = vy + h * cosine * db;
    const double bx = ax - h * sine * ddb - h * cosine * db * db;
    const double by = ay + h * cosine * ddb - h * sine * db * db;
    const double sx = vx - l * sine * db;
    const double cx = ax - l * sine * ddb - l * cosine * db * db;
    const double load = -25 * std::sin(3 * time) - 8;
    const double power = (i1 + m1 * r * r / 4) * dda * da + m1 * 9.81 * vy / 2 +
                         m2 * (bx * ux + (by + 9.81) * uy) + i2 * ddb * db + m3 * cx * sx -
                         load * sx;
    return power / da;
  }
};

TEST(ExertedForces, AreTheTorqueOfAMotorByVirtualWork) {
  const SliderCrank mechanism;
  for (const char* formulation : {"kinematic", "index1", "matrix-r"}) {
    const Result r = recorded(mechanism.model(formulation));
    const std::vector<double> torque = history(r, "torque");
    const std::vector<double> power = history(r, "power");
    const std::vector<double>& time = r.trajectories[0].time;
    ASSERT_EQ(time.size(), 121U);
    double largest = 0.0;
    for (std::size_t k = 0; k < time.size(); ++k) {
      const double expected = mechanism.torque(time[k]);
      largest = std::max(largest, std::abs(expected));
      EXPECT_NEAR(torque[k], expected, 1e-9) << formulation << " at " << time[k];
      const double rate = mechanism.rate + mechanism.growth * time[k];
      EXPECT_NEAR(power[k], expected * rate, 1e-8) << formulation << " at " << time[k];
    }
    EXPECT_GT(largest, 1.0);
  }
  // With projections, to the square of the step.
  const auto error = [&](double step) {
    Model model = mechanism.model("ali3p");
    model.analysis.step = step;
    const Result r = recorded(model);
    const std::vector<double> torque = history(r, "torque");
    double worst = 0.0;
    for (std::size_t k = 0; k < torque.size(); ++k)
      worst = std::max(worst, std::abs(torque[k] - mechanism.torque(r.trajectories[0].time[k])));
    return worst;
  };
  const double coarse = error(0.01);
  EXPECT_LT(coarse, 0.5);
  EXPECT_LT(error(0.0025), std::max(coarse / 10, 1e-9));
}

// A weight on a rope that turns steadily, the rope at `angle` to the vertical.
TEST(ExertedForces, AreTheTensionOfARope) {
  const double length = 0.8, mass = 1.7, angle = 0.6;
  const double speed =
      std::sqrt(9.81 * length * std::sin(angle) * std::tan(angle));  // of the weight
  const auto t = [](double x) { return to_text(x); };
  for (const char* formulation : {"index1", "matrix-r", "penalty"}) {
    const Result r = recorded(parse_model(R"({"schema": "gradus-model/1", "name": "rope",
      "gravity": [0, 0, -9.81],
      "bodies": {"weight": {"mass": )" + t(mass) +
                                          R"(, "com": [0, 0, 0],
                            "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
      "joints": {"free": {"type": "floating", "parent": "ground", "child": "weight", "initial": {
        "position": [)" + t(length * std::sin(angle)) +
                                          R"(, 0, {"guess": )" + t(-length * std::cos(angle)) +
                                          R"(}, 1, 0, 0, 0],
        "velocity": [0, )" + t(speed) + R"(, {"guess": 0}, 0, 0, 0]}}},
      "constraints": {"rope": {"distance": ["ground", "weight"], "value": )" +
                                          t(length) + R"(}},
      "sensors": {"tension": {"constraint_force": "rope"}, "power": {"constraint_power": "rope"}},
      "analysis": {"formulation": ")" + formulation +
                                          R"(", "integrator": "rk4", "duration": 1,
                   "step": 0.002, "penalty": 1e10}})"));
    for (const double tension : history(r, "tension"))
      EXPECT_NEAR(tension, mass * 9.81 / std::cos(angle), 1e-6) << formulation;
    for (const double power : history(r, "power")) EXPECT_NEAR(power, 0.0, 1e-6);
  }
}

// At rest: a weight that a pin holds, and a beam that a support carries at its tip, said in three
// ways.
TEST(ExertedForces, CarryWeights) {
  const auto held = [](const std::string& constraint) {
    return parse_model(R"({"schema": "gradus-model/1", "name": "weights", "gravity": [0, -9.81, 0],
      "ground": {"vectors": {"along": [1, 0, 0]}},
      "bodies": {"weight": {"mass": 2, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}},
                 "beam": {"mass": 3, "com": [0.5, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1},
                          "points": {"tip": [1, 0, 0]}, "vectors": {"along": [1, 0, 0]}}},
      "joints": {"free": {"type": "floating", "parent": "ground", "child": "weight"},
                 "hinge": {"type": "revolute", "parent": "ground", "child": "beam",
                           "initial": {"position": {"guess": 0.5}}}},
      "constraints": {"pin": {"coincident": ["ground", "weight"]},
                      "support": )" +
                       constraint + R"(},
      "sensors": {"tip": {"position": "beam.tip"},
                  "pin": {"constraint_force": "pin"}, "support": {"constraint_force": "support"}},
      "analysis": {"formulation": "index1", "integrator": "rk4", "duration": 0.1}})");
  };
  const double moment = 3 * 9.81 * 0.5 * std::cos(0.5);
  struct Case {
    const char* constraint;
    double force;
    const char* unit;
  };
  for (const Case& c :
       {Case{R"_({"expression": "tip.y - sin(0.5)"})_", moment / std::cos(0.5), "J/unit"},
        Case{R"({"coordinate": "hinge", "value": 0.5})", moment, "N m"},
        Case{R"_({"dot": ["beam.along", "ground.along"], "value": "cos(0.5)"})_",
             -moment / std::sin(0.5), "N m"}}) {
    const Result r = recorded(held(c.constraint));
    for (const double force : history(r, "support")) EXPECT_NEAR(force, c.force, 1e-9);
    EXPECT_EQ(r.sensor_components[6].unit, c.unit);
    EXPECT_EQ(r.sensor_components[3].unit, "N");
    for (const double force : history(r, "pin.y")) EXPECT_NEAR(force, 2 * 9.81, 1e-9);
    for (const double force : history(r, "pin.x")) EXPECT_NEAR(force, 0.0, 1e-9);
  }
}

// What a bushing exerts on the ground is what it exerts on a wall that a fixed joint makes one with
// the ground, and so are the derivatives, forwards and backwards.
TEST(ExertedForces, OfABushingOnTheGround) {
  const auto mounted = [](const std::string& wall, const std::string& method) {
    Model model = parse_model(R"({"schema": "gradus-model/1", "name": "mounted",
      "gravity": [0, 0, -9.81], "parameters": {"k": 40, "kt": 3, "c": 0.2, "x": 0.1},
      "ground": {"points": {"hook": [0.1, 0.2, -0.1]}},
      "bodies": {
        "wall": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1},
                 "points": {"hook": [0.1, 0.2, -0.1]}},
        "box": {"mass": 2, "com": [0.05, 0, 0.1], "inertia": {"xx": 0.1, "yy": 0.2, "zz": 0.3},
                "points": {"hook": ["x", 0, 0.3]}}},
      "joints": {
        "weld": {"type": "fixed", "parent": "ground", "child": "wall"},
        "free": {"type": "floating", "parent": "ground", "child": "box", "initial": {
          "position": [0.3, 0.1, 0.2, 0.9, 0.3, -0.2, 0.4], "velocity": [1, 2, -1, 0.5, -2, 3]}}},
      "forces": {"mount": {"type": "bushing", "from": "box.hook", "to": ")" +
                              wall + R"(.hook", "stiffness": ["k", 20, 10], "damping": [1, "c", 2],
        "torsional_stiffness": ["kt", 1, 2], "torsional_damping": ["c", 0.1, 0.3]}},
      "sensors": {"force": {"applied_force": "mount"}, "torque": {"applied_torque": "mount"}},
      "objectives": {"x": {"integral": "torque.x"}, "y": {"terminal": "torque.y"}, "z": {"integral": "torque.z^2"},
                     "f": {"terminal": "force.x + force.y*force.z"}},
      "analysis": {"duration": 0.2}})");
    Options options;
    options.backend = "cpu:1";
    options.method = method;
    options.rtol = 1e-11;
    Result result = gradient(model, options);
    EXPECT_TRUE(result.all_ok()) << result.status[0].message;
    return result;
  };
  for (const char* method : {"direct", "adjoint"}) {
    const Result wall = mounted("wall", method);
    const Result ground = mounted("ground", method);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_GT(std::abs(wall.objective_values[k]), 0.05);
      EXPECT_NEAR(ground.objective_values[k], wall.objective_values[k], 1e-9) << k;
    }
    for (std::size_t k = 0; k < wall.gradient.size(); ++k) {
      EXPECT_GT(std::abs(wall.gradient[k]), 1e-6) << k;
      EXPECT_NEAR(ground.gradient[k], wall.gradient[k], 1e-8 * (1.0 + std::abs(wall.gradient[k])))
          << k;
    }
  }
}

}  // namespace
}  // namespace gradus::test
