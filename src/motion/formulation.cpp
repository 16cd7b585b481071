// Formulations by name.
#include "src/motion/formulation.hpp"

#include "gradus/error.hpp"
#include "src/model/suggestion.hpp"
#include "src/motion/acceleration_forms.hpp"
#include "src/motion/ali3p.hpp"

namespace gradus {

std::vector<std::string> formulation_names() {
  return {"ali3p",  "semi-recursive", "fully-recursive", "matrix-r",
          "index1", "penalty",        "kinematic"};
}

Formulation make_formulation(const std::string& name, const kernels::Layout& layout,
                             const kernels::StepSettings& settings) {
  if (name == "ali3p") return ali3p(layout, settings);
  if (name == "semi-recursive") return semi_recursive(layout, settings);
  if (name == "fully-recursive") return fully_recursive(layout, settings);
  if (name == "index1") return index1(layout, settings);
  if (name == "matrix-r") return matrix_r(layout, settings);
  if (name == "penalty") return penalty(layout, settings);
  if (name == "kinematic") return kinematic(layout, settings);
  throw InputError("formulation: found \"" + name + "\", " + suggestion(name, formulation_names()));
}

bool is_for_open_trees(const std::string& formulation) {
  return formulation == "semi-recursive" || formulation == "fully-recursive";
}

std::vector<std::string> integrators_of(const std::string& formulation) {
  if (formulation == "kinematic") return {};
  if (formulation == "ali3p") return {"newmark", "generalised-alpha"};
  if (is_for_open_trees(formulation))
    return {"newmark", "generalised-alpha", "rk4",         "dopri5",
            "dop853",  "implicit-euler",    "trapezoidal", "radau5"};
  return {"dop853",         "dopri5",      "rk4",   "newmark", "generalised-alpha",
          "implicit-euler", "trapezoidal", "radau5"};
}

}  // namespace gradus
