// A mechanism compiled once and evaluated many times.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/result.hpp"
#include "gradus/run.hpp"

namespace gradus {

class CompiledMechanism;
class Compilations;

// What calls of sessions take and hand over besides parameters and objectives; what is not asked
// for costs nothing.
//
// A state is all coordinates, then all their rates [2 n_coordinate], in the order of
// Result::coordinates. Of a start state the coordinates that are independent
// (Description::independent_coordinates) and their rates count. The others are where assembly
// begins, which moves them to where the constraints hold, as it does with the model's guesses;
// their rates follow. So nothing depends on them, and products say so. What the model says of the
// start, be it values or constraints at the start, does not count.
//
// Euler parameters are four numbers of any length, and rates of theirs along themselves do not
// count: derivatives are by the four numbers, and vanish along them. Where only some turns of a
// spherical or floating joint are independent, how it turns depends on the way of the assembly, and
// products are those at the state where it arrives (Mechanism::start_state); of a state that
// satisfies the constraints, and of all other joints, they are exact.
struct Exchange {
  bool start_states = false;         // every design begins at a state of the caller
  std::vector<double> times;         // s, ascending from 0 to the duration: when sensors are handed
                                     // over; steps end there, as for values (docs/model.md)
  std::vector<std::string> sensors;  // which, by their names and in this order; none: all
  bool final_state = false;          // the state at the end is handed over
};

// A model that was read, checked, planned and assembled, with the options in force. Never changes,
// copies share what was compiled, and threads may share one.
class Mechanism {
 public:
  // Throws InputError for what is wrong with the model, the options or the exchange, BackendError;
  // NumericalError if start states are asked for and the model's own cannot be found.
  explicit Mechanism(Model model, Options options = {}, Exchange exchange = {});

  Mechanism(const Mechanism&) = default;  // what is moved from stays what it was
  Mechanism& operator=(const Mechanism&) = default;

  // What these lend lives as long as the mechanism or a copy of it; a temporary one lends nothing.
  const Model& model() const&;
  const Model& model() const&& = delete;
  const Options& options() const& { return *options_; }
  const Options& options() const&& = delete;
  // [n_parameter] in model order: the values of the model, with what the options set.
  std::span<const double> nominal() const&;
  std::span<const double> nominal() const&& = delete;
  std::size_t parameter_count() const { return nominal().size(); }
  std::size_t objective_count() const;         // rows of gradients, values at several times each
  std::size_t sensor_component_count() const;  // of all sensors together
  std::size_t coordinate_count() const;
  const Exchange& exchange() const&;
  const Exchange& exchange() const&& = delete;
  // Components of the sensors that are handed over at each of the times; 0 without times.
  std::size_t exchanged_component_count() const;
  // [2 n_coordinate] where the motion of a design [n_parameter] starts: by the model, or where
  // assembly moves a start state that is given. Without parameters: of the nominal design. Throws
  // InputError for sizes, NumericalError if it cannot start.
  std::vector<double> start_state(std::span<const double> parameters = {},
                                  std::span<const double> given = {}) const;
  // Names, units and settings of its results, without values.
  Result names() const;

  // The motion, and the exact gradient of every objective by the method of the options, of designs
  // [n_design, n_parameter] by rows; none given: those of the options. Designs that fail are
  // reported in Result::status. Throws InputError if the numbers do not make rows or are not
  // finite, and what the method refuses.
  Result simulate(std::span<const double> parameters = {}) const;
  Result gradient(std::span<const double> parameters = {}) const;
  // The same with other options of runs: `backend`, `method`, what is recorded, `memory`,
  // `estimate_every`, `accuracy`, `log` and `progress` count; all others, `designs` among them, are
  // those the mechanism was compiled with.
  Result simulate(std::span<const double> parameters, const Options& options) const;
  Result gradient(std::span<const double> parameters, const Options& options) const;

  // See check() in gradus/run.hpp.
  CheckReport check() const;

 private:
  friend class Session;
  const CompiledMechanism& compiled() const;

  std::shared_ptr<const Compilations> compilations_;
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

// Arrays of the caller by rows, one row for each design.
template <class Number>
struct InputArrays {
  std::span<Number> parameters;    // [n_design, n_parameter]
  std::span<Number> start_states;  // [n_design, 2 n_coordinate]; none if Exchange asks for none
};
template <class Number>
struct OutputArrays {
  std::span<Number> objectives;    // [n_design, n_objective]
  std::span<Number> sensors;       // [n_design, n_time, n_exchanged_component]
  std::span<Number> final_states;  // [n_design, 2 n_coordinate]
};
using Inputs = InputArrays<const double>;
using Outputs = OutputArrays<double>;

// Evaluates a mechanism again and again on the calling thread: what a run works with is kept, so
// that with a backend `cpu` and the methods direct and adjoint a call for as many designs as the
// one before allocates nothing (with one thread, without a budget of memory). A thread needs a
// session of its own: a call while another is under way throws InputError, and so do calls of a
// session that was moved from. Sessions keep what they need of the mechanism, record no motions and
// estimate no errors: of the options, `record`, `columns`, `estimate_every` and `accuracy` do not
// count.
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

  // What the mechanism exchanges, of designs at `at`. All of these take what is empty for zero in
  // directions and weights, and leave it out where it is written to; `values`, the outputs
  // themselves, come with products at no cost. Return and throw as above.
  std::size_t evaluate(const Inputs& at, const Outputs& values);
  // The Jacobian of all outputs by all inputs times one direction of each design: one column,
  // whatever the number of inputs, carried by the processor.
  std::size_t jacobian_vector(const Inputs& at, const Inputs& directions, const Outputs& products,
                              const Outputs& values = {});
  // Its transpose times weights of the outputs, by the adjoint: whatever the number of outputs, one
  // row for all integrals, one for all that is of the end and one for each time.
  std::size_t vector_jacobian(const Inputs& at, const OutputArrays<const double>& weights,
                              const InputArrays<double>& products, const Outputs& values = {});

  // The same of a mechanism without start states: directions [n_design, n_parameter] to products
  // [n_design, n_objective], and weights [n_design, n_objective] to products
  // [n_design, n_parameter].
  std::size_t jacobian_vector(std::span<const double> parameters,
                              std::span<const double> directions, std::span<double> products);
  std::size_t vector_jacobian(std::span<const double> parameters, std::span<const double> weights,
                              std::span<double> products);

  // How a design of the last call ended. Throws InputError if there is none, for one if that call
  // threw.
  DesignStatus status(std::size_t design) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gradus
