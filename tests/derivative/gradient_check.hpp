// Compares the direct gradient of whole runs with dual numbers and with central differences.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/gradus.hpp"
#include "tests/support/methods.hpp"

namespace gradus::derivative {

// Deviations are relative to the largest entry of the row (one objective, all parameters).
//
// Direct and dual compute the same numbers in different orders, so they differ by rounding carried
// through the run and by what Newton's method leaves of a step: an increment below 1e-5 of the
// tolerance (1e-12 here) that is not applied, a change of the acceleration by that over beta h^2.
// Together this stays near 1e-12 of a row; a hundred times that is allowed, and still lies below
// every entry, so that no term can be missing. Central differences at the best step h of some
// err by h^2 f''' and by rounding over h, together about 1e-8 for well-scaled numbers and 1e-7 for
// small ones such as inertias.
struct Tolerances {
  double dual = 1e-10;  // of the adjoint as well
  double difference = 1e-6;
  double smallest_entry = 1e-9;  // every entry is larger than this, in the same measure
  bool differences = true;
};

// The iteration on implicit stages ends when the accelerations no longer change. In dual numbers
// their derivatives follow one contraction, a factor of 20, behind, and as much again by how that
// contraction answers to the parameter: near 1e-10 of a row where a loop is close to singular.
inline Tolerances tolerances_of(const test::Method& method) {
  Tolerances tolerances;
  if (method.integrator.implicit) tolerances.dual = 1e-9;
  tolerances.differences = method.meets_differences();
  return tolerances;
}

struct Deviations {
  double dual = 0.0;
  double adjoint = 0.0;
  double difference = 0.0;
  double smallest_entry = 1e300;
  std::string smallest_name;
};

// Asserts that the run succeeds and the three gradients agree, and that no entry is zero. Prints
// and returns the largest deviations.
Deviations expect_exact_gradient(const Model& model, const Tolerances& tolerances = {});

// Largest difference of two gradients (or rows of values), relative to the largest entry of each
// row.
double largest_deviation(const std::vector<double>& a, const std::vector<double>& b,
                         std::size_t row_size);

// Asserts that the objectives of two runs agree, relative to 1 + their size.
void expect_equal_values(const Result& a, const Result& b, double tolerance);

// Asserts that the designs of the options, at least several, have the same bits alone, in lanes and
// on a device.
void expect_same_bits_everywhere(const Model& model, Options options);

// The gradient by a method, one thread; asserts success.
Result run_gradient(const Model& model, const std::string& method, const Options& options = {});

}  // namespace gradus::derivative
