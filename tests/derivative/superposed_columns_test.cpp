// Gradients by hundreds of parameters that act through splines of time, whose columns are
// superposed of few: against adjoints and dual numbers, which know nothing of that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/mechanism.hpp"
#include "src/motion/mechanism.hpp"
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

void expect_agreement(const Model& model, double tolerance = 1e-11,
                      const std::vector<std::string>& methods = {"adjoint", "dual"}) {
  ASSERT_TRUE(is_superposed(model));
  const Result direct = run_gradient(model, "direct");
  for (const std::string& method : methods) {
    const Result other = run_gradient(model, method);
    EXPECT_LT(largest_deviation(direct.gradient, other.gradient, direct.parameters.size()),
              tolerance)
        << method;
    expect_equal_values(direct, other, 1e-12);
  }
}

TEST(SuperposedColumns, OfManySplines) {
  const Model model = varied(machine());
  expect_agreement(model);
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
      expect_agreement(model, 1e-9, {"adjoint"});
    }
}

// Columns of all parameters are made forwards where objectives are many, ...
TEST(SuperposedColumns, OfMoreObjectivesThanNumbersThatStepsBeginWith) {
  std::string times = "0";
  for (int k = 1; k < 30; ++k) times += ", " + std::to_string(0.02 * k);
  const Model model = varied(replaced(machine(), "[0, 0.1, 0.35]", "[" + times + "]"));
  ASSERT_GT(run_gradient(model, "direct").gradient.size(), 30 * model.parameters.size());
  expect_agreement(model, 1e-11, {"adjoint"});
}

// ... and from time to time where pieces are. Round-off of 4800 steps deviates by 2e-10.
TEST(SuperposedColumns, OfMorePiecesThanAreKept) {
  std::string text = replaced(machine(), knots(40, 0.5), knots(4000, 0.5));
  text = replaced(text, "\"brake\": { \"size\": 40", "\"brake\": { \"size\": 4000");
  text = replaced(text, "\"step\": 0.005", "\"step\": 0.000125");
  Model model = varied(text);
  expect_agreement(model, 1e-9, {"adjoint"});
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
  const Result direct = run_gradient(model, "direct");
  const Result adjoint = run_gradient(model, "adjoint");
  ASSERT_FALSE(adjoint.extrapolation.empty());
  EXPECT_EQ(direct.extrapolating_splines, adjoint.extrapolating_splines);
  EXPECT_EQ(direct.extrapolation, adjoint.extrapolation);
  for (std::size_t k = 0; k < adjoint.extrapolation.size(); ++k) {
    if (!(adjoint.extrapolation[k] > 0.0)) continue;
    EXPECT_EQ(direct.extrapolation_start[k], adjoint.extrapolation_start[k]);
  }
  EXPECT_EQ(direct.objective_values, adjoint.objective_values);
}

// What is looked up elsewhere has columns of its own.
TEST(SuperposedColumns, ArgumentsThatAreNotTheTime) {
  for (const std::string& argument :
       {std::string("t - 0.01"), std::string("2*t"), std::string("angle + 1")}) {
    std::string text = machine();
    const std::size_t at = text.find("spline(t, ", text.find("\"swing\": { \"type\""));
    text.replace(at, 10, "spline(" + argument + ", ");
    expect_agreement(varied(text), 1e-11, {"adjoint"});
  }
}

TEST(SuperposedColumns, HaveTheSameBitsInBatches) {
  const Model model = varied(machine());
  Options options;
  options.designs.count = 11;
  options.designs.spread = 0.1;
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
  // A device does not superpose.
  options.backend = "debug";
  EXPECT_LT(
      largest_deviation(gradient(model, options).gradient, alone.gradient, alone.parameters.size()),
      1e-11);
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
  const Result r = gradient(model, options);
  const Result alone = run_gradient(model, "direct");
  EXPECT_FALSE(r.status[1].ok);
  const std::size_t size = alone.gradient.size();
  for (const std::size_t design : {std::size_t{0}, std::size_t{2}}) {
    ASSERT_TRUE(r.status[design].ok);
    EXPECT_TRUE(std::equal(alone.gradient.begin(), alone.gradient.end(),
                           r.gradient.begin() + static_cast<std::ptrdiff_t>(design * size)));
  }
  EXPECT_TRUE(std::isnan(r.gradient[size]));
}

}  // namespace
}  // namespace gradus::derivative
