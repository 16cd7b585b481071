// A mechanism for calls from any thread, and the sessions by which these run.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gradus/gradus.hpp"
#include "python/src/arrays.hpp"

namespace gradus::python {

// How designs ended: indices and reasons of those that failed.
using Failures = std::vector<std::pair<std::size_t, std::string>>;

class SharedMechanism {
 public:
  SharedMechanism(const Model& model, const Options& options, const Exchange& exchange)
      : mechanism_(model, options, exchange), names_(mechanism_.names()) {}

  const Mechanism& mechanism() const { return mechanism_; }
  const Result& names() const { return names_; }

  // Objectives, gradients (none: an empty array), final sensors and violations of designs by rows.
  Failures evaluate(const InputArray& parameters, WrittenArray objectives, WrittenArray gradients,
                    WrittenArray final_sensors, WrittenArray violation);
  // Objectives, sensors at the times and states at the end, of what the mechanism exchanges.
  nb::tuple exchange(const InputArray& parameters, const InputArray& start_states);
  // The Jacobian of these times directions, and its transpose times weights; empty arrays are zero.
  nb::tuple jacobian_vector(const InputArray& parameters, const InputArray& start_states,
                            const InputArray& parameter_directions,
                            const InputArray& state_directions);
  nb::tuple vector_jacobian(const InputArray& parameters, const InputArray& start_states,
                            const InputArray& objective_weights, const InputArray& sensor_weights,
                            const InputArray& state_weights);
  std::vector<double> start_state(const InputArray& parameters, const InputArray& given) const;
  // A run with what only runs keep: motions, estimates of errors, friction.
  nb::object run(const InputArray& parameters, bool with_gradient, const Options& options) const;

 private:
  class Lease;
  std::size_t rows_of(const InputArray& parameters) const;

  Mechanism mechanism_;
  Result names_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Session>> idle_;
};

// Adds the classes to the module.
void bind_mechanism(nb::module_& module);
void bind_model(nb::module_& module);
void bind_studies(nb::module_& module);

}  // namespace gradus::python
