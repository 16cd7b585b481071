// Events against closed forms, the laws of impacts, and every way to their derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/methods.hpp"

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
  for (const char* formulation : {"index1", "matrix-r", "penalty"})
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
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(model, method);
    for (std::size_t p = 0; p < 5; ++p) {
      std::array<std::complex<double>, 5> z;
      for (std::size_t i = 0; i < 5; ++i) z[i] = model.parameters[i].value.value();
      z[p] += std::complex<double>(0, eps);
      const auto exact = exact_block(z);
      for (std::size_t o = 0; o < exact.size(); ++o) {
        EXPECT_NEAR(r.objective_values[o], exact[o].real(), 1e-9) << method << o;
        EXPECT_NEAR(r.gradient[5 * o + p], exact[o].imag() / eps,
                    1e-8 * (1 + std::abs(exact[o].imag() / eps)))
            << method << " " << model.objectives[o].name << " by " << model.parameters[p].name;
      }
    }
  }
}

// What does not go by an event says so.
TEST(Events, SayWhatTheyCannotDo) {
  const auto failure = [](Model model) { return simulate(model).status[0].message; };
  Model model = ball();
  model.analysis.duration = 8;
  expect_part(failure(model), "come to rest on each other");
  model = ball();
  model.parameters[0].value = -0.1;
  expect_part(failure(model), "overlap at the start");
  model = ball();
  model.events[1].when = "(y - 0.5)/abs(y - 0.5)";
  expect_part(failure(model), "it jumps");
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
