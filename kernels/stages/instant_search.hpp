// Objectives at an instant that only the motion tells: the largest or smallest value of an
// expression, or the time when it passes zero. The expression is sampled at the ends of steps; in
// between, it is the polynomial through the six of them around. So the value is a function of six
// samples, and its derivative a sum of theirs: at an extremum the slope is zero, and samples count
// for what they do in the polynomial, L_k(t*); a time answers by -L_k(t*) / slope.
// docs/theory.md, section 12.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/expressions/program.hpp"
#include "kernels/math/corner.hpp"

GRADUS_KERNELS_BEGIN

// Two passages within about a thousandth of a step are none: slope times the time that the samples
// span, relative to the largest of them.
constexpr double kTouchingSlope = 1e-4;

// What polynomials of degree five and three may differ by between two samples, relative to the
// height of an extremum there over them.
constexpr double kSmoothShare = 0.1;

// Samples nearer each other than this, relative to the duration, are one.
constexpr double kLeastSpacing = 1e-12;

// How far it may lie beyond the samples beside it, relative to what these would change by at the
// slopes before and behind them: half of that at a parabola's, nothing beside a flat side of a
// jump.
constexpr double kMostBeyond = 0.5;

// What two samples may differ by and count as equal.
constexpr double kEqualSamples = 1e-9;

// What is this much smaller than what it results from, or than what follows, is a start at zero.
constexpr double kStartsAtZero = 1e-12;

constexpr int kMiddle = kSearchNodes / 2;

template <class D>
using SampleCurve = Interpolant<ValueOf<RealOf<D>>, kSearchNodes>;

// The search of one objective, at the end of a step.
template <class D>
struct InstantSearch {
  using Real = RealOf<D>;
  using Value = ValueOf<Real>;
  using Mask = MaskOf<Real>;

  const D& d;
  const ObjectiveEntry& objective;
  int o;
  int count;  // samples so far
  int nodes;  // the last of them that are kept
  Interpolant<Real, kSearchNodes> curve;
  SampleCurve<D> plain;  // its values

  GRADUS_INLINE InstantSearch(const D& design, int number)
      : d(design),
        objective(design.plan.objectives[number]),
        o(number),
        count(static_cast<int>(common(number_of(design.layout.search.count)))),
        nodes(count < kSearchNodes ? count : kSearchNodes) {}

  GRADUS_INLINE Real& number_of(int offset) const { return d.at(offset)[objective.search]; }
  GRADUS_INLINE typename D::Array row_of(int offset) const {
    return d.at(offset + objective.search * kSearchPlaces);
  }
  // Where the samples at hand lie, the earliest first.
  GRADUS_INLINE int place(int node) const { return (count - nodes + node) % kSearchNodes; }
  GRADUS_INLINE Real& best() const { return d.at(d.layout.objective_value)[o]; }

  GRADUS_FUNCTION void make_curve() {
    const SearchLayout& s = d.layout.search;
    curve.count = plain.count = nodes;
    curve.origin = plain.origin = common(row_of(s.time)[place(nodes - 1)]);
    for (int k = 0; k < nodes; ++k) {
      curve.time[k] = plain.time[k] = common(row_of(s.time)[place(k)]) - curve.origin;
      curve.difference[k] = row_of(s.sample)[place(k)];
    }
    curve.divide();
    for (int k = 0; k < nodes; ++k) plain.difference[k] = value_of(curve.difference[k]);
  }

  // The objective belongs to the instant t, where it is `value`, and samples count for `factor`
  // times what they do in the polynomial.
  GRADUS_ROUTINE void take(const Mask& where, const Value& t, const Real& value,
                           const Value& factor) const {
    improve(where, value);
    for (int k = 0; k < nodes; ++k) weigh(where, place(k), factor * plain.share(k, t));
  }
  // Another value; no sample counts for it yet.
  GRADUS_FUNCTION void improve(const Mask& where, const Real& value) const {
    best() = select(where, value, best());
    for (int k = 0; k < kSearchPlaces; ++k) weigh(where, k, Value(0));
    Real& improved = number_of(d.layout.search.improved);
    improved = select(where, Real(1), improved);
  }
  // What the sample at a place counts for.
  GRADUS_FUNCTION void weigh(const Mask& where, int at, const Value& factor) const {
    const SearchLayout& s = d.layout.search;
    Real& weight = row_of(s.weight)[at];
    Real& instant = row_of(s.instant)[at];
    weight = select(where, Real(factor), weight);
    instant = select(where, row_of(s.time)[at], instant);
  }

  // An extremum may lie at t.
  GRADUS_FUNCTION void offer(const Mask& where, const Value& t) const {
    const Real value = curve.at(Real(t)).value;
    const Mask better =
        where && (objective.kind == ObjectiveKind::maximum ? value > best() : value < best());
    if (any(better)) take(better, t, value, Value(1));
  }

  // A corner of the expression between the samples in the middle, of six: where the polynomials
  // through the three before it and the three behind it meet. Returns where it was taken; it may be
  // one of the samples.
  GRADUS_ROUTINE Mask offer_corner(int node) const {
    if (objective.kink_begin == objective.kink_end || nodes != kSearchNodes || node != kMiddle - 1)
      return Mask(false);
    const bool is_peak = objective.kind == ObjectiveKind::maximum;
    Mask kinks = chooses_once();
    const Mask at_edge = lies_behind(node);
    if (any(kinks && at_edge)) offer_edge(node, kinks && at_edge, is_peak);
    kinks = kinks && !at_edge;
    if (!any(kinks)) return Mask(false);
    const SampleCurve<D> before = plain_curve(0, kMiddle), behind = plain_curve(kMiddle, nodes);
    const auto corner =
        corner_between(before, behind, plain.time[node], plain.time[node + 1], is_peak);
    Real value(0);
    for (int k = 0; k < nodes; ++k)
      value += Real(share_of_corner(corner, k)) * row_of(d.layout.search.sample)[place(k)];
    // Where it is one of the samples, the value is theirs, which the polynomials only come near.
    const Value own = value_of(value);
    Value top = own;
    for (int k = node; k <= node + 1; ++k) {
      const Value x = sample_at(k);
      top = select(is_peak ? x > top : x < top, x, top);
    }
    const Value so_far = value_of(best());
    const Mask better = kinks && corner.exists && absolute(top - own) <= corner.slack &&
                        (is_peak ? top >= so_far : top <= so_far);
    if (!any(better)) return Mask(false);
    improve(better, value + Real(top - own));
    for (int k = 0; k < nodes; ++k) weigh(better, place(k), share_of_corner(corner, k));
    return better;
  }
  // Whether a kink of time lies just behind a sample. Steps that were chosen for other parameters
  // may end where it has moved away from.
  GRADUS_FUNCTION Mask lies_behind(int node) const {
    const auto choice = row_of(d.layout.search.choice);
    return number_of(d.layout.search.edge) == Real(count - nodes + node + 1) &&
           !is_zero(value_of(choice[kSearchNodes]) - value_of(choice[place(node)]));
  }
  // The same where the kink lies just behind a sample, and another sample just behind the kink:
  // these are what both courses are there, and the polynomials only tell how they go on.
  GRADUS_ROUTINE void offer_edge(int node, const Mask& where, bool is_peak) const {
    const Value sign(is_peak ? 1.0 : -1.0);
    const Value t(plain.time[node]);
    const Value before = plain_curve(0, kMiddle).at(t).slope;
    const Value behind = plain_curve(node, nodes).at(t).slope;
    const Value jump = before - behind;
    const Value of_behind = before / jump;
    const auto sample = row_of(d.layout.search.sample);
    const Real own = sample[place(node)];
    const Mask turns = sign * before > Value(0) && sign * behind < Value(0);
    const Mask better = where && turns && (is_peak ? own >= best() : own <= best());
    if (!any(better)) return;
    const Real value =
        Real(Value(1) - of_behind) * own + Real(of_behind) * Real(sample[kSearchNodes]);
    improve(better, value);
    weigh(better, place(node), Value(1) - of_behind);
    weigh(better, kSearchNodes, of_behind);
  }
  // The end of the search, which lies at the last place, just behind the last sample.
  GRADUS_FUNCTION void offer_last() const {
    if (objective.kind == ObjectiveKind::time_when) return;
    const Real value = row_of(d.layout.search.sample)[kSearchNodes];
    const Mask better = objective.kind == ObjectiveKind::maximum ? value > best() : value < best();
    if (!any(better)) return;
    improve(better, value);
    weigh(better, kSearchNodes, Value(1));
  }
  // Whether kinks choose the same courses at the samples before the middle, and others behind it.
  GRADUS_FUNCTION Mask chooses_once() const {
    Mask once = !choose_alike(kMiddle - 1, kMiddle);
    for (int k = 1; k < kMiddle; ++k)
      once = once && choose_alike(0, k) && choose_alike(kMiddle, kMiddle + k);
    return once;
  }
  // Whether they choose the same courses at all samples; a polynomial through others is none of the
  // expression's, even where it looks smooth.
  GRADUS_FUNCTION Mask chooses_nothing() const {
    Mask alike(true);
    for (int k = 1; k < nodes; ++k) alike = alike && choose_alike(0, k);
    return alike;
  }
  GRADUS_FUNCTION Mask choose_alike(int j, int k) const {
    const auto choice = row_of(d.layout.search.choice);
    return is_zero(value_of(choice[place(j)]) - value_of(choice[place(k)]));
  }
  // What sample k counts for there.
  GRADUS_FUNCTION Value share_of_corner(const Corner<Value>& corner, int k) const {
    const int first = k < kMiddle ? 0 : kMiddle;
    return (k < kMiddle ? corner.before : corner.behind) *
           share_among(first, first + kMiddle, k, corner.time);
  }
  // Through the samples from `first` to before `end`.
  GRADUS_FUNCTION SampleCurve<D> plain_curve(int first, int end) const {
    SampleCurve<D> part;
    part.count = end - first;
    part.origin = plain.origin;
    for (int k = 0; k < part.count; ++k) {
      part.time[k] = plain.time[first + k];
      part.difference[k] = sample_at(first + k);
    }
    part.divide();
    return part;
  }
  // What sample k counts for at t in the polynomial through those from `first` to before `end`.
  GRADUS_FUNCTION Value share_among(int first, int end, int k, const Value& t) const {
    Value share(1);
    for (int j = first; j < end; ++j)
      if (j != k)
        share *= (t - Value(plain.time[j])) * Value(1.0 / (plain.time[k] - plain.time[j]));
    return share;
  }

  // From one instant to another, where the expression is `value`, with at most one zero between, or
  // where `jumps` none.
  GRADUS_ROUTINE void pass(const Value& low, const Value& high, const Value& value,
                           const Mask& jumps) const {
    const SearchLayout& s = d.layout.search;
    const Value side = value_of(number_of(s.side));
    const Mask rises = value > Value(0);
    Mask passes = side * value < Value(0);
    if (objective.direction > 0) passes = passes && rises;
    if (objective.direction < 0) passes = passes && !rises;
    Real& passages = number_of(s.passages);
    passages = select(passes, passages + Real(1), passages);
    const Mask counts = d.alive() && passes && !(passages > Real(objective.passage));
    blame(counts && jumps, Status::passage_jumps, plain.origin + plain.time[nodes - 1]);
    const Mask due = counts && !jumps && passages == Real(objective.passage);
    if (any(due)) take_passage(due, low, high, rises);
    const Mask tells =
        !is_zero(side) || absolute(value) > value_of(number_of(d.layout.search.nothing));
    number_of(s.side) =
        select(tells && rises, Real(1), select(tells && value < Value(0), Real(-1), Real(side)));
  }

  GRADUS_ROUTINE void take_passage(const Mask& due, const Value& low, const Value& high,
                                   const Mask& rises) const {
    const auto line_at = [this](const Value& t) {
      const Course<Value> c = plain.at(t);
      return Line<Value>{c.value, c.slope};
    };
    const Value t = bracketed_root(line_at, low, high, rises, due);
    const Course<Real> c = curve.at(Real(t));
    const Value largest = largest_sample();
    const Value slope = value_of(c.slope);
    const double span = plain.time[nodes - 1] - plain.time[0];
    const Mask touches = due && !(absolute(slope) * Value(span) > Value(kTouchingSlope) * largest);
    blame(touches, Status::passage_touches, common(row_of(d.layout.search.time)[place(nodes - 1)]));
    take(due && !touches, t, Real(t) + Real(plain.origin) - c.value / c.slope, Value(-1) / slope);
  }

  GRADUS_FUNCTION void blame(const Mask& where, Status reason, double time) const {
    if (!any(where)) return;
    Real& blamed = d.at(d.layout.blamed)[0];
    blamed = select(where && d.alive(), Real(-1 - o), blamed);
    d.fail(where, reason, time);
  }

  // Where the slope is zero between low and high, which it has changed sign between.
  GRADUS_FUNCTION Value turn_between(const Value& low, const Value& high, const Mask& trough,
                                     const Mask& turns) const {
    const auto slope_at = [this](const Value& t) {
      const Course<Value> c = plain.at(t);
      return Line<Value>{c.slope, c.curvature};
    };
    return select(turns, bracketed_root(slope_at, low, high, trough, turns), high);
  }

  // Whether fewer samples tell the same of an extremum at t between `node` and the next. Through a
  // kink or a jump a polynomial swings to values that the expression never takes; then the samples
  // themselves have to do.
  //
  // The nearer a turn is to a sample, the less it lies beyond that, and the polynomials agree there
  // in any case. So they are compared in the middle, too, and with what a parabola of this height
  // over both samples would rise to if it turned in the middle.
  GRADUS_ROUTINE Mask is_smooth(int node, const Value& t) const {
    if (nodes < 6) return Mask(true);
    const int first = node < 1 ? 0 : node > nodes - 3 ? nodes - 4 : node - 1;
    const auto differ_at = [&](const Value& at) {
      Value value(0);
      for (int k = first; k < first + 4; ++k)
        value += share_among(first, first + 4, k, at) * sample_at(k);
      return absolute(plain.at(at).value - value);
    };
    const Value turn = plain.at(t).value;
    const Value low = absolute(turn - sample_at(node));
    const Value high = absolute(turn - sample_at(node + 1));
    const Value excess = select(low < high, low, high);
    const Value before = change_between(node - 1), behind = change_between(node + 1);
    const Value least = select(before < behind, before, behind);
    const double span = plain.time[node + 1] - plain.time[node];
    const Value root = sqrt(low) + sqrt(high);
    const Value height = Value(0.25) * (root * root);
    const Value middle(0.5 * (plain.time[node] + plain.time[node + 1]));
    return differ_at(t) <= Value(kSmoothShare) * height &&
           differ_at(middle) <= Value(kSmoothShare) * height &&
           excess <= Value(kMostBeyond * span) * least;
  }
  // The size of the slope from a sample to the next; infinite where there are none.
  GRADUS_FUNCTION Value change_between(int node) const {
    if (node < 0 || node + 1 >= nodes) return Value(HUGE_VAL);
    return absolute(sample_at(node + 1) - sample_at(node)) *
           Value(1.0 / (plain.time[node + 1] - plain.time[node]));
  }

  // Whether the sign changes between two samples without the expression coming nearer zero on
  // either side.
  GRADUS_FUNCTION Mask jumps_between(int node) const {
    if (node < 1 || node + 2 >= nodes) return Mask(false);
    const auto grows = [this](int from, int to) {
      return absolute(sample_at(to)) >= Value(1.0 - kEqualSamples) * absolute(sample_at(from));
    };
    return sample_at(node) * sample_at(node + 1) < Value(0) && grows(node - 1, node) &&
           grows(node + 2, node + 1);
  }
  GRADUS_FUNCTION Value sample_at(int node) const {
    return value_of(row_of(d.layout.search.sample)[place(node)]);
  }
  GRADUS_FUNCTION Value largest_sample() const {
    Value largest(0);
    for (int k = 0; k < nodes; ++k) {
      const Value size = absolute(sample_at(k));
      largest = select(size > largest, size, largest);
    }
    return largest;
  }

  // Between the samples `node` and the next.
  GRADUS_ROUTINE void look_between(int node) const {
    const Value low(plain.time[node]);
    const Value high(plain.time[node + 1]);
    const Value before = plain.at(low).slope;
    const Value after = plain.at(high).slope;
    const Mask peak = before > Value(0) && after < Value(0);
    const Mask trough = before < Value(0) && after > Value(0);
    const Value turn = turn_between(low, high, trough, peak || trough);
    if (objective.kind == ObjectiveKind::time_when) {
      const Mask swings = (peak || trough) && !is_smooth(node, turn);
      const Mask jumps = jumps_between(node);
      pass(low, turn, select(swings, sample_at(node), plain.at(turn).value), jumps);
      pass(select(swings, low, turn), high, sample_at(node + 1), jumps);
      return;
    }
    const Mask wanted = objective.kind == ObjectiveKind::maximum ? peak : trough;
    const Mask at_corner = offer_corner(node);
    offer(wanted && chooses_nothing() && is_smooth(node, turn), turn);
    offer(!at_corner, high);
  }

  // `size` is that of what the first sample results from.
  GRADUS_FUNCTION void begin(const Value& size) {
    make_curve();
    const SearchLayout& s = d.layout.search;
    number_of(s.nothing) = Real(select(is_finite(size), Value(kStartsAtZero) * size, Value(0)));
    begin_side();
    if (objective.kind != ObjectiveKind::time_when)
      take(Mask(true), Value(0), curve.difference[0], Value(1));
  }
  GRADUS_FUNCTION void begin_side() const {
    const SearchLayout& s = d.layout.search;
    const Value first = sample_at(0);
    const Value least = value_of(number_of(s.nothing));
    number_of(s.side) =
        select(first > least, Real(1), select(first < Value(0) - least, Real(-1), Real(0)));
  }

  // With what follows on the first sample at hand.
  GRADUS_FUNCTION void settle_begin() const {
    Real& nothing = number_of(d.layout.search.nothing);
    const Value least = Value(kStartsAtZero) * largest_sample();
    nothing = select(least > value_of(nothing), Real(least), nothing);
    begin_side();
  }

  // Nothing comes after `time`.
  GRADUS_FUNCTION void end(double time) const {
    const SearchLayout& s = d.layout.search;
    for (int k = 0; k < kSearchPlaces; ++k) {
      row_of(s.settled_weight)[k] = row_of(s.weight)[k];
      row_of(s.settled_instant)[k] = row_of(s.instant)[k];
    }
    if (objective.kind != ObjectiveKind::time_when) return;
    const Mask missing = d.alive() && number_of(s.passages) < Real(objective.passage);
    if (is_finite(objective.otherwise))
      best() = select(missing, Real(objective.otherwise), best());
    else
      blame(missing, Status::passage_missing, time);
  }
};

GRADUS_KERNELS_END
