// Variables, measurements and settings of fits.
#include "src/study/fit/fit_validation.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/study/fit/fit_model.hpp"
#include "src/study/variables.hpp"

namespace gradus {
namespace {

void check_times(const Measurement& measurement, double duration, const std::string& where) {
  if (measurement.time.size() != measurement.value.size())
    reject(where, "found " + std::to_string(measurement.time.size()) + " times",
           "there are " + std::to_string(measurement.value.size()) + " values",
           "give each value its time");
  for (std::size_t k = 0; k < measurement.time.size(); ++k) {
    const double time = measurement.time[k];
    if (!std::isfinite(measurement.value[k]))
      reject(where, "found a value that is no finite number at " + to_text(time) + " s",
             "it says nothing", "leave it out");
    if (!(time >= -time_tolerance(duration) && time <= duration + time_tolerance(duration)))
      reject(where, "found the time " + to_text(time),
             "the motion lasts from 0 to " + to_text(duration) + " s",
             "leave it out, or give the motion a longer \"duration\"");
    if (k > 0 && !(time > measurement.time[k - 1]))
      reject(where,
             "found the time " + to_text(time) + " after " + to_text(measurement.time[k - 1]),
             "times ascend", "sort them");
  }
}

void check_measurement(const Measurement& measurement, const SensorComponents& sensors,
                       double duration) {
  const std::string where = "fit: measurements of " + in_quotes(measurement.sensor);
  const std::vector<std::string> names = sensors.names();
  const auto found = std::find(names.begin(), names.end(), measurement.sensor);
  if (found == names.end())
    throw InputError(where + ": the model has no such component of a sensor; " +
                     suggestion(measurement.sensor, names));
  if (!sensors.differentiable[static_cast<std::size_t>(found - names.begin())])
    reject(where, "it is a reaction", "derivatives over time are those of motions, not of forces",
           "measure a motion instead");
  if (!std::isfinite(measurement.deviation) || measurement.deviation <= 0.0)
    reject(where, "found the deviation " + to_text(measurement.deviation),
           "residuals are divided by it", "give a finite number above 0");
  check_times(measurement, duration, where);
}

void check_settings(const Fit& fit) {
  if (!(fit.tolerance > 0.0 && fit.tolerance < 1.0))
    throw InputError("fit: found the tolerance " + to_text(fit.tolerance) +
                     ", expected a number between 0 and 1");
  if (!(fit.confidence > 0.0 && fit.confidence < 1.0))
    throw InputError("fit: found the confidence " + to_text(fit.confidence) +
                     ", expected a number between 0 and 1");
  if (fit.iterations < 1 || fit.starts < 1)
    throw InputError("fit: found no iterations or no starts, expected at least 1");
  if (fit.starts > most_starts)
    throw InputError("fit: found " + std::to_string(fit.starts) + " starts, expected at most " +
                     std::to_string(most_starts));
}

}  // namespace

double duration_of(const Study& study) {
  return study.options.duration.value_or(study.model.analysis.duration);
}

double time_tolerance(double duration) {
  return 1e-9 * duration;
}

void check_fit(const Study& study) {
  const Fit& fit = *study.fit;
  check_settings(fit);
  check_variables(fit.variables, study.model, fit.starts, "fit: parameters");
  const SensorComponents sensors = sensor_components(study.model);
  std::size_t count = 0;
  for (const Measurement& measurement : fit.measurements) {
    check_measurement(measurement, sensors, duration_of(study));
    count += measurement.time.size();
  }
  if (count < fit.variables.size())
    reject("fit", "found " + std::to_string(count) + " measurements",
           "there are " + std::to_string(fit.variables.size()) + " parameters to find",
           "measure more, or find fewer");
}

}  // namespace gradus
