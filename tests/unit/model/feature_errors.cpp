// Mistakes in joints, forces, constraints and sensors: each is named with what is found and what
// helps.
#include "tests/unit/model/mistakes.hpp"

namespace gradus {
namespace {

void expect_in_everything(const std::vector<Mistake>& mistakes) {
  gradus::expect_all(mistakes, [](const char* patch) { return everything_with(patch); });
}

TEST(FeatureErrors, TheModelHasNone) {
  EXPECT_EQ(error_of(everything_with("{}")), "no error");
}

TEST(FeatureErrors, StartValues) {
  expect_in_everything({
      {R"({"joints": {"ball": {"initial": {"position": 1}}}})",
       "/joints/ball/initial/position: found 1 (number), expected an array of 4"},
      {R"({"joints": {"ball": {"initial": {"velocity": [1, 2, 3, 4]}}}})",
       "/joints/ball/initial/velocity: found an array of 4, expected an array of 3"},
      {R"({"joints": {"free": {"initial": {"velocity": [1, 2, 3]}}}})",
       "/joints/free/initial/velocity: found an array of 3, expected an array of 6"},
      {R"({"joints": {"weld": {"initial": {"position": 0}}}})",
       "/joints/weld/initial/position: found 0 (number), expected nothing: the joint has no "
       "coordinates"},
      {R"({"joints": {"fork": {"initial": {"position": [1]}}}})", "expected an array of 2"},
      {R"({"joints": {"ball": {"initial": {"position": [0, "L - 1", 0, 0]}}}})",
       "/joints/ball/initial/position: found Euler parameters of length 0"},
      {R"({"joints": {"ball": {"initial": {"position": [1, 0, 0, {"guess": 0}]}}}})",
       "/joints/ball/initial/position: some Euler parameters are values and some are guesses"},
      {R"({"joints": {"ball": {"initial": {"position": [1, 0, 0, "1/0"]}}}})",
       "/joints/ball/initial/position: found \"1/0\""},
      {R"({"joints": {"hinge": {"cut": "no"}}})",
       "/joints/hinge/cut: found \"no\" (string), expected true or false"},
      {R"({"loops": {"touch": {"cut": true}}})", "/loops/touch: found the key \"cut\""},
      {R"({"joints": {"a.b": {"type": "fixed", "parent": "plate", "child": "lid"}}})",
       "/joints/a.b: found the name \"a.b\" (the point separates a joint from its coordinates"},
  });
}

TEST(FeatureErrors, Directions) {
  expect_in_everything({
      {R"({"joints": {"ball": {"axis": [0, 0, 1]}}})",
       "/joints/ball/axis: found \"axis\" (a spherical joint compares whole orientations, those of "
       "the body axes), remove it"},
      {R"({"joints": {"free": {"child_zero": [0, 0, 1]}}})",
       "/joints/free/child_zero: found \"child_zero\" (a floating joint"},
      {R"({"loops": {"touch": {"type": "spherical"}}})", "/loops/touch/axis: found \"axis\""},
      {R"({"loops": {"touch": {"type": "floating"}}})",
       "/loops/touch/type: found \"floating\" (it leaves everything free: nothing to close)"},
      {R"({"joints": {"fork": {"zero": ["L", 0, 0]}}})",
       "/joints/fork/zero: both axes are parallel (the axes of a cardan joint are perpendicular"},
      {R"({"joints": {"fork": {"child_axis": [-2, 0, 0]}}})",
       "/joints/fork/child_axis: both axes are parallel"},
      {R"({"joints": {"fork": {"child_zero": [0, 3, 0]}}})",
       "/joints/fork/child_zero: both axes are parallel"},
      {R"({"joints": {"fork": {"zero": null, "child_zero": [0, 3, 0]}}})",
       "/joints/fork: \"child_zero\" without \"child_axis\""},
      {R"({"joints": {"fork": {"axis": [0, 0, 0]}}})",
       "/joints/fork/axis: found a vector of length 0"},
      {R"({"joints": {"table": {"zero": [0, 0, 1]}}})",
       "/joints/table/zero: the direction is parallel to the axis"},
      {R"({"joints": {"weld": {"child_zero": [0, 0, 1]}}})",
       "/joints/weld: \"child_zero\" without \"zero\""},
  });
  for (const char* right : {R"({"joints": {"fork": {"zero": null}}})",
                            R"({"joints": {"fork": {"zero": null, "child_axis": [0, 1, 1]}}})",
                            R"({"joints": {"weld": {"axis": [0, 1, 0]}}})",
                            R"({"joints": {"fork": {"axis": null, "child_axis": [1, 0, 0]}}})"})
    EXPECT_EQ(error_of(everything_with(right)), "no error") << right;
}

TEST(FeatureErrors, Coordinates) {
  expect_in_everything({
      {R"({"forces": {"motor": {"joint": "fork"}}})",
       "/forces/motor/joint: found \"fork\" (the joint is cardan and has 2 coordinates), write "
       "\"fork.0\" (first angle, rad) or \"fork.1\" (second angle, rad)"},
      {R"({"forces": {"motor": {"joint": "fork.2"}}})",
       "found \"fork.2\" (the joint is cardan and has no coordinate \"2\"), write \"fork.0\""},
      {R"({"forces": {"motor": {"joint": "fork.one"}}})", "has no coordinate \"one\""},
      {R"({"forces": {"motor": {"joint": "fork."}}})", "has no coordinate \"\""},
      {R"({"forces": {"motor": {"joint": "fork.-1"}}})", "has no coordinate \"-1\""},
      {R"({"forces": {"motor": {"joint": "hinge.1"}}})", "write \"hinge.0\" (angle, rad)"},
      {R"({"forces": {"motor": {"joint": "fokr.1"}}})",
       "found \"fokr\" (there is no joint of that name), did you mean \"fork\"?"},
      {R"({"forces": {"motor": {"joint": "touch"}}})", "loops have no coordinates of their own"},
      {R"({"forces": {"motor": {"joint": "weld"}}})", "a fixed joint has no coordinates"},
      {R"({"forces": {"motor": {"joint": "ball.0"}}})",
       "/forces/motor/joint: found \"ball.0\" (it is an Euler parameter, which is neither an angle "
       "nor a length), use a force of type \"torque\""},
      {R"({"forces": {"coil": {"joint": "free.3"}}})", "it is an Euler parameter"},
      {R"({"constraints": {"drive": {"coordinate": "table"}}})",
       "/constraints/drive/coordinate: found \"table\" (the joint is planar and has 3 "
       "coordinates)"},
      {R"({"sensors": {"angle": {"coordinate": "weld"}}})",
       "/sensors/angle: found \"weld\" (a fixed joint has no coordinates)"},
      {R"({"sensors": {"angle": {"coordinate": "knee"}}})",
       "/sensors/angle: found \"knee\" (the joint is cut to close a loop"},
  });
  EXPECT_EQ(error_of(everything_with(R"({"forces": {"coil": {"joint": "free.2"}}})")), "no error");
}

TEST(FeatureErrors, Forces) {
  expect_in_everything({
      {R"({"forces": {"spring": {"law": "1"}}})",
       "/forces/spring: found the keys \"law\" and \"stiffness\" (the law states the whole "
       "tension)"},
      {R"({"forces": {"coil": {"stiffness": null, "damping": null}}})",
       "/forces/coil: neither \"stiffness\" nor \"damping\""},
      {R"({"forces": {"mount": {"stiffness": null, "damping": null, "torsional_stiffness": null, "torsional_damping": null}}})",
       "/forces/mount: no stiffness and no damping"},
      {R"({"forces": {"mount": {"stiffness": 3}}})",
       "/forces/mount/stiffness: found 3 (number), expected a vector"},
      {R"({"forces": {"mount": {"stiffness": [0, "1/0", 0]}}})",
       "/forces/mount/stiffness/1: found"},
      {R"({"forces": {"mount": {"to": "ground"}}})",
       "/forces/mount: both ends are on the same body (a bushing connects two bodies)"},
      {R"({"forces": {"wind": {"axes": "local"}}})",
       "/forces/wind/axes: found \"local\" (string), expected one of \"global\", \"body\""},
      {R"({"forces": {"wind": {"components": 3}}})", "/forces/wind/components: found 3"},
      {R"({"forces": {"wind": {"body": "lid"}}})", "/forces/wind: found the key \"body\""},
      {R"({"forces": {"wind": {"at": "lid.tip"}}})", "/forces/wind/at: found \"lid.tip\""},
      {R"({"forces": {"wind": {"at": "ground.wall"}}})", "the ground does not move"},
      {R"({"forces": {"jet": {"body": "ground"}}})", "the ground does not move"},
      {R"({"forces": {"jet": {"body": "satellite.com"}}})",
       "/forces/jet/body: found \"satellite.com\" (a body is meant as a whole), write "
       "\"satellite\""},
      {R"({"forces": {"coil": {"angle": "nothing"}}})", "/forces/coil/angle: unknown name"},
      {R"({"parameters": {"rate": 1}})",
       "/parameters/rate: the name \"rate\" is taken (in a law of the force \"rubber\" it "
       "stands "
       "for a number of the force itself), rename it"},
      {R"({"definitions": {"length": 1}})", "/definitions/length: the name \"length\" is taken"},
      {R"({"sensors": {"length": {"coordinate": "hinge"}}})", "/sensors/length: the name"},
  });
}

TEST(FeatureErrors, Laws) {
  expect_in_everything({
      {R"({"states": {"kept": {"every": 0.1, "next": "jerk.x"}}})",
       "/states/kept/next: \"jerk\" cannot be used here at column 1 of \"jerk.x\" (samples depend "
       "on positions and velocities only and it is a sensor of kind \"acceleration\"), use sensors "
       "of kind \"angle\", \"angular_velocity\""},
      {R"({"states": {"kept": {"every": 0.1, "next": "drive_power"}}})",
       "(samples depend on positions and velocities only and it is a sensor of kind "
       "\"constraint_power\")"},
      {R"({"forces": {"motor": {"value": "energy"}}})", "it is a sensor of kind \"energy\""},
      {R"({"forces": {"motor": {"value": "drift.x"}}})", "it is a sensor of kind \"momentum\""},
      {R"({"forces": {"motor": {"value": "whirl.x"}}})", "it is a sensor of kind \"momentum\""},
      {R"({"forces": {"motor": {"value": "length"}}})",
       "/forces/motor/value: unknown name \"length\""},
      {R"({"forces": {"motor": {"value": "place"}}})", "/forces/motor/value: a vector at column 1"},
      {R"({"forces": {"motor": {"value": "orientation"}}})",
       "\"orientation\" as a whole at column 1 of \"orientation\" (it has 4 components and is "
       "neither "
       "a scalar nor a vector), write orientation.0 to orientation.3"},
      {R"({"forces": {"motor": {"value": "turnign"}}})", "did you mean \"turning\"?"},
      {R"_({"forces": {"motor": {"value": "k/(L - 1)"}}})_",
       "/forces/motor/value: found \"k/(L - 1)\" (its value is inf at the parameter values of the "
       "model)"},
      {R"({"forces": {"wind": {"components": [0, "0/0", 0]}}})",
       "/forces/wind/components/1: found \"0/0\""},
      {R"_({"forces": {"rubber": {"law": "log(0)"}}})_", "/forces/rubber/law: found \"log(0)\""},
      {R"({"bodies": {"rod": {"mass": "length"}}})", "/bodies/rod/mass: unknown name \"length\""},
  });
}

TEST(FeatureErrors, Constraints) {
  expect_in_everything({
      {R"({"constraints": {"rope": {"dot": ["crank.up", "slider.up"]}}})",
       "/constraints/rope: found the keys \"distance\" and \"dot\""},
      {R"({"constraints": {"rope": {"distance": null}}})",
       "/constraints/rope: found none of its keys, expected exactly one of \"coincident\", "
       "\"coordinate\", \"distance\", \"dot\", \"expression\""},
      {R"({"constraints": {"rope": {"value": null}}})",
       "/constraints/rope: the key \"value\" is missing (it says what the distance is kept at)"},
      {R"({"constraints": {"drive": {"value": null}}})", "what the coordinate is kept at"},
      {R"({"constraints": {"pin": {"value": 0}}})",
       "/constraints/pin: found the key \"value\" (points coincide or they do not)"},
      {R"({"constraints": {"level": {"value": 0}}})", "the expression itself is kept at 0"},
      {R"({"constraints": {"rope": {"distance": ["rod"]}}})",
       "/constraints/rope/distance: found an array of 1, expected an array of 2"},
      {R"({"constraints": {"rope": {"distance": ["rod", "rod.tap"]}}})",
       "/constraints/rope/distance/1: found \"rod.tap\""},
      {R"({"constraints": {"rope": {"distance": ["rod.tip", "rod.tip"]}}})",
       "/constraints/rope/distance: both ends are at \"rod.tip\""},
      {R"({"constraints": {"rope": {"distance": ["rod.tip", "rod"]}}})",
       "/constraints/rope/distance: both ends are on the same body"},
      {R"({"constraints": {"pin": {"coincident": ["rod.tip", "rod"]}}})",
       "/constraints/pin/coincident: both ends are on the same body"},
      {R"({"constraints": {"square": {"dot": ["crank.up", "crank.along"]}}})",
       "/constraints/square/dot: both ends are on the same body"},
      {R"({"constraints": {"square": {"dot": ["crank.tip", "slider.up"]}}})",
       "/constraints/square/dot/0: found \"crank.tip\" (\"tip\" is a point of body \"crank\", not "
       "a "
       "vector)"},
      {R"({"constraints": {"square": {"dot": ["crank", "slider.up"]}}})",
       "/constraints/square/dot/0: found \"crank\" (it names a body and no vector of it)"},
      {R"({"constraints": {"square": {"dot": ["crank.up", "slider.pu"]}}})",
       "body \"slider\" has no vector \"pu\"), did you mean \"up\"?"},
      {R"({"bodies": {"slider": {"vectors": {"up": [0, "L - 1", 0]}}}})",
       "/constraints/square/dot/1: found a vector of length 0"},
      {R"({"constraints": {"rope": {"value": "1 - L"}}})",
       "/constraints/rope/value: found 0 (a distance that is kept is above 0), write "
       "\"coincident\""},
      {R"({"constraints": {"rope": {"value": -1}}})", "/constraints/rope/value: found -1"},
      {R"({"constraints": {"rope": {"value": "angle"}}})",
       "/constraints/rope/value: \"angle\" cannot be used here at column 1 of \"angle\" (the value "
       "of "
       "a constraint depends on parameters and the time t only and it is a sensor of kind "
       "\"coordinate\"), write the whole constraint as \"expression\""},
      {R"({"constraints": {"drive": {"value": "1/0"}}})",
       "/constraints/drive/value: found \"1/0\""},
      {R"({"constraints": {"level": {"expression": "turning"}}})",
       "/constraints/level/expression: \"turning\" cannot be used here at column 1 of \"turning\" "
       "(constraints hold positions and states only and it is a sensor of kind \"rate\")"},
      {R"({"constraints": {"level": {"expression": "speed.x"}}})",
       "constraints hold positions and states only"},
      {R"({"constraints": {"level": {"expression": "t + L"}}})",
       "/constraints/level/expression: found an expression without sensors"},
      {R"({"constraints": {"level": {"expression": 3}}})", "found an expression without sensors"},
      {R"({"constraints": {"level": {"expression": "place"}}})", "a vector at column 1"},
  });
}

TEST(FeatureErrors, Sensors) {
  expect_in_everything({
      {R"({"sensors": {"direction": {"vector": "crank.tip"}}})", "is a point of body \"crank\""},
      {R"({"sensors": {"direction": {"vector": "ground"}}})",
       "it names a body and no vector of it"},
      {R"({"sensors": {"spin": {"angular_velocity": "satellite.com"}}})", "meant as a whole"},
      {R"({"sensors": {"spin": {"angular_velocity": "ground"}}})", "the ground does not turn"},
      {R"({"sensors": {"spin": {"angular_velocity": "satelite"}}})", "did you mean \"satellite\"?"},
      {R"({"sensors": {"stretch": {"distance": "rod"}}})", "expected an array of 2"},
      {R"({"sensors": {"stretch": {"distance": ["rod", "rod"]}}})",
       "/sensors/stretch/distance: both ends are at \"rod\" (there is nothing between them)"},
      {R"({"sensors": {"stretch": {"distance": ["rod", "rdo"]}}})",
       "/sensors/stretch/distance/1: found \"rdo\""},
      {R"({"sensors": {"closing": {"distance_rate": ["rod", "rod"]}}})",
       "/sensors/closing/distance_rate: both ends are at \"rod\""},
      {R"({"sensors": {"bearing": {"angle": ["crank.up", "crank.up"]}}})",
       "/sensors/bearing/angle: found \"crank.up\" twice (there is nothing between them), name two "
       "different vectors"},
      {R"({"sensors": {"bearing": {"angle": ["crank.up", "slider.pu"]}}})",
       "/sensors/bearing/angle/1: found \"slider.pu\""},
      {R"({"constraints": {"level": {"expression": "bearing + pace"}}})",
       "it is a sensor of kind \"speed\"), use sensors of kind \"angle\", \"coordinate\", "
       "\"distance\", \"position\", \"relative_position\", \"state\" or \"vector\""},
      {R"({"sensors": {"push": {"reaction_force": "hnge"}}})",
       "/sensors/push: found \"hnge\" (there is no joint or loop of that name), did you mean "
       "\"hinge\"?"},
      {R"({"sensors": {"pull": {"tension": "rubbr"}}})",
       "/sensors/pull: found \"rubbr\" (there is no force of that name), did you mean \"rubber\"?"},
      {R"({"sensors": {"pull": {"tension": "mount"}}})",
       "/sensors/pull/tension: found \"mount\" (it is of type \"bushing\" and has no tension), "
       "name a force along a line, such as one of type \"spring-damper\""},
      {R"({"sensors": {"pull": {"tension": null, "applied_torque": "spring"}}})",
       "/sensors/pull/applied_torque: found \"spring\" (it is of type \"spring-damper\"), use "
       "\"applied_force\""},
      {R"({"sensors": {"pull": {"tension": null, "applied_force": "motor"}}})",
       "/sensors/pull/applied_force: found \"motor\" (it is of type \"joint-force\" on an angle of "
       "a "
       "joint), use \"applied_torque\""},
      {R"({"forces": {"push": {"type": "joint-force", "joint": "rail", "value": 1}},
           "sensors": {"pull": {"tension": null, "applied_torque": "push"}}})",
       "on a translation of a joint), use \"applied_force\""},
      {R"({"sensors": {"brought": {"power": "hinge"}}})", "there is no force of that name"},
      {R"({"sensors": {"drive_power": {"constraint_power": "driven"}}})",
       "/sensors/drive_power: found \"driven\" (there is no constraint of that name), did you mean "
       "\"drive\"?"},
      {R"({"sensors": {"drive_power": {"constraint_power": "level"}}})",
       "found \"level\" (the constraint holds at the start only and exerts no force)"},
      {R"({"forces": {"wind": {"components": ["pull", 0, 0]}}})",
       "it is a sensor of kind \"tension\""},
      {R"({"sensors": {"drift": {"momentum": "total"}}})",
       "/sensors/drift/momentum: found \"total\" (string), expected one of \"linear\", "
       "\"angular\""},
  });
}

TEST(FeatureErrors, Analysis) {
  expect_in_everything({
      {R"({"analysis": {"formulation": "penalti"}})", "did you mean \"penalty\"?"},
      {R"({"analysis": {"integrator": "rk5"}})", "did you mean \"rk4\"?"},
      {R"({"analysis": {"projections": "all"}})", "/analysis/projections: found \"all\""},
      {R"({"analysis": {"projection_tolerance": -1}})", "/analysis/projection_tolerance: found -1"},
      {R"({"analysis": {"columns_in_error": 1}})", "/analysis/columns_in_error: found 1"},
      {R"({"analysis": {"stabilisation": "all"}})", "/analysis/stabilisation: found \"all\""},
      {R"({"analysis": {"iteration": "chord"}})", "/analysis/iteration: found \"chord\""},
      {R"({"analysis": {"rtol": 0}})", "/analysis/rtol: found 0"},
      {R"({"analysis": {"rtol": 1e-20}})",
       "/analysis/rtol: found 1e-20 (smaller errors are round-off, larger ones no accuracy), "
       "choose "
       "a value from 1e-14 to 0.1"},
      {R"({"analysis": {"rtol": 10}})", "/analysis/rtol: found 10"},
      {R"({"analysis": {"rtol": "0/0"}})", "/analysis/rtol: found nan"},
      {R"({"analysis": {"atol": -1}})", "/analysis/atol: found -1"},
      {R"({"analysis": {"atol": 0}})", "/analysis/atol: found 0"},
      {R"({"analysis": {"atol": 1e300}})", "choose a value above 0 and up to 1e6"},
      {R"({"analysis": {"atol": "0/0"}})", "/analysis/atol: found nan"},
      {R"({"analysis": {"duration": 1e12, "step": 0.001}})",
       "/analysis/duration: found 1e+12 (it would take 1e+15 steps of 0.001 s, the step where none "
       "is stated), at most 1e+09 are possible; state a longer step, and with it the integrator"},
      {R"({"analysis": {"penalty": 0}})", "/analysis/penalty: found 0"},
      {R"({"analysis": {"penalties": {"hnge": 1e7}}})",
       "/analysis/penalties: found \"hnge\" (there is no constraint, loop or joint of that name), "
       "did you mean \"hinge\"?"},
      {R"({"analysis": {"penalties": {"hinge": -1}}})", "/analysis/penalties/hinge: found -1"},
      {R"({"analysis": {"frequency": 0}})", "/analysis/frequency: found 0"},
      {R"({"analysis": {"damping_ratio": 0}})", "/analysis/damping_ratio: found 0"},
      {R"({"analysis": {"spectral_radius": 1.1}})",
       "/analysis/spectral_radius: found 1.1 (a step multiplies what oscillates fastest by it), "
       "choose a value from 0 to 1"},
      {R"({"analysis": {"integrator": "hht", "spectral_radius": 0.4}})",
       "/analysis/spectral_radius: found 0.4 (hht is unstable below 1/2)"},
      {R"({"analysis": {"gamma": 0.4}})", "/analysis/gamma: found 0.4"},
      {R"({"analysis": {"gamma": 0.7, "beta": 0.3}})",
       "/analysis/beta: found 0.3 (steps of newmark are stable, whatever their length, from "
       "gamma/2 "
       "on), choose a value from 0.35 to 2"},
      {R"({"analysis": {"spectral_radius": "0/0"}})", "/analysis/spectral_radius: found nan"},
  });
}

}  // namespace
}  // namespace gradus
