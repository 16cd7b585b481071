// The libraries that optimise, by the names of their methods.
#pragma once

#include <string>

#include "src/study/optimization/search.hpp"

namespace gradus {

// Minimises from search.origin() until the search or the optimiser has enough; says why the
// optimiser ended. The points it has evaluated are known to the search. Only for methods that
// require_method lets pass.
std::string minimize(const std::string& method, Search& search);

// Throws InputError for a method that is not known or not made for such constraints.
void check_method(const std::string& method, bool constraints, bool equations,
                  const std::string& where);

// Throws InputError for a method whose module cannot be had.
void require_method(const std::string& method, bool constraints, bool equations,
                    const std::string& where);

}  // namespace gradus
