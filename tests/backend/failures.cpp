// A design that fails is named with its reason, holds NaN, and leaves the others of its batch
// alone.
#include <cmath>
#include <limits>

#include "src/sensitivity/gradient.hpp"
#include "tests/backend/five_bar.hpp"

namespace gradus::test {
namespace {

constexpr std::size_t kDesigns = 5;
constexpr std::size_t kBad = 2;
constexpr std::size_t kParameters = 5;

struct Case {
  const char* backend;
  std::size_t parameter;
  double value;
  const char* reason;  // part of the message
};

void PrintTo(const Case& bad, std::ostream* out) {
  *out << bad.backend << ", " << bad.reason;
}

// Parameters in the order of the model: L_s1, L_s2, m_A1, r_G, L_A1.
constexpr std::size_t kSpringLength = 0;
constexpr std::size_t kMass = 2;
constexpr std::size_t kBarLength = 4;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void expect_all_nan(const std::vector<double>& values, const char* what) {
  EXPECT_FALSE(values.empty()) << what;
  for (const double value : values) EXPECT_TRUE(std::isnan(value)) << what;
}

void expect_poisoned(const Result& result, std::size_t design) {
  expect_all_nan(row(result.objective_values, design, result.n_design), "objective_values");
  expect_all_nan(row(result.final_sensors, design, result.n_design), "final_sensors");
  expect_all_nan(row(result.constraint_violation, design, result.n_design), "constraint_violation");
  expect_all_nan(row(result.newton_iterations, design, result.n_design), "newton_iterations");
  EXPECT_TRUE(std::isnan(result.step_count[design]));
  if (!result.gradient.empty())
    expect_all_nan(row(result.gradient, design, result.n_design), "gradient");
}

std::vector<double> good_values() {
  return simulate(five_bar(), short_run("cpu:1", kDesigns)).parameter_values;
}

// Callers are refused numbers that are not finite; these are what studies may come upon.
std::shared_ptr<const CompiledMechanism> compiled(const Options& options) {
  return std::make_shared<const CompiledMechanism>(five_bar(), options);
}

class Failures : public testing::TestWithParam<Case> {};

TEST_P(Failures, AreNamedAndLeaveOthersAlone) {
  const Case& bad = GetParam();
  Options options = short_run(bad.backend, kDesigns);
  options.designs.values = good_values();
  const Result without = compute_gradient(compiled(options), options);
  ASSERT_TRUE(without.all_ok());
  options.designs.values[kBad * kParameters + bad.parameter] = bad.value;
  const Result with = compute_gradient(compiled(options), options);
  for (std::size_t d = 0; d < kDesigns; ++d) {
    if (d != kBad) expect_same_design(with, d, without, d);
  }
  EXPECT_FALSE(with.status[kBad].ok);
  EXPECT_NE(with.status[kBad].message.find(bad.reason), std::string::npos)
      << with.status[kBad].message;
  EXPECT_EQ(with.status[kBad].time, 0.0);
  expect_poisoned(with, kBad);
}

TEST_P(Failures, MayBeAllOfABatch) {
  const Case& bad = GetParam();
  Options options = short_run(bad.backend, 2);
  options.designs.values = good_values();
  options.designs.values.resize(2 * kParameters);
  for (std::size_t d = 0; d < 2; ++d)
    options.designs.values[d * kParameters + bad.parameter] = bad.value;
  const Result result = run_motion(compiled(options), options);
  for (std::size_t d = 0; d < 2; ++d) {
    EXPECT_FALSE(result.status[d].ok);
    expect_poisoned(result, d);
  }
}

TEST_P(Failures, RecordNothingFromThenOn) {
  const Case& bad = GetParam();
  Options options = short_run(bad.backend, 2);
  options.record = true;
  options.designs.values = good_values();
  options.designs.values.resize(2 * kParameters);
  options.designs.values[bad.parameter] = bad.value;
  const Result result = run_motion(compiled(options), options);
  EXPECT_TRUE(result.trajectories[0].time.empty());
  EXPECT_TRUE(result.trajectories[0].coordinates.empty());
  EXPECT_TRUE(result.trajectories[0].sensors.empty());
  EXPECT_EQ(result.trajectories[1].time.size(), 51U);
}

constexpr const char* kOpen = "the loops cannot be closed";
constexpr const char* kInvalid = "a physical number is infinite or undefined";
constexpr const char* kNegative = "a mass is negative";
INSTANTIATE_TEST_SUITE_P(AtTheStart, Failures,
                         testing::Values(Case{"cpu:1", kBarLength, 10.0, kOpen},
                                         Case{"cpu:2", kSpringLength, kNan, kInvalid},
                                         Case{"cpu:2", kBarLength, kInfinity, kInvalid},
                                         Case{"cpu:1", kMass, -1.0, kNegative},
                                         Case{"debug", kBarLength, 10.0, kOpen},
                                         Case{"debug", kSpringLength, kNan, kInvalid},
                                         Case{"debug", kBarLength, kInfinity, kInvalid},
                                         Case{"debug", kMass, -1.0, kNegative}));

// A block on a rail; how far from the origin it starts has no derivative where it starts there.
Model block() {
  Body body;
  body.name = "block";
  body.mass = 2.0;
  body.inertia.xx = body.inertia.yy = body.inertia.zz = 1.0;
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::prismatic;
  rail.parent = "ground";
  rail.child = "block";
  rail.axis = {1, 0, 0};
  rail.start = {{"x", "v", false, false}};
  Model model;
  model.parameters = {{"x", 0.3, "m", {}, ""}, {"v", 0.5, "m/s", {}, ""}};
  model.bodies = {body};
  model.joints = {rail};
  model.sensors = {{"distance", "distance", "ground", "block"}};
  model.objectives = {{"sum", ObjectiveKind::integral, "distance", "", ""}};
  model.analysis.duration = 0.05;
  model.analysis.step = 0.01;
  return model;
}

// The motion succeeds; its columns or its way back do not.
TEST(FailureOfAGradient, LeavesNothingOfItsDesign) {
  for (const char* backend : {"cpu:1", "cpu:2", "debug"})
    for (const char* formulation : {"ali3p", "matrix-r"})
      for (const char* method : {"direct", "adjoint", "dual"}) {
        if (std::string(method) == "dual" && std::string(backend) == "debug") continue;
        SCOPED_TRACE(std::string(backend) + ", " + formulation + ", " + method);
        Options options;
        options.backend = backend;
        options.formulation = formulation;
        options.integrator = std::string(formulation) == "ali3p" ? "newmark" : "rk4";
        options.method = method;
        options.designs.values = {0.3, 0.5, 0.0, 0.5, 0.2, 0.4};
        ASSERT_TRUE(simulate(block(), options).all_ok());
        const Result result = gradient(block(), options);
        EXPECT_TRUE(result.status[0].ok && result.status[2].ok);
        EXPECT_NEAR(result.gradient[0], 0.05, 1e-12);
        EXPECT_FALSE(result.status[1].ok);
        EXPECT_NE(result.status[1].message.find("the objective \"sum\" or its gradient"),
                  std::string::npos);
        expect_poisoned(result, 1);
      }
}

// Half of the differences have a distance without derivative at their centre, or below it a mass.
TEST(FailureOfADifference, LeavesNothingOfItsDesign) {
  Model model = block();
  model.parameters.push_back({"m", 1.0, "kg", {}, ""});
  model.bodies[0].mass = "sqrt(m)";
  Options options;
  options.backend = "cpu:2";
  options.method = "finite-difference";
  options.designs.values = {0.3, 0.5, 1.0, 0.3, 0.5, 1e-12, 0.2, 0.4, 1.0};
  const Result result = gradient(model, options);
  EXPECT_TRUE(result.status[0].ok && result.status[2].ok);
  EXPECT_NEAR(result.gradient[0], 0.05, 1e-8);
  EXPECT_FALSE(result.status[1].ok);
  EXPECT_NE(result.status[1].message.find("a physical number is infinite or undefined"),
            std::string::npos)
      << result.status[1].message;
  expect_poisoned(result, 1);
}

// The distance is zero, so that its columns do not exist.
TEST(FailureOfRecordedColumns, IsTheSameByDirectAndDual) {
  Model model = block();
  model.objectives.clear();
  Options options;
  options.backend = "cpu:1";
  options.columns = true;
  options.designs.values = {0.3, 0.5, 0.0, 0.5};
  for (const char* method : {"direct", "dual"}) {
    SCOPED_TRACE(method);
    options.method = method;
    const Result result = gradient(model, options);
    EXPECT_TRUE(result.status[0].ok);
    EXPECT_FALSE(result.status[1].ok);
    EXPECT_EQ(result.status[1].time, 0.0);
    EXPECT_NE(result.status[1].message.find("the sensitivity of a sensor"), std::string::npos);
  }
}

// A spring pulled by an absurd length throws the mechanism about until Newton's method gives up.
TEST(FailureOnTheWay, IsTheSameOnHostAndDebug) {
  Options options = short_run("cpu:1", 3);
  options.columns = true;
  options.designs.values = good_values();
  options.designs.values.resize(3 * kParameters);
  options.designs.values[kParameters + kSpringLength] = 1e9;
  const Result host = compute_gradient(compiled(options), options);
  options.backend = "debug";
  const Result debug = compute_gradient(compiled(options), options);
  ASSERT_FALSE(host.status[1].ok);
  EXPECT_TRUE(host.status[0].ok);
  EXPECT_TRUE(host.status[2].ok);
  EXPECT_GT(host.status[1].time, 0.0);
  EXPECT_EQ(host.status[1].time, debug.status[1].time);
  EXPECT_EQ(host.status[1].message, debug.status[1].message);
  EXPECT_FALSE(host.trajectories[1].time.empty());
  EXPECT_LT(host.trajectories[1].time.size(), host.trajectories[0].time.size());
  EXPECT_EQ(host.trajectories[1].sensor_columns.size(),
            host.trajectories[1].sensors.size() * kParameters);
  expect_poisoned(host, 1);
  expect_same_bits(host, debug);
}

}  // namespace
}  // namespace gradus::test
