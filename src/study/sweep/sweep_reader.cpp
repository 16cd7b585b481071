// The section "sweep" of a study file.
#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/study/sampling/distribution.hpp"
#include "src/study/sampling/sampler.hpp"
#include "src/study/study_keys.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t most_bins = 10'000;
constexpr std::uint64_t most_steps = 1'000'000'000;  // between recorded times

// Axes of grids, distributions, and the matrices that make them depend on each other. -------------

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
           "only positive numbers have logarithms", "start above 0, or use linear spacing");
  std::vector<double> values;
  for (std::uint64_t k = 0; k < count; ++k) {
    const double part = count == 1 ? 0.0 : static_cast<double>(k) / static_cast<double>(count - 1);
    values.push_back(is_logarithmic ? from * std::pow(to / from, part)
                                    : from * (1.0 - part) + to * part);
  }
  if (count > 1) values.back() = to;
  return values;
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
  if (element.named().empty())
    reject(element.where(), "the parameter has no distribution",
           "designs are drawn from distributions",
           R"(write { "from": 1, "to": 2 } or { "distribution": "normal", ... })");
  std::string kind = "uniform";
  if (const auto name = element.find("distribution")) kind = name->name_among(Distribution::names);
  if (deviation_is_given && kind != "normal")
    reject(element.where(), "found the distribution " + in_quotes(kind),
           "a covariance needs normal distributions",
           "make it \"normal\", or give a correlation instead");
  Distribution distribution;
  if (kind == "uniform") {
    element.require_keys(keys::uniform);
    distribution.from = element.at("from").constant();
    distribution.to = element.at("to").constant();
  } else if (kind == "normal") {
    element.require_keys(keys::normal);
    distribution.kind = Distribution::Kind::normal;
    distribution.mean = element.at("mean").constant();
    const auto deviation = element.find("standard_deviation");
    if (deviation_is_given && deviation)
      reject(deviation->where(), "found a standard deviation", "the covariance already sets it",
             "remove it, or give a correlation instead of the covariance");
    if (!deviation_is_given)
      distribution.standard_deviation = element.at("standard_deviation").constant();
  } else {
    element.require_keys(keys::log_normal);
    distribution.kind = Distribution::Kind::log_normal;
    distribution.median = element.at("median").constant();
    distribution.standard_deviation = element.at("log_standard_deviation").constant();
  }
  if (const auto truncated = element.find("truncated")) {
    if (deviation_is_given)
      reject(truncated->where(), "found a truncated distribution",
             "a covariance needs distributions without truncation",
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

// The section. ------------------------------------------------------------------------------------

void require_keys_of_sampling(const JsonElement& element, const std::string& name,
                              std::span<const std::string_view> allowed) {
  const auto has = [](std::span<const std::string_view> names, const std::string& key) {
    return std::find(names.begin(), names.end(), key) != names.end();
  };
  for (const auto& [key, value] : element.named()) {
    if (has(keys::sweep_of_all, key) || has(allowed, key)) continue;
    std::vector<std::string> names(allowed.begin(), allowed.end());
    names.insert(names.end(), keys::sweep_of_all.begin() + 1, keys::sweep_of_all.end());
    reject(value.where(), "found the key " + in_quotes(key),
           "it does not belong to the sampling " + in_quotes(name) + ", which has " +
               quoted_list(names),
           "remove it, or choose another sampling");
  }
}

// Checks that parameters exist, are named once, and are not set elsewhere.
class KnownParameters {
 public:
  explicit KnownParameters(const Study& study) : study_(study) {
    for (const Parameter& parameter : study.model.parameters) names_.insert(parameter.name);
  }

  void require(const std::string& name, const std::string& where) {
    if (names_.count(name) == 0) parameter_index(study_.model, name, where);  // throws
    if (study_.options.set.count(name) != 0)
      reject(where, "found the parameter " + in_quotes(name), "\"set\" gives it one value",
             "remove it there or here");
    if (!used_.insert(name).second)
      reject(where, "found the parameter " + in_quotes(name) + " twice", "a sweep varies it once",
             "remove one");
  }

 private:
  const Study& study_;
  std::set<std::string> names_;
  std::set<std::string> used_;
};

void read_parameters(const JsonElement& element, const StudyContext& context, Sweep& sweep) {
  KnownParameters known(context.study);
  std::set<std::string> covariance;  // parameters that have one
  if (sweep.dependence && sweep.dependence->is_covariance)
    covariance = {sweep.dependence->parameters.begin(), sweep.dependence->parameters.end()};
  for (const auto& [name, value] : element.named()) {
    known.require(name, element.where());
    SweepParameter parameter;
    parameter.name = name;
    if (sweep.sampling == Sampling::grid)
      parameter.values = read_axis(value);
    else
      parameter.distribution = read_distribution(value, covariance.count(name) != 0);
    sweep.parameters.push_back(std::move(parameter));
  }
  if (sweep.parameters.empty()) element.reject_value("parameters of the model");
}

void read_sample(const JsonElement& element, const StudyContext& context, Sweep& sweep) {
  sweep.designs = whole_number(element.at("designs"), 1, most_designs);
  if (const auto seed = element.find("seed")) sweep.seed = whole_number(*seed, 0);
  const auto correlation = element.find("correlation"), covariance = element.find("covariance");
  if (correlation && covariance)
    reject(covariance->where(), "found a covariance and a correlation",
           "only one of them can define the dependence", "remove one");
  if (correlation) sweep.dependence = read_dependence(*correlation, false);
  if (covariance) sweep.dependence = read_dependence(*covariance, true);
  read_parameters(element.at("parameters"), context, sweep);
  if (const auto& matrix = covariance ? covariance : correlation)
    DependenceFactor(sweep, matrix->where());  // throws if it is none
}

void read_list(const JsonElement& element, const StudyContext& context, Sweep& sweep) {
  KnownParameters known(context.study);
  if (const auto names = element.find("parameters")) {
    if (!names->is_array() || names->elements().empty())
      names->reject_value("the names of the parameters that are listed");
    for (const JsonElement& name : names->elements()) {
      known.require(name.text(), name.where());
      sweep.parameters.push_back({name.text(), {}, {}});
    }
  }
  const bool names_are_given = !sweep.parameters.empty();
  const std::string file = element.at("list").text();
  if (file.empty()) element.at("list").reject_value("the name of a file");
  const std::string where = element.at("list").where() + ": " + file;
  sweep.list = read_design_list(context.read_file(file), where, sweep.parameters);
  if (names_are_given) return;
  for (const SweepParameter& parameter : sweep.parameters) known.require(parameter.name, where);
}

void read_record(const JsonElement& element, Sweep& sweep) {
  element.require_keys(keys::record);
  const JsonElement sensors = element.at("sensors");
  for (const JsonElement& sensor : sensors.elements()) sweep.record.push_back(sensor.text());
  if (sweep.record.empty()) sensors.reject_value("names of sensors");
  if (const auto every = element.find("every"))
    sweep.record_every = whole_number(*every, 1, most_steps);
}

StatisticsSettings read_statistics(const JsonElement& element) {
  element.require_keys(keys::statistics);
  StatisticsSettings settings;
  element.read("confidence", settings.confidence);
  if (const auto quantiles = element.find("quantiles")) {
    settings.quantiles.clear();
    for (const JsonElement& quantile : quantiles->elements())
      settings.quantiles.push_back(quantile.constant());
  }
  if (const auto bins = element.find("bins")) settings.bins = whole_number(*bins, 0, most_bins);
  return settings;
}

void check_record(const Sweep& sweep, const Model& model, const std::string& where) {
  std::vector<std::string> names;
  for (const Sensor& sensor : model.sensors) names.push_back(sensor.name);
  for (const State& state : model.states) names.push_back(state.name);
  std::set<std::string> recorded;
  for (std::size_t k = 0; k < sweep.record.size(); ++k) {
    const std::string& name = sweep.record[k];
    const std::string place = where + "/record/sensors/" + std::to_string(k);
    if (std::find(names.begin(), names.end(), name) == names.end())
      reject(place, "found the sensor " + in_quotes(name), "the model does not have it",
             suggestion(name, names));
    if (!recorded.insert(name).second)
      reject(place, "found the sensor " + in_quotes(name) + " twice", "it is recorded once",
             "remove one");
  }
  check_count(sweep.record_every, most_steps, where, "record/every");
}

}  // namespace

void check_sweep(const Sweep& sweep, const Model& model, const std::string& where) {
  const StatisticsSettings& statistics = sweep.statistics;
  check_fraction(statistics.confidence, where, "statistics/confidence");
  for (std::size_t k = 0; k < statistics.quantiles.size(); ++k)
    check_fraction(statistics.quantiles[k], where, "statistics/quantiles/" + std::to_string(k));
  if (statistics.bins > most_bins)
    throw InputError(where + "/statistics/bins: found " + std::to_string(statistics.bins) +
                     ", expected a whole number from 0 to " + std::to_string(most_bins));
  check_record(sweep, model, where);
}

Sweep read_sweep(const JsonElement& element, const StudyContext& context) {
  element.require_keys(keys::sweep);
  const std::string name = element.at("sampling").name_among(sampling_names);
  Sweep sweep;
  const auto* const found = std::find(sampling_names.begin(), sampling_names.end(), name);
  sweep.sampling = static_cast<Sampling>(found - sampling_names.begin());
  const bool is_grid = sweep.sampling == Sampling::grid, is_list = sweep.sampling == Sampling::list;
  std::span<const std::string_view> allowed = keys::sweep_of_samples;
  if (is_grid) allowed = keys::sweep_of_grids;
  if (is_list) allowed = keys::sweep_of_lists;
  require_keys_of_sampling(element, name, allowed);
  if (is_grid)
    read_parameters(element.at("parameters"), context, sweep);
  else if (is_list)
    read_list(element, context, sweep);
  else
    read_sample(element, context, sweep);
  element.read("gradients", sweep.gradients);
  if (const auto record = element.find("record")) read_record(*record, sweep);
  if (const auto statistics = element.find("statistics"))
    sweep.statistics = read_statistics(*statistics);
  check_sweep(sweep, context.study.model, element.where());
  const Sampler whole(sweep, element.where());  // throws for too many designs or dimensions
  return sweep;
}

}  // namespace gradus
