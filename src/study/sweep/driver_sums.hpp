// Sums over designs of what gradients say about the causes of spread, by jackknife group.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "src/study/sweep/gradient_basis.hpp"
#include "src/study/sweep/input_spread.hpp"

namespace gradus {

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

}  // namespace gradus
