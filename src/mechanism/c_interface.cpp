// The interface for C: opaque handles around the classes of C++, exceptions turned into codes.
#include "src/mechanism/c_handles.hpp"
#include "src/mechanism/option_texts.hpp"

using gradus::guarded;
using gradus::require;
using gradus::require_empty;

namespace {

thread_local std::string last_error;

gradus::Options options_of(const gradus_options* options) {
  return options != nullptr ? options->options : gradus::Options();
}
gradus::Exchange exchange_of(const gradus_options* options) {
  return options != nullptr ? options->exchange : gradus::Exchange();
}

}  // namespace

gradus_code gradus::refuse(gradus_code code, const char* message) noexcept {
  try {
    last_error = message;
  } catch (...) {
    last_error.clear();
  }
  return code;
}

const char* gradus_version(void) {
  static const std::string text = gradus::version();
  return text.c_str();
}

const char* gradus_last_error(void) {
  return last_error.c_str();
}

gradus_code gradus_load_plugin(const char* path) {
  return guarded([&] {
    require(path, "path");
    gradus::load_plugin(path);
  });
}

gradus_code gradus_options_create(gradus_options** options) {
  return guarded([&] {
    require_empty(options, "options");
    *options = new gradus_options();
  });
}

gradus_code gradus_options_set(gradus_options* options, const char* name, const char* value) {
  return guarded([&] {
    require(options, "options");
    require(name, "name");
    require(value, "value");
    gradus::set_option(options->options, options->exchange, name, value);
  });
}

void gradus_options_free(gradus_options* options) {
  delete options;
}

gradus_code gradus_mechanism_read(const char* path, const gradus_options* options,
                                  gradus_mechanism** mechanism) {
  return guarded([&] {
    require_empty(mechanism, "mechanism");
    require(path, "path");
    *mechanism = new gradus_mechanism(
        gradus::Mechanism(gradus::read_model(path), options_of(options), exchange_of(options)));
  });
}

gradus_code gradus_mechanism_parse(const char* text, size_t size, const gradus_options* options,
                                   gradus_mechanism** mechanism) {
  return guarded([&] {
    require_empty(mechanism, "mechanism");
    require(text, "text");
    *mechanism = new gradus_mechanism(gradus::Mechanism(gradus::parse_model({text, size}),
                                                        options_of(options), exchange_of(options)));
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
GRADUS_NAMES(coordinate, coordinates)
#undef GRADUS_NAMES

size_t gradus_time_count(const gradus_mechanism* m) {
  return m != nullptr ? m->mechanism.exchange().times.size() : 0;
}
size_t gradus_exchanged_component_count(const gradus_mechanism* m) {
  return m != nullptr ? m->mechanism.exchanged_component_count() : 0;
}

gradus_code gradus_nominal_parameters(const gradus_mechanism* mechanism, double* parameters) {
  return guarded([&] {
    require(mechanism, "mechanism");
    const std::span<const double> nominal = mechanism->mechanism.nominal();
    if (!nominal.empty()) require(parameters, "parameters");
    for (std::size_t p = 0; p < nominal.size(); ++p) parameters[p] = nominal[p];
  });
}

gradus_code gradus_start_state(const gradus_mechanism* mechanism, const double* parameters,
                               const double* given, double* state) {
  return guarded([&] {
    require(mechanism, "mechanism");
    const gradus::Mechanism& m = mechanism->mechanism;
    const std::size_t size = 2 * m.coordinate_count();
    const std::vector<double> found =
        m.start_state({parameters, parameters != nullptr ? m.parameter_count() : 0},
                      {given, given != nullptr ? size : 0});
    if (size > 0) require(state, "state");
    for (std::size_t c = 0; c < size; ++c) state[c] = found[c];
  });
}
