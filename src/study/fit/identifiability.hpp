// Which parameters measurements can tell, and which not.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "src/study/fit/fit_statistics.hpp"

namespace gradus {

struct Identifiability {
  explicit Identifiability(const FittedPoint& fitted);

  std::vector<std::size_t> free;  // variables that are not at bounds
  Eigen::VectorXd lengths;        // [n_free] of their columns of the sensitivity matrix
  Eigen::VectorXd
      singular_values;         // [n_free] of the matrix with columns of unit length, descending
  Eigen::MatrixXd directions;  // [n_free, n_free] its right singular vectors
  std::vector<bool> answered;  // [n_free] whether any measurement answers to it

  // Whether a singular value is not more than round-off.
  bool is_lost(Eigen::Index k) const;
  // Whether a free variable has no part in what is lost.
  bool is_identified(Eigen::Index i) const;
};

// Says in words what cannot be identified, or badly. `freedom`: residuals beyond the parameters.
void add_warnings(const Identifiability& found, double freedom, FitResult& result);

}  // namespace gradus
