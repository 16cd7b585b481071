// A planar chain integrated by CVODES of SUNDIALS, alone or with forward sensitivities.
#pragma once

#include <string>
#include <vector>

#include "bench/peers/planar_chain.hpp"

namespace gradus::bench {

enum class CvodesMethod {
  adams_fixed_point,
  adams_newton,
  bdf_newton,  // both with the exact Jacobian and the dense solver
};

struct CvodesSettings {
  CvodesMethod method = CvodesMethod::adams_fixed_point;
  bool columns_in_error = false;  // whether the error of a step includes the sensitivities
  double rtol = 1e-8, atol = 1e-9;

  std::string name() const;
};

struct CvodesRun {
  double objective = 0.0;
  std::vector<double> gradient;  // empty for a motion alone
  long steps = 0;
};

// Sensitivities are staggered, all of them corrected together after the state, by the right-hand
// side written by hand. Throws std::runtime_error where CVODES gives up.
CvodesRun cvodes_run(PlanarChain& chain, const CvodesSettings& settings, bool with_gradient);

std::string sundials_version();

}  // namespace gradus::bench
