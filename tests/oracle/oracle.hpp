// The oracle: a small multibody simulator in Cartesian coordinates, written by another route than
// the engine and sharing no line with it, so that agreement between the two means something. Slow,
// dense and obvious on purpose.
//
//   Model<double> model;  // or Model<Complex>: derivatives by complex step
//   model.gravity = Vector3<double>(0, -9.81, 0);
//   model.bodies.push_back({mass, com, inertia});
//   auto hinge = make_joint<double>(JointType::kRevolute, kGround, pivot, 0, body_point, axis);
//   model.joints.push_back(starting_at<double>(hinge, angle, rate));
//   State<double> start = assemble(model);  // places the tree, closes the loops
//   VectorX<double> acceleration = accelerations(model, start);
//   Sample<double> end = integrate<double>(model, start, {.duration = 5, .steps = 5000});
#pragma once

#include "tests/oracle/assembly.hpp"
#include "tests/oracle/instances.hpp"
#include "tests/oracle/integration.hpp"
#include "tests/oracle/observation.hpp"

namespace oracle {

ORACLE_INSTANCES(extern template, double)
ORACLE_INSTANCES(extern template, Complex)

}  // namespace oracle
