// Collects what the expressions of a model say of time alone.
#include "src/plan/time_laws.hpp"

#include <algorithm>

#include "src/plan/degree.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;
using kernels::Instruction;
using kernels::Operation;

constexpr int kPlainDegree = 3;  // polynomials of time up to it have nothing narrow

// What is known of a node of an expression.
struct NodeTraits {
  bool is_needed = false;
  bool moves = false;  // it depends on the motion
  bool has_time = false;
  bool is_fixed = true;   // no parameter has a part in it
  bool is_whole = false;  // what moves uses it, or nothing does
  int degree = 0;         // as a polynomial of time
  Node copy = -1;

  bool is_of_time() const { return has_time && !moves; }
};

bool is_leaf(const Instruction& i) {
  return i.operation == Operation::constant || i.operation == Operation::input;
}

// The nodes of one expression, and copies of those of time alone in another graph.
class TimeNodes {
 public:
  TimeNodes(const Graph& from, Node root, int parameters, Graph& to,
            std::vector<expression::SplineCall>& splines)
      : from_(from), to_(to), splines_(splines), parameters_(parameters), traits_(place(root) + 1) {
    traits_.back().is_needed = traits_.back().is_whole = true;
    for (Node node = root; node >= 0; --node)
      if (of(node).is_needed) for_each_operand(node, [&](Node k) { of(k).is_needed = true; });
    for (Node node = 0; node <= root; ++node)
      if (of(node).is_needed) examine(node);
    for (Node node = 0; node <= root; ++node) {
      if (!of(node).is_needed || !of(node).moves) continue;
      for_each_operand(node, [&](Node k) { of(k).is_whole = true; });
    }
  }

  const NodeTraits& operator[](Node node) const { return traits_[place(node)]; }
  int size() const { return static_cast<int>(traits_.size()); }

  // The spline that a node is, if its values depend on parameters alone.
  const expression::SplineCall* spline_at(Node node) const {
    const expression::SplineCall* const call = from_.spline_at(node);
    if (call == nullptr) return nullptr;
    const bool is_table = std::all_of(call->values.begin(), call->values.end(), [&](Node value) {
      const std::vector<int> inputs = from_.inputs_of(value);
      return inputs.empty() || inputs.back() < parameters_;
    });
    return is_table ? call : nullptr;
  }

  // In the other graph.
  Node copy_of(Node root) {
    std::vector<Node> open{root};
    while (!open.empty()) {
      const Node node = open.back();
      bool is_ready = true;
      if (of(node).copy < 0)
        for_each_operand(node, [&](Node k) {
          if (of(k).copy < 0) open.push_back(k), is_ready = false;
        });
      if (!is_ready) continue;
      open.pop_back();
      if (of(node).copy < 0) of(node).copy = copied(node);
    }
    return of(root).copy;
  }

  // Of a spline that may be looked up, whose values have been copied.
  int number_of(const expression::SplineCall& call) {
    expression::SplineCall copy{call.shape, -1, {}};
    for (const Node value : call.values) copy.values.push_back(copy_of(value));
    const auto known =
        std::find_if(splines_.begin(), splines_.end(), [&](const expression::SplineCall& spline) {
          return spline.values == copy.values && spline.shape == copy.shape;
        });
    const auto number = static_cast<int>(known - splines_.begin());
    if (known == splines_.end()) splines_.push_back(std::move(copy));
    return number;
  }

 private:
  static std::size_t place(Node node) { return static_cast<std::size_t>(node); }
  NodeTraits& of(Node node) { return traits_[place(node)]; }

  Node copied(Node node) {
    if (const expression::SplineCall* const call = spline_at(node))
      return to_.spline(of(call->x).copy, number_of(*call));
    const Instruction& i = from_[node];
    if (i.operation == Operation::constant) return to_.constant(i.value);
    if (i.operation == Operation::input) return to_.input(i.a);
    return to_.apply(i.operation, of(i.a).copy, i.b < 0 ? -1 : of(i.b).copy);
  }

  // What a spline is made of is none of them: its knots are known.
  template <class Visit>
  void for_each_operand(Node node, const Visit& visit) const {
    if (const expression::SplineCall* const call = spline_at(node)) {
      visit(call->x);
      for (const Node value : call->values) visit(value);
      return;
    }
    const Instruction& i = from_[node];
    if (is_leaf(i)) return;
    visit(i.a);
    if (i.b >= 0) visit(i.b);
  }

  void examine(Node node) {
    NodeTraits& t = of(node);
    const Instruction& i = from_[node];
    if (i.operation == Operation::constant) return;
    if (i.operation == Operation::input) {
      t.is_fixed = i.a >= parameters_;
      t.has_time = i.a == parameters_;
      t.moves = i.a > parameters_;
      t.degree = t.has_time ? 1 : 0;
      return;
    }
    for_each_operand(node, [&](Node k) {
      t.moves = t.moves || of(k).moves;
      t.has_time = t.has_time || of(k).has_time;
      t.is_fixed = t.is_fixed && of(k).is_fixed;
    });
    if (spline_at(node) != nullptr) {
      t.degree = t.has_time ? kNoPolynomial : 0;
      return;
    }
    t.degree = polynomial_degree(from_, i, of(i.a).degree, i.b < 0 ? 0 : of(i.b).degree);
  }

  const Graph& from_;
  Graph& to_;
  std::vector<expression::SplineCall>& splines_;
  int parameters_;
  std::vector<NodeTraits> traits_;
};

}  // namespace

void TimeLawWriter::note(const Passage& passage) {
  if (graph_.is_constant(passage.node)) return;
  for (Passage& known : passages_) {
    if (known.node != passage.node) continue;
    known.is_kink = known.is_kink || passage.is_kink;
    return;
  }
  passages_.push_back(passage);
}

void TimeLawWriter::add(const Graph& from, Node root, int parameters) {
  const std::vector<int> inputs = from.inputs_of(root);
  if (!std::binary_search(inputs.begin(), inputs.end(), parameters)) return;
  TimeNodes nodes(from, root, parameters, graph_, splines_);
  for (Node node = 0; node < nodes.size(); ++node) {
    const NodeTraits& t = nodes[node];
    if (!t.is_needed || !t.has_time) continue;
    const Instruction& i = from[node];
    const expression::SplineCall* const call = nodes.spline_at(node);
    if (call != nullptr && nodes[call->x].is_of_time())
      knots_.push_back({nodes.copy_of(call->x), nodes.number_of(*call), nodes[call->x].is_fixed});
    if (call == nullptr && !is_leaf(i) && !nodes[i.a].moves && (i.b < 0 || !nodes[i.b].moves)) {
      const bool fixed = t.is_fixed;
      if (i.operation == Operation::absolute)
        note({nodes.copy_of(i.a), true, fixed});
      else if (i.operation == Operation::minimum || i.operation == Operation::maximum ||
               i.operation == Operation::at_least)
        note({graph_.subtract(nodes.copy_of(i.a), nodes.copy_of(i.b)), true, fixed});
    }
    if (!t.is_of_time() || is_leaf(i)) continue;
    note({nodes.copy_of(node), false, t.is_fixed});
    if (t.is_whole && t.degree > kPlainDegree) courses_.insert(nodes.copy_of(node));
  }
}

TimeLaws TimeLawWriter::finish() const {
  TimeLaws laws;
  std::vector<Node> outputs;
  const auto output = [&](Node node) {
    outputs.push_back(node);
    return static_cast<int>(outputs.size()) - 1;
  };
  for (const Knots& k : knots_) laws.knots.push_back({output(k.node), k.spline, k.is_fixed});
  std::vector<Node> values;
  for (const expression::SplineCall& spline : splines_) {
    laws.splines.push_back(spline.shape);
    values.insert(values.end(), spline.values.begin(), spline.values.end());
  }
  laws.spline_values = expression::compile(graph_, values);
  for (const Node node : courses_) laws.courses.push_back(output(node));
  // What is no kink is of use only where something may be narrow.
  for (const Passage& p : passages_)
    if (p.is_kink || !courses_.empty())
      laws.passages.push_back({output(p.node), p.is_kink, p.is_fixed});
  laws.program = expression::compile(graph_, outputs);
  return laws;
}

}  // namespace gradus
