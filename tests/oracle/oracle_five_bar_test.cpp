// The five-bar against converged values from an independent planar model in natural coordinates:
// objectives, their gradient by complex step, and the motion of point 2.
#include <gtest/gtest.h>

#include "tests/oracle/mechanisms.hpp"

namespace oracle {
namespace {

constexpr double kObjectives[3] = {0.726877461, 7.342287793, 304.920693205};
constexpr double kGradient[3][kFiveBarParameterCount] = {
    {-4.228810855, 3.211604103, 0.3186566756, 0.4423506782, 3.359809920},
    {-15.45206907, 50.30878485, 0.9701235491, 0.7456023208, -27.35923995},
    {221.6400682, 2436.607348, -32.49752271, -85.65671851, -2546.590203}};

// t, position, velocity and acceleration of point 2.
constexpr double kCheckPoints[6][7] = {
    {0, 0.5, -2, 0, 0, 0, -12.6853448},
    {1, 0.81379761, -2.10553537, 0.08347778, -1.22985808, -1.7104591, -8.2130773},
    {2, 0.40431865, -2.24145297, -0.25268618, -1.54679986, 2.4552869, 0.8566545},
    {3, 0.91182815, -2.42030921, -0.15688414, -0.84640966, -3.7792707, 8.1750911},
    {4, 0.30478275, -2.38524706, 0.50606260, 0.22051338, 4.7578287, 7.7554918},
    {5, 0.88403168, -2.30378344, -0.91235692, 1.12995255, -2.8328059, 2.5665030}};

TEST(FiveBar, ClosesAtThePublishedPoints) {
  JointValues<double> closed;
  const Model<double> model = five_bar<double>();
  const State<double> state = assemble(model, &closed);
  const Vector3<double> point_2 =
      point_position<double>(model, state, 1, {std::sqrt(13.0) / 2.0, 0, 0});
  const Vector3<double> point_3 =
      point_position<double>(model, state, 2, {std::sqrt(13.0) / 2.0, 0, 0});
  EXPECT_LT((point_2 - Vector3<double>(0.5, -2, 0)).norm(), 1e-14);
  EXPECT_LT((point_3 - Vector3<double>(2, -1, 0)).norm(), 1e-12);
  EXPECT_EQ(static_cast<int>(
                independent_rows<double>(evaluate_constraints(model, state).jacobian).size()),
            22);
}

// The derivatives that complex numbers carry must satisfy the differentiated constraints as well as
// the values do theirs.
TEST(FiveBar, DerivativesSatisfyTheConstraints) {
  const double step = 1e-30;
  FiveBarParameters<Complex> parameters;
  parameters.length_a1 += Complex(0.0, step);
  Model<Complex> model = five_bar<Complex>(parameters);
  model.joints[0].rates = VectorX<Complex>::Constant(1, 2.0);
  const State<Complex> start = assemble(model);
  const State<Complex> end = integrate<Complex>(model, start, {.duration = 0.1, .steps = 10}).state;
  for (const State<Complex>& state : {start, end}) {
    const Constraints<Complex> constraints = evaluate_constraints(model, state);
    const VectorX<Complex> rate = constraints.jacobian * state.velocity;
    EXPECT_LT(largest_real(rate), 1e-12);
    EXPECT_LT(largest_real(constraints.value.imag() / step), 1e-12);
    EXPECT_LT(largest_real(rate.imag() / step), 1e-11);
    EXPECT_GT(largest_real(state.pose.imag() / step), 0.1);
  }
}

// From violations of many sizes, so that in some the real parts converge while the derivatives
// still lag behind.
TEST(FiveBar, ProjectionBringsTheDerivativesAlong) {
  const double step = 1e-30;
  const Model<Complex> model = five_bar<Complex>();
  const State<Complex> start = assemble(model);
  const std::vector<int> rows =
      independent_rows<Complex>(evaluate_constraints(model, start).jacobian);
  for (double size = 1e-1; size > 1e-9; size /= 3.0) {
    State<Complex> state = start;
    displace<Complex>(
        state, VectorX<Complex>::LinSpaced(24, Complex(-size, step), Complex(size, 2.0 * step)));
    project_positions(model, state, rows);
    const VectorX<Complex> value = evaluate_constraints(model, state).value;
    EXPECT_LT(largest_real(value), 1e-12) << size;
    EXPECT_LT(largest_real(value.imag() / step), 1e-10) << size;
  }
}

// At 2 ms the values are converged to the digits printed above, or nearly: the bounds are a few
// units of their last.
TEST(FiveBar, MotionPassesTheCheckPoints) {
  const Model<double> model = five_bar<double>();
  const State<double> start = assemble(model);
  const double energy = total_energy(model, start);
  const Vector3<double> tip(std::sqrt(13.0) / 2.0, 0, 0);
  int checked = 0;
  const Observer<double> compare = [&](const Sample<double>& sample) {
    EXPECT_NEAR(total_energy(model, sample.state), energy, 2e-8);
    if (checked >= 6 || std::abs(sample.time - kCheckPoints[checked][0]) > 1e-9) return;
    const double* expected = kCheckPoints[checked++];
    const Vector3<double> r = point_position(model, sample.state, 1, tip);
    const Vector3<double> v = point_velocity(model, sample.state, 1, tip);
    const Vector3<double> a = point_acceleration(model, sample.state, sample.acceleration, 1, tip);
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(r(i), expected[1 + i], 2e-8) << "t = " << sample.time;
      EXPECT_NEAR(v(i), expected[3 + i], 2e-8) << "t = " << sample.time;
      EXPECT_NEAR(a(i), expected[5 + i], 2e-7) << "t = " << sample.time;
    }
  };
  const Sample<double> end = integrate<double>(model, start, {.duration = 5.0, .steps = 2500},
                                               five_bar_integrands<double>, compare);
  EXPECT_EQ(checked, 6);
  EXPECT_NEAR(energy, -53.955, 1e-9);
  EXPECT_LT(largest_real(evaluate_constraints(model, end.state).value), 1e-12);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(end.integrals(i), kObjectives[i], 2e-9 * kObjectives[i]);
}

class FiveBarGradient : public testing::TestWithParam<int> {};

TEST_P(FiveBarGradient, EqualsThePublishedColumn) {
  const double step = 1e-30;
  const int column = GetParam();
  FiveBarParameters<Complex> parameters;
  parameters[column] += Complex(0.0, step);
  const Model<Complex> model = five_bar<Complex>(parameters);
  const Sample<Complex> end = integrate<Complex>(
      model, assemble(model), {.duration = 5.0, .steps = 2500}, five_bar_integrands<Complex>);
  for (int row = 0; row < 3; ++row) {
    const double derivative = end.integrals(row).imag() / step;
    RecordProperty("psi" + std::to_string(row + 1), testing::PrintToString(derivative));
    EXPECT_NEAR(derivative, kGradient[row][column], 2e-8 * std::abs(kGradient[row][column]))
        << "objective " << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, FiveBarGradient, testing::Range(0, kFiveBarParameterCount));

}  // namespace
}  // namespace oracle
