// Motions that start from a static equilibrium: where that is, what parameters do to it, and what
// the program says where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/resting_four_bar.hpp"
#include "tests/support/methods.hpp"

namespace gradus::derivative {
namespace {

constexpr double kGravity = 9.81;

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

const char* const kBlock = R"json({ "schema": "gradus-model/1", "name": "block",
  "gravity": [0, 0, -9.81], "parameters": { "m": 2.5, "k": 400, "L": 0.3, "v": 0.7 },
  "bodies": { "block": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "block",
                         "axis": [0, 0, -1], "initial": { "position": 9, "velocity": "v" } } },
  "forces": { "spring": { "type": "torsional-spring-damper", "joint": "slide", "stiffness": "k",
                          "damping": 5, "angle": "L" } },
  "start": "equilibrium",
  "sensors": { "q": { "coordinate": "slide" }, "rate": { "rate": "slide" } },
  "objectives": { "q": { "value": "q", "at": 0 }, "rate": { "value": "rate", "at": 0 } },
  "analysis": { "duration": 0.01 } })json";

const char* const kRod =
    R"json({ "schema": "gradus-model/1", "name": "rod", "gravity": [0, -9.81, 0],
  "parameters": { "m": 2, "L": 0.8, "k": 5, "rest": 2.0 },
  "bodies": { "rod": { "mass": "m", "com": ["L/2", 0, 0],
                       "inertia": { "xx": 0.1, "yy": 0.1, "zz": "m*L^2/12" },
                       "points": { "tip": ["L", 0, 0] } } },
  "joints": { "hinge": { "type": "revolute", "parent": "ground", "child": "rod",
                         "initial": { "position": 0.1, "velocity": 0.5 } } },
  "forces": { "spring": { "type": "torsional-spring-damper", "joint": "hinge", "stiffness": "k",
                          "damping": 0.1, "angle": "rest" } },
  "start": "equilibrium",
  "sensors": { "q": { "coordinate": "hinge" }, "tip": { "position": "rod.tip" } },
  "objectives": { "q": { "value": "q", "at": 0 }, "tip": { "integral": "dot(tip, [1, 2, 0])" } },
  "analysis": { "duration": 0.05, "step": 0.01 } })json";

const char* const kBox =
    R"json({ "schema": "gradus-model/1", "name": "box", "gravity": [1, -9.81, 2],
  "parameters": { "m": 3, "k": 900, "kt": 12, "x": 0.15, "w": 0.3, "l0": 0.5 },
  "ground": { "points": { "S": [0.6, 0.4, -0.2] } },
  "bodies": { "box": { "mass": "m", "com": ["x", 0.05, -0.04],
                       "inertia": { "xx": 0.15, "yy": 0.17, "zz": 0.18, "xy": 0.005 },
                       "points": { "P": [0.2, 0.1, 0.1] } } },
  "joints": { "free": { "type": "floating", "parent": "ground", "child": "box",
                        "initial": { "position": [0, 0, 0, 1, 0, 0, 0],
                                     "velocity": [0, 0, 0, "w", 0, 0.1] } } },
  "forces": {
    "mount": { "type": "bushing", "from": "ground", "to": "box", "stiffness": ["k", "2*k", "k"],
               "damping": [5, 5, 5], "torsional_stiffness": ["kt", "kt", "2*kt"] },
    "spring": { "type": "spring-damper", "from": "ground.S", "to": "box.P", "stiffness": 40,
                "length": "l0" },
    "push": { "type": "force", "at": "box.P", "axes": "body",
              "components": ["0.4*m", 0, "0.3 + sin(t)"] } },
  "start": "equilibrium",
  "sensors": { "P": { "position": "box.P" }, "acc": { "acceleration": "box.P" } },
  "objectives": { "end": { "terminal": "P.x + P.y" }, "path": { "integral": "dot(P, P)" } },
  "analysis": { "duration": 0.04, "step": 0.01 } })json";

double entry(const Result& r, std::size_t objective, std::size_t parameter) {
  return r.gradient.at(objective * r.parameters.size() + parameter);
}

TEST(Equilibrium, OfAMassOnASpringIsItsWeightOverItsStiffness) {
  const Model model = parse_model(kBlock);
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(model, method);
    EXPECT_NEAR(r.objective_values[0], 0.3 + 2.5 * kGravity / 400, 1e-14) << method;
    EXPECT_NEAR(entry(r, 0, 0), kGravity / 400, 1e-15) << method;
    EXPECT_NEAR(entry(r, 0, 1), -2.5 * kGravity / 400 / 400, 1e-15) << method;
    EXPECT_NEAR(entry(r, 0, 2), 1.0, 1e-14) << method;
    EXPECT_EQ(entry(r, 0, 3), 0.0) << method;
    EXPECT_EQ(r.objective_values[1], 0.7) << method;  // velocities are as stated
    EXPECT_EQ(entry(r, 1, 3), 1.0) << method;
  }
}

// The root of an increasing function.
long double root(const std::function<long double(long double)>& f, long double a, long double b) {
  for (int k = 0; k < 120; ++k) (f((a + b) / 2) > 0 ? b : a) = (a + b) / 2;
  return (a + b) / 2;
}

TEST(Equilibrium, OfARodOnATorsionalSpringSolvesItsEquation) {
  const long double weight = 2 * kGravity * 0.4L;
  const auto lack = [&](long double q) { return 5 * (q - 2) + weight * std::cos(q); };
  const long double q = root(lack, 2.0L, 5.0L);
  const long double stiffness = 5 - weight * std::sin(q);
  const Model model = parse_model(kRod);
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(model, method);
    EXPECT_NEAR(r.objective_values[0], static_cast<double>(q), 1e-14) << method;
    const double by_k = static_cast<double>(-(q - 2) / stiffness);
    EXPECT_NEAR(entry(r, 0, 2), by_k, 1e-13) << method;
    EXPECT_NEAR(entry(r, 0, 3), static_cast<double>(5 / stiffness), 1e-13) << method;
    EXPECT_NEAR(entry(r, 0, 0), static_cast<double>(-weight / 2 * std::cos(q) / stiffness), 1e-13)
        << method;
  }
}

class EquilibriumGradient : public testing::TestWithParam<test::Method> {};

TEST_P(EquilibriumGradient, IsExact) {
  const test::Method& method = GetParam();
  Model model = parse_model(method.formulation.loops ? kFourBar : kBox);
  method.use_closely_in(model);
  expect_exact_gradient(model, tolerances_of(method));
}

INSTANTIATE_TEST_SUITE_P(Methods, EquilibriumGradient,
                         testing::ValuesIn(test::tested_methods(false)),
                         [](const testing::TestParamInfo<test::Method>& tested) {
                           return tested.param.label();
                         });

TEST(Equilibrium, OfABodyOnBushingsIsExactInEulerParameters) {
  expect_exact_gradient(parse_model(kBox));
}

TEST(Equilibrium, LeavesNoAcceleration) {
  const std::string box = replaced(replaced(kBox, "\"w\": 0.3", "\"w\": 0"), "0, 0.1]", "0, 0]");
  const std::string bar = replaced(replaced(kFourBar, "\"v\": 0.4", "\"v\": 0"), "\"P\": {",
                                   "\"acc\": { \"acceleration\": \"coupler.P\" }, \"P\": {");
  for (const std::string& text : {box, bar}) {
    const Model model = parse_model(
        replaced(text, "\"path\":", "\"acc\": { \"value\": \"norm(acc)\", \"at\": 0 }, \"path\":"));
    const Result r = simulate(model);
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    EXPECT_LT(r.objective_values[1], 1e-10) << model.name;
  }
}

// What holds at the start only carries load until then.
TEST(Equilibrium, WithAConstraintOfTheStartIsLetGo) {
  std::string text = replaced(kFourBar, "\"v\": 0.4", "\"lift\": 0.4");
  text = replaced(text, "\"position\": 1.0, \"velocity\": \"v\"", "\"position\": { \"guess\": 1 }");
  text = replaced(text, "\"start\":",
                  "\"constraints\": { \"lifted\": { \"expression\": \"P.y - lift\", \"at\": "
                  "\"start\" } }, \"start\":");
  text = replaced(text, "\"damping\": 1,", "\"damping\": \"lift\",");
  Model model = parse_model(text);
  expect_exact_gradient(model);
  model.objectives = {{"height", ObjectiveKind::terminal, "P.y", "m", ""}};
  model.analysis.duration = model.analysis.step = 1e-9;
  EXPECT_NEAR(run_gradient(model, "direct").objective_values[0], 0.4, 1e-12);
}

TEST(Equilibrium, HasContinuousAdjoints) {
  for (const char* formulation : {"ali3p", "matrix-r"}) {
    Model model = parse_model(kFourBar);
    model.analysis.formulation = formulation;
    model.analysis.integrator = formulation == std::string("ali3p") ? "newmark" : "rk4";
    model.analysis.step = 1e-4;
    model.objectives.erase(model.objectives.begin());
    const Result direct = run_gradient(model, "direct");
    const Result adjoint = run_gradient(model, "continuous-adjoint");
    EXPECT_LT(largest_deviation(direct.gradient, adjoint.gradient, direct.parameters.size()), 1e-4)
        << formulation;
  }
}

// Every design has its own, whatever travels beside it and wherever.
TEST(Equilibrium, IsThatOfEachDesign) {
  Options options;
  for (int k = 0; k < 11; ++k)
    for (const double value : {1.2 + 0.1 * k, 0.3, 0.8, 0.6, 0.9, 60.0 - 4 * k, 0.35, 0.4})
      options.designs.values.push_back(value);
  Model model = parse_model(kFourBar);
  model.analysis.formulation = "ali3p";
  model.analysis.integrator = "newmark";
  options.backend = "cpu:1";
  const Result all = gradient(model, options);
  ASSERT_TRUE(all.all_ok()) << all.status[0].message;
  Options device = options;
  device.backend = "debug";
  const Result debug = gradient(model, device);
  ASSERT_TRUE(debug.all_ok()) << debug.status[0].message;
  EXPECT_EQ(all.objective_values, debug.objective_values);
  EXPECT_LT(largest_deviation(all.gradient, debug.gradient, 8), 1e-13);
  for (const std::size_t design : {0U, 5U, 10U}) {
    Options one = options;
    const auto first = options.designs.values.begin() + static_cast<std::ptrdiff_t>(8 * design);
    one.designs.values.assign(first, first + 8);
    const Result alone = gradient(model, one);
    for (std::size_t k = 0; k < 16; ++k)
      EXPECT_EQ(alone.gradient[k], all.gradient[16 * design + k]) << design;
  }
}

TEST(Equilibrium, GoesThroughProductsWithTheJacobian) {
  const Mechanism mechanism(parse_model(kFourBar));
  const Result r = mechanism.gradient();
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  Session session(mechanism);
  const std::vector<double> at(mechanism.nominal().begin(), mechanism.nominal().end());
  const std::vector<double> direction{0.3, -0.1, 0.2, 0.05, -0.2, 7, 0.1, 0.4};
  const std::vector<double> weights{0.7, -1.3};
  std::vector<double> along(2), back(8);
  EXPECT_EQ(session.jacobian_vector(at, direction, along), 0U);
  EXPECT_EQ(session.vector_jacobian(at, weights, back), 0U);
  for (std::size_t o = 0; o < 2; ++o) {
    double sum = 0.0;
    for (std::size_t p = 0; p < 8; ++p) sum += entry(r, o, p) * direction[p];
    EXPECT_NEAR(along[o], sum, 1e-8 * std::abs(sum)) << o;
  }
  for (std::size_t p = 0; p < 8; ++p) {
    const double sum = weights[0] * entry(r, 0, p) + weights[1] * entry(r, 1, p);
    EXPECT_NEAR(back[p], sum, 1e-8 * (std::abs(sum) + 1e-3)) << p;
  }
}

// The steps of an adjoint by so many are those of a run with the derivative along one direction.
TEST(Equilibrium, AnswersToManyParameters) {
  std::string text = replaced(kBlock, "\"k\": 400", "\"k\": { \"value\": 5, \"size\": 80 }");
  text = replaced(text, "\"stiffness\": \"k\"", "\"stiffness\": \"sum(k)\"");
  const Model model = parse_model(text);
  for (const char* method : {"direct", "adjoint"}) {
    const Result r = run_gradient(model, method);
    for (const std::size_t p : {1U, 40U, 80U})
      EXPECT_NEAR(entry(r, 0, p), -2.5 * kGravity / 400 / 400, 1e-15) << method;
  }
}

// The remarks of a run, and its first objective.
std::pair<std::string, double> remarks(const std::string& text) {
  std::pair<std::string, double> found;
  Options options;
  options.log = [&](const std::string& line) { found.first += line + "\n"; };
  const Result r = simulate(parse_model(text), options);
  EXPECT_TRUE(r.all_ok()) << r.status[0].message;
  found.second = r.objective_values.at(0);
  return found;
}

TEST(Equilibrium, IsStableWherePositionsDoNotLieInAnother) {
  const std::string hanging = replaced(kRod, "\"k\": 5", "\"k\": 0");
  const double half_pi = std::acos(0.0);
  const auto upright = remarks(replaced(hanging, "\"position\": 0.1", "\"position\": \"pi/2\""));
  EXPECT_NE(upright.first.find("start: the equilibrium is unstable in \"hinge\""),
            std::string::npos)
      << upright.first;
  EXPECT_EQ(upright.second, half_pi);
  EXPECT_EQ(describe(parse_model(hanging)).start, "equilibrium, stable");
  for (const char* position : {"0.1", "1.5", "1.5707", "-3"}) {
    const auto found =
        remarks(replaced(hanging, "\"position\": 0.1", std::string("\"position\": ") + position));
    EXPECT_EQ(found.first.find("unstable"), std::string::npos) << found.first;
    EXPECT_NEAR(found.second, -half_pi, 1e-14) << position;
  }
}

std::string failure(const std::string& text) {
  const Result r = simulate(parse_model(text));
  return r.all_ok() ? "" : r.status[0].message;
}

TEST(Equilibrium, ThatIsMissingIsNamed) {
  const std::string loose = replaced(kBlock, "\"k\": 400", "\"k\": 0");
  const std::string falling = failure(loose);
  EXPECT_NE(falling.find("no static equilibrium was found"), std::string::npos) << falling;
  EXPECT_NE(falling.find("\"slide\""), std::string::npos) << falling;
  const std::string slack = failure(replaced(loose, "-9.81", "0"));
  EXPECT_NE(slack.find("a motion of \"slide\" meets no stiffness"), std::string::npos) << slack;
  EXPECT_THROW(parse_model(replaced(kBlock, "\"equilibrium\"", "\"equilibrum\"")), InputError);
}

}  // namespace
}  // namespace gradus::derivative
