// The space of the rows of the constraint Jacobian, compared between the ends of steps: how far it,
// and with it the motions that are left, turns within a step, and whether the rows change their
// orientation. docs/theory.md, section 7.
#pragma once

#include "kernels/math/small_solve.hpp"
#include "kernels/stages/tree_null_space.hpp"

GRADUS_KERNELS_BEGIN

// Column c of a row of the Jacobian, in units of the coordinate.
template <class D>
GRADUS_INLINE typename D::Value row_entry(const D& d, int row, int c) {
  using Value = typename D::Value;
  return value_of(d.at(d.layout.jacobian)[row * d.plan.coordinate_count + c]) *
         Value(coordinate_unit(d.plan, c));
}

// The product of two rows, each a function of the column.
template <class D, class First, class Second>
GRADUS_FUNCTION typename D::Value row_product(const D& d, const First& first,
                                              const Second& second) {
  typename D::Value sum(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) sum += first(c) * second(c);
  return sum;
}

// An orthonormal basis of the pivot rows, in their order, to `watch.now`: each row adds the part of
// it that is independent of those before. Returns the smallest of these parts, relative to the
// length of its row.
template <class D>
GRADUS_ROUTINE typename D::Value span_rows(const D& d) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  const auto basis = d.at(d.layout.watch.now);
  Value least(1.0);
  for (int i = 0; i < d.plan.constraint_rank; ++i) {
    const auto own = basis.from(i * n);
    Value length(1.0);
    for_each_number(value_of(d.at(d.layout.pivot)[i]), [&](int row, const auto& where) {
      length = select(where, Value(row_length(d.plan, row)), length);
      for (int c = 0; c < n; ++c)
        own[c] = RealOf<D>(select(where, row_entry(d, row, c), value_of(own[c])));
    });
    for (int j = 0; j < i; ++j) {
      const auto other = basis.from(j * n);
      const Value share = row_product(
          d, [&](int c) { return value_of(own[c]); }, [&](int c) { return value_of(other[c]); });
      for (int c = 0; c < n; ++c) own[c] -= RealOf<D>(share * value_of(other[c]));
    }
    const auto entry = [&](int c) { return value_of(own[c]); };
    const Value size = sqrt(row_product(d, entry, entry));
    const Value inverse = Value(1.0) / select(size > Value(0.0), size, Value(1.0));
    for (int c = 0; c < n; ++c) own[c] = RealOf<D>(inverse * value_of(own[c]));
    const Value part = size / length;
    least = select(part < least, part, least);
  }
  return least;
}

// Determinant of `watch.product` [rank, rank], 0 if it is singular to working precision.
template <class D>
GRADUS_ROUTINE typename D::Value product_determinant(const D& d, int rank) {
  using Value = typename D::Value;
  const auto matrix = d.at(d.layout.watch.product);
  const auto pivot = d.at(d.layout.watch.pivot);
  const auto regular = factorise(matrix, pivot, rank);
  Value determinant(1.0);
  for (int k = 0; k < rank; ++k) {
    const Value factor = determinant / value_of(matrix[k * rank + k]);
    determinant = select(value_of(pivot[k]) == Value(k), factor, -factor);
  }
  return select(regular, determinant, Value(0.0));
}

// How the rows of the step before are oriented to a basis [rank, n]: a number above zero if as they
// were to theirs.
template <class D>
GRADUS_ROUTINE typename D::Value orientation_of_rows(const D& d, int basis) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  const int rank = d.plan.constraint_rank;
  const auto product = d.at(d.layout.watch.product);
  for (int i = 0; i < rank; ++i)
    for_each_number(value_of(d.at(d.layout.watch.rows)[i]), [&](int row, const auto& where) {
      for (int j = 0; j < rank; ++j) {
        const auto other = d.at(basis).from(j * n);
        const Value entry = row_product(
            d, [&](int c) { return row_entry(d, row, c); },
            [&](int c) { return value_of(other[c]); });
        RealOf<D>& target = product[i * rank + j];
        target = RealOf<D>(select(where, entry, value_of(target)));
      }
    });
  return product_determinant(d, rank);
}

// The product of the cosines of the angles by which the motions that are left have turned since the
// end of the step before, and below zero if the rows have changed their orientation with them: as
// they do where a motion goes straight on through a singular configuration. After span_rows().
template <class D>
GRADUS_ROUTINE typename D::Value turn_of_rows(const D& d) {
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  const int n = d.plan.coordinate_count;
  const int rank = d.plan.constraint_rank;
  const auto product = d.at(w.product);
  for (int i = 0; i < rank; ++i)
    for (int j = 0; j < rank; ++j) {
      const auto before = d.at(w.basis).from(i * n);
      const auto now = d.at(w.now).from(j * n);
      product[i * rank + j] = RealOf<D>(row_product(
          d, [&](int c) { return value_of(before[c]); }, [&](int c) { return value_of(now[c]); }));
    }
  const Value turn = product_determinant(d, rank);
  typename D::Mask changed(false);
  for (int i = 0; i < rank; ++i)
    changed = changed || !(value_of(d.at(d.layout.pivot)[i]) == value_of(d.at(w.rows)[i]));
  if (!any(changed)) return turn;
  const auto reversed = changed && orientation_of_rows(d, w.now) < Value(0.0);
  return select(reversed, -turn, turn);
}

// What is at hand becomes that of the step before.
template <class D>
GRADUS_FUNCTION void keep_rows(const D& d, const typename D::Value& least, double time) {
  const WatchLayout& w = d.layout.watch;
  const int rank = d.plan.constraint_rank;
  for (int i = 0; i < rank * d.plan.coordinate_count; ++i) d.at(w.basis)[i] = d.at(w.now)[i];
  for (int i = 0; i < rank; ++i) d.at(w.rows)[i] = d.at(d.layout.pivot)[i];
  d.at(w.least)[0] = RealOf<D>(least);
  d.at(w.time)[0] = RealOf<D>(time);
  d.at(w.known)[0] = RealOf<D>(1);
  d.at(w.reversed)[0] = RealOf<D>(0);
}

GRADUS_KERNELS_END
