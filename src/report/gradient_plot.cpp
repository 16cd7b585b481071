// Derivatives as bars, with what makes those by different parameters comparable.
#include <algorithm>
#include <cmath>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_entries = 400;  // a page can show them all

// The parameters with the largest change of any of these, in their own order.
std::vector<std::size_t> largest(const std::vector<ScaledParameter>& parameters,
                                 const std::vector<Slopes>& objectives) {
  std::vector<std::size_t> indices(parameters.size());
  std::vector<double> sizes(parameters.size(), 0.0);
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = k;
  if (indices.size() <= most_entries) return indices;
  for (const Slopes& slopes : objectives) {
    std::vector<double> row;
    double most = 0.0;
    for (std::size_t k = 0; k < indices.size(); ++k) {
      const double size = std::abs(slopes.values[k] * parameters[k].scale);
      row.push_back(std::isfinite(size) ? size : 0.0);
      most = std::max(most, row.back());
    }
    // Objectives have units of their own: each counts by its largest change.
    for (std::size_t k = 0; k < indices.size() && most > 0.0; ++k)
      sizes[k] = std::max(sizes[k], row[k] / most);
  }
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  indices.resize(most_entries);
  std::sort(indices.begin(), indices.end());
  return indices;
}

Json picked(const std::vector<double>& values, const std::vector<std::size_t>& indices) {
  return values.empty() ? Json::array() : numbers_at(values, indices);
}

}  // namespace

ScaledParameter scaled_parameter(const NamedUnit& parameter, double deviation, double width,
                                 double value) {
  const auto known = [](double size) { return std::isfinite(size) && size > 0.0; };
  if (known(deviation)) return {parameter, deviation, "standard deviation"};
  if (known(width)) return {parameter, width, "width of bounds"};
  if (known(std::abs(value))) return {parameter, std::abs(value), "|value|"};
  return {parameter, missing, ""};
}

Json gradient_plot(const std::string& title, const std::vector<ScaledParameter>& parameters,
                   const std::vector<Slopes>& objectives, const std::string& note) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  const bool is_known = std::any_of(objectives.begin(), objectives.end(), [&](const Slopes& one) {
    return std::any_of(one.values.begin(), one.values.end(), is_finite);
  });
  if (!is_known) return nullptr;
  const std::vector<std::size_t> indices = largest(parameters, objectives);
  Json list = Json::array(), choices = Json::array();
  for (const std::size_t k : indices) {
    const auto& [parameter, scale, scale_name] = parameters[k];
    list.push_back({{"name", parameter.name},
                    {"unit", parameter.unit},
                    {"scale", number(scale, all_digits)},
                    {"scale_name", scale_name}});
  }
  for (const Slopes& one : objectives)
    choices.push_back({{"label", one.objective.name},
                       {"unit", one.objective.unit},
                       {"what", one.what},
                       {"values", picked(one.values, indices)},
                       {"low", picked(one.low, indices)},
                       {"high", picked(one.high, indices)}});
  std::string text = note;
  if (indices.size() < parameters.size())
    text += (text.empty() ? "" : " ") + ("The " + std::to_string(indices.size()) + " largest of " +
                                         std::to_string(parameters.size()) + " entries are shown.");
  return {{"kind", "gradient"},
          {"title", title},
          {"parameters", std::move(list)},
          {"choices", std::move(choices)},
          {"note", text}};
}

}  // namespace gradus::report
