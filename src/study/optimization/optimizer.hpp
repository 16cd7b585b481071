// The libraries that optimise, by the names of their methods: modules, what these are handed, and
// what they are asked.
#pragma once

#include <string>
#include <vector>

#include "src/modules/module.hpp"
#include "src/study/optimization/scaled_problem.hpp"

namespace gradus {

// A search as optimisers see it.
class SearchView {
 public:
  virtual const ScaledProblem& problem() const = 0;
  // Where to begin: the start, or the best point so far.
  virtual const std::vector<double>& origin() const = 0;

  struct Found {
    ScaledEvaluation evaluation;  // of the last design that did not fail, if this one did
    bool failed = false;
    double distance = 0.0;     // from that design
    std::vector<double> away;  // unit vector from it
  };
  // What is at a point; null if it is time to stop. Never throws.
  virtual const Found* at(const double* x) = 0;

 protected:
  ~SearchView() = default;
};

struct OptimizerFunctions {
  // To be raised with SearchView and ScaledProblem; most changes show by their sizes.
  static constexpr int interface =
      2 * 100'000 + static_cast<int>(sizeof(ScaledProblem) + sizeof(SearchView::Found));

  // Minimises until the search or the optimiser has enough; says why the optimiser ended.
  std::string (*minimize)(const std::string& method, SearchView& search);
};

struct NloptModule : OptimizerFunctions {
  static constexpr const char* file = "libgradus_nlopt.so";
  static constexpr ModuleLibrary library{"NLopt", "libnlopt-dev", "libnlopt0"};
};

struct IpoptModule : OptimizerFunctions {
  static constexpr const char* file = "libgradus_ipopt.so";
  static constexpr ModuleLibrary library{"Ipopt", "coinor-libipopt-dev", "coinor-libipopt1v5"};
};

// Minimises from search.origin() until the search or the optimiser has enough; says why the
// optimiser ended. The points it has evaluated are known to the search. Only for methods that
// require_method lets pass.
std::string minimize(const std::string& method, SearchView& search);

// Throws InputError for a method that is not known or not made for such constraints.
void check_method(const std::string& method, bool constraints, bool equations,
                  const std::string& where);

// Throws InputError for a method whose module cannot be had.
void require_method(const std::string& method, bool constraints, bool equations,
                    const std::string& where);

}  // namespace gradus
