// The optimum of an optimisation once more, by another method for sensitivities.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/optimize.hpp"
#include "src/study/design_runner.hpp"
#include "src/study/optimization/search.hpp"

namespace gradus {

// Results of designs as answers: values of all objectives, then their gradients by the variables
// of the study. Empty for designs that failed.
std::vector<Answer> answers_of(const Result& result, const std::vector<std::size_t>& variables);

struct Recomputed {
  std::string method;
  Answer answer;
  std::string failure;
  std::vector<double> violation;             // [3] of the constraints of the motion
  std::vector<double> passage;               // [1]
  std::vector<double> splines_extrapolated;  // [1]
  std::vector<double> switched;              // [1], or none
};

// None if no other method serves the model.
std::optional<Recomputed> recompute(const DesignRunner& runner, const std::vector<double>& point,
                                    const std::vector<std::size_t>& variables);

// `result` has the optimisation and the names of its constraints.
OptimumCheck check_optimum(const std::optional<Recomputed>& again, const DesignRunner& runner,
                           const OptimizationTerms& terms, const Search& best,
                           const OptimizationResult& result);

}  // namespace gradus
