// The interface for C: opaque handles around the classes of C++, exceptions turned into codes.
#include "gradus/gradus.h"

#include <new>
#include <string>

#include "gradus/error.hpp"
#include "gradus/mechanism.hpp"
#include "gradus/run.hpp"
#include "src/mechanism/option_texts.hpp"

struct gradus_options {
  gradus::Options options;
};

struct gradus_mechanism {
  explicit gradus_mechanism(gradus::Mechanism m)
      : mechanism(std::move(m)), names(mechanism.names()) {}
  gradus::Mechanism mechanism;
  gradus::Result names;
};

struct gradus_session {
  explicit gradus_session(const gradus_mechanism& m) : mechanism(m.mechanism), session(mechanism) {}
  gradus::Mechanism mechanism;
  gradus::Session session;
  std::string message;
};

namespace {

thread_local std::string last_error;

gradus_code refuse(gradus_code code, const char* message) noexcept {
  try {
    last_error = message;
  } catch (...) {
    last_error.clear();
  }
  return code;
}

// Runs work() and turns what it throws into a code.
template <class Work>
gradus_code guarded(const Work& work) noexcept {
  try {
    work();
    return GRADUS_OK;
  } catch (const gradus::InputError& error) {
    return refuse(GRADUS_INPUT_ERROR, error.what());
  } catch (const gradus::NumericalError& error) {
    return refuse(GRADUS_NUMERICAL_ERROR, error.what());
  } catch (const gradus::BackendError& error) {
    return refuse(GRADUS_BACKEND_ERROR, error.what());
  } catch (const gradus::FileError& error) {
    return refuse(GRADUS_FILE_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return refuse(GRADUS_FAULT, "memory ran out");
  } catch (const std::exception& error) {
    return refuse(GRADUS_FAULT, error.what());
  } catch (...) {
    return refuse(GRADUS_FAULT, "an unexpected fault");
  }
}

// Handles and arrays that must not be null.
void require(const void* pointer, const char* name) {
  if (pointer == nullptr) throw gradus::InputError(std::string(name) + ": found a null pointer");
}

gradus::Options options_of(const gradus_options* options) {
  return options != nullptr ? options->options : gradus::Options();
}

// An array of the caller; sizes that no memory could hold are refused before they overflow.
template <class Number>
std::span<Number> array(Number* data, std::size_t rows, std::size_t width, const char* name,
                        bool is_optional) {
  if (data == nullptr && is_optional) return {};
  if (rows * width > 0) require(data, name);
  return {data, rows * width};
}

void check_count(const gradus_session& session, std::size_t designs) {
  const std::size_t width = session.mechanism.parameter_count() + 1;
  const std::size_t rows = session.mechanism.objective_count() + 1;
  constexpr std::size_t kMost = static_cast<std::size_t>(-1) / sizeof(double) / 8;
  if (designs < 1 ||
      designs > kMost / width / rows / (session.mechanism.sensor_component_count() + 1))
    throw gradus::InputError("n_design: found " + std::to_string(designs) +
                             ", expected at least 1 and arrays that memory can hold");
  if (session.mechanism.parameter_count() == 0 && designs != 1)
    throw gradus::InputError("n_design: found " + std::to_string(designs) +
                             " of a mechanism without parameters, expected 1");
}

}  // namespace

const char* gradus_version(void) {
  static const std::string text = gradus::version();
  return text.c_str();
}

const char* gradus_last_error(void) {
  return last_error.c_str();
}

gradus_code gradus_options_create(gradus_options** options) {
  return guarded([&] {
    require(options, "options");
    *options = new gradus_options();
  });
}

gradus_code gradus_options_set(gradus_options* options, const char* name, const char* value) {
  return guarded([&] {
    require(options, "options");
    require(name, "name");
    require(value, "value");
    gradus::set_option(options->options, name, value);
  });
}

void gradus_options_free(gradus_options* options) {
  delete options;
}

gradus_code gradus_mechanism_read(const char* path, const gradus_options* options,
                                  gradus_mechanism** mechanism) {
  return guarded([&] {
    require(path, "path");
    require(mechanism, "mechanism");
    *mechanism =
        new gradus_mechanism(gradus::Mechanism(gradus::read_model(path), options_of(options)));
  });
}

gradus_code gradus_mechanism_parse(const char* text, size_t size, const gradus_options* options,
                                   gradus_mechanism** mechanism) {
  return guarded([&] {
    require(text, "text");
    require(mechanism, "mechanism");
    *mechanism = new gradus_mechanism(
        gradus::Mechanism(gradus::parse_model({text, size}), options_of(options)));
  });
}

void gradus_mechanism_free(gradus_mechanism* mechanism) {
  delete mechanism;
}

#define GRADUS_NAMES(KIND, LIST)                                                           \
  size_t gradus_##KIND##_count(const gradus_mechanism* m) {                                \
    return m != nullptr ? m->names.LIST.size() : 0;                                        \
  }                                                                                        \
  const char* gradus_##KIND##_name(const gradus_mechanism* m, size_t index) {              \
    return index < gradus_##KIND##_count(m) ? m->names.LIST[index].name.c_str() : nullptr; \
  }                                                                                        \
  const char* gradus_##KIND##_unit(const gradus_mechanism* m, size_t index) {              \
    return index < gradus_##KIND##_count(m) ? m->names.LIST[index].unit.c_str() : nullptr; \
  }
GRADUS_NAMES(parameter, parameters)
GRADUS_NAMES(objective, objectives)
GRADUS_NAMES(sensor_component, sensor_components)
#undef GRADUS_NAMES

gradus_code gradus_nominal_parameters(const gradus_mechanism* mechanism, double* parameters) {
  return guarded([&] {
    require(mechanism, "mechanism");
    const std::span<const double> nominal = mechanism->mechanism.nominal();
    if (!nominal.empty()) require(parameters, "parameters");
    for (std::size_t p = 0; p < nominal.size(); ++p) parameters[p] = nominal[p];
  });
}

gradus_code gradus_session_create(const gradus_mechanism* mechanism, gradus_session** session) {
  return guarded([&] {
    require(mechanism, "mechanism");
    require(session, "session");
    *session = new gradus_session(*mechanism);
  });
}

void gradus_session_free(gradus_session* session) {
  delete session;
}

namespace {

// Runs work(mechanism, parameters) and hands over how many designs failed.
template <class Work>
gradus_code evaluate(gradus_session* session, size_t designs, const double* parameters,
                     size_t* failed, const Work& work) {
  return guarded([&] {
    require(session, "session");
    check_count(*session, designs);
    const gradus::Mechanism& m = session->mechanism;
    const std::size_t count =
        work(m, array(parameters, designs, m.parameter_count(), "parameters", false));
    if (failed != nullptr) *failed = count;
  });
}

}  // namespace

gradus_code gradus_simulate(gradus_session* session, size_t n_design, const double* parameters,
                            double* objectives, double* final_sensors, double* violation,
                            size_t* failed) {
  return evaluate(session, n_design, parameters, failed,
                  [&](const gradus::Mechanism& m, std::span<const double> rows) {
                    gradus::Arrays to;
                    to.objectives =
                        array(objectives, n_design, m.objective_count(), "objectives", true);
                    to.final_sensors = array(final_sensors, n_design, m.sensor_component_count(),
                                             "final_sensors", true);
                    to.violation = array(violation, n_design, 3, "violation", true);
                    return session->session.simulate(rows, to);
                  });
}

gradus_code gradus_gradient(gradus_session* session, size_t n_design, const double* parameters,
                            double* objectives, double* gradient, size_t* failed) {
  return evaluate(
      session, n_design, parameters, failed,
      [&](const gradus::Mechanism& m, std::span<const double> rows) {
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
  return evaluate(session, n_design, parameters, failed,
                  [&](const gradus::Mechanism& m, std::span<const double> rows) {
                    return session->session.jacobian_vector(
                        rows, array(directions, n_design, m.parameter_count(), "directions", false),
                        array(products, n_design, m.objective_count(), "products", false));
                  });
}

gradus_code gradus_vector_jacobian(gradus_session* session, size_t n_design,
                                   const double* parameters, const double* weights,
                                   double* products, size_t* failed) {
  return evaluate(session, n_design, parameters, failed,
                  [&](const gradus::Mechanism& m, std::span<const double> rows) {
                    return session->session.vector_jacobian(
                        rows, array(weights, n_design, m.objective_count(), "weights", false),
                        array(products, n_design, m.parameter_count(), "products", false));
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
