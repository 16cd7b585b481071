// The text of a program: parts, guards, stores, and the words they are written with.
#include "src/specialise/emit.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "src/specialise/columns.hpp"
#include "src/specialise/formulas.hpp"

namespace gradus::specialise {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// Neighbouring nodes of a stretch, or of its columns, which become one function.
struct Part {
  int stretch = 0;
  bool of_columns = false;
  std::vector<int> nodes;
  std::vector<Guard> guards;
  std::vector<int> column_guards;
};

class Emitter {
 public:
  Emitter(const Program& program, const std::string& name, int part, int columns)
      : stretches_(program.stretches()),
        nodes_(program.graph().nodes()),
        columns_(program, columns),
        name_(name),
        part_(part) {
    find_masks();
    find_parts();
    find_passed();
  }

  // That go from one loop over columns to another, or are stored.
  int numbers_of_rows() const { return passed_row_count_ * columns_.count(); }
  // That go from one function to another.
  int slots() const { return slot_count_; }

  std::string run() {
    emit_tables();
    for (std::size_t k = 0; k < parts_.size(); ++k)
      parts_[k].of_columns ? emit_columns(static_cast<int>(k)) : emit_part(static_cast<int>(k));
    for (std::size_t k = 0; k < stretches_.size(); ++k)
      if (stretches_[k].ways.empty()) emit_stores(stretches_[k], columns_.stretches()[k]);
    emit_whole();
    return std::move(text_);
  }

 private:
  // Which nodes are choices rather than numbers. Constants are either, as their readers ask.
  void find_masks() {
    is_mask_.resize(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      is_mask_[i] =
          is_comparison(node.kind) || is_logic(node.kind) ||
          (node.kind == NodeKind::select && (is_mask_[index(node.b)] || is_mask_[index(node.c)]));
    }
  }

  // Guards belong where their nodes are computed, if that is in the same stretch: the sooner it is
  // known that they do not hold, the better.
  void find_parts() {
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      const Columns::Stretch& stretch = columns_.stretches()[s];
      const std::size_t first = parts_.size();
      const auto begin = [&](bool of_columns) {
        parts_.push_back({static_cast<int>(s), of_columns, {}, {}, {}});
      };
      const auto is_full = [&] { return static_cast<int>(parts_.back().nodes.size()) == part_; };
      begin(false);
      std::map<int, std::size_t> part_of;
      const auto take = [&](int node) {
        if (is_free(node)) return;
        if (parts_.back().of_columns || is_full()) begin(false);
        parts_.back().nodes.push_back(node);
        part_of[node] = parts_.size() - 1;
      };
      std::for_each(stretch.nodes.begin(), stretch.nodes.end(), take);
      for (const int row : stretch.column_nodes) {
        if (!parts_.back().of_columns || is_full()) begin(true);
        parts_.back().nodes.push_back(row);
        if (std::find(stretch.column_guards.begin(), stretch.column_guards.end(), row) !=
            stretch.column_guards.end())
          parts_.back().column_guards.push_back(row);
      }
      std::for_each(stretch.late_nodes.begin(), stretch.late_nodes.end(), take);
      for (const Guard& guard : stretch.guards) {
        const auto own = part_of.find(guard.node);
        parts_[own == part_of.end() ? first : own->second].guards.push_back(guard);
      }
    }
  }

  const Columns::Stretch& stretch_of(const Part& part) const {
    return columns_.stretches()[index(part.stretch)];
  }

  // Nodes that leave their part share slots with those that are asked for earlier or computed
  // later.
  void find_passed() {
    find_moments();
    const auto pass = [this](int node, int moment) {
      if (!is_free(node)) last_use_[index(node)] = std::max(last_use_[index(node)], moment);
    };
    std::vector<std::size_t> here(nodes_.size(), parts_.size());
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (parts_[k].of_columns) continue;
      const auto& in_rows = stretch_of(parts_[k]).entries;
      const auto use = [&](int node) {
        if (here[index(node)] != k && in_rows.count(node) == 0) pass(node, moment_of(k));
      };
      for (const int node : parts_[k].nodes) {
        for_each_operand(nodes_[index(node)], use);
        here[index(node)] = k;
      }
      for (const Guard& guard : parts_[k].guards) use(guard.node);
    }
    for (std::size_t k = 0; k < stretches_.size(); ++k) {
      for (const Stretch::Way& way : stretches_[k].ways) pass(way.guard.node, end_with_ways_[k]);
      const Columns::Stretch& stretch = columns_.stretches()[k];
      for (const Store& store : stretch.stores)
        if (stretch.entries.count(store.node) == 0) pass(store.node, end_[k]);
      for (const Columns::Row& fill : stretch.fills)
        if (stretch.entries.count(fill.node) == 0) pass(fill.node, end_[k]);
    }
    find_passed_rows(pass);
    share_slots();
  }

  // In the order of the text: of parts even numbers, of what follows the last of a stretch odd
  // ones.
  static int moment_of(std::size_t part) { return 2 * static_cast<int>(part); }

  // A way that is not taken to its end leads back to the next way beside it: what guards ways is
  // asked for as long as anything behind them is computed.
  void find_moments() {
    last_use_.assign(nodes_.size(), -1);
    end_.assign(stretches_.size(), 0);
    for (std::size_t k = 0; k < parts_.size(); ++k)
      end_[index(parts_[k].stretch)] = moment_of(k) + 1;
    end_with_ways_ = end_;
    for (std::size_t k = stretches_.size(); k-- > 0;)
      for (const Stretch::Way& way : stretches_[k].ways)
        end_with_ways_[k] = std::max(end_with_ways_[k], end_with_ways_[index(way.stretch)]);
  }

  // A part may write before it reads, so that what it asks for keeps its slot until it ends.
  void share_slots() {
    passed_.assign(nodes_.size(), -1);
    std::vector<int> free;
    std::multimap<int, int> taken;  // slots by the moment of their last use
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (parts_[k].of_columns) continue;
      const auto past = taken.lower_bound(moment_of(k));
      for (auto slot = taken.begin(); slot != past; ++slot) free.push_back(slot->second);
      taken.erase(taken.begin(), past);
      for (const int node : parts_[k].nodes) {
        if (last_use_[index(node)] < 0 || passed_[index(node)] >= 0) continue;
        if (free.empty()) free.push_back(slot_count_++);
        passed_[index(node)] = free.back();
        free.pop_back();
        taken.emplace(last_use_[index(node)], passed_[index(node)]);
      }
    }
  }

  // The same of rows, and nodes that columns ask for.
  template <class Pass>
  void find_passed_rows(const Pass& pass) {
    passed_rows_.assign(columns_.nodes().size(), -1);
    const auto pass_row = [this](int row) {
      if (passed_rows_[index(row)] < 0) passed_rows_[index(row)] = passed_row_count_++;
    };
    std::vector<std::size_t> here(columns_.nodes().size(), parts_.size());
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (!parts_[k].of_columns) continue;
      for (const int row : parts_[k].nodes) {
        for (const ColumnOperand& operand : operands_of(row)) {
          if (operand.from == ColumnOperand::From::node) pass(operand.index, moment_of(k));
          if (operand.from == ColumnOperand::From::row && here[index(operand.index)] != k)
            pass_row(operand.index);
        }
        here[index(row)] = k;
      }
    }
    for (const Columns::Stretch& stretch : columns_.stretches()) {
      for (const Columns::Row& row : stretch.rows) pass_row(row.node);
      for (const auto& [node, entry] : stretch.entries) pass_row(entry.row);
    }
    for (std::size_t row = 0; row < passed_rows_.size(); ++row) {
      const ColumnNode& node = columns_.nodes()[row];
      if (node.kind != NodeKind::keep || passed_rows_[row] < 0) continue;
      for (std::size_t c = 0; c < node.members.size(); ++c)
        gathered_.emplace(node.members[c], entry_text(static_cast<int>(row), static_cast<int>(c)));
    }
  }

  std::string entry_text(int row, int column) const {
    return "w[" + std::to_string(passed_rows_[index(row)]) + " * COLUMNS + " +
           std::to_string(column) + "]";
  }

  std::span<const ColumnOperand> operands_of(int row) const {
    const ColumnNode& node = columns_.nodes()[index(row)];
    const int count = std::max(operand_count(node.kind), 1);
    return {node.operands.data(), index(count)};
  }

  // What costs nothing to say again.
  bool is_free(int node) const { return operand_count(nodes_[index(node)].kind) == 0; }

  template <class Visit>
  static void for_each_operand(const Node& node, const Visit& visit) {
    const int operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.kind); ++k) visit(operands[k]);
  }

  std::string number(int node) const {
    const Node& n = nodes_[index(node)];
    if (n.kind == NodeKind::constant) return "ALL(" + literal(n.value) + ")";
    if (n.kind == NodeKind::time) return "ALL(t)";
    if (n.kind == NodeKind::memory) return "M(" + std::to_string(n.a) + ")";
    return "n" + std::to_string(node);
  }
  std::string mask(int node) const {
    const Node& n = nodes_[index(node)];
    if (n.kind == NodeKind::constant) return n.value != 0.0 ? "TRUE" : "FALSE";
    return "n" + std::to_string(node);
  }
  std::string either(int node, bool as_mask) const { return as_mask ? mask(node) : number(node); }

  std::string formula(const Node& n, bool yields_mask) const {
    const int operands[] = {n.a, n.b, n.c};
    std::array<std::string, 3> words;
    for (int k = 0; k < operand_count(n.kind); ++k) {
      const bool is_mask =
          is_logic(n.kind) || (n.kind == NodeKind::select && (k == 0 || yields_mask));
      words[index(k)] = either(operands[k], is_mask);
    }
    return formula_of(n.kind, words, yields_mask ? masks_of_designs : numbers_of_designs);
  }

  std::string slot(int node) const {
    if (here_ != nullptr)
      if (const auto entry = here_->entries.find(node); entry != here_->entries.end())
        return entry_text(entry->second.row, entry->second.column);
    const std::string place = "s[" + std::to_string(passed_[index(node)]) + "]";
    return is_mask_[index(node)] ? place + ".mask" : place + ".number";
  }

  std::string name_of(int part) const { return name_ + "_" + std::to_string(part); }

  void begin_function(int part) {
    const bool has_rows = passed_row_count_ > 0;
    text_ += "FUNCTION int " + name_of(part) + "(READ_MEMORY, Slot *RESTRICT s, " +
             (has_rows ? "Number *RESTRICT w, " : "") +
             "double t) {\n  (void)m; (void)s; (void)t;" + (has_rows ? " (void)w;\n" : "\n");
  }

  // Returns whether its guards hold.
  void emit_part(int k) {
    const Part& part = parts_[index(k)];
    here_ = &stretch_of(part);
    begin_function(k);
    std::set<int> here;
    const auto read = [&](int node) {
      if (is_free(node) || !here.insert(node).second) return;
      declare(node, slot(node));
    };
    for (const int node : part.nodes) {
      for_each_operand(nodes_[index(node)], read);
      here.insert(node);
      declare(node, formula(nodes_[index(node)], is_mask_[index(node)]));
      if (last_use_[index(node)] > moment_of(index(k)))
        text_ += "  " + slot(node) + " = n" + std::to_string(node) + ";\n";
      const auto [first, last] = gathered_.equal_range(node);
      for (auto entry = first; entry != last; ++entry)
        text_ += "  " + entry->second + " = n" + std::to_string(node) + ";\n";
    }
    text_ += "  Mask holds = TRUE;\n";
    for (const Guard& guard : part.guards) {
      read(guard.node);
      const std::string found = equality(guard.node, guard.value, false);
      text_ += guard.in_some ? "  if (!holds_in_some(" + found + ")) return 0;\n"
                             : "  holds &= " + found + ";\n";
    }
    text_ += "  return holds_in_all(holds);\n}\n";
  }

  void emit_tables() {
    for (std::size_t k = 0; k < columns_.tables().size(); ++k) {
      text_ += "static const double " + table(static_cast<int>(k)) + "[COLUMNS] = {";
      for (const double value : columns_.tables()[k]) text_ += literal(value) + ", ";
      text_ += "};\n";
    }
  }
  std::string table(int k) const { return name_ + "_table" + std::to_string(k); }

  std::string column_operand(const ColumnOperand& operand) const {
    const std::string k = std::to_string(operand.index);
    switch (operand.from) {
      case ColumnOperand::From::row:
        return "r" + k;
      case ColumnOperand::From::memory:
        return "MEMORY_OF_COLUMNS(" + k + ")";
      case ColumnOperand::From::table:
        return "TABLE_OF_COLUMNS(" + table(operand.index) + ")";
      default:
        return "IN_COLUMNS(" + number(operand.index) + ")";
    }
  }

  std::string column_formula(const ColumnNode& n) const {
    std::array<std::string, 3> words;
    for (int k = 0; k < std::max(operand_count(n.kind), 1); ++k)
      words[index(k)] = n.kind == NodeKind::select && k == 0 ? mask(n.operands[0].index)
                                                             : column_operand(n.operands[index(k)]);
    return formula_of(n.kind, words, numbers_of_columns);
  }

  // A loop over columns. Returns whether its guards hold in all of them.
  void emit_columns(int k) {
    const Part& part = parts_[index(k)];
    begin_function(k);
    here_ = nullptr;
    std::set<int> nodes_here, rows_here;
    std::string loop;
    for (const int row : part.nodes) {
      for (const ColumnOperand& operand : operands_of(row)) {
        if (operand.from == ColumnOperand::From::node && !is_free(operand.index) &&
            nodes_here.insert(operand.index).second)
          declare(operand.index, slot(operand.index));
        if (operand.from == ColumnOperand::From::row && rows_here.insert(operand.index).second) {
          gather_what_is_free(operand.index);
          loop += "    const Column r" + std::to_string(operand.index) + " = ROW(" +
                  std::to_string(passed_rows_[index(operand.index)]) + ");\n";
        }
      }
      rows_here.insert(row);
      const ColumnNode& node = columns_.nodes()[index(row)];
      loop += is_comparison(node.kind) ? "    const ColumnMask r" : "    const Column r";
      loop += std::to_string(row) + " = " + column_formula(node) + ";\n";
      if (passed_rows_[index(row)] >= 0)
        loop += "    SET_ROW(" + std::to_string(passed_rows_[index(row)]) + ", r" +
                std::to_string(row) + ");\n";
    }
    for (const int row : part.column_guards) loop += "    holds &= r" + std::to_string(row) + ";\n";
    text_ += "  ColumnMask holds = ALL_COLUMNS_HOLD;\n  EACH_COLUMN {\n" + loop +
             "  }\n  return hold_in_all_columns(holds);\n}\n";
  }

  // Others are gathered where they are computed.
  void gather_what_is_free(int row) {
    const ColumnNode& node = columns_.nodes()[index(row)];
    if (node.kind != NodeKind::keep) return;
    for (std::size_t c = 0; c < node.members.size(); ++c)
      if (is_free(node.members[c]))
        text_ +=
            "  " + entry_text(row, static_cast<int>(c)) + " = " + number(node.members[c]) + ";\n";
  }

  // Whether a node has a value, the node being at hand or in its slot.
  std::string equality(int node, double wanted, bool in_slot) const {
    const bool named = !in_slot || is_free(node);
    if (!is_mask_[index(node)])
      return "(Mask)(" + (named ? number(node) : slot(node)) + " == ALL(" + literal(wanted) + "))";
    const std::string found = named ? mask(node) : slot(node);
    return wanted != 0.0 ? found : "NOT(" + found + ")";
  }

  void declare(int node, const std::string& value) {
    text_ += is_mask_[index(node)] ? "  const Mask n" : "  const Number n";
    text_ += std::to_string(node) + " = " + value + ";\n";
  }

  // Stretches follow each other by jumps; where guards do not hold, the next way is tried.
  void emit_whole() {
    text_ += "PROGRAM int " + name_ + "(MEMORY, double t) {\n";
    text_ += "  Slot s[" + std::to_string(std::max(slot_count_, 1)) + "];\n";
    if (passed_row_count_ > 0)
      text_ += "  Number w[COLUMNS * " + std::to_string(passed_row_count_) + "];\n";
    const std::string passed = passed_row_count_ > 0 ? "s, w, t)" : "s, t)";
    here_ = nullptr;
    std::vector<std::string> elsewhere(stretches_.size(), "return 0;\n");
    for (const Stretch& stretch : stretches_)
      for (const Stretch::Way& way : stretch.ways)
        elsewhere[index(way.stretch)] = "goto behind" + std::to_string(way.stretch) + ";\n";
    std::size_t part = 0;
    for (std::size_t k = 0; k < stretches_.size(); ++k) {
      const Stretch& stretch = stretches_[k];
      if (k > 0) text_ += "stretch" + std::to_string(k) + ":\n";
      for (; part < parts_.size() && index(parts_[part].stretch) == k; ++part)
        text_ += "  if (!" + name_of(static_cast<int>(part)) + "(PASSED_MEMORY, " + passed + ") " +
                 elsewhere[k];
      for (const Stretch::Way& way : stretch.ways) {
        const std::string next = std::to_string(way.stretch);
        text_ += std::string("  if (") + (way.guard.in_some ? "holds_in_some(" : "holds_in_all(") +
                 equality(way.guard.node, way.guard.value, true) + ")) goto stretch" + next +
                 ";\nbehind" + next + ":\n";
      }
      if (!stretch.ways.empty()) {
        text_ += "  " + elsewhere[k];
      } else {
        text_ += "  " + stores_of(stretch) + "(PASSED_MEMORY, " + passed + ";\n";
        text_ += "  return " + std::to_string(stretch.path + 1) + ";\n";
      }
    }
    text_ += "}\n";
  }

  std::string stores_of(const Stretch& stretch) const {
    return name_ + "_stores" + std::to_string(stretch.path);
  }

  // A number that moves is read before anything is written.
  void emit_stores(const Stretch& stretch, const Columns::Stretch& stored) {
    here_ = &stored;
    text_ += "FUNCTION void " + stores_of(stretch) + "(MEMORY, const Slot *s, " +
             (passed_row_count_ > 0 ? "const Number *w, " : "") +
             "double t) {\n  (void)m; (void)s; (void)t;\n";
    if (passed_row_count_ > 0) text_ += "  (void)w;\n";
    std::string writes;
    const auto value_of = [&](int node, int place) {
      const std::string value = is_free(node) ? number(node) : slot(node);
      if (nodes_[index(node)].kind != NodeKind::memory) return value;
      const std::string moved = "moved" + std::to_string(place);
      text_ += "  const Number " + moved + " = " + value + ";\n";
      return moved;
    };
    for (const Store& store : stored.stores)
      writes +=
          "  M(" + std::to_string(store.place) + ") = " + value_of(store.node, store.place) + ";\n";
    for (const Columns::Row& fill : stored.fills)
      writes += "  FILL_COLUMNS(" + std::to_string(fill.place) + ", " +
                value_of(fill.node, fill.place) + ");\n";
    for (const Columns::Row& row : stored.rows)
      writes += "  STORE_COLUMNS(" + std::to_string(row.place) + ", " +
                std::to_string(passed_rows_[index(row.node)]) + ");\n";
    text_ += writes + "}\n";
  }

  const std::vector<Stretch>& stretches_;
  const std::vector<Node>& nodes_;
  Columns columns_;
  std::string name_;
  int part_;
  std::vector<Part> parts_;
  int slot_count_ = 0, passed_row_count_ = 0;
  std::vector<bool> is_mask_;
  std::vector<int> end_, end_with_ways_, last_use_;  // moments: of stretches, of nodes
  std::vector<int> passed_, passed_rows_;            // slots of nodes, places of rows; or -1
  std::multimap<int, std::string> gathered_;         // by node, where it belongs in rows
  const Columns::Stretch* here_ = nullptr;  // whose text is written, for what its rows have
  std::string text_;
};

}  // namespace

std::string emitted(const Program& program, const std::string& name, int part,
                    const EmissionLimits& limits) {
  std::optional<Emitter> emitter(std::in_place, program, name, part, limits.columns);
  if (emitter->numbers_of_rows() > limits.most_numbers_of_loops)
    emitter.emplace(program, name, part, 0);
  if (emitter->slots() > limits.most_slots)
    throw TooManySlots("they pass on more numbers than the stack has room for");
  return emitter->run();
}

}  // namespace gradus::specialise
