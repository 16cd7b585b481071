// The text of a program: parts, guards, stores, and the words they are written with.
#include "src/specialise/emit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "kernels/base/tile.hpp"
#include "src/specialise/columns.hpp"

namespace gradus::specialise {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

const char* function_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::floor:
      return "floor";
    case NodeKind::sin:
      return "sin";
    case NodeKind::cos:
      return "cos";
    case NodeKind::tan:
      return "tan";
    case NodeKind::asin:
      return "asin";
    case NodeKind::acos:
      return "acos";
    case NodeKind::atan:
      return "atan";
    case NodeKind::sinh:
      return "sinh";
    case NodeKind::cosh:
      return "cosh";
    case NodeKind::tanh:
      return "tanh";
    case NodeKind::exp:
      return "exp";
    case NodeKind::log:
      return "log";
    case NodeKind::atan2:
      return "atan2";
    case NodeKind::pow:
      return "pow";
    default:
      return nullptr;
  }
}

bool is_comparison(NodeKind kind) {
  return kind == NodeKind::less || kind == NodeKind::less_equal || kind == NodeKind::equal ||
         kind == NodeKind::finite;
}
bool is_logic(NodeKind kind) {
  return kind == NodeKind::both || kind == NodeKind::either || kind == NodeKind::opposite;
}

// Every digit, whatever the locale.
std::string literal(double x) {
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x < 0.0 ? "(-INFINITY)" : "INFINITY";
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), x < 0.0 ? "(%a)" : "%a", x);
  return text.data();
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
      for (const int node : stretch.nodes) {
        if (is_free(node)) continue;
        if (is_full()) begin(false);
        parts_.back().nodes.push_back(node);
        part_of[node] = parts_.size() - 1;
      }
      for (const Guard& guard : stretch.guards) {
        const auto own = part_of.find(guard.node);
        parts_[own == part_of.end() ? first : own->second].guards.push_back(guard);
      }
      for (const int row : stretch.column_nodes) {
        if (!parts_.back().of_columns || is_full()) begin(true);
        parts_.back().nodes.push_back(row);
        if (std::find(stretch.column_guards.begin(), stretch.column_guards.end(), row) !=
            stretch.column_guards.end())
          parts_.back().column_guards.push_back(row);
      }
    }
  }

  // Nodes that leave their part: place among those, in order.
  void find_passed() {
    passed_.assign(nodes_.size(), -1);
    const auto pass = [this](int node) {
      if (is_free(node) || passed_[index(node)] >= 0) return;
      passed_[index(node)] = passed_count_++;
    };
    std::vector<std::size_t> here(nodes_.size(), parts_.size());
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (parts_[k].of_columns) continue;
      const auto use = [&](int node) {
        if (here[index(node)] != k) pass(node);
      };
      for (const int node : parts_[k].nodes) {
        for_each_operand(nodes_[index(node)], use);
        here[index(node)] = k;
      }
      for (const Guard& guard : parts_[k].guards) use(guard.node);
    }
    for (const Stretch& stretch : stretches_)
      for (const Stretch::Way& way : stretch.ways) pass(way.guard.node);
    for (const Columns::Stretch& stretch : columns_.stretches()) {
      for (const Store& store : stretch.stores) pass(store.node);
      for (const Columns::Row& fill : stretch.fills) pass(fill.node);
    }
    find_passed_rows(pass);
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
          if (operand.from == ColumnOperand::From::node) pass(operand.index);
          if (operand.from == ColumnOperand::From::row && here[index(operand.index)] != k)
            pass_row(operand.index);
        }
        here[index(row)] = k;
      }
    }
    for (const Columns::Stretch& stretch : columns_.stretches())
      for (const Columns::Row& row : stretch.rows) pass_row(row.node);
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
    const auto a = [&] { return number(n.a); };
    const auto b = [&] { return number(n.b); };
    switch (n.kind) {
      case NodeKind::add:
        return a() + " + " + b();
      case NodeKind::subtract:
        return a() + " - " + b();
      case NodeKind::multiply:
        return a() + " * " + b();
      case NodeKind::divide:
        return a() + " / " + b();
      case NodeKind::negate:
        return "-" + a();
      case NodeKind::absolute:
        return "absolute(" + a() + ")";
      case NodeKind::sqrt:
        return "root(" + a() + ")";
      case NodeKind::less:
        return "(Mask)(" + a() + " < " + b() + ")";
      case NodeKind::less_equal:
        return "(Mask)(" + a() + " <= " + b() + ")";
      case NodeKind::equal:
        return "(Mask)(" + a() + " == " + b() + ")";
      case NodeKind::finite:
        return "(Mask)(" + a() + " - " + a() + " == ALL(0.0))";
      case NodeKind::both:
        return mask(n.a) + " & " + mask(n.b);
      case NodeKind::either:
        return mask(n.a) + " | " + mask(n.b);
      case NodeKind::opposite:
        return "NOT(" + mask(n.a) + ")";
      case NodeKind::select:
        return std::string(yields_mask ? "CHOOSE(" : "SELECT(") + mask(n.a) + ", " +
               either(n.b, yields_mask) + ", " + either(n.c, yields_mask) + ")";
      default: {
        const std::string call = std::string("of_") + function_of(n.kind) + "(" + a();
        return operand_count(n.kind) == 2 ? call + ", " + b() + ")" : call + ")";
      }
    }
  }

  std::string slot(int node) const {
    const std::string place = "s[" + std::to_string(passed_[index(node)]) + "]";
    return is_mask_[index(node)] ? place + ".mask" : place + ".number";
  }

  std::string name_of(int part) const { return name_ + "_" + std::to_string(part); }

  // Returns whether its guards hold.
  void emit_part(int k) {
    const Part& part = parts_[index(k)];
    text_ += "FUNCTION int " + name_of(k) +
             "(READ_MEMORY, Slot *RESTRICT s, double t) {\n  (void)m; (void)s; (void)t;\n";
    std::set<int> here;
    const auto read = [&](int node) {
      if (is_free(node) || !here.insert(node).second) return;
      declare(node, slot(node));
    };
    for (const int node : part.nodes) {
      for_each_operand(nodes_[index(node)], read);
      here.insert(node);
      declare(node, formula(nodes_[index(node)], is_mask_[index(node)]));
      if (passed_[index(node)] >= 0)
        text_ += "  " + slot(node) + " = n" + std::to_string(node) + ";\n";
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
    const std::string a = column_operand(n.operands[0]);
    const auto with = [&](const char* sign) {
      return a + " " + sign + " " + column_operand(n.operands[1]);
    };
    switch (n.kind) {
      case NodeKind::add:
        return with("+");
      case NodeKind::subtract:
        return with("-");
      case NodeKind::multiply:
        return with("*");
      case NodeKind::divide:
        return with("/");
      case NodeKind::negate:
        return "-" + a;
      case NodeKind::absolute:
        return "absolute_of_columns(" + a + ")";
      case NodeKind::less:
        return "(ColumnMask)(" + with("<") + ")";
      case NodeKind::less_equal:
        return "(ColumnMask)(" + with("<=") + ")";
      case NodeKind::equal:
        return "(ColumnMask)(" + with("==") + ")";
      case NodeKind::finite:
        return "(ColumnMask)(" + a + " - " + a + " == IN_COLUMNS(ALL(0.0)))";
      case NodeKind::select:
        return "SELECT_COLUMNS(" + mask(n.operands[0].index) + ", " +
               column_operand(n.operands[1]) + ", " + column_operand(n.operands[2]) + ")";
      default:
        return a;
    }
  }

  // A loop over columns. Returns whether its guards hold in all of them.
  void emit_columns(int k) {
    const Part& part = parts_[index(k)];
    text_ += "FUNCTION int " + name_of(k) +
             "(READ_MEMORY, Slot *RESTRICT s, Number *RESTRICT w, double t) {\n"
             "  (void)m; (void)s; (void)t;\n";
    std::set<int> nodes_here, rows_here;
    std::string loop;
    for (const int row : part.nodes) {
      for (const ColumnOperand& operand : operands_of(row)) {
        if (operand.from == ColumnOperand::From::node && !is_free(operand.index) &&
            nodes_here.insert(operand.index).second)
          declare(operand.index, slot(operand.index));
        if (operand.from == ColumnOperand::From::row && rows_here.insert(operand.index).second)
          loop += "    const Column r" + std::to_string(operand.index) + " = ROW(" +
                  std::to_string(passed_rows_[index(operand.index)]) + ");\n";
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
    text_ += "  Slot s[" + std::to_string(std::max(passed_count_, 1)) + "];\n";
    if (passed_row_count_ > 0)
      text_ += "  Number w[COLUMNS * " + std::to_string(passed_row_count_) + "];\n";
    const std::string rows = passed_row_count_ > 0 ? "s, w, t)" : "s, t)";
    std::vector<std::string> elsewhere(stretches_.size(), "return 0;\n");
    for (const Stretch& stretch : stretches_)
      for (const Stretch::Way& way : stretch.ways)
        elsewhere[index(way.stretch)] = "goto behind" + std::to_string(way.stretch) + ";\n";
    std::size_t part = 0;
    for (std::size_t k = 0; k < stretches_.size(); ++k) {
      const Stretch& stretch = stretches_[k];
      if (k > 0) text_ += "stretch" + std::to_string(k) + ":\n";
      for (; part < parts_.size() && index(parts_[part].stretch) == k; ++part)
        text_ += "  if (!" + name_of(static_cast<int>(part)) + "(PASSED_MEMORY, " +
                 (parts_[part].of_columns ? rows : "s, t)") + ") " + elsewhere[k];
      for (const Stretch::Way& way : stretch.ways) {
        const std::string next = std::to_string(way.stretch);
        text_ += std::string("  if (") + (way.guard.in_some ? "holds_in_some(" : "holds_in_all(") +
                 equality(way.guard.node, way.guard.value, true) + ")) goto stretch" + next +
                 ";\nbehind" + next + ":\n";
      }
      if (!stretch.ways.empty()) {
        text_ += "  " + elsewhere[k];
      } else {
        text_ += "  " + stores_of(stretch) + "(PASSED_MEMORY, " + rows + ";\n";
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
  int passed_count_ = 0, passed_row_count_ = 0;
  std::vector<bool> is_mask_;
  std::vector<int> passed_, passed_rows_;
  std::string text_;
};

constexpr const char* memory_of_host = R"(#include <math.h>
#define RESTRICT restrict
#define FUNCTION static
#define PROGRAM
#define MEMORY Number *m
#define READ_MEMORY const Number *restrict m
#define PASSED_MEMORY m
#define M(place) m[place]
)";

// Designs of a device: what lies in columns has a memory of its own.
constexpr const char* memory_in_tiles = R"(
#define MEMORY double *m, double *c
#define READ_MEMORY const double *m, const double *c
#define PASSED_MEMORY m, c
#define M(place) (*((place) < SHARED ? m + (place) * TILE : c + ((place) - SHARED) * TILE))
typedef struct {
  double *motions;
  long long motion_pitch;
  double *columns;
  long long column_pitch;
  const int *status;
  int *reached;
  long long last;
  double length;
  long long count;
} Batch;
)";

constexpr const char* tiles_on_host = R"(#include <math.h>
#define RESTRICT restrict
#define FUNCTION static
#define PROGRAM static
#define KERNEL(name) void name(const Batch b)
#define EACH_DESIGN for (long long design = 0; design < b.count; ++design)
)";

// NVRTC has no headers.
constexpr const char* tiles_on_gpu = R"(
#define NAN __longlong_as_double(0x7ff8000000000000LL)
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
#define __builtin_fabs fabs
#define __builtin_sqrt sqrt
#define RESTRICT __restrict__
#define FUNCTION static __device__ __forceinline__
#define PROGRAM static __device__ __noinline__
#define KERNEL(name) extern "C" __global__ void name(const Batch b)
#define EACH_DESIGN \
  const long long design = blockIdx.x * (long long)blockDim.x + threadIdx.x; \
  if (design < b.count)
)";

constexpr const char* numbers_alone = R"(
typedef double Number;
typedef int Mask;
#define ALL(x) (x)
#define TRUE 1
#define FALSE 0
#define NOT(a) (!(a))
#define SELECT(where, a, b) ((where) ? (a) : (b))
#define CHOOSE(where, a, b) ((where) ? (a) : (b))
FUNCTION Number absolute(Number x) { return __builtin_fabs(x); }
FUNCTION Number root(Number x) { return __builtin_sqrt(x); }
FUNCTION int holds_in_all(Mask holds) { return holds; }
FUNCTION int holds_in_some(Mask holds) { return holds; }
#define ONE(name) FUNCTION Number of_##name(Number x) { return name(x); }
#define TWO(name) FUNCTION Number of_##name(Number x, Number y) { return name(x, y); }
)";

constexpr const char* numbers_in_packs = R"(
#if defined(__SSE2__)
#include <immintrin.h>
#endif
typedef double Number __attribute__((vector_size(LANES * 8)));
typedef long long Mask __attribute__((vector_size(LANES * 8)));
#define ALL(x) ((x) - (Number){0})
#define TRUE (~(Mask){0})
#define FALSE ((Mask){0})
#define NOT(a) (~(a))
#define SELECT(where, a, b) ((Number)(((where) & (Mask)(a)) | (~(where) & (Mask)(b))))
#define CHOOSE(where, a, b) (((where) & (a)) | (~(where) & (b)))
static inline Number absolute(Number x) {
  return (Number)((Mask)x & ((Mask){0} + 0x7fffffffffffffffLL));
}
static inline Number root(Number x) {
#if LANES == 8 && defined(__AVX512F__)
  return (Number)_mm512_sqrt_pd((__m512d)x);
#elif LANES == 4 && defined(__AVX__)
  return (Number)_mm256_sqrt_pd((__m256d)x);
#elif LANES == 2 && defined(__SSE2__)
  return (Number)_mm_sqrt_pd((__m128d)x);
#else
  Number y;
  for (int i = 0; i < LANES; ++i) y[i] = __builtin_sqrt(x[i]);
  return y;
#endif
}
static inline int holds_in_all(Mask holds) {
#if LANES == 8 && defined(__AVX512F__)
  return _mm512_test_epi64_mask((__m512i)holds, (__m512i)holds) == 0xff;
#else
  for (int i = 0; i < LANES; ++i)
    if (!holds[i]) return 0;
  return 1;
#endif
}
static inline int holds_in_some(Mask holds) { return !holds_in_all(NOT(holds)); }
#define ONE(name)                                       \
  static inline Number of_##name(Number x) {            \
    Number y;                                           \
    for (int i = 0; i < LANES; ++i) y[i] = name(x[i]);  \
    return y;                                           \
  }
#define TWO(name)                                            \
  static inline Number of_##name(Number a, Number b) {       \
    Number y;                                                \
    for (int i = 0; i < LANES; ++i) y[i] = name(a[i], b[i]); \
    return y;                                                \
  }
)";

constexpr const char* rest_of_head = R"(
typedef union { Number number; Mask mask; } Slot;
ONE(floor) ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh)
ONE(exp) ONE(log) TWO(atan2) TWO(pow)
)";

// Of a pack one column after another; of a design alone vectors of columns, the last of which may
// begin before the one before it ends.
constexpr const char* columns_in_packs = R"(
typedef Number Column;
typedef Mask ColumnMask;
#define EACH_COLUMN for (int c = 0; c < COLUMNS; ++c)
#define MEMORY_OF_COLUMNS(place) m[(place) + c]
#define TABLE_OF_COLUMNS(table) ALL((table)[c])
#define IN_COLUMNS(x) (x)
#define ROW(row) w[(row) * COLUMNS + c]
#define SET_ROW(row, x) w[(row) * COLUMNS + c] = x
#define SELECT_COLUMNS(where, a, b) SELECT(where, a, b)
#define ALL_COLUMNS_HOLD TRUE
#define absolute_of_columns absolute
#define hold_in_all_columns holds_in_all
)";
constexpr const char* columns_in_vectors = R"(
#if COLUMNS >= 8 && defined(__AVX512F__)
#define WIDTH 8
#elif COLUMNS >= 4 && defined(__AVX__)
#define WIDTH 4
#else
#define WIDTH 2
#endif
typedef double Column __attribute__((vector_size(WIDTH * 8)));
typedef long long ColumnMask __attribute__((vector_size(WIDTH * 8)));
typedef double LooseColumn __attribute__((vector_size(WIDTH * 8), aligned(8)));
#define EACH_COLUMN \
  for (int k = 0, c = 0; k < COLUMNS; k += WIDTH, c = k + WIDTH > COLUMNS ? COLUMNS - WIDTH : k)
#define MEMORY_OF_COLUMNS(place) (*(const LooseColumn *)(m + (place) + c))
#define TABLE_OF_COLUMNS(table) (*(const LooseColumn *)((table) + c))
#define IN_COLUMNS(x) ((x) - (Column){0})
#define ROW(row) (*(const LooseColumn *)(w + (row) * COLUMNS + c))
#define SET_ROW(row, x) *(LooseColumn *)(w + (row) * COLUMNS + c) = x
#define SELECT_COLUMNS(where, a, b) ((where) ? (a) : (b))
#define ALL_COLUMNS_HOLD (~(ColumnMask){0})
static inline Column absolute_of_columns(Column x) {
  return (Column)((ColumnMask)x & ((ColumnMask){0} + 0x7fffffffffffffffLL));
}
static inline int hold_in_all_columns(ColumnMask holds) {
  for (int i = 0; i < WIDTH; ++i)
    if (!holds[i]) return 0;
  return 1;
}
)";
constexpr const char* stores_of_columns = R"(
#define STORE_COLUMNS(place, row) \
  __builtin_memcpy(m + (place), w + (row) * COLUMNS, sizeof(Number) * COLUMNS)
#define FILL_COLUMNS(place, x) for (int c = 0; c < COLUMNS; ++c) m[(place) + c] = x
)";

}  // namespace

std::string emitted_head(int lanes, int columns) {
  std::string head = memory_of_host;
  if (lanes > 1) head += "#define LANES " + std::to_string(lanes) + "\n";
  head += lanes == 1 ? numbers_alone : numbers_in_packs;
  head += rest_of_head;
  if (columns < 2) return head;
  head += "#define COLUMNS " + std::to_string(columns) + "\n";
  return head + (lanes == 1 ? columns_in_vectors : columns_in_packs) + stores_of_columns;
}

std::string emitted_device_head(DeviceKind kind, int shared) {
  return std::string(kind == DeviceKind::host ? tiles_on_host : tiles_on_gpu) + "#define SHARED " +
         std::to_string(shared) + "\n#define TILE " + std::to_string(kernels::kTile) +
         memory_in_tiles + numbers_alone + rest_of_head;
}

std::string emitted(const Program& program, const std::string& name, int part, int columns) {
  return Emitter(program, name, part, columns).run();
}

namespace {

std::string list_of(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + ", ";
  return text.empty() ? "0" : text;
}

// The copy of places that lie beside each other, in one.
std::string copies(const std::vector<int>& places, bool saves) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    end = begin + 1;
    while (end < places.size() && places[end] == places[end - 1] + 1) ++end;
    const std::string own = "m + " + std::to_string(places[begin]);
    const std::string kept = "saved + " + std::to_string(begin);
    text += "  __builtin_memcpy(" + (saves ? kept + ", " + own : own + ", " + kept) + ", " +
            std::to_string(end - begin) + " * sizeof(Number));\n";
  }
  return text;
}

constexpr const char* loop_of_step = R"(
  for (count = 0; count < MOST_PARTS && parts[part]; ++count) {
    path = parts[part](memory, time);
    if (!path) break;
    part = next[part][path - 1];
    if (part < 0) return 1;
  }
)";

}  // namespace

std::string emitted_steps(const std::vector<EmittedPart>& parts, const std::vector<int>& undone,
                          const std::string& name) {
  std::string text = "\n#define MOST_PARTS 1000\n";
  std::string functions, lists;
  for (const EmittedPart& part : parts) {
    if (!part.name.empty())
      text += "static const int next_of_" + part.name + "[] = {" + list_of(part.next) + "};\n";
    functions += part.name.empty() ? "0, " : part.name + ", ";
    lists += part.name.empty() ? "0, " : "next_of_" + part.name + ", ";
  }
  return text + "int " + name + "(double *memory, double time) {\n" +
         "  static int (*const parts[])(double *, double) = {" + functions + "};\n" +
         "  static const int *const next[] = {" + lists + "};\n" +
         "  Number *const m = (Number *)memory;\n  Number saved[" +
         std::to_string(undone.size() + 1) + "];\n  int part = 0, count, path;\n" +
         copies(undone, true) + loop_of_step + copies(undone, false) + "  return 0;\n}\n";
}

namespace {

constexpr const char* beginning_of_device_steps = R"(
FUNCTION void take_steps(Batch b, long long design) {
  double *const m = b.motions + design / TILE * b.motion_pitch + design % TILE;
  double *const c = b.columns + design / TILE * b.column_pitch + design % TILE;
  int step = b.reached[design];
  if (b.status[design] != 0) return;
  (void)c;
  for (; step < b.last; ++step) {
    const double time = (step + 1.0) * b.length;
    int part = 0, count;
    SAVE
    for (count = 0; part >= 0 && count < MOST_PARTS; ++count) {
      switch (part) {
)";
constexpr const char* end_of_device_steps = R"(
        default: part = UNKNOWN;
      }
    }
    if (part != END) {
      RESTORE
      break;
    }
  }
  b.reached[design] = step;
}
KERNEL(NAME) {
  EACH_DESIGN { take_steps(b, design); }
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

}  // namespace

std::string emitted_device_steps(const std::vector<EmittedPart>& parts,
                                 const std::vector<int>& undone, const std::string& name) {
  std::string text = "\n#define MOST_PARTS 1000\n#define END -1\n#define UNKNOWN -2\n";
  std::string save, restore;
  for (const int place : undone) {
    const std::string p = std::to_string(place);
    save += "const double u" + p + " = M(" + p + "); ";
    restore += "M(" + p + ") = u" + p + "; ";
  }
  text += replaced(beginning_of_device_steps, "SAVE", save);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].name.empty()) continue;
    text += "        case " + std::to_string(k) + ":\n          switch (" + parts[k].name +
            "(PASSED_MEMORY, time)) {\n";
    for (std::size_t path = 0; path < parts[k].next.size(); ++path)
      text += "            case " + std::to_string(path + 1) +
              ": part = " + std::to_string(parts[k].next[path]) + "; break;\n";
    text += "            default: part = UNKNOWN;\n          }\n          break;\n";
  }
  return text + replaced(replaced(end_of_device_steps, "NAME", name), "RESTORE", restore);
}

}  // namespace gradus::specialise
