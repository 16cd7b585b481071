// The backends of the host agree to the bit: cpu with debug, batches with single designs, one
// thread with two.
#include <cmath>
#include <tuple>
#include <utility>

#include "tests/backend/five_bar.hpp"
#include "tests/support/forces.hpp"

namespace gradus::test {
namespace {

class Agreement : public testing::TestWithParam<std::size_t> {};

void expect_sane(const Result& result) {
  ASSERT_TRUE(result.all_ok());
  for (const double value : result.objective_values) EXPECT_GT(value, 0.0);
}

TEST_P(Agreement, DebugSimulatesAsTheHostDoes) {
  const Result host = simulate(five_bar(), short_run("cpu:1", GetParam()));
  const Result debug = simulate(five_bar(), short_run("debug", GetParam()));
  expect_sane(host);
  EXPECT_EQ(debug.backend, "debug");
  expect_same_bits(host, debug);
}

// Laws keep their scratch design by design in what other designs share.
TEST_P(Agreement, DebugDifferentiatesLawsAsTheHostDoes) {
  Model model = five_bar();
  model.sensors.push_back({"z1", "coordinate", model.joints[0].name});
  model.sensors.push_back({"z1d", "rate", model.joints[0].name});
  model.forces.push_back(
      make_joint_force("servo", model.joints[0].name, "sin(3*t)*z1 - 0.2*z1d*L_A1"));
  const Result host = gradient(model, short_run("cpu:1", GetParam()));
  const Result debug = gradient(model, short_run("debug", GetParam()));
  expect_sane(host);
  expect_same_bits(host, debug);
}

// Common steps, fixed ones, and adaptive ones that end there.
TEST_P(Agreement, DebugTakesValuesAtTimesAsTheHostDoes) {
  const Model model = with_values({0.0, 0.011, 0.05});
  for (const auto& [formulation, integrator] :
       {std::pair{"ali3p", "newmark"}, std::pair{"index1", "rk4"},
        std::pair{"matrix-r", "dopri5"}}) {
    Options options = short_run("cpu:1", GetParam());
    options.formulation = formulation;
    options.integrator = integrator;
    options.record = true;
    const Result host = gradient(model, options);
    options.backend = "debug";
    ASSERT_EQ(host.objectives.size(), 6U);
    EXPECT_EQ(host.objectives[1].name, "a@0.011");
    for (const double entry : row(host.gradient, 0, host.n_design))
      EXPECT_TRUE(std::isfinite(entry));
    expect_same_bits(host, gradient(model, options));
  }
}

TEST_P(Agreement, DebugDifferentiatesAsTheHostDoes) {
  const Result host = gradient(five_bar(), short_run("cpu:1", GetParam()));
  const Result debug = gradient(five_bar(), short_run("debug", GetParam()));
  expect_sane(host);
  ASSERT_EQ(host.gradient.size(), GetParam() * 15);
  for (const double entry : host.gradient) EXPECT_NE(entry, 0.0);
  expect_same_bits(host, debug);
}

// Over steps that all designs share, and over their own.
TEST_P(Agreement, DebugGoesBackAsTheHostDoes) {
  for (const auto& [formulation, integrator, method] :
       {std::tuple{"ali3p", "newmark", "adjoint"}, std::tuple{"matrix-r", "dopri5", "adjoint"},
        std::tuple{"index1", "rk4", "continuous-adjoint"}}) {
    Options options = short_run("cpu:1", GetParam());
    options.duration = 0.02;
    options.formulation = formulation;
    options.integrator = integrator;
    options.method = method;
    const Result host = gradient(five_bar(), options);
    expect_sane(host);
    options.backend = "debug";
    expect_same_bits(host, gradient(five_bar(), options));
  }
}

// Implicit steps that each design chooses for itself.
TEST_P(Agreement, DebugChoosesStiffStepsAsTheHostDoes) {
  for (const char* integrator : {"radau5", "radau9"})
    for (const char* method : {"direct", "adjoint"}) {
      Options options = short_run("cpu:1", GetParam());
      options.formulation = "index1";
      options.integrator = integrator;
      options.rtol = 1e-7;
      options.method = method;
      options.record = true;
      const Result host = gradient(five_bar(), options);
      expect_sane(host);
      EXPECT_TRUE(host.adaptive);
      options.backend = "debug";
      expect_same_bits(host, gradient(five_bar(), options));
    }
}

TEST_P(Agreement, ThreadsDoNotChangeAnything) {
  expect_same_bits(gradient(five_bar(), short_run("cpu:1", GetParam())),
                   gradient(five_bar(), short_run("cpu:2", GetParam())));
}

TEST_P(Agreement, ADesignDoesNotFeelItsBatch) {
  const Result batch = gradient(five_bar(), short_run("cpu:2", GetParam()));
  for (std::size_t d = 0; d < GetParam(); ++d) {
    Options alone = short_run("cpu:1", 1);
    alone.designs.values = row(batch.parameter_values, d, batch.n_design);
    expect_same_design(gradient(five_bar(), alone), 0, batch, d);
  }
}

// Devices work on tiles of 32 designs.
INSTANTIATE_TEST_SUITE_P(BatchSizes, Agreement, testing::Values(1, 5, 31, 32, 33, 37, 64));

TEST(Batch, OfAThousandDesignsIsTheSameOnHostAndDebug) {
  Options options = short_run("cpu:2", 1000);
  options.duration = 0.005;
  const Result host = gradient(five_bar(), options);
  expect_sane(host);
  options.backend = "debug";
  expect_same_bits(host, gradient(five_bar(), options));
}

TEST(Batch, OfAThousandDesignsIsAThousandSingleRuns) {
  constexpr std::size_t count = 1000;
  const Result batch = gradient(five_bar(), short_run("cpu:2", count));
  expect_sane(batch);
  for (std::size_t d = 0; d < count; ++d) {
    Options alone = short_run("cpu:1", 1);
    alone.designs.values = row(batch.parameter_values, d, batch.n_design);
    expect_same_design(gradient(five_bar(), alone), 0, batch, d);
  }
}

TEST(Recording, IsTheSameOnHostAndDebug) {
  for (const std::size_t every : {1, 7}) {
    Options host = short_run("cpu:2", 37);
    host.record = true;
    host.record_every = every;
    Options debug = host;
    debug.backend = "debug";
    const Result recorded = simulate(five_bar(), host);
    ASSERT_EQ(recorded.trajectories.size(), 37U);
    EXPECT_EQ(recorded.trajectories[36].time.size(), every == 1 ? 51U : 9U);
    expect_same_bits(recorded, simulate(five_bar(), debug));
  }
}

// By steps that all designs share, and by their own.
TEST(Recording, OfSensitivitiesIsTheSameOnHostAndDebug) {
  for (const char* formulation : {"ali3p", "index1"}) {
    Options host = short_run("cpu:2", 37);
    host.formulation = formulation;
    host.columns = true;
    host.record_every = 7;
    Options debug = host;
    debug.backend = "debug";
    const Result recorded = gradient(five_bar(), host);
    ASSERT_EQ(recorded.trajectories.size(), 37U);
    const Trajectory& last = recorded.trajectories[36];
    EXPECT_EQ(last.time.size(), 9U);
    EXPECT_EQ(last.sensor_columns.size(), last.sensors.size() * recorded.parameters.size());
    for (const double entry : last.sensor_columns) EXPECT_TRUE(std::isfinite(entry));
    expect_same_bits(recorded, gradient(five_bar(), debug));
  }
}

TEST(Determinism, ASecondRunGivesTheSameBits) {
  for (const char* backend : {"cpu:2", "debug"})
    expect_same_bits(gradient(five_bar(), short_run(backend, 5)),
                     gradient(five_bar(), short_run(backend, 5)));
}

}  // namespace
}  // namespace gradus::test
