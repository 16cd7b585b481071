// Statistics of a sweep, accumulated over its designs in order: estimates from samples (quantiles,
// histograms, confidence intervals), and what causes the spread of objectives: first-order effects,
// bounds and linear shares from the gradients of all designs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/sweep.hpp"
#include "src/study/sampling/distribution.hpp"

namespace gradus {

// A value without an interval.
Estimate without_interval(double value);

// The mean of a sample, with an interval by Student's t if there are at least two values.
Estimate mean_estimate(double mean, double variance, std::size_t count, double confidence);

// Designs are assigned to groups at random, each run of 32 once to every group: in a sequence that
// fills space evenly, every n-th design would cover a region instead of being a sample.
inline constexpr std::size_t jackknife_groups = 32;
inline constexpr std::size_t fewest_designs_for_jackknife = 64;
std::size_t jackknife_group(std::size_t design, std::uint64_t seed);

// The interval from estimates that leave out one group each (delete-a-group jackknife), by
// Student's t. No interval without estimates, or if one of them is not finite.
Estimate jackknife_estimate(double value, const std::vector<double>& without_group,
                            double confidence);
// The same for a positive quantity, on the scale of its logarithm.
Estimate positive_jackknife_estimate(double value, std::vector<double> without_group,
                                     double confidence);

// Linear interpolation between sorted values, NumPy's default. NaN if there are none.
double quantile_of(std::span<const double> sorted, double probability);

// The same with a distribution-free interval: the number of values below a quantile is binomial. No
// interval if there are too few values.
Estimate quantile_estimate(std::span<const double> sorted, double probability, double confidence);

// Bins of equal width from the smallest to the largest value; a single bin if these are equal.
// `bins` 0: the square root of the number of values, between 5 and 50.
Histogram histogram_of(std::span<const double> sorted, std::size_t bins);

// First-order effects from gradients. -------------------------------------------------------------
//
// E[f | x] is expanded in orthonormal polynomials of the standardised variable s of x, and
// integration by parts turns each coefficient into a mean of derivatives:
//   s uniform in 0 to 1, Legendre:  c_k = E[f P_k] sqrt(2k + 1) = -E[df/ds Q_k] sqrt(2k + 1), where
//     Q_k = (P_k+1 - P_k-1) / (2 (2k + 1)) has the derivative P_k and vanishes at both ends;
//   s standard normal, Hermite:     c_k = E[f He_k] / sqrt(k!) = E[df/ds He_k-1] / sqrt(k!).
// The sum of c_k^2, k > 0, is Var(E[f | x]).

// Polynomials up to this degree: two whole waves over a range lose at most 0.3 % of their
// variance, and higher degrees add more noise than they explain.
inline constexpr std::size_t basis_degree = 8;
using BasisWeights = std::array<double, basis_degree>;

// c_k = E[df/dx weight k - 1], by the distribution and a value of x.
BasisWeights basis_weights(Distribution::Kind kind, const StandardValue& value);

// The constant of Poincare's inequality Var f <= C E[(df/ds)^2].
double poincare_constant(Distribution::Kind kind);

// The covariance of the parameters. --------------------------------------------------------------

// Known in closed form for grids, given covariances and independent parameters without truncation,
// otherwise estimated from the designs. Lists and correlations need the whole matrix, the others
// one number per parameter.
class InputSpread {
 public:
  explicit InputSpread(const Sweep& sweep);

  void add(std::span<const double> values);
  // The parts that parameters have in the variance of the linear function with this gradient.
  std::vector<double> linear_shares(const std::vector<double>& gradient) const;

 private:
  void add_to_joint(std::span<const double> values);

  double count_ = 0.0;
  std::vector<double> variances_;   // of single parameters if known, else their sum so far
  std::vector<bool> is_known_;      // of single parameters
  std::vector<double> means_;       // so far
  std::vector<std::size_t> joint_;  // parameters with a matrix of their own
  std::vector<double> covariance_;  // [joint, joint] if known, else its sum so far
  bool covariance_is_known_ = false;
  std::vector<double> step_;  // of the means of joint parameters, by one design
};

// Sums over the gradients of designs, by jackknife group. -----------------------------------------

// How many designs there are, in all or in a group, and how an objective varies among them.
struct SpreadOfDesigns {
  double count = 0.0;
  double variance = 0.0;
};

class DriverSums {
 public:
  DriverSums(const Sweep& sweep, std::size_t objectives);

  void add(std::size_t group, std::span<const double> values, std::span<const double> gradient);

  // Estimates for all parameters and one objective. `all` are all designs, `without_group` those
  // outside of each group, empty if no intervals are wanted.
  std::vector<Driver> drivers(std::size_t objective, const SpreadOfDesigns& all,
                              const std::vector<SpreadOfDesigns>& without_group) const;

 private:
  struct Sums {
    double derivative = 0.0;
    double square = 0.0;           // of the derivative
    double standard_square = 0.0;  // of that by the standardised variable
    BasisWeights coefficients{};
  };
  // The estimates of one parameter from some of the designs.
  struct Values {
    double mean_derivative, mean_square_derivative, first_order, total_bound, linear_share;
  };

  std::size_t place(std::size_t objective, std::size_t parameter) const {
    return objective * parameters_.size() + parameter;
  }
  Sums sums_of(std::size_t place, std::size_t left_out) const;
  BasisWeights noise_of(std::size_t place, const Sums& all, double count) const;
  std::vector<Values> values_of(std::size_t objective, const SpreadOfDesigns& designs,
                                std::size_t left_out, const std::vector<BasisWeights>& noise) const;

  std::vector<std::string> parameters_;
  std::vector<Distribution> distributions_;
  std::vector<bool> has_shares_;  // whether a parameter is independent of all others
  bool subtracts_noise_;
  double confidence_;
  InputSpread spread_;
  std::vector<Sums> sums_;             // [objective, parameter, group]
  std::vector<BasisWeights> squares_;  // of the terms of the coefficients [objective, parameter]
  std::vector<BasisWeights> weights_;  // of one design [parameter]
  std::vector<double> slopes_;         // of one design [parameter]
};

// All of it. --------------------------------------------------------------------------------------

class SweepStatistics {
 public:
  SweepStatistics(const Sweep& sweep, const std::vector<NamedUnit>& objectives);

  // One design that did not fail: the values of the parameters of the sweep [n_parameter of the
  // sweep], the objectives, and their gradient [n_objective, n_parameter of the sweep], empty
  // without gradients. `index` is that of the design.
  void add(std::size_t index, std::span<const double> values, std::span<const double> objectives,
           std::span<const double> gradient);

  std::vector<ObjectiveStatistics> result() const;

 private:
  ObjectiveStatistics result(std::size_t objective) const;
  void add_distribution(double mean, double variance, std::vector<double> values,
                        ObjectiveStatistics& statistics) const;

  const Sweep sweep_;
  const std::vector<NamedUnit> objectives_;
  std::vector<std::vector<double>> values_;  // [objective][design]
  std::vector<std::uint8_t> groups_;         // [design]
  std::optional<DriverSums> drivers_;        // with gradients
};

}  // namespace gradus
