// The oracle: a small multibody simulator in Cartesian coordinates, written by another route than
// the engine and sharing no line with it, so that agreement between the two means something. Slow,
// dense and obvious on purpose.
//
//   Model<double> model;                        // or Model<Complex>: derivatives by complex step
//   model.gravity = {0, -9.81, 0};
//   model.bodies.push_back({mass, com, inertia});
//   model.joints.push_back(starting_at(make_joint<double>(JointType::kRevolute, kGround, a, 0, b,
//   axis), angle, rate)); State<double> start = assemble(model);      // places the tree, closes
//   the loops VectorX<double> a = accelerations(model, start); Sample<double> end =
//   integrate(model, start, {.duration = 5, .steps = 5000});
#pragma once

#include "tests/oracle/assembly.hpp"
#include "tests/oracle/integration.hpp"
#include "tests/oracle/observation.hpp"
