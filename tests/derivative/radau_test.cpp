// Radau IIA with steps of its own choice: its coefficients, when it chooses, and that every
// derivative is that of the steps it took.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/motion/tableau.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"
#include "tests/support/van_der_pol.hpp"

namespace gradus::derivative {
namespace {

Tableau radau(const char* name) {
  Analysis analysis;
  analysis.integrator = name;
  analysis.controls_error = true;
  return make_tableau(analysis);
}

class Radau : public testing::TestWithParam<const char*> {
 protected:
  Tableau t = radau(GetParam());
  int s = t.stages;
  static double at(const std::vector<double>& row, int i) {
    return row[static_cast<std::size_t>(i)];
  }
};

// Each stage, and the end, which is the last of them, integrates polynomials of degree s - 1; the
// end those of degree 2 s - 2.
TEST_P(Radau, Collocates) {
  for (int k = 1; k <= s; ++k)
    for (int i = 0; i < s; ++i) {
      double sum = 0.0;
      for (int j = 0; j < s; ++j) sum += at(t.a, i * s + j) * std::pow(at(t.c, j), k - 1);
      EXPECT_NEAR(sum, std::pow(at(t.c, i), k) / k, 1e-15) << i << " " << k;
    }
  for (int k = 1; k <= 2 * s - 1; ++k) {
    double sum = 0.0;
    for (int j = 0; j < s; ++j) sum += at(t.b, j) * std::pow(at(t.c, j), k - 1);
    EXPECT_NEAR(sum, 1.0 / k, 1e-15) << k;
  }
  EXPECT_EQ(t.c.back(), 1.0);
}

// The difference of two methods: it does not see polynomials of degree s - 1, and counts the start.
TEST_P(Radau, EstimatesByTheStart) {
  EXPECT_EQ(t.error_order, s);
  EXPECT_EQ(t.error.back(), t.blocks.front());
  for (int k = 1; k <= s + 1; ++k) {
    double sum = k == 1 ? t.error.back() : 0.0;
    for (int j = 0; j < s; ++j) sum += at(t.error, j) * std::pow(at(t.c, j), k - 1);
    if (k <= s)
      EXPECT_NEAR(sum, 0.0, 1e-15) << k;
    else
      EXPECT_GT(std::abs(sum), 1e-5);
  }
}

// T blocks T^-1 is a.
TEST_P(Radau, IsTakenApartByItsEigenvectors) {
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) {
      double sum = at(t.transform, i * s) * at(t.blocks, 0) * at(t.inverse_transform, j);
      for (int k = 1; k < s; k += 2) {
        const double real = at(t.blocks, k), imaginary = at(t.blocks, k + 1);
        const double x = at(t.inverse_transform, k * s + j);
        const double y = at(t.inverse_transform, (k + 1) * s + j);
        sum += at(t.transform, i * s + k) * (real * x + imaginary * y) +
               at(t.transform, i * s + k + 1) * (real * y - imaginary * x);
      }
      EXPECT_NEAR(sum, at(t.a, i * s + j), 1e-14) << i << " " << j;
    }
}

INSTANTIATE_TEST_SUITE_P(Orders, Radau, testing::Values("radau5", "radau9"),
                         [](const auto& name) { return std::string(name.param); });

Model van_der_pol(double mu, const char* integrator, double duration) {
  Model m = test::van_der_pol(mu);
  m.analysis.integrator = integrator;
  m.analysis.duration = duration;
  return m;
}

Result run(const Model& m, const Options& options) {
  Options one = options;
  one.backend = "cpu:1";
  return gradient(m, one);
}

// Tolerances ask for control, a step for steps of its length; options before models.
TEST(RadauSteps, AreFixedWhereAStepIsStatedAndChosenWhereTolerancesAre) {
  Model m = van_der_pol(10.0, "radau5", 1.0);
  const auto is_adaptive = [&](std::optional<double> step, std::optional<double> rtol) {
    Options options;
    options.estimate_every = 0;
    options.step = step;
    options.rtol = rtol;
    return run(m, options).adaptive;
  };
  EXPECT_TRUE(is_adaptive({}, {}));
  EXPECT_FALSE(is_adaptive(0.01, {}));
  EXPECT_TRUE(is_adaptive(0.01, 1e-6));
  m.analysis.controls_error = false;
  EXPECT_FALSE(is_adaptive({}, {}));
  EXPECT_TRUE(is_adaptive({}, 1e-6));
}

TEST(RadauSteps, OfFilesFollowWhatTheyState) {
  const auto adaptive = [](const std::string& analysis) {
    const Model m = parse_model(R"({"schema": "gradus-model/1", "name": "mass",
      "bodies": {"b": {"mass": 1, "com": [0, 0, 0],
                       "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
      "joints": {"j": {"type": "prismatic", "parent": "ground", "child": "b", "axis": [1, 0, 0],
                       "initial": {"position": 0}}},
      "analysis": {"integrator": "radau9", "duration": 0.1)" +
                                analysis + "}}");
    Options options;
    options.backend = "cpu:1";
    options.estimate_every = 0;
    return simulate(m, options).adaptive;
  };
  EXPECT_TRUE(adaptive(""));
  EXPECT_FALSE(adaptive(R"(, "step": 0.01)"));
  EXPECT_TRUE(adaptive(R"(, "rtol": 1e-6)"));
  EXPECT_TRUE(adaptive(R"(, "step": 0.01, "atol": 1e-6)"));
}

// Errors fall with the tolerance: the reference is SciPy's Radau with the equations of the
// sensitivities, rtol 2.3e-14 and atol 1e-14; its runs of 1e-11 agree to 5e-12.
TEST(RadauSteps, FollowARelaxationOscillator) {
  const std::vector<double> values{1.9393585327826581, -0.07008150573580686, 53.843429172744074};
  const std::vector<double> slopes{0.11329111336743765, 1.050051505049845,   0.01397690921515177,
                                   0.06487772616952245, -1.3778777852518633, 3.712942588674537};
  for (const char* integrator : {"radau5", "radau9", "rodas5p"})
    for (const double rtol : {1e-4, 1e-7, 1e-10}) {
      const Model m = van_der_pol(10.0, integrator, 20.0);
      Options options;
      options.rtol = rtol;
      options.atol = 0.1 * rtol;
      const Result r = run(m, options);
      ASSERT_TRUE(r.all_ok()) << r.status[0].message;
      SCOPED_TRACE(std::string(integrator) + " " + std::to_string(std::log10(rtol)) + " in " +
                   std::to_string(r.step_count[0]) + " steps");
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(r.objective_values[k], values[k], 30 * rtol * (1 + std::abs(values[k])));
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(r.gradient[k], slopes[k], 300 * rtol * (1 + std::abs(slopes[k])));
    }
}

// Direct, adjoint, dual numbers and differences over the same steps.
TEST(RadauSteps, AreDifferentiatedExactly) {
  for (const char* integrator : {"radau5", "radau9", "rodas5p"}) {
    SCOPED_TRACE(integrator);
    Model m = van_der_pol(5.0, integrator, 2.0);
    m.analysis.rtol = 1e-11;
    m.analysis.atol = 1e-12;
    Tolerances t;
    t.dual = 1e-9;
    expect_exact_gradient(m, t);
  }
}

// Where they are coarse, too: round-off is all that the methods differ by.
TEST(RadauSteps, AreDifferentiatedExactlyWhereTheyAreCoarse) {
  for (const char* integrator : {"radau5", "radau9", "rodas5p"})
    for (const bool columns : {true, false}) {
      Model m = van_der_pol(5.0, integrator, 2.0);
      m.analysis.rtol = 1e-3;
      m.analysis.atol = 1e-4;
      m.analysis.columns_in_error = columns;
      const Result direct = run_gradient(m, "direct");
      for (const char* method : {"adjoint", "dual"}) {
        const Result other = run_gradient(m, method);
        EXPECT_EQ(other.step_count[0], direct.step_count[0]) << integrator << " " << method;
        EXPECT_LT(largest_deviation(direct.gradient, other.gradient, 2), 1e-10)
            << integrator << " " << method;
      }
    }
}

// A wall with friction: velocities meet a kink, and an end stop a jump of the stiffness.
TEST(RadauSteps, EndAtKinksAndPassThem) {
  Model m = test::one_body("ball", "m", "slide", JointType::prismatic, {0, 1, 0}, "h", 0.0, "y");
  m.gravity = {0, -9.81, 0};
  m.parameters = {{"m", 1.0, "kg", {}, ""}, {"h", 0.5, "m", {}, ""}, {"k", 1e5, "N/m", {}, ""}};
  m.forces = {make_joint_force("contact", "slide", "max(0, -k*y)")};
  m.objectives = {{"end", ObjectiveKind::terminal, "y", "m", ""},
                  {"mean", ObjectiveKind::integral, "y", "m s", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.duration = 1.0;
  m.analysis.rtol = 1e-9;
  m.analysis.controls_error = true;
  m.analysis.integrator = "dop853";
  const Result reference = run_gradient(m, "direct");
  for (const char* integrator : {"radau5", "radau9", "rodas5p"}) {
    m.analysis.integrator = integrator;
    const Result r = run_gradient(m, "direct");
    EXPECT_LT(largest_deviation(reference.gradient, r.gradient, 3), 1e-5) << integrator;
    EXPECT_TRUE(std::isnan(r.jump[0]) || r.jump[0] == reference.jump[0]) << r.jump[0];
    EXPECT_LT(r.step_count[0], 2000.0);
  }
}

// A start that is beside where a stiff spring holds it, by less than a step may be wrong by, moves
// accelerations at once: that is no jump, and asks for no short steps.
TEST(RadauSteps, TakeNoStiffTransientForAJump) {
  Model m = test::one_body("mass", 1.0, "rail", JointType::prismatic, {1, 0, 0}, "z0", 0.0, "z");
  m.parameters = {{"z0", 2e-10, "m", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.forces = {make_joint_force("hold", "rail", "-1e10*z - 3e5*v")};
  m.objectives = {{"z", ObjectiveKind::terminal, "z", "m", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.controls_error = true;
  m.analysis.duration = 1.0;
  m.analysis.atol = 1e-3;
  for (const char* integrator : {"radau5", "radau9", "rodas5p"}) {
    m.analysis.integrator = integrator;
    const Result r = simulate(m, [] {
      Options options;
      options.backend = "cpu:1";
      return options;
    }());
    EXPECT_EQ(r.rejected_steps[0], 0.0) << integrator;
    EXPECT_LT(r.step_count[0], 10.0) << integrator;
  }
}

// What stage equations have several solutions for, or none, asks for shorter steps.
TEST(RadauSteps, AreHalvedWhereNewtonsMethodDoesNotConverge) {
  Model m = van_der_pol(1e6, "radau5", 1.0);
  m.analysis.step = 0.5;
  m.analysis.rtol = 1e-6;
  m.parameters[1].value = 0.1;  // unstable, and far from where it settles
  const Result r = run(m, {});
  ASSERT_TRUE(r.all_ok()) << r.status[0].message;
  EXPECT_GT(r.rejected_steps[0], 0.0);
  // It jumps to where x - x^3/3 is the same, and has hardly moved from there.
  double x = -2.0;
  for (int k = 0; k < 9; ++k) x -= (x - x * x * x / 3 - 0.1 + 1e-3 / 3) / (1 - x * x);
  EXPECT_NEAR(r.final_sensors[0], x, 1e-5);
  EXPECT_NEAR(r.gradient[1], (1 - 0.01) / (1 - x * x), 1e-4);
}

// A body on a stiff bushing at the tip of a rod: its coordinates, relative to the tip, are far
// smaller than the positions whose last digits the bushing feels, and so is their round-off.
const char* const kStiffBushing =
    R"json({ "schema": "gradus-model/1", "name": "stiff bushing", "gravity": [0, -9.81, 0],
  "parameters": { "m": 1, "q0": 0.8 },
  "bodies": {
    "rod": { "mass": "m", "com": [0.5, 0, 0], "inertia": { "xx": 0, "yy": "m/12", "zz": "m/12" },
             "points": { "tip": [1, 0, 0] } },
    "weight": { "mass": 0.5, "com": [0.1, 0, 0], "inertia": { "xx": 0.01, "yy": 0.01, "zz": 0.01 } } },
  "joints": {
    "pin": { "type": "revolute", "parent": "ground", "child": "rod", "axis": [0, 0, 1],
             "initial": { "position": "q0" } },
    "free": { "type": "floating", "parent": "rod.tip", "child": "weight" } },
  "forces": {
    "mount": { "type": "bushing", "from": "rod.tip", "to": "weight", "stiffness": [1e7, 1e7, 1e7],
               "damping": [2e3, 2e3, 2e3], "torsional_stiffness": [2e5, 2e5, 2e5],
               "torsional_damping": [40, 40, 40] } },
  "sensors": { "q": { "coordinate": "pin" } },
  "objectives": { "q": { "terminal": "q" } },
  "analysis": { "duration": 0.5, "integrator": "radau9" } })json";

TEST(RadauSteps, AreKeptWhereForcesFeelTheLastDigitsOfPositions) {
  const Model m = parse_model(kStiffBushing);
  const Result direct = run_gradient(m, "direct");
  EXPECT_LT(direct.step_count[0], 100.0);
  EXPECT_LT(direct.rejected_steps[0], 20.0);
  for (const char* method : {"adjoint", "dual", "finite-difference"}) {
    const Result r = run_gradient(m, method);
    EXPECT_EQ(r.step_count, direct.step_count) << method;
    const double allowed = method == std::string("finite-difference") ? 1e-6 : 1e-9;
    EXPECT_NEAR(r.gradient[1], direct.gradient[1], allowed) << method;
  }
}

}  // namespace
}  // namespace gradus::derivative
