// Events against closed forms, the laws of impacts, and every way to their derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <set>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::message_of;

Model parsed(const std::string& text) {
  return parse_model(R"({"schema": "gradus-model/1", )" + text + "}", "events");
}

// A ball that bounces and flies sideways; how often, when last, and how high it rose last.
Model ball() {
  return parsed(R"json("name": "ball", "gravity": [0, "-g", 0],
    "parameters": {"h": {"value": 1.0}, "v": {"value": 0.3}, "g": {"value": 9.81},
                   "e": {"value": 0.85}},
    "bodies": {"slide": {"mass": 0, "com": [0, 0, 0], "inertia": {"xx": 0, "yy": 0, "zz": 0}},
               "ball": {"mass": 2, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
    "joints": {"x": {"type": "prismatic", "parent": "ground", "child": "slide", "axis": [1, 0, 0],
                     "initial": {"position": 0, "velocity": 0.5}},
               "y": {"type": "prismatic", "parent": "slide", "child": "ball", "axis": [0, 1, 0],
                     "initial": {"position": "h", "velocity": "v"}}},
    "sensors": {"y": {"coordinate": "y"}, "vy": {"rate": "y"}},
    "states": {"count": {}, "last": {}, "apex": {}},
    "events": {"bounce": {"when": "y", "impact": {"restitution": "e"},
                          "set": {"count": "count + 1", "last": "t"}},
               "top": {"when": "vy", "direction": "falling", "set": {"apex": "y"}}},
    "objectives": {"y": {"terminal": "y"}, "vy": {"terminal": "vy"}, "last": {"terminal": "last"},
                   "apex": {"terminal": "apex"}, "count": {"terminal": "count"},
                   "path": {"integral": "y*(1 + t)"}, "squares": {"integral": "vy^2"},
                   "half": {"value": "y", "at": [2]}},
    "analysis": {"duration": 4.5, "rtol": 1e-10, "atol": 1e-12})json");
}

// Its objectives by the parabolas between bounces.
std::array<std::complex<double>, 8> exact_ball(std::complex<double> h, std::complex<double> v,
                                               std::complex<double> g, std::complex<double> e) {
  using C = std::complex<double>;
  const double duration = 4.5;
  C t = 0, y = h, last = 0, apex = 0, path = 0, squares = 0, half = 0;
  double count = 0;
  while (true) {
    const C lands = t + (v + std::sqrt(v * v + 2.0 * g * y)) / g;
    const bool ends = lands.real() > duration;
    const C span = (ends ? C(duration) : lands) - t;
    if (v.real() > 0 && (t + v / g).real() < duration) apex = y + v * v / (2.0 * g);
    if (t.real() < 2 && lands.real() > 2)
      half = y + v * (2.0 - t) - 0.5 * g * (2.0 - t) * (2.0 - t);
    const auto moment = [&](double power, C s) { return std::pow(s, power) / power; };
    path += (1.0 + t) * (y * span + v * moment(2, span) - 0.5 * g * moment(3, span)) +
            y * moment(2, span) + v * moment(3, span) - 0.5 * g * moment(4, span);
    squares += v * v * span - v * g * span * span + g * g * moment(3, span);
    y += v * span - 0.5 * g * span * span;
    v -= g * span;
    t += span;
    if (ends) return {y, v, last, apex, count, path, squares, half};
    v *= -e;
    y = 0;
    last = t;
    count += 1;
  }
}

TEST(Events, ABallBouncesAsParabolasSay) {
  const Model model = ball();
  const double eps = 1e-40;
  const std::array<double, 4> at{1.0, 0.3, 9.81, 0.85};
  for (const char* integrator : {"dop853", "dopri5", "radau9", "rodas5p"})
    for (const char* method : {"direct", "adjoint", "dual"}) {
      Options options;
      options.integrator = integrator;
      options.rtol = 1e-10;
      const Result r = run_gradient(model, method, options);
      for (std::size_t p = 0; p < at.size(); ++p) {
        std::array<std::complex<double>, 4> z{at[0], at[1], at[2], at[3]};
        z[p] += std::complex<double>(0, eps);
        const auto exact = exact_ball(z[0], z[1], z[2], z[3]);
        ASSERT_GE(exact[4].real(), 10);
        for (std::size_t o = 0; o < exact.size(); ++o) {
          const std::string where = std::string(integrator) + " " + method + " " +
                                    model.objectives[o].name + " by " + model.parameters[p].name;
          EXPECT_NEAR(r.objective_values[o], exact[o].real(), 1e-9) << where;
          EXPECT_NEAR(r.gradient[4 * o + p], exact[o].imag() / eps,
                      1e-9 * (1 + std::abs(exact[o].imag() / eps)))
              << where;
        }
      }
    }
}

// A four-bar linkage on a spring whose coupler strikes a wall that moves, with a sampled motor, a
// state that the impact sets and one that it reads.
Model struck_linkage() {
  return parsed(R"json("name": "struck", "gravity": [0, "-g", 0],
    "parameters": {"L1": {"value": 0.5}, "L2": {"value": 1.1}, "D": {"value": 1.2},
                   "m": {"value": 1.5}, "g": {"value": 9.81}, "e": {"value": 0.7},
                   "wall": {"value": 1.19}, "k": {"value": 25}, "kp": {"value": 2},
                   "A": {"value": 0.004}},
    "ground": {"points": {"o": ["D", 0, 0]}},
    "bodies": {"a": {"mass": 1, "com": ["L1/2", 0, 0], "points": {"tip": ["L1", 0, 0]},
                     "inertia": {"xx": 0.001, "yy": 0.02, "zz": "0.1*L1^2"}},
               "b": {"mass": "m", "com": ["L2/2", 0, 0], "points": {"tip": ["L2", 0, 0]},
                     "inertia": {"xx": 0.001, "yy": 0.15, "zz": "m*L2^2/12"}},
               "c": {"mass": 1.1, "com": [0.45, 0, 0], "points": {"tip": [0.9, 0, 0]},
                     "inertia": {"xx": 0.001, "yy": 0.07, "zz": 0.07}}},
    "joints": {"j": {"type": "revolute", "parent": "ground", "child": "a",
                     "initial": {"position": 1.4, "velocity": -6}},
               "k": {"type": "revolute", "parent": "a.tip", "child": "b",
                     "initial": {"position": {"guess": -1}}},
               "l": {"type": "revolute", "parent": "ground.o", "child": "c",
                     "initial": {"position": {"guess": 1.6}}}},
    "loops": {"close": {"type": "revolute", "parent": "b.tip", "child": "c.tip"}},
    "sensors": {"p": {"position": "b.tip"}, "v": {"velocity": "b.tip"}, "q": {"coordinate": "j"},
                "dq": {"rate": "j"}},
    "states": {"u": {"next": "-kp*dq", "every": 0.05}, "gain": {"initial": 1}, "last": {},
               "x": {"rate": "p.y*v.x - 0.3*x", "initial": 0.2}},
    "forces": {"spring": {"type": "joint-force", "joint": "j", "value": "-k*(q - 1.3) + gain*u"}},
    "events": {"hit": {"when": "wall + A*sin(20*t) - p.x", "impact": {"restitution": "e - 0.1*q^2"},
                       "set": {"gain": "0.9*gain + 0.1*v.x*t", "x": "x + 0.3*v.y*q"}},
               "turn": {"when": "dq", "set": {"last": "last + 0.1*t*q"}}},
    "objectives": {"end": {"terminal": "p.x^2 + dq + x"}, "path": {"integral": "v.x*p.y + t*dq"},
                   "last": {"terminal": "last"}, "gain": {"terminal": "gain"},
                   "mid": {"value": "dq", "at": [0.6]}},
    "analysis": {"duration": 1, "rtol": 1e-10, "atol": 1e-12})json");
}

std::vector<Options> ways() {
  std::vector<Options> all;
  for (const char* formulation : {"index1", "matrix-r", "fully-recursive", "penalty"})
    for (const char* integrator : {"dop853", "radau9"}) {
      Options options;
      options.formulation = formulation;
      options.integrator = integrator;
      options.rtol = 1e-10;
      all.push_back(options);
    }
  all.emplace_back().coordinates = "reference-point";
  all.emplace_back().integrator = "rodas5p";
  return all;
}

TEST(Events, HaveOneGradientByAllWays) {
  const Model model = struck_linkage();
  const std::size_t n = model.parameters.size();
  const Result reference = run_gradient(model, "direct");
  const Result differences = run_gradient(model, "finite-difference");
  EXPECT_LT(largest_deviation(differences.gradient, reference.gradient, n), 1e-6);
  for (const double entry : reference.gradient) EXPECT_NE(entry, 0.0);
  for (const Options& options : ways()) {
    const std::string label = options.formulation.value_or("") + " " +
                              options.integrator.value_or("") + options.coordinates.value_or("");
    const Result direct = run_gradient(model, "direct", options);
    expect_equal_values(direct, reference, 1e-8);
    EXPECT_LT(largest_deviation(direct.gradient, reference.gradient, n), 1e-7) << label;
    for (const char* method : {"adjoint", "dual"})
      EXPECT_LT(
          largest_deviation(run_gradient(model, method, options).gradient, direct.gradient, n),
          1e-11)
          << label << " " << method;
  }
}

TEST(Events, HaveTheSameBitsInBatchesAndOnDevices) {
  Options options;
  options.designs.count = 5;
  options.designs.spread = 1e-3;
  expect_same_bits_everywhere(struck_linkage(), options);
}

// Two spheres in space, one on a string; the other spins about a point that is not its centre of
// mass, and bounces off the floor.
Model spheres(const std::string& events) {
  return parsed(R"json("name": "spheres", "gravity": [0, 0, -9.81],
    "parameters": {"e": {"value": 0.6}, "m": {"value": 1.2}, "L": {"value": 1}, "v": {"value": 2},
                   "off": {"value": 0.05}},
    "ground": {"points": {"hook": [1, 0, "L"]}},
    "bodies": {"a": {"mass": "m", "com": [0.02, 0, 0.01], "points": {"o": [0, 0, 0]},
                     "inertia": {"xx": 0.02, "yy": 0.04, "zz": 0.03}},
               "b": {"mass": 0.7, "com": [0, 0, 0], "points": {"o": [0, 0, 0]},
                     "inertia": {"xx": 0.006, "yy": 0.006, "zz": 0.006}}},
    "joints": {"a": {"type": "floating", "parent": "ground", "child": "a",
                     "initial": {"position": [0, "off", 0.02, 1, 0, 0, 0],
                                 "velocity": ["v", 0, 1.5, 0.3, 2, -1]}},
               "b": {"type": "floating", "parent": "ground", "child": "b"}},
    "constraints": {"string": {"distance": ["ground.hook", "b.o"], "value": "L"}},
    "sensors": {"d": {"distance": ["a.o", "b.o"]}, "rate": {"distance_rate": ["a.o", "b.o"]},
                "a": {"position": "a.o"}, "va": {"velocity": "a.o"}, "b": {"position": "b.o"},
                "w": {"angular_velocity": "a"}, "energy": {"energy": "total"},
                "momentum": {"momentum": "linear"}},
    "states": {"before": {}, "hits": {}},
    "events": {)json" +
                events + R"json(},
    "objectives": {"b": {"terminal": "b.x + va.y*b.z"}, "w": {"terminal": "w.x*w.y + w.z"},
                   "path": {"integral": "a.x*va.z"}, "rate": {"terminal": "rate"},
                   "before": {"terminal": "before"}, "hits": {"terminal": "hits"},
                   "energy": {"terminal": "energy"}},
    "analysis": {"duration": 1.2, "rtol": 1e-10, "atol": 1e-12})json");
}

TEST(Events, SpheresCollideInSpace) {
  const Model model = spheres(
      R"json("hit": {"when": "d - 0.35", "impact": {"restitution": "e"},
                "set": {"hits": "t", "before": "rate"}},
         "floor": {"when": "a.z + 0.6", "impact": {"restitution": "e^0.3"}})json");
  const std::size_t n = model.parameters.size();
  const Result direct = run_gradient(model, "direct");
  EXPECT_GT(direct.objective_values[5], 0.01);
  for (const char* method : {"adjoint", "dual"})
    EXPECT_LT(largest_deviation(run_gradient(model, method).gradient, direct.gradient, n), 1e-11);
  EXPECT_LT(
      largest_deviation(run_gradient(model, "finite-difference").gradient, direct.gradient, n),
      1e-5);
}

Result simulated(const Model& model) {
  Result r = simulate(model);
  EXPECT_TRUE(r.all_ok()) << r.status[0].message;
  return r;
}

// An impulse keeps the energy where e = 1, and turns the closing rate to its share, whatever is
// tied to the bodies.
TEST(Events, AnImpactTurnsTheClosingRate) {
  for (const double e : {0.3, 1.0}) {
    Model model = spheres(
        R"json("hit": {"when": "d - 0.35", "impact": {"restitution": "e"},
                   "set": {"before": "rate", "hits": "t"}})json");
    model.parameters[0].value = e;
    const double time = simulated(model).objective_values[5];
    ASSERT_GT(time, 0.01);
    model.analysis.duration = 0.01;
    const double energy = simulated(model).objective_values[6];
    model.analysis.duration = time + 1e-8;
    const Result r = simulated(model);
    EXPECT_LT(r.objective_values[4], -1.0);
    EXPECT_NEAR(r.objective_values[3], -e * r.objective_values[4], 1e-6);
    if (e == 1.0)
      EXPECT_NEAR(r.objective_values[6], energy, 1e-8);
    else
      EXPECT_LT(r.objective_values[6], energy - 0.1);
  }
}

// A block on a spring and a belt, which carries it until the spring is stronger than static
// friction: all the time it sticks or slips exactly.
Model block() {
  return parsed(R"json("name": "block", "gravity": [0, 0, 0],
    "parameters": {"k": {"value": 40}, "m": {"value": 1.5}, "s": {"value": 12}, "d": {"value": 7},
                   "v": {"value": 0.4}},
    "bodies": {"block": {"mass": "m", "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
    "joints": {"x": {"type": "prismatic", "parent": "ground", "child": "block", "axis": [1, 0, 0],
                     "initial": {"position": 0, "velocity": "v"}}},
    "sensors": {"x": {"coordinate": "x"}, "dx": {"rate": "x"}},
    "states": {"sticks": {"initial": 1}, "caught": {}, "at": {}},
    "definitions": {"friction": "sticks*k*x + (1 - sticks)*d"},
    "forces": {"spring": {"type": "joint-force", "joint": "x", "value": "-k*x"},
               "belt": {"type": "joint-force", "joint": "x", "value": "friction"}},
    "events": {"breaks": {"when": "sticks*(k*x - s) - (1 - sticks)", "direction": "rising",
                          "set": {"sticks": 0}},
               "catches": {"when": "(1 - sticks)*(dx - v) - sticks", "direction": "rising",
                           "set": {"sticks": 1, "caught": "t", "at": "x"}}},
    "objectives": {"caught": {"terminal": "caught"}, "at": {"terminal": "at"},
                   "work": {"integral": "friction*v"}},
    "analysis": {"duration": 6, "rtol": 1e-11, "atol": 1e-13})json");
}

// When and where it was caught last, and the work of the belt.
std::array<std::complex<double>, 3> exact_block(const std::array<std::complex<double>, 5>& p) {
  using C = std::complex<double>;
  const auto [k, m, s, d, v] = p;
  const C w = std::sqrt(k / m), amplitude = (s - d) / k;
  const double pi = 3.14159265358979323846;
  const C slips = (2 * pi - 2.0 * std::atan(amplitude * w / v)) / w;
  const C first = s / k / v;
  const C sticks = 2.0 * amplitude / v;
  const C at = d / k - amplitude;
  C t = first + slips, work = 0.5 * k * (s / k) * (s / k) + d * v * slips;
  while ((t + sticks + slips).real() < 6) {
    t += sticks + slips;
    work += 0.5 * k * (s / k * s / k - at * at) + d * v * slips;
  }
  const C left = 6.0 - t;
  if (left.real() < sticks.real())
    return {t, at, work + 0.5 * k * ((at + v * left) * (at + v * left) - at * at)};
  return {t, at, work + 0.5 * k * (s / k * s / k - at * at) + d * v * (left - sticks)};
}

TEST(Events, ABlockSticksAndSlips) {
  const Model model = block();
  const double eps = 1e-40;
  const std::vector<std::pair<std::string, std::string>> ways{{"direct", "dop853"},
                                                              {"adjoint", "dop853"},
                                                              {"dual", "dop853"},
                                                              {"direct", "radau9"},
                                                              {"direct", "radau5"}};
  for (const auto& [method, integrator] : ways) {
    Options options;
    options.integrator = integrator;
    options.rtol = integrator == "dop853" ? 1e-11 : 1e-9;
    const Result r = run_gradient(model, method, options);
    for (std::size_t p = 0; p < 5; ++p) {
      std::array<std::complex<double>, 5> z;
      for (std::size_t i = 0; i < 5; ++i) z[i] = model.parameters[i].value.value();
      z[p] += std::complex<double>(0, eps);
      const auto exact = exact_block(z);
      for (std::size_t o = 0; o < exact.size(); ++o) {
        EXPECT_NEAR(r.objective_values[o], exact[o].real(), 1e-7) << method << integrator << o;
        EXPECT_NEAR(r.gradient[5 * o + p], exact[o].imag() / eps,
                    1e-6 * (1 + std::abs(exact[o].imag() / eps)))
            << method << integrator << " " << model.objectives[o].name << " by "
            << model.parameters[p].name;
      }
    }
  }
}

// What passes zero there and back within one step, which has no error, and what passes as bodies
// collide; counted before and after.
TEST(Events, NoneIsMissed) {
  const auto count = [](const std::string& events, double height, double speed, double duration) {
    Model model = parsed(R"json("name": "thrown", "gravity": [0, 0, -10],
      "parameters": {"h": {"value": 1}, "v": {"value": 5}},
      "bodies": {"b": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
      "joints": {"z": {"type": "prismatic", "parent": "ground", "child": "b",
                       "initial": {"position": "h", "velocity": "v"}}},
      "sensors": {"z": {"coordinate": "z"}, "vz": {"rate": "z"}},
      "states": {"n": {}},
      "events": {)json" + events +
                         R"json(},
      "objectives": {"n": {"terminal": "n"}, "at": {"value": "n", "at": [0.5]}})json");
    model.parameters[0].value = height;
    model.parameters[1].value = speed;
    model.analysis.duration = duration;
    model.analysis.formulation = "semi-recursive";
    std::vector<double> counts;
    for (const char* integrator : {"dop853", "dopri5", "radau9", "rodas5p"}) {
      model.analysis.integrator = integrator;
      model.analysis.controls_error = true;
      for (const char* method : {"direct", "adjoint"})
        counts.push_back(run_gradient(model, method).objective_values[0]);
    }
    EXPECT_EQ(counts, std::vector<double>(counts.size(), counts[0])) << events;
    return counts[0];
  };
  const auto counted = [](const std::string& name, const std::string& when,
                          const std::string& direction) {
    return "\"" + name + "\": {\"when\": \"" + when + "\", \"direction\": \"" + direction +
           "\", \"set\": {\"n\": \"n + 1\"}}";
  };
  for (const double level : {0.2, 0.7, 1.0, 1.2, 1.249}) {
    const std::string when = "z - " + std::to_string(level);
    EXPECT_EQ(count(counted("e", when, "falling"), 0, 5, 0.97), 1) << level;
    EXPECT_EQ(count(counted("e", when, "rising"), 0, 5, 0.97), 1) << level;
    EXPECT_EQ(count(counted("e", when, "either"), 0, 5, 0.97), 2) << level;
  }
  EXPECT_EQ(count(counted("e", "z - 1.251", "either"), 0, 5, 0.97), 0);
  // Bounces at the levels of 0.8, 0.512 and 0.328 of the first one, 1.25.
  const std::string bounce = "\"bounce\": {\"when\": \"z\", \"impact\": {\"restitution\": 0.8}}";
  EXPECT_EQ(count(bounce + ", " + counted("e", "z - 0.3", "either"), 1.25, 0, 2.5), 7);
  EXPECT_EQ(count(bounce + ", " + counted("e", "z - 0.3", "falling"), 1.25, 0, 2.5), 4);
  EXPECT_EQ(count(bounce + ", " + counted("e", "z - 0.3", "rising"), 1.25, 0, 2.5), 3);
  // At the instants of bounces, written before or behind them: 0.5, 1.3, 1.94, 2.452 s.
  EXPECT_EQ(count(bounce + ", " + counted("e", "z", "falling"), 1.25, 0, 2.5), 4);
  EXPECT_EQ(count(counted("e", "z", "falling") + ", " + bounce, 1.25, 0, 2.5), 4);
  // At ends of steps, and of the motion.
  EXPECT_EQ(count(counted("e", "t - 0.5", "either"), 1, 0, 2.5), 1);
  EXPECT_EQ(count(counted("e", "t - 2.5", "either"), 1, 0, 2.5), 1);
  EXPECT_EQ(count(counted("a", "t - 2.5", "either") + ", " + counted("b", "t - 2.5", "rising"), 1,
                  0, 2.5),
            2);
}

// What has kinks and bends between the ends of steps that see none of it: spheres that meet off
// their centres, an encoder, a bumpy floor.
TEST(Events, AreFoundBetweenTheEndsOfLongSteps) {
  Model flight = parsed(R"json("name": "flight",
    "parameters": {"off": {"value": 0.05}, "v": {"value": 2}},
    "bodies": {"a": {"mass": 1, "com": [0, 0, 0], "points": {"o": [0, 0, 0]},
                     "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.1}},
               "b": {"mass": 1, "com": [0, 0, 0], "points": {"o": [0, 0, 0]},
                     "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.1}}},
    "joints": {"a": {"type": "floating", "parent": "ground", "child": "a",
                     "initial": {"position": [-1, "off", 0, 1, 0, 0, 0],
                                 "velocity": ["v", 0, 0, 0, 0, 0]}},
               "b": {"type": "floating", "parent": "ground", "child": "b",
                     "initial": {"position": [0, 0, 0, 1, 0, 0, 0],
                                 "velocity": [0, 0, 0, 0, 0, 0]}}},
    "sensors": {"d": {"distance": ["a.o", "b.o"]}, "vb": {"velocity": "b.o"},
                "pa": {"position": "a.o"}},
    "states": {"ticks": {}},
    "events": {"hit": {"when": "d - 0.2", "impact": {"restitution": 0.8}},
               "tick": {"when": "sin(40*pa.x + 3)", "set": {"ticks": "ticks + 1"}}},
    "objectives": {"vb": {"terminal": "vb.x"}, "ticks": {"terminal": "ticks"}},
    "analysis": {"duration": 1})json");
  for (const char* integrator : {"dop853", "radau9", "rodas5p"}) {
    flight.analysis.integrator = integrator;
    flight.analysis.controls_error = true;
    const Result r = simulated(flight);
    // Along the line of centres, at the sine 0.25 to the way, goes 0.9 of the closing speed.
    EXPECT_NEAR(r.objective_values[0], 0.9 * 2 * (1 - 0.0625), 1e-8) << integrator;
    const double met = -std::sqrt(0.04 - 0.0025), slowed = 2 - 0.9 * 2 * (1 - 0.0625);
    const double last = met + slowed * (1 - (met + 1) / 2);
    double expected = 0;
    for (int k = -40; k < 40; ++k) {
      const double place = (3.14159265358979323846 * k - 3) / 40;
      expected += place > -1 && place < last ? 1 : 0;
    }
    EXPECT_EQ(r.objective_values[1], expected) << integrator;
  }
  Model floor = ball();
  floor.events = {};
  floor.states.pop_back();
  floor.objectives = {{"n", ObjectiveKind::terminal, "count", "", ""},
                      {"last", ObjectiveKind::terminal, "last", "", ""}};
  floor.sensors.push_back({"x", "coordinate", "x"});
  Event land;
  land.name = "land";
  land.when = "y - 0.1*sin(60*x)";
  land.direction = Passages::falling;
  land.set = {{"count", "count + 1"}, {"last", "last + t"}};
  floor.events = {land};
  floor.analysis.duration = 0.6;
  std::size_t count = 0;
  double sum = 0, before = 1;
  for (int i = 1; i <= 600000; ++i) {
    const double t = 1e-6 * i;
    const double now = 1 + 0.3 * t - 4.905 * t * t - 0.1 * std::sin(30 * t);
    if (before > 0 && now <= 0) {
      ++count;
      sum += t;
    }
    before = now;
  }
  ASSERT_GE(count, 1U);
  const Result r = simulated(floor);
  EXPECT_EQ(r.objective_values[0], static_cast<double>(count));
  EXPECT_NEAR(r.objective_values[1], sum, 2e-6 * static_cast<double>(count));
}

// Bodies that touch: a cradle without gaps, an impact without restitution from which a force pulls
// away, and a ball that is left on the floor.
TEST(Events, TellTouchFromPassage) {
  const auto cradle = [](double gap) {
    std::string bodies, joints, sensors;
    for (int k = 0; k < 3; ++k) {
      const std::string n = std::to_string(k);
      const std::string at = k == 0 ? "0" : n + "*(0.1 + " + std::to_string(gap) + ") + 0.9";
      const std::string comma = k < 2 ? ", " : "";
      bodies += "\"b" + n + "\": {\"mass\": 1, \"com\": [0, 0, 0], \"inertia\": " +
                "{\"xx\": 1, \"yy\": 1, \"zz\": 1}}" + comma;
      joints += "\"x" + n +
                "\": {\"type\": \"prismatic\", \"parent\": \"ground\", \"child\": " + "\"b" + n +
                "\", \"initial\": {\"position\": \"" + at + "\"" +
                ", \"velocity\": " + (k == 0 ? "\"v\"" : "0") + "}}" + comma;
      sensors += "\"x" + n + "\": {\"coordinate\": \"x" + n + "\"}, \"v" + n +
                 "\": {\"rate\": " + "\"x" + n + "\"}" + comma;
    }
    return parsed("\"name\": \"cradle\", \"parameters\": {\"e\": {\"value\": 1}, \"v\": " +
                  std::string("{\"value\": 1}}, \"bodies\": {") + bodies + "}, \"joints\": {" +
                  joints + "}, \"sensors\": {" + sensors + R"json(},
      "events": {"one": {"when": "x1 - x0 - 0.1", "impact": {"restitution": "e"}},
                 "two": {"when": "x2 - x1 - 0.1", "impact": {"restitution": "e"}}},
      "objectives": {"v0": {"terminal": "v0"}, "v2": {"terminal": "v2"}},
      "analysis": {"duration": 3})json");
  };
  for (const double gap : {0.0, 0.1})
    for (const char* method : {"direct", "adjoint", "dual"}) {
      const Result r = run_gradient(cradle(gap), method);
      EXPECT_NEAR(r.objective_values[1], 1.0, 1e-12) << gap << method;
      EXPECT_NEAR(r.gradient[2], 1.0, 1e-11) << gap << method;  // v2 = v (1 + e)^2 / 4
      EXPECT_NEAR(r.gradient[3], 1.0, 1e-11) << gap << method;
      EXPECT_EQ(r.events.size(), method == std::string("direct") ? 2U : r.events.size());
    }
  Model plastic = parsed(R"json("name": "plastic",
    "parameters": {"W": {"value": 0.5}, "v": {"value": 2}, "e": {"value": 0}},
    "bodies": {"b": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
    "joints": {"x": {"type": "prismatic", "parent": "ground", "child": "b",
                     "initial": {"position": 0, "velocity": "v"}}},
    "sensors": {"x": {"coordinate": "x"}},
    "forces": {"f": {"type": "joint-force", "joint": "x", "value": -2}},
    "events": {"wall": {"when": "W - x", "impact": {"restitution": "e"}}},
    "objectives": {"x": {"terminal": "x"}},
    "analysis": {"duration": 1})json");
  // It stops at W after s = (v - u)/2, u = sqrt(v^2 - 4 W), and moves back: x = W - (1 - s)^2 + ...
  const double u = std::sqrt(2.0), s = (2 - u) / 2;
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(plastic, method);
    EXPECT_NEAR(r.objective_values[0], 0.5 - (1 - s) * (1 - s), 1e-12);
    const double by_stop = 2 * (1 - s);
    EXPECT_NEAR(r.gradient[0], 1 + by_stop / u, 1e-10) << method;
    EXPECT_NEAR(r.gradient[1], by_stop * 0.5 * (1 - 2 / u), 1e-10) << method;
    EXPECT_NEAR(r.gradient[2], -u * (1 - s), 1e-10) << method;
  }
  Model floor = ball();
  floor.parameters[0].value = 0.0;
  floor.parameters[1].value = 0.0;
  expect_part(simulate(floor).status[0].message, "from the start");
  floor.gravity = {0, 0, 0};
  EXPECT_EQ(simulated(floor).objective_values[0], 0.0);
}

// A bat that is driven and a ball on it, in formulations that close what is driven: the time of an
// impact moves along the motion, drive included.
TEST(Events, ImpactsOnWhatIsDriven) {
  Model model = parsed(R"json("name": "bat", "gravity": [0, 0, "-g"],
    "parameters": {"g": {"value": 9.81}, "A": {"value": 0.3}, "w": {"value": 5}, "e": {"value": 0.7},
                   "h": {"value": 0.4}},
    "bodies": {"bat": {"mass": 2, "com": [0.2, 0, 0], "points": {"end": [0.5, 0, 0]},
                       "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.1}},
               "arm": {"mass": 1, "com": [0.1, 0, 0.05], "points": {"end": [0.3, 0, 0]},
                       "inertia": {"xx": 0.02, "yy": 0.03, "zz": 0.02}},
               "ball": {"mass": 0.5, "com": [0, 0, 0], "points": {"o": [0, 0, 0]},
                        "inertia": {"xx": 0.01, "yy": 0.01, "zz": 0.01}}},
    "joints": {"pivot": {"type": "revolute", "parent": "ground", "child": "bat", "axis": [0, 1, 0],
                         "initial": {"position": {"guess": 0}}},
               "wrist": {"type": "revolute", "parent": "bat.end", "child": "arm", "axis": [0, 1, 0],
                         "initial": {"position": 0.1, "velocity": 0}},
               "ball": {"type": "floating", "parent": "ground", "child": "ball",
                        "initial": {"position": [0.7, 0, "h", 1, 0, 0, 0],
                                    "velocity": [0, 0, 0, 0, 0, 0]}}},
    "constraints": {"drive": {"coordinate": "pivot", "value": "A*sin(w*t)"}},
    "sensors": {"z": {"position": "ball.o"}, "v": {"velocity": "ball.o"}, "q": {"coordinate": "wrist"}},
    "forces": {"spring": {"type": "torsional-spring-damper", "joint": "wrist", "stiffness": 20,
                          "damping": 0.1, "angle": 0},
               "face": {"type": "impact", "from": "arm.end", "to": "ball.o", "radius": 0.05,
                        "restitution": "e"}},
    "objectives": {"z": {"terminal": "z.z + v.x"}, "q": {"terminal": "q"},
                   "path": {"integral": "z.x*v.z"}},
    "analysis": {"duration": 0.6, "rtol": 1e-10, "atol": 1e-12})json");
  const Result differences = run_gradient(model, "finite-difference");
  for (const char* formulation : {"index1", "matrix-r", "fully-recursive", "penalty"}) {
    Options options;
    options.formulation = formulation;
    const Result direct = run_gradient(model, "direct", options);
    EXPECT_GE(direct.events.size(), 1U);
    EXPECT_LT(largest_deviation(direct.gradient, differences.gradient, 5), 1e-5) << formulation;
    for (const char* method : {"adjoint", "dual"})
      EXPECT_LT(
          largest_deviation(run_gradient(model, method, options).gradient, direct.gradient, 5),
          1e-10)
          << formulation << " " << method;
  }
}

// Events at the instant of a sample, each of which reads what the one before has left, and values
// there: one gradient by all methods.
TEST(Events, FollowEachOtherAtOneInstant) {
  Model model = parsed(R"json("name": "together", "gravity": [0, 0, "-g"],
    "parameters": {"g": {"value": 9.5}, "e": {"value": 0.8}, "a": {"value": 0.3}},
    "bodies": {"b": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}},
               "c": {"mass": 2, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
    "joints": {"z": {"type": "prismatic", "parent": "ground", "child": "b",
                     "initial": {"position": 1, "velocity": 0}},
               "y": {"type": "prismatic", "parent": "ground", "child": "c",
                     "initial": {"position": 1, "velocity": 0}}},
    "sensors": {"z": {"coordinate": "z"}, "vz": {"rate": "z"}, "y": {"coordinate": "y"},
                "vy": {"rate": "y"}},
    "states": {"s": {"next": "s + a*z + vz", "every": 0.25}, "p": {"initial": "a"}, "q": {}},
    "events": {"seen": {"when": "z", "direction": "falling", "set": {"p": "p + vz"}},
               "first": {"when": "z", "impact": {"restitution": "e"}, "set": {"q": "q + p*t"}},
               "second": {"when": "y", "impact": {"restitution": "e^2"}, "set": {"p": "2*p + vz"}},
               "tick": {"when": "sin(4*3.14159265358979323846*t)", "set": {"q": "q + a*s + z"}}},
    "objectives": {"s": {"terminal": "s"}, "p": {"terminal": "p"}, "q": {"terminal": "q"},
                   "z": {"terminal": "z + y"}, "path": {"integral": "p*z + q*vy + s"},
                   "half": {"value": "s + p + q", "at": [0.25, 0.5, 0.75]}},
    "analysis": {"duration": 1.0, "rtol": 1e-11, "atol": 1e-13})json");
  const Result direct = run_gradient(model, "direct");
  for (const char* method : {"adjoint", "dual"}) {
    const Result other = run_gradient(model, method);
    expect_equal_values(other, direct, 1e-12);
    EXPECT_LT(largest_deviation(other.gradient, direct.gradient, 3), 1e-11) << method;
  }
  EXPECT_LT(
      largest_deviation(run_gradient(model, "finite-difference").gradient, direct.gradient, 3),
      1e-6);
  ASSERT_GE(direct.events.size(), 3U);
  EXPECT_EQ(direct.events[0].event, "tick");  // at 0.25 s
  const auto lands = std::find_if(direct.events.begin(), direct.events.end(),
                                  [](const EventPassage& e) { return e.event == "seen"; });
  ASSERT_LT(lands + 2, direct.events.end());
  EXPECT_NEAR(lands->time, std::sqrt(2 / 9.5), 1e-12);
  EXPECT_EQ(lands[1].event, "first");
  EXPECT_EQ(lands[2].event, "second");
  EXPECT_EQ(lands[1].time, lands[2].time);
}

// A kick of a pendulum by an impulse, one that stops a coordinate, and an impact that is switched
// off.
TEST(Events, KickStopAndLetPass) {
  Model model = struck_linkage();
  model.events = {};
  Event kick;
  kick.name = "kick";
  kick.when = "q - 1.2";
  kick.direction = Passages::rising;
  kick.condition = "last - 3*t + 10";
  kick.impulse = "0.05*e + 0.01*dq + 0.02*t";
  kick.along = "q + 0.2*p.y";
  kick.set = {{"last", "t"}, {"gain", "gain + 0.1*dq"}};
  Event stop;
  stop.name = "stop";
  stop.when = "dq - 1.5";
  stop.direction = Passages::falling;
  stop.restitution = "0.3 + 0.01*q";
  stop.along = "q";
  Event wall;
  wall.name = "wall";
  wall.when = "1.18 - p.x";
  wall.direction = Passages::falling;
  wall.condition = "-1 - 0*q";
  wall.restitution = 0.5;
  model.events = {kick, stop, wall};
  model.objectives.pop_back();
  const std::size_t n = model.parameters.size();
  const Result direct = run_gradient(model, "direct");
  std::set<std::string> seen;
  for (const EventPassage& e : direct.events) seen.insert(e.event);
  EXPECT_EQ(seen, (std::set<std::string>{"kick", "stop"}));
  for (const char* method : {"adjoint", "dual"})
    EXPECT_LT(largest_deviation(run_gradient(model, method).gradient, direct.gradient, n), 1e-11)
        << method;
  EXPECT_LT(
      largest_deviation(run_gradient(model, "finite-difference").gradient, direct.gradient, n),
      1e-5);
  // An impulse J along a coordinate of a free body changes its velocity by J/m.
  Model free = ball();
  free.events = {kick};
  free.events[0].when = "vy";
  free.events[0].direction = Passages::falling;
  free.events[0].condition.reset();
  free.events[0].impulse = 3.0;
  free.events[0].along = "y";
  free.events[0].set = {{"count", "1"}, {"last", "t"}, {"apex", "y"}};
  free.objectives = {{"vy", ObjectiveKind::terminal, "vy", "", ""}};
  free.analysis.duration = 0.1;
  EXPECT_NEAR(simulated(free).objective_values[0], 0.3 - 9.81 * 0.1 + 3.0 / 2.0, 1e-12);
}

// A ball that lands on a spring and a damper, whose force begins with a jump and ends before the
// gap has opened, against the exact solution of a damped oscillator; and one that bounces off
// a slope.
TEST(Events, ContactsTouchByEvents) {
  Model model = parsed(R"json("name": "landing", "gravity": [0, 0, "-g"],
    "parameters": {"k": {"value": 2000}, "c": {"value": 40}, "g": {"value": 9.81},
                   "h": {"value": 0.5}, "r": {"value": 0.1}},
    "bodies": {"b": {"mass": 2, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1},
                     "points": {"o": [0, 0, 0]}}},
    "joints": {"z": {"type": "prismatic", "parent": "ground", "child": "b",
                     "initial": {"position": "h", "velocity": 0}}},
    "sensors": {"z": {"coordinate": "z"}, "vz": {"rate": "z"}, "F": {"normal_force": "floor"},
                "on": {"state": "floor.touching"}},
    "forces": {"floor": {"type": "contact", "from": "ground", "to": "b.o", "radius": "r",
                         "law": "kelvin-voigt", "stiffness": "k", "damping": "c", "touch": "event"}},
    "objectives": {"z": {"terminal": "z"}, "vz": {"terminal": "vz"}, "F": {"integral": "F^2"},
                   "on": {"terminal": "on"}},
    "analysis": {"duration": 0.5, "rtol": 1e-11, "atol": 1e-13})json");
  const auto exact = [](std::array<std::complex<double>, 5> p) {
    using C = std::complex<double>;
    const auto [k, c, g, h, r] = p;
    const double m = 2;
    const C fall = std::sqrt(2.0 * (h - r) / g), d = c / (2 * m), w = std::sqrt(k / m - d * d);
    // u = z - r: u'' + 2 d u' + (k/m) u = -g, u = -m g / k + e^(-d s) (A cos + B sin), until
    // k u + c u' = 0.
    const C rest = -m * g / k, A = -rest, B = (-g * fall + d * A) / w;
    const auto place = [&](C s) {
      return rest + std::exp(-d * s) * (A * std::cos(w * s) + B * std::sin(w * s));
    };
    const auto speed = [&](C s) {
      return std::exp(-d * s) *
             ((B * w - d * A) * std::cos(w * s) - (A * w + d * B) * std::sin(w * s));
    };
    C s = 0.08;
    for (int i = 0; i < 60; ++i) {
      const C f = k * place(s) + c * speed(s);
      s -= f / (k * speed(s) + c * (-g - k / m * place(s) - c / m * speed(s)));
    }
    const C left = 0.5 - fall - s;
    return std::array<C, 2>{r + place(s) + speed(s) * left - 0.5 * g * left * left,
                            speed(s) - g * left};
  };
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(model, method);
    EXPECT_EQ(r.objective_values[3], 0.0);
    EXPECT_EQ(r.events.size(), 2U);
    EXPECT_EQ(r.jump[0], 0.0);
    for (std::size_t p = 0; p < 5; ++p) {
      std::array<std::complex<double>, 5> z;
      for (std::size_t i = 0; i < 5; ++i) z[i] = model.parameters[i].value.value();
      z[p] += std::complex<double>(0, 1e-40);
      const auto e = exact(z);
      for (std::size_t o = 0; o < 2; ++o) {
        EXPECT_NEAR(r.objective_values[o], e[o].real(), 1e-9);
        EXPECT_NEAR(r.gradient[5 * o + p], e[o].imag() / 1e-40,
                    1e-8 * (1 + std::abs(e[o].imag() / 1e-40)))
            << method << " " << o << " " << model.parameters[p].name;
      }
    }
  }
  // Neighbours land at other instants, of which a stiff spring makes much.
  Model stiff = model;
  stiff.parameters[0].value = 1e6;
  const Result by_events = run_gradient(stiff, "direct");
  const Result differences = run_gradient(stiff, "finite-difference");
  for (std::size_t k = 0; k < 10; ++k)
    EXPECT_NEAR(differences.gradient[k] / by_events.gradient[k], 1.0, 2e-5) << k;
  // What begins pressed begins touching; what begins at the surface touches if it closes, and is
  // not pulled if it parts.
  model.parameters[3].value = 0.099;
  model.analysis.duration = 0.01;
  EXPECT_EQ(simulated(model).objective_values[3], 1.0);
  const auto start = [&](double gap, double speed) {
    Model begun = model;
    begun.parameters[3].value = gap;
    begun.parameters[4].value = 0;
    begun.joints[0].start[0].velocity = speed;
    return simulated(begun).objective_values;
  };
  for (const double gap : {0.0, 1e-18, -1e-18, 1e-16}) {
    EXPECT_EQ(start(gap, -0.01)[3], 1.0) << gap;
    EXPECT_NEAR(start(gap, 1.0)[0], 0.01 - 0.5 * 9.81e-4, 1e-10) << gap;
  }
  EXPECT_NEAR(start(-1e-3, 1.0)[0], -1e-3 + 0.01 - 0.5 * 9.81e-4, 1e-10);
}

// Two impacts at one instant: the second is none where bodies part already.
TEST(Events, WhatPartsDoesNotCollide) {
  Model twice = ball();
  twice.gravity = {0, 0, 0};
  twice.parameters[1].value = -3.0;
  Event again = twice.events[0];
  again.name = "again";
  twice.events = {twice.events[0], again};
  twice.states.pop_back();
  twice.objectives = {{"vy", ObjectiveKind::terminal, "vy", "", ""},
                      {"count", ObjectiveKind::terminal, "count", "", ""}};
  const Result r = simulated(twice);
  EXPECT_NEAR(r.objective_values[0], 3 * 0.85, 1e-12);
  EXPECT_EQ(r.objective_values[1], 1.0);
}

// A journal bearing with clearance, whose pin lands and lets go.
TEST(Events, APinFliesInItsBore) {
  Model model = read_model(source_path("models/clearance-four-bar/clearance-four-bar.json"));
  model.objectives.pop_back();
  model.analysis.duration = 0.03;
  const std::size_t n = model.parameters.size();
  const Result direct = run_gradient(model, "direct");
  EXPECT_GE(direct.events.size(), 3U);
  for (const double entry : direct.gradient) EXPECT_NE(entry, 0.0);
  for (const char* method : {"adjoint", "dual"})
    EXPECT_LT(largest_deviation(run_gradient(model, method).gradient, direct.gradient, n), 1e-8)
        << method;
  // Row by row in units of the parameters, of which the clearance is the smallest.
  const Result differences = run_gradient(model, "finite-difference");
  for (std::size_t o = 0; o < model.objectives.size(); ++o) {
    double largest = 0;
    for (std::size_t p = 0; p < n; ++p)
      largest =
          std::max(largest, std::abs(direct.gradient[o * n + p] * direct.parameter_values[p]));
    for (std::size_t p = 0; p < n; ++p)
      EXPECT_NEAR(differences.gradient[o * n + p] * direct.parameter_values[p],
                  direct.gradient[o * n + p] * direct.parameter_values[p], 1e-4 * largest)
          << direct.objectives[o].name << " by " << model.parameters[p].name;
  }
}

// The wheels of a vehicle that is dropped onto its tyres.
TEST(Events, TyresTouchByEvents) {
  Model model = read_model(source_path("models/buggy/buggy-step.json"));
  for (Force& force : model.forces)
    if (force.type == "tyre") force["touch"] = "event";
  model.analysis.formulation = "index1";
  model.analysis.integrator = "dop853";
  model.analysis.rtol = 1e-9;
  model.analysis.duration = 0.15;
  const std::size_t n = model.parameters.size();
  const Result direct = run_gradient(model, "direct");
  EXPECT_GE(direct.events.size(), 4U);
  EXPECT_EQ(direct.jump[0], 0.0);
  EXPECT_LT(largest_deviation(run_gradient(model, "adjoint").gradient, direct.gradient, n), 1e-10);
  const Result differences = run_gradient(model, "finite-difference");
  for (std::size_t p = 0; p < n; ++p)
    EXPECT_NEAR(differences.gradient[p] / direct.gradient[p], 1.0, 1e-5) << p;
}

TEST(Events, ABallBouncesOffASlope) {
  Model model = parsed(R"json("name": "slope", "gravity": [0, 0, "-g"],
    "parameters": {"a": {"value": 0.2}, "e": {"value": 0.7}, "g": {"value": 9.81},
                   "r": {"value": 0.1}, "A": {"value": 0.05}},
    "bodies": {"b": {"mass": 2, "com": [0.01, 0, 0], "points": {"o": [0, 0, 0]},
                     "inertia": {"xx": 0.01, "yy": 0.01, "zz": 0.012}}},
    "joints": {"f": {"type": "floating", "parent": "ground", "child": "b",
                     "initial": {"position": [0, 0, 1, 1, 0, 0, 0],
                                 "velocity": [0.5, 0.1, 0, 0, 1, 2]}}},
    "sensors": {"p": {"position": "b.o"}, "v": {"velocity": "b.o"}, "gap": {"gap": "slope"}},
    "forces": {"slope": {"type": "impact", "from": "ground", "to": "b.o", "radius": "r",
                         "restitution": "e", "height": "a*surface_x + A*sin(3*surface_y)"}},
    "objectives": {"x": {"terminal": "p.x + v.y"}, "z": {"terminal": "p.z*v.x"},
                   "gap": {"terminal": "gap"}},
    "analysis": {"duration": 1.1, "rtol": 1e-11, "atol": 1e-13})json");
  const Result direct = run_gradient(model, "direct");
  EXPECT_GE(direct.events.size(), 2U);
  EXPECT_GT(direct.objective_values[2], 0.0);
  for (const char* method : {"adjoint", "dual"})
    EXPECT_LT(largest_deviation(run_gradient(model, method).gradient, direct.gradient, 5), 1e-11);
  EXPECT_LT(
      largest_deviation(run_gradient(model, "finite-difference").gradient, direct.gradient, 5),
      1e-6);
}

// What events count is whole in recorded courses too, and joints move as the parabola says there.
TEST(Events, RecordsHaveWholeCounts) {
  Options options;
  options.record = true;
  const Result r = simulate(ball(), options);
  const Trajectory& motion = r.trajectories.at(0);
  const auto count = static_cast<std::size_t>(
      std::find_if(r.sensor_components.begin(), r.sensor_components.end(),
                   [](const NamedUnit& sensor) { return sensor.name == "count"; }) -
      r.sensor_components.begin());
  ASSERT_LT(count, r.sensor_components.size());
  std::set<double> counts;
  for (std::size_t k = 0; k < motion.time.size(); ++k) {
    const double* const row = motion.sensors.data() + k * r.sensor_components.size();
    counts.insert(row[count]);
    const double t = motion.time[k];
    if (row[count] == 0.0) {
      EXPECT_NEAR(row[0], 1.0 + 0.3 * t - 0.5 * 9.81 * t * t, 1e-9);
    }
  }
  std::set<double> whole;
  for (int k = 0; k <= r.objective_values[4]; ++k) whole.insert(k);
  EXPECT_EQ(counts, whole);
}

// What does not go by an event says so.
TEST(Events, SayWhatTheyCannotDo) {
  const auto failure = [](Model model) { return simulate(model).status[0].message; };
  Model model = ball();
  model.analysis.duration = 8;
  expect_part(failure(model), "follow each other ever faster");
  model = ball();
  model.parameters[0].value = -0.1;
  expect_part(failure(model), "overlap at the start");
  model = ball();
  model.events[1].when = "(y - 0.5)/abs(y - 0.5)";
  expect_part(failure(model), "it jumps");
  model = ball();
  model.events[0].condition = "sqrt(y - 0.5)";
  expect_part(failure(model), "\"bounce\", its condition, or what it sets, became infinite");
  model = ball();
  model.events[0].when = "vy";
  expect_part(message_of([&] { simulate(model); }), "no distance");
  model = ball();
  model.analysis.integrator = "rk4";
  expect_part(message_of([&] { simulate(model); }), "steps of a fixed length");
  model = ball();
  model.objectives.push_back({"top", ObjectiveKind::maximum, "y", "", ""});
  expect_part(message_of([&] { simulate(model); }), "let an event set a state");
  Options continuous;
  continuous.method = "continuous-adjoint";
  expect_part(message_of([&] { gradient(ball(), continuous); }), "the costates jump there");
  const auto refused = [&](const auto& change) {
    Model changed = ball();
    change(changed.events[0]);
    return message_of([&] { simulate(changed); });
  };
  expect_part(refused([](Event& e) { e.direction = Passages::either; }), "from one side");
  expect_part(refused([](Event& e) { e.restitution = 1.5; }), "choose 0 to 1");
  expect_part(refused([](Event& e) { e.set["nobody"] = 1; }), "no state of that name");
  expect_part(refused([](Event& e) { e.when = "h - 2"; }), "always -1");
  expect_part(refused([](Event& e) { e.when = "y*cos(t)"; }), "changes with the time t");
  expect_part(refused([](Event& e) {
                e.restitution.reset();
                e.set.clear();
              }),
              "nothing changes at the event");
}

}  // namespace
}  // namespace gradus::derivative
