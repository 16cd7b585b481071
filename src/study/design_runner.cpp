// Batches of designs, all by the same method on the same backend.
#include "src/study/design_runner.hpp"

#include <utility>

#include "gradus/error.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

std::string kind_of(const std::string& backend) {
  return backend.substr(0, backend.find(':'));
}

StudyRun info_of(const Study& study, const Result& names) {
  StudyRun info;
  info.study = study.name;
  info.description = study.description;
  info.model = names.model;
  info.formulation = names.formulation;
  info.integrator = names.integrator;
  info.reference = names.reference;
  info.method = names.method;
  info.step = names.step;
  info.duration = names.duration;
  info.steps = names.steps;
  return info;
}

}  // namespace

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
  info_ = info_of(study, names_);
  // What `auto` takes must not depend on how designs are split, nor differ between its runs.
  const BackendChoice choice =
      mechanism_->choose(options_.backend, designs, options_.method, options_.log);
  options_.backend = choice.name();
  threads_ = static_cast<std::size_t>(choice.threads);
  info_.backend = kind_of(options_.backend);
}

std::vector<double> DesignRunner::whole_rows(const std::vector<double>& rows) const {
  const std::size_t count = varied_.empty() ? 0 : rows.size() / varied_.size();
  std::vector<double> whole;
  whole.reserve(count * nominal_.size());
  for (std::size_t row = 0; row < count; ++row) {
    whole.insert(whole.end(), nominal_.begin(), nominal_.end());
    double* const values = whole.data() + row * nominal_.size();
    for (std::size_t k = 0; k < varied_.size(); ++k)
      values[varied_[k]] = rows[row * varied_.size() + k];
  }
  return whole;
}

Result DesignRunner::run(const std::vector<double>& rows, bool gradients, Options options) const {
  options.designs.values = whole_rows(rows);
  return gradients ? compute_gradient(mechanism_, options) : compute_motion(mechanism_, options);
}

Result DesignRunner::run(const std::vector<double>& rows, bool gradients) const {
  return run(rows, gradients, options_);
}

}  // namespace gradus
