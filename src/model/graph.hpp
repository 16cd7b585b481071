// Scalar operations as a graph in which equal expressions are one node, and its compilation to a
// program for kernels.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "kernels/expressions/program.hpp"
#include "kernels/expressions/spline_entry.hpp"

namespace gradus::expression {

using kernels::Operation;

// Names a node of a graph. Operands have smaller numbers than the operations that use them.
using Node = int;

// A spline, and the numbers that follow from its knots alone.
struct SplineShape {
  kernels::SplineKind kind = kernels::SplineKind::natural;
  kernels::SplineEnds ends = kernels::SplineEnds::straight;
  bool given_slopes = false;
  std::vector<double> knots;
  std::vector<double> rows;  // [knot, kernels::kSplineRowNumbers]

  kernels::SplineView view() const {
    return {kind,         ends,       static_cast<int>(knots.size()), given_slopes ? 1 : 0,
            knots.data(), rows.data()};
  }
  bool operator==(const SplineShape&) const = default;
};

// A spline at x: the values at its knots, and behind them the slopes at its ends if these are
// given.
struct SplineCall {
  SplineShape shape;
  Node x;
  std::vector<Node> values;
};

class Graph {
 public:
  Node constant(double value);
  Node input(int index);
  // Folds constants and simple identities, so the outcome may be another kind of node. `b` is -1
  // for functions of one operand. x*0 is 0 even where x turns out to be NaN.
  Node apply(Operation operation, Node a, Node b = -1);

  Node add(Node a, Node b) { return apply(Operation::add, a, b); }
  Node subtract(Node a, Node b) { return apply(Operation::subtract, a, b); }
  Node multiply(Node a, Node b) { return apply(Operation::multiply, a, b); }
  Node divide(Node a, Node b) { return apply(Operation::divide, a, b); }
  Node negate(Node a) { return apply(Operation::negate, a); }
  // By the square of the length.
  Node norm(Node square) { return apply(Operation::norm, square); }

  // A spline that is looked up: `number` is its place among those of the program's owner.
  Node spline(Node x, int number);

  // Notes that `node`, an expression of operations, is the spline `call`, so that who can look
  // splines up need not run through all segments.
  void note_spline(Node node, SplineCall call);
  // Null if the node is no spline.
  const SplineCall* spline_at(Node node) const;

  bool is_constant(Node node) const;
  double constant_value(Node node) const;  // of a constant node only

  // Derivatives of a node by all inputs, as nodes. Throws std::logic_error for splines that are
  // looked up.
  std::map<int, Node> derivatives(Node node);

  // The inputs a node depends on, ascending. By one thread at a time.
  std::vector<int> inputs_of(Node node) const;

  int size() const { return static_cast<int>(nodes_.size()); }
  // Operands are node numbers here, except for inputs: there `a` is the number of the input.
  const kernels::Instruction& operator[](Node node) const {
    return nodes_[static_cast<std::size_t>(node)];
  }

 private:
  struct Key {
    Operation operation;
    int a, b;
    std::uint64_t value_bits;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  Node intern(const kernels::Instruction& instruction);
  Node simplified(Operation operation, Node a, Node b);  // -1 if nothing simplifies
  bool is(Node node, double value) const;

  std::vector<kernels::Instruction> nodes_;
  std::unordered_map<Key, Node, KeyHash> known_;
  std::unordered_map<Node, SplineCall> splines_;
  mutable std::vector<int> seen_;  // [node] the last search that came by
  mutable int searches_ = 0;
};

// Owns what a ProgramView shows.
struct Program {
  std::vector<kernels::Instruction> instructions;
  std::vector<int> outputs;

  kernels::ProgramView view() const {
    return {instructions.data(), outputs.data(), static_cast<int>(instructions.size()),
            static_cast<int>(outputs.size())};
  }
};

// The instructions that `outputs` need, operands first, each once. Output k of the program is
// outputs[k].
// A spline is looked up under the number that `number_of` says, and made of operations if that is
// -1.
Program compile(const Graph& graph, const std::vector<Node>& outputs,
                const std::function<int(const SplineCall&)>& number_of = {});

}  // namespace gradus::expression
