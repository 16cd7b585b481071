// Runs designs, and reads the sensors off their trajectories at the times of measurements.
#include "src/study/fit/fit_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "gradus/error.hpp"
#include "src/model/lexer.hpp"
#include "src/model/message.hpp"
#include "src/model/sensor_kind.hpp"
#include "src/model/suggestion.hpp"
#include "src/plan/plan.hpp"
#include "src/sensitivity/run_comparison.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

// For the trajectories and derivatives of the designs that run at once.
constexpr double kMostBytes = 512.0 * 1024 * 1024;
// Relative round-off of the sensors of a fit, and their error in tolerances of adaptive
// integrators.
constexpr double kRoundOff = 1e-12;
constexpr double kTolerances = 10.0;

// Sensors that only objectives can refer to and that are not measured, nor mentioned in
// definitions.
bool is_dispensable(const Sensor& sensor, const Fit& fit, const std::set<std::string>& mentioned) {
  if (mentioned.count(sensor.name) > 0 || is_usable_in(LawPlace::force, kind_of(sensor)))
    return false;
  return std::none_of(fit.measurements.begin(), fit.measurements.end(), [&](const auto& m) {
    return m.sensor == sensor.name || m.sensor.rfind(sensor.name + ".", 0) == 0;
  });
}

void check_values(const Measurement& measurement, const std::string& where) {
  if (measurement.time.size() != measurement.value.size())
    reject(where, "found " + std::to_string(measurement.time.size()) + " times",
           "there are " + std::to_string(measurement.value.size()) + " values",
           "give each value its time");
  for (std::size_t k = 0; k < measurement.time.size(); ++k)
    if (!std::isfinite(measurement.value[k]))
      reject(where,
             "found a value that is not a finite number at " + to_text(measurement.time[k]) + " s",
             "measurements are numbers", "remove it");
  if (!std::isfinite(measurement.deviation) || measurement.deviation <= 0.0)
    reject(where, "found the deviation " + to_text(measurement.deviation),
           "residuals are divided by it", "give a finite number above 0");
}

// For fits that were built; the reader has checked the measurements of others.
void check_measurements(const Study& study) {
  const SensorComponents sensors = sensor_components(study.model);
  for (const Measurement& measurement : study.fit->measurements) {
    const std::string where = "fit: measurements of " + in_quotes(measurement.sensor);
    check_sensor(measurement.sensor, sensors, where);
    check_values(measurement, where);
    check_times(measurement.time, duration_of(study), [&](std::size_t) { return where; });
  }
}

// The study without objectives and without sensors that only cost time.
Study reduced(const Study& study) {
  if (!study.fit)
    throw InputError(study.name +
                     ": the study has no section \"fit\"; add it, or use another command");
  Study result = study;
  check_measurements(result);
  check_fit(*result.fit, result.model, "fit");
  result.model.objectives.clear();
  auto& sensors = result.model.sensors;
  std::set<std::string> mentioned;
  for (const Definition& definition : result.model.definitions)
    for (const std::string& name :
         expression::names_in(definition.expression, "/definitions/" + definition.name))
      mentioned.insert(name);
  const auto dispensable = [&](const Sensor& s) {
    return is_dispensable(s, *result.fit, mentioned);
  };
  sensors.erase(std::remove_if(sensors.begin(), sensors.end(), dispensable), sensors.end());
  if (result.options.method != "direct" && result.options.log)
    result.options.log("method: a fit uses direct instead of " + result.options.method +
                       ", since only that has the derivatives of sensors over time");
  result.options.method = "direct";
  return result;
}

LeastSquaresSums sums_of(const FitEvaluation& evaluation, std::size_t n) {
  LeastSquaresSums sums{0.0, std::vector<double>(n), std::vector<double>(n * n)};
  for (std::size_t k = 0; k < evaluation.residuals.size(); ++k) {
    const double r = evaluation.residuals[k];
    const double* const row = evaluation.jacobian.data() + k * n;
    sums.sum += r * r;
    for (std::size_t i = 0; i < n; ++i) {
      sums.gradient[i] += row[i] * r;
      for (std::size_t j = 0; j <= i; ++j) sums.normal[i * n + j] += row[i] * row[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) sums.normal[i * n + j] = sums.normal[j * n + i];
  return sums;
}

// Times that differ by less than this part of a step are equal.
constexpr double kSameTime = 1e-9;

double lagrange(const double* times, std::size_t count, std::size_t k, double time) {
  double product = 1.0;
  for (std::size_t j = 0; j < count; ++j)
    if (j != k) product *= (time - times[j]) / (times[k] - times[j]);
  return product;
}

}  // namespace

double duration_of(const Study& study) {
  return study.options.duration.value_or(study.model.analysis.duration);
}

SensorComponents sensor_components(const Model& model) {
  const Plan plan = build_plan(model, Reference::rtdyn0, model.name.empty() ? "model" : model.name);
  SensorComponents result{{}, plan.coordinates.size()};
  for (const NamedUnit& component : plan.signal_names) result.names.push_back(component.name);
  return result;
}

FitModel::FitModel(const Study& study, std::size_t designs)
    : study_(reduced(study)),
      fit_(*study_.fit),
      varied_(variable_indices(fit_.variables, study_.model)),
      runner_(study_, varied_, designs) {
  const SensorComponents all = sensor_components(study_.model);
  component_count_ = all.names.size();
  coordinate_count_ = all.coordinates;
  for (const Measurement& measurement : fit_.measurements) {
    const auto found = std::find(all.names.begin(), all.names.end(), measurement.sensor);
    components_.push_back(static_cast<std::size_t>(found - all.names.begin()));
    count_ += measurement.time.size();
  }
}

std::vector<NamedUnit> FitModel::variables() const {
  std::vector<NamedUnit> variables;
  for (const std::size_t index : varied_)
    variables.push_back({study_.model.parameters[index].name, study_.model.parameters[index].unit});
  return variables;
}

LeastSquaresProblem FitModel::problem() const {
  LeastSquaresProblem problem;
  for (const Variable& variable : fit_.variables) {
    problem.start.push_back(variable.start);
    problem.lower.push_back(variable.lower);
    problem.upper.push_back(variable.upper);
  }
  problem.tolerance = fit_.tolerance;
  problem.iterations = fit_.iterations;
  const double error = std::max(kRoundOff, kTolerances * runner_.tolerance());
  for (const Measurement& measurement : fit_.measurements)
    for (const double value : measurement.value)
      problem.round_off += std::pow(error * value / measurement.deviation, 2);
  return problem;
}

std::size_t FitModel::designs_at_once(bool derivatives) const {
  const double per_time =
      3.0 * static_cast<double>(coordinate_count_) +
      static_cast<double>(component_count_) *
          (1.0 + (derivatives ? static_cast<double>(runner_.nominal().size()) : 0.0));
  const double bytes = 8.0 * per_time * static_cast<double>(runner_.info().steps + 1);
  return static_cast<std::size_t>(std::clamp(kMostBytes / bytes, 1.0, 1e6));
}

// Runs points in parts, by run_rows(rows, options); passes on each point whose motion succeeds, the
// result that has it, and as which design of that.
template <class RunRows, class Take>
void FitModel::run_parts(const std::vector<std::vector<double>>& points, bool derivatives,
                         const RunRows& run_rows, const Take& take) const {
  const std::size_t at_once = designs_at_once(derivatives);
  Options options = runner_.options();
  options.record = true;
  options.columns = derivatives;
  for (std::size_t first = 0; first < points.size(); first += at_once) {
    const std::size_t end = std::min(first + at_once, points.size());
    std::vector<double> rows;
    for (std::size_t k = first; k < end; ++k)
      rows.insert(rows.end(), points[k].begin(), points[k].end());
    const Result result = run_rows(rows, options);
    for (std::size_t k = first; k < end; ++k)
      if (result.status[k - first].ok) take(k, result, k - first);
  }
}

template <class Take>
void FitModel::run(const std::vector<std::vector<double>>& points, const Take& take) const {
  run_parts(
      points, true,
      [&](const auto& rows, const Options& options) { return runner_.run(rows, true, options); },
      take);
}

FitEvaluation FitModel::evaluated(const Trajectory& trajectory, bool derivatives) const {
  const std::size_t n = varied_.size();
  const std::size_t parameters = runner_.nominal().size();
  FitEvaluation result;
  result.residuals.reserve(count_);
  result.computed.reserve(count_);
  if (derivatives) result.jacobian.assign(count_ * n, 0.0);
  for (std::size_t m = 0; m < components_.size(); ++m) {
    const Measurement& measurement = fit_.measurements[m];
    for (std::size_t i = 0; i < measurement.time.size(); ++i) {
      const TimeWeights weights = weights_at(trajectory.time, measurement.time[i]);
      double computed = 0.0;
      double* const row =
          derivatives ? result.jacobian.data() + result.residuals.size() * n : nullptr;
      for (std::size_t k = 0; k < weights.count; ++k) {
        const std::size_t at = (weights.first + k) * component_count_ + components_[m];
        computed += weights.weight[k] * trajectory.sensors[at];
        const double weight = weights.weight[k] / measurement.deviation;
        for (std::size_t v = 0; derivatives && v < n; ++v)
          row[v] += weight * trajectory.sensor_columns[at * parameters + varied_[v]];
      }
      result.computed.push_back(computed);
      result.residuals.push_back((computed - measurement.value[i]) / measurement.deviation);
    }
  }
  return result;
}

std::vector<Answer> FitModel::sums(const std::vector<std::vector<double>>& points) const {
  std::vector<Answer> answers(points.size());
  run(points, [&](std::size_t k, const Result& result, std::size_t design) {
    answers[k] = pack(sums_of(evaluated(result.trajectories[design], true), varied_.size()));
  });
  return answers;
}

bool FitModel::evaluate(const std::vector<double>& point, FitEvaluation& evaluation) const {
  bool succeeded = false;
  run({point}, [&](std::size_t, const Result& result, std::size_t design) {
    succeeded = true;
    evaluation = evaluated(result.trajectories[design], true);
    evaluation.constraint_violation = result.constraint_violation;
    evaluation.singular_passage = result.singular_passage;
    evaluation.splines_extrapolated = result.splines_extrapolated();
    evaluation.switched = result.switched;
  });
  return succeeded;
}

StepErrors FitModel::step_errors(const std::vector<double>& point,
                                 const FitEvaluation& evaluation) const {
  StepErrors found;
  if (runner_.info().adaptive) return found;
  found.designs = 1;
  Study finer = study_;
  finer.options.step = 0.5 * runner_.info().step;
  finer.options.log = {};
  FitEvaluation again;
  if (!FitModel(finer, 1).evaluate(point, again)) {
    found.largest = std::numeric_limits<double>::quiet_NaN();
    found.remarkable = 1;
    return found;
  }
  const double ratio = std::pow(2.0, runner_.order());
  // Of the measurements [first, last) of one sensor, `width` numbers each; the largest change over
  // the largest number, variables in units of their values.
  const auto look = [&](std::size_t first, std::size_t last, std::size_t width,
                        const std::vector<double>& one, const std::vector<double>& other) {
    double change = 0.0, size = 0.0;
    for (std::size_t k = first * width; k < last * width; ++k) {
      const bool is_value = &one == &evaluation.computed;
      const double scale = is_value ? 1.0 : scale_of_parameter(point[k % width]);
      change = std::max(change, scale * std::abs(one[k] - other[k]));
      size = std::max(size, scale * std::abs(one[k]));
    }
    return size > 0.0 ? change / size * ratio / (ratio - 1.0) : 0.0;
  };
  std::size_t first = 0;
  for (const Measurement& measurement : fit_.measurements) {
    const std::size_t last = first + measurement.time.size();
    for (const bool of_gradient : {false, true}) {
      const double error =
          of_gradient ? look(first, last, varied_.size(), evaluation.jacobian, again.jacobian)
                      : look(first, last, 1, evaluation.computed, again.computed);
      if (error <= found.largest) continue;
      found.largest = error;
      found.objective = measurement.sensor;
      found.of_gradient = of_gradient;
    }
    first = last;
  }
  found.remarkable = found.largest <= kRemarkableError ? 0 : 1;
  return found;
}

std::vector<double> FitModel::sums_of_motion(const std::vector<double>& centre,
                                             const std::vector<std::vector<double>>& points) const {
  std::vector<double> sums(points.size(), std::numeric_limits<double>::quiet_NaN());
  run_parts(
      points, false,
      [&](const auto& rows, const Options& options) {
        return runner_.run_by_steps_of(centre, rows, options);
      },
      [&](std::size_t k, const Result& result, std::size_t design) {
        sums[k] = sums_of(evaluated(result.trajectories[design], false), 0).sum;
      });
  return sums;
}

TimeWeights weights_at(const std::vector<double>& times, double time) {
  const auto after =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  const std::size_t last = times.size() - 1;
  const std::size_t left = std::min(after == 0 ? 0 : after - 1, last == 0 ? 0 : last - 1);
  const std::size_t right = std::min(left + 1, last);
  const double same = kSameTime * (times[right] - times[left]);
  for (const std::size_t k : {left, right})
    if (std::abs(time - times[k]) <= same) return {k, 1, {1.0, 0.0, 0.0, 0.0}};
  TimeWeights result;
  result.count = std::min<std::size_t>(4, times.size());
  result.first = std::min(left == 0 ? 0 : left - 1, times.size() - result.count);
  for (std::size_t k = 0; k < result.count; ++k)
    result.weight[k] = lagrange(times.data() + result.first, result.count, k, time);
  return result;
}

}  // namespace gradus
