// The covariance of the parameters of a sweep, known or of the designs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gradus/sweep.hpp"

namespace gradus {

// Known in closed form: that of grids, of given covariances, of independent parameters whose
// distribution is not truncated. Of the designs: the rest. Of lists and correlations the whole
// matrix is kept, of the others one number per parameter.
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

}  // namespace gradus
