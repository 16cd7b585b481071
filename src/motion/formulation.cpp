// Formulations by name.
#include "src/motion/formulation.hpp"

#include "gradus/error.hpp"
#include "src/motion/ali3p.hpp"

namespace gradus {

std::vector<std::string> formulation_names() {
  return {"ali3p"};
}

Formulation make_formulation(const std::string& name, const kernels::Layout& layout,
                             const kernels::StepSettings& settings) {
  if (name == "ali3p") return ali3p(layout, settings);
  throw InputError("formulation: found \"" + name + "\", expected ali3p");
}

}  // namespace gradus
