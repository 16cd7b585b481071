// The spatial slider-crank of the IFToMM benchmark, its four joints in one loop, any of which may
// be cut: against the published motion, the converged one and converged objectives
// (models/slider-crank/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/methods.hpp"
#include "tests/support/slider_crank.hpp"

namespace gradus::test {
namespace {

// At every half millisecond, whatever the step.
Options recorded(double step = 5e-4) {
  Options options;
  options.backend = "cpu:1";
  options.record = true;
  options.step = step;
  options.record_every = static_cast<std::size_t>(std::max(1L, std::lround(5e-4 / step)));
  return options;
}

// What projections do to the energy makes ALI3-P ten times less accurate than the trapezoidal
// rule alone: 5e-4 m at the end with a step of 0.5 ms, 2e-5 m with this.
constexpr double kFineStep = 1e-4;  // s

// t and position of the slider.
struct CheckPoint {
  double time, x;
};

constexpr CheckPoint kPublished[] = {{0.1, 0.226785384}, {0.25, 0.284855404}, {0.5, 0.184952803},
                                     {1.0, 0.211754668}, {1.5, 0.256965540},  {2.0, 0.289063554},
                                     {3.0, 0.228450093}, {4.0, 0.188208161},  {5.0, 0.240761815}};
constexpr CheckPoint kConverged[] = {{1.0, 0.211721661},
                                     {2.0, 0.289085197},
                                     {3.0, 0.228484813},
                                     {4.0, 0.188230475},
                                     {5.0, 0.240719575}};

std::size_t component(const Result& result, const std::string& name) {
  for (std::size_t c = 0; c < result.sensor_components.size(); ++c)
    if (result.sensor_components[c].name == name) return c;
  ADD_FAILURE() << "no sensor " << name;
  return 0;
}

double sensor(const Result& result, const std::string& name, double time) {
  const std::vector<double>& times = result.trajectories[0].time;
  std::size_t row = 0;
  while (row + 1 < times.size() && times[row] < time - 1e-9) ++row;
  EXPECT_NEAR(times[row], time, 1e-9);
  return result.trajectories[0]
      .sensors[row * result.sensor_components.size() + component(result, name)];
}

TEST(SliderCrank, MotionIsThePublishedOne) {
  const Result result = simulate(slider_crank("slider-crank"), recorded(kFineStep));
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  for (const CheckPoint& point : kPublished) {
    EXPECT_NEAR(sensor(result, "x_C", point.time), point.x, 1e-4) << point.time;
    EXPECT_NEAR(sensor(result, "r_C.x", point.time), sensor(result, "x_C", point.time), 1e-11);
    EXPECT_NEAR(sensor(result, "r_C.y", point.time), 0.0, 1e-11);
  }
}

// Every formulation that closes loops, with its own integrator, and every joint cut in turn.
class SliderCrankCut : public testing::TestWithParam<std::tuple<TestedFormulation, std::string>> {};

TEST_P(SliderCrankCut, MovesAsPublished) {
  const auto& [formulation, cut] = GetParam();
  if (!formulation.loops) GTEST_SKIP() << "open trees only";
  Model model = slider_crank_cut_at("slider-crank", cut);
  model.analysis.formulation = formulation.name;
  model.analysis.stabilisation = formulation.stabilisation;
  const Result result = simulate(model, recorded(kFineStep));
  ASSERT_TRUE(result.all_ok()) << result.status[0].message << " at " << result.status[0].time;
  for (const CheckPoint& point : kPublished)
    EXPECT_NEAR(sensor(result, "r_C.x", point.time), point.x, 1e-4) << point.time;
  EXPECT_NEAR(sensor(result, "r_C.x", 0.0), 0.2, 1e-12);
  EXPECT_NEAR(sensor(result, "energy", 0.0), 0.766435680, 1e-9);
}

TEST_P(SliderCrankCut, IsCutThere) {
  const auto& [formulation, cut] = GetParam();
  if (!formulation.loops) GTEST_SKIP() << "open trees only";
  const Description description = describe(slider_crank_cut_at("slider-crank", cut));
  ASSERT_EQ(description.loops.size(), 1U);
  EXPECT_EQ(description.loops[0].loop, cut);
  EXPECT_EQ(description.degrees_of_freedom, 1U);
}

std::string cut_label(const testing::TestParamInfo<SliderCrankCut::ParamType>& info) {
  return std::get<0>(info.param).label + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(Formulations, SliderCrankCut,
                         testing::Combine(testing::ValuesIn(tested_formulations()),
                                          testing::Values("A", "B", "C", "slide")),
                         cut_label);

TEST(SliderCrank, StartsAsDrawn) {
  const Result result = simulate(slider_crank("slider-crank"), recorded());
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  EXPECT_NEAR(sensor(result, "x_C", 0.0), 0.2, 1e-12);
  EXPECT_NEAR(sensor(result, "v_C", 0.0), 0.24, 1e-12);
  EXPECT_NEAR(sensor(result, "r_B.y", 0.0), 0.1, 1e-12);
  EXPECT_NEAR(sensor(result, "r_B.z", 0.0), 0.2, 1e-12);
  EXPECT_NEAR(sensor(result, "energy", 0.0), 0.766435680, 1e-9);
}

// A quarter of the step leaves a sixteenth of the deviation.
TEST(SliderCrank, ConvergesAtSecondOrder) {
  const auto deviation = [](double step) {
    const Result result = simulate(slider_crank("slider-crank"), recorded(step));
    EXPECT_TRUE(result.all_ok()) << result.status[0].message;
    double worst = 0.0;
    for (const CheckPoint& point : kConverged)
      worst = std::max(worst, std::abs(sensor(result, "x_C", point.time) - point.x));
    return worst;
  };
  const double coarse = deviation(1e-3), fine = deviation(2.5e-4);
  EXPECT_LT(coarse, 3e-3);
  EXPECT_GT(coarse / fine, 14.0);
  EXPECT_LT(coarse / fine, 18.0);
}

void expect_converged_gradient(const Result& result, double tolerance) {
  constexpr double objectives[3] = {0.01397563, 0.3610641, 69.20820};
  constexpr double gradients[3][4] = {{0.001004655, 3.925029e-5, -0.0002995364, -0.005774670},
                                      {-0.01968922, -0.001350111, -0.2458106, 0.4615395},
                                      {-4.435644, -1.022407, -47.75086, 224.0479}};
  ASSERT_TRUE(result.all_ok()) << result.status[0].message;
  for (std::size_t o = 0; o < 3; ++o) {
    EXPECT_NEAR(result.objective_values[o], objectives[o], tolerance * objectives[o]);
    for (std::size_t p = 0; p < 4; ++p)
      EXPECT_NEAR(result.gradient[o * 4 + p], gradients[o][p],
                  tolerance * std::abs(gradients[o][p]))
          << result.objectives[o].name << " by " << result.parameters[p].name;
  }
}

TEST(SliderCrank, GradientWithSpringIsTheConvergedOne) {
  Options options;
  options.backend = "cpu:1";
  options.step = kFineStep;
  // What a step of this size leaves; a wrong term is far larger.
  expect_converged_gradient(gradient(slider_crank("slider-crank-spring"), options), 1e-3);
  // To the digits that are known.
  for (const char* formulation : {"matrix-r", "index1"}) {
    options.formulation = formulation;
    options.integrator = "dop853";
    options.rtol = 1e-11;
    options.atol = 1e-12;
    expect_converged_gradient(gradient(slider_crank("slider-crank-spring"), options), 1e-6);
  }
}

}  // namespace
}  // namespace gradus::test
