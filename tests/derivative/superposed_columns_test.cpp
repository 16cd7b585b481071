// Gradients by hundreds of parameters that act through splines of time: columns that are superposed
// of few, and adjoints that see splines through windows. Against adjoints on the debug device and
// dual numbers, which know nothing of that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gradus/mechanism.hpp"
#include "src/motion/host_chunk.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mechanism.hpp"
#include "src/motion/tape.hpp"
#include "tests/derivative/gradient_check.hpp"

namespace gradus::derivative {
namespace {

// A closed four-bar in the plane that torques and a moving spring drive, and a car on a rail whose
// way is given. Five kinds of splines, of which some end before the motion does; the parameters of
// one are multiplied by another parameter, which is no number of a spline.
const char* const kMachine = R"json({
  "schema": "gradus-model/1", "name": "machine", "gravity": [0, -9.81, 0],
  "parameters": {
    "gain": 0.7,
    "push": { "size": 50, "value": 0.3 }, "brake": { "size": 40, "value": 0.01 }, "rest": { "size": 30, "value": 0.2 },
    "way": { "size": 31, "value": 0.5 }, "swing": { "size": 24, "value": 0.2 }, "unused": 1,
    "mass": 0.6, "reach": 0.5, "ramp": 0.4
  },
  "ground": { "points": { "A": [0, 0, 0], "B": [0.2, 0, 0], "C": [0.1, 0.6, 0] } },
  "bodies": {
    "crank": { "mass": 0.2, "com": [0.05, 0, 0], "inertia": { "xx": 0, "yy": 2e-4, "zz": 2e-4 }, "points": { "1": [0.1, 0, 0] } },
    "coupler": { "mass": "mass", "com": ["reach/2", 0, 0], "inertia": { "xx": 0, "yy": "0.6*reach^2/12", "zz": "0.6*reach^2/12" },
                 "points": { "2": [0.25, 0, 0], "P": ["reach", 0, 0] } },
    "rocker": { "mass": 0.4, "com": [0.125, 0, 0], "inertia": { "xx": 0, "yy": 2e-3, "zz": 2e-3 }, "points": { "2": [0.25, 0, 0] } },
    "car": { "mass": 0.5, "com": [0, 0, 0], "inertia": { "xx": 1e-3, "yy": 1e-3, "zz": 1e-3 } }
  },
  "joints": {
    "A": { "type": "revolute", "parent": "ground.A", "child": "crank", "axis": [0, 0, 1],
           "initial": { "position": 1.2, "velocity": 2 } },
    "1": { "type": "revolute", "parent": "crank.1", "child": "coupler", "axis": [0, 0, 1], "initial": { "position": { "guess": -0.9 } } },
    "B": { "type": "revolute", "parent": "ground.B", "child": "rocker", "axis": [0, 0, 1], "initial": { "position": { "guess": 1.57 } } },
    "2": { "type": "revolute", "parent": "coupler.2", "child": "rocker.2", "axis": [0, 0, 1], "cut": true },
    "rail": { "type": "prismatic", "parent": "coupler.P", "child": "car", "axis": [1, 0, 0], "initial": { "position": { "guess": 0.1 } } }
  },
  "constraints": { "way": { "coordinate": "rail", "value": "0.1*(ramp + spline(t, WAY_KNOTS, way, 'clamped', [0.02, ramp]))" } },
  "forces": {
    "push": { "type": "joint-force", "joint": "A", "value": "gain*spline(t, PUSH_KNOTS, push) - 0.02*turn" },
    "brake": { "type": "joint-force", "joint": "B", "value": "-spline(t, BRAKE_KNOTS, brake, 'linear')*lean" },
    "spring": { "type": "spring-damper", "from": "ground.C", "to": "coupler.P",
                "law": "6*(length - 0.3 - spline(t, REST_KNOTS, rest, 'monotone')) + 0.1*rate" },
    "swing": { "type": "joint-force", "joint": "1", "value": "0.1*spline(t, SWING_KNOTS, swing, 'periodic')*cos(angle)" }
  },
  "sensors": {
    "turn": { "rate": "A" }, "lean": { "rate": "B" }, "angle": { "coordinate": "1" },
    "P": { "position": "coupler.P" }, "v": { "velocity": "car" }, "a": { "acceleration": "car" }
  },
  "objectives": {
    "effort": { "integral": "(gain*spline(t, PUSH_KNOTS, push))^2 + v.x^2 + 0.01*a.y^2" },
    "places": { "value": "P.y + 0.1*mass", "at": [0, 0.1, 0.35] },
    "end": { "terminal": "P.x + 0.1*v.y" }
  },
  "analysis": { "duration": 0.6, "step": 0.005 }
})json";

std::string knots(int count, double end) {
  std::string text = "[";
  for (int k = 0; k < count; ++k)
    text += (k > 0 ? ", " : "") + std::to_string(end * std::pow(k / (count - 1.0), 1.2));
  return text + "]";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string machine() {
  std::string text = kMachine;
  text = replaced(text, "PUSH_KNOTS", knots(50, 0.6));
  text = replaced(text, "BRAKE_KNOTS", knots(40, 0.5));  // holds its value from then on
  text = replaced(text, "REST_KNOTS", knots(30, 0.7));
  text = replaced(text, "WAY_KNOTS", knots(31, 0.55));  // goes on with its slope
  return replaced(text, "SWING_KNOTS", knots(25, 0.25));
}

// Values that differ, so that no sum hides an entry.
Model varied(const std::string& text) {
  Model model = parse_model(text, "machine");
  const std::vector<double> nominal = CompiledMechanism(model, {}).nominal();
  for (std::size_t k = 0; k < nominal.size(); ++k)
    model.parameters[k].value = nominal[k] * (1.0 + 0.2 * std::sin(1.3 * static_cast<double>(k)));
  return model;
}

bool is_superposed(const Model& model, const Options& options = {}) {
  return CompiledMechanism(model, options).request().superposition != nullptr;
}

// A device knows no windows.
Result run_without_windows(const Model& model) {
  Options options;
  options.backend = "debug";
  return run_gradient(model, "adjoint", options);
}

void expect_agreement(const Model& model, double tolerance = 1e-11,
                      const std::vector<std::string>& methods = {"direct", "adjoint"}) {
  ASSERT_TRUE(is_superposed(model));
  const Result expected = run_without_windows(model);
  for (const std::string& method : methods) {
    const Result r = run_gradient(model, method);
    EXPECT_LT(largest_deviation(r.gradient, expected.gradient, r.parameters.size()), tolerance)
        << method;
    expect_equal_values(r, expected, 1e-12);
  }
}

TEST(SuperposedColumns, OfManySplines) {
  const Model model = varied(machine());
  expect_agreement(model, 1e-11, {"direct", "adjoint", "dual"});
  const Result r = run_gradient(model, "direct");
  for (const char* name : {"gain", "push[3]", "push[49]", "brake[20]", "rest[10]", "way[0]",
                           "way[30]", "swing[5]", "mass", "ramp"}) {
    const auto found = std::find_if(r.parameters.begin(), r.parameters.end(),
                                    [&](const NamedUnit& p) { return p.name == name; });
    ASSERT_NE(found, r.parameters.end()) << name;
    const auto p = static_cast<std::size_t>(found - r.parameters.begin());
    EXPECT_GT(std::abs(r.gradient[p]), 1e-12) << name;
    EXPECT_GT(std::abs(r.gradient[4 * r.parameters.size() + p]), 1e-12) << name;
  }
}

TEST(SuperposedColumns, ByAllStepsOfEqualLength) {
  for (const char* integrator : {"newmark", "generalised-alpha", "hht"})
    for (const char* projections : {"exact", "penalty"}) {
      SCOPED_TRACE(std::string(integrator) + ", " + projections);
      Model model = varied(machine());
      model.analysis.integrator = integrator;
      model.analysis.projections = projections;
      if (model.analysis.projections == "penalty") model.analysis.penalty = 1e6;
      expect_agreement(model, 1e-9);
    }
}

// Columns of all parameters are made forwards where objectives are many, ...
TEST(SuperposedColumns, OfMoreObjectivesThanNumbersThatStepsBeginWith) {
  std::string times = "0";
  for (int k = 1; k < 30; ++k) times += ", " + std::to_string(0.02 * k);
  const Model model = varied(replaced(machine(), "[0, 0.1, 0.35]", "[" + times + "]"));
  ASSERT_GT(run_gradient(model, "direct").gradient.size(), 30 * model.parameters.size());
  expect_agreement(model, 1e-11);
}

// ... and from time to time where pieces are. Round-off of 4800 steps deviates by 2e-10.
TEST(SuperposedColumns, OfMorePiecesThanAreKept) {
  std::string text = replaced(machine(), knots(40, 0.5), knots(4000, 0.5));
  text = replaced(text, "\"brake\": { \"size\": 40", "\"brake\": { \"size\": 4000");
  text = replaced(text, "\"step\": 0.005", "\"step\": 0.000125");
  Model model = varied(text);
  expect_agreement(model, 1e-9);
}

// Where forces read reactions, and objectives do.
TEST(SuperposedColumns, WithReactions) {
  std::string text = replaced(machine(), "\"push\": { \"type\"", R"json("rub": {
      "type": "joint-friction", "joint": "B", "law": "brown-mcphee", "static": 0.4, "dynamic": 0.3,
      "transition_speed": 0.1, "radius": 0.02, "load": "force" }, "push": { "type")json");
  text = replaced(text, "\"turn\": {", "\"hold\": { \"constraint_force\": \"way\" }, \"turn\": {");
  text = replaced(text, "+ 0.01*a.y^2", "+ 0.01*hold^2");
  expect_agreement(varied(text), 1e-9);
}

// Extrapolated splines are told of as by other methods.
TEST(SuperposedColumns, TellOfSplinesThatEnd) {
  std::string text = machine();
  const Model model = varied(text);
  const Result expected = run_without_windows(model);
  ASSERT_FALSE(expected.extrapolation.empty());
  for (const char* method : {"direct", "adjoint"}) {
    const Result r = run_gradient(model, method);
    EXPECT_EQ(r.extrapolating_splines, expected.extrapolating_splines) << method;
    EXPECT_EQ(r.extrapolation, expected.extrapolation) << method;
    for (std::size_t k = 0; k < expected.extrapolation.size(); ++k)
      if (expected.extrapolation[k] > 0.0) {
        EXPECT_EQ(r.extrapolation_start[k], expected.extrapolation_start[k]) << method;
      }
    EXPECT_EQ(r.objective_values, expected.objective_values) << method;
  }
}

// What is looked up elsewhere has columns of its own.
TEST(SuperposedColumns, ArgumentsThatAreNotTheTime) {
  for (const std::string& argument :
       {std::string("t - 0.01"), std::string("2*t"), std::string("angle + 1")}) {
    std::string text = machine();
    const std::size_t at = text.find("spline(t, ", text.find("\"swing\": { \"type\""));
    text.replace(at, 10, "spline(" + argument + ", ");
    expect_agreement(varied(text), 1e-11);
  }
}

TEST(SuperposedColumns, HaveTheSameBitsInBatches) {
  const Model model = varied(machine());
  Options options;
  options.designs.count = 11;
  options.designs.spread = 0.1;
  options.backend = "debug";
  options.method = "adjoint";
  const Result expected = gradient(model, options);
  for (const char* method : {"direct", "adjoint"}) {
    SCOPED_TRACE(method);
    options.method = method;
    options.backend = "cpu:1";
    options.lanes = 1;
    const Result alone = gradient(model, options);
    ASSERT_TRUE(alone.all_ok());
    options.lanes = 0;
    for (const char* backend : {"cpu:1", "cpu:2"}) {
      options.backend = backend;
      const Result other = gradient(model, options);
      EXPECT_EQ(other.gradient, alone.gradient) << backend;
      EXPECT_EQ(other.objective_values, alone.objective_values) << backend;
    }
    EXPECT_LT(largest_deviation(expected.gradient, alone.gradient, alone.parameters.size()), 1e-11);
  }
}

// One that fails is marked, and those beside it are what they are without it.
TEST(SuperposedColumns, BesideDesignsThatFail) {
  const Model model = varied(machine());
  const std::vector<double> nominal = CompiledMechanism(model, {}).nominal();
  Options options;
  options.backend = "cpu:1";
  for (int design = 0; design < 3; ++design)
    options.designs.values.insert(options.designs.values.end(), nominal.begin(), nominal.end());
  options.designs.values[nominal.size() + 1] = 1e200;
  for (const char* method : {"direct", "adjoint"}) {
    options.method = method;
    const Result r = gradient(model, options);
    const Result alone = run_gradient(model, method);
    EXPECT_FALSE(r.status[1].ok);
    const std::size_t size = alone.gradient.size();
    for (const std::size_t design : {std::size_t{0}, std::size_t{2}}) {
      ASSERT_TRUE(r.status[design].ok);
      EXPECT_TRUE(std::equal(alone.gradient.begin(), alone.gradient.end(),
                             r.gradient.begin() + static_cast<std::ptrdiff_t>(design * size)));
    }
    EXPECT_TRUE(std::isnan(r.gradient[size]));
    // What stands still leaves no spline.
    options.lanes = 1;
    EXPECT_EQ(gradient(model, options).extrapolation, r.extrapolation);
    options.lanes = 0;
  }
}

// Steps that are taken once more on the way back see the splines where they were, also where a
// knot lies just behind a state that was kept.
TEST(SuperposedColumns, OfAdjointsWithinAMemory) {
  constexpr double step = 0.0005;
  constexpr std::size_t steps = 1200, memory = 300 * 1024;
  const auto with_knots_until = [&](double end) {
    std::string text = replaced(machine(), "\"step\": 0.005", "\"step\": 0.0005");
    for (const auto& [count, was] :
         {std::pair(50, 0.6), {40, 0.5}, {30, 0.7}, {31, 0.55}, {25, 0.25}}) {
      std::string packed = knots(count, 0.05);
      packed.replace(packed.rfind(' '), std::string::npos, " " + std::to_string(end) + "]");
      text = replaced(text, knots(count, was), packed);
    }
    text = replaced(text, "\"swing\": { \"size\": 24", "\"swing\": { \"size\": 25");
    return varied(replaced(text, "swing, 'periodic'", "swing"));
  };
  const CompiledMechanism mechanism(with_knots_until(0.3), {});
  MotionRequest request = mechanism.request();
  request.sensitivity = Sensitivity::adjoint;
  request.n_design = 1;
  request.plan = &request.superposition->plan;
  const HostSetup setup(request, request.sensitivity, request.plan->parameter_count());
  const std::size_t block = plan_memory(memory, static_cast<std::size_t>(setup.layout.record_size),
                                        static_cast<std::size_t>(setup.layout.size), steps)
                                .block_length;
  for (const std::size_t blocks : {1U, 2U, 3U, 4U}) {
    const double kept_at = static_cast<double>(blocks * block) * step;
    ASSERT_LT(kept_at, 0.6) << block;
    const Model model = with_knots_until(kept_at + 0.5 * step);
    const Result all = run_gradient(model, "adjoint");
    Options options;
    options.memory = memory;
    const Result within = run_gradient(model, "adjoint", options);
    EXPECT_GT(within.recomputation, 0.5) << blocks;
    EXPECT_EQ(within.gradient, all.gradient) << blocks;
  }
}

// Runs of the same kind leave nothing to those that follow.
TEST(SuperposedColumns, OfRunsOneAfterAnother) {
  const Model model = varied(machine());
  const CompiledMechanism mechanism(model, {});
  MotionRequest request = mechanism.request();
  request.sensitivity = Sensitivity::adjoint;
  const std::unique_ptr<HostRun> run = make_host_run(request, 1);
  std::vector<double> other = mechanism.nominal();
  for (double& value : other) value *= 1.05;
  const std::vector<double> first = run->run(mechanism.nominal(), 1).gradient;
  EXPECT_NE(run->run(other, 1).gradient, first);
  EXPECT_EQ(run->run(mechanism.nominal(), 1).gradient, first);
}

}  // namespace
}  // namespace gradus::derivative
