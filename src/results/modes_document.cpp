// Linearization, Modes -> JSON.
#include <utility>

#include "src/results/json_text.hpp"
#include "src/results/reports.hpp"

namespace gradus::results {
namespace {

Json named(const std::vector<NamedUnit>& things,
           const std::vector<std::pair<const char*, const std::vector<double>*>>& values) {
  Json list = Json::array();
  for (std::size_t k = 0; k < things.size(); ++k) {
    Json line = {{"name", things[k].name}, {"unit", things[k].unit}};
    for (const auto& [member, numbers] : values) line[member] = number_at(*numbers, k);
    list.push_back(std::move(line));
  }
  return list;
}

Json rows(const std::vector<double>& numbers, std::size_t count, std::size_t width) {
  Json list = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < width; ++j) row.push_back(numbers[i * width + j]);
    list.push_back(std::move(row));
  }
  return list;
}

Json complex_json(const std::vector<std::complex<double>>& numbers) {
  Json real = Json::array(), imaginary = Json::array();
  for (const std::complex<double>& z : numbers) {
    real.push_back(z.real());
    imaginary.push_back(z.imag());
  }
  return {{"real", std::move(real)}, {"imaginary", std::move(imaginary)}};
}

Json mode_json(const Mode& mode) {
  Json json = {{"real", mode.eigenvalue.real()},   {"imaginary", mode.eigenvalue.imag()},
               {"frequency", mode.frequency()},    {"damping_ratio", mode.damping_ratio()},
               {"rounding", mode.rounding},        {"repeated", mode.repeated},
               {"shape", complex_json(mode.shape)}};
  if (!mode.gradient.empty()) json["gradient"] = complex_json(mode.gradient);
  return json;
}

}  // namespace

std::string modes_document(const Modes& modes) {
  const Linearization& linear = modes.linearization;
  const std::size_t states = linear.n_state();
  const std::size_t inputs = linear.parameters.size();
  const std::size_t outputs = linear.outputs.size();
  const auto half = static_cast<std::ptrdiff_t>(linear.coordinates.size());
  const std::vector<double> positions(linear.start_state.begin(),
                                      linear.start_state.begin() + half);
  const std::vector<double> rates(linear.start_state.begin() + half, linear.start_state.end());
  Json list = Json::array();
  for (const Mode& mode : modes.modes) list.push_back(mode_json(mode));
  return to_text(
      {{"schema", "gradus-modes/1"},
       {"version", version()},
       {"status", "ok"},
       {"model", linear.model},
       {"start", linear.start},
       {"stability", modes.stability},
       {"axes", linear.axes},
       {"states", named(linear.states, {{"rate", &linear.rates}})},
       {"held_states", linear.held_states},
       {"laws_of_time", linear.laws_of_time},
       {"parameters", named(linear.parameters, {{"value", &linear.parameter_values}})},
       {"outputs", named(linear.outputs, {{"value", &linear.output_values}})},
       {"coordinates", named(linear.coordinates, {{"value", &positions}, {"rate", &rates}})},
       {"A", rows(linear.a, states, states)},
       {"B", rows(linear.b, states, inputs)},
       {"C", rows(linear.c, outputs, states)},
       {"D", rows(linear.d, outputs, inputs)},
       {"modes", std::move(list)}});
}

}  // namespace gradus::results
