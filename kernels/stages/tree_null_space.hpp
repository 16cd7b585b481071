// An open tree has no constraints but the lengths of its Euler parameters. Each concerns four
// coordinates of its own, so that what they determine and what they leave free is known without a
// factorisation: the parameters themselves and the three turns across them. docs/theory.md,
// section 7.
#pragma once

#include "kernels/core/design.hpp"
#include "kernels/math/euler_parameters.hpp"

GRADUS_KERNELS_BEGIN

// Whether there are no constraints but those of Euler parameters.
GRADUS_FUNCTION bool is_open_tree(const PlanView& plan) {
  for (int k = 0; k < plan.constraint_count; ++k)
    if (plan.constraints[k].kind != ConstraintKind::normalisation) return false;
  return true;
}

// A coordinate of a tree, or a group of Euler parameters, in the order of the coordinates.
struct TreeGroup {
  int coordinate;  // the first
  int size;        // 1, or 4 of Euler parameters
  int free;        // the first of its columns of the null space: 1, or 3
  int row;         // of the constraints, of Euler parameters
};

GRADUS_FUNCTION TreeGroup first_group(const PlanView& plan) {
  const bool euler = plan.coordinate_count > 0 && plan.coordinates[0].euler == 0;
  return {0, euler ? 4 : 1, 0, 0};
}

GRADUS_FUNCTION TreeGroup next_group(const PlanView& plan, const TreeGroup& group) {
  const int c = group.coordinate + group.size;
  const bool turns = group.size == 4;
  const bool euler = c < plan.coordinate_count && plan.coordinates[c].euler == c;
  return {c, euler ? 4 : 1, group.free + (turns ? 3 : 1), group.row + (turns ? 1 : 0)};
}

// Entry of column `a` of a group's part of the null space for its coordinate k.
template <class D>
GRADUS_FUNCTION RealOf<D> null_entry(const D& d, const TreeGroup& group, int k, int a) {
  if (group.size == 1) return RealOf<D>(1);
  return component(half_axis(load_euler(d.at(d.layout.position + group.coordinate)), k), a);
}

// Range, triangle and null space of the Jacobian, as split_jacobian() leaves them, but for the
// order of the rows and the length of the columns of the null space.
template <class D>
GRADUS_ROUTINE void split_tree(const D& d) {
  const Layout& l = d.layout;
  const int n = d.plan.coordinate_count;
  const int free = d.plan.independent_count;
  const int rank = d.plan.constraint_rank;
  set_zero(d.at(l.range), n * rank);
  set_zero(d.at(l.null_space), n * free);
  set_zero(d.at(l.triangle), rank * rank);
  for (TreeGroup g = first_group(d.plan); g.coordinate < n; g = next_group(d.plan, g)) {
    const int width = g.size == 4 ? 3 : 1;
    for (int k = 0; k < g.size; ++k)
      for (int a = 0; a < width; ++a)
        d.at(l.null_space)[(g.coordinate + k) * free + g.free + a] = null_entry(d, g, k, a);
    if (g.size == 1) continue;
    const auto p = load_euler(d.at(l.position + g.coordinate));
    const RealOf<D> length = sqrt(dot(p, p));
    d.at(l.pivot)[g.row] = RealOf<D>(g.row);
    d.at(l.triangle)[g.row * rank + g.row] = RealOf<D>(1) / (RealOf<D>(2) * length);
    for (int k = 0; k < 4; ++k) d.at(l.range)[(g.coordinate + k) * rank + g.row] = p[k] / length;
  }
}

// reduced [free, free] = N^T matrix N
template <class D>
GRADUS_ROUTINE void reduce_tree(const D& d, int matrix, int reduced) {
  const int n = d.plan.coordinate_count;
  const int free = d.plan.independent_count;
  const auto a = d.at(matrix);
  const auto product = d.at(d.layout.product);  // [n, free]
  const auto out = d.at(reduced);
  for (TreeGroup g = first_group(d.plan); g.coordinate < n; g = next_group(d.plan, g)) {
    const int width = g.size == 4 ? 3 : 1;
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < n; ++i) {
        RealOf<D> sum(0);
        for (int k = 0; k < g.size; ++k)
          sum += a[i * n + g.coordinate + k] * null_entry(d, g, k, j);
        product[i * free + g.free + j] = sum;
      }
  }
  for (TreeGroup g = first_group(d.plan); g.coordinate < n; g = next_group(d.plan, g)) {
    const int width = g.size == 4 ? 3 : 1;
    for (int i = 0; i < width; ++i)
      for (int j = 0; j < free; ++j) {
        RealOf<D> sum(0);
        for (int k = 0; k < g.size; ++k)
          sum += null_entry(d, g, k, i) * product[(g.coordinate + k) * free + j];
        out[(g.free + i) * free + j] = sum;
      }
  }
}

GRADUS_KERNELS_END
