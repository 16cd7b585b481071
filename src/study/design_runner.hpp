// Runs designs of a study: rows of values in, objectives, gradients and trajectories out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gradus/study.hpp"
#include "src/motion/design_run.hpp"

namespace gradus {

class DesignRunner {
 public:
  // `varied`: the parameters that rows give values of, by index in the model; the others keep the
  // values of the model and of the study. `designs`: about how many will run at once, by which
  // `auto` chooses a backend, once for the whole study. Throws InputError for what is wrong before
  // anything runs, and BackendError.
  DesignRunner(const Study& study, std::vector<std::size_t> varied, std::size_t designs = 1);

  const std::vector<double>& nominal() const { return nominal_; }  // [n_parameter]
  const std::string& backend() const { return options_.backend; }  // "cpu:2", "cuda:0", ...
  const std::string& backend_kind() const { return info_.backend; }
  std::size_t threads() const { return threads_; }  // of the CPU; 1 on devices
  const StudyRun& info() const { return info_; }
  // Names and units of a result, without values.
  const Result& names() const { return names_; }

  // The study's options with the backend that was chosen, to be changed and given to `run`.
  const Options& options() const { return options_; }

  // The motion and, if asked for, gradients of rows [n_row, n_varied], one at least. Results are
  // the same to the bit however rows are spread over calls.
  Result run(const std::vector<double>& rows, bool gradients, Options options) const;
  // The motion of rows for differences between them: where an integrator would choose steps of its
  // own, by those of the run with sensitivities at `centre` [n_varied], on the processor.
  Result run_by_steps_of(const std::vector<double>& centre, const std::vector<double>& rows,
                         Options options) const;
  // What the steps make some rows wrong by; nothing of adaptive integrators. Remarks on errors
  // beyond 1 %.
  StepErrors step_errors(const std::vector<double>& rows, bool gradients) const;
  void remark_on(const StepErrors& errors) const;
  // The order at which steps of fixed length converge.
  int order() const;
  // The relative tolerance of adaptive integrators; 0 of others.
  double tolerance() const;

 private:
  // [n_row, n_parameter]
  std::vector<double> whole_rows(const std::vector<double>& rows) const;

  std::shared_ptr<const CompiledMechanism> mechanism_;
  Options options_;
  std::vector<std::size_t> varied_;
  std::vector<double> nominal_;
  std::size_t threads_ = 1;
  Result names_;
  StudyRun info_;
};

}  // namespace gradus
