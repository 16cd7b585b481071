// Which rows of the constraints form systems of their own. As many coordinates as a set of
// constraints leaves free among its own must be free in the whole mechanism; otherwise others
// restrict them, and the set is none. docs/theory.md, section 7.
#include "src/motion/row_groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/motion/decompositions.hpp"
#include "src/motion/mobility.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Columns = std::vector<bool>;

constexpr double kNothing = 1e-9;        // entries of rows whose largest is about 1
constexpr double kDependentRows = 1e-8;  // beside others
constexpr double kDependentShare = 1e-6;
constexpr std::size_t kMostPaired = 32;  // constraints that are looked at two by two
constexpr std::size_t kFreeCoordinates = 7;

// The equations of one loop or constraint.
struct Closure {
  std::vector<Index> rows, pivots;
  Columns columns;
  bool is_joint = true;     // between bodies with coordinates of their own, or the ground
  std::set<int> bodies;     // which it ties then, -1: the ground
  bool normalises = false;  // Euler parameters, which cannot be singular
  bool is_settled = false;  // belongs to a set of its own
};

struct ClosureSet {
  std::vector<std::size_t> members;
  std::vector<Index> columns;
  std::size_t pivots = 0;
};

Index rank_of_entries(const MatrixXd& matrix) {
  if (matrix.size() == 0) return 0;
  return pivoted_columns(matrix, kDependentRows).rank;
}

MatrixXd rows_of(const MatrixXd& matrix, const std::vector<Index>& rows) {
  return matrix(rows, Eigen::all);
}

class Grouping {
 public:
  Grouping(const MatrixXd& start, const std::vector<MatrixXd>& elsewhere, Index rank)
      : start_(start), elsewhere_(elsewhere), held_(static_cast<std::size_t>(start.cols()), false) {
    pivots_ = pivoted_columns(start.transpose(), kDependentRows).order;
    pivots_.resize(static_cast<std::size_t>(std::min(rank, start.rows())));
    motions_ = complement(rows_of(elsewhere.front(), pivots_));
    find_circuits();
  }

  // Equations of one name are those of one loop.
  void add_closures(const Plan& plan) {
    for (const kernels::CoordinateEntry& entry : plan.coordinates) carriers_.push_back(entry.body);
    const std::string* last = nullptr;
    for (std::size_t k = 0; k < plan.constraints.size(); ++k) {
      const kernels::ConstraintEntry& entry = plan.constraints[k];
      if (entry.row >= start_.rows()) break;
      const bool normalises = entry.kind == kernels::ConstraintKind::normalisation;
      const std::string& name = plan.constraint_names[k];
      if (normalises || last == nullptr || *last != name) closures_.emplace_back();
      last = normalises ? nullptr : &name;
      Closure& closure = closures_.back();
      closure.normalises = normalises;
      closure.columns.resize(held_.size(), false);
      for (Index row = entry.row; row < entry.row + entry.rows; ++row) add_row(row, closure);
      add_bodies(plan, entry, closure);
    }
    std::erase_if(closures_, [](const Closure& closure) { return closure.pivots.empty(); });
  }

  std::size_t loops() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        closures_, [](const Closure& closure) { return !closure.normalises; }));
  }

  // Sets of one constraint and all that tie the same coordinates, then of two.
  void find_sets() {
    while (settle_one() || settle_pair()) {
    }
  }

  // What the orientation of all rows says of the last set, if the others are known, needs no group;
  // nor does a set of all rows.
  void write(Plan& plan) {
    const bool is_complete = std::ranges::all_of(
        closures_, [](const Closure& closure) { return closure.is_settled || closure.normalises; });
    if (is_complete && is_judged_ && !sets_.empty())
      sets_.erase(std::ranges::max_element(sets_, {}, [](const ClosureSet& set) {
        return set.pivots * set.pivots * set.columns.size();
      }));
    std::erase_if(sets_, [&](const ClosureSet& set) { return set.pivots == pivots_.size(); });
    int rows = 0, numbers = 0;
    for (const ClosureSet& set : sets_) {
      kernels::RowGroupEntry entry{};
      entry.rows = static_cast<int>(set.pivots);
      entry.column_begin = static_cast<int>(plan.group_columns.size());
      entry.columns = static_cast<int>(set.columns.size());
      entry.row_begin = rows;
      entry.number_begin = numbers;
      rows += entry.rows;
      numbers += entry.rows * entry.columns;
      plan.row_groups.push_back(entry);
      for (const Index c : set.columns) plan.group_columns.push_back(static_cast<int>(c));
      std::vector<int> members(static_cast<std::size_t>(start_.rows()), 0);
      for (const std::size_t k : set.members)
        for (const Index row : closures_[k].rows) members[static_cast<std::size_t>(row)] = 1;
      plan.group_members.insert(plan.group_members.end(), members.begin(), members.end());
    }
  }

 private:
  // Each row that is no pivot, with those that it depends on.
  void find_circuits() {
    if (pivots_.empty()) return;
    const MatrixXd basis = rows_of(start_, pivots_).transpose();
    for (Index row = 0; row < start_.rows(); ++row) {
      if (std::ranges::find(pivots_, row) != pivots_.end()) continue;
      const VectorXd shares = shortest_solution(basis, start_.row(row).transpose(), kDependentRows);
      std::vector<Index> circuit{row};
      for (std::size_t i = 0; i < pivots_.size(); ++i)
        if (std::abs(shares(static_cast<Index>(i))) > kDependentShare)
          circuit.push_back(pivots_[i]);
      circuits_.push_back(std::move(circuit));
    }
  }

  void add_row(Index row, Closure& closure) const {
    closure.rows.push_back(row);
    if (std::ranges::find(pivots_, row) != pivots_.end()) closure.pivots.push_back(row);
    for (const MatrixXd& matrix : elsewhere_)
      for (Index c = 0; c < matrix.cols(); ++c)
        if (std::abs(matrix(row, c)) > kNothing)
          closure.columns[static_cast<std::size_t>(c)] = true;
  }

  static void add_bodies(const Plan& plan, const kernels::ConstraintEntry& entry,
                         Closure& closure) {
    if (entry.kind == kernels::ConstraintKind::law) closure.is_joint = false;
    if (!closure.is_joint || closure.normalises) return;
    for (int k = 0; k < kernels::feature_count(entry.kind); ++k) {
      const int feature = entry.feature[static_cast<std::size_t>(k)];
      const int body = plan.features[static_cast<std::size_t>(feature)].body;
      closure.is_joint = closure.is_joint && plan.has_own_coordinates(body);
      closure.bodies.insert(body);
    }
  }

  // Of two constraints, or one, and of all that tie no other coordinates; held ones do not count.
  ClosureSet set_of(std::size_t first, std::size_t second) const {
    ClosureSet set;
    Columns columns(held_.size());
    for (std::size_t c = 0; c < held_.size(); ++c) {
      columns[c] = !held_[c] && (closures_[first].columns[c] || closures_[second].columns[c]);
      if (columns[c]) set.columns.push_back(static_cast<Index>(c));
    }
    for (std::size_t k = 0; k < closures_.size(); ++k) {
      bool inside = false, outside = false;
      for (std::size_t c = 0; c < held_.size(); ++c) {
        inside = inside || (closures_[k].columns[c] && columns[c]);
        outside = outside || (closures_[k].columns[c] && !columns[c] && !held_[c]);
      }
      if (!inside || outside) continue;
      set.members.push_back(k);
      set.pivots += closures_[k].pivots.size();
    }
    return set;
  }

  // Whether others restrict no motion that the set allows.
  bool stands_alone(const ClosureSet& set) const {
    const auto free = static_cast<Index>(set.columns.size()) - static_cast<Index>(set.pivots);
    return free >= 0 && rank_of_entries(rows_of(motions_, set.columns)) == free;
  }

  // Whether pivots are all independent rows that the set has, and not some of them for others, and
  // whether no other row can stand for one of them.
  bool is_whole(const ClosureSet& set) const {
    std::vector<Index> rows;
    for (const std::size_t k : set.members)
      rows.insert(rows.end(), closures_[k].rows.begin(), closures_[k].rows.end());
    const auto is_own = [&](Index row) { return std::ranges::find(rows, row) != rows.end(); };
    const bool shares = std::ranges::any_of(circuits_, [&](const std::vector<Index>& circuit) {
      return std::ranges::any_of(circuit, is_own) && !std::ranges::all_of(circuit, is_own);
    });
    return !shares && pivoted_columns(rows_of(start_, rows), AssemblyLimits::redundancy).rank ==
                          static_cast<Index>(set.pivots);
  }

  // Whether joints alone tie the bodies of a set, to each other, to held ones and to the ground, in
  // no circle: then rows are independent wherever the joints are closed.
  bool is_open(const ClosureSet& set) const {
    constexpr int kGround = -1;
    std::map<int, int> part{{kGround, kGround}};  // of each body that moves
    for (const Index c : set.columns) part.emplace(carriers_[static_cast<std::size_t>(c)], 0);
    if (set.columns.size() != kFreeCoordinates * (part.size() - 1)) return false;
    for (auto& [body, own] : part) own = body;
    for (const std::size_t k : set.members) {
      const Closure& closure = closures_[k];
      if (closure.rows.size() != closure.pivots.size()) return false;
      if (closure.normalises) continue;
      if (!closure.is_joint || closure.bodies.size() != 2) return false;
      const auto part_of = [&](int body) { return part.at(part.contains(body) ? body : kGround); };
      const int first = part_of(*closure.bodies.begin());
      const int second = part_of(*closure.bodies.rbegin());
      if (first == second) return false;
      for (auto& [body, own] : part)
        if (own == second) own = first;
    }
    return true;
  }

  // Rows that are the same everywhere have one orientation.
  bool changes(const ClosureSet& set) const {
    return std::ranges::any_of(set.members, [&](std::size_t k) {
      return !closures_[k].normalises && std::ranges::any_of(closures_[k].pivots, [&](Index row) {
        return std::ranges::any_of(elsewhere_, [&](const MatrixXd& matrix) {
          return (matrix.row(row) - start_.row(row)).lpNorm<Eigen::Infinity>() > kNothing;
        });
      });
    });
  }

  // Those of few coordinates first, of which the others are to be free.
  bool settle_one() {
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> order;
    for (std::size_t k = 0; k < closures_.size(); ++k) {
      std::ptrdiff_t open = 0;
      for (std::size_t c = 0; c < held_.size(); ++c) open += closures_[k].columns[c] && !held_[c];
      order.emplace_back(open, k);
    }
    std::ranges::sort(order);
    return std::ranges::any_of(order,
                               [&](const auto& next) { return settle(next.second, next.second); });
  }

  bool settle_pair() {
    if (closures_.size() > kMostPaired) return false;
    for (std::size_t i = 0; i < closures_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (settle(i, j)) return true;
    return false;
  }

  // Notes a set that stands alone. What it determines wholly moves in no other.
  bool settle(std::size_t first, std::size_t second) {
    Closure& closure = closures_[first];
    if (closure.is_settled || closure.normalises) return false;
    if (closures_[second].is_settled || closures_[second].normalises) return false;
    const ClosureSet set = set_of(first, second);
    if (set.members.empty() || !stands_alone(set)) return false;
    for (const std::size_t k : set.members) closures_[k].is_settled = true;
    if (set.columns.size() == set.pivots)
      for (const Index c : set.columns) held_[static_cast<std::size_t>(c)] = true;
    if (!is_whole(set))
      is_judged_ = false;
    else if (!is_open(set) && changes(set))
      sets_.push_back(set);
    return true;
  }

  const MatrixXd& start_;
  const std::vector<MatrixXd>& elsewhere_;
  std::vector<Index> pivots_;
  std::vector<std::vector<Index>> circuits_;
  MatrixXd motions_;
  std::vector<int> carriers_;  // [coordinate] its body
  std::vector<Closure> closures_;
  Columns held_;  // coordinates that settled sets determine
  std::vector<ClosureSet> sets_;
  bool is_judged_ = true;  // all sets are
};

}  // namespace

void group_rows(StartConstraints& constraints, const VectorXd& units, Index rows, Index rank,
                Plan& plan) {
  plan.row_groups.clear();
  plan.group_members.clear();
  plan.group_columns.clear();
  if (ties(plan).size() < 2) return;
  const VectorXd lengths = Eigen::Map<const VectorXd>(plan.row_lengths.data(),
                                                      static_cast<Index>(plan.row_lengths.size()))
                               .head(rows);
  const auto even = [&](const MatrixXd& jacobian) -> MatrixXd {
    return lengths.cwiseInverse().asDiagonal() * jacobian.topRows(rows) * units.asDiagonal();
  };
  const MatrixXd start = even(constraints.jacobian());
  std::vector<MatrixXd> elsewhere = constraints.jacobians_elsewhere(units);
  for (MatrixXd& jacobian : elsewhere) jacobian = even(jacobian);
  Grouping grouping(start, elsewhere, rank);
  grouping.add_closures(plan);
  if (grouping.loops() < 2) return;
  grouping.find_sets();
  grouping.write(plan);
}

}  // namespace gradus
