// Everything that a model file can say arrives in the model.
#include <gtest/gtest.h>

#include <filesystem>

#include "gradus/model.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/objective_rows.hpp"
#include "tests/support/source_path.hpp"

namespace gradus {
namespace {

const Model& everything() {
  static const Model model = read_model(source_path("tests/unit/model/models/everything.json"));
  return model;
}

template <class Elements>
auto named(const Elements& elements, const std::string& name) {
  for (const auto& element : elements)
    if (element.name == name) return element;
  ADD_FAILURE() << "nothing is called " << name;
  return elements.front();
}

TEST(Everything, Parameters) {
  const std::vector<Parameter>& parameters = everything().parameters;
  ASSERT_EQ(parameters.size(), 9u);
  EXPECT_EQ(parameters[1].unit, "N/m");
  EXPECT_EQ(parameters[3].name, "load[0]");
  EXPECT_EQ(parameters[4].value.value(), 20.0);
  EXPECT_EQ(*parameters[5].bounds, (std::array<double, 2>{-10, 0}));
  EXPECT_EQ(parameters[6].unit, "N m");
  EXPECT_EQ(parameters[8].name, "scale[1]");
  EXPECT_EQ(*parameters[8].bounds, (std::array<double, 2>{0, 3}));
  EXPECT_EQ(named(everything().definitions, "beats").expression, "[0, 0.5, 1.2, 2]");
}

TEST(Everything, Shapes) {
  const std::vector<Shape> shapes = named(everything().bodies, "satellite").shapes;
  ASSERT_EQ(shapes.size(), 6u);
  EXPECT_EQ(shapes[0].size[1].expression(), "L");
  EXPECT_EQ(shapes[0].axis[1].value(), 1.0);
  EXPECT_EQ((*shapes[0].zero)[2].value(), 1.0);
  EXPECT_EQ(shapes[0].color, "#c8372d");
  EXPECT_EQ(shapes[1].radius.value(), 0.1);
  EXPECT_EQ(shapes[1].at[2].expression(), "L");
  EXPECT_EQ(shapes[2].size[2].value(), 3.0);
  EXPECT_EQ(shapes[3].length.value(), 1.0);
  EXPECT_FALSE(shapes[3].ends);
  EXPECT_EQ((*shapes[4].ends)[1][2].expression(), "L");
  EXPECT_EQ(shapes[5].vertices.size(), 9u);
  EXPECT_EQ(shapes[5].scale[1].value(), 2.0);
}

TEST(Everything, Joints) {
  const std::vector<Joint>& joints = everything().joints;
  EXPECT_EQ(named(joints, "ball").type, JointType::spherical);
  EXPECT_EQ(named(joints, "fork").type, JointType::cardan);
  EXPECT_EQ(named(joints, "sleeve").type, JointType::cylindrical);
  EXPECT_EQ(named(joints, "table").type, JointType::planar);
  EXPECT_EQ(named(joints, "weld").type, JointType::fixed);
  EXPECT_EQ(named(joints, "free").type, JointType::floating);
  EXPECT_EQ((*named(joints, "table").child_zero)[1].value(), 1.0);
  EXPECT_FALSE(named(joints, "ball").axis.has_value());
  EXPECT_EQ(named(joints, "knee").cut, true);
  EXPECT_EQ(named(joints, "weld").cut, false);
  EXPECT_FALSE(named(joints, "hinge").cut.has_value());
  EXPECT_TRUE(named(joints, "sleeve").start.empty());
}

TEST(Everything, AngularVelocitiesBelongToTheLastThreeEulerParameters) {
  const std::vector<CoordinateStart> ball = named(everything().joints, "ball").start;
  ASSERT_EQ(ball.size(), 4u);
  EXPECT_EQ(ball[3].position.value(), 0.5);
  EXPECT_EQ(ball[0].velocity.value(), 0.0);
  EXPECT_EQ(ball[1].velocity.value(), 0.1);
  EXPECT_EQ(ball[3].velocity.value(), 0.3);
  EXPECT_FALSE(ball[2].velocity_is_guess);
  EXPECT_TRUE(ball[3].velocity_is_guess);
  EXPECT_FALSE(ball[3].position_is_guess);

  const std::vector<CoordinateStart> free = named(everything().joints, "free").start;
  ASSERT_EQ(free.size(), 7u);
  EXPECT_EQ(free[2].velocity.value(), 6.0);
  EXPECT_EQ(free[3].position.value(), 1.0);
  EXPECT_EQ(free[3].velocity.value(), 0.0);
  EXPECT_EQ(free[4].velocity.value(), 7.0);
  EXPECT_EQ(free[6].velocity.value(), 9.0);
  EXPECT_FALSE(free[2].velocity_is_guess);
  EXPECT_TRUE(free[6].position_is_guess);
  EXPECT_TRUE(free[6].velocity_is_guess);
}

TEST(Everything, PositionsThatAreNotGivenAreGuesses) {
  const std::vector<CoordinateStart> rail = named(everything().joints, "rail").start;
  ASSERT_EQ(rail.size(), 1u);
  EXPECT_TRUE(rail[0].position_is_guess);
  EXPECT_TRUE(rail[0].velocity_is_guess);
  EXPECT_EQ(rail[0].velocity.value(), 3.0);
  const std::vector<CoordinateStart> ball = guessed_start(JointType::spherical);
  EXPECT_EQ(ball[0].position.value(), 1.0);
  EXPECT_EQ(ball[1].position.value(), 0.0);
  EXPECT_TRUE(ball[1].position_is_guess);
  EXPECT_EQ(start_of(named(everything().joints, "sleeve")).size(), 2u);
  EXPECT_EQ(start_of(named(everything().joints, "hinge"))[0].velocity.value(), 2.0);
}

TEST(Everything, Constraints) {
  const std::vector<Constraint>& constraints = everything().constraints;
  ASSERT_EQ(constraints.size(), 7u);
  EXPECT_EQ(constraints[0].type, "distance");
  EXPECT_EQ(constraints[0].first, "rod.com");
  EXPECT_EQ(constraints[0].second, "satellite");
  EXPECT_EQ(constraints[0].value.expression(), "2*L + 0.1*sin(t)");
  EXPECT_EQ(constraints[1].type, "dot");
  EXPECT_EQ(constraints[1].value.value(), 0.0);
  EXPECT_EQ(constraints[3].type, "coincident");
  EXPECT_EQ(constraints[5].type, "coordinate");
  EXPECT_EQ(constraints[5].first, "table.1");
  EXPECT_EQ(constraints[6].type, "expression");
  EXPECT_TRUE(constraints[6].at_start);
  EXPECT_FALSE(constraints[5].at_start);
  EXPECT_TRUE(constraints[6].value.is_expression());
}

TEST(Everything, Forces) {
  const Model& model = everything();
  ASSERT_EQ(model.forces.size(), 7u);
  const auto value = [&](std::size_t force, const char* key) -> const ForceValue& {
    return *model.forces[force].find(key);
  };
  EXPECT_EQ(model.forces[0].type, "spring-damper");
  EXPECT_EQ(value(0, "stiffness").text(), "k");
  EXPECT_EQ(model.forces[0].find("law"), nullptr);
  EXPECT_EQ(value(1, "law").text(), "k*max(length - L, 0)^1.5 + 2*rate + speed.x*t");
  EXPECT_EQ(model.forces[2].type, "torsional-spring-damper");
  EXPECT_EQ(value(2, "joint").text(), "fork.1");
  EXPECT_EQ(value(2, "angle").number().value(), 0.5);
  EXPECT_EQ(model.forces[3].type, "force");
  EXPECT_EQ(value(3, "at").text(), "plate.com");
  EXPECT_EQ(model.forces[3].find("axes"), nullptr);
  EXPECT_EQ(model.forces[4].type, "torque");
  EXPECT_EQ(value(4, "body").text(), "satellite");
  EXPECT_EQ(value(4, "axes").text(), "body");
  EXPECT_EQ(value(4, "components").vector()[2].expression(), "spin.z");
  EXPECT_EQ(model.forces[5].type, "joint-force");
  EXPECT_EQ(value(5, "value").text(), "scale[1]*spline(t, beats, load) - 2*turning");
  ASSERT_EQ(model.states.size(), 3u);
  EXPECT_EQ(model.states[0].name, "wound");
  EXPECT_EQ(model.states[0].rate.expression(), "half - angle - 0.1*slack");
  EXPECT_EQ(model.states[0].initial.expression(), "L");
  EXPECT_EQ(model.states[0].unit, "rad s");
  EXPECT_EQ(model.states[1].rate.value(), -1.0);
  EXPECT_EQ(model.states[1].initial.value(), 0.0);
  EXPECT_EQ(model.states[1].every, 0.0);
  EXPECT_EQ(model.states[2].next.expression(), "half - 0.5*command");
  EXPECT_EQ(model.states[2].every, 0.02);
  EXPECT_EQ(model.states[2].offset, 0.01);
  EXPECT_EQ(model.states[2].initial.value(), 2.0);
  EXPECT_EQ(model.forces[6].type, "bushing");
  EXPECT_EQ(value(6, "torsional_damping").vector()[2].value(), 3.0);
  EXPECT_EQ(value(6, "stiffness").vector()[2].expression(), "2*k");
}

TEST(Everything, Sensors) {
  const std::vector<Sensor>& sensors = everything().sensors;
  EXPECT_EQ(named(sensors, "direction").type, "vector");
  EXPECT_EQ(named(sensors, "spin").type, "angular_velocity");
  EXPECT_EQ(named(sensors, "stretch").type, "distance");
  EXPECT_EQ(named(sensors, "stretch").target, "rod.tip");
  EXPECT_EQ(named(sensors, "stretch").second, "ground.wall");
  EXPECT_EQ(named(sensors, "push").type, "reaction_force");
  EXPECT_EQ(named(sensors, "bend").type, "reaction_moment");
  EXPECT_EQ(named(sensors, "bend").target, "touch");
  EXPECT_EQ(named(sensors, "wind_force").type, "applied_force");
  EXPECT_EQ(named(sensors, "pull").type, "tension");
  EXPECT_EQ(named(sensors, "drive_torque").type, "applied_torque");
  EXPECT_EQ(named(sensors, "brought").type, "power");
  EXPECT_EQ(named(sensors, "rope_tension").type, "constraint_force");
  EXPECT_EQ(named(sensors, "drive_power").type, "constraint_power");
  EXPECT_EQ(named(sensors, "drive_power").target, "drive");
  EXPECT_EQ(named(sensors, "drift").type, "momentum");
  EXPECT_EQ(named(sensors, "drift").target, "linear");
  EXPECT_EQ(named(sensors, "whirl").target, "angular");
}

TEST(Everything, Objectives) {
  const std::vector<Objective>& objectives = everything().objectives;
  ASSERT_EQ(objectives.size(), 9u);
  EXPECT_EQ(objectives[0].kind, ObjectiveKind::integral);
  EXPECT_EQ(objectives[1].kind, ObjectiveKind::terminal);
  EXPECT_TRUE(objectives[1].at.empty());
  EXPECT_EQ(objectives[4].kind, ObjectiveKind::value);
  EXPECT_EQ(objectives[4].expression, "energy - 2");
  EXPECT_EQ(objectives[4].unit, "J");
  EXPECT_EQ(objectives[4].at, std::vector<double>{1.0});
  EXPECT_EQ(objectives[5].at, (std::vector<double>{0.0, 0.5, 1.5}));
  EXPECT_EQ(objectives[6].kind, ObjectiveKind::maximum);
  EXPECT_EQ(objectives[6].from, 0.25);
  EXPECT_EQ(objectives[6].to, 1.5);
  EXPECT_EQ(objectives[7].kind, ObjectiveKind::minimum);
  EXPECT_EQ(objectives[7].smooth, 0.01);
  EXPECT_FALSE(objectives[7].to.has_value());
  EXPECT_EQ(objectives[8].kind, ObjectiveKind::time_when);
  EXPECT_EQ(objectives[8].expression, "place.y");
  EXPECT_EQ(objectives[8].direction, Passages::falling);
  EXPECT_EQ(objectives[8].passage, 2);
  EXPECT_EQ(objectives[8].otherwise, 9.0);
  EXPECT_EQ(objective_rows(objectives[0]), std::vector<std::string>{"cost"});
  EXPECT_EQ(objective_rows(objectives[4]), std::vector<std::string>{"half way@1"});
  EXPECT_EQ(objective_rows(objectives[5]),
            (std::vector<std::string>{"on the mesh@0", "on the mesh@0.5", "on the mesh@1.5"}));
}

TEST(Everything, Analysis) {
  const Analysis& analysis = everything().analysis;
  EXPECT_EQ(analysis.formulation, "penalty");
  EXPECT_EQ(analysis.integrator, "generalised-alpha");
  EXPECT_EQ(analysis.reference, "rtdyn1");
  EXPECT_EQ(analysis.rtol, 1e-7);
  EXPECT_EQ(analysis.atol, 1e-9);
  EXPECT_EQ(analysis.penalty, 1e8);
  EXPECT_EQ(analysis.frequency, 20.0);
  EXPECT_EQ(analysis.damping_ratio, 0.9);
  EXPECT_EQ(analysis.projections, "penalty");
  EXPECT_TRUE(analysis.columns_in_error);
  EXPECT_EQ(analysis.projection_tolerance, 1e-6);
  EXPECT_EQ(analysis.penalties, (std::map<std::string, double>{{"hinge", 2e7}}));
  EXPECT_EQ(analysis.stabilisation, "baumgarte");
  EXPECT_EQ(analysis.iteration, "fixed-point");
  EXPECT_EQ(analysis.spectral_radius, 0.7);
  EXPECT_EQ(analysis.beta, 0.4);
  EXPECT_EQ(analysis.gamma, 0.6);
}

TEST(Everything, LeastSquares) {
  const std::vector<Objective>& objectives = everything().objectives;
  EXPECT_EQ(named(objectives, "end").kind, ObjectiveKind::terminal);
  EXPECT_TRUE(named(objectives, "end").residuals.empty());
  const Objective fit = named(objectives, "fit");
  EXPECT_EQ(fit.kind, ObjectiveKind::integral);
  EXPECT_EQ(fit.residuals, (std::vector<std::string>{"place - [t, 0, 1]", "energy", "0.5"}));
  EXPECT_TRUE(fit.expression.empty());
  EXPECT_EQ(named(objectives, "last").kind, ObjectiveKind::terminal);
  EXPECT_EQ(named(objectives, "last").residuals, std::vector<std::string>{"whirl"});
}

}  // namespace
}  // namespace gradus
