// Drivers, joint coordinates, loads, bushings and reactions of the oracle: against complex steps of
// themselves, closed forms, the balance of energy and of momentum.
#include <gtest/gtest.h>

#include <random>

#include "tests/oracle/oracle.hpp"

namespace oracle {
namespace {

constexpr double kImaginaryStep = 1e-30;

// A free body and a second one on it by a joint, all directions random.
template <typename S>
class RandomPair {
 public:
  explicit RandomPair(JointType type, unsigned seed = 7) : generator_(seed) {
    for (int body = 0; body < 2; ++body) {
      const Matrix3<S> root = skew(vector()) + Matrix3<S>::Identity();
      model.bodies.push_back({S(1.5 + number()), vector(), root * root.transpose()});
    }
    add_joint(JointType::kFree, kGround, 0);
    add_joint(type, 0, 1);
  }

  double number() { return uniform_(generator_); }
  Vector3<S> vector() {
    const double a = number(), b = number(), c = number();
    return {S(a), S(b), S(c)};
  }
  // One that has nothing to do with the joints.
  State<S> random_state() {
    State<S> state(2);
    for (S& value : state.pose) value += S(number());
    for (S& value : state.velocity) value = S(number());
    return state;
  }

  Model<S> model;

 private:
  void add_joint(JointType type, int parent, int child) {
    Joint<S> joint = make_joint<S>(type, parent, vector(), child, vector(), vector(), vector(),
                                   vector(), vector());
    joint.coordinates = zero_coordinates<S>(type);
    for (S& coordinate : joint.coordinates) coordinate += S(number());
    joint.rates.resize(rate_count(type));
    for (S& rate : joint.rates) rate = S(number());
    model.joints.push_back(joint);
  }

  std::mt19937 generator_;
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

const JointType kCoordinateTypes[] = {JointType::kRevolute, JointType::kPrismatic,
                                      JointType::kCylindrical, JointType::kUniversal,
                                      JointType::kPlanar};

TEST(OracleCoordinates, AreThoseOfThePlacement) {
  for (const JointType type : kCoordinateTypes) {
    for (unsigned seed = 1; seed < 6; ++seed) {
      const Model<double> model = RandomPair<double>(type, seed).model;
      const State<double> state = place_tree(model, start_values(model));
      for (int k = 0; k < coordinate_count(type); ++k) {
        const Quantity<double> z = coordinate_quantity(model, state, model.joints[1], k);
        EXPECT_NEAR(z.value, model.joints[1].coordinates(k), 1e-13);
        EXPECT_NEAR(z.rate, model.joints[1].rates(k), 1e-12);
      }
    }
  }
}

// Every kind of driver between the two bodies, and one to the ground.
template <typename S>
std::vector<Driver<S>> drivers_of_every_kind(RandomPair<S>& pair) {
  std::vector<Driver<S>> drivers;
  for (const DriverKind kind : {DriverKind::kDistance, DriverKind::kDot, DriverKind::kCoincident}) {
    for (const int first : {kGround, 0}) {
      drivers.push_back({kind, first, 1, pair.vector(), pair.vector(), 0, 0, {}});
      if (kind != DriverKind::kCoincident)
        drivers.back().function = harmonic<S>(S(0.3), S(-0.2), S(0.1), 2.0);
    }
  }
  const JointType type = pair.model.joints[1].type;
  for (int k = 0; k < coordinate_count(type); ++k) {
    Driver<S> driver;
    driver.kind = DriverKind::kCoordinate;
    driver.joint = 1;
    driver.coordinate = k;
    driver.function = harmonic<S>(S(0.1 * k), S(0.4), S(0.2), 3.0);
    drivers.push_back(driver);
  }
  return drivers;
}

// Moves the bodies on at their velocities for an imaginary time.
State<Complex> moved_on(const State<Complex>& state, const VectorX<Complex>& velocity) {
  State<Complex> moved = state;
  moved.velocity = velocity;
  moved.pose += pose_rate(moved) * Complex(0.0, kImaginaryStep);
  moved.velocity = state.velocity;
  return moved;
}

TEST(OracleDrivers, JacobianAndRightHandSideAreDerivatives) {
  for (const JointType type : kCoordinateTypes) {
    RandomPair<Complex> pair(type);
    pair.model.drivers = drivers_of_every_kind(pair);
    const State<Complex> state = pair.random_state();
    const Constraints<Complex> nominal = evaluate_drivers(pair.model, state, 0.7);
    ASSERT_EQ(nominal.value.size(), 10 + coordinate_count(type));
    for (int column = 0; column < 12; ++column) {
      const State<Complex> moved = moved_on(state, VectorX<Complex>::Unit(12, column));
      const VectorX<double> derivative =
          evaluate_drivers(pair.model, moved, 0.7).value.imag() / kImaginaryStep;
      EXPECT_LT(largest_real(derivative - nominal.jacobian.col(column).real()), 1e-12);
    }
    const State<Complex> moved = moved_on(state, state.velocity);
    const VectorX<Complex> rate =
        evaluate_drivers(pair.model, moved, 0.7).jacobian * state.velocity;
    const VectorX<double> without_functions =
        (evaluate_drivers(pair.model, state, 0.7).acceleration + rate.imag() / kImaginaryStep)
            .real();
    // What is left is the second derivative of the functions.
    Eigen::Index row = 0;
    for (const Driver<Complex>& driver : pair.model.drivers) {
      const double expected = driver.function ? driver.function(0.7).acceleration.real() : 0.0;
      for (int k = 0; k < driver_count(driver.kind); ++k)
        EXPECT_NEAR(without_functions(row++), expected, 1e-11);
    }
  }
}

TEST(OracleDrivers, HarmonicFunctionsHaveTheirDerivatives) {
  const TimeFunction<double> f = harmonic(0.3, -0.7, 1.4, 2.5);
  const double h = 1e-4;
  EXPECT_NEAR(f(0.0).value, 0.3, 1e-15);
  EXPECT_NEAR((f(0.8 + h).value - f(0.8 - h).value) / (2.0 * h), f(0.8).rate, 1e-7);
  EXPECT_NEAR((f(0.8 + h).rate - f(0.8 - h).rate) / (2.0 * h), f(0.8).acceleration, 1e-7);
}

// A closed spatial mechanism, its crank driven: all of it follows the function.
Model<double> driven_slider() {
  using V = Vector3<double>;
  Model<double> model;
  model.gravity = V(0.5, -9.0, 2.0);
  model.bodies = {{1.2, V(0.1, 0.02, 0.0), V(0.02, 0.03, 0.04).asDiagonal()},
                  {0.7, V(0.3, 0.0, 0.05), V(0.01, 0.05, 0.06).asDiagonal()},
                  {2.0, V(0.0, 0.1, 0.0), V(0.04, 0.05, 0.02).asDiagonal()}};
  const V z = V::UnitZ();
  model.joints = {
      guessed_at<double>(
          make_joint<double>(JointType::kRevolute, kGround, V(0, 0, 0), 0, V(0, 0, 0), z), 0.8),
      guessed_at<double>(
          make_joint<double>(JointType::kRevolute, 0, V(0.2, 0, 0), 1, V(0, 0, 0), z), -1.0),
      guessed_at<double>(
          make_joint<double>(JointType::kPrismatic, kGround, V(0, 0, 0), 2, V(0, 0, 0), V::UnitX()),
          0.75)};
  model.loops = {make_joint<double>(JointType::kRevolute, 2, V(0, 0, 0), 1, V(0.6, 0, 0), z)};
  Driver<double> driver;
  driver.kind = DriverKind::kCoordinate;
  driver.function = harmonic(0.8, 2.0, 0.4, 5.0);
  model.drivers = {driver};
  return model;
}

TEST(OracleDrivers, CoordinateFollowsItsFunctionThroughManyTurns) {
  Model<double> model = driven_slider();
  model.drivers[0].function = harmonic(0.8, 9.0, 0.4, 5.0);
  int checked = 0;
  const Observer<double> watch = [&](const Sample<double>& sample) {
    const Signal<double> expected = model.drivers[0].function(sample.time);
    const JointMotion motion =
        joint_motion(model, sample.state, sample.acceleration, model.joints[0]);
    EXPECT_NEAR(nearest_turn(motion.coordinate, expected.value), expected.value, 1e-11);
    EXPECT_NEAR(motion.rate, expected.rate, 1e-10);
    EXPECT_NEAR(motion.acceleration, expected.acceleration, 1e-9);
    ++checked;
  };
  const State<double> start = assemble(model);
  const Sample<double> end =
      integrate<double>(model, start, {.duration = 1.5, .steps = 600}, {}, watch);
  EXPECT_EQ(checked, 601);
  const double angle = model.drivers[0].function(1.5).value;
  const double reach =
      0.2 * std::cos(angle) + std::sqrt(0.36 - 0.04 * std::sin(angle) * std::sin(angle));
  const Vector3<double> origin = Vector3<double>::Zero();
  EXPECT_NEAR(point_position<double>(model, end.state, 2, origin)(0), reach, 1e-11);
}

// Kinetic and potential energy change by the work of the driver, taken from its multiplier.
TEST(OracleDrivers, EnergyGrowsByTheWorkOfTheDriver) {
  const Model<double> model = driven_slider();
  const Integrand<double> power = [&](const Model<double>& m, const State<double>& state,
                                      const VectorX<double>& acceleration) {
    const VectorX<double> forces = multipliers(m, state, acceleration);
    const double rate = joint_motion(m, state, acceleration, m.joints[0]).rate;
    return VectorX<double>::Constant(1, -forces(forces.size() - 1) * rate);
  };
  const State<double> start = assemble(model);
  const Sample<double> end =
      integrate<double>(model, start, {.duration = 0.9, .steps = 900}, power);
  const double gain = total_energy(model, end.state) - total_energy(model, start);
  EXPECT_NEAR(end.integrals(0), gain, 1e-8);
  EXPECT_GT(std::abs(gain), 0.5);
}

// A pendulum on a rope that is drawn in: it keeps to the closed form of polar coordinates.
TEST(OracleDrivers, DrivenDistanceIsTheVaryingPendulum) {
  using V = Vector3<double>;
  Model<double> model;
  model.gravity = V(0.0, -9.81, 0.0);
  model.bodies = {{2.0, V::Zero(), Matrix3<double>::Identity() * 0.1}};
  model.joints = {make_joint<double>(JointType::kPlanar, kGround, V::Zero(), 0, V::Zero())};
  const double angle = 0.4, turning = 0.9;
  const TimeFunction<double> f = harmonic(1.0, -0.3, 0.1, 3.0);
  const V along(std::sin(angle), -std::cos(angle), 0.0),
      across(std::cos(angle), std::sin(angle), 0);
  // The planar joint counts along its zero direction and across.
  const V zero = model.joints[0].zero, second = V::UnitZ().cross(zero);
  const V place = along, speed = f(0.0).rate * along + turning * across;
  model.joints[0].coordinates = V(place.dot(zero), place.dot(second), 0.0);
  model.joints[0].rates = V(speed.dot(zero), speed.dot(second), 0.0);
  model.drivers = {{DriverKind::kDistance, kGround, 0, V::Zero(), V::Zero(), 0, 0, f}};
  const State<double> state = assemble(model);
  const V acceleration = accelerations(model, state).head<3>();
  const double turning_acceleration = -2.0 * f(0.0).rate * turning - 9.81 * std::sin(angle);
  const V expected = (f(0.0).acceleration - turning * turning) * along +
                     (turning_acceleration + 2.0 * f(0.0).rate * turning) * across;
  EXPECT_LT((acceleration - expected).norm(), 1e-12);
  const Sample<double> end = integrate<double>(model, state, {.duration = 1.0, .steps = 400});
  EXPECT_NEAR(end.state.pose.head<3>().norm(), f(1.0).value, 1e-11);
}

TEST(OracleDrivers, CoincidentPointsAreASphericalJoint) {
  RandomPair<double> pair(JointType::kSpherical);
  Model<double>& jointed = pair.model;
  Model<double> driven = jointed;
  driven.joints[1].type = JointType::kFree;
  const Joint<double>& joint = jointed.joints[1];
  driven.drivers = {
      {DriverKind::kCoincident, 0, 1, joint.parent_point, joint.child_point, 0, 0, {}}};
  const State<double> state = assemble(jointed);
  EXPECT_LT((accelerations(driven, state) - accelerations(jointed, state)).norm(), 1e-11);
}

// Power of the applied forces against the change of energy: of everything at once.
TEST(OracleForces, EnergyGrowsByTheWorkOfTheLoads) {
  using V = Vector3<double>;
  for (const JointType type : kCoordinateTypes) {
    RandomPair<double> pair(type, 11);
    Model<double>& model = pair.model;
    model.gravity = V(1.0, -5.0, 2.0);
    const V size = V::Ones();
    model.bushings = {
        {kGround, 0, pair.vector(), pair.vector(), V(20, 30, 40), V::Zero(), V(5, 6, 7), V::Zero()},
        {0, 1, pair.vector(), pair.vector(), V(10, 15, 20), V::Zero(), V(3, 2, 1), V::Zero()}};
    for (int k = 0; k < coordinate_count(type); ++k)
      model.joint_forces.push_back({1, k, 12.0, 0.0, 0.3, {}});
    const State<double> start = assemble(model);
    const IntegrationOptions options{.duration = 0.5, .steps = 500};
    const Sample<double> end = integrate<double>(model, start, options);
    EXPECT_NEAR(total_energy(model, end.state), total_energy(model, start), 1e-8);
    EXPECT_GT(std::abs(kinetic_energy(model, end.state) - kinetic_energy(model, start)), 0.1);

    // Dampers only take energy, and as much as their power says.
    for (Bushing<double>& bushing : model.bushings) {
      bushing.damping = 2.0 * size;
      bushing.torsional_damping = size;
    }
    for (JointForce<double>& force : model.joint_forces) force.damping = 0.7;
    const Integrand<double> loss = [](const Model<double>& m, const State<double>& state,
                                      const VectorX<double>&) {
      double power = 0.0;
      for (const Bushing<double>& bushing : m.bushings) {
        const std::vector<Quantity<double>> q = bushing_motions(m, state, bushing);
        for (std::size_t i = 0; i < 6; ++i) power -= (i < 3 ? 2.0 : 1.0) * q[i].rate * q[i].rate;
      }
      for (const JointForce<double>& force : m.joint_forces) {
        const double rate = coordinate_quantity(m, state, m.joints[1], force.coordinate).rate;
        power -= 0.7 * rate * rate;
      }
      return VectorX<double>::Constant(1, power);
    };
    const Sample<double> damped = integrate<double>(model, start, options, loss);
    EXPECT_NEAR(total_energy(model, damped.state) - total_energy(model, start), damped.integrals(0),
                1e-7);
    EXPECT_LT(damped.integrals(0), -0.1);
  }
}

// A bushing is no load on the two bodies together: momentum changes only by what is outside.
TEST(OracleForces, BushingKeepsTheMomenta) {
  RandomPair<double> pair(JointType::kFree, 3);
  Model<double>& model = pair.model;
  const Vector3<double> k(20, 30, 40), c(1, 2, 3);
  model.bushings = {{0, 1, pair.vector(), pair.vector(), k, c, 0.3 * k, 0.2 * c}};
  const State<double> state = assemble(model);
  const Sample<double> end = integrate<double>(model, state, {.duration = 0.3, .steps = 300});
  EXPECT_LT((linear_momentum(model, end.state) - linear_momentum(model, state)).norm(), 1e-11);
  EXPECT_LT((angular_momentum(model, end.state) - angular_momentum(model, state)).norm(), 1e-8);
  EXPECT_GT(accelerations(model, state).norm(), 1.0);
}

// About one axis, the torque of a bushing goes with the angle.
TEST(OracleForces, BushingTorqueGoesWithTheAngle) {
  using V = Vector3<double>;
  const double angle = 0.6, rate = 1.3;
  Model<double> model;
  model.bodies = {{1.0, V::Zero(), V(0.2, 0.3, 0.4).asDiagonal()}};
  model.joints = {starting_at<double>(
      make_joint<double>(JointType::kRevolute, kGround, V::Zero(), 0, V::Zero(), V::UnitY()), angle,
      rate)};
  model.bushings = {
      {kGround, 0, V::Zero(), V::Zero(), V::Zero(), V::Zero(), V(5, 7, 9), V(0.5, 0.7, 0.9)}};
  const State<double> state = assemble(model);
  const double torque = -(7.0 * angle + 0.7 * rate);
  EXPECT_NEAR(accelerations(model, state)(4), torque / 0.3, 1e-12);
}

TEST(OracleForces, JointForceDrivesItsCoordinate) {
  Model<double> model = RandomPair<double>(JointType::kPrismatic).model;
  model.joint_forces = {{1, 0, 6.0, 0.5, 0.2, harmonic(1.0, 0.0, 2.0, 3.0)}};
  const State<double> state = assemble(model);
  Model<double> loaded = model;
  loaded.joint_forces.clear();
  const Quantity<double> z = coordinate_quantity(model, state, model.joints[1]);
  const double force = 1.0 + 2.0 * std::sin(3.0 * 0.4) - 6.0 * (z.value - 0.2) - 0.5 * z.rate;
  const Joint<double>& joint = model.joints[1];
  const Vector3<double> axis = body_motion(model, state, 0).rotation * joint.axis.normalized();
  const Vector3<double> place = point_position(model, state, 1, joint.child_point);
  const BodyMotion<double> parent = body_motion(model, state, 0);
  loaded.loads = {
      {false, 1, joint.child_point, false, axis * force, {0, 0, 0}, 0.0},
      {false,
       0,
       Vector3<double>(parent.rotation.transpose() * (place - parent.position) + parent.com),
       false,
       -axis * force,
       {0, 0, 0},
       0.0}};
  EXPECT_LT((accelerations(loaded, state, 0.4) - accelerations(model, state, 0.4)).norm(), 1e-11);
  EXPECT_GT(std::abs(force), 0.5);
}

// A force and a torque in body axes against the equations of a free body.
TEST(OracleForces, LoadsActInTheirAxes) {
  using V = Vector3<double>;
  for (const bool in_body_axes : {false, true}) {
    Model<double> model;
    model.bodies = {{2.0, V(0.1, 0.2, -0.3), V(0.2, 0.3, 0.4).asDiagonal()}};
    Joint<double> joint = make_joint<double>(JointType::kFree, kGround, V::Zero(), 0, V::Zero());
    joint.coordinates = zero_coordinates<double>(JointType::kFree);
    joint.coordinates.tail<4>() = Vector4<double>(0.8, 0.36, 0.48, 0.0);
    model.joints = {joint};
    const V point(0.5, -0.1, 0.2), force(1, 2, 3), swing(0.5, -0.4, 0.3), torque(-1, 0.5, 2);
    model.loads = {{false, 0, point, in_body_axes, force, swing, 2.0},
                   {true, 0, V::Zero(), in_body_axes, torque, swing, 2.0}};
    const State<double> state = assemble(model);
    const double time = 0.7;
    const Matrix3<double> rotation = body_motion(model, state, 0).rotation;
    const Matrix3<double> axes = in_body_axes ? rotation : Matrix3<double>::Identity();
    const V f = axes * (force + swing * std::sin(1.4)), n = axes * (torque + swing * std::sin(1.4));
    const V arm = rotation * (point - model.bodies[0].com);
    const VectorX<double> acceleration = accelerations(model, state, time);
    EXPECT_LT((acceleration.head<3>() - f / 2.0).norm(), 1e-13);
    const V moment = inertia_in_global_axes(model, state, 0) * acceleration.tail<3>();
    EXPECT_LT((moment - n - arm.cross(f)).norm(), 1e-12);
  }
}

// Newton and Euler for each body: its reactions, its loads and its inertia balance; what a joint
// exerts on the child it takes from the parent at the same point.
TEST(OracleReactions, BalanceEveryBody) {
  for (const JointType type :
       {JointType::kRevolute, JointType::kPrismatic, JointType::kCylindrical, JointType::kUniversal,
        JointType::kSpherical, JointType::kPlanar, JointType::kFixed}) {
    RandomPair<double> pair(type);
    Model<double>& model = pair.model;
    model.gravity = pair.vector() * 9.0;
    model.joints[0].type = JointType::kSpherical;
    model.joints[0].coordinates = model.joints[0].coordinates.tail<4>().eval();
    model.joints[0].rates = model.joints[0].rates.tail<3>().eval();
    if (coordinate_count(type) < 4 && coordinate_count(type) > 0)
      model.joint_forces = {{1, 0, 5.0, 1.0, 0.4, {}}};
    const State<double> state = assemble(model);
    const VectorX<double> acceleration = accelerations(model, state);
    const std::vector<Wrench> on_child = joint_wrenches(model, state, acceleration);
    Model<double> without = model;
    without.joint_forces.clear();
    VectorX<double> missing =
        mass_matrix(model, state) * acceleration - load_vector(without, state, 0.0);
    const auto add = [&](int body, const Wrench& wrench, const Vector3<double>& place,
                         double sign) {
      const Vector3<double> arm = place - body_motion(model, state, body).position;
      missing.segment<3>(6 * body) -= sign * wrench.force;
      missing.segment<3>(6 * body + 3) -= sign * (wrench.moment + arm.cross(wrench.force));
    };
    for (std::size_t j = 0; j < 2; ++j) {
      const Joint<double>& joint = model.joints[j];
      const Vector3<double> place = point_position(model, state, joint.child, joint.child_point);
      add(joint.child, on_child[j], place, 1.0);
      if (joint.parent != kGround) add(joint.parent, on_child[j], place, -1.0);
    }
    EXPECT_LT(missing.norm(), 1e-10);
    EXPECT_GT(on_child[1].force.norm(), 0.1);
  }
}

// A pendulum at rest below its hinge, the hinge as tree joint, as loop, and turned round.
TEST(OracleReactions, HangingPendulumWeighsOnItsHinge) {
  using V = Vector3<double>;
  Model<double> model;
  model.gravity = V(0.0, 0.0, -10.0);
  model.bodies = {{2.0, V(0.4, 0.0, 0.0), V(0.1, 0.1, 0.1).asDiagonal()}};
  // The axis along x: the weight's moment is held by the hinge.
  Joint<double> hinge =
      make_joint<double>(JointType::kRevolute, kGround, V(0, 0, 1), 0, V(0, 0, 0), V::UnitX());
  model.joints = {hinge};
  const State<double> state = assemble(model);
  const auto expect_weight = [&](const Model<double>& m, std::size_t joint, double sign) {
    const Wrench wrench = joint_reactions(m, state, accelerations(m, state))[joint];
    EXPECT_LT((wrench.force - sign * V(0, 0, 20)).norm(), 1e-12);
    EXPECT_LT((wrench.moment - sign * V(0, -8, 0)).norm(), 1e-12);
  };
  expect_weight(model, 0, 1.0);
  Model<double> cut = model;
  cut.loops = {hinge};
  cut.joints[0] = make_joint<double>(JointType::kFree, kGround, V::Zero(), 0, V::Zero());
  expect_weight(cut, 1, 1.0);
  std::swap(cut.loops[0].parent, cut.loops[0].child);
  std::swap(cut.loops[0].parent_point, cut.loops[0].child_point);
  expect_weight(cut, 1, -1.0);
}

}  // namespace
}  // namespace oracle
