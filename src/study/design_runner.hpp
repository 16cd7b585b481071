// Runs designs of a study: rows of values in, objectives, gradients and trajectories out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/study.hpp"

namespace gradus {

class DesignRunner {
 public:
  // `varied`: the parameters that rows give values of, by index in the model; the others keep the
  // values of the model and of the study. Throws InputError for what is wrong before anything runs.
  DesignRunner(const Study& study, std::vector<std::size_t> varied);

  const std::vector<double>& nominal() const { return nominal_; }  // [n_parameter]
  // Kind of the backend, and its name as it ran last.
  const std::string& backend_kind() const { return kind_; }
  const std::string& backend() const { return backend_; }

  // Whole rows [n_row, n_parameter] of rows [n_row, n_varied].
  std::vector<double> whole_rows(const std::vector<double>& rows) const;

  // The motion and, if asked for, gradients (by the study's method) of rows [n_row, n_varied].
  // Options that differ from the study's: trajectories. Results are the same to the bit however
  // rows are spread over calls.
  Result run(const std::vector<double>& rows, bool gradients, const Options& options);
  Result run(const std::vector<double>& rows, bool gradients);

 private:
  const Study& study_;
  std::vector<std::size_t> varied_;
  std::vector<double> nominal_;
  std::string kind_;
  std::string backend_;
};

}  // namespace gradus
