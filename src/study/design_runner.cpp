// Batches of designs, all by the same method on the same backend.
#include "src/study/design_runner.hpp"

#include <utility>

#include "gradus/error.hpp"
#include "src/backend/choice.hpp"
#include "src/motion/session.hpp"

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
    : study_(study), options_(study.options), varied_(std::move(varied)) {
  options_.designs = {};
  // One design tells all that is wrong with options, and what is in force.
  Options one = options_;
  one.log = {};
  if (one.backend == "auto") one.backend = "cpu";
  const Session session(study.model, one, options_.method);
  nominal_ = session.request().parameters;
  names_ = session.description(options_.method);
  info_ = info_of(study, names_);
  // What `auto` takes must not depend on how designs are split, nor differ between its runs.
  const bool only_cpu = options_.backend == "auto" && info_.formulation != "ali3p";
  const Work work{designs, study.model.bodies.size(), nominal_.size(), options_.method};
  const BackendChoice choice =
      choose_backend(only_cpu ? "cpu" : options_.backend, work, options_.log);
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
  return gradients ? gradient(study_.model, options) : simulate(study_.model, options);
}

Result DesignRunner::run(const std::vector<double>& rows, bool gradients) const {
  return run(rows, gradients, options_);
}

}  // namespace gradus
