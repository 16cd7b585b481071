// Samples of expressions whose instant is looked for: which ends of steps they are taken at, how
// they reach the search, and what they count for in derivatives. docs/theory.md, section 12.
#pragma once

#include "kernels/stages/instant_search.hpp"

GRADUS_KERNELS_BEGIN

// Whether objective o takes a sample at this time. One-step methods do so where a step ends, and
// not once more at the end of the motion.
template <class D>
GRADUS_FUNCTION bool is_sampled(const D& d, const ObjectiveEntry& objective, double time,
                                bool at_stage, bool at_end) {
  if (!is_searched(objective.kind) || at_stage || (at_end && d.tableau.stages > 0)) return false;
  return time >= objective.from && time <= objective.to;
}

// Whether the step since the last sample is one over a kink of time alone, which is so short that
// nothing can be made of its slope.
template <class D>
GRADUS_FUNCTION bool follows_at_once(const D& d, const ObjectiveEntry& objective, double time) {
  const int count = static_cast<int>(common(d.at(d.layout.search.count)[objective.search]));
  if (count == 0) return false;
  const int last = objective.search * kSearchPlaces + (count - 1) % kSearchNodes;
  const double past = time - common(d.at(d.layout.search.time)[last]);
  return past > 0.0 && past < kLeastSpacing * d.settings.duration;
}

// A number that tells the sides of its kinks which an expression is on.
template <class D>
GRADUS_ROUTINE ValueOf<RealOf<D>> choices_of(const D& d, const ObjectiveEntry& objective) {
  using Value = ValueOf<RealOf<D>>;
  constexpr double kMost = 1e15;  // whole numbers are exact
  Value sum(0);
  const ProgramView& program = d.plan.objective_program;
  const auto result = d.at(d.layout.program_value);
  double digit = 1.0;
  for (int k = objective.kink_begin; k < objective.kink_end; ++k) {
    const Instruction& i = program.instructions[d.plan.objective_kinks[k]];
    const Value a = value_of(result[i.a]);
    const Value b = i.operation == Operation::absolute ? Value(0) : Value(value_of(result[i.b]));
    sum += select(a < b, Value(digit), Value(0));
    digit = digit < kMost ? 2.0 * digit : 1.0;
  }
  return sum;
}

// Whether objective o looks for a passage and has not begun.
template <class D>
GRADUS_FUNCTION bool begins_to_pass(const D& d, int o) {
  const ObjectiveEntry& objective = d.plan.objectives[o];
  return objective.kind == ObjectiveKind::time_when &&
         common(d.at(d.layout.search.count)[objective.search]) == 0.0;
}

// The value just behind the last sample, at the other side of a kink of time.
template <class D>
GRADUS_FUNCTION void note_edge(const D& d, int o, double time, const RealOf<D>& value) {
  const SearchLayout& s = d.layout.search;
  const InstantSearch<D> search(d, o);
  search.row_of(s.time)[kSearchNodes] = RealOf<D>(time);
  search.row_of(s.sample)[kSearchNodes] = value;
  search.row_of(s.choice)[kSearchNodes] = RealOf<D>(choices_of(d, search.objective));
  search.number_of(s.edge) = RealOf<D>(search.count);
}

// The value of the expression at the end of a step; `size`: see begin(). What lies between two
// samples is looked at when as many follow as go before, if there are so many.
template <class D>
GRADUS_CALL void add_sample(const D& d, int o, double time, const RealOf<D>& value,
                            const ValueOf<RealOf<D>>& size) {
  using Real = RealOf<D>;
  const SearchLayout& s = d.layout.search;
  const int number = d.plan.objectives[o].search;
  // The end of the search may lie just behind the last sample, which then stands for it.
  const bool again = follows_at_once(d, d.plan.objectives[o], time);
  if (!again) d.at(s.count)[number] += Real(1);
  d.at(s.improved)[number] = Real(0);
  InstantSearch<D> search(d, o);
  if (again) {
    note_edge(d, o, time, value);
  } else {
    const int place = search.place(search.nodes - 1);
    search.row_of(s.time)[place] = Real(time);
    search.row_of(s.sample)[place] = value;
    search.row_of(s.choice)[place] = Real(choices_of(d, search.objective));
  }
  search.blame(!is_finite(value_of(value)), Status::objective_not_finite, time);
  const bool last = time == search.objective.to;
  if (search.count == 1 && !again) search.begin(size);
  const int seen = again && search.count >= kSearchNodes ? kMiddle : 0;
  const int begin = seen > 0 ? seen : search.count > kSearchNodes ? kMiddle - 1 : 0;
  const int end = last ? search.nodes - 1 : search.count >= kSearchNodes ? kMiddle : 0;
  if (begin < end) search.make_curve();
  if (begin == 0 && begin < end) search.settle_begin();
  for (int node = begin; node < end; ++node) search.look_between(node);
  if (again) search.offer_last();
  if (last) search.end(time);
}

// gradient [column] = sum of weights times the gradients of the samples, where the last sample has
// led to another instant.
template <class D>
GRADUS_ROUTINE void combine_samples(const D& d, int o, int gradient) {
  using Real = RealOf<D>;
  const SearchLayout& s = d.layout.search;
  const int number = d.plan.objectives[o].search;
  const auto improved = d.at(s.improved)[number] > Real(0);
  if (!any(improved)) return;
  const int columns = d.plan.column_count;
  const auto weight = d.at(s.weight + number * kSearchPlaces);
  const auto samples = d.at(s.sample_gradient + number * kSearchPlaces * columns);
  for (int c = 0; c < columns; ++c) {
    Real sum(0);
    for (int k = 0; k < kSearchPlaces; ++k)
      sum += scaled_slope(weight[k], samples[k * columns + c]);
    d.at(gradient)[c] = select(improved, sum, d.at(gradient)[c]);
  }
}

// Where the gradient of the last sample is kept, or that just behind it.
template <class D>
GRADUS_FUNCTION int last_sample_gradient(const D& d, int o, bool at_edge) {
  const int number = d.plan.objectives[o].search;
  const int last =
      (static_cast<int>(common(d.at(d.layout.search.count)[number])) - 1) % kSearchNodes;
  const int place = number * kSearchPlaces + (at_edge ? kSearchNodes : last);
  return d.layout.search.sample_gradient + place * d.plan.column_count;
}

// What the sample at a time counts for in the derivative of objective o.
template <class D>
GRADUS_FUNCTION RealOf<D> weight_of_sample(const D& d, int o, double time) {
  using Real = RealOf<D>;
  const ObjectiveEntry& objective = d.plan.objectives[o];
  const auto weight = d.at(d.layout.search.settled_weight + objective.search * kSearchPlaces);
  const auto instant = d.at(d.layout.search.settled_instant + objective.search * kSearchPlaces);
  Real sum(0);
  for (int k = 0; k < kSearchPlaces; ++k)
    sum += select(instant[k] == Real(time), weight[k], Real(0));
  return objective.weight < 0 ? sum : sum * d.at(d.layout.parameter)[objective.weight];
}

GRADUS_KERNELS_END
