// Models that are well written but wrong: each mistake is named with what is found and what helps.
#include "tests/unit/model/mistakes.hpp"

namespace gradus {
namespace {

void expect_in_small_model(const std::vector<Mistake>& mistakes) {
  gradus::expect_all(mistakes, [](const char* patch) { return small_model_with(patch); });
}

TEST(ValidationErrors, TheSmallModelHasNone) {
  EXPECT_EQ(error_of(small_model), "no error");
  EXPECT_EQ(error_of(small_model_with("{}")), "no error");
}

TEST(ValidationErrors, Names) {
  expect_in_small_model({
      {R"({"parameters": {"2a": 1}})",
       "/parameters/2a: found the name \"2a\" (expressions cannot use it)"},
      {R"({"parameters": {"a b": 1}})", "expressions cannot use it"},
      {R"({"parameters": {"": 1}})", "/parameters: found an empty name"},
      {R"({"parameters": {"sin": 1}})", "it stands for a function"},
      {R"({"parameters": {"pi": 3}})", "it stands for a function or constant"},
      {R"({"parameters": {"t": 3}})", "it stands for the time"},
      {R"({"parameters": {"half": 3}})",
       "/definitions/half: the name \"half\" is taken (one of the parameters bears it)"},
      {R"({"sensors": {"half": {"coordinate": "hinge"}}})",
       "/sensors/half: the name \"half\" is taken"},
      {R"({"sensors": {"cos": {"coordinate": "hinge"}}})", "it stands for a function"},
      {R"({"bodies": {"a.b": {"mass": 1, "com": [0,0,0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}}})",
       "the point separates a body from its points"},
      {R"({"bodies": {"ground": {"mass": 1, "com": [0,0,0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}}})",
       "a body called \"ground\""},
      {R"({"bodies": {"arm": {"points": {"a.b": [0,0,0]}}}})",
       "/bodies/arm/points/a.b: found the name"},
      {R"({"bodies": {"arm": {"points": {"com": [0,0,0]}}}})", "the name \"com\" is taken"},
      {R"({"loops": {"hinge": {"type": "revolute", "parent": "ground", "child": "slider"}}})",
       "/loops/hinge: the name \"hinge\" is taken (one of the joints bears it)"},
      {R"({"name": "a\nb"})", "it contains a control character"},
  });
}

TEST(ValidationErrors, References) {
  expect_in_small_model({
      {R"({"joints": {"hinge": {"child": "amr"}}})",
       "/joints/hinge/child: found \"amr\" (there is no body \"amr\"), did you mean \"arm\"?"},
      {R"({"joints": {"hinge": {"parent": "grund"}}})", "did you mean \"ground\"?"},
      {R"({"joints": {"rail": {"parent": "arm.tp"}}})",
       "/joints/rail/parent: found \"arm.tp\" (body \"arm\" has no point \"tp\"), did you mean "
       "\"tip\"?"},
      {R"({"joints": {"hinge": {"parent": "ground.xyzzy"}}})", "the ground has no point \"xyzzy\""},
      {R"({"joints": {"hinge": {"parent": "ground.com"}}})", "the ground has no point \"com\""},
      {R"({"joints": {"rail": {"parent": "slider"}}})",
       "/joints/rail: both \"parent\" \"slider\" and \"child\" \"slider\" are on the same body"},
      {R"({"loops": {"closing": {"parent": "slider.com"}}})", "/loops/closing: both"},
      {R"({"forces": {"spring": {"from": "slidr"}}})", "/forces/spring/from: found \"slidr\""},
      {R"({"forces": {"spring": {"to": "ground"}}})",
       "/forces/spring: both ends are at \"ground\""},
      {R"({"sensors": {"place": {"position": "arm.tap"}}})", "/sensors/place: found \"arm.tap\""},
      {R"({"sensors": {"angle": {"coordinate": "hnge"}}})",
       "there is no joint of that name), did you mean \"hinge\"?"},
      {R"({"sensors": {"angle": {"coordinate": "closing"}}})",
       "loops have no coordinates of their own"},
      {R"({"bodies": {"arm": {"inertia": {"about": "tup"}}}})",
       "/bodies/arm/inertia/about: found \"tup\" (the body has no such point), did you mean "
       "\"tip\"?"},
  });
}

TEST(ValidationErrors, NoBody) {
  expect_in_small_model({
      {R"({"bodies": {"arm": null, "slider": null}, "joints": {"hinge": null, "rail": null}, "loops": null, "forces": null, "sensors": null, "objectives": null})",
       "/bodies: found no body"},
  });
}

TEST(ValidationErrors, Numbers) {
  expect_in_small_model({
      {R"({"bodies": {"arm": {"mass": "lenght"}}})",
       "/bodies/arm/mass: unknown name \"lenght\" at column 1 of \"lenght\""},
      {R"_({"bodies": {"arm": {"mass": "1/(length - 2)"}}})_",
       "/bodies/arm/mass: found \"1/(length - 2)\" (its value is inf at the parameter values of "
       "the model)"},
      {R"_({"bodies": {"arm": {"com": [0, "sqrt(-length)", 0]}}})_",
       "/bodies/arm/com/1: found \"sqrt(-length)\" (its value is nan "},
      {R"({"bodies": {"arm": {"mass": "tip"}}})", "/bodies/arm/mass: a vector at column 1"},
      {R"({"bodies": {"arm": {"mass": "place.x"}}})",
       "sensors and the time t can be used in objectives, constraints, forces and states "
       "only"},
      {R"({"bodies": {"arm": {"mass": "t"}}})",
       "sensors and the time t can be used in objectives, constraints, forces and states "
       "only"},
      {R"({"bodies": {"arm": {"mass": "half - length"}}})",
       "/bodies/arm/mass: found -1 (masses are not negative)"},
      {R"_({"bodies": {"arm": {"points": {"tip": ["log(0)", 0, 0]}}}})_",
       "/bodies/arm/points/tip/0: found \"log(0)\""},
      {R"({"bodies": {"arm": {"vectors": {"up": [0, "1/0", 0]}}}})",
       "/bodies/arm/vectors/up/1: found \"1/0\""},
      {R"({"ground": {"points": {"wall": ["0/0", 0, 0]}}})",
       "/ground/points/wall/0: found \"0/0\""},
      {R"({"gravity": [0, "1/0", 0]})", "/gravity/1: found \"1/0\""},
      {R"({"forces": {"spring": {"damping": "nothing"}}})",
       "/forces/spring/damping: unknown name \"nothing\""},
      {R"({"joints": {"hinge": {"initial": {"position": "1/0"}}}})",
       "/joints/hinge/initial/position: found \"1/0\""},
      {R"_({"definitions": {"half": "1/(length - 2)"}})_",
       "/definitions/half: found \"1/(length - 2)\""},
  });
}

TEST(ValidationErrors, ParametersAndDefinitions) {
  expect_in_small_model({
      {R"({"parameters": {"stiffness": "50*length"}})",
       "/parameters/stiffness/value: unknown name \"length\""},
      {R"({"parameters": {"stiffness": "50*length"}})",
       "put what depends on others under \"definitions\""},
      {R"({"parameters": {"stiffness": "[1, 2, 3]"}})", "/parameters/stiffness/value: a vector"},
      {R"({"parameters": {"stiffness": "1/0"}})", "/parameters/stiffness/value: found \"1/0\""},
      {R"({"parameters": {"length": {"bounds": [3, 1]}}})", "bounds are finite and ascend"},
      {R"({"parameters": {"length": {"value": 4}}})",
       "/parameters/length/value: found 4 (it lies outside its bounds [1, 3])"},
      {R"({"definitions": {"half": "half + 1"}})",
       "/definitions/half: cyclic definition (\"half\" needs \"half\")"},
      {R"({"definitions": {"a": "b", "b": "c.x", "c": "[half, a, 1]"}})",
       "\"a\" needs \"b\" needs \"c\" needs \"a\""},
      {R"({"definitions": {"a": "b*2"}})", "/definitions/a: unknown name \"b\""},
  });
}

TEST(ValidationErrors, Inertia) {
  expect_in_small_model({
      {R"({"bodies": {"arm": {"inertia": {"yy": -0.2}}}})",
       "/bodies/arm/inertia: the inertia about the centre of mass has the eigenvalue -0.2"},
      {R"({"bodies": {"arm": {"inertia": {"xy": 1}}}})", "has the eigenvalue -0.85"},
      // About the tip, a mass of 1 kg at 1 m needs 1 kg m^2 across: 0.2 is too little.
      {R"({"bodies": {"arm": {"inertia": {"about": "tip"}}}})", "has the eigenvalue -0.8"},
  });
}

TEST(ValidationErrors, InertiaOfAPointMassAboutAPointFarAway) {
  // Only round-off is left about the centre of mass, and it may have either sign.
  for (int i = 1; i < 20; ++i) {
    const std::string definitions = "\"x\": \"sqrt(" + std::to_string(i) +
                                    ")*1000\", \"y\": \"sin(" + std::to_string(i) + ")\"";
    EXPECT_EQ(error_of(small_model_with(R"_({
      "definitions": {)_" + definitions +
                                        R"_(, "m": "1/3"},
      "bodies": {"arm": {"mass": "m", "com": ["x", "y", 0], "points": {"far": [0, 0, 0]},
        "inertia": {"xx": "m*y^2", "yy": "m*x^2", "zz": "m*(x^2 + y^2)", "xy": "-m*x*y",
                    "about": "far"}}}})_")),
              "no error");
  }
}

TEST(ValidationErrors, Joints) {
  expect_in_small_model({
      {R"({"joints": {"hinge": {"axis": [0, 0, 0]}}})",
       "/joints/hinge/axis: found a vector of length 0"},
      {R"({"joints": {"hinge": {"axis": [0, "length - 2", 0]}}})",
       "/joints/hinge/axis: found a vector of length 0"},
      {R"({"joints": {"hinge": {"axis": [0, 1e160, 0]}}})",
       "/joints/hinge/axis: found a vector of length 1e+160 (its square overflows)"},
      {R"({"joints": {"hinge": {"zero": [1e101, 0, 0]}}})", "of length 1e+101"},
      {R"({"joints": {"hinge": {"child_axis": [0, 0, 0]}}})",
       "/joints/hinge/child_axis: found a vector of length 0"},
      {R"({"joints": {"hinge": {"zero": [0, -2, 0]}}})",
       "/joints/hinge/zero: the direction is parallel to the axis"},
      {R"({"joints": {"hinge": {"zero": [1, 0, 0], "child_zero": [0, 3, 0]}}})",
       "/joints/hinge/child_zero: the direction is parallel"},
      {R"({"joints": {"hinge": {"zero": [1, 0, 0], "child_axis": [1, 0, 0]}}})",
       "/joints/hinge/zero: the direction is parallel"},
      {R"({"joints": {"hinge": {"child_zero": [1, 0, 0]}}})", "\"child_zero\" without \"zero\""},
      {R"({"loops": {"closing": {"axis": [0, 0, 0]}}})",
       "/loops/closing/axis: found a vector of length 0"},
  });
}

TEST(ValidationErrors, ObjectivesAndAnalysis) {
  expect_in_small_model({
      {R"({"objectives": {"cost": {"integral": "place"}}})",
       "/objectives/cost/integral: a vector at column 1"},
      {R"({"objectives": {"cost": {"integral": "plaec.x"}}})", "did you mean \"place\"?"},
      {R"({"objectives": {"cost": {"integral": null, "residuals": ["t", "plaec"]}}})",
       "/objectives/cost/residuals/1: "},
      {R"({"objectives": {"cost": {"integral": null, "terminal_residuals": ["t", "1/0"]}}})",
       "/objectives/cost/terminal_residuals: found a constant residual (its value is inf)"},
      {R"({"objectives": {"cost": {"integral": "angle.x"}}})", "only vectors have components"},
      {R"({"objectives": {"cost": {"integral": "1/0"}}})",
       "/objectives/cost/integral: found \"1/0\" (its value is inf)"},
      {R"({"analysis": {"step": 0}})", "/analysis/step: found 0 (it must be positive and finite)"},
      {R"({"analysis": {"step": -1}})", "/analysis/step: found -1"},
      {R"({"analysis": {"duration": 0}})", "/analysis/duration: found 0"},
      {R"({"analysis": {"duration": "1/0"}})", "/analysis/duration: found inf"},
      {R"({"analysis": {"tolerance": 0}})", "/analysis/tolerance: found 0"},
      {R"({"analysis": {"step": 1e-10}})", "a duration of 1 s would take 1e+10 steps"},
  });
}

}  // namespace
}  // namespace gradus
