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

std::vector<TestedFormulation> formulations_with_loops() {
  std::vector<TestedFormulation> all = tested_formulations();
  std::erase_if(all, [](const TestedFormulation& formulation) { return !formulation.loops; });
  return all;
}

// Every formulation that closes loops, with its own integrator, and every joint cut in turn.
class SliderCrankCut : public testing::TestWithParam<std::tuple<TestedFormulation, std::string>> {};

TEST_P(SliderCrankCut, MovesAsPublished) {
  const auto& [formulation, cut] = GetParam();
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
  const Description description = describe(slider_crank_cut_at("slider-crank", cut));
  ASSERT_EQ(description.loops.size(), 1U);
  EXPECT_EQ(description.loops[0].loop, cut);
  EXPECT_EQ(description.degrees_of_freedom, 1U);
}

std::string cut_label(const testing::TestParamInfo<SliderCrankCut::ParamType>& info) {
  return std::get<0>(info.param).label + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(Formulations, SliderCrankCut,
                         testing::Combine(testing::ValuesIn(formulations_with_loops()),
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

// Objectives and their gradient by m_CD, k, c, L.
struct Reading {
  double inertia;      // of the rod about its own axis [kg m^2]
  bool cardan_across;  // whether the cardan axis of the slider lies along y, across the slide
  double digits;       // one unit of the last digit of the gradient, relative, at most
  double objectives[3];
  double gradients[3][4];
};

constexpr Reading kReadings[] = {
    {4e-4,
     false,
     1e-7,
     {1.397563038e-2, 3.610640753e-1, 6.920819968e+1},
     {{1.004655453e-3, 3.925028795e-5, -2.995364175e-4, -5.774669669e-3},
      {-1.968921730e-2, -1.350110992e-3, -2.458105654e-1, 4.615394742e-1},
      {-4.435643666, -1.022407497, -4.775086171e+1, 2.240478831e+2}}},
    {4e-3,
     false,
     1e-7,
     {1.609062709e-2, 3.517151949e-1, 4.641640071e+1},
     {{8.909335960e-4, 6.738746912e-5, 1.520447001e-3, -1.262004687e-2},
      {-1.756387826e-2, -1.174697996e-3, -1.837473256e-1, 3.734461314e-1},
      {-7.565670699, -6.070742402e-1, -3.222252878e+1, 1.393511340e+2}}},
    {4e-3,
     true,
     1e-6,
     {1.368473098e-2, 3.618913787e-1, 7.856139097e+1},
     {{9.832433e-4, 3.488456e-5, -6.659896e-4, -4.535757e-3},
      {-2.083666e-2, -1.371595e-3, -2.506170e-1, 4.749529e-1},
      {-3.229069, -1.204981, -5.373111e+1, 2.610641e+2}}},
};

// At the start the rod's x axis lies along (-2, 1, 2)/3. Its y axis, the second of the cardan
// joint, is turned until it is normal to the global y axis.
void lay_cardan_across(Model& model) {
  Joint& joint = joint_named(model, "C");
  joint.axis = Vector3{0, 1, 0};
  joint.zero = Vector3{1, 0, 1};
  joint.child_zero = Vector3{1, 0, "sqrt(8)"};
}

Model with_spring(const Reading& reading) {
  Model model = slider_crank("slider-crank-spring");
  for (Body& body : model.bodies)
    if (body.name == "rod") body.inertia.xx = reading.inertia;
  if (reading.cardan_across) lay_cardan_across(model);
  return model;
}

void expect_reading(const Reading& reading, const std::vector<double>& objectives,
                    const std::vector<double>& gradient, double tolerance) {
  const double digits = std::max(tolerance, reading.digits);
  for (std::size_t o = 0; o < 3; ++o) {
    EXPECT_NEAR(objectives[o], reading.objectives[o], tolerance * reading.objectives[o]);
    for (std::size_t p = 0; p < 4; ++p)
      EXPECT_NEAR(gradient[o * 4 + p], reading.gradients[o][p],
                  digits * std::abs(reading.gradients[o][p]))
          << "objective " << o << ", parameter " << p;
  }
}

class SliderCrankSpring : public testing::TestWithParam<const char*> {
 protected:
  static Result run(const Reading& reading, const Options& options) {
    Options chosen = options;
    chosen.backend = "cpu:1";
    chosen.method = GetParam();
    Result result = gradient(with_spring(reading), chosen);
    EXPECT_TRUE(result.all_ok()) << result.status[0].message;
    return result;
  }
};

// The continuous adjoint errs by the trapezoidal rule backwards, in even powers of the step; two of
// them are extrapolated away.
TEST(SliderCrankSpringContinuous, ExtrapolatesToTheConvergedOne) {
  const double steps[3] = {4e-4, 2e-4, 1e-4};
  const double weights[3] = {1.0 / 45, -20.0 / 45, 64.0 / 45};
  for (const Reading& reading : kReadings) {
    std::vector<double> objectives(3, 0.0);
    std::vector<double> sum(12, 0.0);
    for (int k = 0; k < 3; ++k) {
      Options options;
      options.backend = "cpu:1";
      options.method = "continuous-adjoint";
      options.formulation = "matrix-r";
      options.integrator = "rk4";
      options.step = steps[k];
      const Result result = gradient(with_spring(reading), options);
      ASSERT_TRUE(result.all_ok()) << result.status[0].message;
      for (std::size_t o = 0; o < 3; ++o) objectives[o] += weights[k] * result.objective_values[o];
      for (std::size_t e = 0; e < 12; ++e) sum[e] += weights[k] * result.gradient[e];
    }
    expect_reading(reading, objectives, sum, 1e-6);
  }
}

TEST_P(SliderCrankSpring, GradientIsTheConvergedOne) {
  for (const Reading& reading : kReadings)
    for (const char* formulation : {"matrix-r", "index1"}) {
      Options options;
      options.formulation = formulation;
      options.integrator = "dop853";
      options.rtol = 1e-11;
      options.atol = 1e-12;
      const Result result = run(reading, options);
      expect_reading(reading, result.objective_values, result.gradient, 1e-7);
    }
}

// Steps of the second order leave errors that two of them extrapolate away.
TEST_P(SliderCrankSpring, GradientByTheTrapezoidalRuleExtrapolatesToIt) {
  const auto extrapolated = [](const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> values;
    for (std::size_t k = 0; k < a.size(); ++k) values.push_back((4.0 * b[k] - a[k]) / 3.0);
    return values;
  };
  // What is left has the fourth order: 2e-6 at worst of the second with the step of the first.
  const std::pair<const Reading*, double> cases[] = {{&kReadings[0], 2e-4}, {&kReadings[2], 1e-4}};
  for (const auto& [reading, step] : cases) {
    Options options;
    options.step = step;
    const Result coarse = run(*reading, options);
    options.step = 0.5 * step;
    const Result fine = run(*reading, options);
    expect_reading(*reading, extrapolated(coarse.objective_values, fine.objective_values),
                   extrapolated(coarse.gradient, fine.gradient), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, SliderCrankSpring, testing::Values("direct", "adjoint"));

}  // namespace
}  // namespace gradus::test
