// Batches of designs, all by the same method on the same backend.
#include "src/study/design_runner.hpp"

#include <utility>

#include "gradus/error.hpp"
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
  info_ = {study.name,         study.description,
           names_.model,       options_.backend.substr(0, options_.backend.find(':')),
           names_.formulation, names_.integrator,
           names_.reference,   names_.method,
           names_.step,        names_.duration,
           names_.steps,       names_.adaptive};
}

Result DesignRunner::run(const std::vector<double>& rows, bool gradients, Options options) const {
  std::vector<double>& whole = options.designs.values;  // [n_row, n_parameter]
  whole.clear();
  for (std::size_t row = 0; row < rows.size(); row += varied_.size()) {
    const std::size_t begin = whole.size();
    whole.insert(whole.end(), nominal_.begin(), nominal_.end());
    for (std::size_t k = 0; k < varied_.size(); ++k) whole[begin + varied_[k]] = rows[row + k];
  }
  return gradients ? compute_gradient(mechanism_, options) : compute_motion(mechanism_, options);
}

}  // namespace gradus
