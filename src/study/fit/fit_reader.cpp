// Reads the section "fit" of a study.
#include <cmath>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/study/fit/fit_data.hpp"
#include "src/study/fit/fit_keys.hpp"
#include "src/study/study_readers.hpp"
#include "src/study/variables.hpp"

namespace gradus {
namespace {

// A whole number that a double holds exactly.
double whole_number(const JsonElement& element, double smallest) {
  const double number = element.constant();
  if (!(number >= smallest && number <= 9007199254740992.0) || number != std::floor(number))
    element.reject_value("a whole number, at least " + to_text(smallest));
  return number;
}

std::size_t read_starts(const JsonElement& element) {
  const double number = element.constant();
  if (!(number >= 1.0 && number <= static_cast<double>(most_starts)) ||
      number != std::floor(number))
    element.reject_value("a whole number from 1 to " + std::to_string(most_starts));
  return static_cast<std::size_t>(number);
}

double part(const JsonElement& element) {
  const double number = element.constant();
  if (!(number > 0.0 && number < 1.0)) element.reject_value("a number between 0 and 1");
  return number;
}

void check_count(const JsonElement& element, const Fit& fit) {
  std::size_t count = 0;
  for (const Measurement& measurement : fit.measurements) count += measurement.time.size();
  if (count < fit.variables.size())
    reject(element.at("data").where(), "found " + std::to_string(count) + " measurements",
           "there are " + std::to_string(fit.variables.size()) + " parameters to find",
           "measure more, or find fewer");
}

}  // namespace

Fit read_fit(const JsonElement& element, const StudyContext& context) {
  element.require_keys(keys::fit);
  Fit fit;
  fit.variables = read_variables(element.at("parameters"), context);
  fit.measurements = read_measurements(element.at("data"), context);
  if (const auto key = element.find("deviations_known")) fit.deviations_known = key->boolean();
  if (const auto key = element.find("tolerance")) fit.tolerance = part(*key);
  if (const auto key = element.find("iterations"))
    fit.iterations = static_cast<std::size_t>(whole_number(*key, 1));
  if (const auto key = element.find("starts")) fit.starts = read_starts(*key);
  if (const auto key = element.find("seed"))
    fit.seed = static_cast<std::uint64_t>(whole_number(*key, 0));
  if (const auto key = element.find("confidence")) fit.confidence = part(*key);
  check_variables(fit.variables, context.study.model, fit.starts, element.at("parameters").where());
  check_count(element, fit);
  return fit;
}

}  // namespace gradus
