// Sessions in the interface for C.
#include "src/mechanism/c_handles.hpp"

using gradus::guarded;
using gradus::require;

namespace {

// An array of the caller.
template <class Number>
std::span<Number> array(Number* data, std::size_t rows, std::size_t width, const char* name,
                        bool is_optional) {
  if (data == nullptr && is_optional) return {};
  if (rows * width > 0) require(data, name);
  return {data, rows * width};
}

// Sizes that no memory could hold are refused before they overflow.
void check_count(const gradus_session& session, std::size_t designs) {
  const gradus::Mechanism& m = session.mechanism;
  const std::size_t states = 2 * m.coordinate_count();
  const std::size_t width = m.parameter_count() + states + 1;
  const std::size_t rows =
      m.objective_count() + states + 1 + m.exchange().times.size() * m.exchanged_component_count();
  constexpr std::size_t kMost = static_cast<std::size_t>(-1) / sizeof(double) / 8;
  if (designs < 1 || designs > kMost / width / rows / (m.sensor_component_count() + 1))
    throw gradus::InputError("n_design: found " + std::to_string(designs) +
                             ", expected at least 1 and arrays that memory can hold");
  if (m.parameter_count() == 0 && !m.exchange().start_states && designs != 1)
    throw gradus::InputError("n_design: found " + std::to_string(designs) +
                             " of a mechanism without parameters, expected 1");
}

// Runs work(parameters) and hands over how many designs failed.
template <class Work>
gradus_code evaluate(gradus_session* session, size_t designs, const double* parameters,
                     size_t* failed, const Work& work) {
  return guarded([&] {
    require(session, "session");
    check_count(*session, designs);
    const std::size_t count =
        work(array(parameters, designs, session->mechanism.parameter_count(), "parameters", false));
    if (failed != nullptr) *failed = count;
  });
}

// An array of what an option asks for; without the option there must be none.
template <class Number>
std::span<Number> exchanged(Number* data, std::size_t rows, std::size_t width, const char* name,
                            const char* option, bool is_asked_for, bool is_optional) {
  if (data != nullptr && !is_asked_for)
    throw gradus::InputError(std::string(name) + ": found an array, but the option \"" + option +
                             "\" did not ask for any; set it, or pass null");
  return array(data, rows, is_asked_for ? width : 0, name, is_optional);
}

// What is null is left out; of the point of evaluation nothing may be.
template <class Number>
gradus::InputArrays<Number> inputs_of(const gradus_session& session, std::size_t designs,
                                      const gradus_inputs* from, bool is_optional) {
  if (from == nullptr) return {};
  const gradus::Mechanism& m = session.mechanism;
  return {array<Number>(from->parameters, designs, m.parameter_count(), "parameters", is_optional),
          exchanged<Number>(from->start_states, designs, 2 * m.coordinate_count(), "start_states",
                            "start-states", m.exchange().start_states, is_optional)};
}

template <class Number>
gradus::OutputArrays<Number> outputs_of(const gradus_session& session, std::size_t designs,
                                        const gradus_outputs* from) {
  if (from == nullptr) return {};
  const gradus::Mechanism& m = session.mechanism;
  const std::size_t times = m.exchange().times.size();
  return {array<Number>(from->objectives, designs, m.objective_count(), "objectives", true),
          exchanged<Number>(from->sensors, designs, times * m.exchanged_component_count(),
                            "sensors", "sensor-times", times > 0, true),
          exchanged<Number>(from->final_states, designs, 2 * m.coordinate_count(), "final_states",
                            "final-state", m.exchange().final_state, true)};
}

// Runs work(inputs) and hands over how many designs failed.
template <class Work>
gradus_code exchange(gradus_session* session, size_t designs, const gradus_inputs* at,
                     size_t* failed, const Work& work) {
  return guarded([&] {
    require(session, "session");
    require(at, "at");
    check_count(*session, designs);
    const std::size_t count = work(inputs_of<const double>(*session, designs, at, false));
    if (failed != nullptr) *failed = count;
  });
}

}  // namespace

gradus_code gradus_session_create(const gradus_mechanism* mechanism, gradus_session** session) {
  return guarded([&] {
    gradus::require_empty(session, "session");
    require(mechanism, "mechanism");
    *session = new gradus_session(*mechanism);
  });
}

void gradus_session_free(gradus_session* session) {
  delete session;
}

gradus_code gradus_simulate(gradus_session* session, size_t n_design, const double* parameters,
                            double* objectives, double* final_sensors, double* violation,
                            size_t* failed) {
  return evaluate(session, n_design, parameters, failed, [&](std::span<const double> rows) {
    const gradus::Mechanism& m = session->mechanism;
    gradus::Arrays to;
    to.objectives = array(objectives, n_design, m.objective_count(), "objectives", true);
    to.final_sensors =
        array(final_sensors, n_design, m.sensor_component_count(), "final_sensors", true);
    to.violation = array(violation, n_design, 3, "violation", true);
    return session->session.simulate(rows, to);
  });
}

gradus_code gradus_gradient(gradus_session* session, size_t n_design, const double* parameters,
                            double* objectives, double* gradient, size_t* failed) {
  return evaluate(session, n_design, parameters, failed, [&](std::span<const double> rows) {
    const gradus::Mechanism& m = session->mechanism;
    gradus::Arrays to;
    to.objectives = array(objectives, n_design, m.objective_count(), "objectives", true);
    to.gradient =
        array(gradient, n_design, m.objective_count() * m.parameter_count(), "gradient", true);
    return session->session.gradient(rows, to);
  });
}

gradus_code gradus_jacobian_vector(gradus_session* session, size_t n_design,
                                   const double* parameters, const double* directions,
                                   double* products, size_t* failed) {
  return evaluate(session, n_design, parameters, failed, [&](std::span<const double> rows) {
    const gradus::Mechanism& m = session->mechanism;
    return session->session.jacobian_vector(
        rows, array(directions, n_design, m.parameter_count(), "directions", false),
        array(products, n_design, m.objective_count(), "products", false));
  });
}

gradus_code gradus_vector_jacobian(gradus_session* session, size_t n_design,
                                   const double* parameters, const double* weights,
                                   double* products, size_t* failed) {
  return evaluate(session, n_design, parameters, failed, [&](std::span<const double> rows) {
    const gradus::Mechanism& m = session->mechanism;
    return session->session.vector_jacobian(
        rows, array(weights, n_design, m.objective_count(), "weights", false),
        array(products, n_design, m.parameter_count(), "products", false));
  });
}

gradus_code gradus_evaluate(gradus_session* session, size_t n_design, const gradus_inputs* at,
                            const gradus_outputs* values, size_t* failed) {
  return exchange(session, n_design, at, failed, [&](const gradus::Inputs& inputs) {
    return session->session.evaluate(inputs, outputs_of<double>(*session, n_design, values));
  });
}

gradus_code gradus_multiply_jacobian(gradus_session* session, size_t n_design,
                                     const gradus_inputs* at, const gradus_inputs* directions,
                                     const gradus_outputs* products, const gradus_outputs* values,
                                     size_t* failed) {
  return exchange(session, n_design, at, failed, [&](const gradus::Inputs& inputs) {
    return session->session.jacobian_vector(
        inputs, inputs_of<const double>(*session, n_design, directions, true),
        outputs_of<double>(*session, n_design, products),
        outputs_of<double>(*session, n_design, values));
  });
}

gradus_code gradus_multiply_transposed_jacobian(gradus_session* session, size_t n_design,
                                                const gradus_inputs* at,
                                                const gradus_outputs* weights,
                                                const gradus_inputs* products,
                                                const gradus_outputs* values, size_t* failed) {
  return exchange(session, n_design, at, failed, [&](const gradus::Inputs& inputs) {
    return session->session.vector_jacobian(inputs,
                                            outputs_of<const double>(*session, n_design, weights),
                                            inputs_of<double>(*session, n_design, products, true),
                                            outputs_of<double>(*session, n_design, values));
  });
}

gradus_code gradus_design_status(gradus_session* session, size_t design, int* ok, double* time,
                                 const char** message) {
  return guarded([&] {
    require(session, "session");
    const gradus::DesignStatus status = session->session.status(design);
    session->message = status.message;
    if (ok != nullptr) *ok = status.ok ? 1 : 0;
    if (time != nullptr) *time = status.time;
    if (message != nullptr) *message = session->message.c_str();
  });
}
