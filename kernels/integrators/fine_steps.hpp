// Adaptive methods take long steps, longer than what goes by values at their ends can do with: near
// an instant that an objective looks for, a step is taken in parts.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

constexpr double kFineParts = 16.0;   // of a step
constexpr double kFineBeyond = 0.25;  // of a step, taken in parts as well
// An extremum may be as much short of the best so far, relative to what samples differ by.
constexpr double kFineMargin = 0.05;

// The course of an expression by its last samples and a value to come.
template <class D>
GRADUS_ROUTINE SampleCurve<D> expected_course(const InstantSearch<D>& search, double end,
                                              double value) {
  const SearchLayout& s = search.d.layout.search;
  SampleCurve<D> curve;
  const int first = search.nodes == kSearchNodes ? 1 : 0;
  curve.origin = end;
  for (int k = first; k < search.nodes; ++k, ++curve.count) {
    curve.time[curve.count] = common(search.row_of(s.time)[search.place(k)]) - end;
    curve.difference[curve.count] = value_of(search.row_of(s.sample)[search.place(k)]);
  }
  curve.time[curve.count] = 0.0;
  curve.difference[curve.count++] = value;
  return curve;
}

// Whether the objective may find its instant after the last sample, in a step to `end` where its
// expression is `value`, or soon after. Of a first step two values say nothing of that, unless it
// is short. At a kink of time an extremum may be a corner.
template <class D>
GRADUS_ROUTINE bool approaches_instant(const D& d, int o, double end, double value, bool is_short,
                                       bool at_kink) {
  const InstantSearch<D> search(d, o);
  if (search.nodes == 0) return false;
  if (search.nodes == 1 && !is_short) return true;
  SampleCurve<D> curve = expected_course(search, end, value);
  double least = value, most = value;
  for (int k = 0; k < curve.count; ++k) {
    least = curve.difference[k] < least ? curve.difference[k] : least;
    most = curve.difference[k] > most ? curve.difference[k] : most;
  }
  curve.divide();
  const double low = curve.time[curve.count - 2];
  const double high = -kFineBeyond * low;
  const double before = curve.at(low).slope;
  const double after = curve.at(high).slope;
  double turn = high;
  if (before * after < 0.0) {
    const auto slope_at = [&](double t) {
      const Course<double> c = curve.at(t);
      return Line<double>{c.slope, c.curvature};
    };
    turn = bracketed_root(slope_at, low, high, after > 0.0, true);
  }
  const double extreme = curve.at(turn).value;
  if (search.objective.kind == ObjectiveKind::time_when) {
    if (value_of(search.number_of(d.layout.search.passages)) >= search.objective.passage)
      return false;
    const double side = value_of(search.number_of(d.layout.search.side));
    return side * value < 0.0 || side * extreme < 0.0 || side * curve.at(high).value < 0.0;
  }
  const double margin = kFineMargin * (most - least);
  const double best = value_of(search.best());
  const bool is_peak = search.objective.kind == ObjectiveKind::maximum;
  if (at_kink && search.objective.kink_begin != search.objective.kink_end &&
      (is_peak ? value > best - margin : value < best + margin))
    return true;
  return is_peak ? before > 0.0 && after < 0.0 && extreme > best - margin
                 : before < 0.0 && after > 0.0 && extreme < best + margin;
}

// At the end of an attempt that would do, and is far shorter than it need be if it `is_short`:
// whether it is to be taken in parts instead.
template <class D>
GRADUS_CALL bool begins_fine_steps(const D& d, double time, double end, bool is_short,
                                   bool at_kink) {
  const SearchLayout& s = d.layout.search;
  if (d.plan.search_count == 0 || time < value_of(d.at(s.fine_end)[0])) return false;
  if (end - time < kLeastSpacing * d.settings.duration) return false;  // over a kink of time
  signals(d, d.plan.uses_energy != 0);
  evaluate_objectives(d, end);
  bool approaches = false;
  for (int o = 0; o < d.plan.objective_count; ++o) {
    const ObjectiveEntry& objective = d.plan.objectives[o];
    if (!is_searched(objective.kind) || time < objective.from || end > objective.to) continue;
    const int output = d.plan.objective_program.outputs[objective.output];
    const double value = value_of(d.at(d.layout.program_value)[output]);
    approaches = approaches || approaches_instant(d, o, end, value, is_short, at_kink);
  }
  if (!approaches) return false;
  d.at(s.fine_step)[0] = RealOf<D>((end - time) / kFineParts);
  d.at(s.fine_end)[0] = RealOf<D>(end + kFineBeyond * (end - time));
  d.at(d.layout.rejected_steps)[0] += RealOf<D>(1);
  return true;
}

// Where a step ends at the latest that would end at `limit`.
template <class D>
GRADUS_FUNCTION double fine_limit(const D& d, double time, double limit) {
  const SearchLayout& s = d.layout.search;
  if (!(time < value_of(d.at(s.fine_end)[0]))) return limit;
  const double part = value_of(d.at(s.fine_step)[0]);
  // To the last bit, whatever the sum of the parts is rounded to.
  return time + 1.01 * part < limit ? time + part : limit;
}

GRADUS_KERNELS_END
