// Comparison of gradients by three methods.
#include "tests/derivative/gradient_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace gradus::derivative {
namespace {

std::string entry_name(const Result& r, std::size_t o, std::size_t p) {
  return "d(" + r.objectives[o].name + ")/d(" + r.parameters[p].name + ")";
}

double row_scale(const Result& r, std::size_t o) {
  const std::size_t count = r.parameters.size();
  double scale = 0.0;
  for (std::size_t p = 0; p < count; ++p)
    scale = std::max(scale, std::abs(r.gradient[o * count + p]));
  return scale;
}

// Central differences, one step after the other until some step is right for every entry: a run per
// parameter and direction makes them the dearest part of a test.
std::vector<Result> differences_near(const Model& model, const Result& direct, double tolerance) {
  std::vector<Result> all;
  std::vector<double> least(direct.gradient.size(), 1e300);
  const std::size_t count = direct.parameters.size();
  for (const double step : {1e-5, 1e-4, 1e-6}) {
    Options options;
    options.backend = "cpu:1";
    options.method = "finite-difference";
    options.difference_step = step;
    Result differences = gradient(model, options);
    if (!differences.all_ok()) continue;  // a neighbour may fail where steps are coarse
    all.push_back(std::move(differences));
    bool near = true;
    for (std::size_t k = 0; k < least.size(); ++k) {
      least[k] = std::min(least[k], std::abs(direct.gradient[k] - all.back().gradient[k]));
      near = near && least[k] < tolerance * row_scale(direct, k / count);
    }
    if (near) break;
  }
  EXPECT_FALSE(all.empty()) << model.name << ": a neighbour fails at every difference";
  return all;
}

}  // namespace

Result run_gradient(const Model& model, const std::string& method, const Options& options) {
  Options chosen = options;
  chosen.backend = "cpu:1";
  chosen.method = method;
  Result result = gradient(model, chosen);
  EXPECT_TRUE(result.all_ok()) << model.name << " by " << method << ": " << result.status[0].message
                               << " at t = " << result.status[0].time;
  return result;
}

double largest_deviation(const std::vector<double>& a, const std::vector<double>& b,
                         std::size_t row_size) {
  double largest = a.size() == b.size() ? 0.0 : 1e300;
  for (std::size_t row = 0; row + row_size <= a.size() && largest < 1e300; row += row_size) {
    double scale = 0.0;
    for (std::size_t k = row; k < row + row_size; ++k) scale = std::max(scale, std::abs(a[k]));
    for (std::size_t k = row; k < row + row_size; ++k) {
      const double deviation = std::abs(a[k] - b[k]) / scale;
      largest = std::isfinite(deviation) ? std::max(largest, deviation) : 1e300;
    }
  }
  return largest;
}

void expect_equal_values(const Result& a, const Result& b, double tolerance) {
  for (std::size_t o = 0; o < a.objective_values.size(); ++o)
    EXPECT_NEAR(a.objective_values[o], b.objective_values[o],
                tolerance * std::max(1.0, std::abs(a.objective_values[o])))
        << a.model << ": " << a.objectives[o].name;
}

void expect_same_bits_everywhere(const Model& model, Options options) {
  options.backend = "cpu:1";
  options.lanes = 1;
  const Result alone = gradient(model, options);
  ASSERT_TRUE(alone.all_ok()) << model.name << ": " << alone.status[0].message;
  options.lanes = 0;
  for (const char* backend : {"cpu:1", "debug"}) {
    options.backend = backend;
    const Result other = gradient(model, options);
    EXPECT_EQ(other.objective_values, alone.objective_values) << model.name << " on " << backend;
    EXPECT_EQ(other.gradient, alone.gradient) << model.name << " on " << backend;
    EXPECT_EQ(other.final_sensors, alone.final_sensors) << model.name << " on " << backend;
  }
}

Deviations expect_exact_gradient(const Model& model, const Tolerances& tolerances) {
  Deviations worst;
  const Result direct = run_gradient(model, "direct");
  const Result adjoint = run_gradient(model, "adjoint");
  const Result dual = run_gradient(model, "dual");
  const std::vector<Result> differences =
      tolerances.differences ? differences_near(model, direct, tolerances.difference)
                             : std::vector<Result>{};
  if (testing::Test::HasFailure()) return worst;

  const std::size_t count = direct.parameters.size();
  EXPECT_GT(count, 0U);
  expect_equal_values(direct, dual, 1e-10);
  expect_equal_values(direct, adjoint, 1e-10);
  for (std::size_t o = 0; o < direct.objectives.size(); ++o) {
    const double scale = row_scale(direct, o);
    EXPECT_GT(scale, 0.0) << direct.objectives[o].name;
    for (std::size_t p = 0; p < count; ++p) {
      const std::size_t k = o * count + p;
      const double value = direct.gradient[k];
      const double by_dual = std::abs(value - dual.gradient[k]) / scale;
      const double by_adjoint = std::abs(value - adjoint.gradient[k]) / scale;
      double by_difference = tolerances.differences ? 1e300 : 0.0;
      for (const Result& difference : differences)
        by_difference = std::min(by_difference, std::abs(value - difference.gradient[k]) / scale);
      EXPECT_LT(by_dual, tolerances.dual) << model.name << ": " << entry_name(direct, o, p)
                                          << " direct " << value << " dual " << dual.gradient[k];
      EXPECT_LT(by_adjoint, tolerances.dual)
          << model.name << ": " << entry_name(direct, o, p) << " direct " << value << " adjoint "
          << adjoint.gradient[k];
      EXPECT_LT(by_difference, tolerances.difference)
          << model.name << ": " << entry_name(direct, o, p) << " direct " << value << " dual "
          << dual.gradient[k] << " difference "
          << (differences.empty() ? 0.0 : differences[0].gradient[k]);
      EXPECT_GT(std::abs(value) / scale, tolerances.smallest_entry)
          << model.name << ": " << entry_name(direct, o, p)
          << " vanishes, the test would prove nothing";
      worst.dual = std::max(worst.dual, by_dual);
      worst.adjoint = std::max(worst.adjoint, by_adjoint);
      worst.difference = std::max(worst.difference, by_difference);
      if (std::abs(value) / scale < worst.smallest_entry) {
        worst.smallest_entry = std::abs(value) / scale;
        worst.smallest_name = entry_name(direct, o, p);
      }
    }
  }
  std::cout << model.name << ": " << count << " parameters, direct against dual " << worst.dual
            << ", against adjoint " << worst.adjoint << ", against differences "
            << (tolerances.differences ? worst.difference : NAN) << ", smallest entry "
            << worst.smallest_entry << " " << worst.smallest_name << "\n";
  return worst;
}

}  // namespace gradus::derivative
