// Teams: lanes that work on one system together. A body is written once for any team and asks it
// for
//   rank(), size()   which lane this is, of how many
//   barrier()        what any lane wrote before is seen by all lanes after
//   best(candidate)  the best pivot any lane offers, the same for all
//   any(condition)   whether it holds on any lane, the same for all
// best() and any() exchange registers and order no memory: a body that needs both says so with a
// barrier. All lanes of a team take the same way to each of the three.
#pragma once

#include "kernels/math/scalar.hpp"

GRADUS_KERNELS_BEGIN

// An entry that may become the pivot of a column.
template <class Real>
struct PivotCandidate {
  double rank;  // its magnitude, unless it is no number
  int row;
  Real value;

  // Of equal magnitudes the upper row's wins, so that the number of lanes does not matter.
  GRADUS_INLINE bool beats(const PivotCandidate& other) const {
    return rank > other.rank || (rank == other.rank && row < other.row);
  }
};

// The team of one, on a CPU.
struct OneLane {
  static constexpr bool kAlone = true;
  GRADUS_INLINE int rank() const { return 0; }
  GRADUS_INLINE int size() const { return 1; }
  GRADUS_INLINE void barrier() const {}
  template <class Real>
  GRADUS_INLINE PivotCandidate<Real> best(const PivotCandidate<Real>& own) const {
    return own;
  }
  GRADUS_INLINE bool any(bool own) const { return own; }
};

// The first of the rows first, first + 1, ... that belongs to this lane: rows are dealt out in
// turn.
template <class Team>
GRADUS_INLINE int own_row(const Team& team, int first) {
  const int ahead = (team.rank() - first) % team.size();
  return first + (ahead < 0 ? ahead + team.size() : ahead);
}

// A square matrix in an array, row by row: `leading` entries from one row to the next. In the
// shared memory of a device rows are longer than the matrix is wide.
template <class Array>
struct Square {
  Array entries;
  int leading;
  GRADUS_INLINE auto& operator()(int i, int j) const { return entries[i * leading + j]; }
};

// A pivot this much smaller than the largest before it is round-off.
template <class Real>
struct PivotThreshold {
  static constexpr double kValue = 1e-15;
};
template <>
struct PivotThreshold<float> {
  static constexpr double kValue = 1e-7;
};

GRADUS_KERNELS_END
