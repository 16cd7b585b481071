// The splines of a plan: those whose values depend on parameters alone are looked up.
#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "src/plan/draft.hpp"

namespace gradus {
namespace {

using expression::Graph;
using expression::Node;
using kernels::Instruction;
using kernels::Operation;

// Copies nodes of one graph that depend on inputs that both have.
class NodeCopy {
 public:
  NodeCopy(const Graph& from, Graph& to) : from_(from), to_(to) {}

  Node of(Node root) {
    if (&from_ == &to_) return root;
    std::vector<Node> open{root};
    while (!open.empty()) {
      const Node node = open.back();
      const Instruction& instruction = from_[node];
      const bool is_leaf =
          instruction.operation == Operation::constant || instruction.operation == Operation::input;
      bool ready = true;
      for (const Node operand : {instruction.a, instruction.b}) {
        if (is_leaf || operand < 0 || known_.count(operand) != 0) continue;
        open.push_back(operand);
        ready = false;
      }
      if (!ready) continue;
      open.pop_back();
      known_.try_emplace(node, copy(instruction));
    }
    return known_.at(root);
  }

 private:
  Node copy(const Instruction& instruction) {
    if (instruction.operation == Operation::constant) return to_.constant(instruction.value);
    if (instruction.operation == Operation::input) return to_.input(instruction.a);
    return to_.apply(instruction.operation, known_.at(instruction.a),
                     instruction.b < 0 ? -1 : known_.at(instruction.b));
  }

  const Graph& from_;
  Graph& to_;
  std::unordered_map<Node, Node> known_;
};

}  // namespace

int Draft::spline(const Graph& of, const expression::SplineCall& call) {
  for (const Node value : call.values) {
    const std::vector<int> needed = of.inputs_of(value);
    if (!needed.empty() && needed.back() >= plan.parameter_count()) return -1;
  }
  NodeCopy copy(of, graph);
  std::vector<Node> values;
  for (const Node value : call.values) values.push_back(copy.of(value));
  const expression::SplineShape& shape = call.shape;
  kernels::SplineEntry entry{};
  entry.kind = shape.kind;
  entry.ends = shape.ends;
  entry.knots = static_cast<int>(shape.knots.size());
  entry.given_slopes = shape.given_slopes ? 1 : 0;
  entry.slot = slots.add(values);
  entry.element = -1;
  for (const kernels::SplineEntry& known : plan.splines) {
    const auto numbers = plan.spline_numbers.begin() + known.number;
    if (known.kind == entry.kind && known.ends == entry.ends && known.knots == entry.knots &&
        known.given_slopes == entry.given_slopes && known.slot == entry.slot &&
        std::equal(shape.knots.begin(), shape.knots.end(), numbers))
      return static_cast<int>(&known - plan.splines.data());
  }
  entry.number = static_cast<int>(plan.spline_numbers.size());
  for (const std::vector<double>* numbers : {&shape.knots, &shape.rows})
    plan.spline_numbers.insert(plan.spline_numbers.end(), numbers->begin(), numbers->end());
  if (!plan.splines.empty()) {
    const kernels::SplineEntry& last = plan.splines.back();
    entry.polynomial = last.polynomial + 4 * (last.knots + 1);
  }
  plan.splines.push_back(entry);
  plan.spline_owners.emplace_back();
  return static_cast<int>(plan.splines.size()) - 1;
}

void note_splines(Plan& plan, const expression::Program& program, const std::string& name,
                  std::vector<kernels::SplineCallEntry>& calls) {
  for (std::size_t k = 0; k < program.instructions.size(); ++k) {
    if (program.instructions[k].operation != Operation::spline) continue;
    const int number = static_cast<int>(program.instructions[k].value);
    calls.push_back({static_cast<int>(k), number});
    if (!name.empty()) note_owner(plan, index(number), name);
  }
}

void note_owner(Plan& plan, std::size_t spline, const std::string& name) {
  std::vector<std::string>& owners = plan.spline_owners[spline];
  if (std::find(owners.begin(), owners.end(), name) == owners.end()) owners.push_back(name);
}

std::string Plan::spline_name(std::size_t spline) const {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string>& owners = spline_owners[spline];
  std::string text;
  for (std::size_t k = 0; k < std::min(owners.size(), kShown); ++k)
    text += (k == 0 ? "" : ", ") + owners[k];
  if (owners.size() > kShown) text += " and " + std::to_string(owners.size() - kShown) + " more";
  return text;
}

}  // namespace gradus
