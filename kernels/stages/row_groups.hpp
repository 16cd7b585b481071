// Rows of the constraints that can pass a singular configuration by themselves, such as those of
// one loop of several: whether they have changed their orientation since the end of the step
// before. An even number of groups that do so together leave the orientation of all rows as it was.
// docs/theory.md, section 7.
#pragma once

#include "kernels/stages/row_space.hpp"

GRADUS_KERNELS_BEGIN

template <class D>
GRADUS_INLINE int group_column(const D& d, const RowGroupEntry& group, int c) {
  return d.plan.group_columns[group.column_begin + c];
}

// How the rows of a group that were kept are oriented now: a number above zero if as they were.
template <class D>
GRADUS_ROUTINE typename D::Value orientation_of_group(const D& d, const RowGroupEntry& group) {
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  const int n = d.plan.coordinate_count;
  const auto product = d.at(w.product);
  for (int i = 0; i < group.rows; ++i)
    for_each_number(
        value_of(d.at(w.group_rows)[group.row_begin + i]), [&](int row, const auto& where) {
          const auto now = d.at(d.layout.jacobian).from(row * n);
          for (int j = 0; j < group.rows; ++j) {
            const auto kept = d.at(w.group_numbers).from(group.number_begin + j * group.columns);
            Value entry(0.0);
            for (int c = 0; c < group.columns; ++c)
              entry += value_of(now[group_column(d, group, c)]) * value_of(kept[c]);
            RealOf<D>& target = product[i * group.rows + j];
            target = RealOf<D>(select(where, entry, value_of(target)));
          }
        });
  return product_determinant(d, group.rows);
}

// A row, from 1 on, of a group that lies behind a singular configuration of its own; 0: none does.
template <class D>
GRADUS_ROUTINE typename D::Value reversed_group(const D& d) {
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  Value found(0.0);
  for (int g = 0; g < d.plan.row_group_count; ++g) {
    const RowGroupEntry& group = d.plan.row_groups[g];
    const auto reversed = value_of(d.at(w.group_known)[g]) > Value(0.0) &&
                          orientation_of_group(d, group) < Value(0.0);
    const auto last = value_of(d.at(w.group_rows)[group.row_begin + group.rows - 1]);
    found = select(reversed, last + Value(1.0), found);
  }
  return found;
}

// The pivots that belong to a group. It is not judged where they are more or fewer than it has
// independent rows: then other rows stand for some of its own.
template <class D>
GRADUS_ROUTINE void gather_group(const D& d, int g) {
  using Value = typename D::Value;
  const WatchLayout& w = d.layout.watch;
  const RowGroupEntry& group = d.plan.row_groups[g];
  const int* members =
      d.plan.group_members + g * (d.plan.group_member_count / d.plan.row_group_count);
  const auto rows = d.at(w.group_rows).from(group.row_begin);
  for (int k = 0; k < group.rows; ++k) rows[k] = RealOf<D>(0);
  Value count(0.0);
  for (int i = 0; i < d.plan.constraint_rank; ++i)
    for_each_number(value_of(d.at(d.layout.pivot)[i]), [&](int row, const auto& where) {
      if (members[row] == 0) return;
      for (int k = 0; k < group.rows; ++k)
        rows[k] = RealOf<D>(select(where && count == Value(k), Value(row), value_of(rows[k])));
      count = select(where, count + Value(1.0), count);
    });
  d.at(w.group_known)[g] = RealOf<D>(select(count == Value(group.rows), Value(1.0), Value(0.0)));
}

// The rows at hand become those that the next are compared with. Before keep_rows().
template <class D>
GRADUS_ROUTINE void keep_groups(const D& d) {
  using Value = typename D::Value;
  if (d.plan.row_group_count == 0) return;
  const WatchLayout& w = d.layout.watch;
  const int n = d.plan.coordinate_count;
  typename D::Mask changed = value_of(d.at(w.known)[0]) == Value(0.0);
  for (int i = 0; i < d.plan.constraint_rank; ++i)
    changed = changed || !(value_of(d.at(d.layout.pivot)[i]) == value_of(d.at(w.rows)[i]));
  const bool gathers = any(changed);
  for (int g = 0; g < d.plan.row_group_count; ++g) {
    if (gathers) gather_group(d, g);
    const RowGroupEntry& group = d.plan.row_groups[g];
    for (int i = 0; i < group.rows; ++i)
      for_each_number(
          value_of(d.at(w.group_rows)[group.row_begin + i]), [&](int row, const auto& where) {
            const auto kept = d.at(w.group_numbers).from(group.number_begin + i * group.columns);
            for (int c = 0; c < group.columns; ++c) {
              const int column = group_column(d, group, c);
              const double unit = coordinate_unit(d.plan, column);
              const Value entry =
                  Value(unit * unit) * value_of(d.at(d.layout.jacobian)[row * n + column]);
              kept[c] = RealOf<D>(select(where, entry, value_of(kept[c])));
            }
          });
  }
}

GRADUS_KERNELS_END
