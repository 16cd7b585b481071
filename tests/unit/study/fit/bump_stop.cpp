// Fits of a model with kinks: a block that falls onto a bump stop, by adaptive steps.
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/gradus.hpp"
#include "src/study/fit/fit_model.hpp"

namespace gradus::test {
namespace {

constexpr const char* kBlock = R"json({
  "schema": "gradus-model/1", "name": "block on a bump stop", "gravity": [0, -9.81, 0],
  "parameters": { "k": 20000, "c": 6000, "gap": 0.3 },
  "bodies": { "block": { "mass": 2, "com": [0, 0, 0], "inertia": { "xx": 1, "yy": 1, "zz": 1 } } },
  "joints": { "slide": { "type": "prismatic", "parent": "ground", "child": "block", "axis": [0, 1, 0],
                         "initial": { "position": 0.5 } } },
  "sensors": { "y": { "coordinate": "slide" }, "v": { "rate": "slide" } },
  "forces": { "stop": { "type": "joint-force", "joint": "slide", "value": "(k - c*v)*max(0, gap - y)" } },
  "analysis": { "duration": 1.5 }
})json";

// The height of the block every hundredth of a second, by the true parameters.
Study recorded_block() {
  Study study;
  study.name = "bump stop";
  study.model = parse_model(kBlock);
  study.options.backend = "cpu:1";
  Options options;
  options.backend = "cpu:1";
  options.record = true;
  options.record_every = 10;
  const Result motion = simulate(study.model, options);
  const std::size_t components = motion.sensor_components.size();
  Measurement measurement;
  measurement.sensor = "y";
  measurement.time = motion.trajectories.at(0).time;
  for (std::size_t k = 0; k < measurement.time.size(); ++k)
    measurement.value.push_back(motion.trajectories[0].sensors[k * components]);
  study.fit.emplace();
  study.fit->measurements.push_back(measurement);
  study.fit->variables = {{"k", 15000.0, 1000.0, 1e5}, {"c", 4000.0, 100.0, 5e4}};
  return study;
}

TEST(BumpStop, APerfectRecordingGivesItsParametersBack) {
  const FitResult result = fit(recorded_block());
  EXPECT_TRUE(result.succeeded) << result.starts.at(0).reason;
  ASSERT_EQ(result.parameters.size(), 2U);
  EXPECT_NEAR(result.parameters[0].value, 20000.0, 0.01);
  EXPECT_NEAR(result.parameters[1].value, 6000.0, 0.01);
  // Differences take the steps of the run that they check; some of them cross the kink, and know
  // it.
  EXPECT_LT(result.check_deviation, 1e-5);
  EXPECT_GT(result.check_error, 1e-3);
  EXPECT_LT(result.check_error, 0.05);
}

TEST(BumpStop, AWrongGradientIsFoundAllTheSame) {
  const Study study = recorded_block();
  const FitModel model(study, 1);
  const auto checked = [&](double factor) {
    return gradient_deviation(
        model.problem(), model.problem().start,
        [&](const std::vector<double>& point) {
          Answer answer = model.sums({point}).front();
          answer[2] *= factor;
          return answer;
        },
        [&](const auto& centre, const auto& points) {
          return model.sums_of_motion(centre, points);
        });
  };
  EXPECT_TRUE(checked(1.0).agrees()) << checked(1.0).deviation;
  EXPECT_FALSE(checked(1.1).agrees()) << checked(1.1).deviation << " " << checked(1.1).error;
}

}  // namespace
}  // namespace gradus::test
