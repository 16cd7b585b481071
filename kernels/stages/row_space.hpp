// The space of the rows of the constraint Jacobian, compared between the ends of steps: how far it,
// and with it the motions that are left, turns within a step, and whether the rows change their
// orientation. docs/theory.md, section 7.
#pragma once

#include "kernels/math/small_solve.hpp"
#include "kernels/stages/sparse_split.hpp"
#include "kernels/stages/tree_null_space.hpp"

GRADUS_KERNELS_BEGIN

// Column c of a row of the Jacobian, in units of the coordinate.
template <class D>
GRADUS_INLINE typename D::Value row_entry(const D& d, int row, int c) {
  using Value = typename D::Value;
  return value_of(d.at(d.layout.jacobian)[row * d.plan.coordinate_count + c]) *
         Value(coordinate_unit(d.plan, c));
}

// Products of a row with K others, side by side: first(c), second(k, c).
template <int K, class D, class First, class Second>
GRADUS_INLINE void row_products(const D& d, const First& first, const Second& second,
                                typename D::Value* sum) {
  for (int k = 0; k < K; ++k) sum[k] = typename D::Value(0.0);
  for (int c = 0; c < d.plan.coordinate_count; ++c) {
    const typename D::Value entry = first(c);
    for (int k = 0; k < K; ++k) sum[k] += entry * second(k, c);
  }
}

// Calls work(first, count) for strips of neighbouring rows from `begin` to `end`; `count` is a
// constant of its type.
template <class Work>
GRADUS_FUNCTION void for_each_rows(int begin, int end, const Work& work) {
  for_each_strip<1>(begin, end, [&](int i, auto quads, auto singles) {
    work(i, std::integral_constant<int, 4 * decltype(quads)::value + decltype(singles)::value>());
  });
}

// Removes from the rows of a basis behind row j their parts along it.
template <class D>
GRADUS_FUNCTION void remove_direction(const D& d, int basis, int j) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  const auto direction = d.at(basis).from(j * n);
  for_each_rows(j + 1, d.plan.constraint_rank, [&](int i, auto count) {
    constexpr int K = decltype(count)::value;
    const auto rows = d.at(basis).from(i * n);
    Value share[K];
    row_products<K>(
        d, [&](int c) { return value_of(direction[c]); },
        [&](int k, int c) { return value_of(rows[k * n + c]); }, share);
    for (int k = 0; k < K; ++k)
      for (int c = 0; c < n; ++c) rows[k * n + c] -= RealOf<D>(share[k] * value_of(direction[c]));
  });
}

// An orthonormal basis of the pivot rows, in their order, to `watch.now`: each row adds the part of
// it that is independent of those before. Returns the smallest of these parts, relative to the
// length of its row.
template <class D>
GRADUS_ROUTINE typename D::Value span_all_rows(const D& d) {
  using Value = typename D::Value;
  const int n = d.plan.coordinate_count;
  const int basis = d.layout.watch.now;
  const auto for_each_pivot = [&](int i, const auto& visit) {
    for_each_number(value_of(d.at(d.layout.pivot)[i]), visit);
  };
  for (int i = 0; i < d.plan.constraint_rank; ++i)
    for_each_pivot(i, [&](int row, const auto& where) {
      const auto own = d.at(basis).from(i * n);
      for (int c = 0; c < n; ++c)
        own[c] = RealOf<D>(select(where, row_entry(d, row, c), value_of(own[c])));
    });
  Value least(1.0);
  for (int i = 0; i < d.plan.constraint_rank; ++i) {
    const auto own = d.at(basis).from(i * n);
    const auto entry = [&](int c) { return value_of(own[c]); };
    Value size[1];
    row_products<1>(
        d, entry, [&](int, int c) { return entry(c); }, size);
    size[0] = sqrt(size[0]);
    const Value inverse = Value(1.0) / select(size[0] > Value(0.0), size[0], Value(1.0));
    for (int c = 0; c < n; ++c) own[c] = RealOf<D>(inverse * value_of(own[c]));
    Value length(1.0);
    for_each_pivot(i, [&](int row, const auto& where) {
      length = select(where, Value(row_length(d.plan, row)), length);
    });
    const Value part = size[0] / length;
    least = select(part < least, part, least);
    remove_direction(d, basis, i);
  }
  return least;
}

// Determinant of a matrix [n, n], which it overwrites, 0 if it is singular to working precision.
template <class Array>
GRADUS_ROUTINE auto determinant(const Array& matrix, const Array& pivot, int n) {
  using Value = ValueOf<std::decay_t<decltype(matrix[0])>>;
  const auto regular = factorise(matrix, pivot, n);
  Value product(1.0);
  for (int k = 0; k < n; ++k) {
    const Value factor = product / value_of(matrix[k * n + k]);
    product = select(value_of(pivot[k]) == Value(k), factor, -factor);
  }
  return select(regular, product, Value(0.0));
}

// The same of `watch.product` [rank, rank].
template <class D>
GRADUS_FUNCTION typename D::Value product_determinant(const D& d, int rank) {
  return determinant(d.at(d.layout.watch.product), d.at(d.layout.watch.pivot), rank);
}

// The same of rows that have sparse factors, whose order need not be a good one here: an
// orthonormal basis of the motions that they leave, and the sign of det [Phi_z; N^T] but for what
// the order makes of it.
template <class D>
GRADUS_ROUTINE typename D::Value span_free_motions(const D& d) {
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  const SparseFactors f{w.vectors, w.factors};
  Value least(1.0), sign(1.0);
  reflect_rows(
      d, f, [&](int row, int c) { return RealOf<D>(row_entry(d, row, c)); },
      [&](int k, const Value& size) {
        const Value part = size / Value(row_length(d.plan, d.plan.split_steps[k].row));
        least = select(part < least, part, least);
        const Value pivot = value_of(d.at(f.vectors)[head_of(d, k) * d.plan.constraint_rows + k]);
        sign = select(pivot < Value(0.0), -sign, sign);
      });
  d.at(w.orientation)[1] = RealOf<D>(sign);
  reflect_free(d, f, d.at(w.now));
  return least;
}

template <class D>
GRADUS_FUNCTION typename D::Value span_rows(const D& d) {
  return has_sparse_split(d.plan) ? span_free_motions(d) : span_all_rows(d);
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
      for_each_rows(0, rank, [&](int j, auto count) {
        constexpr int K = decltype(count)::value;
        const auto others = d.at(basis).from(j * n);
        Value entry[K];
        row_products<K>(
            d, [&](int c) { return row_entry(d, row, c); },
            [&](int k, int c) { return value_of(others[k * n + c]); }, entry);
        for (int k = 0; k < K; ++k) {
          RealOf<D>& target = product[i * rank + j + k];
          target = RealOf<D>(select(where, entry[k], value_of(target)));
        }
      });
    });
  return product_determinant(d, rank);
}

// The same number as turn_of_rows() of what span_free_motions() left: that of the angles between
// the spaces of the rows is that of the angles between what they leave.
template <class D>
GRADUS_ROUTINE typename D::Value turn_of_free_motions(const D& d) {
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  const int free = d.plan.split_free_count;
  const auto now = d.at(w.now);
  const auto before = d.at(w.basis);
  for (int i = 0; i < free; ++i)
    for (int j = 0; j < free; ++j) {
      Value entry(0.0);
      for (int c = 0; c < d.plan.coordinate_count; ++c)
        entry += value_of(now[c * free + i]) * value_of(before[c * free + j]);
      d.at(w.product)[i * free + j] = RealOf<D>(entry);
    }
  const auto orientation = d.at(w.orientation);
  return value_of(orientation[0]) * value_of(orientation[1]) * product_determinant(d, free);
}

// The product of the cosines of the angles by which the motions that are left have turned since the
// end of the step before, and below zero if the rows have changed their orientation with them: as
// they do where a motion goes straight on through a singular configuration. After span_rows().
template <class D>
GRADUS_ROUTINE typename D::Value turn_of_rows(const D& d) {
  if (has_sparse_split(d.plan)) return turn_of_free_motions(d);
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  const int n = d.plan.coordinate_count;
  const int rank = d.plan.constraint_rank;
  const auto product = d.at(w.product);
  for (int i = 0; i < rank; ++i) {
    const auto before = d.at(w.basis).from(i * n);
    for_each_rows(0, rank, [&](int j, auto count) {
      constexpr int K = decltype(count)::value;
      const auto now = d.at(w.now).from(j * n);
      Value entry[K];
      row_products<K>(
          d, [&](int c) { return value_of(before[c]); },
          [&](int k, int c) { return value_of(now[k * n + c]); }, entry);
      for (int k = 0; k < K; ++k) product[i * rank + j + k] = RealOf<D>(entry[k]);
    });
  }
  const Value turn = product_determinant(d, rank);
  typename D::Mask changed(false);
  for (int i = 0; i < rank; ++i)
    changed = changed || !(value_of(d.at(d.layout.pivot)[i]) == value_of(d.at(w.rows)[i]));
  if (!any(changed)) return turn;
  const auto reversed = changed && orientation_of_rows(d, w.now) < Value(0.0);
  return select(reversed, -turn, turn);
}

// Whether what is evaluated lies behind a singular configuration, from the step before.
template <class D>
GRADUS_FUNCTION typename D::Mask has_reversed_rows(const D& d) {
  using Value = typename D::Value;
  if (!has_sparse_split(d.plan)) return orientation_of_rows(d, d.layout.watch.basis) < Value(0.0);
  span_free_motions(d);
  return turn_of_free_motions(d) < Value(0.0);
}

// What is at hand becomes that of the step before.
template <class D, class Time>
GRADUS_FUNCTION void keep_rows(const D& d, const typename D::Value& least, const Time& time) {
  const WatchLayout& w = d.layout.watch;
  const int rank = d.plan.constraint_rank;
  const int spanned = has_sparse_split(d.plan) ? d.plan.split_free_count : rank;
  for (int i = 0; i < spanned * d.plan.coordinate_count; ++i) d.at(w.basis)[i] = d.at(w.now)[i];
  if (has_sparse_split(d.plan)) d.at(w.orientation)[0] = d.at(w.orientation)[1];
  for (int i = 0; i < rank; ++i) d.at(w.rows)[i] = d.at(d.layout.pivot)[i];
  d.at(w.least)[0] = RealOf<D>(least);
  d.at(w.time)[0] = RealOf<D>(time);
  d.at(w.known)[0] = RealOf<D>(1);
  d.at(w.reversed)[0] = RealOf<D>(0);
}

GRADUS_KERNELS_END
