// Columns whose reduced systems are solved between kernels: those of the kernels, whoever solves
// and in whatever precision.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "src/motion/column_split.hpp"
#include "src/motion/device_run.hpp"
#include "src/study/benchmark/measurement.hpp"
#include "tests/backend/watched_device.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::test {
namespace {

Options on_debug(std::size_t designs, const std::string& solver, const std::string& precision) {
  Options options;
  options.backend = "debug";
  options.designs.count = designs;
  options.designs.spread = 1e-3;
  options.solver = solver;
  options.precision = precision;
  return options;
}

// Largest deviation of the gradients of a design, relative to the largest entry of each row.
double deviation(const Result& a, const Result& b, std::size_t design) {
  const std::vector<double> x = row(a.gradient, design, a.n_design);
  const std::vector<double> y = row(b.gradient, design, b.n_design);
  const std::size_t width = a.parameters.size();
  double worst = 0.0;
  for (std::size_t begin = 0; begin < x.size(); begin += width) {
    double scale = 0.0;
    double apart = 0.0;
    for (std::size_t k = begin; k < begin + width; ++k) {
      scale = std::max(scale, std::abs(y[k]));
      apart = std::max(apart, std::abs(x[k] - y[k]));
    }
    EXPECT_GT(scale, 0.0);
    worst = std::max(worst, apart / scale);
  }
  return worst;
}

struct Case {
  const char* name;
  std::function<Model()> model;
  std::size_t designs;
};

void PrintTo(const Case& some, std::ostream* out) {
  *out << some.name;
}

class StageSolver : public testing::TestWithParam<Case> {
 protected:
  static Model model() {
    Model model = GetParam().model();
    model.analysis.formulation = "ali3p";
    model.analysis.duration = 10 * model.analysis.step;
    return model;
  }
  static Result run(const std::string& solver, const std::string& precision) {
    return gradient(model(), on_debug(GetParam().designs, solver, precision));
  }
};

TEST_P(StageSolver, AgreesWithTheKernel) {
  const Result kernel = run("kernel", "double");
  ASSERT_TRUE(kernel.all_ok());
  EXPECT_EQ(kernel.solver, "");
  for (const char* precision : {"double", "mixed"}) {
    const Result apart = run("native", precision);
    EXPECT_EQ(apart.solver, "native");
    EXPECT_EQ(apart.refused.size(), precision == std::string("mixed") ? apart.n_design : 0U);
    for (const double refused : apart.refused) EXPECT_EQ(refused, 0.0);
    expect_same_bits(kernel.objective_values, apart.objective_values, "objectives");
    if (precision == std::string("double")) expect_same_bits(kernel, apart);
    for (std::size_t d = 0; d < kernel.n_design; ++d)
      EXPECT_LT(deviation(apart, kernel, d), 1e-11) << precision << ", design " << d;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, StageSolver,
    testing::Values(
        Case{"five_bar", [] { return five_bar(); }, 37},
        Case{"open_chain", [] { return derivative::parametrise_all(derivative::skew_chain()); }, 3},
        Case{"loop",
             [] {
               return derivative::parametrise_all(derivative::general_loop(JointType::revolute));
             },
             2},
        // Its columns travel in slices.
        Case{"one_design",
             [] {
               return derivative::parametrise_all(derivative::general_loop(JointType::cylindrical));
             },
             1},
        // In slices of more than one tile.
        Case{"many_columns", [] { return chain_of_bars("chain", 2, 320, false); }, 1}),
    [](const auto& some) { return some.param.name; });

// Two slides along nearly the same line: without the mass between them, single precision cannot
// tell which of them moves.
Model slides() {
  Model model;
  model.gravity = {0.5, 0, -9.81};
  model.bodies = {derivative::make_body("between", 1.0, {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {}),
                  derivative::make_body("end", 1.0, {0.1, 0, 0}, {1, 1, 1, 0, 0, 0},
                                        {{"tip", {0.3, 0.2, 0.1}}})};
  model.joints = {derivative::make_joint("first", JointType::prismatic, "ground", "between",
                                         {1, 0, 0}, 0.2, 0.4),
                  derivative::make_joint("second", JointType::prismatic, "between", "end",
                                         {1, 1e-4, 0}, 0.1, -0.3)};
  derivative::add_objectives(model, "end.tip", "second");
  model.analysis.step = 1e-2;
  return derivative::parametrise_all(model);
}

TEST(MixedPrecision, IsRefusedForTheDesignThatDoesNotBearIt) {
  Model model = slides();
  model.analysis.formulation = "ali3p";
  model.analysis.duration = 10 * model.analysis.step;
  Options options = on_debug(3, "kernel", "double");
  const Result drawn = gradient(model, options);
  options.designs.values = drawn.parameter_values;
  const std::size_t width = drawn.parameters.size();
  for (std::size_t k = 0; k < width; ++k)
    if (drawn.parameters[k].name == "mass_between") options.designs.values[width + k] = 1e-8;
  std::string remark;
  options.log = [&](const std::string& text) { remark += text; };
  const Result kernel = gradient(model, options);
  EXPECT_EQ(remark, "");
  options.solver = "auto";
  options.precision = "mixed";
  const Result mixed = gradient(model, options);
  for (std::size_t d = 0; d < 3; ++d) EXPECT_TRUE(kernel.status[d].ok) << kernel.status[d].message;
  for (std::size_t d = 0; d < 3; ++d) EXPECT_TRUE(mixed.status[d].ok) << mixed.status[d].message;
  EXPECT_EQ(mixed.refused[0], 0.0);
  EXPECT_EQ(mixed.refused[1], 11.0);  // the start and every step
  EXPECT_EQ(mixed.refused[2], 0.0);
  EXPECT_NE(remark.find("refused by 1 of 3 designs"), std::string::npos) << remark;
  for (std::size_t d = 0; d < 3; ++d) EXPECT_LT(deviation(mixed, kernel, d), 1e-11) << d;
}

// A device on which slices that no columns fill are left as by a solution that was refused.
class SpoiledSlices : public WatchedDevice {
 public:
  explicit SpoiledSlices(std::size_t slices) : slices_(slices) {}

  void solve_systems(const kernels::LinearArguments& c) override {
    WatchedDevice::solve_systems(c);
    if (c.work == kernels::LinearWork::factorise) return;
    solved_ += kernels::kTile;
    if (solved_ < slices_) return;
    const std::size_t filled = slices_ % kernels::kTile;
    const std::vector<double> spoilt(kernels::kTile - filled, NAN);
    constexpr std::size_t kPitch = kernels::kTile * sizeof(double);
    upload(c.right_sides + filled, spoilt.data(),
           {spoilt.size() * sizeof(double),
            static_cast<std::size_t>(c.size) * static_cast<std::size_t>(c.columns) / kernels::kTile,
            kPitch, 0});
    solved_ = 0;
  }

 private:
  std::size_t slices_;
  std::size_t solved_ = 0;
};

TEST(MixedPrecision, DoesNotFeelSlicesThatNoColumnsFill) {
  Model model = chain_of_bars("chain", 2, 200, false);
  model.analysis.duration = 3 * model.analysis.step;
  const DesignRun session(model, on_debug(1, "native", "mixed"));
  MotionRequest request = session.request();
  request.sensitivity = Sensitivity::direct;
  const ColumnSplit split = split_columns(request, true);
  ASSERT_EQ(split.slices, 50U) << "the test would prove nothing";
  WatchedDevice device;
  const MotionOutcome expected = run_on_device(request, device);
  SpoiledSlices spoiled(split.slices);
  const MotionOutcome outcome = run_on_device(request, spoiled);
  EXPECT_EQ(outcome.refused, std::vector<double>{0.0});
  expect_same_bits(outcome.gradient, expected.gradient, "gradient");
}

template <class Error>
void expect_refusal(const Options& options, const std::string& part, bool with_gradient = true) {
  try {
    if (with_gradient)
      gradient(five_bar(), options);
    else
      simulate(five_bar(), options);
    FAIL() << "no error that mentions " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(StageSolverRefuses, WhatItCannotServe) {
  expect_refusal<InputError>(on_debug(1, "lapack", "double"), "solver: found \"lapack\"");
  expect_refusal<InputError>(on_debug(1, "auto", "half"), "precision: found \"half\"");
  expect_refusal<InputError>(on_debug(1, "cusolver", "mixed"), "only \"native\" refines");
  expect_refusal<BackendError>(on_debug(1, "cusolver", "double"), "cusolver");
  expect_refusal<InputError>(on_debug(1, "native", "double"), "method direct", false);
  for (const char* method : {"adjoint", "finite-difference"}) {
    Options other = on_debug(1, "native", "double");
    other.method = method;
    expect_refusal<InputError>(other, "method direct");
  }
  Options options = on_debug(1, "native", "double");
  options.backend = "cpu:1";
  expect_refusal<BackendError>(options, "serves devices only");
  options = on_debug(1, "auto", "mixed");
  options.formulation = "index1";
  expect_refusal<InputError>(options, "found formulation \"index1\"");
  options.formulation.reset();
  options.backend = "cpu:1";
  options.method = "dual";
  expect_refusal<InputError>(options, "method direct");
}

TEST(StageSolverServes, TheMethodThatAutoChooses) {
  Options options = on_debug(1, "native", "double");
  options.method = "auto";
  options.duration = 0.01;
  const Model many = derivative::parametrise_all(derivative::skew_chain());
  EXPECT_EQ(gradient(many, options).method, "direct");
}

TEST(StageSolverServes, TheDirectMethodWhereItIsChecked) {
  Options options = on_debug(1, "native", "double");
  options.duration = 0.01;
  EXPECT_TRUE(check(five_bar(), options).passed);
}

}  // namespace
}  // namespace gradus::test
