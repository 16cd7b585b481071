// What a kernel body computes, as a graph of numbers and choices: each node once, whatever follows
// from constants folded. Folding keeps the bits of every result but for signs of zeros, as long as
// all numbers are finite.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "src/specialise/byte_stream.hpp"

namespace gradus::specialise {

enum class NodeKind : std::uint8_t {
  constant,  // value
  memory,    // the number at place a of the design's memory
  time,      // [s] of the launch
  add,
  subtract,
  multiply,
  divide,
  negate,
  absolute,
  floor,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  atan2,
  pow,
  // Choices: 0 or 1.
  less,
  less_equal,
  equal,
  finite,
  both,
  either,
  opposite,
  select,  // a ? b : c
  keep,    // a, where no constant is folded: columns go on alike
};

// Operands are earlier nodes, -1 if there are none.
struct Node {
  NodeKind kind = NodeKind::constant;
  int a = -1;
  int b = -1;
  int c = -1;
  double value = 0.0;

  // NaN is the same as NaN: what constants make of it is there once.
  bool operator==(const Node& other) const {
    return kind == other.kind && a == other.a && b == other.b && c == other.c &&
           std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(other.value);
  }
};

// Whether it is an operation that processors count: no sign is.
bool is_arithmetic(NodeKind kind);

// How many operands nodes of a kind have.
int operand_count(NodeKind kind);

// What a node makes of the values of its operands; not of places in memory, nor of the time.
double value_of_node(NodeKind kind, double a, double b, double c);

class Graph {
 public:
  const std::vector<Node>& nodes() const { return nodes_; }

  int constant(double value);
  int memory(int place) { return shared({NodeKind::memory, place, -1, -1, 0.0}); }
  int time() { return shared({NodeKind::time, -1, -1, -1, 0.0}); }
  // The node itself, or an earlier one that is always equal to it.
  int add(NodeKind kind, int a, int b = -1, int c = -1);

  // Arithmetic that was asked for so far, whether or not it was folded.
  std::size_t asked() const { return asked_; }

  void write(ByteWriter& to) const;
  void read(ByteReader& from);

  bool is_time(int node) const { return at(node).kind == NodeKind::time; }
  bool is_memory(int node) const { return at(node).kind == NodeKind::memory; }
  bool is_constant(int node) const { return at(node).kind == NodeKind::constant; }
  bool is_constant(int node, double value) const {
    return is_constant(node) && at(node).value == value;
  }

 private:
  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  int shared(const Node& node);
  void index_all(std::size_t places);
  int folded_sum(int a, int b);
  int folded_difference(int a, int b);
  int folded_product(int a, int b);
  int folded_quotient(int a, int b);
  int folded_choice(NodeKind kind, int a, int b, int c);
  int negated(int a);
  bool is_zero_where(int choice, int node, int depth) const;
  bool vanishes_where(int choice, int node, int depth) const;

  std::size_t asked_ = 0;
  std::vector<Node> nodes_;
  // Where nodes are, by their hash, with open addressing; -1: nothing is. A power of two, at most
  // half full. A recording asks millions of times, and the lists of unordered_map took half its
  // time.
  std::vector<int> index_;
};

}  // namespace gradus::specialise
