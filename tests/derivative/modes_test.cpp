// Linearised equations, eigenvalues and their derivatives: against closed forms, against central
// differences of accelerations, and against eigenvalues of neighbouring models.
#include "gradus/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/mechanism.hpp"
#include "tests/derivative/resting_four_bar.hpp"

namespace gradus::derivative {
namespace {

using Complex = std::complex<double>;
constexpr double kGravity = 9.81;

Model model_of(const std::string& text) {
  return parse_model(text, "modes");
}

Modes modes_of(const std::string& text, const std::map<std::string, double>& set = {}) {
  Options options;
  options.set = set;
  return modes(model_of(text), options);
}

std::string text_of(const Modes& found) {
  std::string text;
  for (const Mode& mode : found.modes) text += "[" + to_string(mode, 12) + "] ";
  return text;
}

// Each of the expected eigenvalues is there.
void expect_eigenvalues(const Modes& found, const std::vector<Complex>& expected,
                        double tolerance) {
  ASSERT_EQ(found.modes.size(), expected.size()) << text_of(found);
  for (const Complex& value : expected) {
    const auto near =
        std::min_element(found.modes.begin(), found.modes.end(), [&](const Mode& a, const Mode& b) {
          return std::abs(a.eigenvalue - value) < std::abs(b.eigenvalue - value);
        });
    EXPECT_NEAR(std::abs(near->eigenvalue - value), 0.0, tolerance * std::max(1.0, std::abs(value)))
        << value << " among " << text_of(found);
  }
}

// The derivatives of all eigenvalues that have one, against differences of those nearest to them.
// Returns the largest derivative.
double expect_gradients(const std::string& text, double tolerance) {
  const Modes at = modes_of(text);
  const Linearization& linear = at.linearization;
  const auto nearest = [](const Modes& found, const Complex& value) {
    Complex best = found.modes.front().eigenvalue;
    for (const Mode& mode : found.modes)
      if (std::abs(mode.eigenvalue - value) < std::abs(best - value)) best = mode.eigenvalue;
    return best;
  };
  double largest = 0.0;
  for (std::size_t p = 0; p < linear.parameters.size(); ++p) {
    const double value = linear.parameter_values[p];
    const double h = 1e-3 * std::max(std::abs(value), 0.1);
    const auto beside = [&](double steps) {
      return modes_of(text, {{linear.parameters[p].name, value + steps * h}});
    };
    // Of order 6.
    const Modes around[6] = {beside(-3), beside(-2), beside(-1), beside(1), beside(2), beside(3)};
    const double weight[6] = {-1.0 / 60, 9.0 / 60, -45.0 / 60, 45.0 / 60, -9.0 / 60, 1.0 / 60};
    for (const Mode& mode : at.modes) {
      if (mode.repeated) continue;
      Complex difference = 0.0;
      for (int k = 0; k < 6; ++k) difference += weight[k] / h * nearest(around[k], mode.eigenvalue);
      const Complex own = mode.gradient[p];
      largest = std::max(largest, std::abs(own));
      EXPECT_NEAR(std::abs(own - difference), 0.0,
                  tolerance * std::max({1.0, std::abs(own), std::abs(mode.eigenvalue)}))
          << linear.parameters[p].name << " of " << to_string(mode) << ": " << own << ", "
          << difference;
    }
  }
  return largest;
}

// A, and B, against central differences of accelerations and rates that the mechanism evaluates.
void expect_matrices(const std::string& text, double tolerance) {
  const Model model = model_of(text);
  const Linearization linear = linearize(model);
  Exchange exchange;
  exchange.start_states = true;
  exchange.times = {0.0};
  Model watched = model;
  watched.objectives.clear();
  watched.sensors.clear();
  std::vector<std::string> joints;
  for (const Joint& joint : model.joints) {
    watched.sensors.push_back({"sees_" + joint.name, "coordinate_acceleration", joint.name});
    watched.sensors.push_back({"rates_" + joint.name, "rate", joint.name});
    joints.push_back(joint.name);
  }
  const Mechanism mechanism(watched, {}, exchange);
  Session session(mechanism);
  const std::size_t n = mechanism.coordinate_count();
  const auto rates_at = [&](const std::vector<double>& parameters,
                            const std::vector<double>& state) {
    std::vector<double> numbers(mechanism.exchanged_component_count());
    EXPECT_EQ(session.evaluate({parameters, state}, {{}, numbers, {}}), 0U);
    std::vector<double> rates;
    for (const NamedUnit& of : linear.states) {
      const bool is_rate = of.name.rfind("rate of ", 0) == 0;
      const std::string joint = is_rate ? of.name.substr(8) : of.name;
      const auto j =
          static_cast<std::size_t>(std::find(joints.begin(), joints.end(), joint) - joints.begin());
      rates.push_back(numbers.at(2 * j + (is_rate ? 0 : 1)));
    }
    return rates;
  };
  const auto place_of = [&](const NamedUnit& of) {
    const bool is_rate = of.name.rfind("rate of ", 0) == 0;
    const std::string joint = is_rate ? of.name.substr(8) : of.name;
    std::size_t c = 0;
    while (linear.coordinates.at(c).name != joint) ++c;
    return c + (is_rate ? n : 0);
  };
  const double h = 1e-4;
  const auto difference = [&](const std::function<std::vector<double>(double)>& along,
                              std::size_t i) {
    return (8.0 * (along(h)[i] - along(-h)[i]) - (along(2 * h)[i] - along(-2 * h)[i])) / (12.0 * h);
  };
  const std::size_t size = linear.n_state();
  for (std::size_t j = 0; j < size; ++j)
    for (std::size_t i = 0; i < size; ++i) {
      const double found = difference(
          [&](double by) {
            std::vector<double> state = linear.start_state;
            state[place_of(linear.states[j])] += by;
            return rates_at(linear.parameter_values, state);
          },
          i);
      EXPECT_NEAR(linear.a[i * size + j], found, tolerance * std::max(1.0, std::abs(found)))
          << linear.states[i].name << " by " << linear.states[j].name;
    }
  for (std::size_t p = 0; p < linear.parameters.size(); ++p)
    for (std::size_t i = 0; i < size; ++i) {
      const double found = difference(
                               [&](double by) {
                                 std::vector<double> parameters = linear.parameter_values;
                                 parameters[p] += by * std::max(std::abs(parameters[p]), 1e-3);
                                 return rates_at(parameters, linear.start_state);
                               },
                               i) /
                           std::max(std::abs(linear.parameter_values[p]), 1e-3);
      EXPECT_NEAR(linear.b[i * linear.parameters.size() + p], found,
                  tolerance * std::max(1.0, std::abs(found)))
          << linear.states[i].name << " by " << linear.parameters[p].name;
    }
}

const char* const kPendulum = R"json({ "schema": "gradus-model/1", "name": "pendulum",
  "gravity": [0, -9.81, 0], "parameters": { "m": 2, "L": 0.7, "c": 0.3, "at": 0 },
  "bodies": { "rod": { "mass": "m", "com": [0, "-L", 0],
                       "inertia": { "xx": 0.1, "yy": 0.1, "zz": 0.05 } } },
  "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "rod",
                         "initial": { "position": "at" } } },
  "forces": { "damper": { "type": "torsional-spring-damper", "joint": "hinge", "stiffness": 0,
                          "damping": "c", "angle": 0 } } })json";

TEST(Modes, PendulumOscillatesAsItsClosedFormSays) {
  const double m = 2, L = 0.7, c = 0.3, J = 0.05 + m * L * L;
  const Modes found = modes_of(kPendulum);
  const Complex root = std::sqrt(Complex(c * c - 4 * J * m * kGravity * L));
  const Complex value = (-c + root) / (2 * J);
  expect_eigenvalues(found, {value}, 1e-13);
  EXPECT_EQ(found.stability, "stable");
  EXPECT_NEAR(found.modes[0].frequency(), value.imag() / 6.283185307179586, 1e-13);
  EXPECT_NEAR(found.modes[0].damping_ratio(), -value.real() / std::abs(value), 1e-13);
  // J z^2 + c z + m g L = 0, differentiated.
  const Complex slope = 2.0 * J * value + c;
  const std::vector<Complex>& gradient = found.modes[0].gradient;
  EXPECT_NEAR(std::abs(gradient[0] + (L * L * value * value + kGravity * L) / slope), 0, 1e-12);
  EXPECT_NEAR(std::abs(gradient[1] + (2 * m * L * value * value + m * kGravity) / slope), 0, 1e-12);
  EXPECT_NEAR(std::abs(gradient[2] + value / slope), 0, 1e-12);
}

TEST(Modes, UprightPendulumIsUnstableAndOneOnItsWayNotSteady) {
  EXPECT_EQ(modes_of(kPendulum, {{"at", 3.141592653589793}}).stability, "unstable");
  EXPECT_EQ(modes_of(kPendulum, {{"at", 0.5}}).stability, "not steady");
  EXPECT_EQ(modes_of(kPendulum, {{"c", 0}}).stability, "neutral");
  EXPECT_EQ(modes_of(kPendulum, {{"c", -0.01}}).stability, "unstable");
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

// Without the rate.
std::string resting_four_bar() {
  return replaced(kFourBar, R"("v": 0.4)", R"("v": 0)");
}

TEST(Modes, ClosedLoopAboutItsEquilibrium) {
  const Modes found = modes_of(resting_four_bar());
  EXPECT_EQ(found.stability, "stable") << text_of(found);
  EXPECT_EQ(found.linearization.n_state(), 2U);
  EXPECT_NEAR(found.linearization.rates[0], 0.0, 1e-12);
  EXPECT_NEAR(found.linearization.rates[1], 0.0, 1e-9);
  // The equilibrium moves with the parameters, and the eigenvalues with it.
  EXPECT_GT(expect_gradients(resting_four_bar(), 2e-8), 1.0);
}

TEST(Modes, MatricesOfAClosedLoopThatMoves) {
  const std::string stated =
      replaced(replaced(kFourBar, R"("start": "equilibrium")", R"("start": "stated")"),
               R"("v": 0.4)", R"("v": 2.5)");
  expect_matrices(stated, 1e-6);
  EXPECT_EQ(modes_of(stated).stability, "not steady");
}

// Two carriages with springs between walls: masses m, springs k, and a filter of the second one.
const char* const kCarriages = R"json({ "schema": "gradus-model/1", "name": "carriages",
  "parameters": { "m": 1.5, "k": 80, "T": 0.2 },
  "bodies": { "one": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } },
              "two": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
  "joints": { "x1": { "type": "prismatic", "parent": "ground", "child": "one", "axis": [1, 0, 0] },
              "x2": { "type": "prismatic", "parent": "ground", "child": "two", "axis": [1, 0, 0] } },
  "forces": { "left": { "type": "joint-force", "joint": "x1", "value": "-k*q1 + k*(q2 - q1)" },
              "right": { "type": "joint-force", "joint": "x2", "value": "-k*q2 - k*(q2 - q1)" } },
  "states": { "y": { "rate": "(q2 - y)/T" },
              "held": { "next": "held + q1", "every": 0.1 } },
  "sensors": { "q1": { "coordinate": "x1" }, "q2": { "coordinate": "x2" } } })json";

TEST(Modes, CarriagesWithAFilter) {
  const Modes found = modes_of(kCarriages);
  const double w = std::sqrt(80 / 1.5);
  expect_eigenvalues(found, {-5.0, Complex(0, w), Complex(0, w * std::sqrt(3.0))}, 1e-13);
  EXPECT_EQ(found.stability, "neutral");
  EXPECT_EQ(found.linearization.held_states, std::vector<std::string>{"held"});
  // What events alone set is held, too, and when they come is no law of the motion.
  const Modes switched = modes_of(replaced(
      replaced(kCarriages, R"("held": {)", R"("side": {}, "held": {)"), R"("sensors")",
      R"json("events": { "pass": { "when": "q1 - sin(t)", "set": { "side": "t" } } }, "sensors")json"));
  EXPECT_EQ(switched.linearization.held_states, (std::vector<std::string>{"side", "held"}));
  EXPECT_TRUE(switched.linearization.laws_of_time.empty());
  expect_eigenvalues(switched, {-5.0, Complex(0, w), Complex(0, w * std::sqrt(3.0))}, 1e-13);
  // In the slow mode both go together, in the quick one against each other.
  EXPECT_NEAR(std::abs(found.modes[1].shape[0] - found.modes[1].shape[1]), 0, 1e-12);
  EXPECT_NEAR(std::abs(found.modes[2].shape[0] + found.modes[2].shape[1]), 0, 1e-12);
  EXPECT_NEAR(found.modes[0].gradient[2].real(), 25.0, 1e-11);
  EXPECT_NEAR(found.modes[2].gradient[1].imag(), w * std::sqrt(3.0) / (2 * 80), 1e-12);
  EXPECT_GT(expect_gradients(kCarriages, 1e-9), 1.0);
}

TEST(Modes, OutputsByStatesAndParameters) {
  const Linearization linear = linearize(model_of(resting_four_bar()));
  const std::size_t states = linear.n_state(), inputs = linear.parameters.size();
  ASSERT_EQ(linear.outputs.size(), 4U);  // q and P
  EXPECT_NEAR(linear.c[0], 1.0, 1e-14);
  // P goes with B and C of the loop: against positions of designs that start beside.
  Exchange exchange;
  exchange.start_states = true;
  exchange.times = {0.0};
  const Mechanism mechanism(model_of(resting_four_bar()), {}, exchange);
  Session session(mechanism);
  const auto outputs = [&](double angle, double rocker) {
    std::vector<double> parameters = linear.parameter_values, state = linear.start_state;
    state[0] += angle;
    parameters[3] += rocker;
    std::vector<double> sensors(4);
    EXPECT_EQ(session.evaluate({parameters, state}, {{}, sensors, {}}), 0U);
    return sensors;
  };
  const double h = 1e-5;
  const auto right = outputs(h, 0), left = outputs(-h, 0);
  const auto longer = outputs(0, h), shorter = outputs(0, -h);
  for (std::size_t o = 0; o < 4; ++o) {
    EXPECT_NEAR(linear.c[o * states], (right[o] - left[o]) / (2 * h), 1e-8) << o;
    EXPECT_NEAR(linear.d[o * inputs + 3], (longer[o] - shorter[o]) / (2 * h), 1e-8) << o;
    EXPECT_NEAR(linear.output_values[o], outputs(0, 0)[o], 1e-14);
  }
  EXPECT_GT(std::abs(linear.d[2 * inputs + 3]), 0.01);
}

std::string free_body(const std::string& spin) {
  return R"json({ "schema": "gradus-model/1", "name": "free", "gravity": [0, 0, 0],
  "parameters": { "Jx": 2, "Jy": 3, "Jz": 4.5, "w": 1.7 },
  "bodies": { "brick": { "mass": 1, "com": [0, 0, 0],
                         "inertia": { "xx": "Jx", "yy": "Jy", "zz": "Jz" } } },
  "joints": { "free": { "type": "floating", "parent": "ground", "child": "brick",
                        "initial": { "position": [0, 0, 0, 0.8, 0.1, -0.3, 0.5],
                                     "velocity": [0, 0, 0, )json" +
         spin + "] } } } }";
}

// What a body that spins about an inclined axis of its own has in the axes of the ground.
std::string about_own_axis(int axis) {
  const double e[4] = {0.8, 0.1, -0.3, 0.5};
  double n = 0;
  for (const double x : e) n += x * x;
  const double a = e[0], b = e[1], c = e[2], d = e[3];
  const double r[3][3] = {
      {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
      {2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)},
      {2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d}};
  std::string text;
  for (int k = 0; k < 3; ++k) {
    char number[64];
    std::snprintf(number, sizeof number, "\"%.17g*w\"", r[k][axis] / n);
    text += (k > 0 ? ", " : "") + std::string(number);
  }
  return text;
}

// Euler: about the principal axis with moment I, w^2 (I - I1)(I - I2) / (I1 I2) is the square of
// the frequency, which is imaginary about the intermediate axis.
TEST(Modes, SpinningBrickSeenFromItself) {
  const double moment[3] = {2, 3, 4.5}, w = 1.7;
  for (int axis = 0; axis < 3; ++axis) {
    const Modes found = modes_of(free_body(about_own_axis(axis)));
    EXPECT_EQ(found.linearization.axes, "body");
    const double one = moment[(axis + 1) % 3], two = moment[(axis + 2) % 3];
    const Complex rate =
        std::sqrt(Complex(-w * w * (moment[axis] - one) * (moment[axis] - two) / (one * two)));
    const auto is_there = [&](const Complex& value) {
      return std::any_of(found.modes.begin(), found.modes.end(), [&](const Mode& mode) {
        return std::abs(mode.eigenvalue - value) < 1e-11;
      });
    };
    EXPECT_TRUE(is_there(Complex(std::abs(rate.real()), std::abs(rate.imag()))))
        << axis << ": " << rate << " among " << text_of(found);
    EXPECT_TRUE(is_there(Complex(0, w))) << text_of(found);  // of the attitude, seen from the body
    EXPECT_EQ(found.stability, axis == 1 ? "unstable" : "neutral") << text_of(found);
    if (axis == 1)
      for (const Mode& mode : found.modes)
        if (mode.eigenvalue.real() > 0.1) {
          EXPECT_NEAR(mode.gradient[3].real(), rate.real() / w, 1e-11);
          // d/dJx of w sqrt((Jy - Jx)(Jz - Jy) / (Jx Jz))
          EXPECT_NEAR(mode.gradient[0].real(), rate.real() * 0.5 * (-1.0 / (3.0 - 2.0) - 1.0 / 2.0),
                      1e-11);
        }
  }
}

// A tumbling brick is in no steady motion.
TEST(Modes, TumblingBrickIsNotSteady) {
  EXPECT_EQ(modes_of(free_body("0.3, 1, -0.7")).stability, "not steady");
}

// Lagrange's top, asleep: J1 z^2 - i J3 w z - m g L = 0 for the slope x + i y of its axis, seen
// from the ground, where the coefficients stay the same.
const char* const kTop = R"json({ "schema": "gradus-model/1", "name": "top",
  "gravity": [0, 0, -9.81], "parameters": { "m": 0.5, "L": 0.1, "J1": 0.006, "J3": 0.0007, "w": 180 },
  "bodies": { "top": { "mass": "m", "com": [0, 0, "L"], "points": { "foot": [0, 0, 0], "tip": [0, 0, "L"] },
                       "inertia": { "xx": "J1", "yy": "J1", "zz": "J3", "about": "foot" } } },
  "joints": { "foot": { "type": "spherical", "parent": "ground", "child": "top.foot",
                        "initial": { "velocity": [0, 0, "w"] } } },
  "sensors": { "tip": { "position": "top.tip" } } })json";

TEST(Modes, SleepingTopSeenFromTheGround) {
  const double m = 0.5, L = 0.1, J1 = 0.006, J3 = 0.0007;
  for (const double w : {180.0, 60.0, 14.0, 14.3, 171.1}) {
    const Modes found = modes_of(kTop, {{"w", w}});
    EXPECT_EQ(found.linearization.axes, "parent");
    // Its tip goes by the turn times (0, 0, L).
    const std::vector<double>& c = found.linearization.c;
    EXPECT_NEAR(c[1], L, 1e-15);
    EXPECT_NEAR(c[6], -L, 1e-15);
    EXPECT_NEAR(c[0], 0, 1e-15);
    EXPECT_NEAR(c[7], 0, 1e-15);
    const Complex root = std::sqrt(Complex(4 * J1 * m * kGravity * L - J3 * J3 * w * w));
    for (const double sign : {1.0, -1.0}) {
      const Complex value = (Complex(0, J3 * w) + sign * root) / (2 * J1);
      const Complex upper(value.real(), std::abs(value.imag()));
      EXPECT_TRUE(
          std::any_of(found.modes.begin(), found.modes.end(),
                      [&](const Mode& mode) { return std::abs(mode.eigenvalue - upper) < 1e-10; }))
          << upper << " among " << text_of(found);
    }
    EXPECT_EQ(found.stability,
              J3 * J3 * w * w > 4 * J1 * m * kGravity * L ? "neutral" : "unstable");
  }
}

TEST(Modes, EigenvaluesThatCoincideHaveNoDerivative) {
  const std::string loose = replaced(replaced(kCarriages, "-k*q1 + k*(q2 - q1)", "-k*q1"),
                                     "-k*q2 - k*(q2 - q1)", "-k*q2");
  const Modes found = modes_of(loose);
  EXPECT_TRUE(found.modes[1].repeated && found.modes[2].repeated) << text_of(found);
  EXPECT_TRUE(std::isnan(found.modes[1].gradient[0].real()));
  EXPECT_FALSE(found.modes[0].repeated);
  // A carriage that nothing holds has twice the eigenvalue 0.
  const Modes drifting = modes_of(replaced(kCarriages, "-k*q1 + k*(q2 - q1)", "0"));
  EXPECT_EQ(drifting.stability, "neutral") << text_of(drifting);
}

// The speed at rest has none, and the mechanism has its modes all the same.
TEST(Modes, SensorsWithoutDerivativesAreNoFailure) {
  const std::string watched =
      replaced(kCarriages, R"("q1": {)", R"("speed": { "speed": "one" }, "q1": {)");
  const Modes found = modes_of(watched);
  const Linearization& linear = found.linearization;
  EXPECT_EQ(found.modes.size(), 3U);
  ASSERT_EQ(linear.outputs[0].name, "speed");
  EXPECT_TRUE(std::isnan(linear.c[3]));
  EXPECT_NEAR(linear.c[linear.n_state()], 1.0, 1e-15);
  // A law that reads it leaves A without derivatives.
  EXPECT_THROW(modes_of(replaced(watched, "-k*q1 +", "-speed - k*q1 +")), NumericalError);
}

// Bodies of these masses on sliders, and the forces on them.
std::string sliders(const std::vector<double>& masses, const std::vector<std::string>& forces,
                    const std::string& more = "") {
  std::string bodies, joints, sensors, laws;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const std::string n = std::to_string(i), comma = i > 0 ? ", " : "";
    char mass[32];
    std::snprintf(mass, sizeof mass, "%.17g", masses[i]);
    bodies += comma + "\"b" + n + "\": { \"mass\": " + mass +
              R"(, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } })";
    joints += comma + "\"j" + n +
              R"(": { "type": "prismatic", "parent": "ground", "axis": [0, 0, 1], "child": "b)" +
              n + "\" }";
    sensors += comma + "\"x" + n + R"(": { "coordinate": "j)" + n + R"(" }, "v)" + n +
               R"(": { "rate": "j)" + n + "\" }";
    laws += comma + "\"f" + n + R"(": { "type": "joint-force", "joint": "j)" + n +
            R"(", "value": ")" + forces[i] + "\" }";
  }
  return R"({ "schema": "gradus-model/1", "name": "sliders", "bodies": { )" + bodies +
         R"( }, "joints": { )" + joints + R"( }, "sensors": { )" + sensors + R"( }, "forces": { )" +
         laws + " }" + more + " }";
}

TEST(Modes, BalancingEndsWhateverThePowersOfTwo) {
  for (const double k : {0.5, 2.0, 8.0, 32.0, 3.0}) {
    const std::string stiffness = std::to_string(k);
    expect_eigenvalues(modes_of(sliders({1}, {"-" + stiffness + "*x0"})),
                       {Complex(0, std::sqrt(k))}, 1e-13);
    const Modes growing = modes_of(sliders({1}, {"-" + stiffness + "*x0 + 0.1*v0"}));
    EXPECT_EQ(growing.stability, "unstable") << k;
  }
  const double golden = 0.5 * (1 + std::sqrt(5.0));
  expect_eigenvalues(modes_of(sliders({1, 1}, {"-x0 - (x0 - x1)", "-(x1 - x0)"})),
                     {Complex(0, 1 / golden), Complex(0, golden)}, 1e-13);
}

// Small entries beside large ones are not lost.
TEST(Modes, EntriesThatAreFarApart) {
  const std::string hydraulic =
      sliders({100}, {"1e-3*p - 50*v0"}, R"(, "states": { "p": { "rate": "-1.5e13*1e-3*v0" } })");
  expect_eigenvalues(modes_of(hydraulic), {0.0, Complex(-0.25, std::sqrt(1.5e5 - 0.0625))}, 1e-10);
  // A soft spring with negative damping carries a light body on a very stiff one.
  const Modes negative =
      modes_of(sliders({1, 1e-3}, {"-4*x0 + 0.003*v0 - 1e9*(x0 - x1) - 10*(v0 - v1)",
                                   "-1e9*(x1 - x0) - 10*(v1 - v0)"}));
  EXPECT_EQ(negative.stability, "unstable") << text_of(negative);
  EXPECT_NEAR(negative.modes[0].eigenvalue.real(), 0.0014985, 1e-6);
  const Modes apart = modes_of(sliders({1, 1e-3}, {"0.01*x0", "-1e10*x1"}));
  EXPECT_EQ(apart.stability, "unstable");
  expect_eigenvalues(apart, {0.1, -0.1, Complex(0, std::sqrt(1e13))}, 1e-12);
}

// An integral that a controller keeps is one number, not two.
TEST(Modes, StatesOfForcesAreStates) {
  const std::string controlled = replaced(
      sliders({2}, {"0"}, R"(, "start": "equilibrium")"), R"("f0": {)",
      R"("pid": { "type": "pid-controller", "joint": "j0", "proportional": 50, "integral": 40,
                  "derivative": 8, "target": 0.3 }, "f0": {)");
  const Modes modes = modes_of(controlled);
  EXPECT_EQ(modes.stability, "stable") << text_of(modes);
  ASSERT_EQ(modes.linearization.n_state(), 3U);
  EXPECT_EQ(modes.linearization.states[2].name, "pid.integral");
  // 2 z^3 + 8 z^2 + 50 z + 40 = 0
  for (const Mode& mode : modes.modes) {
    const Complex z = mode.eigenvalue;
    EXPECT_NEAR(std::abs(((2.0 * z + 8.0) * z + 50.0) * z + 40.0), 0, 1e-11);
  }
}

TEST(Modes, LawsOfTheTimeAreNamed) {
  const Modes pumped = modes_of(sliders({1, 1}, {"-100*(1 + 0.5*sin(19*t))*x0", "-x1"}));
  EXPECT_EQ(pumped.linearization.laws_of_time, std::vector<std::string>{"f0"});
  expect_eigenvalues(pumped, {Complex(0, 10), Complex(0, 1)}, 1e-13);
  EXPECT_TRUE(modes_of(sliders({1}, {"-x0"})).linearization.laws_of_time.empty());
}

TEST(Modes, WhatHoldsAtTheStartOnlyIsFreeToMove) {
  const Modes found = modes_of(replaced(
      sliders({1, 1}, {"-4*x0", "-9*x1"},
              R"(, "constraints": { "c": { "coordinate": "j0", "value": 0, "at": "start" } })"),
      R"("child": "b0")", R"("child": "b0", "initial": { "position": { "guess": 0 } })"));
  expect_eigenvalues(found, {Complex(0, 2), Complex(0, 3)}, 1e-13);
}

TEST(Modes, StiffPartsDoNotHideThatAStartIsNotSteady) {
  for (const char* stiffness : {"1e3", "1e8"}) {
    const std::string k(stiffness);
    const std::string falling =
        replaced(sliders({1, 1}, {"-" + k + "*(x0 - x1)", "-" + k + "*(x1 - x0)"}), R"("bodies")",
                 R"("gravity": [0, 0, -9.81], "bodies")");
    EXPECT_EQ(modes_of(falling).stability, "not steady") << k;
  }
  for (const char* stiffness : {"0", "1e8"}) {
    // The stiffness of one goes up and down as another one moves on.
    const std::string pumped =
        replaced(sliders({1, 1, 1}, {"0", "-100*(1 + 0.5*sin(x0))*x1 - 0.1*v1",
                                     "-" + std::string(stiffness) + "*x2 - v2"}),
                 R"("child": "b0")", R"("child": "b0", "initial": { "velocity": 20 })");
    EXPECT_EQ(modes_of(pumped).stability, "not steady") << stiffness;
  }
  // A body that just moves on is steady.
  EXPECT_EQ(modes_of(replaced(sliders({1, 1}, {"0", "-1e8*x1 - v1"}), R"("child": "b0")",
                              R"("child": "b0", "initial": { "velocity": 20 })"))
                .stability,
            "neutral");
}

TEST(Modes, WhatCannotMoveOrStartIsRefused) {
  const std::string fixed = R"json({ "schema": "gradus-model/1", "name": "post",
    "bodies": { "post": { "mass": 1, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
    "joints": { "foot": { "type": "fixed", "parent": "ground", "child": "post" } } })json";
  EXPECT_THROW(modes_of(fixed), InputError);
  EXPECT_THROW(modes_of(resting_four_bar(), {{"e", 9}}), NumericalError);
}

}  // namespace
}  // namespace gradus::derivative
