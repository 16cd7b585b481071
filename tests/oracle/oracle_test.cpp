// The oracle against closed forms and conservation laws: pendulum, incline, double pendulum, free
// body, order of the integrator, complex step through a whole motion.
#include <gtest/gtest.h>

#include "tests/oracle/mechanisms.hpp"

namespace oracle {
namespace {

template <typename S>
Model<S> pendulum(const S& distance, const S& angle) {
  using V = Vector3<S>;
  Model<S> model;
  model.gravity = V::UnitY() * S(-9.81);
  // Hangs along -y at angle zero; the origin of the body's axes is the pivot.
  model.bodies = {{S(2.0), V::UnitY() * -distance, Matrix3<S>(Matrix3<S>::Identity() * S(0.3))}};
  model.joints = {starting_at<S>(
      make_joint<S>(JointType::kRevolute, kGround, V(V::UnitX()), 0, V(V::Zero()), V(V::UnitZ())),
      angle)};
  return model;
}

TEST(Oracle, PendulumHasThePeriodOfTheEllipticIntegral) {
  const double distance = 0.7, amplitude = 2.0;
  const double frequency = std::sqrt(2.0 * 9.81 * distance / (0.3 + 2.0 * distance * distance));
  const double period = 4.0 / frequency * std::comp_ellint_1(std::sin(amplitude / 2.0));
  const Model<double> model = pendulum<double>(distance, amplitude);
  const State<double> start = assemble(model);
  const Sample<double> end = integrate<double>(model, start, {.duration = period, .steps = 2000});
  EXPECT_NEAR(joint_motion(model, end.state, end.acceleration, model.joints[0]).coordinate,
              amplitude, 1e-9);
  EXPECT_NEAR(joint_motion(model, end.state, end.acceleration, model.joints[0]).rate, 0.0, 1e-9);
  const Sample<double> quarter =
      integrate<double>(model, start, {.duration = period / 4.0, .steps = 500});
  const JointMotion bottom =
      joint_motion(model, quarter.state, quarter.acceleration, model.joints[0]);
  EXPECT_NEAR(bottom.coordinate, 0.0, 1e-9);
  EXPECT_NEAR(bottom.rate, -2.0 * frequency * std::sin(amplitude / 2.0), 1e-9);
}

TEST(Oracle, PendulumAccelerationIsTheClosedForm) {
  const double distance = 0.7, angle = 0.4, rate = 1.7;
  Model<double> model = pendulum<double>(distance, angle);
  model.joints[0].rates = VectorX<double>::Constant(1, rate);
  const State<double> state = assemble(model);
  const VectorX<double> acceleration = accelerations(model, state);
  const double expected =
      -2.0 * 9.81 * distance * std::sin(angle) / (0.3 + 2.0 * distance * distance);
  EXPECT_NEAR(acceleration(5), expected, 1e-13);
  EXPECT_NEAR(joint_motion(model, state, acceleration, model.joints[0]).acceleration, expected,
              1e-13);
  const Vector3<double> point(0.2, -0.5, 0.1), arm(0.2, -0.5, 0.0);
  const Vector3<double> turned = Eigen::AngleAxisd(angle, Vector3<double>::UnitZ()) * arm;
  const Vector3<double> expected_point =
      expected * Vector3<double>::UnitZ().cross(turned) - rate * rate * turned;
  EXPECT_LT((point_acceleration(model, state, acceleration, 0, point) - expected_point).norm(),
            1e-13);
}

TEST(Oracle, ObservedOrderIsFour) {
  for (const bool project : {false, true}) {
    const Model<double> model = five_bar<double>();
    const State<double> start = assemble(model);
    const auto run = [&](int steps) {
      return integrate<double>(model, start, {.duration = 1.0, .steps = steps, .project = project},
                               five_bar_integrands<double>);
    };
    const Sample<double> coarse = run(50), middle = run(100), fine = run(200);
    const double order = std::log2((coarse.state.pose - middle.state.pose).norm() /
                                   (middle.state.pose - fine.state.pose).norm());
    const double quadrature_order = std::log2((coarse.integrals - middle.integrals).norm() /
                                              (middle.integrals - fine.integrals).norm());
    EXPECT_NEAR(order, 4.0, 0.4) << "projection " << project;
    EXPECT_NEAR(quadrature_order, 4.0, 0.4) << "projection " << project;
  }
}

TEST(Oracle, DoublePendulumInSpaceKeepsItsEnergy) {
  using V = Vector3<double>;
  Model<double> model;
  model.gravity = V(0.0, 0.0, -9.81);
  const Matrix3<double> inertia = V(0.02, 0.05, 0.04).asDiagonal();
  model.bodies = {{1.2, V(0.1, 0.0, -0.4), inertia}, {0.7, V(0.0, 0.2, -0.3), inertia}};
  model.joints = {starting_at<double>(make_joint<double>(JointType::kRevolute, kGround, V(0, 0, 0),
                                                         0, V(0, 0, 0), V(1, 0, 0)),
                                      1.1),
                  starting_at<double>(make_joint<double>(JointType::kRevolute, 0, V(0, 0, -0.8), 1,
                                                         V(0, 0, 0), V(0.2, 1, 0)),
                                      -0.6, 3.0)};
  const State<double> start = assemble(model);
  const double energy = total_energy(model, start);
  double kinetic_range = 0.0;
  const Observer<double> watch = [&](const Sample<double>& sample) {
    EXPECT_NEAR(total_energy(model, sample.state), energy, 1e-8);
    kinetic_range = std::max(kinetic_range, kinetic_energy(model, sample.state));
  };
  const Sample<double> end =
      integrate<double>(model, start, {.duration = 3.0, .steps = 3000}, {}, watch);
  EXPECT_GT(kinetic_range, 5.0);
  const Constraints<double> constraints = evaluate_constraints(model, end.state);
  EXPECT_LT(constraints.value.norm(), 1e-12);
  EXPECT_LT((constraints.jacobian * end.state.velocity).norm(), 1e-12);
}

// Rotation about the middle axis turns over; energy and angular momentum do not change.
TEST(Oracle, FreeBodyTumblesWithConstantMomentum) {
  using V = Vector3<double>;
  Model<double> model;
  model.bodies = {{3.0, V(0.1, 0.2, 0.3), V(1.0, 2.0, 3.0).asDiagonal()}};
  Joint<double> joint = make_joint<double>(JointType::kFree, kGround, V(0, 0, 0), 0, V(0, 0, 0));
  joint.rates.resize(6);
  joint.rates << 0.3, -0.2, 0.5, 1e-3, 5.0, 1e-3;
  model.joints = {joint};
  const State<double> start = assemble(model);
  const double energy = kinetic_energy(model, start);
  const V momentum = angular_momentum(model, start), push = linear_momentum(model, start);
  double lowest = 1.0;
  const Observer<double> watch = [&](const Sample<double>& sample) {
    EXPECT_NEAR(kinetic_energy(model, sample.state), energy, 1e-8);
    EXPECT_LT((angular_momentum(model, sample.state) - momentum).norm(), 1e-8);
    EXPECT_LT((linear_momentum(model, sample.state) - push).norm(), 1e-12);
    const BodyMotion<double> motion = body_motion(model, sample.state, 0);
    lowest = std::min(lowest, (motion.rotation.transpose() * motion.angular_velocity)(1) / 5.0);
  };
  const Sample<double> end =
      integrate<double>(model, start, {.duration = 10.0, .steps = 5000}, {}, watch);
  EXPECT_LT(lowest, -0.99);
  const V travelled = end.state.pose.head<3>() - start.pose.head<3>();
  EXPECT_LT((travelled - 10.0 * start.velocity.head<3>()).norm(), 1e-10);
}

// A heavy top on a spherical joint keeps its energy and the momentum about the vertical.
TEST(Oracle, TopKeepsItsVerticalMomentum) {
  using V = Vector3<double>;
  Model<double> model;
  model.gravity = V(0.0, 0.0, -9.81);
  model.bodies = {{1.0, V(0.0, 0.0, 0.3), V(0.02, 0.02, 0.01).asDiagonal()}};
  Joint<double> joint =
      make_joint<double>(JointType::kSpherical, kGround, V(0, 0, 0), 0, V(0, 0, 0));
  joint.coordinates = Vector4<double>(std::cos(0.2), std::sin(0.2), 0.0, 0.0);
  joint.rates = V(0.0, -10.0, 30.0);
  model.joints = {joint};
  const State<double> start = assemble(model);
  const double energy = total_energy(model, start), momentum = angular_momentum(model, start)(2);
  const Sample<double> end = integrate<double>(model, start, {.duration = 2.0, .steps = 4000});
  EXPECT_NEAR(total_energy(model, end.state), energy, 1e-7);
  EXPECT_NEAR(angular_momentum(model, end.state)(2), momentum, 1e-8);
}

TEST(Oracle, SliderOnInclineAcceleratesUniformly) {
  using V = Vector3<double>;
  const double slope = 0.6, rate = 0.4, duration = 1.5;
  Model<double> model;
  model.gravity = V(0.0, -9.81, 0.0);
  model.bodies = {{2.5, V(0.3, 0.1, 0.0), V(0.1, 0.2, 0.3).asDiagonal()}};
  model.joints = {starting_at<double>(
      make_joint<double>(JointType::kPrismatic, kGround, V(0.1, 0, 0), 0, V(0, 0.2, 0),
                         V(std::cos(slope), -std::sin(slope), 0.0)),
      0.25, rate)};
  const double expected = 9.81 * std::sin(slope);
  const Sample<double> end =
      integrate<double>(model, assemble(model), {.duration = duration, .steps = 10});
  const JointMotion motion = joint_motion(model, end.state, end.acceleration, model.joints[0]);
  EXPECT_NEAR(motion.acceleration, expected, 1e-12);
  EXPECT_NEAR(motion.rate, rate + expected * duration, 1e-12);
  EXPECT_NEAR(motion.coordinate, 0.25 + rate * duration + 0.5 * expected * duration * duration,
              1e-12);
}

// A mass on a spring and damper along a line: the damped oscillation is known.
TEST(Oracle, DampedOscillatorIsTheClosedForm) {
  using V = Vector3<double>;
  const double mass = 2.0, stiffness = 50.0, damping = 3.0, natural = 1.5, start_stretch = 0.3,
               duration = 2.0;
  Model<double> model;
  model.bodies = {{mass, V(0, 0, 0), Matrix3<double>::Identity()}};
  model.joints = {starting_at<double>(
      make_joint<double>(JointType::kPrismatic, kGround, V(0, 0, 0), 0, V(0, 0, 0), V(1, 0, 0)),
      natural + start_stretch)};
  model.springs = {{kGround, 0, V(0, 0, 0), V(0, 0, 0), stiffness, damping, natural}};
  const Sample<double> end =
      integrate<double>(model, assemble(model), {.duration = duration, .steps = 4000});
  const double decay = damping / (2.0 * mass);
  const double frequency = std::sqrt(stiffness / mass - decay * decay);
  const double expected =
      start_stretch * std::exp(-decay * duration) *
      (std::cos(frequency * duration) + decay / frequency * std::sin(frequency * duration));
  EXPECT_NEAR(end.state.pose(0) - natural, expected, 1e-11);
}

// Complex step through a whole motion against central differences of the same motion.
TEST(Oracle, ComplexStepAgreesWithDifferences) {
  const IntegrationOptions options{.duration = 1.0, .steps = 200};
  const double step = 1e-30, difference = 1e-4;
  const Model<Complex> perturbed = pendulum<Complex>(Complex(0.7, step), Complex(2.0));
  const VectorX<double> derivative =
      integrate<Complex>(perturbed, assemble(perturbed), options).state.pose.imag() / step;
  const auto run = [&](double distance) {
    const Model<double> model = pendulum<double>(distance, 2.0);
    return integrate<double>(model, assemble(model), options).state.pose;
  };
  const VectorX<double> expected =
      (run(0.7 + difference) - run(0.7 - difference)) / (2.0 * difference);
  EXPECT_LT((derivative - expected).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT(derivative.cwiseAbs().maxCoeff(), 0.1);
}

// Every joint type once along a branched tree with springs: loads do work only through energy that
// is counted.
TEST(Oracle, TreeOfEveryJointKeepsItsEnergy) {
  using V = Vector3<double>;
  const JointType types[] = {JointType::kRevolute,    JointType::kPrismatic, JointType::kUniversal,
                             JointType::kCylindrical, JointType::kSpherical, JointType::kPlanar,
                             JointType::kFixed};
  Model<double> model;
  model.gravity = V(1.0, -2.0, -9.0);
  for (int body = 0; body < 7; ++body) {
    const double x = 0.1 * body;
    model.bodies.push_back({1.0 + x, V(0.2, x, -0.1), V(0.3, 0.4 + x, 0.5 + x).asDiagonal()});
    Joint<double> joint =
        make_joint<double>(types[body], body == 0 ? kGround : (body - 1) / 2, V(0.5, -x, 0.2), body,
                           V(-0.3, 0.1, x), V(1.0, x, 0.5 - x));
    joint.coordinates = zero_coordinates<double>(types[body]);
    joint.rates = VectorX<double>::LinSpaced(rate_count(types[body]), 0.5, 1.0);
    model.joints.push_back(joint);
    model.springs.push_back({kGround, body, V(0, 0, 1), V(0.3, 0.2, x), 40.0, 0.0, 1.0});
  }
  const State<double> start = assemble(model);
  const double energy = total_energy(model, start);
  const Sample<double> end = integrate<double>(model, start, {.duration = 1.0, .steps = 1000});
  EXPECT_NEAR(total_energy(model, end.state), energy, 1e-8);
  EXPECT_GT(std::abs(kinetic_energy(model, end.state) - kinetic_energy(model, start)), 1.0);
  EXPECT_LT(evaluate_constraints(model, end.state).value.norm(), 1e-11);
}

// A door on two hinges has five equations too many and moves as on one.
TEST(Oracle, RedundantHingeChangesNothing) {
  using V = Vector3<double>;
  const V axis = V(0.3, -0.5, 0.8).normalized(), hinge(0.1, 0.2, 0.3);
  Model<double> model;
  model.gravity = V(0.0, 0.0, -9.81);
  model.bodies = {{2.0, V(0.4, 0.3, 0.1), V(0.1, 0.2, 0.25).asDiagonal()}};
  model.joints = {starting_at<double>(
      make_joint<double>(JointType::kRevolute, kGround, hinge, 0, V(0, 0, 0), axis), 0.3, 2.0)};
  Model<double> doubled = model;
  doubled.loops = {make_joint<double>(JointType::kRevolute, kGround, V(hinge + 0.7 * axis), 0,
                                      V(0.7 * axis), axis)};
  const State<double> start = assemble(doubled);
  EXPECT_EQ(evaluate_constraints(doubled, start).value.size(), 10);
  EXPECT_LT((accelerations(doubled, start) - accelerations(model, start)).norm(), 1e-12);
  const IntegrationOptions options{.duration = 2.0, .steps = 2000};
  const Sample<double> one = integrate<double>(model, start, options),
                       two = integrate<double>(doubled, start, options);
  EXPECT_LT((two.state.pose - one.state.pose).norm(), 1e-9);
  EXPECT_LT((accelerations(doubled, two.state) - two.acceleration).norm(), 1e-9);
}

TEST(Oracle, RefusesWhatCannotBeAssembled) {
  FiveBarParameters<double> parameters;
  parameters.length_a1 = 9.0;
  EXPECT_THROW(assemble(five_bar<double>(parameters)), std::runtime_error);
  Model<double> orphan = five_bar<double>();
  orphan.joints.pop_back();
  EXPECT_THROW(assemble(orphan), std::invalid_argument);
  Model<double> contradiction = five_bar<double>();
  for (Joint<double>& joint : contradiction.joints) {
    joint.dependent = false;
    joint.coordinates = VectorX<double>();
  }
  EXPECT_THROW(assemble(contradiction), std::runtime_error);
}

TEST(Oracle, FurtherLoadsAct) {
  Model<double> model = pendulum<double>(0.7, 0.0);
  model.gravity.setZero();
  model.extra_load = [](const Model<double>&, const State<double>&, double time,
                        VectorX<double>& load) { load(5) += 4.0 * time; };
  const Sample<double> end =
      integrate<double>(model, assemble(model), {.duration = 1.0, .steps = 200});
  const double inertia = 0.3 + 2.0 * 0.7 * 0.7;
  EXPECT_NEAR(end.state.velocity(5), 2.0 / inertia, 1e-9);
}

}  // namespace
}  // namespace oracle
