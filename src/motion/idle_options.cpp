// Which options matter to which formulation, integrator and method.
#include "src/motion/idle_options.hpp"

#include "src/motion/device_steps.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mobility.hpp"

namespace gradus {

std::vector<std::string> idle_options(const Options& options, const MotionRequest& request) {
  const FormulationTraits& traits = *request.formulation;
  const std::string formulation = "the formulation " + std::string(traits.name);
  const std::string integrator = request.analysis.integrator.empty()
                                     ? formulation
                                     : "the integrator " + request.analysis.integrator;
  const bool adaptive = request.tableau.error_order > 0;
  const bool is_linear = request.tableau.linear;
  const bool continuous = options.method == "continuous-adjoint";
  const bool keeps_steps = continuous || options.method == "adjoint" || options.method == "auto";
  std::vector<std::string> lines;
  const auto add = [&](const char* name, bool is_idle, const std::string& why) {
    if (is_idle) lines.push_back(std::string(name) + ": has no effect (" + why + ")");
  };
  const std::string equal_steps = integrator + " takes steps of equal length";
  const std::string others = request.analysis.integrator.starts_with("radau")
                                 ? "the option step asks " + integrator + " for steps of its length"
                                 : equal_steps + "; the formulation auto chooses an adaptive one";
  const Analysis silent;
  add("rtol", !adaptive && (options.rtol || request.analysis.rtol != silent.rtol), others);
  add("atol", !adaptive && (options.atol || request.analysis.atol != silent.atol), others);
  const bool has_columns = options.method != "finite-difference";
  add("max steps", !adaptive && options.max_steps, others);
  add("columns in error", options.columns_in_error && (!adaptive || !has_columns),
      adaptive ? "differences are of motions alone" : equal_steps);
  add("tolerance", options.tolerance && !traits.has_stages,
      "it is that of the steps of ali3p, not of " + formulation);
  add("iteration",
      options.iteration && (!request.tableau.implicit || is_linear) &&
          request.stiff_integrator.empty(),
      traits.has_stages ? "ali3p solves for its steps by Newton's method"
                        : integrator + (is_linear ? " does not iterate" : " is not implicit"));
  add("projections", options.projections && !traits.has_stages,
      "they are those of ali3p, not of " + formulation);
  add("stabilisation", options.stabilisation && !traits.can_stabilise,
      formulation + " lets no violations grow that it could damp");
  add("penalty", options.penalty && !request.uses_penalty(), "nothing is held by a penalty");
  add("singular", options.singular && ties(*request.plan).empty(),
      "nothing ties the open tree, which cannot become singular");
  add("memory", options.memory > 0 && !keeps_steps, "only adjoints keep steps");
  MotionRequest asked = request;
  asked.columns = options.columns;
  if (continuous || options.method == "adjoint")
    asked.sensitivity = continuous ? Sensitivity::continuous : Sensitivity::adjoint;
  const std::string why_one_lane(options.lanes > 1 ? why_alone(asked) : "");
  if (keeps_steps && !continuous) asked.sensitivity = Sensitivity::adjoint;
  add("lanes", !why_one_lane.empty(), why_one_lane);
  if (options.kernels == "specialised") {
    std::string why =
        options.method == "dual" ? "dual numbers go by general kernels" : why_general(asked);
    const bool on_device =
        options.backend.starts_with("cuda") || options.backend.starts_with("debug");
    if (on_device && why.empty()) why = why_general_on_device(asked);
    add("kernels", !why.empty(), why);
  }
  return lines;
}

}  // namespace gradus
