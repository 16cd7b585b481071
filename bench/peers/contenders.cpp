// Who computes the gradient of a planar chain, and by which settings.
#include "bench/peers/contenders.hpp"

#include <stdexcept>

#include "bench/peers/cvodes_run.hpp"

namespace gradus::bench {
namespace {

constexpr double kAtolPerRtol = 0.1;  // coordinates are of order 1
constexpr double kNarrow = 1e-12;     // of gradus
constexpr double kNarrowCvodes = 1e-11;

Contender by_cvodes(const std::shared_ptr<PlanarChain>& chain, CvodesMethod method, bool in_error) {
  CvodesSettings settings;
  settings.method = method;
  settings.columns_in_error = in_error;
  const auto run = [chain, settings](double accuracy, bool with_gradient) {
    CvodesSettings chosen = settings;
    chosen.rtol = accuracy;
    chosen.atol = kAtolPerRtol * accuracy;
    const CvodesRun result = cvodes_run(*chain, chosen, with_gradient);
    return Outcome{result.objective, result.gradient, static_cast<double>(result.steps)};
  };
  return {settings.name(), [run](double accuracy) { return run(accuracy, true); },
          [run](double accuracy) { return run(accuracy, false); }};
}

Outcome outcome(const Result& result) {
  if (!result.all_ok()) throw std::runtime_error("gradus: " + result.status[0].message);
  return {result.objective_values[0], result.gradient, result.step_count[0]};
}

Contender by_gradus(const Model& model, const Options& options, const std::string& settings) {
  const auto with = [options](double accuracy) {
    Options chosen = options;
    chosen.backend = "cpu:1";
    chosen.integrator = "dop853";
    chosen.rtol = accuracy;
    chosen.atol = kAtolPerRtol * accuracy;
    return chosen;
  };
  return {*options.formulation + ", dop853" + settings,
          [=](double accuracy) { return outcome(gradient(model, with(accuracy))); },
          [=](double accuracy) { return outcome(simulate(model, with(accuracy))); }};
}

constexpr const char* kFormulations[] = {"fully-recursive", "semi-recursive"};

Way cvodes_way(const std::shared_ptr<PlanarChain>& chain) {
  Way way{"CVODES", "forward", {}};
  for (const CvodesMethod method :
       {CvodesMethod::adams_fixed_point, CvodesMethod::adams_newton, CvodesMethod::bdf_newton})
    for (const bool in_error : {false, true})
      way.contenders.push_back(by_cvodes(chain, method, in_error));
  return way;
}

Way gradus_way(const Model& model, const std::string& method) {
  Way way{"gradus", method, {}};
  for (const char* formulation : kFormulations) {
    Options options;
    options.method = method;
    options.formulation = formulation;
    way.contenders.push_back(by_gradus(model, options, ""));
    if (method != "direct") continue;
    options.columns_in_error = true;
    way.contenders.push_back(by_gradus(model, options, ", columns in error"));
  }
  return way;
}

Way difference_way(const Model& model) {
  Way way{"gradus", "central differences", {}};
  for (const char* formulation : kFormulations)
    for (const double step : {1e-4, 1e-5, 1e-6}) {
      Options options;
      options.method = "finite-difference";
      options.formulation = formulation;
      options.difference_step = step;
      char text[32];
      std::snprintf(text, sizeof text, ", step %.0e", step);
      way.contenders.push_back(by_gradus(model, options, text));
    }
  return way;
}

}  // namespace

std::vector<Way> ways(const Model& model, const std::shared_ptr<PlanarChain>& chain) {
  return {cvodes_way(chain), gradus_way(model, "direct"), gradus_way(model, "adjoint"),
          difference_way(model)};
}

Outcome converged_by_gradus(const Model& model) {
  return gradus_way(model, "direct").contenders.back().gradient(kNarrow);
}

Outcome converged_by_cvodes(PlanarChain& chain) {
  const std::shared_ptr<PlanarChain> lent(&chain, [](PlanarChain*) {});
  return by_cvodes(lent, CvodesMethod::adams_newton, true).gradient(kNarrowCvodes);
}

}  // namespace gradus::bench
