// Published mechanisms, described for the oracle. Their reference values stand in the tests that
// use them.
#pragma once

#include "tests/oracle/oracle.hpp"

namespace oracle {

// A thin bar along the x axis of its body, from the origin.
template <typename S>
Body<S> thin_bar(const S& mass, const S& com, double inertia) {
  Body<S> body;
  body.mass = mass;
  body.com(0) = com;
  body.inertia(1, 1) = body.inertia(2, 2) = S(inertia);
  return body;
}

// Parameters of the five-bar in the order of the published gradients.
template <typename S>
struct FiveBarParameters {
  S natural_length_1 = S(std::sqrt(5.0));
  S natural_length_2 = S(std::sqrt(17.0) / 2.0);
  S mass_a1 = S(1.0);
  S com_a1 = S(std::sqrt(2.0) / 2.0);
  S length_a1 = S(std::sqrt(2.0));

  S& operator[](int i) {
    S* const all[] = {&natural_length_1, &natural_length_2, &mass_a1, &com_a1, &length_a1};
    return *all[i];
  }
};

constexpr int kFiveBarParameterCount = 5;

// Bars A-1, 1-2, 2-3, 3-B between the ground points A = (0, 0, 0) and B = (1, 0, 0), two springs
// from B. Cut at B. The inertia of the first bar answers to no parameter; the angles at A and 1 are
// kept when its length changes.
template <typename S>
Model<S> five_bar(const FiveBarParameters<S>& parameters = {}) {
  using V = Vector3<S>;
  const double pi = std::acos(-1.0);
  const S short_length(std::sqrt(2.0)), long_length(std::sqrt(13.0) / 2.0);
  const S half(0.5);
  const V origin = V::Zero(), b = V::UnitX(), z = V::UnitZ();
  const V end_a1 = V::UnitX() * parameters.length_a1;
  const V end_long = V::UnitX() * long_length;
  const V end_short = V::UnitX() * short_length;
  const auto hinge = [&](int parent, const V& parent_point, int child, const V& child_point) {
    return make_joint<S>(JointType::kRevolute, parent, parent_point, child, child_point, z);
  };

  Model<S> model;
  model.gravity = V::UnitY() * S(-9.81);
  model.bodies = {thin_bar<S>(parameters.mass_a1, parameters.com_a1, 1.0 / 6.0),
                  thin_bar<S>(S(1.5), long_length * half, 0.40625),
                  thin_bar<S>(S(1.5), long_length * half, 0.40625),
                  thin_bar<S>(S(1.0), short_length * half, 1.0 / 6.0)};
  model.joints = {starting_at<S>(hinge(kGround, origin, 0, origin), S(-0.75 * pi)),
                  starting_at<S>(hinge(0, end_a1, 1, origin), S(0.25 * pi + std::atan(1.5))),
                  guessed_at<S>(hinge(1, end_long, 2, origin), S(1.2)),
                  guessed_at<S>(hinge(2, end_long, 3, origin), S(1.8))};
  model.loops = {hinge(kGround, b, 3, end_short)};
  model.springs = {{kGround, 0, b, end_a1, S(100.0), S(0.0), parameters.natural_length_1},
                   {kGround, 1, b, end_long, S(100.0), S(0.0), parameters.natural_length_2}};
  return model;
}

// Integrands of the five-bar's objectives: squared distance of point 2 from its start, squared
// velocity, acceleration.
template <typename S>
VectorX<S> five_bar_integrands(const Model<S>& model, const State<S>& state,
                               const VectorX<S>& acceleration) {
  const Vector3<S> point = Vector3<S>::UnitX() * S(std::sqrt(13.0) / 2.0);
  const Vector3<S> start(S(0.5), S(-2.0), S(0.0));
  const Vector3<S> r = point_position<S>(model, state, 1, point) - start;
  const Vector3<S> v = point_velocity<S>(model, state, 1, point);
  const Vector3<S> a = point_acceleration<S>(model, state, acceleration, 1, point);
  VectorX<S> integrands(3);
  integrands << inner(r, r), inner(v, v), inner(a, a);
  return integrands;
}

// Bodies of the spatial slider-crank.
enum SliderCrankBody { kCrank = 0, kSlider = 1, kRod = 2 };

// Crank (revolute about global x at A), rod (spherical at the crank, universal at the slider),
// slider (prismatic along x). The universal joint has one axis along the slide and one fixed in the
// rod. Cut at the spherical joint. The rod's x axis lies along itself from the slider's point C to
// B. Starts at 6 rad/s with the crank upright.
template <typename S>
Model<S> slider_crank() {
  using V = Vector3<S>;
  const V origin = V::Zero(), x = V::UnitX(), y = V::UnitY(), z = V::UnitZ();
  const V a(S(0.0), S(0.1), S(0.12)), b(S(0.0), S(0.1), S(0.2)), c(S(0.2), S(0.0), S(0.0));
  const auto inertia = [](double xx, double yy, double zz) {
    return Matrix3<S>(V(S(xx), S(yy), S(zz)).asDiagonal());
  };
  Model<S> model;
  model.gravity = z * S(-9.81);
  model.bodies = {{S(0.12), z * S(0.04), inertia(1e-4, 1e-4, 1e-5)},
                  {S(2.0), origin, inertia(1e-4, 1e-4, 1e-4)},
                  {S(0.5), x * S(0.15), inertia(4e-4, 4e-3, 4e-3)}};
  // Directions at the start, with which the universal joint is at its zero: the rod's own axis (y
  // of the rod) is normal to the slide and to the rod.
  const V along = unit(V(b - c));
  const V rod_axis = unit(cross(x, along));
  Matrix3<S> rod_axes;
  rod_axes << along, rod_axis, cross(along, rod_axis);
  model.joints = {
      starting_at<S>(make_joint<S>(JointType::kRevolute, kGround, a, kCrank, origin, x), S(0.0),
                     S(6.0)),
      guessed_at<S>(make_joint<S>(JointType::kPrismatic, kGround, c, kSlider, origin, x), S(0.0)),
      make_joint<S>(JointType::kUniversal, kSlider, origin, kRod, origin, x, rod_axis, y,
                    V(rod_axes.transpose() * x))};
  model.joints.back().dependent = true;
  model.loops = {make_joint<S>(JointType::kSpherical, kCrank, V(z * S(0.08)), kRod, V(x * S(0.3)))};
  return model;
}

// What the variant with a spring-damper between the ground and point D of the slider is
// differentiated with respect to.
template <typename S>
struct SliderCrankParameters {
  S slider_mass = S(2.0), stiffness = S(10.0), damping = S(1.0), natural_length = S(0.25);

  S& operator[](int i) {
    S* const all[] = {&slider_mass, &stiffness, &damping, &natural_length};
    return *all[i];
  }
};

constexpr int kSliderCrankParameterCount = 4;

template <typename S>
Vector3<S> slider_crank_point_d() {
  return Vector3<S>::UnitX() * S(0.05);
}

template <typename S>
Model<S> slider_crank_with_spring(const SliderCrankParameters<S>& parameters = {}) {
  Model<S> model = slider_crank<S>();
  model.bodies[kSlider].mass = parameters.slider_mass;
  model.springs = {{kGround, kSlider, Vector3<S>::Zero(), slider_crank_point_d<S>(),
                    parameters.stiffness, parameters.damping, parameters.natural_length}};
  return model;
}

// Squared distance of D from its start, squared velocity, squared acceleration.
template <typename S>
VectorX<S> slider_crank_integrands(const Model<S>& model, const State<S>& state,
                                   const VectorX<S>& acceleration) {
  const Vector3<S> d = slider_crank_point_d<S>();
  const Vector3<S> start = Vector3<S>::UnitX() * S(0.25);
  const Vector3<S> r = point_position<S>(model, state, kSlider, d) - start;
  const Vector3<S> v = point_velocity<S>(model, state, kSlider, d);
  const Vector3<S> a = point_acceleration<S>(model, state, acceleration, kSlider, d);
  VectorX<S> integrands(3);
  integrands << inner(r, r), inner(v, v), inner(a, a);
  return integrands;
}

}  // namespace oracle
