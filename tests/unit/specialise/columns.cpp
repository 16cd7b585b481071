// Programs whose columns are loops, beside the interpreter.
#include "src/specialise/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "src/specialise/emit.hpp"
#include "src/specialise/host_compiler.hpp"

namespace gradus::specialise {
namespace {

using Function = int(double*, double);
using RowOfNodes = std::vector<int>;

constexpr int singles = 8;  // places of numbers that all columns read, and then rows:
constexpr int rows = 7;
int places_of(int columns) {
  return singles + rows * columns;
}

// Columns that are alike but for the constants of a table, and for one row, drawn at random; they
// must be finite, and go one of two ways, both of which go on with what is known before.
class ColumnProgram {
 public:
  ColumnProgram(unsigned seed, int columns, int length) : draw_(seed), columns_(columns) {
    for (int p = 0; p < places_of(columns); ++p) before_.push_back(graph_.memory(p));
    for (int p = 0; p < singles; ++p) common_.push_back(before_[index(p)]);
    for (int r = 0; r < rows; ++r) {
      const auto first = before_.begin() + singles + r * columns;
      known_.emplace_back(first, first + columns);
    }
    RowOfNodes table;
    for (int c = 0; c < columns; ++c) table.push_back(graph_.constant(0.75 + 0.5 * c));
    known_.push_back(table);
    known_.push_back(gathered());
    for (int k = 0; k < length; ++k) add_operation();
    const int way = graph_.add(NodeKind::less, common_[0], common_[1]);
    add_path(way, 1.0, 0.0);
    add_path(way, 1.0, 1.0);
    add_path(way, 0.0, 0.0);
  }
  const Program& program() const { return program_; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::size_t below(std::size_t count) { return draw_() % count; }
  const RowOfNodes& row() { return known_[below(known_.size())]; }
  // Of all columns or of each its own.
  RowOfNodes operand() {
    if (below(3) != 0) return row();
    return RowOfNodes(index(columns_), common_[below(common_.size())]);
  }

  // Constants, numbers in the memory and what stands alone, side by side.
  RowOfNodes gathered() {
    RowOfNodes row;
    for (int c = 0; c < columns_; ++c) {
      const int own = graph_.add(NodeKind::sin, before_[index(singles + c)]);
      const int one = c % 3 == 0 ? graph_.constant(0.0) : c % 3 == 1 ? common_[index(c % 5)] : own;
      row.push_back(graph_.add(NodeKind::keep, one));
    }
    return row;
  }

  void add_operation() {
    constexpr NodeKind kinds[] = {NodeKind::add,    NodeKind::subtract, NodeKind::multiply,
                                  NodeKind::add,    NodeKind::multiply, NodeKind::negate,
                                  NodeKind::divide, NodeKind::absolute, NodeKind::select};
    const NodeKind kind = kinds[below(std::size(kinds))];
    const RowOfNodes a = operand(), b = row(), other = row();
    const int choice = graph_.add(NodeKind::less, common_[2], common_[below(common_.size())]);
    RowOfNodes made, turned;
    for (std::size_t c = 0; c < a.size(); ++c) {
      // In one order or the other, so that operands of what follows are sorted in both.
      if (c % 2 == 1) turned.push_back(graph_.add(NodeKind::subtract, b[c], a[c]));
      made.push_back(kind == NodeKind::select   ? graph_.add(kind, choice, a[c], b[c])
                     : operand_count(kind) == 2 ? graph_.add(kind, a[c], b[c])
                                                : graph_.add(kind, b[c]));
      if (c % 2 == 0) turned.push_back(graph_.add(NodeKind::subtract, b[c], a[c]));
    }
    RowOfNodes sum;
    for (std::size_t c = 0; c < a.size(); ++c)
      sum.push_back(graph_.add(NodeKind::add, made[c], turned[c]));
    known_.push_back(made);
    known_.push_back(sum);
    if (below(4) == 0) common_.push_back(graph_.add(NodeKind::multiply, common_[3], common_[4]));
  }

  // `seen`: what a number of a column is, which is zero.
  void add_path(int way, double wanted, double seen) {
    Recording recording(graph_);
    recording.take_for_granted(way, wanted);
    const RowOfNodes &x = known_[known_.size() - 2], &y = known_[known_.size() - 3];
    RowOfNodes zero;
    for (const int node : x) zero.push_back(graph_.add(NodeKind::subtract, node, node));
    recording.take_for_granted(zero[1], seen);
    std::vector<int> after = before_;
    const auto store = [&](int r, const RowOfNodes& from) {
      std::copy(from.begin(), from.end(), after.begin() + singles + r * columns_);
    };
    RowOfNodes product, odd;
    for (std::size_t c = 0; c < x.size(); ++c) {
      product.push_back(graph_.add(NodeKind::multiply, x[c], y[c]));  // by both ways
      odd.push_back(graph_.add(c == 2 ? NodeKind::negate : NodeKind::absolute, known_[1][c]));
      recording.take_for_sound(graph_.add(NodeKind::finite, product[c]), true);
    }
    store(0, product);
    store(1, wanted == 1.0 ? x : y);
    store(2, odd);
    store(6, zero);
    store(3, known_[0]);                                    // moved
    store(4, RowOfNodes(index(columns_), common_.back()));  // the same in all
    store(5, known_[rows]);                                 // constants
    after[1] = product[1];                                  // what stands alone reads columns
    after[2] = graph_.add(NodeKind::cos, graph_.add(NodeKind::add, product[0], product[2]));
    recording.end();
    EXPECT_TRUE(program_.add(recording, before_, after));
  }

  std::mt19937 draw_;
  int columns_;
  Program program_;
  Graph& graph_ = program_.graph();
  std::vector<int> before_, common_;
  std::vector<RowOfNodes> known_;
};

bool equals(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

struct LoopsOverColumns : testing::TestWithParam<std::pair<int, int>> {};

TEST_P(LoopsOverColumns, DoWhatTheInterpreterDoes) {
  const std::string compiler = host_compiler();
  if (compiler.empty()) GTEST_SKIP() << "no C compiler";
  const auto [lanes, columns] = GetParam();
  const auto size = static_cast<std::size_t>(places_of(columns) * lanes);
  std::string text = emitted_head(lanes, columns);
  std::vector<std::unique_ptr<ColumnProgram>> programs;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    programs.push_back(std::make_unique<ColumnProgram>(seed, columns, 12));
    const Columns found(programs.back()->program(), columns);
    EXPECT_GT(found.nodes().size(), 3u) << seed;
    text += emitted(programs.back()->program(), "program" + std::to_string(seed),
                    seed % 2 ? 1000 : 7, {columns});
  }
  const CompiledText compiled(compiler, text);
  std::mt19937 draw(7);
  std::uniform_real_distribution<double> between(-2.0, 2.0);
  std::vector<double> values;
  std::vector<double> storage(size + 8);
  int held = 0, refused = 0;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    Function* const run = compiled.function<Function>("program" + std::to_string(k + 1));
    for (int point = 0; point < 12; ++point) {
      auto start = reinterpret_cast<std::uintptr_t>(storage.data());
      double* const memory = storage.data() + (64 - start % 64) % 64 / sizeof(double);
      std::generate(memory, memory + size, [&] { return between(draw); });
      for (int i = 0; i < lanes; ++i)  // the same way
        if ((memory[i] < memory[lanes + i]) != (point % 2 == 0))
          std::swap(memory[i], memory[lanes + i]);
      if (point % 4 == 3)  // a column of one lane is no number
        memory[(singles + point % rows * columns + columns - 1) * lanes] = std::nan("");
      std::vector<double> wanted(memory, memory + size);
      const int path = programs[k]->program().run(wanted.data(), 0.0, values, lanes);
      ++(path >= 0 ? held : refused);
      EXPECT_EQ(run(memory, 0.0), path + 1);
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_TRUE(equals(memory[i], wanted[i]))
            << "program " << k + 1 << ", " << i << ": " << memory[i] << ", not " << wanted[i];
    }
  }
  EXPECT_GT(held, 60);
  EXPECT_GT(refused, 5);
}

INSTANTIATE_TEST_SUITE_P(LanesAndColumns, LoopsOverColumns,
                         testing::Values(std::pair(1, 4), std::pair(1, 5), std::pair(1, 8),
                                         std::pair(1, 19), std::pair(2, 3), std::pair(8, 5),
                                         std::pair(8, 16)));

// Of a program whose rows are compared, and not stored: its functions are given none.
TEST(Columns, MayHaveGuardsAlone) {
  const std::string compiler = host_compiler();
  if (compiler.empty()) GTEST_SKIP() << "no C compiler";
  constexpr int columns = 5;
  Program program;
  Graph& graph = program.graph();
  Recording recording(graph);
  std::vector<int> before;
  for (int p = 0; p <= columns; ++p) before.push_back(graph.memory(p));
  int holds = graph.constant(1.0);
  for (int c = 0; c < columns; ++c)
    holds = graph.add(NodeKind::both, holds,
                      graph.add(NodeKind::equal, graph.memory(c), graph.constant(0.0)));
  recording.take_for_granted(holds, 1.0);
  std::vector<int> after = before;
  after.back() = graph.add(NodeKind::add, before.back(), graph.constant(1.0));
  ASSERT_TRUE(program.add(recording, before, after));
  const CompiledText compiled(
      compiler, emitted_head(1, columns) + emitted(program, "program", 1000, {columns}));
  Function* const run = compiled.function<Function>("program");
  alignas(64) double memory[] = {0.0, 0.0, 0.0, 0.0, 0.0, 2.0};
  EXPECT_EQ(run(memory, 0.0), 1);
  EXPECT_EQ(memory[columns], 3.0);
  memory[3] = 1e-300;
  EXPECT_EQ(run(memory, 0.0), 0);
  EXPECT_EQ(memory[columns], 3.0);
}

// What is said once is not said again.
TEST(Columns, LeaveTheOthersAlone) {
  const ColumnProgram made(3, 16, 12);
  const Columns none(made.program(), 0), all(made.program(), 16);
  EXPECT_TRUE(none.nodes().empty());
  std::size_t alone = 0, before = 0, looped = 0;
  for (std::size_t s = 0; s < all.stretches().size(); ++s) {
    before += none.stretches()[s].nodes.size();
    alone += all.stretches()[s].nodes.size();
    looped += all.stretches()[s].column_nodes.size();
  }
  EXPECT_LT(alone + 8 * looped, before);
}

}  // namespace
}  // namespace gradus::specialise
