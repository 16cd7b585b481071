// The formulations and integrators that tests run through. A new one is one more line here.
#pragma once

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/motion/formulation.hpp"

namespace gradus::test {

struct TestedFormulation {
  std::string label;  // of the names of tests
  std::string name;
  bool loops;     // closes them
  bool projects;  // constraints hold to round-off after every step
  std::string stabilisation = "projection";
};

inline void PrintTo(const TestedFormulation& formulation, std::ostream* out) {
  *out << formulation.label;
}

inline const std::vector<TestedFormulation>& tested_formulations() {
  static const std::vector<TestedFormulation> all{
      {"ali3p", "ali3p", true, true},
      {"semi_recursive", "semi-recursive", false, true},
      {"fully_recursive", "fully-recursive", false, true},
      {"tied_recursive", "fully-recursive", true, true},
      {"matrix_r", "matrix-r", true, true},
      {"index1", "index1", true, true},
      {"index1_baumgarte", "index1", true, false, "baumgarte"},
      {"index1_plain", "index1", true, false, "none"},
      {"penalty", "penalty", true, false},
  };
  return all;
}

struct TestedIntegrator {
  std::string name;
  int order;
  bool implicit = false;
  bool adaptive = false;

  // Of implicit ones that control their error, which take fixed steps otherwise.
  TestedIntegrator controlled() const { return {name, order, implicit, true}; }
};

inline const std::vector<TestedIntegrator>& tested_integrators() {
  static const std::vector<TestedIntegrator> all{
      {"newmark", 2, true},       {"generalised-alpha", 2, true},
      {"hht", 2, true},           {"explicit-euler", 1},
      {"trapezoidal", 2, true},   {"implicit-euler", 1, true},
      {"radau5", 5, true},        {"radau9", 9, true},
      {"rodas5p", 5, true, true}, {"rk4", 4},
      {"dopri5", 5, false, true}, {"dop853", 8, false, true},
      {"auto", 8, false, true},
  };
  return all;
}

struct Method {
  TestedFormulation formulation;
  TestedIntegrator integrator;

  std::string label() const {
    std::string text = formulation.label + "_" + integrator.name;
    if (integrator.implicit && integrator.adaptive) text += "_controlled";
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
  }
  // Steps that are controlled closely take long, and differences need many of them. What
  // formulations evaluate is compared with differences in all other integrators, and these steps in
  // one or two of them.
  bool is_close() const { return integrator.implicit && integrator.adaptive; }
  bool meets_differences() const {
    return !is_close() || formulation.label == "index1" ||
           (formulation.label == "semi_recursive" && integrator.order > 5);
  }
  void use_in(Model& model) const {
    model.analysis.formulation = formulation.name;
    model.analysis.stabilisation = formulation.stabilisation;
    model.analysis.integrator = integrator.name;
    model.analysis.controls_error = integrator.adaptive;
    // For the last digits that of order 5 takes very many steps. What is compared by the same steps
    // needs few of them.
    if (is_close() && (integrator.order == 5 || !meets_differences()))
      model.analysis.rtol = std::max(model.analysis.rtol, meets_differences() ? 1e-9 : 1e-5);
    model.analysis.penalty = 1e11;  // so that its own error is below those that are measured
  }
  // In a model whose gradient is compared with differences. Steps of adaptive integrators answer to
  // parameters too, which an exact gradient of the steps as they were taken leaves out: the
  // tolerance is so tight that no difference sees it. The penalty is moderate: six equations of a
  // revolute joint are redundant while the loop is closed, but penalties leave it open by the error
  // of a step, and large ones then ask for six, an ill-conditioned motion.
  void use_closely_in(Model& model) const {
    model.analysis.rtol = 1e-11;
    model.analysis.atol = 1e-12;
    use_in(model);
    model.analysis.penalty = 1e7;
  }
};

inline void PrintTo(const Method& method, std::ostream* out) {
  *out << method.label();
}

inline TestedIntegrator tested_integrator(const std::string& name) {
  for (const TestedIntegrator& integrator : tested_integrators())
    if (integrator.name == name) return integrator;
  throw std::runtime_error("no test knows the integrator " + name);
}

// Every formulation with every integrator that it can use; only those that close loops, or all.
inline std::vector<Method> tested_methods(bool loops) {
  std::vector<Method> methods;
  for (const TestedFormulation& formulation : tested_formulations()) {
    if (loops && !formulation.loops) continue;
    for (const std::string& name : formulation_traits(formulation.name).integrators) {
      methods.push_back({formulation, tested_integrator(name)});
      if (name.starts_with("radau"))
        methods.push_back({formulation, tested_integrator(name).controlled()});
    }
  }
  return methods;
}

// Those that close loops, but of the first order only with projections, without which loops drift
// apart.
inline std::vector<Method> methods_that_hold_loops() {
  std::vector<Method> methods = tested_methods(true);
  std::erase_if(methods, [](const Method& method) {
    return method.integrator.order == 1 && !method.formulation.projects;
  });
  return methods;
}

}  // namespace gradus::test
