// The spatial slider-crank (revolute, prismatic, universal and spherical joint in one loop) against
// converged values of an independent one-coordinate model with exact kinematics.
#include <gtest/gtest.h>

#include "tests/oracle/mechanisms.hpp"

namespace oracle {
namespace {

// t, crank angle, crank speed, position and velocity of the slider.
constexpr double kSliderCrankPoints[5][5] = {
    {1, 10.91359073, 10.42759300, 0.211721661, -0.50349187},
    {2, 21.07274451, 22.58423993, 0.289085197, 0.21653943},
    {3, 32.00832775, 5.91617034, 0.228484813, 0.31063962},
    {4, 43.60175389, 9.53945496, 0.188230475, 0.19572607},
    {5, 54.33333214, 11.49499636, 0.240719575, -0.59598441}};

// At 0.5 ms seven digits are right; at 0.125 ms all that are printed.
TEST(SliderCrank, MotionPassesTheCheckPoints) {
  const Model<double> model = slider_crank<double>();
  const State<double> start = assemble(model);
  const Vector3<double> c = Vector3<double>::Zero();
  EXPECT_NEAR(total_energy(model, start), 0.766435680, 1e-9);
  EXPECT_NEAR(point_position<double>(model, start, kSlider, c)(0), 0.2, 1e-13);
  EXPECT_NEAR(point_velocity<double>(model, start, kSlider, c)(0), 0.24, 1e-13);
  int checked = 0;
  const Observer<double> compare = [&](const Sample<double>& sample) {
    if (checked >= 5 || std::abs(sample.time - kSliderCrankPoints[checked][0]) > 1e-9) return;
    const double* expected = kSliderCrankPoints[checked++];
    const JointMotion crank =
        joint_motion(model, sample.state, sample.acceleration, model.joints[0]);
    const Vector3<double> r = point_position<double>(model, sample.state, kSlider, c);
    const Vector3<double> v = point_velocity<double>(model, sample.state, kSlider, c);
    EXPECT_NEAR(std::remainder(crank.coordinate - expected[1], 2.0 * std::acos(-1.0)), 0.0, 1e-6)
        << sample.time;
    EXPECT_NEAR(crank.rate, expected[2], 1e-5) << sample.time;
    EXPECT_NEAR(r(0), expected[3], 1e-7) << sample.time;
    EXPECT_NEAR(v(0), expected[4], 1e-6) << sample.time;
    EXPECT_NEAR(total_energy(model, sample.state), 0.766435680, 1e-8) << sample.time;
  };
  integrate<double>(model, start, {.duration = 5.0, .steps = 10000}, {}, compare);
  EXPECT_EQ(checked, 5);
}

// t and position of the slider, as published by the IFToMM technical committee's benchmark.
constexpr double kPublished[9][2] = {{0.1, 0.226785384}, {0.25, 0.284855404}, {0.5, 0.184952803},
                                     {1.0, 0.211754668}, {1.5, 0.256965540},  {2.0, 0.289063554},
                                     {3.0, 0.228450093}, {4.0, 0.188208161},  {5.0, 0.240761815}};

TEST(SliderCrank, MotionIsThePublishedOne) {
  const Model<double> model = slider_crank<double>();
  int checked = 0;
  const Observer<double> compare = [&](const Sample<double>& sample) {
    if (checked >= 9 || std::abs(sample.time - kPublished[checked][0]) > 1e-9) return;
    const double x =
        point_position<double>(model, sample.state, kSlider, Vector3<double>::Zero())(0);
    EXPECT_NEAR(x, kPublished[checked++][1], 1e-4) << sample.time;
  };
  integrate<double>(model, assemble(model), {.duration = 5.0, .steps = 5000}, {}, compare);
  EXPECT_EQ(checked, 9);
}

// The variant with a spring: the gradient by complex step against differences of the same motion.
TEST(SliderCrank, GradientWithSpringAgreesWithDifferences) {
  const IntegrationOptions options{.duration = 0.5, .steps = 250};
  const auto run = [&]<typename S>(const SliderCrankParameters<S>& parameters) {
    const Model<S> model = slider_crank_with_spring<S>(parameters);
    return integrate<S>(model, assemble(model), options, slider_crank_integrands<S>).integrals;
  };
  for (int i = 0; i < kSliderCrankParameterCount; ++i) {
    SliderCrankParameters<Complex> perturbed;
    perturbed[i] += Complex(0.0, 1e-30);
    const VectorX<double> derivative = run(perturbed).imag() / 1e-30;
    SliderCrankParameters<double> high, low;
    const double step = 1e-4;
    high[i] += step;
    low[i] -= step;
    const VectorX<double> difference = (run(high) - run(low)) / (2.0 * step);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(derivative(k), difference(k), 1e-5 * (1e-2 + std::abs(difference(k))));
    EXPECT_GT(derivative.cwiseAbs().minCoeff(), 1e-7) << i;
  }
}

}  // namespace
}  // namespace oracle
