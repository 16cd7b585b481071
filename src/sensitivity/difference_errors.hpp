// What a central difference may be wrong by, found from a sweep of steps and from noise.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace gradus {

// Noise is measured by designs in a row, so near that what is left of their third differences is
// noise (J. J. More, S. M. Wild, Estimating Computational Noise, 2011), so far that all numbers of
// the motion are rounded anew.
inline constexpr double kSpacingInARow = 1e-8;  // relative
inline constexpr std::size_t kDesignsInARow = 6;
// Scatter is the largest of a few samples; methods scatter alike, not equally.
inline constexpr double kLargestScatter = 16.0;
// Nor is more asked of a difference than this, relative to what it is to prove: neighbours that
// meet a kink within a step, where the design between them meets it at the end of one, are less
// exact.
inline constexpr double kLeastDifferenceError = 1e-4;
// A method that may be wrong by more, relative to what it is to prove, proves nothing.
inline constexpr double kLargestErrorOfProof = 0.05;

// Raises `noise` [n_number] to the largest third difference of numbers [design, n_number] in a row.
void note_scatter(const std::vector<double>& numbers, std::vector<double>& noise);

// One of a sweep.
struct CentralDifference {
  double step = 0.0;   // relative
  double width = 0.0;  // from one neighbour to the other
  double slope = 0.0;  // NaN where a neighbour has failed
};

// The best difference of a sweep, and by what it may be wrong: infinite if nothing can be said.
struct BestDifference {
  double slope = std::numeric_limits<double>::quiet_NaN();
  double step = 0.0;
  double error = std::numeric_limits<double>::infinity();
};

// Of a sweep, the coarsest first. An error is the sum of
//
//   noise       that of the number that is differenced, over the width of the difference
//   truncation  how much differences change from one step to the next. Of a second-order formula at
//               a tenth of the step a hundredth is left of the error; a tenth is assumed, which
//               holds at kinks as well.
//
// Where two differ by more than both estimates allow, as near a kink that only some of them reach,
// neither is better than that.
BestDifference best_difference(const std::vector<CentralDifference>& sweep, double noise);

}  // namespace gradus
