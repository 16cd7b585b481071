// The generalised force multiplier * s_z of a law s of positions: of a constraint, and with minus
// its size of a force that works on s. Loads, and the part of their stiffness that is not the
// turning of features. docs/theory.md, section 6.
#pragma once

#include "kernels/bodies/load_sums.hpp"
#include "kernels/laws/law.hpp"

GRADUS_KERNELS_BEGIN

// `size` times the unit vector k.
template <class Real>
GRADUS_INLINE Vector3<Real> along(int k, const Real& size) {
  const Real none(0);
  return {k == 0 ? size : none, k == 1 ? size : none, k == 2 ? size : none};
}

template <class D>
GRADUS_FUNCTION void add_law_loads(const D& d, const LoadLayout& load, const LawEntry& law,
                                   const RealOf<D>& multiplier) {
  const auto run = law_gradient(d, d.layout.motion, law, d.at(d.layout.velocity));
  for (int i = 0; i < input_count(law); ++i) {
    const LawInputEntry& in = d.plan.law_inputs[law.input_begin + i];
    const RealOf<D> f = multiplier * run.input[i];
    if (in.kind == LawInputKind::feature) add_load(d, load, in.index, along(in.component, f));
    if (in.kind == LawInputKind::coordinate) d.at(load.direct)[in.index] += f;
  }
}

// multiplier * s_zz less the second derivatives of the features, which are in the turning terms of
// the load. A law that is one of its inputs has none.
template <class D>
GRADUS_ROUTINE void add_law_stiffness(const D& d, const MotionLayout& m, const LawEntry& law,
                                      const RealOf<D>& multiplier, int matrix) {
  if (law.instruction_end - law.instruction_begin == 1) return;
  const int n = d.plan.coordinate_count;
  const auto stiffness = d.at(matrix);
  for (int b = law.touch_begin; b < law.touch_end; ++b) {
    const int column = d.plan.touches[b].coordinate;
    const auto axis = axis_motion(d, m, column);
    const auto run = law_gradient_change(d, m, law, [&](const LawInputEntry& in) {
      return input_by_position(d, m, in, column, axis);
    });
    for (int a = law.touch_begin; a < law.touch_end; ++a) {
      const int row = d.plan.touches[a].coordinate;
      stiffness[row * n + column] +=
          multiplier * law_by_position(d, m, law, row, axis_motion(d, m, row),
                                       [&](int i) { return run.input[i].derivative[0]; });
    }
  }
}

GRADUS_KERNELS_END
