// A run of gradus beside the oracle: points of every body at a recorded time, and the order of a
// trajectory.
#pragma once

#include <string>

#include "gradus/run.hpp"
#include "tests/support/mechanism_state.hpp"

namespace gradus::test {

Result run(const Model& model, const std::string& reference, double duration, double step);

// Sensors of body i in a row of a trajectory: position, velocity, acceleration of p1.
struct PointRow {
  Eigen::Vector3d r, v, a;
};

Eigen::Vector3d p1(const Model& model, int body);

// Largest deviation of positions, velocities and accelerations from the oracle, over all bodies, at
// one instant.
PointRow deviation(const MechanismPair& pair, const Result& result, std::size_t time,
                   const oracle::State<double>& state, const Eigen::VectorXd& accelerations);

// End of a motion with step h against the oracle's with a step of its own.
double end_deviation(const MechanismPair& pair, const oracle::Sample<double>& end, double duration,
                     double step);

// Every body at the state that gradus recorded: positions and velocities say that both describe the
// same mechanism, accelerations that both move it alike.
void expect_agreement(const MechanismPair& pair, const Result& result, std::size_t time,
                      double bound);

// At the start and after some steps, with both reference points. Where there are constraints,
// Euler parameters have one, a step of ALI3-P solves the equations of motion before it projects the
// velocities: accelerations then belong to velocities that differ from the recorded ones as the
// square of the step. Those of formulations that evaluate them belong to what is recorded.
void expect_agreement(const MechanismPair& pair);

// Trapezoidal rule against a tight integration from the same start.
void expect_order_two_from_the_recorded_start(MechanismPair pair, double duration);

}  // namespace gradus::test
