// Starts that are hard to find: long closed chains, springs of very unlike stiffness, stated
// positions that the constraints do not allow; and what is said of the equilibrium.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "tests/derivative/gradient_check.hpp"

namespace gradus::derivative {
namespace {

constexpr double kWeight = 9.81;  // of a kilogram

std::string with(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

struct Chain {
  int links = 4;
  double length = 0.1;  // of a link [m]
  bool spherical = false;
  const char* start = "stated";
};

std::string number(double x) {
  return std::to_string(x);
}

// Of the ground points of a chain.
double width(const Chain& chain) {
  const double slope = 0.7;
  return std::stod(number(0.9 * chain.links * chain.length * std::sin(slope) / slope));
}

// Equal links from one point of the ground to another, at the height of the first, that guesses
// hang in an arc.
Model closed_chain(const Chain& chain) {
  const double slope = 0.7;
  std::string bodies, joints;
  for (int i = 0; i < chain.links; ++i) {
    const std::string name = std::to_string(i);
    const double angle = i == 0 ? -slope : 2 * slope / (chain.links - 1);
    const std::string guess = chain.spherical ? R"([{"guess": )" + number(std::cos(angle / 2)) +
                                                    R"(}, {"guess": 0}, {"guess": 0}, {"guess": )" +
                                                    number(std::sin(angle / 2)) + "}]"
                                              : R"({"guess": )" + number(angle) + "}";
    bodies += std::string(i > 0 ? ", " : "") + "\"" + name +
              R"(": { "mass": 0.5, "com": ["L/2", 0, 0], "points": { "end": ["L", 0, 0] },
                 "inertia": { "xx": "0.1*L^2", "yy": "0.1*L^2", "zz": "0.1*L^2" } })";
    joints += std::string(i > 0 ? ", " : "") + "\"j" + name + R"(": { "type": ")" +
              (chain.spherical ? "spherical" : "revolute") + R"(", "parent": ")" +
              (i == 0 ? "ground" : std::to_string(i - 1) + ".end") + R"(", "child": ")" + name +
              R"(", "initial": { "position": )" + guess + " } }";
  }
  const std::string last = std::to_string(chain.links - 1);
  const std::string middle = std::to_string(chain.links / 2 - 1);
  return parse_model(
      R"({ "schema": "gradus-model/1", "name": "chain", "gravity": [0, -9.81, 0],
    "parameters": { "L": )" +
      number(chain.length) + R"(, "w": )" + number(width(chain)) +
      R"( }, "ground": { "points": { "w": ["w", 0, 0] } }, "bodies": { )" + bodies +
      " }, \"joints\": { " + joints + R"( }, "constraints": { "end": { "coincident": [")" + last +
      R"(.end", "ground.w"] } }, "start": ")" + chain.start +
      R"(", "sensors": { "end": { "position": ")" + last + R"(.end" }, "middle": { "position": ")" +
      middle +
      R"(.end" } }, "objectives": { "gap": { "value": "end.x/w - 1 + end.y/w", "at": 0 },
         "sag": { "value": "middle.y", "at": 0 } }, "analysis": { "duration": 1e-4 } })");
}

class ClosedChain : public testing::TestWithParam<Chain> {};

TEST_P(ClosedChain, IsClosed) {
  const Result r = simulate(closed_chain(GetParam()));
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  EXPECT_NEAR(r.objective_values[0], 0.0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Chains, ClosedChain,
                         testing::Values(Chain{14}, Chain{40}, Chain{20, 1e-3}, Chain{20, 1e3},
                                         Chain{14, 0.1, true}, Chain{8, 1e3, true}),
                         [](const auto& named) {
                           const Chain& chain = named.param;
                           return std::string(chain.spherical ? "Spherical" : "Revolute") +
                                  std::to_string(chain.links) + "Links" +
                                  std::to_string(static_cast<int>(1e3 * chain.length)) + "Mm";
                         });

// The sag of a hanging chain, whose link i has the slope (i + 1/2 - links/2) weight / pull.
long double sag_of_links(int links, long double length, long double width) {
  const auto sum = [&](long double pull, int end, bool rise) {
    long double total = 0;
    for (int i = 0; i < end; ++i) {
      const long double slope = (i + 0.5L - links / 2.0L) / pull;
      total += length * (rise ? slope : 1.0L) / std::sqrt(1 + slope * slope);
    }
    return total;
  };
  long double low = 0, high = 1e6L;
  for (int k = 0; k < 200; ++k) {
    const long double pull = (low + high) / 2;
    (sum(pull, links, false) > width ? high : low) = pull;
  }
  return sum(low, links / 2, true);
}

TEST(EquilibriumOfAChain, IsThatOfItsLinks) {
  for (const int links : {14, 40}) {
    const Chain chain{links, 0.1, false, "equilibrium"};
    const double wide = width(chain);
    const Model model = closed_chain(chain);
    const Result r = run_gradient(model, "adjoint");
    const auto sag = [&](long double length, long double w) {
      return static_cast<double>(sag_of_links(links, length, w));
    };
    EXPECT_NEAR(r.objective_values[1], sag(0.1, wide), 1e-11) << links;
    const double h = 1e-5;
    const double by_length = (sag(0.1 + h, wide) - sag(0.1 - h, wide)) / (2 * h);
    const double by_width = (sag(0.1, wide + h) - sag(0.1, wide - h)) / (2 * h);
    EXPECT_NEAR(r.gradient[2], by_length, 1e-5 * std::abs(by_length)) << links;
    EXPECT_NEAR(r.gradient[3], by_width, 1e-5 * std::abs(by_width)) << links;
  }
}

// A mass on a stiff and a soft spring.
const char* const kTwoSprings =
    R"json({ "schema": "gradus-model/1", "name": "two springs", "gravity": [0, 0, -9.81],
  "parameters": { "k": 1e8, "soft": 20, "l": 0.5, "m": 2 },
  "ground": { "points": { "a": [0, 0, 0], "b": [1, 0, 0] } },
  "bodies": { "mass": { "mass": "m", "com": [0, 0, 0],
                        "inertia": { "xx": 0.1, "yy": 0.1, "zz": 0.1 } } },
  "joints": { "move": { "type": "planar", "parent": "ground", "child": "mass", "axis": [0, 1, 0],
                        "initial": { "position": [0.25, -0.43, 0.0] } } },
  "forces": {
    "stiff": { "type": "spring-damper", "from": "ground.a", "to": "mass", "stiffness": "k",
               "length": "l" },
    "soft": { "type": "spring-damper", "from": "ground.b", "to": "mass", "stiffness": "soft",
              "length": "l" },
    "turn": { "type": "torsional-spring-damper", "joint": "move.2", "stiffness": 1 } },
  "start": "equilibrium",
  "sensors": { "p": { "position": "mass" } },
  "objectives": { "x": { "value": "p.x", "at": 0 }, "z": { "value": "p.z", "at": 0 } },
  "analysis": { "duration": 1e-6 } })json";

using Long2 = std::array<long double, 2>;

// Its equilibrium by Newton's method, from one nearby.
Long2 rest_of_springs(long double k, long double soft, long double m, Long2 p) {
  for (int iteration = 0; iteration < 30; ++iteration) {
    Long2 f{0, m * static_cast<long double>(kWeight)};
    long double a = 0, b = 0, c = 0;
    for (const auto& [at, stiffness] : {Long2{0, k}, Long2{1, soft}}) {
      const long double x = p[0] - at, r = std::hypot(x, p[1]);
      const long double u = x / r, v = p[1] / r, pull = stiffness * (r - 0.5L);
      f[0] += pull * u;
      f[1] += pull * v;
      a += stiffness * u * u + pull / r * v * v;
      b += (stiffness - pull / r) * u * v;
      c += stiffness * v * v + pull / r * u * u;
    }
    const long double determinant = a * c - b * b;
    p[0] -= (c * f[0] - b * f[1]) / determinant;
    p[1] -= (a * f[1] - b * f[0]) / determinant;
  }
  return p;
}

TEST(EquilibriumOfUnlikeSprings, IsFoundAtAnyRatio) {
  for (const char* position : {"[0.25, -0.43, 0.0]", "[0.4, 0.3, 0.2]", "[-0.9, 0.8, 1]"})
    for (const double k : {20.0, 2e3, 2e6, 1e8, 2e10}) {
      const Model model = parse_model(with(kTwoSprings, "[0.25, -0.43, 0.0]", position));
      Options options;
      options.set["k"] = k;
      const Result r = simulate(model, options);
      ASSERT_TRUE(r.all_ok()) << position << " " << k << " " << r.status[0].message;
      const Long2 found{r.objective_values[0], r.objective_values[1]};
      const Long2 exact = rest_of_springs(k, 20, 2, found);
      for (const std::size_t i : {0U, 1U})
        EXPECT_NEAR(static_cast<double>(found[i] - exact[i]), 0.0, 1e-12) << position << " " << k;
    }
}

TEST(EquilibriumOfUnlikeSprings, HasExactDerivatives) {
  const Model model = parse_model(kTwoSprings);
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result r = run_gradient(model, method);
    const Long2 at{r.objective_values[0], r.objective_values[1]};
    const auto difference = [&](long double k, long double soft, long double m, std::size_t i) {
      const Long2 up = rest_of_springs(1e8L + k, 20 + soft, 2 + m, at);
      const Long2 down = rest_of_springs(1e8L - k, 20 - soft, 2 - m, at);
      return static_cast<double>((up[i] - down[i]) / (2 * (k + soft + m)));
    };
    for (const std::size_t i : {0U, 1U}) {
      const double by_soft = difference(0, 1e-4L, 0, i), by_mass = difference(0, 0, 1e-5L, i);
      EXPECT_NEAR(r.gradient[4 * i + 1], by_soft, 1e-7 * std::abs(by_soft)) << method;
      EXPECT_NEAR(r.gradient[4 * i + 3], by_mass, 1e-7 * std::abs(by_mass)) << method;
      const double by_k = difference(1e4L, 0, 0, i);
      EXPECT_NEAR(r.gradient[4 * i], by_k, 1e-6 * std::abs(by_k)) << method;
    }
  }
}

// Two masses in a row, the first on the ground.
const char* const kRow =
    R"json({ "schema": "gradus-model/1", "name": "row", "gravity": [0, 0, -9.81],
  "parameters": { "m": 2, "stiff": 1e4 },
  "bodies": {
    "a": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } },
    "b": { "mass": "m", "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
  "joints": {
    "x": { "type": "prismatic", "parent": "ground", "child": "a", "axis": [0, 0, 1],
           "initial": { "position": 0.1 } },
    "y": { "type": "prismatic", "parent": "ground", "child": "b", "axis": [0, 0, 1],
           "initial": { "position": 0.7 } } },
  "forces": {
    "spring": { "type": "torsional-spring-damper", "joint": "x", "stiffness": 20 },
    "stiff": { "type": "spring-damper", "from": "a", "to": "b", "stiffness": "stiff",
               "length": 0.3 } },
  "start": "equilibrium",
  "sensors": { "x": { "coordinate": "x" } },
  "objectives": { "x": { "value": "x", "at": 0 } },
  "analysis": { "duration": 1e-6 } })json";

struct Told {
  std::string remarks, failure;
  double value = 0.0;
};

Told told(const std::string& text, const std::string& parameter, double value) {
  Told all;
  Options options;
  options.set[parameter] = value;
  options.log = [&](const std::string& line) { all.remarks += line + "\n"; };
  const Result r = simulate(parse_model(text), options);
  all.failure = r.status[0].message;
  all.value = r.objective_values.at(0);
  return all;
}

TEST(EquilibriumOfUnlikeSprings, SaysWhatRoundOffTakes) {
  EXPECT_EQ(told(kRow, "stiff", 1e6).remarks, "");
  const Told lost = told(kRow, "stiff", 2e12);
  EXPECT_EQ(lost.failure, "");
  EXPECT_NEAR(lost.value, -4 * kWeight / 20, 1e-9);
  EXPECT_NE(lost.remarks.find("start: derivatives of the equilibrium may be wrong by"),
            std::string::npos)
      << lost.remarks;
  const Told none = told(kRow, "stiff", 1e17);
  EXPECT_NE(none.failure.find("so little that it is lost in the round-off"), std::string::npos)
      << none.failure;
}

// Each design has the same bits wherever it travels, however long the others search.
TEST(EquilibriumOfUnlikeSprings, IsThatOfEachDesign) {
  Model model = parse_model(kTwoSprings);
  model.analysis.formulation = "ali3p";
  model.analysis.integrator = "newmark";
  Options all;
  all.backend = "cpu:1";
  for (const double k : {20.0, 1e9, 300.0, 1e5, 2e7, 40.0, 5e3, 1e8, 1e3})
    all.designs.values.insert(all.designs.values.end(), {k, 20, 0.5, 2});
  const Result batch = simulate(model, all);
  ASSERT_TRUE(batch.all_ok());
  for (std::size_t design = 0; design < 9; ++design) {
    Options one = all;
    const auto first = all.designs.values.begin() + static_cast<std::ptrdiff_t>(4 * design);
    one.designs.values.assign(first, first + 4);
    const Result alone = simulate(model, one);
    for (const std::size_t i : {0U, 1U})
      EXPECT_EQ(alone.objective_values[i], batch.objective_values[2 * design + i]) << design;
  }
}

// Steps and their corrections end where such a force turns round.
TEST(EquilibriumOfASteepForce, IsFound) {
  for (const char* width : {"1e-3", "1e-9"}) {
    const std::string steep =
        with(kRow, R"("type": "torsional-spring-damper", "joint": "x", "stiffness": 20)",
             std::string(R"("type": "joint-force", "joint": "x", "value": "100*tanh((0.2 - x)/)") +
                 width + R"() + 2*m*9.81 - 50")");
    const Told found = told(steep, "m", 2);
    EXPECT_EQ(found.failure, "") << width;
    EXPECT_NEAR(found.value, 0.2 - std::atanh(0.5) * std::stod(width), 1e-11) << width;
  }
  const std::string jump =
      with(kRow, R"("type": "torsional-spring-damper", "joint": "x", "stiffness": 20)",
           R"j("type": "joint-force", "joint": "x", "value": "100*(0.2 - x)/abs(0.2 - x)")j");
  const std::string failure = told(jump, "m", 2).failure;
  EXPECT_NE(failure.find("\"spring\" may jump past balance"), std::string::npos) << failure;
}

// Where the stiffness falls to nothing, round-off balances forces before the equilibrium.
TEST(EquilibriumWithoutStiffness, IsNone) {
  const std::string cubic =
      with(kRow, R"("type": "torsional-spring-damper", "joint": "x", "stiffness": 20)",
           R"("type": "joint-force", "joint": "x", "value": "-20*(x - 0.2)^3 + 2*m*9.81")");
  const std::string failure = told(cubic, "m", 2).failure;
  EXPECT_NE(failure.find("meets no stiffness"), std::string::npos) << failure;
}

// A mass whose law leaves it at zero, or nearly so, and with a second mass on a spring behind it.
std::string held_by(const std::string& law, double from, double p, bool with_another) {
  const std::string body =
      R"({ "mass": 1, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } })";
  const std::string joint =
      R"({ "type": "prismatic", "parent": "ground", "axis": [1, 0, 0], "child": ")";
  std::ostringstream at;
  at << std::setprecision(17) << from;
  std::ostringstream load;
  load << std::setprecision(17) << p;
  std::string text = R"({ "schema": "gradus-model/1", "name": "held", "gravity": [0, 0, 0],
  "parameters": { "k": 1e4, "p": )" +
                     load.str() + R"(, "s": 1e6 }, "bodies": { "a": )" + body;
  if (with_another) text += ", \"b\": " + body;
  text +=
      "}, \"joints\": { \"x\": " + joint + R"(a", "initial": { "position": )" + at.str() + "} }";
  if (with_another)
    text += ", \"y\": " + joint + R"(b", "initial": { "position": "0.3 + )" + at.str() + "\" } }";
  text +=
      R"(}, "forces": { "law": { "type": "joint-force", "joint": "x", "value": ")" + law + "\" }";
  if (with_another)
    text += R"(, "spring": { "type": "spring-damper", "from": "a", "to": "b", "stiffness": "s",
                             "length": 0.2 })";
  return text + R"(}, "start": "equilibrium", "sensors": { "x": { "coordinate": "x" } },
  "objectives": { "x": { "value": "x", "at": 0 } }, "analysis": { "duration": 1e-6 } })";
}

// Where the stiffness vanishes with the distance from the equilibrium, what is left of the distance
// would make it.
TEST(EquilibriumWithoutStiffness, IsNoneWhereItVanishesTowardsIt) {
  for (const char* law : {"-k*max(0,x)^1.5 + p", "-k*x^3 + p", "-k*x*abs(x) + p", "-k*x^9 + p",
                          "-k*x*abs(x)^0.1 + p"})
    for (const double from : {0.5, 0.4, 1e-3, 1e-7, 1e-10, 1e-13, -0.3})
      for (const bool with_another : {false, true}) {
        if (with_another && std::abs(from) < 1e-7) continue;  // the round-off of its spring
        const Told found = told(held_by(law, from, 0, with_another), "k", 1e4);
        EXPECT_NE(found.failure.find("meets no stiffness"), std::string::npos)
            << law << " from " << from << ": " << found.failure;
      }
  const std::string contact = held_by("-k*max(0,x)^1.5 + p", 0.5, 0, false);
  EXPECT_NE(describe(parse_model(contact)).start.find("may move without a force"),
            std::string::npos);
}

TEST(EquilibriumWithoutStiffness, IsThatOfEachDesign) {
  Model model = parse_model(held_by("-k*max(0,x)^1.5 + p", 0.5, 1, true));
  model.analysis.formulation = "ali3p";
  model.analysis.integrator = "newmark";
  const std::vector<double> loads{1, 0, 1e-3, 0, 0, 1e-9, 1e-6, 0, 2};
  for (const char* backend : {"cpu:1", "debug"}) {
    Options all;
    all.backend = backend;
    for (const double load : loads)
      all.designs.values.insert(all.designs.values.end(), {1e4, load, 1e6});
    const Result batch = gradient(model, all);
    for (std::size_t design = 0; design < loads.size(); ++design) {
      EXPECT_EQ(batch.status[design].ok, loads[design] > 0.0) << backend << design;
      Options one = all;
      one.designs.values = {1e4, loads[design], 1e6};
      const Result alone = gradient(model, one);
      if (!batch.status[design].ok) continue;
      EXPECT_EQ(alone.objective_values[0], batch.objective_values[design]) << backend << design;
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(alone.gradient[k], batch.gradient[3 * design + k]) << backend << design;
    }
  }
}

TEST(EquilibriumWithoutStiffness, IsNotWhereThereIsALittle) {
  for (const double load : {1.0, 1e-3, 1e-6, 1e-9, 1e-11})
    for (const bool with_another : {false, true}) {
      const Model model = parse_model(held_by("-k*max(0,x)^1.5 + p", 0.5, load, with_another));
      const double x = std::pow(load / 1e4, 2.0 / 3.0);
      for (const char* method : {"direct", "adjoint", "dual"}) {
        const Result r = run_gradient(model, method);
        EXPECT_NEAR(r.objective_values[0], x, 1e-9 * x) << load;
        EXPECT_NEAR(r.gradient[1], 2 * x / (3 * load), 1e-6 * x / load) << load << method;
      }
    }
  for (const char* law : {"-1e-3*x - k*x^3 + p", "-1e-9*x - k*x^3 + p", "-1e-14*x - k*x^3 + p"}) {
    const Result r = run_gradient(parse_model(held_by(law, 0.5, 0, false)), "direct");
    const double soft = std::stod(law + 1);
    EXPECT_NEAR(r.gradient[1] * soft, 1.0, 1e-12) << law;
  }
}

const char* const kPushedRods =
    R"json({ "schema": "gradus-model/1", "name": "pushed rods", "gravity": [0, 0, 0],
  "parameters": { "push": 0.3, "c": 0.1 },
  "bodies": {
    "a": { "mass": 1, "com": [0.5, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 },
           "points": { "end": [1, 0, 0] } },
    "b": { "mass": 1, "com": [0.5, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 },
           "points": { "end": [1, 0, 0] } } },
  "joints": {
    "x": { "type": "revolute", "parent": "ground", "child": "a", "initial": { "position": 0.2 } },
    "y": { "type": "revolute", "parent": "a.end", "child": "b", "initial": { "position": 0.1 } } },
  "forces": {
    "s": { "type": "torsional-spring-damper", "joint": "x", "stiffness": 1, "damping": "c" },
    "t": { "type": "torsional-spring-damper", "joint": "y", "stiffness": 1 },
    "push": { "type": "force", "at": "b.end", "axes": "body", "components": ["-push", 0, 0] } },
  "start": "equilibrium",
  "sensors": { "x": { "coordinate": "x" }, "end": { "position": "b.end" } },
  "objectives": { "x": { "value": "x", "at": 0 } },
  "analysis": { "duration": 1e-3 } })json";

TEST(StabilityOfAnEquilibrium, GoesByTheStiffness) {
  EXPECT_EQ(describe(parse_model(kRow)).start, "equilibrium, stable");
  const std::string unknown = describe(parse_model(kPushedRods)).start;
  EXPECT_NE(unknown.find("of unknown stability"), std::string::npos) << unknown;
  EXPECT_NE(told(kPushedRods, "push", 0.3).remarks.find("of unknown stability"), std::string::npos);
  const std::string pulled = with(kPushedRods, R"("axes": "body", "components": ["-push", 0, 0])",
                                  R"j("components": ["push*(1 - 0.1*end.x)", 0, 0])j");
  for (const char* damping : {"0.1", "-5"})  // which does not count
    EXPECT_EQ(
        describe(parse_model(with(pulled, R"("c": 0.1)", std::string(R"("c": )") + damping))).start,
        "equilibrium, stable");
}

const char* const kCranks =
    R"json({ "schema": "gradus-model/1", "name": "cranks", "gravity": [0, -9.81, 0],
  "parameters": { "m": 1.2, "k": 60, "A": 1.0, "D": 2.0, "v": 0.4 },
  "ground": { "points": { "D": [0.9, 0, 0], "S": [0.2, 0.9, 0] } },
  "bodies": {
    "crank": { "mass": "m", "com": [0.15, 0, 0], "inertia": { "xx": 0.01, "yy": 0.01, "zz": 0.01 },
               "points": { "B": [0.3, 0, 0] } },
    "coupler": { "mass": "2*m", "com": [0.4, 0.05, 0],
                 "inertia": { "xx": 0.05, "yy": 0.05, "zz": 0.05 },
                 "points": { "C": [0.8, 0, 0], "P": [0.4, 0.1, 0] } },
    "rocker": { "mass": "m", "com": [0.3, 0, 0],
                "inertia": { "xx": 0.02, "yy": 0.02, "zz": 0.02 }, "points": { "C": [0.6, 0, 0] } } },
  "joints": {
    "A": { "type": "revolute", "parent": "ground", "child": "crank",
           "initial": { "position": "A", "velocity": "v" } },
    "B": { "type": "revolute", "parent": "crank.B", "child": "coupler",
           "initial": { "position": { "guess": -0.6 } } },
    "D": { "type": "revolute", "parent": "ground.D", "child": "rocker",
           "initial": { "position": { "guess": "D" } } } },
  "loops": { "C": { "type": "revolute", "parent": "coupler.C", "child": "rocker.C" } },
  "forces": { "spring": { "type": "spring-damper", "from": "ground.S", "to": "coupler.P",
                          "stiffness": "k", "damping": 1, "length": 0.35 } },
  "start": "equilibrium",
  "sensors": { "q": { "coordinate": "A" }, "P": { "position": "coupler.P" } },
  "objectives": { "q": { "value": "q", "at": 0 }, "end": { "terminal": "P.x + P.y" } },
  "analysis": { "duration": 0.01, "step": 0.005 } })json";

double value_at_rest(const std::string& text) {
  const Result r = simulate(parse_model(text));
  EXPECT_TRUE(r.all_ok()) << r.status[0].message;
  return r.objective_values[0];
}

TEST(StatedPositions, GiveWayToLoops) {
  const double rest = value_at_rest(kCranks);
  const std::string values =
      with(with(kCranks, R"({ "guess": -0.6 })", "-0.6"), R"({ "guess": "D" })", R"("D")");
  EXPECT_NEAR(value_at_rest(values), rest, 1e-12);
  EXPECT_EQ(describe(parse_model(values)).independent_coordinates.size(), 1U);
  EXPECT_THROW(simulate(parse_model(with(values, "\"equilibrium\"", "\"stated\""))), InputError);
  expect_exact_gradient(parse_model(with(values, R"("v": 0.4)", R"("v": 0.4, "unused": 1)")),
                        {.smallest_entry = -1.0});
}

// Start states that a caller gives begin at those of the model.
TEST(StatedPositions, GiveWayWhereACallerStatesThem) {
  const std::string values =
      with(with(kCranks, R"({ "guess": -0.6 })", "-0.6"), R"({ "guess": "D" })", R"("D")");
  Exchange exchange;
  exchange.start_states = true;
  const Mechanism mechanism(parse_model(values), {}, exchange);
  const std::vector<double> start = mechanism.start_state();
  ASSERT_EQ(start.size(), 2 * mechanism.coordinate_count());
  EXPECT_NEAR(start[0], value_at_rest(kCranks), 1e-12);
  const std::vector<double> again = mechanism.start_state(mechanism.nominal(), start);
  for (std::size_t k = 0; k < start.size(); ++k) EXPECT_NEAR(again[k], start[k], 1e-12) << k;
}

// The rocker cannot be at 0.1 rad, in the model or in a design of it.
TEST(StatedPositions, NeedNotBePossible) {
  std::string rocker = with(kCranks, R"("position": "A",)", R"("position": {"guess": "A"},)");
  rocker = with(with(rocker, R"({ "guess": "D" })", R"("D")"), R"("v": 0.4)", R"("v": 0)");
  rocker =
      with(rocker, R"("q": { "coordinate": "A" })", R"("q": { "coordinate_acceleration": "A" })");
  EXPECT_EQ(describe(parse_model(rocker)).independent_coordinates, std::vector<std::string>{"D"});
  EXPECT_LT(std::abs(value_at_rest(with(rocker, R"("D": 2.0)", R"("D": 0.1)"))), 1e-9);
  Options options;
  for (const double angle : {2.0, 0.1, 1.9, 0.1, 2.1})
    options.designs.values.insert(options.designs.values.end(), {1.2, 60.0, 1.0, angle, 0.0});
  options.designs.count = 5;
  const Result r = simulate(parse_model(rocker), options);
  ASSERT_TRUE(r.all_ok());
  for (std::size_t design = 0; design < 5; ++design)
    EXPECT_LT(std::abs(r.objective_values[2 * design]), 1e-9) << design;
}

TEST(StatedPositions, GiveWayToDriversAndConstraintsOfTheStart) {
  for (const char* at : {"", R"(, "at": "start")"}) {
    const std::string driven =
        with(kCranks, "\"start\":",
             std::string(R"("constraints": { "turn": { "coordinate": "A", "value": "0.7 + v*t")") +
                 at + "} }, \"start\":");
    const Model model = parse_model(driven);
    const Result r = run_gradient(model, "direct");
    EXPECT_NEAR(r.objective_values[0], 0.7, 1e-12);
    EXPECT_NE(r.gradient[5 + 4], 0.0);  // it moves at the pace asked for
    EXPECT_TRUE(describe(model).independent_coordinates.empty());
  }
}

}  // namespace
}  // namespace gradus::derivative
