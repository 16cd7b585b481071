// The rows that an objective of a model has in results.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"

namespace gradus {

// Its name, or "name@time" for every time of a value.
std::vector<std::string> objective_rows(const Objective& objective);

}  // namespace gradus
