// What a program does for every column alike, said once: the columns of a recording are straight
// lines side by side, and where these have one shape a loop over columns, or over vectors of them,
// takes their place.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "src/specialise/program.hpp"

namespace gradus::specialise {

// What a column finds as an operand.
struct ColumnOperand {
  enum class From {
    node,    // of the graph, the same for all columns
    row,     // a number of its own: index of a ColumnNode
    memory,  // the place of the first column, beside which those of the others lie
    table    // a constant of its own
  };
  From from = From::node;
  int index = -1;
};

// A node of every column. Of kind `memory` it is its operand, unchanged; of kind `keep` it is
// gathered from nodes that stand alone, which are all its members then.
struct ColumnNode {
  NodeKind kind = NodeKind::memory;
  std::array<ColumnOperand, 3> operands;
  std::vector<int> members = {};  // by column, nodes of the graph
};

class Columns {
 public:
  // Of programs with so many columns, neighbours in rows of the memory; 0: every node stands alone.
  Columns(const Program& program, int count);

  struct Row {
    int place;  // of its first column
    int node;   // what all its columns become: a ColumnNode, or a node of the graph
  };
  // A number of one column.
  struct Entry {
    int row;
    int column;
  };
  // What is left of a stretch, before its columns and behind them, which finds what these have.
  struct Stretch {
    std::vector<int> nodes, late_nodes;
    std::map<int, Entry> entries;  // nodes that are found in rows
    std::vector<Guard> guards;
    std::vector<Store> stores;
    std::vector<int> column_nodes;   // in an order in which they can be computed
    std::vector<int> column_guards;  // of these, comparisons that must hold in all columns
    std::vector<Row> rows, fills;    // stores
  };

  int count() const { return count_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  const std::vector<ColumnNode>& nodes() const { return nodes_; }
  const std::vector<std::vector<double>>& tables() const { return tables_; }

 private:
  using Members = std::vector<int>;  // a node of each column

  void take_all_alone();
  void find_from(std::size_t stretch);
  void find_guards(std::size_t stretch);
  void find_stores(std::size_t stretch);
  std::optional<ColumnOperand> find(const Members& members);
  ColumnOperand gathered(const Members& members);
  std::optional<ColumnOperand> found_operation(const Members& members);
  std::optional<ColumnOperand> add(NodeKind kind, const Members& members, int stretch);
  void align(std::array<Members, 3>& operands) const;
  void leave_out_unused_rows();
  bool leave_out_members();
  std::vector<char> asked_for_by_rows() const;
  void find_late_nodes(std::size_t stretch, std::vector<char> is_there,
                       std::map<int, Entry> in_rows);
  void ask_for(std::vector<int>& open, std::vector<char>& is_asked,
               const std::function<bool(int)>& is_found) const;
  const Node& at(int node) const {
    return program_.graph().nodes()[static_cast<std::size_t>(node)];
  }

  const Program& program_;
  int count_;
  std::vector<int> home_;  // by node, on the way to the stretch at hand: the one that computes it
  std::map<std::pair<int, Members>, std::optional<ColumnOperand>> known_;  // by home of the first
  std::map<Members, int> gathered_;                                        // rows
  std::vector<ColumnNode> nodes_;
  std::vector<std::vector<double>> tables_;
  std::vector<Stretch> stretches_;
};

}  // namespace gradus::specialise
