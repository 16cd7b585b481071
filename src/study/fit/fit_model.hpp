// A fit: its residuals and their derivatives from motions of the model, the check of its gradient,
// and how well measurements determine the fitted parameters.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gradus/fit.hpp"
#include "gradus/study.hpp"
#include "src/study/design_runner.hpp"
#include "src/study/fit/levenberg_marquardt.hpp"

namespace gradus {

// The residuals at one point, measurement by measurement: (computed - measured) / deviation.
struct FitEvaluation {
  std::vector<double> residuals;  // [n_residual]
  std::vector<double> jacobian;   // [n_residual, n_variable]
  std::vector<double> computed;   // [n_residual] of the sensors
  // Of the motion, as of Result: [3], [1], [1], [1] or none
  std::vector<double> constraint_violation, singular_passage, splines_extrapolated, switched;
};

class FitModel {
 public:
  // Throws InputError for variables and measurements that do not match the model. `designs`:
  // roughly how many will run at once.
  FitModel(const Study& study, std::size_t designs);
  FitModel(const FitModel&) = delete;
  FitModel& operator=(const FitModel&) = delete;

  const Fit& fit() const { return fit_; }
  const DesignRunner& runner() const { return runner_; }
  std::vector<NamedUnit> variables() const;
  LeastSquaresProblem problem() const;

  // The sums of each point, empty where the motion fails.
  std::vector<Answer> sums(const std::vector<std::vector<double>>& points) const;
  // Everything at one point; false where the motion fails.
  bool evaluate(const std::vector<double>& point, FitEvaluation& evaluation) const;
  // What steps of fixed length make the sensors that were measured wrong by at a point, and their
  // derivatives: from an evaluation there and one by half the step. Nothing of adaptive
  // integrators.
  StepErrors step_errors(const std::vector<double>& point, const FitEvaluation& evaluation) const;
  // The sum of squares at each point from the motion alone, NaN where it fails; with adaptive
  // integrators by the steps that the motion with derivatives takes at `centre`.
  std::vector<double> sums_of_motion(const std::vector<double>& centre,
                                     const std::vector<std::vector<double>>& points) const;

 private:
  template <class RunRows, class Take>
  void run_parts(const std::vector<std::vector<double>>& points, bool derivatives,
                 const RunRows& run_rows, const Take& take) const;
  template <class Take>
  void run(const std::vector<std::vector<double>>& points, const Take& take) const;
  std::size_t designs_at_once(bool derivatives) const;
  FitEvaluation evaluated(const Trajectory& trajectory, bool derivatives) const;

  Study study_;  // with the model reduced to what the fit needs
  const Fit& fit_;
  std::vector<std::size_t> varied_;
  DesignRunner runner_;
  std::vector<std::size_t> components_;  // [measurement]
  std::size_t component_count_ = 0;
  std::size_t coordinate_count_ = 0;
  std::size_t count_ = 0;
};

// The components that sensors have, as results name them.
struct SensorComponents {
  std::vector<std::string> names;
  std::size_t coordinates = 0;  // of the motion
};
SensorComponents sensor_components(const Model& model);

// Checks of fits, whether they were read or built. Throw InputError;
// `where` opens messages, `place` those about the time of a row.
void check_sensor(const std::string& sensor, const SensorComponents& sensors,
                  const std::string& where);
void check_fit(const Fit& fit, const Model& model, const std::string& where);
void check_times(const std::vector<double>& times, double duration,
                 const std::function<std::string(std::size_t row)>& place);

// The duration of the motion that the study asks for.
double duration_of(const Study& study);

// Sums of squares at points around another, NaN where there is none.
using SumsOfSquares = std::function<std::vector<double>(
    const std::vector<double>& centre, const std::vector<std::vector<double>>& points)>;

// How far the gradient of a sum of squares lies from central differences, and by what these may be
// wrong (src/sensitivity/difference_errors.hpp). Both are relative to the largest entry that
// residuals of their size can have.
struct GradientDeviation {
  double deviation = 0.0;
  double error = 0.0;

  // Whether differences are exact enough to say anything, and whether they agree.
  bool proves() const;
  bool agrees() const { return proves() && deviation <= error; }
};

// The gradient of the sum of squares, as `ask` has it, compared with the best central differences
// of `sums`; of all variables the one that is worst. Points outside the bounds are not evaluated:
// near a bound, the gradient is checked one step inside. Infinite if the sums cannot be evaluated.
GradientDeviation gradient_deviation(const LeastSquaresProblem& problem,
                                     const std::vector<double>& point, const Ask& ask,
                                     const SumsOfSquares& sums);

// The start with the least sum. Among equal sums (up to round-off; all sums below `round_off` are
// equal) the first that converged, or else the first. NaN never wins.
std::size_t best_fit_start(const std::vector<FitStart>& starts, double round_off);

// Fills errors and intervals of the parameters, covariance, correlation, singular values, residual
// deviation and warnings by linearisation at the parameters' values, from these, the sum of squares
// and `jacobian` [n_residual, n_parameter] of (computed - measured) / deviation. What cannot be
// identified has NaN and a warning.
void add_statistics(const std::vector<double>& jacobian, FitResult& result);

// Interpolation between recorded times by the cubic polynomial through the nearest four: the value
// at a time is the sum of weight[k] * value[first + k], k < count.
struct TimeWeights {
  std::size_t first = 0;
  std::size_t count = 0;
  std::array<double, 4> weight{};
};

// `times` are ascending and not empty. At a recorded time only its own value counts. Near and
// beyond the ends the four nearest all lie on one side; with fewer than four, all are used.
TimeWeights weights_at(const std::vector<double>& times, double time);

}  // namespace gradus
