// Error of a gradient against the time it takes, for one formulation and integrator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gradus/gradus.hpp>

namespace gradus::bench {

struct Method {
  std::string formulation;
  std::string integrator;
  std::string stabilisation;  // of index1; empty for the others

  std::string name() const;
  bool adaptive() const;
};

// Every formulation that closes loops with every integrator it can use.
std::vector<Method> loop_methods();

// The model with that method, an accuracy that is a step [s] or the relative error of one.
Model with_method(Model model, const Method& method, double accuracy);

struct Point {
  double accuracy = 0.0;   // step [s] or rtol
  double steps = 0.0;      // taken
  double error = 0.0;      // largest of all entries of the gradient, each relative to itself
  double seconds = 0.0;    // median
  double processor = 0.0;  // the same of processor time, which other programs do not change
};

struct Sweep {
  Method method;
  std::vector<Point> points;  // coarsest first
  std::string failure;        // why there are no more, if runs failed
};

struct SweepLimits {
  int repeats = 7;
  int most_points = 20;
  double least_error = 1e-9;  // where a sweep ends
  double most_seconds = 2.0;  // for one run, likewise
};

// Gradient of the model that counts as exact.
std::vector<double> converged_gradient(const Model& model);

Sweep sweep(const Model& model, const Method& method, const std::vector<double>& exact,
            const SweepLimits& limits);

// Processor time at which the error is `target`, on straight lines between the logarithms of the
// points; nothing where no point is that accurate.
std::optional<double> processor_seconds_at(const Sweep& sweep, double target);

}  // namespace gradus::bench
