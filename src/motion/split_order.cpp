// A row is taken when its reflection touches least: the coordinates it depends on times the rows
// that depend on some of them, the rule of Markowitz for reflections. What it reflects is filled in
// all rows it touches. docs/theory.md, section 7.
#include "src/motion/split_order.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "src/motion/decompositions.hpp"
#include "src/motion/mobility.hpp"

namespace gradus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kPoorPivot = 0.05;      // of the smallest at the start
constexpr double kSmallestShare = 1e-6;  // of the largest pivot at the start
constexpr Index kFewest = 12;            // coordinates; with less, lists take longer than they save
constexpr double kWorthwhile = 0.5;      // of the operations of dense factors
constexpr std::size_t kMostCompared = 400;  // rows whose touched rows are counted at each step

// Coordinates that a row depends on.
class CoordinateSet {
 public:
  explicit CoordinateSet(std::size_t most) : words_((most + 63) / 64) {}
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  void add(const CoordinateSet& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  bool meets(const CoordinateSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      if ((words_[w] & other.words_[w]) != 0) return true;
    return false;
  }
  std::vector<int> list() const {
    std::vector<int> all;
    for (std::size_t i = 0; i < 64 * words_.size(); ++i)
      if ((words_[i / 64] >> (i % 64) & 1) != 0) all.push_back(static_cast<int>(i));
    return all;
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_)
      sum += static_cast<std::size_t>(__builtin_popcountll(word));
    return sum;
  }

 private:
  std::vector<std::uint64_t> words_;
};

// The coordinates that each row depends on, wherever the mechanism is.
std::vector<CoordinateSet> patterns(const Plan& plan, std::size_t rows) {
  std::vector<CoordinateSet> found(rows, CoordinateSet(plan.coordinates.size()));
  for (const kernels::ConstraintEntry& entry : plan.constraints) {
    const auto first = static_cast<std::size_t>(entry.row);
    if (first >= rows) break;
    CoordinateSet touched(plan.coordinates.size());
    const auto add = [&](int begin, int end) {
      for (int t = begin; t < end; ++t)
        touched.add(static_cast<std::size_t>(plan.touches[static_cast<std::size_t>(t)].coordinate));
    };
    add(entry.touch_begin, entry.touch_end);
    const auto named = static_cast<std::size_t>(std::max(entry.feature[0], 0));
    if (entry.kind == kernels::ConstraintKind::law)
      add(plan.laws[named].touch_begin, plan.laws[named].touch_end);
    if (entry.kind == kernels::ConstraintKind::normalisation)
      for (std::size_t c = named; c < named + 4; ++c) touched.add(c);
    for (std::size_t i = 0; i < static_cast<std::size_t>(entry.rows); ++i)
      found[first + i] = touched;
  }
  return found;
}

struct Step {
  std::size_t row;
  std::vector<int> coordinates;  // the first is the head
  std::vector<std::size_t> touched;
};

class Elimination {
 public:
  explicit Elimination(std::vector<CoordinateSet> patterns) : patterns_(std::move(patterns)) {
    for (std::size_t row = 0; row < patterns_.size(); ++row) left_.push_back(row);
  }

  std::vector<Step> run() {
    std::vector<Step> steps;
    while (!left_.empty()) steps.push_back(take(next()));
    return steps;
  }

 private:
  std::vector<std::size_t> touched_by(std::size_t row) const {
    std::vector<std::size_t> touched;
    for (const std::size_t other : left_)
      if (other != row && patterns_[other].meets(patterns_[row])) touched.push_back(other);
    return touched;
  }

  std::size_t next() const {
    const bool compares = left_.size() <= kMostCompared;
    std::size_t best = left_.front();
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const std::size_t row : left_) {
      const std::size_t rows = compares ? 1 + touched_by(row).size() : 1;
      const std::size_t cost = patterns_[row].count() * rows;
      if (cost < least) best = row;
      least = std::min(cost, least);
    }
    return best;
  }

  Step take(std::size_t row) {
    Step step{row, patterns_[row].list(), touched_by(row)};
    std::erase(left_, row);
    if (step.coordinates.empty()) return step;  // depends on others by its structure
    const auto head = static_cast<std::size_t>(step.coordinates.front());
    for (const std::size_t other : step.touched) {
      patterns_[other].add(patterns_[row]);
      patterns_[other].remove(head);
    }
    return step;
  }

  std::vector<CoordinateSet> patterns_;  // what is left of each row, filled in
  std::vector<std::size_t> left_;        // rows that have not been taken
};

double operations_of(const std::vector<Step>& steps, std::size_t free) {
  double sum = 0.0;
  for (const Step& step : steps)
    sum += 4.0 * static_cast<double>(step.coordinates.size() * (step.touched.size() + free + 1));
  return sum;
}

// Of split_jacobian(): lengths of rows, reflections, and those of the orthogonal factor.
double operations_of_dense(double rows, double coordinates) {
  double sum = 0.0;
  for (double k = 0.0; k < rows; ++k)
    sum += (coordinates - k) * (6.0 * (rows - k) + 4.0 * (coordinates - k));
  return sum;
}

// The smallest pivot of the rows in this order beside the largest.
double share_of_smallest(const MatrixXd& jacobian, const std::vector<Step>& steps) {
  const Index count = jacobian.rows();
  MatrixXd rows(count, jacobian.cols());
  for (Index i = 0; i < count; ++i)
    rows.row(i) = jacobian.row(static_cast<Index>(steps[static_cast<std::size_t>(i)].row));
  double smallest = std::numeric_limits<double>::max(), largest = 0.0;
  for (Index i = 0; i < count; ++i) {
    const double size = rows.row(i).norm();
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
    if (size == 0.0) break;
    rows.row(i) /= size;
    const Index rest = count - i - 1;
    const Eigen::VectorXd shares = rows.bottomRows(rest) * rows.row(i).transpose();
    rows.bottomRows(rest) -= shares * rows.row(i);
  }
  return largest > 0.0 ? smallest / largest : 0.0;
}

void write_runs(std::vector<int> places, Plan& plan) {
  std::ranges::sort(places);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (i > 0 && places[i] == places[i - 1] + 1)
      ++plan.split_runs.back().end;
    else
      plan.split_runs.push_back({places[i], places[i] + 1});
}

void write_order(const std::vector<Step>& steps, const std::vector<CoordinateSet>& patterns,
                 Plan& plan) {
  const auto size_of = [](const auto& array) { return static_cast<int>(array.size()); };
  const auto add_places = [&](const std::vector<int>& coordinates, std::size_t from) {
    plan.split_places.insert(plan.split_places.end(),
                             coordinates.begin() + static_cast<std::ptrdiff_t>(from),
                             coordinates.end());
    return size_of(plan.split_places);
  };
  std::vector<int> order(steps.size());
  for (std::size_t j = 0; j < steps.size(); ++j) order[steps[j].row] = static_cast<int>(j);
  std::vector<bool> is_head(plan.coordinates.size(), false);
  for (const Step& step : steps) {
    kernels::SplitStepEntry entry{};
    entry.row = static_cast<int>(step.row);
    entry.entry_begin = size_of(plan.split_places);
    entry.entry_end = add_places(patterns[step.row].list(), 0);
    entry.head = step.coordinates.front();
    is_head[static_cast<std::size_t>(entry.head)] = true;
    entry.place_begin = entry.entry_end;
    entry.place_end = add_places(step.coordinates, 1);
    std::vector<int> touched;
    for (const std::size_t row : step.touched) touched.push_back(order[row]);
    entry.run_begin = size_of(plan.split_runs);
    write_runs(std::move(touched), plan);
    entry.run_end = size_of(plan.split_runs);
    plan.split_steps.push_back(entry);
  }
  for (std::size_t c = 0; c < is_head.size(); ++c)
    if (!is_head[c]) plan.split_free.push_back(static_cast<int>(c));
}

}  // namespace

void order_split(StartConstraints& constraints, Index rows, Index rank, Plan& plan) {
  plan.split_steps.clear();
  plan.split_places.clear();
  plan.split_runs.clear();
  plan.split_free.clear();
  // Open trees have factors of their own. Of rows that depend on others the independent ones would
  // be other rows elsewhere, and a motion past the place where those of the start depend on each
  // other would look like one past a singular configuration.
  if (rank == 0 || rank < rows || plan.singular_start > 0 || ties(plan).empty()) return;
  const MatrixXd jacobian = constraints.jacobian().topRows(rows);
  const auto coordinates = jacobian.cols();
  if (coordinates < kFewest) return;
  const std::vector<CoordinateSet> found = patterns(plan, static_cast<std::size_t>(rows));
  const std::vector<Step> steps = Elimination(found).run();
  if (std::ranges::any_of(steps, [](const Step& step) { return step.coordinates.empty(); })) return;
  const double dense =
      operations_of_dense(static_cast<double>(rows), static_cast<double>(coordinates));
  if (operations_of(steps, static_cast<std::size_t>(coordinates - rank)) > kWorthwhile * dense)
    return;
  const double share = share_of_smallest(jacobian, steps);
  if (share < kSmallestShare) return;
  plan.least_split_pivot = kPoorPivot * share;
  write_order(steps, found, plan);
}

}  // namespace gradus
