// Compares runs with the oracle.
#include "tests/support/oracle_comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gradus::test {
namespace {

PointRow point_row(const Result& result, std::size_t time, int body) {
  const std::size_t width = result.sensor_components.size();
  const double* row =
      result.trajectories[0].sensors.data() + time * width + static_cast<std::size_t>(body) * 9;
  return {Eigen::Vector3d(row), Eigen::Vector3d(row + 3), Eigen::Vector3d(row + 6)};
}

bool has_constraints(const MechanismPair& pair) {
  if (!pair.reference.loops.empty() || !pair.reference.drivers.empty()) return true;
  for (const auto& joint : pair.reference.joints)
    if (has_euler_parameters(joint.type)) return true;
  return false;
}

}  // namespace

Result run(const Model& model, const std::string& reference, double duration, double step) {
  Options options;
  options.backend = "cpu:1";
  options.reference = reference;
  options.duration = duration;
  options.step = step;
  options.record = true;
  Result result = simulate(model, options);
  EXPECT_TRUE(result.all_ok()) << result.status[0].message;
  return result;
}

Eigen::Vector3d p1(const Model& model, int body) {
  const Vector3& p = model.bodies[static_cast<std::size_t>(body)].points.at("p1");
  return {p[0].value(), p[1].value(), p[2].value()};
}

PointRow deviation(const MechanismPair& pair, const Result& result, std::size_t time,
                   const oracle::State<double>& state, const Eigen::VectorXd& accelerations) {
  PointRow worst{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  const auto raise = [](Eigen::Vector3d& largest, const Eigen::Vector3d& difference) {
    // Written so that a NaN stays.
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(difference(k)) <= largest(k))) largest(k) = std::abs(difference(k));
  };
  for (int i = 0; i < pair.reference.body_count(); ++i) {
    const PointRow row = point_row(result, time, i);
    const Eigen::Vector3d p = p1(pair.model, i);
    raise(worst.r, row.r - oracle::point_position<double>(pair.reference, state, i, p));
    raise(worst.v, row.v - oracle::point_velocity<double>(pair.reference, state, i, p));
    raise(worst.a,
          row.a - oracle::point_acceleration<double>(pair.reference, state, accelerations, i, p));
  }
  return worst;
}

double end_deviation(const MechanismPair& pair, const oracle::Sample<double>& end, double duration,
                     double step) {
  const Result result = run(pair.model, "rtdyn0", duration, step);
  return deviation(pair, result, result.steps, end.state, end.acceleration).r.maxCoeff();
}

void expect_agreement(const MechanismPair& pair, const Result& result, std::size_t time,
                      double bound) {
  const oracle::State<double> state = oracle_state(pair, result, time);
  const double instant = result.trajectories[0].time[time];
  const Eigen::VectorXd accelerations = oracle::accelerations(pair.reference, state, instant);
  const PointRow worst = deviation(pair, result, time, state, accelerations);
  EXPECT_LT(worst.r.maxCoeff(), 1e-11) << "time " << instant;
  EXPECT_LT(worst.v.maxCoeff(), 1e-10 * (1.0 + state.velocity.cwiseAbs().maxCoeff()))
      << "time " << instant;
  EXPECT_LT(worst.a.maxCoeff(), bound * (1.0 + accelerations.cwiseAbs().maxCoeff()))
      << "time " << instant;
  EXPECT_GT(accelerations.cwiseAbs().maxCoeff(), 0.1);
}

void expect_agreement(const MechanismPair& pair) {
  for (const char* reference : {"rtdyn0", "rtdyn1"}) {
    SCOPED_TRACE(reference);
    const Result result = run(pair.model, reference, 5e-4, 1e-4);
    ASSERT_TRUE(result.all_ok());
    expect_agreement(pair, result, 0, 1e-10);
    expect_agreement(pair, result, result.steps, has_constraints(pair) ? 1e-6 : 1e-10);
    MechanismPair evaluated = pair;
    evaluated.model.analysis.formulation = "matrix-r";
    evaluated.model.analysis.integrator = "rk4";
    const Result later = run(evaluated.model, reference, 5e-3, 1e-3);
    ASSERT_TRUE(later.all_ok());
    expect_agreement(evaluated, later, later.steps, 1e-10);
  }
}

void expect_order_two_from_the_recorded_start(MechanismPair pair, double duration) {
  const Result start = run(pair.model, "rtdyn0", duration / 100, duration / 100);
  ASSERT_TRUE(start.all_ok());
  start_as_recorded(pair, start);
  oracle::IntegrationOptions options;
  options.duration = duration;
  options.steps = 200;
  const auto end = oracle::integrate(pair.reference, oracle::assemble(pair.reference), options);
  const double coarse = end_deviation(pair, end, duration, duration / 50);
  const double fine = end_deviation(pair, end, duration, duration / 100);
  ASSERT_GT(fine, 1e-12) << "nothing moves";
  EXPECT_LT(coarse, 1e-2);
  EXPECT_GT(coarse / fine, 3.5);
  EXPECT_LT(coarse / fine, 4.5);
}

}  // namespace gradus::test
