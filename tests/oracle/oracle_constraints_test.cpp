// The constraint equations of every joint against complex steps of themselves, and the placement of
// joints against them.
#include <gtest/gtest.h>

#include <random>

#include "tests/oracle/oracle.hpp"

namespace oracle {
namespace {

constexpr double kStep = 1e-30;

class Joints : public testing::TestWithParam<JointType> {
 protected:
  double random() { return uniform_(generator_); }

  template <typename S>
  Vector3<S> random_vector() {
    const double a = random(), b = random(), c = random();
    return Vector3<S>(S(a), S(b), S(c));
  }

  // Two bodies: one turning about a ground axis, and the second on it by the joint under test, all
  // directions random.
  Model<Complex> random_pair() {
    Model<Complex> model;
    for (int body = 0; body < 2; ++body) {
      const Matrix3<Complex> root =
          Matrix3<Complex>(skew(random_vector<Complex>())) + Matrix3<Complex>::Identity();
      model.bodies.push_back(
          {Complex(1.5 + random()), random_vector<Complex>(), root * root.transpose()});
    }
    Joint<Complex> base =
        make_joint<Complex>(JointType::kFree, kGround, random_vector<Complex>(), 0,
                            random_vector<Complex>(), random_vector<Complex>());
    Joint<Complex> joint =
        make_joint<Complex>(GetParam(), 0, random_vector<Complex>(), 1, random_vector<Complex>(),
                            random_vector<Complex>(), random_vector<Complex>(),
                            random_vector<Complex>(), random_vector<Complex>());
    for (Joint<Complex>* each : {&base, &joint}) {
      each->coordinates = zero_coordinates<Complex>(each->type);
      for (Complex& coordinate : each->coordinates) coordinate += random();
      each->rates.resize(rate_count(each->type));
      for (Complex& rate : each->rates) rate = random();
    }
    model.joints = {base, joint};
    return model;
  }

  // A state that has nothing to do with the joints.
  State<Complex> random_state() {
    State<Complex> state(2);
    for (Complex& value : state.pose) value += random();
    for (Complex& value : state.velocity) value = random();
    return state;
  }

 private:
  std::mt19937 generator_{7};
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

TEST_P(Joints, JacobianIsTheDerivativeOfTheValue) {
  const Model<Complex> model = random_pair();
  const State<Complex> state = random_state();
  const Constraints<Complex> nominal = evaluate_constraints(model, state);
  for (int column = 0; column < 12; ++column) {
    State<Complex> moved = state;
    moved.velocity.setZero();
    moved.velocity(column) = 1.0;
    moved.pose += pose_rate(moved) * Complex(0.0, kStep);
    const VectorX<double> derivative = evaluate_constraints(model, moved).value.imag() / kStep;
    EXPECT_LT(largest_real(derivative - nominal.jacobian.col(column).real()), 1e-13) << column;
  }
}

TEST_P(Joints, RightHandSideIsTheDerivativeOfTheJacobian) {
  const Model<Complex> model = random_pair();
  const State<Complex> state = random_state();
  State<Complex> moved = state;
  moved.pose += pose_rate(state) * Complex(0.0, kStep);
  const VectorX<Complex> rate = evaluate_constraints(model, moved).jacobian * state.velocity;
  const VectorX<double> bias = rate.imag() / kStep;
  const VectorX<double> right = evaluate_constraints(model, state).acceleration.real();
  EXPECT_LT(largest_real(bias + right), 1e-12);
  if (GetParam() != JointType::kFree) {
    EXPECT_GT(largest_real(right), 1e-2);
  }
}

TEST_P(Joints, PlacedBodiesSatisfyTheConstraints) {
  const Model<Complex> model = random_pair();
  const State<Complex> state = place_tree(model, start_values(model));
  const Constraints<Complex> constraints = evaluate_constraints(model, state);
  EXPECT_LT(largest_real(constraints.value), 1e-13);
  EXPECT_LT(largest_real(constraints.jacobian * state.velocity), 1e-13);
  EXPECT_EQ(static_cast<int>(independent_rows<Complex>(constraints.jacobian).size()),
            constraint_count(GetParam()));
  EXPECT_EQ(rate_count(GetParam()) + constraint_count(GetParam()), 6);
}

TEST_P(Joints, PlacementMovesAsTheRatesSay) {
  const Model<Complex> model = random_pair();
  const JointValues<Complex> values = start_values(model);
  JointValues<Complex> moved = values;
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const Joint<Complex>& joint = model.joints[i];
    const VectorX<Complex> change = values.rates[i] * Complex(0.0, kStep);
    // Euler parameters of the joint turn in parent axes, as the rates of these joints are defined.
    change_coordinates(joint.type, change, moved.coordinates[i]);
  }
  const State<Complex> state = place_tree(model, values);
  const State<Complex> shifted = place_tree(model, moved);
  const VectorX<double> derivative = shifted.pose.imag() / kStep;
  EXPECT_LT(largest_real(derivative - pose_rate(state).real()), 1e-13);
}

TEST_P(Joints, BothRoutesGiveTheSameAccelerations) {
  const Model<Complex> model = random_pair();
  const State<Complex> state = place_tree(model, start_values(model));
  const VectorX<Complex> eliminated = accelerations(model, state);

  Model<double> real_model;
  for (const Body<Complex>& body : model.bodies) {
    real_model.bodies.push_back({body.mass.real(), body.com.real(), body.inertia.real()});
  }
  for (const Joint<Complex>& joint : model.joints) {
    real_model.joints.push_back(make_joint<double>(
        joint.type, joint.parent, joint.parent_point.real(), joint.child, joint.child_point.real(),
        joint.axis.real(), joint.zero.real(), joint.child_axis.real(), joint.child_zero.real()));
  }
  State<double> real_state(2);
  real_state.pose = state.pose.real();
  real_state.velocity = state.velocity.real();
  const VectorX<double> by_null_space = accelerations(real_model, real_state);
  EXPECT_LT(largest_real(by_null_space - eliminated.real()), 1e-11 * largest_real(by_null_space));
}

std::string type_name(const testing::TestParamInfo<JointType>& info) {
  switch (info.param) {
    case JointType::kFixed:
      return "Fixed";
    case JointType::kRevolute:
      return "Revolute";
    case JointType::kPrismatic:
      return "Prismatic";
    case JointType::kCylindrical:
      return "Cylindrical";
    case JointType::kUniversal:
      return "Universal";
    case JointType::kSpherical:
      return "Spherical";
    case JointType::kPlanar:
      return "Planar";
    case JointType::kFree:
      return "Free";
  }
  return "Unknown";
}

INSTANTIATE_TEST_SUITE_P(All, Joints,
                         testing::Values(JointType::kFixed, JointType::kRevolute,
                                         JointType::kPrismatic, JointType::kCylindrical,
                                         JointType::kUniversal, JointType::kSpherical,
                                         JointType::kPlanar, JointType::kFree),
                         type_name);

}  // namespace
}  // namespace oracle
