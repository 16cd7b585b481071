// Writes the formula of a plug-in into a plan as the expression of the model that it amounts to, so
// that nothing behind this file tells it from a law of the model.
#include <algorithm>
#include <array>

#include "src/plan/force_draft.hpp"
#include "src/plugins/plugin_force.hpp"

namespace gradus {
namespace {

using expression::Node;
using kernels::Operation;

// By gradus_plugin_operation.
constexpr std::array operations{
    Operation::constant,
    Operation::input,
    Operation::add,
    Operation::subtract,
    Operation::multiply,
    Operation::divide,
    Operation::power,
    Operation::negate,
    Operation::square_root,
    Operation::norm,
    Operation::sine,
    Operation::cosine,
    Operation::tangent,
    Operation::arc_sine,
    Operation::arc_cosine,
    Operation::arc_tangent,
    Operation::arc_tangent2,
    Operation::hyperbolic_sine,
    Operation::hyperbolic_cosine,
    Operation::hyperbolic_tangent,
    Operation::exponential,
    Operation::logarithm,
    Operation::absolute,
    Operation::minimum,
    Operation::maximum,
    Operation::at_least,
};
static_assert(operations.size() == GRADUS_PLUGIN_AT_LEAST + 1);

class FormulaWriter {
 public:
  FormulaWriter(ForceDraft& force, const PluginFormula& formula)
      : force_(force),
        kind_(static_cast<const PluginForce&>(force.kind())),
        formula_(formula),
        nodes_(formula.instructions.size(), -1) {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (formula.needed[i]) nodes_[i] = node_of(formula.instructions[i]);
  }

  void write() {
    const auto result = [this](int number) {
      return [this, number](const ForceFormula& f) { return result_in(f, number); };
    };
    const int size = size_of_force(kind_);
    if (kind_.acts_on == ActsOn::line) force_.pull(result(0));
    if (kind_.acts_on == ActsOn::coordinate) force_.push(result(0));
    for (int k = 0; size == 3 && k < 3; ++k) force_.add_component(k, false, result(k));
    for (int k = 0; size == 6 && k < 6; ++k) force_.resist(k, result(k));
    for (std::size_t s = 0; s < kind_.states.size(); ++s)
      force_.drive(kind_.states[s].name, result(size + static_cast<int>(s)));
  }

 private:
  // Places of what moves, among the inputs that only this force knows.
  enum Local {
    extent = 0,
    rate = 1,
    position = 2,
    velocity = 5,
    angular_velocity = 8,
    rotation = 11,
    state = 15
  };

  // In the graph of the draft.
  Node node_of(const gradus_plugin_instruction& i) {
    expression::Graph& graph = force_.draft().graph;
    if (i.operation == GRADUS_PLUGIN_CONSTANT) return graph.constant(i.value);
    if (i.operation == GRADUS_PLUGIN_INPUT) return input(i.a, i.b);
    return graph.apply(operations[index(i.operation)], nodes_[index(i.a)],
                       has_two_operands(i) ? nodes_[index(i.b)] : -1);
  }

  Node input(int kind, int which) {
    const auto local = [&](Local first) {
      return force_.draft().graph.input(
          force_.laws().local_input(static_cast<std::size_t>(first + which)));
    };
    switch (kind) {
      case GRADUS_PLUGIN_KEY:
        return value(kind_.keys[index(which / 3)], which % 3);
      case GRADUS_PLUGIN_EXTENT:
        return local(extent);
      case GRADUS_PLUGIN_RATE:
        return local(rate);
      case GRADUS_PLUGIN_STATE:
        return local(state);
      case GRADUS_PLUGIN_POSITION:
        return local(position);
      case GRADUS_PLUGIN_VELOCITY:
        return local(velocity);
      case GRADUS_PLUGIN_ANGULAR_VELOCITY:
        return local(angular_velocity);
      case GRADUS_PLUGIN_ROTATION:
        return local(rotation);
      default:
        return force_.draft().graph.input(force_.laws().time_input());
    }
  }

  // Of a key that is positive: no number for a design in which it is not, which then fails.
  Node value(const ForceKey& key, int component) {
    expression::Graph& graph = force_.draft().graph;
    const ForceValue* const said = force_.force().find(key.name);
    if (said == nullptr) return graph.constant(0.0);
    const Number& number = said->vector()[index(component)];
    const std::string path =
        force_.path(key.name) + (key.size > 1 ? "/" + std::to_string(component) : "");
    if (key.content == ForceContent::law) return force_.laws().node(number, path);
    const Node node = force_.draft().node(number, path);
    if (!key.is_positive) return node;
    const Node root = graph.apply(Operation::square_root, node);
    return graph.multiply(node, graph.divide(root, root));
  }

  // A result, in the law that the formula is written into.
  Recorded result_in(const ForceFormula& f, int number) {
    LawWriter& law = f.law();
    std::vector<Node> locals(state, law.constant(0.0));
    locals[extent] = f.length().in(law);
    locals[rate] = f.rate().in(law);
    const auto set = [&](Local first, const Nodes3& vector) {
      std::copy(vector.begin(), vector.end(), locals.begin() + first);
    };
    if (kind_.acts_on == ActsOn::point) {
      const int at = force_.point("at");
      set(position, law.position(at));
      set(velocity, law.velocity(at));
    }
    if (kind_.acts_on == ActsOn::body)
      set(angular_velocity,
          law.vector(kernels::LawInputKind::angular_velocity, force_.body("body")));
    if (kind_.acts_on == ActsOn::bodies) {
      using kernels::LawInputKind;
      const int pose = force_.pose();
      for (int k = 0; k < 3; ++k) {
        locals[index(position + k)] = law.input(LawInputKind::pose, pose, k);
        locals[index(velocity + k)] = law.input(LawInputKind::pose_rate, pose, k);
        locals[index(angular_velocity + k)] = law.input(LawInputKind::pose_rate, pose, 3 + k);
      }
      for (int k = 0; k < 4; ++k)
        locals[index(rotation + k)] = law.input(LawInputKind::pose, pose, 3 + k);
    }
    for (const ForceState& s : kind_.states) locals.push_back(f.state(s.name).in(law));
    const Node root = nodes_[index(formula_.results[index(number)])];
    return {law, force_.laws().lowered(law, root, locals)};
  }

  ForceDraft& force_;
  const PluginForce& kind_;
  const PluginFormula& formula_;
  std::vector<Node> nodes_;  // [instruction]
};

}  // namespace

void write_plugin_force(ForceDraft& draft) {
  const PluginFormula formula =
      usable_formula_of(draft.force(), draft.draft().where("/forces/" + draft.name()));
  FormulaWriter(draft, formula).write();
}

}  // namespace gradus
