// Sweeps: many designs of one model, their statistics, and what causes the spread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/result.hpp"
#include "gradus/study_run.hpp"

namespace gradus {

enum class Sampling {
  grid,             // every combination of the values of each axis; the last axis runs fastest
  list,             // designs that are given one by one
  latin_hypercube,  // every one of n equally likely slices of every parameter once
  sobol,            // Sobol's sequence of low discrepancy, shifted at random by the seed
  random,           // independent samples
};
// As studies and results name them, in this order.
inline constexpr std::array<std::string_view, 5> sampling_names{"grid", "list", "latin-hypercube",
                                                                "sobol", "random"};

// How likely the values of a parameter are. Sequences and Latin hypercubes fill it evenly in
// probability.
struct Distribution {
  enum class Kind { uniform, normal, log_normal };
  static constexpr std::array<std::string_view, 3> names{"uniform", "normal", "log-normal"};
  Kind kind = Kind::uniform;
  double from = 0.0;                // uniform
  double to = 1.0;                  // uniform
  double mean = 0.0;                // normal
  double standard_deviation = 1.0;  // normal; of a log-normal one that of its natural logarithm
  double median = 1.0;              // log-normal
  std::optional<std::array<double, 2>> truncated;  // normal and log-normal: no values outside
};

// One parameter of a sweep. Of a grid its values count, of samples its distribution; a list has
// neither.
struct SweepParameter {
  std::string name;
  std::vector<double> values;
  Distribution distribution;
};

// Parameters that depend on each other. A covariance is that of normal distributions without
// truncation and says their standard deviations; a correlation is that of the normal scores of any
// distributions (a Gaussian copula).
struct Dependence {
  bool is_covariance = false;
  std::vector<std::string> parameters;
  std::vector<double> matrix;  // [n, n], symmetric, positive definite
};

struct StatisticsSettings {
  double confidence = 0.95;  // of all intervals
  std::vector<double> quantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
  std::size_t bins = 0;  // of histograms; 0: by the number of designs
};

struct Sweep {
  Sampling sampling = Sampling::random;
  std::vector<SweepParameter> parameters;
  std::optional<Dependence> dependence;
  std::size_t designs = 0;  // of samples; grids and lists say it themselves
  std::uint64_t seed = 1;
  std::vector<double> list;  // [n_design, n_parameter of the sweep]
  bool gradients = true;
  std::vector<std::string> record;  // sensors whose trajectories are kept
  std::size_t record_every = 1;     // steps between recorded times
  StatisticsSettings statistics;

  // Whether designs are drawn from distributions, so that intervals and shares can be given.
  bool is_sample() const { return sampling != Sampling::grid && sampling != Sampling::list; }
};

// An estimate and its confidence interval. The interval is NaN where none can be given: of grids
// and lists, which are no samples, and of fewer designs than it takes (2 for means, 64 for what
// comes from the jackknife, more for outer quantiles). Intervals are those of independent samples;
// Latin hypercubes and Sobol's sequence come nearer than these say.
struct Estimate {
  double value = 0.0;
  double low = 0.0;
  double high = 0.0;
};

// What one parameter does to one objective, by the gradients of all designs.
struct Driver {
  std::string parameter;
  Estimate mean_derivative;         // E[df/dx]
  Estimate mean_square_derivative;  // E[(df/dx)^2], the derivative-based global measure
  // The following are parts of the variance, 1 being all of it. NaN if nothing varies, and of a
  // time of passage that is `otherwise` in some designs, but not in all. Var(E[f | x]) / Var(f),
  // from derivatives, of polynomials up to degree 8; of independent samples the estimate may be
  // slightly negative. NaN for dependent parameters, grids and lists.
  Estimate first_order;
  // At least the share of x with all its interactions (Poincare's inequality). It is a bound and
  // may exceed 1. NaN for dependent parameters, grids and lists.
  Estimate total_bound;
  Estimate linear_share;  // of the variance of the linear model with the mean gradient
};

struct Quantile {
  double probability = 0.0;
  Estimate value;
};

struct Histogram {
  std::vector<double> edges;        // [n + 1] ascending
  std::vector<std::size_t> counts;  // [n]
};

struct ObjectiveStatistics {
  NamedUnit objective;
  std::size_t count = 0;  // designs that did not fail
  Estimate mean;
  Estimate variance;
  double minimum = 0.0;
  double maximum = 0.0;
  std::vector<Quantile> quantiles;
  Histogram histogram;
  std::vector<Driver> drivers;  // one per parameter of the sweep; empty without gradients
};

struct SweepResult {
  bool complete = false;  // false: interrupted, and can be resumed
  std::size_t designs = 0;
  std::size_t done = 0;  // designs that have been run, now or before
  StudyRun run;
  Sweep sweep;
  // Of a complete sweep:
  std::vector<NamedUnit> parameters;  // all of the model
  std::vector<NamedUnit> objectives;
  std::vector<double> parameter_values;  // [n_design, n_parameter]
  std::vector<double> objective_values;  // [n_design, n_objective]
  std::vector<double> gradient;  // [n_design, n_objective, n_parameter]; empty without gradients,
                                 // or if there is a folder, which then has them
  std::vector<DesignStatus> status;          // [n_design]
  std::vector<double> constraint_violation;  // [n_design, 3], as of Result
  std::vector<double> singular_passage;      // [n_design] s, as of Result
  std::vector<double> splines_extrapolated;  // [n_design] as of Result
  std::vector<double> switched;              // [n_design] as of Result
  std::vector<ObjectiveStatistics> statistics;

  std::size_t failed() const;  // designs
};

}  // namespace gradus
