// Batches of designs, all by the same method on the same backend.
#include "src/study/design_runner.hpp"

#include <cmath>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/motion/stiff_designs.hpp"
#include "src/sensitivity/error_estimates.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {

DesignRunner::DesignRunner(const Study& study, std::vector<std::size_t> varied, std::size_t designs)
    : mechanism_(std::make_shared<const CompiledMechanism>(study.model, study.options)),
      options_(study.options),
      varied_(std::move(varied)),
      nominal_(mechanism_->nominal()) {
  options_.designs = {};
  Options one = options_;
  one.log = {};
  if (one.backend == "auto") one.backend = "cpu";
  names_ = DesignRun(mechanism_, one, options_.method).description(options_.method);
  // What `auto` takes must not depend on how designs are split, nor differ between its runs.
  const BackendChoice choice =
      mechanism_->choose(options_.backend, designs, options_.method, options_.log);
  options_.backend = choice.name();
  threads_ = static_cast<std::size_t>(choice.threads);
  info_ = {study.name,
           study.description,
           names_.model,
           options_.backend.substr(0, options_.backend.find(':')),
           names_.formulation,
           names_.integrator,
           0,
           mechanism_->request().stiff_integrator,
           names_.coordinate_kind,
           names_.reference,
           names_.method,
           names_.step,
           names_.duration,
           names_.steps,
           names_.adaptive,
           {}};
}

std::vector<double> DesignRunner::whole_rows(const std::vector<double>& rows) const {
  std::vector<double> whole;
  for (std::size_t row = 0; row < rows.size(); row += varied_.size()) {
    const std::size_t begin = whole.size();
    whole.insert(whole.end(), nominal_.begin(), nominal_.end());
    for (std::size_t k = 0; k < varied_.size(); ++k) whole[begin + varied_[k]] = rows[row + k];
  }
  return whole;
}

Result DesignRunner::run(const std::vector<double>& rows, bool gradients, Options options) const {
  options.designs.values = whole_rows(rows);
  return gradients ? compute_gradient(mechanism_, options) : compute_motion(mechanism_, options);
}

Result DesignRunner::run_by_steps_of(const std::vector<double>& centre,
                                     const std::vector<double>& rows, Options options) const {
  if (!mechanism_->request().is_adaptive()) return run(rows, false, std::move(options));
  options.backend = options.backend.starts_with("cpu") ? options.backend : "cpu";
  Options one = options;
  one.record = one.columns = false;
  one.designs.values = whole_rows(centre);
  const DesignRun with_sensitivities(mechanism_, one, "direct");
  MotionRequest noted = request_of(with_sensitivities, "direct");
  noted.notes_steps = true;
  MotionOutcome found = with_sensitivities.run(std::move(noted));
  if (found.status.front() != kernels::Status::ok) return run(rows, false, std::move(options));
  options.columns = false;
  options.designs.values = whole_rows(rows);
  const DesignRun motions(mechanism_, options, "none");
  MotionRequest request = by_integrator_of(found, motions.request());
  request.given_steps = std::move(found.taken_steps);
  return motions.result(motions.run(std::move(request)), "none");
}

StepErrors DesignRunner::step_errors(const std::vector<double>& rows, bool gradients) const {
  StepErrors found;
  Options options = options_;
  options.log = {};
  options.estimate_every = 1;
  if (rows.empty() || !estimates_errors(*mechanism_, options)) return found;
  const Result result = run(rows, gradients, options);
  const std::size_t objectives = result.objectives.size();
  found.designs = result.n_design;
  for (std::size_t d = 0; d < result.n_design; ++d) {
    bool is_remarkable = false;
    const auto look = [&](const std::vector<double>& errors, bool of_gradient) {
      for (std::size_t o = 0; o < objectives && !errors.empty(); ++o) {
        const double error = errors[d * objectives + o];
        is_remarkable = is_remarkable || !(error <= kRemarkableError);
        if (error <= found.largest || std::isnan(found.largest)) continue;
        found.largest = error;
        found.objective = result.objectives[o].name;
        found.of_gradient = of_gradient;
      }
    };
    look(result.objective_errors, false);
    look(result.gradient_errors, true);
    if (is_remarkable) ++found.remarkable;
  }
  remark_on(found);
  return found;
}

void DesignRunner::remark_on(const StepErrors& errors) const {
  if (errors.remarkable == 0 || !options_.log) return;
  options_.log("errors: of " + std::to_string(errors.designs) + " designs looked at, " +
               std::to_string(errors.remarkable) + " are estimated to be wrong by more than 1 %, " +
               (errors.of_gradient ? "the gradient of " : "") + in_quotes(errors.objective) +
               " by " + percent_text(errors.largest) +
               "; reduce the step, or use an adaptive integrator");
}

int DesignRunner::order() const {
  return order_of(mechanism_->request(), options_.method);
}

double DesignRunner::tolerance() const {
  const MotionRequest& request = mechanism_->request();
  return request.is_adaptive() ? request.analysis.rtol : 0.0;
}

}  // namespace gradus
