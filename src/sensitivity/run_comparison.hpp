// Two runs of the same designs compared, and errors estimated from what differs between them
// (L. F. Richardson, 1911).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/motion/mechanism.hpp"

namespace gradus {

// Relative errors that are worth a remark.
inline constexpr double kRemarkableError = 0.01;

// A run and where its motions end.
struct Solution {
  Result result;
  // [n_design, 2 n_coordinate] coordinates and rates at the end, NaN for designs that failed; empty
  // if nobody asked.
  std::vector<double> final_states;
};

// One run of designs, by the method of the options, or of the motion alone if `with_gradient` is
// false. Throws InputError, BackendError.
Solution solve(const std::shared_ptr<const CompiledMechanism>& mechanism, const Options& options,
               bool with_gradient, bool with_final_states);

// What changes in a design from one run to another, or the error that follows from it; relative.
struct RunChange {
  std::vector<double> values;     // [n_objective]
  std::vector<double> gradients;  // [n_objective] rows, see scale_of_parameter
  std::vector<double> weights;    // [n_objective] the change of a row, relative to the objective
  double state;                   // of the final state, NaN: not known

  double largest() const;
  void scale_by(double factor);
};

// What the entries of a row are multiplied by before they are compared: the size of the parameter,
// so that units do not matter; 1, in its unit, where that is 0, so that no entry is left out.
double scale_of_parameter(double value);

// Design `d` of a run and design `e` of another of the same mechanism, but for their final states.
RunChange change_between(const Result& one, std::size_t d, const Result& other, std::size_t e);

// Whether one of these has clearly more steps than the other. Where both halve steps of fixed
// length, they may come to the same ones, and agree whatever their errors.
bool differ_in_steps(const Result& one, std::size_t d, const Result& other, std::size_t e);

// Of final states, coordinates and rates apart.
double change_of_state(std::span<const double> one, std::span<const double> other);

// The largest of the estimated errors of a design, and of what it is.
struct LargestError {
  double error = 0.0;
  std::size_t objective = 0;
  bool of_gradient = false;
};
LargestError largest_error(const RunChange& error);
// "psi", or: the gradient of "psi".
std::string subject_of(const Result& result, const LargestError& largest);

// Row `row` of numbers [n, width].
std::span<const double> row_of(const std::vector<double>& numbers, std::size_t row,
                               std::size_t width);

// The order by which errors of fixed steps are estimated: that of convergence, as far as it is
// sure. `method`: of the gradient; continuous adjoints are of the second order at most.
int order_of(const MotionRequest& request, const std::string& method);

// Estimated errors of a result: all unknown, those of one design noted.
void make_room_for_errors(Result& result, bool with_gradient);
void note_error(Result& result, std::size_t design, const RunChange& error);

// Marks a design as failed at the end, with NaN for all its numbers.
void fail_design(Result& result, std::size_t design, std::string message);

}  // namespace gradus
