// What a launch over a batch of linear systems is told. Outside the kernels' inline namespace, so
// that translations by different compilers agree on it.
#pragma once

#include <cstddef>

namespace gradus::kernels {

// How a system of a batch fares. Its solution is NaN unless it is solved.
enum class SystemStatus : int {
  solved = 0,
  singular,      // a pivot vanishes to working precision
  not_definite,  // the matrix was said to be positive definite and is not
  refused,       // factors in single precision do not lead to a solution in double precision
};

enum class LinearWork : int { factorise, solve, factorise_and_solve };

// `count` systems of `size` equations, matrices and columns row-major. Entry e of system s lies at
// [s * entries + e], or at [e * count + s] if interleaved.
struct LinearArguments {
  LinearWork work;
  int size;
  int columns;  // right-hand sides of each system
  std::ptrdiff_t count;
  bool interleaved;
  bool definite;    // symmetric and positive definite
  bool transposed;  // solve with the transposed matrices
  bool refined;     // factors in single precision, solutions refined to double precision

  const double* matrices;  // [count, size, size]
  double* factors;         // [count, size, size], unless refined
  float* single_factors;   // [count, size, size], if refined
  double* pivots;          // [count, size], not for definite ones
  int* status;             // [count], SystemStatus
  double* right_sides;     // [count, size, columns], solutions when done
  double* refinement;      // [count, 2, size, columns], if refined: iterates and residuals
  float* correction;       // [count, size, columns], if refined
};

}  // namespace gradus::kernels
