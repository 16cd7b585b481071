// Spans of time in which laws of time alone limit steps: kinks and knots, and whatever is narrow.
#include "src/motion/step_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/core/arguments.hpp"
#include "src/motion/limit_spans.hpp"
#include "src/motion/time_course.hpp"

namespace gradus {
namespace {

constexpr int kCells = 4096;          // of the duration, at whose ends everything is looked at
constexpr int kWidestHalf = 128;      // cells: what is wider limits no steps
constexpr int kNarrowest = 30;        // halvings of a cell
constexpr int kDepth = 8;             // passages of a cell that are told from each other
constexpr std::size_t kCentres = 64;  // of one output: what passes zero oftener has no middle
// Of one spline: steps end at so many knots, and at so many more of a cell than it has.
constexpr std::size_t kKnotPassages = 1 << 18;
constexpr std::size_t kKnotsOfCell = 64;
constexpr int kParts = 4;   // of the time between knots, at whose ends passages are looked for
constexpr int kSplits = 6;  // of a cell in which kinks follow each other closely, and where:
constexpr double kSplit = 0.381966;       // what repeats has no period in common with it
constexpr double kBend = 0.1;             // of a kink's argument at a split, relative to its size
constexpr std::size_t kMostKinks = 4096;  // beside so many, what is narrow is looked for
constexpr int kApproaches = 3;            // to where an output that nears zero may touch it
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

class LimitFinder {
 public:
  LimitFinder(const TimeLaws& laws, std::span<const double> parameters, double duration)
      : laws_(laws),
        course_(laws, parameters),
        duration_(duration),
        cell_(duration / kCells),
        has_kinks_(std::any_of(laws.passages.begin(), laws.passages.end(),
                               [](const TimeLaws::Passage& p) { return p.is_kink; })),
        centres_(laws.passages.size()) {
    for (const TimeLaws::Knots& knots : laws.knots)
      rough_knots_.push_back(course_.splines().rough_knots(knots.spline));
  }

  Numbers find() {
    sample();
    for (const Numbers& list : centres_)
      if (list.size() <= kCentres) middles_.insert(middles_.end(), list.begin(), list.end());
    std::sort(kinks_.begin(), kinks_.end());
    for (std::size_t c = 0; c < laws_.courses.size(); ++c) look_at(c);
    return disjoint_spans(spans_);
  }

 private:
  // Outputs at a time.
  struct TimeSample {
    double time;
    Numbers outputs;
  };

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
      if (i > 0) look_into((i - 1) * cell_, before, time, behind, 0);
      watch(time, behind);
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

  // Whether an argument of a kink may pass zero oftener than its signs at three samples tell.
  bool bends_at_zero(const Numbers& before, const Numbers& middle, const Numbers& behind) const {
    for (const TimeLaws::Passage& passage : laws_.passages) {
      if (!passage.is_kink) continue;
      const auto output = static_cast<std::size_t>(passage.output);
      const std::array<double, 3> f{before[output], middle[output], behind[output]};
      const double bend = std::abs(f[1] - f[0] - kSplit * (f[2] - f[0]));
      const auto [least, most] = std::minmax({std::abs(f[0]), std::abs(f[1]), std::abs(f[2])});
      if (std::isfinite(bend) && bend > kBend * most && least < 2.0 * bend) return true;
    }
    return false;
  }

  // Passages and knots of a cell, which is split where kinks follow each other closely.
  void look_into(double low, const Numbers& before, double high, const Numbers& behind,
                 int splits) {
    if (has_kinks_ && splits < kSplits) {
      const double time = low + kSplit * (high - low);
      Numbers middle;
      course_.outputs_at(time, middle);
      if (bends_at_zero(before, middle, behind)) {
        look_into(low, before, time, middle, splits + 1);
        watch(time, middle);
        return look_into(time, middle, high, behind, splits + 1);
      }
    }
    look_between(low, before, high, behind, 0, true);
  }

  // Passages through zero from one time to another, with the outputs there, and through knots.
  void look_between(double low, const Numbers& before, double high, const Numbers& behind,
                    int depth, bool meets_knots) {
    std::size_t p = 0;
    while (p < laws_.passages.size() && !passes(p, before, behind)) ++p;
    if (p == laws_.passages.size() || depth == kDepth) {
      if (meets_knots) look_at_knots(low, before, high, behind);
      return;
    }
    const int output = laws_.passages[p].output;
    const bool rises = is_above(behind[static_cast<std::size_t>(output)]);
    const Moment at = moment_of(passage_between(output, low, high, rises));
    Numbers left = before, right = behind;
    if (at.before > low) course_.outputs_at(at.before, left);
    if (at.behind < high) course_.outputs_at(at.behind, right);
    for (p = 0; p < laws_.passages.size(); ++p)
      if (passes(p, left, right)) note_passage(p, at);
    if (at.before > low) look_between(low, before, at.before, left, depth + 1, meets_knots);
    if (at.behind < high) look_between(at.behind, right, high, behind, depth + 1, meets_knots);
  }

  // Knots, and passages between them.
  void look_at_knots(double low, const Numbers& before, double high, const Numbers& behind) {
    Numbers times;
    for (std::size_t k = 0; k < laws_.knots.size(); ++k) {
      const auto output = static_cast<std::size_t>(laws_.knots[k].output);
      add_knots(k, low, before[output], high, behind[output], times);
    }
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    knots_.insert(knots_.end(), times.begin(), times.end());
    times.push_back(high);
    Numbers left = before, right;
    for (const double knot : times) {
      const double start = low;
      for (int part = 1; part <= kParts && knot > start; ++part) {
        const double time = part == kParts ? knot : start + part * (knot - start) / kParts;
        course_.outputs_at(time, right);
        look_between(low, left, time, right, 0, false);
        if (time < high) watch(time, right);
        std::swap(left, right);
        low = time;
      }
    }
  }

  // What nears zero from one side and leaves it may have passed it twice between samples.
  void watch(double time, const Numbers& outputs) {
    std::rotate(recent_.begin(), recent_.begin() + 1, recent_.end());
    recent_.back().time = time;
    recent_.back().outputs = outputs;
    if (recent_.front().outputs.empty()) return;
    for (std::size_t p = 0; p < laws_.passages.size(); ++p) {
      if (!laws_.passages[p].is_kink) continue;
      const auto output = static_cast<std::size_t>(laws_.passages[p].output);
      std::array<double, 3> t, f;
      for (std::size_t k = 0; k < t.size(); ++k) {
        t[k] = recent_[k].time;
        f[k] = recent_[k].outputs[output];
      }
      approach(p, t, f);
    }
  }

  static bool nears_zero(const std::array<double, 3>& f) {
    if (!std::isfinite(f[0]) || !std::isfinite(f[1]) || !std::isfinite(f[2])) return false;
    const bool above = is_above(f[1]);
    if (is_above(f[0]) != above || is_above(f[2]) != above) return false;
    const double sign = above ? 1.0 : -1.0;
    return sign * f[1] < sign * f[0] && sign * f[1] <= sign * f[2];
  }

  // By the lowest points of parabolas through three samples.
  void approach(std::size_t p, std::array<double, 3> t, std::array<double, 3> f) {
    const int output = laws_.passages[p].output;
    for (int attempt = 0; attempt < kApproaches && nears_zero(f); ++attempt) {
      const double first = (f[1] - f[0]) / (t[1] - t[0]);
      const double bend = ((f[2] - f[1]) / (t[2] - t[1]) - first) / (t[2] - t[0]);
      const double slope = first + bend * (t[1] - t[0]);
      const double time = t[1] - 0.5 * slope / bend;
      const double lowest = f[1] - 0.25 * slope * slope / bend;
      const bool is_close = is_above(lowest) != is_above(f[1]) || 2.0 * lowest / f[1] < 1.0;
      if (!is_close || !(time > t[0]) || !(time < t[2]) || time == t[1]) return;
      const double value = course_.output_at(output, time);
      const bool is_left = time < t[1];
      if (std::isfinite(value) && is_above(value) != is_above(f[1])) {
        const bool rises = is_above(value);
        const double low = is_left ? t[0] : t[1];
        const double high = is_left ? t[1] : t[2];
        note_passage(p, moment_of(passage_between(output, low, time, rises)));
        note_passage(p, moment_of(passage_between(output, time, high, !rises)));
        return;
      }
      const std::size_t replaced =
          std::abs(value) < std::abs(f[1]) ? (is_left ? 2 : 0) : (is_left ? 0 : 2);
      if (std::abs(value) < std::abs(f[1])) {
        t[replaced] = t[1], f[replaced] = f[1];
        t[1] = time, f[1] = value;
      } else {
        t[replaced] = time, f[replaced] = value;
      }
    }
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
  void add_knots(std::size_t k, double low, double before, double high, double behind,
                 Numbers& times) {
    const Numbers& knots = rough_knots_[k];
    const double least = std::min(before, behind);
    const double most = std::max(before, behind);
    if (knots.empty() || !std::isfinite(least) || !std::isfinite(most) || least == most) return;
    const bool bends = course_.splines().is_local(laws_.knots[k].spline);
    const double first = course_.splines().first_knot(laws_.knots[k].spline);
    const double period = course_.splines().period(laws_.knots[k].spline);
    double shift = period > 0.0 ? std::floor((least - first) / period) : 0.0;
    for (std::size_t count = 0;; ++shift) {
      const double by = shift * period;
      auto at = std::upper_bound(knots.begin(), knots.end(), least - by);
      for (; at != knots.end() && *at + by <= most; ++at) {
        if (++count > kKnotsOfCell + knots.size() || knots_.size() > kKnotPassages) return;
        times.push_back(knot_passage(laws_.knots[k].output, *at + by, low, high, behind > before));
        stop_at(times.back(), bends && laws_.knots[k].is_fixed ? kernels::kFixedInstant : 0.0);
        // What ends at the knot itself has the second derivatives behind it.
        if (bends) stop_at(moment_of(times.back()).before, 0.0);
      }
      if (period == 0.0 || at != knots.end()) return;
    }
  }

  // Most arguments are time itself.
  double knot_passage(int output, double value, double low, double high, bool rises) {
    if (value > low && value <= high && course_.output_at(output, value) == value) return value;
    while (true) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) return high;
      ((course_.output_at(output, middle) >= value) == rises ? high : low) = middle;
    }
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
    if (kinks_.size() <= kMostKinks) look_beside_kinks(laws_.courses[c], noise);
    look_around(laws_.courses[c], 0.0, 1.0, noise);
  }

  void look_beside_kinks(int output, double noise) {
    for (const double time : kinks_) {
      const Moment at = moment_of(time);
      look_around(output, at.behind, 1.0, noise);
      look_around(output, at.before, -1.0, noise);
    }
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
  int width_at(const Numbers& samples, int i, double noise) const {
    const auto difference_over = [&](int space) {
      return second_difference(
          [&](int k) { return samples[static_cast<std::size_t>(i + k * space)]; });
    };
    double difference = -1.0;
    for (int space = 1; space <= kWidestHalf; space *= 2) {
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
  void look_at_cells(const Numbers& samples, double noise) {
    int least = 0, begin = 0;
    const auto end_at = [&](int i) {
      if (least > 0) spans_.push_back({(begin - 1) * cell_, i * cell_, 4.0 * least * cell_});
      least = 0;
    };
    for (int i = 0; i <= kCells; ++i) {
      const int width = width_at(samples, i, noise);
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
  TimeCourse course_;
  double duration_, cell_;
  bool has_kinks_;
  std::vector<Numbers> rough_knots_;    // [knots of the laws] those at which steps end
  std::array<TimeSample, 3> recent_{};  // the last samples
  std::vector<Numbers> courses_;        // [course, end of a cell]
  std::vector<Numbers> centres_;        // [passage] where outputs without kinks pass zero
  Numbers middles_, kinks_, knots_;
  std::vector<LimitSpan> spans_;
};

}  // namespace

std::vector<double> step_limits(const Plan& plan, std::span<const double> parameters,
                                double duration) {
  if (plan.time_laws.empty()) return {};
  return LimitFinder(plan.time_laws, parameters, duration).find();
}

}  // namespace gradus
