// The optimum once more, by another method for sensitivities, and whether it is one.
#pragma once

#include <string>
#include <vector>

#include "src/study/design_runner.hpp"
#include "src/study/optimization/optimization_terms.hpp"
#include "src/study/optimization/scaled_problem.hpp"

namespace gradus {

// Results of designs as answers: values of all objectives, then their gradients by the variables
// of the study. Empty for designs that failed.
std::vector<Answer> answers_of(const Result& result, const std::vector<std::size_t>& variables);

struct Optimum {
  const Optimization& optimization;
  const OptimizationTerms& terms;
  const ScaledProblem& problem;
  std::vector<double> x;                 // scaled
  std::vector<double> point;             // of the user
  Answer answer;                         // what was found there
  std::vector<std::string> constraints;  // names
};

OptimumCheck check_optimum(const DesignRunner& runner, const Optimum& optimum);

}  // namespace gradus
