// Reads axes of grids, distributions, and the matrices that make them depend on each other.
#include <cmath>

#include "src/model/message.hpp"
#include "src/study/sampling/distribution.hpp"
#include "src/study/sweep/sweep_keys.hpp"
#include "src/study/sweep/sweep_parts.hpp"

namespace gradus {
namespace {

std::vector<double> read_numbers(const JsonElement& element) {
  std::vector<double> numbers;
  for (const JsonElement& number : element.elements()) {
    numbers.push_back(number.constant());
    if (!std::isfinite(numbers.back())) number.reject_value("a finite number");
  }
  return numbers;
}

std::vector<double> read_range(const JsonElement& element) {
  element.require_keys(keys::axis_of_range);
  const double from = element.at("from").constant();
  const double to = element.at("to").constant();
  const auto count = whole_number(element.at("count"), 1, 1'000'000);
  bool is_logarithmic = false;
  if (const auto spacing = element.find("spacing"))
    is_logarithmic = spacing->name_among(keys::spacings) == "logarithmic";
  Distribution range;
  range.from = from;
  range.to = to;
  check_distribution(range, element.where());
  if (is_logarithmic && from <= 0.0)
    reject(element.where(), "found a logarithmic range from " + to_text(from),
           "only positive numbers have logarithms", "begin above 0, or take linear spacing");
  std::vector<double> values;
  for (std::uint64_t k = 0; k < count; ++k) {
    const double part = count == 1 ? 0.0 : static_cast<double>(k) / static_cast<double>(count - 1);
    values.push_back(is_logarithmic ? from * std::pow(to / from, part)
                                    : from * (1.0 - part) + to * part);
  }
  if (count > 1) values.back() = to;
  return values;
}

Distribution read_normal(const JsonElement& element, bool deviation_is_given) {
  element.require_keys(keys::normal);
  Distribution distribution;
  distribution.kind = Distribution::Kind::normal;
  distribution.mean = element.at("mean").constant();
  if (deviation_is_given) {
    if (const auto deviation = element.find("standard_deviation"))
      reject(deviation->where(), "found a standard deviation", "the covariance says it already",
             "remove it, or give a correlation instead of the covariance");
  } else {
    distribution.standard_deviation = element.at("standard_deviation").constant();
  }
  return distribution;
}

Distribution read_log_normal(const JsonElement& element) {
  element.require_keys(keys::log_normal);
  Distribution distribution;
  distribution.kind = Distribution::Kind::log_normal;
  distribution.median = element.at("median").constant();
  distribution.standard_deviation = element.at("log_standard_deviation").constant();
  return distribution;
}

Distribution read_uniform(const JsonElement& element) {
  element.require_keys(keys::uniform);
  Distribution distribution;
  distribution.from = element.at("from").constant();
  distribution.to = element.at("to").constant();
  return distribution;
}

void reject_without_distribution(const JsonElement& element) {
  reject(element.where(), "the parameter has no distribution",
         "designs are drawn from distributions",
         R"(write { "from": 1, "to": 2 } or { "distribution": "normal", ... })");
}

}  // namespace

std::uint64_t whole_number(const JsonElement& element, std::uint64_t smallest,
                           std::uint64_t largest) {
  const double value = element.constant();
  if (!(value >= static_cast<double>(smallest) && value <= static_cast<double>(largest)) ||
      value != std::floor(value))
    element.reject_value("a whole number from " + std::to_string(smallest) + " to " +
                         std::to_string(largest));
  return static_cast<std::uint64_t>(value);
}

std::vector<double> read_axis(const JsonElement& element) {
  if (!element.is_object() || !element.find("values")) return read_range(element);
  element.require_keys(keys::axis_of_values);
  const JsonElement list = element.at("values");
  std::vector<double> values = read_numbers(list);
  if (values.empty()) list.reject_value("at least one value");
  return values;
}

Distribution read_distribution(const JsonElement& element, bool deviation_is_given) {
  if (element.named().empty()) reject_without_distribution(element);
  std::string kind = "uniform";
  if (const auto name = element.find("distribution")) kind = name->name_among(keys::distributions);
  if (deviation_is_given && kind != "normal")
    reject(element.where(), "found the distribution " + in_quotes(kind),
           "the covariance is that of normal distributions",
           "make it \"normal\", or give a correlation instead");
  Distribution distribution = kind == "uniform"  ? read_uniform(element)
                              : kind == "normal" ? read_normal(element, deviation_is_given)
                                                 : read_log_normal(element);
  if (const auto truncated = element.find("truncated")) {
    if (deviation_is_given)
      reject(truncated->where(), "found a truncated distribution",
             "the covariance is that of distributions without truncation",
             "remove it, or give a correlation instead");
    const std::vector<JsonElement> ends = truncated->elements(2);
    distribution.truncated = {ends[0].constant(), ends[1].constant()};
  }
  check_distribution(distribution, element.where());
  return distribution;
}

Dependence read_dependence(const JsonElement& element, bool is_covariance) {
  element.require_keys(keys::dependence);
  Dependence dependence;
  dependence.is_covariance = is_covariance;
  for (const JsonElement& name : element.at("parameters").elements())
    dependence.parameters.push_back(name.text());
  const std::size_t size = dependence.parameters.size();
  if (size == 0) element.at("parameters").reject_value("the names of parameters");
  for (const JsonElement& row : element.at("matrix").elements(size)) {
    for (const JsonElement& value : row.elements(size))
      dependence.matrix.push_back(value.constant());
  }
  return dependence;
}

}  // namespace gradus
