// The residuals of a fit and their derivatives, from motions of the model.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gradus/study.hpp"
#include "src/study/design_runner.hpp"
#include "src/study/fit/levenberg_marquardt.hpp"

namespace gradus {

// The residuals at one point, measurement by measurement: (computed - measured) / deviation.
struct FitEvaluation {
  std::vector<double> residuals;  // [n_residual]
  std::vector<double> jacobian;   // [n_residual, n_variable]
  std::vector<double> computed;   // [n_residual] of the sensors
};

class FitModel {
 public:
  // Throws InputError for variables and measurements that do not match the model. `designs`:
  // roughly how many will run at once.
  FitModel(const Study& study, std::size_t designs);
  FitModel(const FitModel&) = delete;
  FitModel& operator=(const FitModel&) = delete;

  const Fit& fit() const { return fit_; }
  const DesignRunner& runner() const { return runner_; }
  std::size_t residuals() const { return count_; }
  std::vector<NamedUnit> variables() const;
  LeastSquaresProblem problem() const;

  // The sums of each point, empty where the motion fails.
  std::vector<Answer> sums(const std::vector<std::vector<double>>& points) const;
  // Everything at one point; false where the motion fails.
  bool evaluate(const std::vector<double>& point, FitEvaluation& evaluation) const;
  // The sum of squares at each point from the motion alone; NaN where it fails.
  std::vector<double> sums_of_motion(const std::vector<std::vector<double>>& points) const;

 private:
  template <class Take>
  void run(const std::vector<std::vector<double>>& points, bool derivatives,
           const Take& take) const;
  void find_sensors();
  std::size_t designs_at_once(bool derivatives) const;
  FitEvaluation evaluated(const Trajectory& trajectory, bool derivatives) const;

  Study study_;  // with the model reduced to what the fit needs
  const Fit& fit_;
  std::vector<std::size_t> varied_;
  DesignRunner runner_;
  std::vector<std::size_t> components_;  // [measurement]
  std::size_t component_count_ = 0;
  std::size_t coordinate_count_ = 0;
  std::size_t count_ = 0;
};

// Names and units of the components that sensors have, as results name them, and for each of them
// whether its derivatives can be recorded (those of reactions cannot).
struct SensorComponents {
  std::vector<NamedUnit> components;
  std::vector<bool> differentiable;
  std::size_t coordinates = 0;  // of the motion

  std::vector<std::string> names() const;
};
SensorComponents sensor_components(const Model& model);

// Checks of fits, whether they were read or built. Throw InputError;
// `where` opens messages, `place` those about the time of a row.
void check_sensor(const std::string& sensor, const SensorComponents& sensors,
                  const std::string& where);
void check_fit(const Fit& fit, const Model& model, const std::string& where);
void check_times(const std::vector<double>& times, double duration,
                 const std::function<std::string(std::size_t row)>& place);

// The duration of the motion that the study asks for.
double duration_of(const Study& study);

}  // namespace gradus
