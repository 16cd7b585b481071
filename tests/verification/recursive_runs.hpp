// Runs of recursive formulations, compared with those by the mass matrix.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tests/support/oracle_comparison.hpp"

namespace gradus::test {

struct Way {
  const char* formulation;
  const char* reference;
  const char* integrator = "rk4";
};

inline Result run_by(Model model, const Way& way, double duration, double step) {
  model.analysis.formulation = way.formulation;
  model.analysis.integrator = way.integrator;
  return run(model, way.reference, duration, step);
}

// Largest difference of the first `count` numbers, relative to the largest of them.
inline double relative_difference(const std::vector<double>& a, const std::vector<double>& b,
                                  std::size_t first, std::size_t count) {
  double scale = 0.0;
  double difference = 0.0;
  for (std::size_t k = first; k < first + count; ++k) {
    scale = std::max(scale, std::abs(a[k]));
    if (!(std::abs(a[k] - b[k]) <= difference)) difference = std::abs(a[k] - b[k]);
  }
  EXPECT_GT(scale, 0.1) << "nothing moves";
  return difference / scale;
}

// Round-off alone separates the two: the smallest bound that all models keep with a margin.
inline void expect_accelerations_of(const char* formulation, const Model& model) {
  const Result expected = run_by(model, {formulation, "rtdyn0"}, 1e-3, 1e-3);
  const std::size_t n = expected.coordinates.size();
  for (const char* reference : {"rtdyn0", "rtdyn1"}) {
    const Result found = run_by(model, {"fully-recursive", reference}, 1e-3, 1e-3);
    EXPECT_LT(relative_difference(expected.trajectories[0].accelerations,
                                  found.trajectories[0].accelerations, 0, n),
              1e-11)
        << reference;
  }
}

}  // namespace gradus::test
