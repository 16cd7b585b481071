// Formulations by name.
#include "src/motion/formulation.hpp"

#include <algorithm>

#include "gradus/error.hpp"
#include "src/model/keys.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

// All there are, `own` first.
std::vector<std::string> integrators_after(std::string_view own) {
  std::vector<std::string> names{std::string(own)};
  for (const std::string_view name : keys::integrators)
    if (name != own) names.emplace_back(name);
  return names;
}

std::vector<FormulationTraits> make_formulations() {
  using kernels::MultiplierSource;
  const std::vector<std::string> closed = integrators_after("dop853");
  const std::vector<std::string> open = integrators_after(keys::newmark);
  std::vector<FormulationTraits> all(7);
  all[0] = {.name = "ali3p",
            .make = ali3p,
            .integrators = {std::string(keys::newmark), std::string(keys::generalised_alpha)},
            .has_stages = true,
            .has_clock = false,
            .multipliers = MultiplierSource::projected};
  all[1] = {.name = "semi-recursive",
            .make = semi_recursive,
            .integrators = open,
            .for_open_trees = true};
  all[2] = {.name = "fully-recursive",
            .make = fully_recursive,
            .integrators = open,
            .for_open_trees = true};
  all[3] = {.name = "matrix-r", .make = matrix_r, .integrators = closed};
  all[4] = {.name = "index1", .make = index1, .integrators = closed, .can_stabilise = true};
  all[5] = {.name = "penalty",
            .make = penalty,
            .integrators = closed,
            .by_penalty = true,
            .can_stabilise = true,
            .multipliers = MultiplierSource::penalty};
  all[6] = {.name = "kinematic", .make = kinematic, .has_clock = false};
  return all;
}

}  // namespace

const std::vector<FormulationTraits>& formulations() {
  static const std::vector<FormulationTraits> all = make_formulations();
  return all;
}

const FormulationTraits& formulation_traits(const std::string& name) {
  const auto found =
      std::find_if(formulations().begin(), formulations().end(),
                   [&](const FormulationTraits& traits) { return traits.name == name; });
  if (found != formulations().end()) return *found;
  const std::vector<std::string> names(keys::formulations.begin(), keys::formulations.end());
  throw InputError("formulation: found \"" + name + "\", " + suggestion(name, names));
}

}  // namespace gradus
