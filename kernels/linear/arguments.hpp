// What a launch over a batch of linear systems is told. Outside the kernels' inline namespace, so
// that translations by different compilers agree on it.
#pragma once

#include <cstddef>

#include "kernels/base/tile.hpp"

namespace gradus::kernels {

// How a system of a batch fares. Its solution is NaN unless it is solved.
enum class SystemStatus : int {
  solved = 0,
  singular,      // a pivot vanishes to working precision
  not_definite,  // the matrix was said to be positive definite and is not
  refused,       // factors in single precision do not lead to a solution in double precision
};

enum class LinearWork : int { factorise, solve, factorise_and_solve };

// How an array of the systems of a batch lies: one system after another, or interleaved in tiles
// (kernels/base/tile.hpp).
struct Arrangement {
  bool interleaved = false;
  std::ptrdiff_t pitch = 0;  // numbers from one tile to the next, 0: they follow each other
};

// Where the first of the `entries` numbers lies that system s has.
GRADUS_ALWAYS_INLINE std::ptrdiff_t offset_of(const Arrangement& a, std::ptrdiff_t s,
                                              std::ptrdiff_t entries) {
  if (!a.interleaved) return s * entries;
  return offset_in_tiles(s, a.pitch != 0 ? a.pitch : entries * kTile);
}

// `count` systems of `size` equations, matrices and columns row-major. What solvers keep is
// arranged as the right-hand sides, its tiles one after another.
struct LinearArguments {
  LinearWork work;
  int size;
  int columns;  // right-hand sides of each system
  std::ptrdiff_t count;
  Arrangement matrix_arrangement, right_side_arrangement;
  bool definite;    // symmetric and positive definite
  bool transposed;  // solve with the transposed matrices
  bool refined;     // factors in single precision, solutions refined to double precision

  const double* matrices;  // [count, size, size]
  double* factors;         // [count, size, size], unless refined; `count` in whole tiles
  float* single_factors;   // [count, size, size], if refined
  double* pivots;          // [count, size], not for definite ones
  int* status;             // [count], SystemStatus
  double* right_sides;     // [count, size, columns], solutions when done
  double* refinement;      // [count, 2, size, columns], if refined: iterates and residuals
  float* correction;       // [count, size, columns], if refined
};

}  // namespace gradus::kernels
