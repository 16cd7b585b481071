// A mechanism compiled once and evaluated many times.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "gradus/model.hpp"
#include "gradus/result.hpp"
#include "gradus/run.hpp"

namespace gradus {

class CompiledMechanism;

// A model that was read, checked, planned and assembled, with the options in force. Never changes,
// copies share what was compiled, and threads may share one.
class Mechanism {
 public:
  // Throws InputError for what is wrong with the model or the options, BackendError.
  explicit Mechanism(Model model, Options options = {});

  const Model& model() const;
  const Options& options() const { return *options_; }
  // [n_parameter] in model order: the values of the model, with what the options set.
  std::span<const double> nominal() const;
  std::size_t parameter_count() const { return nominal().size(); }
  std::size_t objective_count() const;         // rows of gradients, values at several times each
  std::size_t sensor_component_count() const;  // of all sensors together
  std::size_t coordinate_count() const;
  // Names, units and settings of its results, without values.
  Result names() const;

  // The motion, and the exact gradient of every objective by the method of the options, of designs
  // [n_design, n_parameter] by rows; none given: those of the options. Designs that fail are
  // reported in Result::status. Throws InputError if the numbers do not make rows or are not
  // finite, and what the method refuses.
  Result simulate(std::span<const double> parameters = {}) const;
  Result gradient(std::span<const double> parameters = {}) const;
  // The same with other options of runs: `backend`, `method`, what is recorded, `memory`, `log` and
  // `progress` are heeded, all others are those the mechanism was compiled with.
  Result simulate(std::span<const double> parameters, const Options& options) const;
  Result gradient(std::span<const double> parameters, const Options& options) const;

  // See check() in gradus/run.hpp.
  CheckReport check() const;

 private:
  friend class Session;
  std::shared_ptr<const CompiledMechanism> compiled_;
  std::shared_ptr<const Options> options_;
};

// Where a session writes, arrays of the caller by rows; those that are empty are left out. Numbers
// of designs that fail are NaN.
struct Arrays {
  std::span<double> objectives;     // [n_design, n_objective]
  std::span<double> gradient;       // [n_design, n_objective, n_parameter]; not of `simulate`
  std::span<double> final_sensors;  // [n_design, n_sensor_component]
  std::span<double> violation;      // [n_design, 3], see Result::constraint_violation
};

// Evaluates a mechanism again and again on the calling thread: what a run works with is kept, so
// that with a backend `cpu` and the methods direct and adjoint a call for as many designs as the
// one before allocates nothing (with one thread, without a budget of memory). A thread needs a
// session of its own.
class Session {
 public:
  explicit Session(const Mechanism& mechanism);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // Designs [n_design, n_parameter] by rows; of a mechanism without parameters there is one. Return
  // how many designs failed. Throw InputError if the sizes of arrays do not belong together (found
  // and expected are said) or a parameter is not finite, and what the method refuses.
  std::size_t simulate(std::span<const double> parameters, const Arrays& to);
  std::size_t gradient(std::span<const double> parameters, const Arrays& to);

  // Jacobian of the objectives by the parameters times one direction of each design,
  // [n_design, n_parameter] -> [n_design, n_objective]: one column, whatever the number of
  // parameters.
  std::size_t jacobian_vector(std::span<const double> parameters,
                              std::span<const double> directions, std::span<double> products);
  // Its transpose times weights of the objectives, [n_design, n_objective] ->
  // [n_design, n_parameter], by the adjoint.
  std::size_t vector_jacobian(std::span<const double> parameters, std::span<const double> weights,
                              std::span<double> products);

  // How a design of the last call ended.
  DesignStatus status(std::size_t design) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gradus
