// Identification: parameters from measured sensor data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gradus/optimize.hpp"
#include "gradus/study_run.hpp"

namespace gradus {

// Measurements of one component of a sensor. Times need not be those of steps: between them the
// motion is interpolated.
struct Measurement {
  std::string sensor;         // a component as results name it: "r2.x", "alpha1"
  std::string column;         // of the data file it came from
  double deviation = 1.0;     // standard deviation of one measurement, in the sensor's unit
  std::vector<double> time;   // [n] s, ascending
  std::vector<double> value;  // [n]
};

struct Fit {
  std::vector<Variable> variables;
  std::vector<Measurement> measurements;
  bool deviations_known = false;  // false: their common factor is estimated from the residuals
  double tolerance = 1e-10;       // relative, on steps and on the decrease of the sum
  std::size_t iterations = 100;   // at most, of each start
  std::size_t starts = 1;         // as of Optimization
  std::uint64_t seed = 1;
  double confidence = 0.95;
};

struct FittedParameter {
  NamedUnit parameter;
  double start = 0.0;
  double value = 0.0;
  double standard_error = 0.0;
  // Confidence interval: by Student's t, with deviations_known by the normal distribution.
  double low = 0.0, high = 0.0;
  bool at_bound = false;  // then without standard error
};

struct FitStart {
  std::vector<double> start;  // [n_variable]
  std::vector<double> point;
  double sum_of_squares = 0.0;
  std::size_t iterations = 0;
  bool converged = false;
  std::string reason;
};

struct FitHistoryRow {
  std::size_t start = 0;
  std::size_t iteration = 0;
  double sum_of_squares = 0.0;
  double gradient_norm = 0.0;  // of the sum by scaled variables
  double damping = 0.0;        // of Levenberg and Marquardt
};

// One measurement and what the fitted model makes of it.
struct FitResidual {
  std::string sensor;
  double time = 0.0;
  double measured = 0.0;
  double computed = 0.0;
};

struct FitResult {
  bool complete = false;  // false: interrupted, and can be resumed
  StudyRun run;
  Fit fit;
  std::vector<FittedParameter> parameters;
  std::vector<double> covariance;       // [n, n]; NaN rows for parameters at bounds
  std::vector<double> correlation;      // [n, n]
  std::vector<double> singular_values;  // of the scaled sensitivity matrix, descending
  double sum_of_squares = 0.0;          // of (measured - computed) / deviation
  double gradient_norm = 0.0;           // of the sum by scaled variables, those at bounds left out,
                                        // relative to its value at the start
  // Of the gradient of the sum from central differences, and by what these may be wrong; relative
  // to the largest entry that residuals of their size can have.
  double check_deviation = 0.0;
  double check_error = 0.0;
  // sqrt(sum / (measurements - parameters not at bounds))
  double residual_deviation = 0.0;
  std::vector<FitStart> starts;
  std::size_t best = 0;
  std::vector<FitHistoryRow> history;
  std::vector<FitResidual> residuals;
  // Of the motion at the result, as of Result; empty where it fails
  std::vector<double> constraint_violation;  // [3]
  std::vector<double> singular_passage;      // [1] s
  std::vector<double> splines_extrapolated;  // [1]
  std::vector<std::string> warnings;         // what cannot be identified, and why
  bool succeeded = false;
};

}  // namespace gradus
