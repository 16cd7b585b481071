// What a step of a one-step method leaves for its adjoint: its base, its length, what it held and
// the accelerations of its stages. docs/theory.md, section 15.
#pragma once

#include "kernels/integrators/step_state.hpp"

GRADUS_KERNELS_BEGIN

// Calls visit(offset, count) for every array that is kept, after the length and the end of the
// step.
template <class D, class Visit>
GRADUS_FUNCTION void for_each_kept_of_base(const D& d, const Visit& visit) {
  const IntegratorLayout& s = d.layout.integrator;
  const int n = d.plan.coordinate_count;
  visit(s.time, 1);
  visit(s.position, n);
  visit(s.velocity, n);
  visit(s.stages, n * d.tableau.stages);
  visit(d.layout.held, d.plan.independent_count);
}

template <class D>
GRADUS_FUNCTION bool record_is_full(const D& d) {
  return d.record_capacity > 0 &&
         common(d.at(d.layout.integrator.recorded)[0]) >= static_cast<double>(d.record_capacity);
}

// Keeps the step before it is accepted.
template <class D>
GRADUS_FUNCTION void keep_base(const D& d, double h, double end) {
  using Real = typename D::Real;
  if (d.record_capacity == 0) return;
  const auto count = d.at(d.layout.integrator.recorded);
  const auto record = d.record(static_cast<int>(common(count[0])));
  record[0] = Real(h);
  record[1] = Real(end);
  int place = 2;
  for_each_kept_of_base(d, [&](int offset, int size) {
    for (int i = 0; i < size; ++i) record[place++] = d.at(offset)[i];
  });
  count[0] += Real(1);
}

struct StepSpan {
  double length, end;
};

template <class D>
GRADUS_FUNCTION StepSpan restore_base(const D& d) {
  const auto record = d.record(0);
  int place = 2;
  for_each_kept_of_base(d, [&](int offset, int size) {
    for (int i = 0; i < size; ++i) d.at(offset)[i] = record[place++];
  });
  return {common(record[0]), common(record[1])};
}

GRADUS_KERNELS_END
