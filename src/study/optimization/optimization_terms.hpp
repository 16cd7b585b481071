// What an optimisation says, with names looked up in the model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/optimize.hpp"

namespace gradus {

struct OptimizationTerms {
  struct Term {
    std::size_t objective = 0;  // of the model, those at times written out
    double weight = 1.0;        // of what is minimised: turned round where the user maximises
  };
  struct Row {
    std::size_t objective = 0;
    double lower = 0.0;
    double upper = 0.0;
  };
  std::vector<Term> minimised;
  std::vector<Row> constraints;
  std::size_t objectives = 0;          // of the model, those at times written out
  std::vector<std::size_t> variables;  // by index in the model
  bool has_equations() const;
};

// Throws InputError for all that is wrong with it; `where` opens messages and stands for the whole.
OptimizationTerms resolve(const Optimization& optimization, const Model& model,
                          const std::string& where);

}  // namespace gradus
