// Values of parameters from the command line.
#include "src/cli/parameter_values.hpp"

#include <algorithm>
#include <vector>

#include "gradus/error.hpp"
#include "src/cli/arguments.hpp"

namespace gradus::cli {

Model with_values(Model model, const std::map<std::string, double>& values) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : values) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError("--set: unknown parameter '" + name + "'" + suggestion(name, names));
    Parameter& parameter = model.parameters[static_cast<std::size_t>(found - names.begin())];
    parameter.value = value;
    if (parameter.bounds && !(value >= (*parameter.bounds)[0] && value <= (*parameter.bounds)[1]))
      parameter.bounds.reset();
  }
  return model;
}

}  // namespace gradus::cli
