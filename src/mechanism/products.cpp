// What sessions exchange, and its products with the Jacobian: columns and rows with seeds of the
// caller.
#include "src/mechanism/session_state.hpp"

namespace gradus {

std::size_t Session::evaluate(const Inputs& at, const Outputs& values) {
  static const std::string none = "none";
  const State::Call call(state_);
  State& s = *call;
  const std::size_t designs = s.check_inputs(at);
  s.check_outputs(values, designs);
  s.rows.resize(designs * s.input_count());
  for (std::size_t d = 0; d < designs; ++d) s.put(at, d, s.rows.data() + d * s.input_count());
  const MotionOutcome& outcome =
      s.evaluate(s.compilations.extended(), s.extended_run, s.rows, designs, none);
  s.hand_over(outcome.objectives, designs, values);
  return s.hand_over(outcome, designs, Arrays{});
}

std::size_t Session::State::jacobian_vector(const Inputs& at, const Inputs& directions,
                                            const Outputs& products, const Outputs& values) {
  const std::size_t designs = check_inputs(at);
  check_seeds(directions, designs);
  check_finite(directions.parameters, "directions of parameters");
  check_finite(directions.start_states, "directions of start_states");
  check_outputs(products, designs);
  check_outputs(values, designs);
  const std::size_t row_width = 2 * input_count() + 1;
  rows.resize(designs * row_width);
  for (std::size_t d = 0; d < designs; ++d)
    *put(directions, d, put(at, d, rows.data() + d * row_width)) = 0.0;
  const MotionOutcome& found = directed().run(rows, designs);
  outcome = &found;
  hand_over(found.gradient, designs, products);
  hand_over(found.objectives, designs, values);
  return hand_over(found, designs, Arrays{});
}

std::size_t Session::State::vector_jacobian(const Inputs& at,
                                            const OutputArrays<const double>& weights,
                                            const InputArrays<double>& products,
                                            const Outputs& values) {
  static const std::string by_adjoint = "adjoint";
  const std::size_t designs = check_inputs(at);
  check_outputs(weights, designs);
  check_finite(weights.objectives, "weights of objectives");
  check_finite(weights.sensors, "weights of sensors");
  check_finite(weights.final_states, "weights of final_states");
  check_seeds(products, designs);
  check_outputs(values, designs);
  const std::size_t inputs = input_count();
  const std::size_t row_width = inputs + output_count();
  rows.assign(designs * row_width, 0.0);
  for (std::size_t d = 0; d < designs; ++d) {
    double* const row = put(at, d, rows.data() + d * row_width);
    for_each_output(weights, d, [&](std::size_t o, double weight) { row[o] = weight; });
  }
  const MotionOutcome& found =
      evaluate(compilations.weighted(), weighted_run, rows, designs, by_adjoint);
  // Derivatives by inputs are the products, those by weights the outputs.
  const std::size_t moments = compilations.weighted()->plan().objectives.size();
  const auto derivative = [&](std::size_t d, std::size_t column) {
    double sum = 0.0;
    for (std::size_t m = 0; m < moments; ++m)
      sum += found.gradient[(d * moments + m) * row_width + column];
    return sum;
  };
  for (std::size_t d = 0; d < designs; ++d) {
    for (std::size_t p = 0; p < width() && !products.parameters.empty(); ++p)
      products.parameters[d * width() + p] = derivative(d, p);
    for (std::size_t p = 0; p < start_size() && !products.start_states.empty(); ++p)
      products.start_states[d * start_size() + p] = derivative(d, width() + p);
    for_each_output(values, d,
                    [&](std::size_t o, double& value) { value = derivative(d, inputs + o); });
  }
  return hand_over(found, designs, Arrays{});
}

std::size_t Session::jacobian_vector(const Inputs& at, const Inputs& directions,
                                     const Outputs& products, const Outputs& values) {
  return State::Call(state_)->jacobian_vector(at, directions, products, values);
}

std::size_t Session::vector_jacobian(const Inputs& at, const OutputArrays<const double>& weights,
                                     const InputArrays<double>& products, const Outputs& values) {
  return State::Call(state_)->vector_jacobian(at, weights, products, values);
}

std::size_t Session::jacobian_vector(std::span<const double> parameters,
                                     std::span<const double> directions,
                                     std::span<double> products) {
  const State::Call state(state_);
  const std::size_t designs = state->check_inputs({parameters, {}});
  check_size(directions.size(), designs * state->width(), "directions", "[n_design, n_parameter]");
  check_size(products.size(), designs * state->objectives(), "products", "[n_design, n_objective]");
  return state->jacobian_vector({parameters, {}}, {directions, {}}, {products, {}, {}}, {});
}

std::size_t Session::vector_jacobian(std::span<const double> parameters,
                                     std::span<const double> weights, std::span<double> products) {
  const State::Call state(state_);
  const std::size_t designs = state->check_inputs({parameters, {}});
  check_size(weights.size(), designs * state->objectives(), "weights", "[n_design, n_objective]");
  check_size(products.size(), designs * state->width(), "products", "[n_design, n_parameter]");
  return state->vector_jacobian({parameters, {}}, {weights, {}, {}}, {products, {}}, {});
}

}  // namespace gradus
