// What libraries need around their own work: columns instead of rows, rows in the order of the
// pivots, a verdict on the pivots. One thread an entry, a column or a system.
#pragma once

#include "kernels/linear/arguments.hpp"
#include "kernels/linear/team.hpp"

namespace gradus::kernels {

// Between our arrays [count, rows, columns] and a library's: one matrix after another, column by
// column.
struct Rearrangement {
  int rows, columns;
  std::ptrdiff_t count;
  Arrangement ours;
  bool to_library;
  const double* from;
  double* to;
  const int* status;  // SystemStatus: what is not solved arrives as NaN; null: all are
};

// Exchanges the rows of right-hand sides [rows, columns], column by column, as LAPACK's pivots say:
// row k with row exchanges[k] - 1.
struct RowExchanges {
  int rows, columns;
  std::ptrdiff_t count;
  bool backwards;
  const int* exchanges;  // [count, rows]
  double* right_sides;
};

// Finds out what the matrices were: from what was given, since libraries may lose a NaN on their
// way, and from the diagonal of the factors, column by column. Rows of those that are refused stay
// where they are: a library that met a NaN may name rows that do not exist, and a substitution that
// exchanges them writes into the systems beside.
struct PivotJudgement {
  int size;
  std::ptrdiff_t count;
  bool definite;  // the diagonal is that of Cholesky
  Arrangement ours;
  const double* matrices;
  const double* factors;
  const int* info;  // [count], of the library: not zero where it gave up
  int* exchanges;   // [count, size]
  int* status;
};

}  // namespace gradus::kernels

GRADUS_KERNELS_BEGIN

GRADUS_FUNCTION void rearrange_entry(const Rearrangement& c, std::ptrdiff_t index) {
  const std::ptrdiff_t entries = static_cast<std::ptrdiff_t>(c.rows) * c.columns;
  // Neighbouring threads read neighbours.
  const bool across = c.ours.interleaved && c.to_library;
  const std::ptrdiff_t system = across ? index % c.count : index / entries;
  const std::ptrdiff_t entry = across ? index / c.count : index % entries;
  std::ptrdiff_t i = entry / c.columns;
  std::ptrdiff_t j = entry % c.columns;
  if (!c.to_library) {
    i = entry % c.rows;
    j = entry / c.rows;
  }
  const std::ptrdiff_t row_major = i * c.columns + j;
  const std::ptrdiff_t ours =
      offset_of(c.ours, system, entries) + row_major * (c.ours.interleaved ? kTile : 1);
  const std::ptrdiff_t library = system * entries + j * c.rows + i;
  if (c.to_library)
    c.to[library] = c.from[ours];
  else
    c.to[ours] = c.status == nullptr || c.status[system] == 0 ? c.from[library] : NAN;
}

// `column` counts through all systems.
GRADUS_FUNCTION void exchange_rows_of_column(const RowExchanges& c, std::ptrdiff_t column) {
  double* x = c.right_sides + column * c.rows;
  const int* exchanges = c.exchanges + column / c.columns * c.rows;
  for (int step = 0; step < c.rows; ++step) {
    const int k = c.backwards ? c.rows - 1 - step : step;
    const int row = exchanges[k] - 1;
    const double held = x[k];
    x[k] = x[row];
    x[row] = held;
  }
}

GRADUS_FUNCTION void judge_pivots(const PivotJudgement& c, std::ptrdiff_t system) {
  const double* a = c.factors + system * c.size * c.size;
  double largest = 0.0;
  bool good = c.info[system] == 0;
  const std::ptrdiff_t entries = std::ptrdiff_t{c.size} * c.size;
  const double* given = c.matrices + offset_of(c.ours, system, entries);
  for (std::ptrdiff_t k = 0; k < entries; ++k)
    good = good && is_finite(given[k * (c.ours.interleaved ? kTile : 1)]);
  for (int k = 0; k < c.size; ++k) {
    const double diagonal = a[k * (c.size + 1)];
    const double pivot = c.definite ? diagonal * diagonal : absolute(diagonal);
    largest = pivot > largest ? pivot : largest;
    good = good && pivot > PivotThreshold<double>::kValue * largest && is_finite(pivot);
  }
  for (int k = 0; k < c.size && !good; ++k) c.exchanges[system * c.size + k] = k + 1;
  const SystemStatus bad = c.definite ? SystemStatus::not_definite : SystemStatus::singular;
  c.status[system] = static_cast<int>(good ? SystemStatus::solved : bad);
}

GRADUS_KERNELS_END
