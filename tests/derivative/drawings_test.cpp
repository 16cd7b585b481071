// Derivatives by points of a drawing: through bodies, joints, the start, and lengths made of them.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/derivative/gradient_check.hpp"

namespace gradus::derivative {
namespace {

// A crank, a rod with a cardan joint on a slider, and a lid that turns on an axis between two
// points, with a spring; nothing is parallel to the axes. Eighteen parameters move everything.
Model drawn_machine() {
  return parse_model(R"json({"schema": "gradus-model/1", "name": "drawn", "gravity": [1, -2, -9.81],
    "parameters": {"Ax": 0.1, "Ay": 0.1, "Az": 0.2, "Bx": 0.2, "By": 0.3, "Bz": 0.6, "Cx": 1.1, "Cy": 0.1, "Cz": 0.3,
      "ux": 1, "uy": 0.2, "uz": -0.1, "Hx": 1.2, "Hy": 0.6, "Hz": 0.4, "Gx": 1.4, "Gy": 0.3, "Gz": 0.9},
    "drawing": {
      "points": {"A": ["Ax", "Ay", "Az"], "B": ["Bx", "By", "Bz"], "C": ["Cx", "Cy", "Cz"],
                 "H": ["Hx", "Hy", "Hz"], "G": ["Gx", "Gy", "Gz"], "E": "C + [0.1, 0.3, 0.5]"},
      "vectors": {"u": ["ux", "uy", "uz"], "side": "cross(u, [0.1, 0.2, 1])", "pin": "cross(B - A, [0.3, 1, -0.2])",
                  "across": "cross(B - C, u)"},
      "lines": {"slide": {"through": "C", "along": "u"}}},
    "ground": {"drawn": ["A", "pin", "slide", "side"]},
    "bodies": {
      "crank": {"mass": 1, "com": "(A + B)/2", "inertia": {"xx": 0.03, "yy": 0.02, "zz": 0.04}, "drawn": ["A", "B", "pin"]},
      "rod": {"mass": 0.7, "inertia": {"slender": ["B", "C"]}, "drawn": ["B", "C", "across"]},
      "slider": {"mass": 2, "com": "C + [0.05, 0.1, 0]", "inertia": {"xx": 0.1, "yy": 0.2, "zz": 0.15},
                 "drawn": ["slide", "side", "C", "H", "G"], "vectors": {"along": "u"}},
      "lid": {"mass": 0.5, "com": "(H + G)/2 + [0.1, 0.2, 0.1]", "inertia": {"xx": 0.03, "yy": 0.02, "zz": 0.04},
              "drawn": ["H", "G", "E"]}},
    "joints": {"A": {"parent": "ground", "child": "crank", "initial": {"position": 0, "velocity": 2}},
               "lid": {"parent": "slider", "child": "lid", "initial": {"position": 0.2, "velocity": 1}}},
    "constraints": {"cross": {"dot": ["slider.along", "rod.across"]}},
    "forces": {"spring": {"type": "spring-damper", "from": "ground.A", "to": "lid.E", "stiffness": 30, "damping": 0.5,
                          "length": "norm(E - A)"}},
    "sensors": {"tip": {"position": "lid.E"}, "v": {"velocity": "slider.C"}},
    "objectives": {"way": {"integral": "dot(tip, [1, 2, 3])"}, "end": {"terminal": "dot(tip, tip)"},
                   "speed": {"integral": "dot(v, v)"}},
    "analysis": {"duration": 0.3, "step": 0.005, "formulation": "index1", "integrator": "rk4"}})json");
}

TEST(Drawings, HaveExactGradients) {
  const Model model = drawn_machine();
  EXPECT_EQ(describe(model).coordinates, 5u);
  EXPECT_EQ(describe(model).degrees_of_freedom, 2u);
  expect_exact_gradient(model);
}

// Nothing depends on where and how the paper lies: the same gradients by parameters that do not
// turn with it.
TEST(Drawings, MayBeTurned) {
  const auto machine = [](bool turned) {
    const std::string u = turned ? "[0.36, 0.48, -0.8]" : "[1, 0, 0]";
    const std::string v = turned ? "[-0.8, 0.6, 0]" : "[0, 1, 0]";
    const std::string w = turned ? "[0.48, 0.64, 0.6]" : "[0, 0, 1]";
    const std::string o = turned ? "[0.5, -1, 2]" : "[0, 0, 0]";
    const auto point = [&](const char* x, const char* y, const char* z) {
      return "\"" + o + " + (" + x + ")*" + u + " + (" + y + ")*" + v + " + (" + z + ")*" + w +
             "\"";
    };
    const auto vector = [&](const char* x, const char* y, const char* z) {
      return std::string("\"(") + x + ")*" + u + " + (" + y + ")*" + v + " + (" + z + ")*" + w +
             "\"";
    };
    return parse_model(
        R"json({"schema": "gradus-model/1", "name": "turned", "gravity": )json" +
        vector("1", "-3", "-9") +
        R"json(, "parameters": {"a": 0.5, "b": 0.8, "c": 0.3, "d": 0.2}, "drawing": {"points": {"O": )json" +
        point("0", "0", "0") + R"json(, "P": )json" + point("a", "0.1", "b") +
        R"json(, "Q": )json" + point("1", "c", "0.9") + R"json(, "R": )json" +
        point("1.5", "0.2", "d") + R"json(}, "vectors": {"n": )json" + vector("0.1", "1", "c") +
        R"json(, "m": )json" + vector("d", "0.9", "0.1") +
        R"json(}, "planes": {"table": {"through": "R", "normal": "m"}}}, "ground": {"drawn": ["O", "n", "table"]},
        "bodies": {
          "one": {"mass": 1, "inertia": {"slender": ["O", "P"]}, "drawn": ["O", "P", "n"]},
          "two": {"mass": 1, "com": "(P + 2*Q)/3", "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.1}, "drawn": ["P", "Q"]},
          "three": {"mass": 1, "com": "R", "inertia": {"xx": 0.1, "yy": 0.1, "zz": 0.1}, "drawn": ["Q", "table"],
                    "points": {"R": "R"}}},
        "joints": {"base": {"parent": "ground", "child": "one", "initial": {"position": 0, "velocity": 0}}},
        "sensors": {"q": {"position": "two.Q"}, "e": {"energy": "kinetic"}},
        "objectives": {"distance": {"integral": "norm(q - O)"}, "energy": {"terminal": "e"}},
        "analysis": {"duration": 0.3, "rtol": 1e-12, "atol": 1e-14, "formulation": "index1", "integrator": "dop853"}})json");
  };
  const Result flat = run_gradient(machine(false), "direct");
  const Result turned = run_gradient(machine(true), "direct");
  expect_equal_values(flat, turned, 1e-10);
  EXPECT_LT(largest_deviation(flat.gradient, turned.gradient, 4), 1e-9);
  for (const double entry : flat.gradient) EXPECT_GT(std::abs(entry), 1e-6);
}

}  // namespace
}  // namespace gradus::derivative
