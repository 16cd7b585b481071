// The parameter values of a batch.
#include "src/motion/request.hpp"

#include <cmath>
#include <random>

#include "gradus/error.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

constexpr std::size_t kLargestBatch = 100'000'000;

[[noreturn]] void reject_name(const std::string& name, const std::vector<std::string>& names) {
  for (const std::string& known : names)
    if (known != name && name_in_expressions(known) == name)
      throw InputError("set: \"" + name + "\" is an array, set its elements one by one: \"" +
                       known + "\" and so on");
  throw InputError("set: unknown parameter \"" + name + "\", " + suggestion(name, names));
}

void set_values(const Model& model, const Options& options, std::vector<double>& nominal) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  for (const auto& [name, value] : options.set) {
    std::size_t p = 0;
    while (p < names.size() && names[p] != name) ++p;
    if (p == names.size()) reject_name(name, names);
    if (!std::isfinite(value))
      throw InputError("set: the value of \"" + name + "\" is not a finite number");
    nominal[p] = value;
  }
}

// Uniform in [-1, 1], the same on every machine.
double draw(std::mt19937_64& generator) {
  return std::ldexp(static_cast<double>(generator() >> 11), -52) - 1.0;
}

}  // namespace

std::vector<double> design_values(const Model& model, const Options& options,
                                  std::vector<double> nominal) {
  set_values(model, options, nominal);
  const Designs& designs = options.designs;
  const std::size_t parameters = nominal.size();
  if (!designs.values.empty()) {
    if (parameters == 0 || designs.values.size() % parameters != 0)
      throw InputError("designs: " + std::to_string(designs.values.size()) +
                       " values do not make rows of " + std::to_string(parameters) + " parameters");
    return designs.values;
  }
  if (designs.count < 1 || designs.count > kLargestBatch)
    throw InputError("designs: found " + std::to_string(designs.count) + ", expected 1 to " +
                     std::to_string(kLargestBatch));
  if (!std::isfinite(designs.spread) || designs.spread < 0.0)
    throw InputError("spread: expected a finite number of at least 0");
  std::vector<double> values;
  values.reserve(designs.count * parameters);
  std::mt19937_64 generator(designs.seed);
  for (std::size_t d = 0; d < designs.count; ++d)
    for (std::size_t p = 0; p < parameters; ++p)
      values.push_back(d == 0 ? nominal[p] : nominal[p] * (1.0 + designs.spread * draw(generator)));
  return values;
}

}  // namespace gradus
