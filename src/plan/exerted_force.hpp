// What a force element of a plan exerts, as nodes of a law, one for each component.
#pragma once

#include <string>
#include <vector>

#include "src/plan/draft.hpp"

namespace gradus {

// On a coordinate: along or about it. On a joint: on its slides, or on its turns. Else a vector at
// the place where the force acts, or the moment on the body there beyond that of forces at its
// points.
std::vector<expression::Node> exerted_force(Draft& draft, LawWriter& law, const std::string& name);
std::vector<expression::Node> exerted_torque(Draft& draft, LawWriter& law, const std::string& name);
// Of one between two points.
std::vector<expression::Node> exerted_tension(Draft& draft, LawWriter& law,
                                              const std::string& name);
// What it delivers to the mechanism.
std::vector<expression::Node> exerted_power(Draft& draft, LawWriter& law, const std::string& name);

}  // namespace gradus
