// Spans of time in which laws of time alone limit steps: kinks and knots, and whatever is narrow.
#include "src/motion/step_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/core/arguments.hpp"
#include "kernels/expressions/evaluate.hpp"

namespace gradus {
namespace {

constexpr int kCells = 4096;          // of the duration, at whose ends everything is looked at
constexpr int kWidestHalf = 128;      // cells: what is wider limits no steps
constexpr int kNarrowest = 30;        // halvings of a cell
constexpr int kDepth = 8;             // passages of a cell that are told from each other
constexpr std::size_t kCentres = 64;  // of one output: what passes zero oftener has no middle
constexpr std::size_t kKnotsOfCell = 64;
// Of a course, relative to its range and to its size: what is below is smooth, or rounding.
constexpr double kLeastPart = 1e-6;
constexpr double kCourseRounding = 1e-12;
// Over twice the width, second differences of what is smooth grow fourfold, those of what is narrow
// no more. Kinks alone double them.
constexpr double kGrowth = 1.9;
// Steps end so many places of the last digit before and behind a kink: at the kink itself an
// expression such as x/abs(x) is no number. Stages of no method lie in its place between.
constexpr double kBefore = 7.0;
constexpr double kBehind = 9.0;

// Nor does a kink say what comes after it: the first step is no longer than such a part of the
// duration.
constexpr double kFirstParts = 64.0;

using Numbers = std::vector<double>;

// The outputs of a program of laws at any time.
class Course {
 public:
  Course(const expression::Program& program, std::span<const double> parameters)
      : program_(program.view()),
        inputs_(parameters.begin(), parameters.end()),
        values_(program.instructions.size()) {
    inputs_.push_back(0.0);
  }

  void run(double time) {
    inputs_.back() = time;
    kernels::evaluate(program_, inputs_, values_);
  }
  double output(int k) const { return values_[static_cast<std::size_t>(program_.outputs[k])]; }
  double output_at(int k, double time) {
    run(time);
    return output(k);
  }
  void outputs_at(double time, Numbers& to) {
    run(time);
    to.resize(static_cast<std::size_t>(program_.output_count));
    for (int k = 0; k < program_.output_count; ++k) to[static_cast<std::size_t>(k)] = output(k);
  }

 private:
  kernels::ProgramView program_;
  Numbers inputs_, values_;
};

// A long spline by the values at its knots, with lines between them.
class KnotTable {
 public:
  KnotTable(const TimeLaws::Knots& knots, const Numbers& values)
      : knots_(knots),
        values_(values.begin() + knots.value,
                values.begin() + knots.value + static_cast<std::ptrdiff_t>(knots.places.size())) {}

  double at(double x) const {
    const Numbers& places = knots_.places;
    if (knots_.period > 0.0) x -= knots_.period * std::floor((x - places.front()) / knots_.period);
    const auto next = std::upper_bound(places.begin(), places.end(), x);
    if (next == places.begin()) return values_.front();
    if (next == places.end()) return values_.back();
    const auto k = static_cast<std::size_t>(next - places.begin());
    const double part = (x - places[k - 1]) / (places[k] - places[k - 1]);
    return values_[k - 1] + part * (values_[k] - values_[k - 1]);
  }

  // How far the knots around an argument lie from each other.
  double spacing_at(double x) const {
    const Numbers& places = knots_.places;
    const auto next = std::upper_bound(places.begin() + 1, places.end() - 1, x);
    return *next - *(next - 1);
  }

  // The most that a value between two arguments lies off the line between them.
  double deviation_between(double x, double y) const {
    const double low = std::min(x, y);
    const double high = std::max(x, y);
    const double from = at(low);
    const double slope = (at(high) - from) / (high - low);
    double largest = 0.0;
    const Numbers& places = knots_.places;
    for (auto knot = std::upper_bound(places.begin(), places.end(), low);
         knot != places.end() && *knot < high; ++knot) {
      const double deviation =
          values_[static_cast<std::size_t>(knot - places.begin())] - from - slope * (*knot - low);
      if (std::abs(deviation) > std::abs(largest)) largest = deviation;
    }
    return largest;
  }

 private:
  const TimeLaws::Knots& knots_;
  Numbers values_;
};

class LimitFinder {
 public:
  LimitFinder(const TimeLaws& laws, std::span<const double> parameters, double duration)
      : laws_(laws),
        course_(laws.program, parameters),
        duration_(duration),
        cell_(duration / kCells),
        centres_(laws.passages.size()) {
    Numbers values;
    Course(laws.tables, parameters).outputs_at(0.0, values);
    for (const TimeLaws::Knots& knots : laws.knots)
      if (knots.value >= 0) tables_.push_back({KnotTable(knots, values), knots.output, {}, {}});
  }

  Numbers find() {
    sample();
    for (const Numbers& list : centres_)
      if (list.size() <= kCentres) middles_.insert(middles_.end(), list.begin(), list.end());
    std::sort(kinks_.begin(), kinks_.end());
    for (std::size_t c = 0; c < laws_.courses.size(); ++c) look_at(c);
    for (const SampledTable& table : tables_)
      look_at_cells(table.samples, least_variation(table.samples), &table.least);
    for (const double knot : knots_) stop_at(knot, 0.0);
    std::sort(spans_.begin(), spans_.end());
    spans_.erase(std::unique(spans_.begin(), spans_.end()), spans_.end());
    Numbers limits;
    for (const Span& span : spans_) limits.insert(limits.end(), span.begin(), span.end());
    return limits;
  }

 private:
  using Span = std::array<double, kernels::kStepLimitNumbers>;

  // Of a passage, and places beside it where expressions are numbers.
  struct Moment {
    double zero, before, behind;
  };
  Moment moment_of(double zero) const {
    const double place = std::numeric_limits<double>::epsilon() * std::max(zero, cell_);
    return {zero, zero - kBefore * place, zero + kBehind * place};
  }

  static bool is_above(double x) { return x >= 0.0; }

  void stop_at(double time, double kind) {
    if (time > 0.0 && time < duration_) spans_.push_back({time, time, kind});
  }

  void sample() {
    courses_.assign(laws_.courses.size(), Numbers());
    Numbers before, behind;
    for (int i = 0; i <= kCells; ++i) {
      const double time = i == kCells ? duration_ : i * cell_;
      course_.outputs_at(time, behind);
      for (std::size_t c = 0; c < courses_.size(); ++c)
        courses_[c].push_back(behind[static_cast<std::size_t>(laws_.courses[c])]);
      if (i > 0) {
        const double start = (i - 1) * cell_;
        look_between(start, before, time, behind, 0);
        for (const TimeLaws::Knots& knots : laws_.knots)
          if (knots.value < 0)
            add_knots(knots, start, before[static_cast<std::size_t>(knots.output)], time,
                      behind[static_cast<std::size_t>(knots.output)]);
      }
      for (SampledTable& table : tables_) {
        const double x = behind[static_cast<std::size_t>(table.output)];
        const double last = i > 0 ? before[static_cast<std::size_t>(table.output)] : x;
        table.samples.push_back(table.values.at(x) + table.values.deviation_between(last, x));
        table.least.push_back(table.values.spacing_at(x) / std::abs(x - last));
      }
      std::swap(before, behind);
    }
  }

  bool passes(std::size_t p, const Numbers& before, const Numbers& behind) const {
    const auto output = static_cast<std::size_t>(laws_.passages[p].output);
    return std::isfinite(before[output]) && std::isfinite(behind[output]) &&
           is_above(before[output]) != is_above(behind[output]);
  }

  void note_passage(std::size_t p, const Moment& at) {
    if (!laws_.passages[p].is_kink) {
      centres_[p].push_back(at.zero);
      return;
    }
    stop_at(at.before, 0.0);
    stop_at(at.behind, laws_.passages[p].is_fixed ? kernels::kFixedInstant : 0.0);
    const double first = duration_ / kFirstParts;
    spans_.push_back({at.behind, at.behind + first, first});
    kinks_.push_back(at.zero);
  }

  // Passages through zero from one time to another, with the outputs there.
  void look_between(double low, const Numbers& before, double high, const Numbers& behind,
                    int depth) {
    std::size_t p = 0;
    while (p < laws_.passages.size() && !passes(p, before, behind)) ++p;
    if (p == laws_.passages.size() || depth == kDepth) return;
    const int output = laws_.passages[p].output;
    const bool rises = is_above(behind[static_cast<std::size_t>(output)]);
    const Moment at = moment_of(passage_between(output, low, high, rises));
    Numbers left = before, right = behind;
    if (at.before > low) course_.outputs_at(at.before, left);
    if (at.behind < high) course_.outputs_at(at.behind, right);
    for (p = 0; p < laws_.passages.size(); ++p)
      if (passes(p, left, right)) note_passage(p, at);
    if (at.before > low) look_between(low, before, at.before, left, depth + 1);
    if (at.behind < high) look_between(at.behind, right, high, behind, depth + 1);
  }

  double passage_between(int output, double low, double high, bool rises) {
    const double least = 0.5 * std::numeric_limits<double>::epsilon() * std::max(high, cell_);
    while (high - low > least) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (is_above(course_.output_at(output, middle)) == rises ? high : low) = middle;
    }
    return high;
  }

  // Where the argument of a spline passes its knots.
  void add_knots(const TimeLaws::Knots& knots, double low, double before, double high,
                 double behind) {
    const double least = std::min(before, behind);
    const double most = std::max(before, behind);
    if (!std::isfinite(least) || !std::isfinite(most) || least == most) return;
    const double first = knots.places.front();
    double shift = knots.period > 0.0 ? std::floor((least - first) / knots.period) : 0.0;
    for (std::size_t count = 0;; ++shift) {
      const double by = shift * knots.period;
      auto at = std::upper_bound(knots.places.begin(), knots.places.end(), least - by);
      for (; at != knots.places.end() && *at + by <= most; ++at) {
        if (++count > kKnotsOfCell) return;
        add_knot(knots.output, *at + by, low, high, behind > before);
      }
      if (knots.period == 0.0 || at != knots.places.end()) return;
    }
  }

  // Most arguments are time itself.
  void add_knot(int output, double value, double low, double high, bool rises) {
    if (value > low && value <= high && course_.output_at(output, value) == value) {
      knots_.push_back(value);
      return;
    }
    while (true) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      ((course_.output_at(output, middle) >= value) == rises ? high : low) = middle;
    }
    knots_.push_back(high);
  }

  // Of a course with such values, what is more than rounding.
  static double least_variation(const Numbers& values) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    return kLeastPart * (most - least) +
           kCourseRounding * std::max(std::abs(least), std::abs(most));
  }

  // Spans where course c is narrow.
  void look_at(std::size_t c) {
    Numbers values = courses_[c];
    for (const double time : middles_) values.push_back(course_.output_at(laws_.courses[c], time));
    const double noise = least_variation(values);
    look_at_cells(courses_[c], noise);
    for (const double time : middles_) look_around(laws_.courses[c], time, 0.0, noise);
    for (const double time : kinks_) {
      const Moment at = moment_of(time);
      look_around(laws_.courses[c], at.behind, 1.0, noise);
      look_around(laws_.courses[c], at.before, -1.0, noise);
    }
    look_around(laws_.courses[c], 0.0, 1.0, noise);
  }

  // The largest of three second differences over four spaces, of values f(k) from k = -2 to 2.
  template <class Value>
  static double second_difference(const Value& f) {
    double largest = 0.0;
    for (const int k : {-1, 0, 1}) {
      const double difference = std::abs(f(k - 1) - 2.0 * f(k) + f(k + 1));
      if (!(difference <= largest)) largest = difference;  // also what is no number
    }
    return largest;
  }
  static bool is_narrow(double difference, double wider, double noise) {
    return difference > noise && std::isfinite(wider) && wider < kGrowth * difference;
  }

  bool has_kink_between(double low, double high) const {
    const auto at = std::lower_bound(kinks_.begin(), kinks_.end(), low);
    return at != kinks_.end() && *at <= high;
  }

  // Half the spaces over which the course is narrow around the end of cell i; 0: nowhere.
  // Nothing is as narrow as `least`.
  int width_at(const Numbers& samples, int i, double noise, double least) const {
    const auto difference_over = [&](int space) {
      return second_difference(
          [&](int k) { return samples[static_cast<std::size_t>(i + k * space)]; });
    };
    double difference = -1.0;
    for (int space = 1; space <= kWidestHalf; space *= 2) {
      if (space < least) continue;
      const int reach = 4 * space;
      if (i - reach < 0 || i + reach > kCells) return 0;
      if (!kinks_.empty() && has_kink_between((i - reach) * cell_, (i + reach) * cell_)) return 0;
      if (difference < 0.0) difference = difference_over(space);
      const double wider = difference_over(2 * space);
      if (!std::isfinite(wider)) return 0;
      if (is_narrow(difference, wider, noise)) return space;
      difference = wider;
    }
    return 0;
  }

  // Neighbours that are as narrow make one span.
  void look_at_cells(const Numbers& samples, double noise, const Numbers* narrowest = nullptr) {
    int least = 0, begin = 0;
    const auto end_at = [&](int i) {
      if (least > 0) spans_.push_back({(begin - 1) * cell_, i * cell_, 4.0 * least * cell_});
      least = 0;
    };
    for (int i = 0; i <= kCells; ++i) {
      const double narrow = narrowest != nullptr ? (*narrowest)[static_cast<std::size_t>(i)] : 0.0;
      const int width = width_at(samples, i, noise, narrow);
      if (width != least) end_at(i);
      if (width == 0 || width == least) continue;
      least = width;
      begin = i;
    }
    end_at(kCells);
  }

  // What is narrower than a cell around a time, or to one side of it: `side` is 1 or -1, or 0.
  void look_around(int output, double time, double side, double noise) {
    double space = std::ldexp(cell_, -kNarrowest);
    double difference = -1.0;
    const auto difference_over = [&](double h) {
      return second_difference([&](int k) {
        return course_.output_at(output, time + h * (side == 0.0 ? k : side * (k + 2)));
      });
    };
    for (int halved = kNarrowest; halved >= 0; --halved, space *= 2.0) {
      if (difference < 0.0) difference = difference_over(space);
      const double wider = difference_over(2.0 * space);
      if (is_narrow(difference, wider, noise)) return add_graded(time, space);
      difference = wider;
    }
  }

  // Steps become shorter towards what is narrow.
  void add_graded(double time, double space) {
    for (; space < 2.0 * cell_; space *= 2.0)
      spans_.push_back({time - 2.0 * space, time + 2.0 * space, 4.0 * space});
  }

  const TimeLaws& laws_;
  Course course_;
  double duration_, cell_;
  struct SampledTable {
    KnotTable values;
    int output;  // its argument
    Numbers samples;
    Numbers least;  // [end of a cell] cells from knot to knot
  };
  std::vector<SampledTable> tables_;
  std::vector<Numbers> courses_;  // [course, end of a cell]
  std::vector<Numbers> centres_;  // [passage] where outputs without kinks pass zero
  Numbers middles_, kinks_, knots_;
  std::vector<Span> spans_;
};

}  // namespace

std::vector<double> step_limits(const Plan& plan, std::span<const double> parameters,
                                double duration) {
  if (plan.time_laws.empty()) return {};
  return LimitFinder(plan.time_laws, parameters, duration).find();
}

}  // namespace gradus
