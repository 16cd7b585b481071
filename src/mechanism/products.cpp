// What sessions exchange, and its products with the Jacobian: columns and rows with seeds of the
// caller.
#include "src/mechanism/session_state.hpp"

namespace gradus {

std::size_t Session::evaluate(const Inputs& at, const Outputs& values) {
  static const std::string none = "none";
  State& s = *state_;
  const std::size_t designs = s.check_inputs(at);
  s.check_outputs(values, designs);
  s.rows.resize(designs * s.input_count());
  for (std::size_t d = 0; d < designs; ++d) s.put(at, d, s.rows.data() + d * s.input_count());
  const MotionOutcome& outcome =
      s.evaluate(s.compilations.extended(), s.extended_run, s.rows, designs, none);
  s.hand_over(outcome.objectives, designs, values);
  return s.hand_over(outcome, designs, Arrays{});
}

std::size_t Session::jacobian_vector(const Inputs& at, const Inputs& directions,
                                     const Outputs& products, const Outputs& values) {
  State& s = *state_;
  const std::size_t designs = s.check_inputs(at);
  s.check_seeds(directions, designs);
  check_finite(directions.parameters, "directions of parameters");
  check_finite(directions.start_states, "directions of start_states");
  s.check_outputs(products, designs);
  s.check_outputs(values, designs);
  const std::size_t width = 2 * s.input_count() + 1;
  s.rows.resize(designs * width);
  for (std::size_t d = 0; d < designs; ++d)
    *s.put(directions, d, s.put(at, d, s.rows.data() + d * width)) = 0.0;
  const MotionOutcome& outcome = s.directed().run(s.rows, designs);
  s.outcome = &outcome;
  s.hand_over(outcome.gradient, designs, products);
  s.hand_over(outcome.objectives, designs, values);
  return s.hand_over(outcome, designs, Arrays{});
}

std::size_t Session::vector_jacobian(const Inputs& at, const OutputArrays<const double>& weights,
                                     const InputArrays<double>& products, const Outputs& values) {
  static const std::string adjoint = "adjoint";
  State& s = *state_;
  const std::size_t designs = s.check_inputs(at);
  s.check_outputs(weights, designs);
  check_finite(weights.objectives, "weights of objectives");
  check_finite(weights.sensors, "weights of sensors");
  check_finite(weights.final_states, "weights of final_states");
  s.check_seeds(products, designs);
  s.check_outputs(values, designs);
  const std::size_t inputs = s.input_count();
  const std::size_t width = inputs + s.output_count();
  s.rows.assign(designs * width, 0.0);
  for (std::size_t d = 0; d < designs; ++d) {
    double* const row = s.put(at, d, s.rows.data() + d * width);
    s.for_each_output(weights, d, [&](std::size_t o, double weight) { row[o] = weight; });
  }
  const MotionOutcome& outcome =
      s.evaluate(s.compilations.weighted(), s.weighted_run, s.rows, designs, adjoint);
  // Derivatives by inputs are the products, those by weights the outputs.
  const std::size_t moments = s.compilations.weighted()->plan().objectives.size();
  const auto derivative = [&](std::size_t d, std::size_t column) {
    double sum = 0.0;
    for (std::size_t m = 0; m < moments; ++m)
      sum += outcome.gradient[(d * moments + m) * width + column];
    return sum;
  };
  for (std::size_t d = 0; d < designs; ++d) {
    for (std::size_t p = 0; p < s.width() && !products.parameters.empty(); ++p)
      products.parameters[d * s.width() + p] = derivative(d, p);
    for (std::size_t p = 0; p < s.start_size() && !products.start_states.empty(); ++p)
      products.start_states[d * s.start_size() + p] = derivative(d, s.width() + p);
    s.for_each_output(values, d,
                      [&](std::size_t o, double& value) { value = derivative(d, inputs + o); });
  }
  return s.hand_over(outcome, designs, Arrays{});
}

std::size_t Session::jacobian_vector(std::span<const double> parameters,
                                     std::span<const double> directions,
                                     std::span<double> products) {
  const std::size_t designs = state_->check_inputs({parameters, {}});
  check_size(directions.size(), designs * state_->width(), "directions", "[n_design, n_parameter]");
  check_size(products.size(), designs * state_->objectives(), "products",
             "[n_design, n_objective]");
  return jacobian_vector({parameters, {}}, {directions, {}}, {products, {}, {}});
}

std::size_t Session::vector_jacobian(std::span<const double> parameters,
                                     std::span<const double> weights, std::span<double> products) {
  const std::size_t designs = state_->check_inputs({parameters, {}});
  check_size(weights.size(), designs * state_->objectives(), "weights", "[n_design, n_objective]");
  check_size(products.size(), designs * state_->width(), "products", "[n_design, n_parameter]");
  return vector_jacobian({parameters, {}}, {weights, {}, {}}, {products, {}});
}

}  // namespace gradus
