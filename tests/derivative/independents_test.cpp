// matrix-r with points, directions and distances as independent coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/source_path.hpp"

namespace gradus::derivative {
namespace {

Model five_bar_by(const std::vector<std::string>& independent,
                  const std::string& integrator = "dop853") {
  Model model = read_model(source_path("models/five-bar/five-bar.json"));
  model.analysis.formulation = "matrix-r";
  model.analysis.integrator = integrator;
  model.analysis.rtol = 1e-11;
  model.analysis.atol = 1e-13;
  model.analysis.duration = 1.0;
  model.analysis.independent = independent;
  return model;
}

const std::string kDistance = "sqrt(dot(r2 - [1, 0, 0], r2 - [1, 0, 0]))";

TEST(Independents, AreWhatTheModelLists) {
  const Result chosen = run_gradient(five_bar_by({}), "direct");
  const std::size_t count = chosen.parameters.size();
  const std::vector<std::vector<std::string>> lists{{"r2.x", "r2.y"},
                                                    {"alpha1", kDistance},
                                                    {"r2.x - 0.3*t", "r2.y + sin(t)"},
                                                    {"alpha2", "alpha1"}};
  for (const auto& list : lists) {
    SCOPED_TRACE(list[0] + ", " + list[1]);
    const Model model = five_bar_by(list);
    const Result direct = run_gradient(model, "direct");
    expect_equal_values(direct, chosen, 1e-9);
    EXPECT_LT(largest_deviation(direct.gradient, chosen.gradient, count), 1e-8);
    for (const char* method : {"adjoint", "dual"})
      EXPECT_LT(largest_deviation(direct.gradient, run_gradient(model, method).gradient, count),
                1e-10)
          << method;
    EXPECT_TRUE(
        std::any_of(direct.coordinates.begin(), direct.coordinates.end(),
                    [&](const NamedUnit& c) { return c.name.rfind("independent ", 0) == 0; }));
  }
}

// Over the published five seconds, and by steps of equal length, whose errors tell what is held.
TEST(Independents, ByOtherIntegrators) {
  for (const char* integrator : {"rk4", "trapezoidal", "radau9"}) {
    SCOPED_TRACE(integrator);
    Model model = five_bar_by({"r2.x", "r2.y"}, integrator);
    model.analysis.controls_error = false;
    model.analysis.step = 0.01;
    const Result direct = run_gradient(model, "direct");
    const std::size_t count = direct.parameters.size();
    EXPECT_LT(largest_deviation(direct.gradient, run_gradient(model, "adjoint").gradient, count),
              1e-10);
    EXPECT_LT(largest_deviation(direct.gradient, run_gradient(model, "dual").gradient, count),
              1e-9);
    model.analysis.independent.clear();
    const Result chosen = run_gradient(model, "direct");
    expect_equal_values(direct, chosen, 2e-3);
    EXPECT_NE(direct.objective_values, chosen.objective_values);
  }
}

// Guesses of joints stay what they are, however far from the origin points begin.
TEST(Independents, BeginWhereTheMechanismIs) {
  Model near = five_bar_by({});
  Model far = five_bar_by({"r2.x", "r2.y"});
  far.ground.points = {{"A", {300, 0, 0}}, {"B", {301, 0, 0}}};
  EXPECT_NEAR(simulate(far).objective_values[1], simulate(near).objective_values[1], 1e-8);
}

TEST(Independents, HaveTheSameBitsEverywhere) {
  Options options;
  options.designs.count = 5;
  options.designs.spread = 0.05;
  Model model = five_bar_by({"r2.x", "r2.y"}, "rk4");
  model.analysis.step = 0.01;
  expect_same_bits_everywhere(model, options);
}

// A body that hangs on a ball joint by guesses, turns, and drives a state that is felt.
const char* const kBall = R"json({
  "schema": "gradus-model/1", "name": "ball", "gravity": [0, 0, -9.81],
  "parameters": { "m": 1.2, "L": 0.5 },
  "bodies": { "b": { "mass": "m", "com": [0.1, 0, 0.02], "inertia": { "xx": 0.1, "yy": 0.2, "zz": 0.25 },
                     "points": { "tip": ["L", 0.1, 0.3] }, "vectors": { "e": [1, 0, 0], "f": [0, 1, 0] } } },
  "joints": { "j": { "type": "spherical", "parent": "ground", "child": "b", "initial": {
    "position": [{ "guess": 1 }, { "guess": 0.1 }, { "guess": 0.2 }, { "guess": 0.05 }], "velocity": [1, 2, -1] } } },
  "states": { "y": { "rate": "P.x - y", "initial": "m" } EXTRA },
  "forces": { "pull": { "type": "force", "at": "b.tip", "components": ["y", 0, "2*y"] } },
  "sensors": { "P": { "position": "b.tip" }, "V": { "velocity": "b.tip" }, "e": { "vector": "b.e" }, "f": { "vector": "b.f" } },
  "objectives": { "way": { "integral": "dot(P, P)" }, "end": { "terminal": "P.x + V.y" } },
  "analysis": { "duration": 0.3, "formulation": "matrix-r", "rtol": 1e-10, "atol": 1e-12 }
})json";

TEST(Independents, BesideStatesAndGuesses) {
  const std::string sampled = ", \"held\": { \"next\": \"P.y\", \"every\": 0.1 }";
  const std::string event =
      R"j( }, "events": { "turn": { "when": "P.x - 0.4", "set": { "y": "y + 0.1" } })j";
  for (const std::string& extra : {std::string(), sampled, event}) {
    SCOPED_TRACE(extra);
    std::string text = kBall;
    text.replace(text.find("EXTRA"), 5, extra);
    Model model = parse_model(text, "ball");
    const Result chosen = run_gradient(model, "direct");
    EXPECT_GT(std::abs(chosen.objective_values[1]), 0.01);
    model.analysis.independent = {"e.y", "e.z", "f.z"};
    const Result direct = run_gradient(model, "direct");
    expect_equal_values(direct, chosen, 1e-8);
    EXPECT_LT(largest_deviation(direct.gradient, chosen.gradient, 2), 1e-7);
    for (const char* method : {"adjoint", "dual"})
      EXPECT_LT(largest_deviation(direct.gradient, run_gradient(model, method).gradient, 2), 1e-9);
  }
}

// What holds at the start only leaves fewer coordinates held there than on the way.
TEST(Independents, BesideConstraintsOfTheStart) {
  Model model = five_bar_by({});
  CoordinateStart& start = model.joints[1].start[0];
  start.position_is_guess = start.velocity_is_guess = true;
  Constraint begins;
  begins.name = "begins";
  begins.type = "coordinate";
  begins.first = "1";
  begins.value = "pi/4 + atan(1.5)";
  begins.at_start = true;
  model.constraints.push_back(begins);
  State follows;
  follows.name = "y";
  follows.rate = "r2.x - y";
  follows.initial = 0.1;
  model.states.push_back(follows);
  model.objectives.push_back({"y", ObjectiveKind::terminal, "y", "", ""});
  const Result chosen = run_gradient(model, "direct");
  model.analysis.independent = {"r2.x", "r2.y"};
  const Result direct = run_gradient(model, "direct");
  expect_equal_values(direct, chosen, 1e-9);
  const std::size_t count = chosen.parameters.size();
  EXPECT_LT(largest_deviation(direct.gradient, chosen.gradient, count), 1e-8);
  EXPECT_LT(largest_deviation(direct.gradient, run_gradient(model, "adjoint").gradient, count),
            1e-10);
}

// An angle has no derivative of its cosine where it is 0.
TEST(Independents, FailWhereTheyDetermineNothing) {
  const auto expect_part = [](const Result& r, const std::string& part) {
    ASSERT_FALSE(r.status[0].ok);
    EXPECT_NE(r.status[0].message.find(part), std::string::npos) << r.status[0].message;
    EXPECT_NEAR(r.status[0].time, 0.44, 0.005);
  };
  const Result twice = simulate(five_bar_by({"r2.x", "2*r2.x"}));
  ASSERT_FALSE(twice.status[0].ok);
  EXPECT_NE(twice.status[0].message.find("do not determine the position (where the motion begins)"),
            std::string::npos)
      << twice.status[0].message;
  Model model = five_bar_by({"cos(3*alpha1)", "alpha2"});
  model.analysis.rtol = 1e-8;
  expect_part(simulate(model), "the independent expressions of the analysis do not determine");
  Options options;
  options.integrator = "rk4";
  expect_part(simulate(model, options), "independent expressions of the analysis");
}

TEST(Independents, SayWhatIsWrong) {
  const auto message = [](const Model& model, const Options& options = {}) {
    try {
      simulate(model, options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto expect_part = [&](const Model& model, const std::string& part) {
    EXPECT_NE(message(model).find(part), std::string::npos) << message(model);
  };
  expect_part(five_bar_by({"r2.x"}), "found 1 expression, expected as many as motions are free, 2");
  expect_part(five_bar_by({"r2.x", "r2.x"}), "\"r2.x\" twice");
  expect_part(five_bar_by({"r2.x", "v2.y"}), "independent v2 y");
  expect_part(five_bar_by({"r2.x", "r5.y"}), "unknown name \"r5\"");
  expect_part(five_bar_by({"r2.x", "1e14*r2.y"}), "by many orders of magnitude");
  Model other = five_bar_by({"r2.x", "r2.y"});
  other.analysis.formulation = "index1";
  expect_part(other, "write \"formulation\": \"matrix-r\"");
  // Who asks for another formulation of a run is told that they do nothing there.
  std::string said;
  Options options;
  options.formulation = "index1";
  options.log = [&](const std::string& line) { said += line + "\n"; };
  EXPECT_TRUE(simulate(five_bar_by({"r2.x", "r2.y"}), options).all_ok());
  options.formulation = "matrix-r";
  options.coordinates = "reference-point";
  EXPECT_TRUE(simulate(five_bar_by({"r2.x", "r2.y"}), options).all_ok());
  EXPECT_NE(said.find("independent: has no effect (index1 integrates all coordinates)"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace gradus::derivative
