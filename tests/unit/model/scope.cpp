// The inputs of a model's expressions: parameters, then the time, then sensor components.
#include "src/model/scope.hpp"

#include <gtest/gtest.h>

#include "src/model/nominal.hpp"
#include "tests/unit/model/expression_helpers.hpp"
#include "tests/unit/model/model_texts.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;

TEST(ModelScope, ParametersAreInputsAndDefinitionsFollowThem) {
  const Model model = parse_model(small_model);
  Graph graph;
  const ModelScope scope(graph, model, "test");
  EXPECT_EQ(nominal_parameters(model, "test"), (std::vector<double>{2, 100}));
  const Node node = number(graph, "half*stiffness + tip.x", scope, "test");
  EXPECT_EQ(graph.inputs_of(node), (std::vector<int>{0, 1}));
  EXPECT_EQ(expression::run(compile(graph, {node}), std::vector<double>{2, 100})[0], 102.0);
  EXPECT_EQ(graph.inputs_of(number(graph, model.bodies[0].com[0], scope, "test")),
            (std::vector<int>{0}));
  EXPECT_TRUE(graph.is_constant(number(graph, 3.0, scope, "test")));
  EXPECT_EQ(scope.find("place"), nullptr);
}

TEST(MotionScope, AddsTimeAndSensors) {
  const Model model = parse_model(small_model);
  Graph graph;
  const MotionScope scope(graph, model, "test");
  EXPECT_EQ(scope.time_input(), 2);
  EXPECT_EQ(scope.sensor_input(0), 3);
  EXPECT_EQ(scope.sensor_input(1), 6);
  EXPECT_EQ(scope.input_count(), 7);
  EXPECT_EQ(sensor_size(model, model.sensors[0]), 3);
  EXPECT_EQ(sensor_size(model, model.sensors[1]), 1);
  const Node node = expression::parse_scalar(graph, model.objectives[0].expression, scope, "test");
  EXPECT_EQ(graph.inputs_of(node), (std::vector<int>{0, 2, 3, 4, 5, 6}));
  const std::vector<double> inputs{2, 100, 0.25, 1, 2, 3, 0.5};
  EXPECT_EQ(expression::run(compile(graph, {node}), inputs)[0], 14 + 0.5 + 0.25);
}

TEST(MotionScope, ComponentsMayBeNumbered) {
  const Model model = parse_model(everything_with("{}"));
  Graph graph;
  const MotionScope scope(graph, model, "test");
  const auto inputs = [&](const char* text) {
    return graph.inputs_of(expression::parse_scalar(graph, text, scope, "test"));
  };
  const int orientation = scope.sensor_input(6);
  EXPECT_EQ(model.sensors[6].name, "orientation");
  EXPECT_EQ(sensor_size(model, model.sensors[6]), 4);
  EXPECT_EQ(inputs("orientation.3*2"), (std::vector<int>{orientation + 3}));
  EXPECT_EQ(inputs("place.1"), inputs("place.y"));
  const auto error = [&](const char* text) -> std::string {
    try {
      inputs(text);
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("orientation.4"),
            "test: component \"4\" unknown at column 12 of \"orientation.4\" (\"orientation\" has "
            "4), write orientation.0 to orientation.3");
  EXPECT_NE(error("orientation + 1").find("write orientation.0"), std::string::npos);
  EXPECT_NE(error("dot(orientation, place)").find("as a whole"), std::string::npos);
  EXPECT_NE(error("angle.0").find("unexpected \".0\""), std::string::npos);
  EXPECT_NE(error("place.0.5").find("unexpected"), std::string::npos);
  EXPECT_NE(error("place.1e0").find("unexpected"), std::string::npos);
}

TEST(MotionScope, OfLawsNumbersItsInputsAsObjectivesDo) {
  const Model model = parse_model(everything_with("{}"));
  Graph graph;
  const std::array<std::string_view, 2> locals{"length", "rate"};
  const MotionScope force(graph, model, "test", LawPlace::force, locals);
  const MotionScope constraint(graph, model, "test", LawPlace::constraint);
  const MotionScope objective(graph, model, "test");
  EXPECT_EQ(force.time_input(), objective.time_input());
  for (std::size_t i = 0; i < model.sensors.size(); ++i) {
    EXPECT_EQ(force.sensor_input(i), objective.sensor_input(i));
    EXPECT_EQ(constraint.sensor_input(i), objective.sensor_input(i));
  }
  EXPECT_EQ(constraint.input_count(), objective.input_count());
  EXPECT_EQ(force.local_input(0), objective.input_count());
  EXPECT_EQ(force.local_input(1), objective.input_count() + 1);
  EXPECT_EQ(force.input_count(), objective.input_count() + 2);
  const Node node = number(graph, "rate*length + t", force, "test");
  EXPECT_EQ(graph.inputs_of(node),
            (std::vector<int>{force.time_input(), force.local_input(0), force.local_input(1)}));
  EXPECT_TRUE(force.find("turning") != nullptr);
  EXPECT_TRUE(force.find("spin") != nullptr);
  EXPECT_TRUE(force.find("jerk") != nullptr);
  EXPECT_FALSE(MotionScope(graph, model, "test", LawPlace::sample).find("jerk") != nullptr);
  EXPECT_FALSE(constraint.find("jerk") != nullptr);
  EXPECT_TRUE(constraint.find("direction") != nullptr);
  EXPECT_FALSE(constraint.find("turning") != nullptr);
  EXPECT_FALSE(constraint.find("length") != nullptr);
}

TEST(SensorSize, OfEveryKind) {
  const Model model = parse_model(everything_with("{}"));
  std::vector<int> sizes;
  for (const Sensor& sensor : model.sensors) sizes.push_back(sensor_size(model, sensor));
  EXPECT_EQ(sizes, (std::vector<int>{3, 3, 3, 1, 1, 1, 4, 1, 3, 3, 1, 3, 3, 3, 3,
                                     1, 3, 1, 1, 1, 1, 3, 1, 1, 3, 3, 1, 1, 1}));
}

}  // namespace
}  // namespace gradus
