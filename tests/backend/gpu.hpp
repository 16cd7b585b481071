// What tests on a GPU share. They are skipped where there is no usable GPU, unless
// GRADUS_REQUIRE_DEVICE=1 says there must be one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "gradus/run.hpp"
#include "src/backend/device.hpp"

namespace gradus::test {

class NeedsGpu : public testing::Test {
 protected:
  void SetUp() override {
    const std::string obstacle = cuda_obstacle(0);
    if (obstacle.empty()) return;
    const char* required = std::getenv("GRADUS_REQUIRE_DEVICE");
    if (required != nullptr && std::string(required) == "1")
      FAIL() << "GRADUS_REQUIRE_DEVICE=1, but " << obstacle;
    GTEST_SKIP() << "no GPU: " << obstacle;
  }
};

constexpr double kTolerance = 1e-10;  // relative to the largest entry of the row

// Rows of `width` entries.
inline void expect_near(const std::vector<double>& a, const std::vector<double>& b,
                        std::size_t width, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  double worst = 0.0;
  for (std::size_t first = 0; first < a.size(); first += width) {
    double scale = 0.0;
    for (std::size_t k = first; k < first + width; ++k) scale = std::max(scale, std::abs(b[k]));
    for (std::size_t k = first; k < first + width; ++k) {
      const double deviation =
          std::abs(a[k] - b[k]) / std::max(scale, std::numeric_limits<double>::min());
      EXPECT_LE(deviation, kTolerance) << what << "[" << k << "]: " << a[k] << " and " << b[k];
      worst = std::max(worst, deviation);
    }
  }
  testing::Test::RecordProperty(std::string("deviation_of_") + what,
                                std::to_string(worst * 1e15) + "e-15");
}

// `violation`: what the formulation leaves of the constraints at most.
inline void expect_agreement(const Result& gpu, const Result& host, double violation = 1e-9) {
  ASSERT_TRUE(host.all_ok());
  EXPECT_TRUE(gpu.all_ok());
  expect_near(gpu.objective_values, host.objective_values, 1, "objective_values");
  expect_near(gpu.final_sensors, host.final_sensors, host.sensor_components.size(),
              "final_sensors");
  if (!host.gradient.empty())
    expect_near(gpu.gradient, host.gradient, host.parameters.size(), "gradient");
  for (std::size_t k = 0; k < host.constraint_violation.size(); ++k)
    EXPECT_LT(gpu.constraint_violation[k], violation) << "constraint_violation[" << k << "]";
}

}  // namespace gradus::test
