// What a check gathers about a gradient, and what it concludes: plain arrays in between, so that
// tests can put faults in.
#pragma once

#include <string>
#include <vector>

#include "gradus/run.hpp"

namespace gradus {

// What is finer than the run that is checked, where it can be.
inline constexpr const char* kHalfTheStep = "half the step";
inline constexpr const char* kTenthOfTheTolerance = "a tenth of the tolerance";

// A sweep has one for each of its steps.
struct DifferenceEvidence {
  double step = 0.0;           // relative
  std::vector<double> widths;  // [parameter] from one neighbour to the other
  std::vector<double> slopes;  // [objective, parameter], NaN where a neighbour has failed
};

// What the entries of a gradient, [objective, parameter], are judged by.
struct Evidence {
  std::vector<std::string> objectives, parameters;
  std::vector<double> parameter_values;         // [parameter]
  std::vector<double> objective_values;         // [objective]
  std::vector<double> direct, adjoint, dual;    // NaN where a method has failed
  std::vector<double> refined;                  // direct, by finer steps; NaN where these failed
  std::vector<double> noise;                    // what rounding changes in these
  std::vector<double> objective_noise;          // [objective] and in the objectives
  std::vector<DifferenceEvidence> differences;  // the coarsest first
};

// What a check has found out.
struct CheckFindings {
  CheckPart model;
  std::string refinement;          // kHalfTheStep, ...
  std::string refinement_failure;  // why finer steps failed; empty: they did not
  Evidence evidence;               // none if the motion fails
};

// A verdict on every entry.
std::vector<CheckLine> judge(const Evidence& evidence);

// A verdict on the whole.
CheckReport conclude(const CheckFindings& findings);

}  // namespace gradus
