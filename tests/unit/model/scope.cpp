// The inputs of a model's expressions: parameters, then the time, then sensor components.
#include "src/model/scope.hpp"

#include <gtest/gtest.h>

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
  EXPECT_FALSE(scope.find("place").has_value());
}

TEST(ObjectiveScope, AddsTimeAndSensors) {
  const Model model = parse_model(small_model);
  Graph graph;
  const ObjectiveScope scope(graph, model, "test");
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

}  // namespace
}  // namespace gradus
