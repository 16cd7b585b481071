// Writes laws into a plan: scalar expressions of parameters, time, positions and velocities become
// programs of their own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/plan/draft.hpp"

namespace gradus {

// One law. What depends on parameters alone is a slot; everything else is an input or computed from
// inputs.
class LawWriter {
 public:
  explicit LawWriter(Draft& draft) : draft_(draft) {}

  expression::Graph& graph() { return graph_; }

  // Nodes of the law.
  expression::Node input(kernels::LawInputKind kind, int index, int component = 0);
  expression::Node coordinate(int c) { return input(kernels::LawInputKind::coordinate, c); }
  Nodes3 position(int feature) { return vector(kernels::LawInputKind::feature, feature); }
  Nodes3 velocity(int feature) { return vector(kernels::LawInputKind::feature_velocity, feature); }
  Nodes3 vector(kernels::LawInputKind kind, int index);
  // The value of a node of the draft that depends on parameters alone.
  expression::Node slot(expression::Node node);
  // The value of any node of the draft, `signal(i)` yielding what its input i beyond the parameters
  // is in the law.
  expression::Node lowered(expression::Node root,
                           const std::function<expression::Node(int)>& signal);

  Nodes3 difference(const Nodes3& a, const Nodes3& b);
  expression::Node dot(const Nodes3& a, const Nodes3& b);
  expression::Node length(const Nodes3& a) { return graph_.square_root(dot(a, a)); }

  // Adds the law to the plan; returns its number.
  int finish(expression::Node result, const std::string& name);

 private:
  std::vector<kernels::LawInputEntry> used_inputs(expression::Node result) const;
  expression::Program renumbered(expression::Node result) const;

  Draft& draft_;
  expression::Graph graph_;  // inputs are places in inputs_
  std::vector<kernels::LawInputEntry> inputs_;
};

// Expressions of users in a place of laws, such as the components of a force.
class LawReader {
 public:
  LawReader(Draft& draft, LawPlace place, std::span<const std::string_view> locals = {})
      : draft_(draft),
        scope_(draft.graph, draft.model, draft.origin, place, locals, draft.inputs) {}

  // The expression in a law; `locals` are the nodes of its local names.
  expression::Node read(LawWriter& law, const Number& number, const std::string& path,
                        std::span<const expression::Node> locals = {}) const;

 private:
  expression::Node sensor(LawWriter& law, const Sensor& sensor, int component) const;

  Draft& draft_;
  MotionScope scope_;
};

}  // namespace gradus
