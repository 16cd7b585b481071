// Constraints that prescribe velocities that jump strike what they leave free: no motion by their
// accelerations knows of that. And closing the loops is a part of the error of a step.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "gradus/gradus.hpp"
#include "tests/derivative/build.hpp"

namespace gradus::derivative {
namespace {

// A pendulum on a cart that goes as `way` says.
Model cart(const std::string& way) {
  return parse_model(R"json({ "schema": "gradus-model/1", "name": "cart", "gravity": [0, -9.81, 0],
  "parameters": { "L": 1.0, "v": 0.7 },
  "bodies": { "cart": { "mass": 1, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } },
    "rod": { "mass": 1, "com": ["L/2", 0, 0], "inertia": { "xx": 0, "yy": "L^2/12", "zz": "L^2/12" } } },
  "joints": { "x": { "type": "prismatic", "parent": "ground", "child": "cart", "axis": [1, 0, 0],
                     "initial": { "position": { "guess": 0.5 } } },
    "hinge": { "type": "revolute", "parent": "cart", "child": "rod", "initial": { "position": -1 } } },
  "constraints": { "drive": { "coordinate": "x", "value": ")json" +
                     way + R"json(" } },
  "sensors": { "w": { "rate": "hinge" } }, "objectives": { "w": { "terminal": "w" } },
  "analysis": { "duration": 1.5 } })json");
}

// A four-bar whose crank goes as `turn` says, with a pendulum on the end of its rocker if it has
// one.
Model four_bar_with(const std::string& turn, bool pendulum) {
  Model m =
      parse_model(R"json({ "schema": "gradus-model/1", "name": "four-bar", "gravity": [0, -9.81, 0],
  "parameters": { "v": 2.0 }, "ground": { "points": { "D": [1.4, 0, 0] } },
  "bodies": {
    "A": { "mass": 0.6, "com": [0.3, 0, 0], "inertia": { "xx": 0, "yy": 0.02, "zz": 0.02 }, "points": { "tip": [0.6, 0, 0] } },
    "B": { "mass": 1.2, "com": [0.6, 0, 0], "inertia": { "xx": 0, "yy": 0.1, "zz": 0.1 }, "points": { "tip": [1.2, 0, 0] } },
    "C": { "mass": 1, "com": [0.5, 0, 0], "inertia": { "xx": 0, "yy": 0.1, "zz": 0.1 }, "points": { "tip": [1, 0, 0] } } },
  "joints": {
    "jA": { "type": "revolute", "parent": "ground", "child": "A", "initial": { "position": { "guess": 1.0 } } },
    "jB": { "type": "revolute", "parent": "A.tip", "child": "B", "initial": { "position": { "guess": -0.57 } } },
    "jD": { "type": "revolute", "parent": "ground.D", "child": "C", "initial": { "position": { "guess": 1.55 } } },
    "jC": { "type": "revolute", "parent": "B.tip", "child": "C.tip", "cut": true } },
  "constraints": { "drive": { "coordinate": "jA", "value": ")json" +
                  turn + R"json(" } },
  "sensors": { "w": { "rate": "jD" }, "q": { "coordinate": "jD" } }, "objectives": { "w": { "terminal": "w" } },
  "analysis": { "duration": 1 } })json");
  if (!pendulum) return m;
  m.bodies.push_back(make_body("P", 0.5, {0.4, 0, 0}, {0, 0.02, 0.02, 0, 0, 0, "com"}, {}));
  m.joints.push_back(make_joint("jP", JointType::revolute, "C.tip", "P", {0, 0, 1}, -1.0, 0));
  m.sensors[0].target = "jP";
  return m;
}

// A bead on a rail of a given shape.
Model bead(const std::string& rail) {
  return parse_model(R"json({ "schema": "gradus-model/1", "name": "bead", "gravity": [0, -9.81, 0],
  "parameters": { "k": 0.5 },
  "bodies": { "a": { "mass": 0, "com": [0, 0, 0], "inertia": { "xx": 0, "yy": 0, "zz": 0 } },
              "b": { "mass": 1, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
  "joints": { "x": { "type": "prismatic", "parent": "ground", "child": "a", "axis": [1, 0, 0],
                     "initial": { "position": -0.5, "velocity": 4.0 } },
              "y": { "type": "prismatic", "parent": "a", "child": "b", "axis": [0, 1, 0],
                     "initial": { "position": { "guess": 0 } } } },
  "constraints": { "drive": { "expression": ")json" +
                     rail + R"json(" } },
  "sensors": { "sx": { "coordinate": "x" }, "sy": { "coordinate": "y" }, "w": { "rate": "x" } },
  "objectives": { "w": { "terminal": "w" } }, "analysis": { "duration": 0.7 } })json");
}

struct Way {
  const char* formulation;
  const char* integrator;
};

constexpr Way kWays[] = {
    {"index1", "dop853"}, {"index1", "dopri5"},    {"index1", "rk4"},
    {"index1", "radau5"}, {"index1", "newmark"},   {"matrix-r", "dop853"},
    {"matrix-r", "rk4"},  {"matrix-r", "newmark"}, {"matrix-r", "trapezoidal"}};

Options options_of(const Way& way, const std::string& method) {
  Options options;
  options.formulation = way.formulation;
  options.integrator = way.integrator;
  options.step = 1e-3;
  options.backend = "cpu:1";
  options.method = method;
  return options;
}

void expect_failure(const Model& model, double time, bool implicit_may_diverge = false) {
  for (const Way& way : kWays)
    for (const char* method : {"direct", "adjoint"}) {
      SCOPED_TRACE(model.name + ", " + way.formulation + ", " + way.integrator + ", " + method);
      const Result r = gradient(model, options_of(way, method));
      ASSERT_FALSE(r.all_ok());
      EXPECT_NEAR(r.status[0].time, time, 2e-3);
      const std::string& message = r.status[0].message;
      if (implicit_may_diverge && message.find("Newton iteration") != std::string::npos) continue;
      EXPECT_EQ(message.find("the velocities that \"drive\" prescribes jump"), 0U) << message;
    }
}

void expect_success(const Model& model) {
  for (const Way& way : kWays) {
    SCOPED_TRACE(model.name + ", " + way.formulation + ", " + way.integrator);
    const Result r = gradient(model, options_of(way, "direct"));
    EXPECT_TRUE(r.all_ok()) << r.status[0].message;
  }
}

TEST(VelocityJumps, FailWithName) {
  expect_failure(cart("v*abs(t-0.5)"), 0.5);
  expect_failure(cart("spline(t, [0, 0.4, 0.9, 1.5], [0.5, 0.4, 0.2, 0.6], 'linear')"), 0.4);
  expect_failure(four_bar_with("1 + v*min(t, 0.5)", true), 0.5);
  // Where the corner is depends on the step that is sought.
  expect_failure(bead("sy - k*max(0, sx)"), 0.125, true);
}

// A table that is fine enough makes small jumps only, which add up.
TEST(VelocityJumps, OfTablesFail) {
  std::string times, values;
  for (int k = 0; k <= 150; ++k) {
    times += (k == 0 ? "" : ", ") + std::to_string(0.01 * k);
    values += (k == 0 ? "" : ", ") + std::to_string(0.3 * std::sin(0.04 * k));
  }
  expect_failure(cart("spline(t, [" + times + "], [" + values + "], 'linear')"), 0.01);
}

// Long steps, in which velocities change by more than they jump.
TEST(VelocityJumps, AreSeenInLongSteps) {
  const Model model = cart("0.5 + 0.2*sin(8*t) + 0.2*max(0, t - 0.77)");
  for (const Way& way : {Way{"index1", "newmark"}, Way{"matrix-r", "radau5"}, Way{"index1", "rk4"},
                         Way{"matrix-r", "trapezoidal"}}) {
    SCOPED_TRACE(way.integrator);
    Options options = options_of(way, "direct");
    options.step = 0.03;
    const Result r = gradient(model, options);
    ASSERT_FALSE(r.all_ok());
    EXPECT_NEAR(r.status[0].time, 0.77, 0.03);
    EXPECT_EQ(r.status[0].message.find("the velocities that \"drive\" prescribes jump"), 0U);
  }
}

// Where only accelerations jump, or nothing is left free, there is no impact.
TEST(VelocityJumps, AreNeitherJumpsOfAccelerationsNorOfMechanismsThatAreDriven) {
  expect_success(cart("0.5 + v*max(0, t - 0.5)^2"));
  expect_success(cart("0.5 + 0.2*sin(4*t)"));
  expect_success(bead("sy - k*max(0, sx)^2"));
  expect_success(four_bar_with("1 + v*min(t, 0.5)", false));
}

// Steps that are long beside a smooth driver make errors that look like a jump; parts of them do
// not.
TEST(VelocityJumps, AreNotWhatLongStepsMakeOfSmoothDrivers) {
  const struct {
    const char* turn;
    Way way;
    double step;
  } cases[] = {
      {"1 + 0.33692232704*sin(9.768460166273545*t + 1.83785) + "
       "0.11230744*cos(16.606382282665027*t)",
       {"index1", "trapezoidal"},
       1.5 / 39},
      {"1 + 0.33633882188*sin(17.63861285996942*t + 4.22152652) + "
       "0.11211294*cos(29.985641861948*t)",
       {"matrix-r", "generalised-alpha"},
       1.5 / 79},
  };
  for (const auto& c : cases) {
    Model model = four_bar_with(c.turn, true);
    model.analysis.duration = 1.5;
    SCOPED_TRACE(c.way.integrator);
    Options options = options_of(c.way, "direct");
    options.step = c.step;
    const Result r = simulate(model, options);
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    const Result fine = simulate(model, Options());
    EXPECT_NEAR(r.objective_values[0], fine.objective_values[0], 0.25);  // rad/s, of some 15
  }
}

// Of monotone splines only accelerations jump, at knots, where steps end on either side.
TEST(VelocityJumps, AreNotThoseOfAccelerationsAtKnots) {
  const Model model = cart(
      "0.5 + spline(t, [0, 0.26458, 0.59686, 0.79221, 1.12522, 1.5], [0.3, 0.25, -0.1, 0.2, -0.15, "
      "0.25], 'monotone')");
  double w[2];
  for (int k = 0; k < 2; ++k) {
    const double rtol = k == 0 ? 1e-9 : 1e-13;
    Options options;
    options.rtol = rtol;
    options.atol = 0.01 * rtol;
    const Result r = gradient(model, options);
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    EXPECT_LT(r.step_count[0], 300.0);
    EXPECT_EQ(r.jump[0], 0.0);  // of a gradient, which lacks nothing where the knots stay
    w[k] = r.objective_values[0];
  }
  EXPECT_NEAR(w[0], w[1], 1e-8);
}

// At an instant that a parameter moves, a jump of a prescribed acceleration adds to the gradient.
TEST(VelocityJumps, OfSensitivitiesAreReported) {
  for (const char* way :
       {"0.5 + 3*max(0, v*t - 0.4)^2",
        "0.5 + spline(v*t, [0, 0.3, 0.6, 2], [0.3, 0.2, -0.1, 0.2], 'monotone')"}) {
    SCOPED_TRACE(way);
    const Result r = gradient(cart(way), Options());
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    EXPECT_GT(r.jump[0], 0.4);
  }
}

// The limit of ever sharper corners, by the formulation whose projections know the masses.
TEST(VelocityJumps, AreImpactsByAli3p) {
  const Model model = cart("v*abs(t-0.5)");
  Options options = options_of({"ali3p", "newmark"}, "direct");
  options.step = 5e-4;
  const Result sharp = gradient(model, options);
  const Result round = gradient(cart("v*sqrt((t-0.5)^2 + 1e-8)"), Options());
  ASSERT_TRUE(sharp.all_ok() && round.all_ok());
  EXPECT_NEAR(sharp.objective_values[0], round.objective_values[0], 2e-4);
  EXPECT_NEAR(sharp.gradient[1], round.gradient[1], 2e-3);
}

// A four-bar that comes near its change point, lengths in units of `scale` metres.
Model near_change_point(double scale, double a, double b, double d, const std::string& position,
                        const std::string& velocity) {
  Model model = parse_model(R"json({ "schema": "gradus-model/1", "name": "near",
  "parameters": { "a": 1, "d": 1, "b": 1, "c": 1 },
  "ground": { "points": { "D": ["d", 0, 0] } },
  "bodies": {
    "A": { "mass": 0.234998019203074, "com": ["a/2", 0, 0],
           "inertia": { "xx": 0, "yy": 0, "zz": "0.234998019203074*a^2/12" }, "points": { "tip": ["a", 0, 0] } },
    "B": { "mass": 1.3, "com": ["b/2", 0, 0], "inertia": { "xx": 0, "yy": 0, "zz": "1.3*b^2/12" },
           "points": { "tip": ["b", 0, 0] } },
    "C": { "mass": 0.2574395264018939, "com": ["c/2", 0, 0],
           "inertia": { "xx": 0, "yy": 0, "zz": "0.2574395264018939*c^2/12" }, "points": { "tip": ["c", 0, 0] } } },
  "joints": {
    "jA": { "type": "revolute", "parent": "ground", "child": "A",
            "initial": { "position": )json" +
                            position + R"json(, "velocity": )json" + velocity + R"json( } },
    "jB": { "type": "revolute", "parent": "A.tip", "child": "B", "initial": { "position": { "guess": -0.57 } } },
    "jD": { "type": "revolute", "parent": "ground.D", "child": "C", "initial": { "position": { "guess": 1.3 } } },
    "jC": { "type": "revolute", "parent": "B.tip", "child": "C.tip", "cut": true } },
  "sensors": { "q": { "coordinate": "jA" }, "E": { "energy": "total" } },
  "objectives": { "q": { "terminal": "q" }, "E": { "terminal": "E" }, "start": { "value": "E", "at": 0 } },
  "analysis": { "duration": 2 } })json");
  model.gravity = {0, -9.81 * scale, 0};
  const double lengths[] = {a, d, b, 1.0};
  for (std::size_t i = 0; i < 4; ++i) model.parameters[i].value = lengths[i] * scale;
  return model;
}

// Steps whose ends the loops move far are wrong, which their stages do not tell of each other.
TEST(ClosingError, MakesStepsShortNearSingularConfigurations) {
  const Model model = near_change_point(1.0, 0.6830009830994578, 1.3, 1.6185875043219793,
                                        "0.8117743146142702", "-1.8713674190325538");
  Options options;
  options.rtol = 1e-6;
  options.atol = 1e-8;
  const Result r = gradient(model, options);
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  EXPECT_EQ(r.formulation, "index1");
  // By SciPy, from equations of motion written for this mechanism, and their differences.
  EXPECT_NEAR(r.objective_values[0], 1.72984559, 1e-5);
  EXPECT_NEAR(r.gradient[0], -3.39208, 0.02);
  EXPECT_NEAR(r.objective_values[1], r.objective_values[2], 1e-5);
}

// In millimetres, with as many digits as there are: round-off grows with the inverse of what the
// shortest row of the constraints has left, and no step is short enough for it.
TEST(ClosingError, IsNotRoundOff) {
  const Model model =
      near_change_point(1e-3, 0.23956449681788227, 0.9269862875361661, 1.687357025845937,
                        "0.7589140204351599", "-2.359567685398637");
  for (const char* formulation : {"index1", "matrix-r"}) {
    SCOPED_TRACE(formulation);
    Options options;
    options.formulation = formulation;
    options.integrator = "dop853";
    Result r[3];
    for (int k = 0; k < 3; ++k) {
      const double rtol = std::pow(10.0, -10 - k);
      options.rtol = rtol;
      options.atol = 1e-3 * rtol;
      r[k] = gradient(model, options);
      ASSERT_TRUE(r[k].all_ok()) << r[k].status[0].message;
    }
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(r[2].gradient[i], r[0].gradient[i], 1e-6 * std::abs(r[0].gradient[i]));
  }
}

// What sets out from rest has an acceleration that jumps, and no velocity beside which that is
// little: a mass on a spring whose end is driven by h (t - 0.3)^2.
TEST(VelocityJumps, AreNotThoseOfADriveThatSetsOutFromRest) {
  const Model model =
      parse_model(R"json({ "schema": "gradus-model/1", "name": "setting out", "gravity": [0, 0, 0],
  "parameters": { "h": 0.5 },
  "bodies": { "end": { "mass": 1, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } },
              "mass": { "mass": 2, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
  "joints": {
    "driven": { "type": "prismatic", "parent": "ground", "child": "end", "initial": { "position": { "guess": 0 } } },
    "free": { "type": "prismatic", "parent": "ground", "child": "mass", "initial": { "position": 0 } } },
  "constraints": { "drive": { "coordinate": "driven", "value": "h*max(t - 0.3, 0)^2" } },
  "sensors": { "a": { "coordinate": "driven" }, "b": { "coordinate": "free" } },
  "forces": { "spring": { "type": "joint-force", "joint": "free", "value": "100*(a - b)" } },
  "objectives": { "b": { "terminal": "b" } }, "analysis": { "duration": 1 } })json");
  const double w = std::sqrt(50.0), t = 0.7;
  const double by_h = t * t - 2.0 / (w * w) * (1.0 - std::cos(w * t));
  for (const char* formulation : {"index1", "matrix-r"})
    for (const char* integrator : {"dop853", "dopri5", "radau9", "rodas5p", "rk4", "newmark",
                                   "trapezoidal", "implicit-euler", "explicit-euler"}) {
      SCOPED_TRACE(std::string(formulation) + " " + integrator);
      Options options;
      options.formulation = formulation;
      options.integrator = integrator;
      options.backend = "cpu:1";
      options.step = 1e-3;
      const Result r = gradient(model, options);
      ASSERT_TRUE(r.all_ok()) << r.status[0].message;
      const double error = std::string(integrator).ends_with("euler") ? 1e-2 : 2e-5;
      EXPECT_NEAR(r.objective_values[0], 0.5 * by_h, 0.5 * error);
      EXPECT_NEAR(r.gradient[0], by_h, error);
    }
}

}  // namespace
}  // namespace gradus::derivative
