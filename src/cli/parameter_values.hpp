// Values of parameters that the command line gives in the place of the model's.
#pragma once

#include <map>
#include <string>

#include "gradus/model.hpp"

namespace gradus::cli {

// The model with other values of parameters, for commands that only show it. Bounds that exclude
// them are dropped: they limit what models and studies say, not what someone wants to see. Throws
// InputError for unknown names.
Model with_values(Model model, const std::map<std::string, double>& values);

}  // namespace gradus::cli
