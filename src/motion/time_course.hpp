// What a model says of time alone at any time, for the parameters of one design.
#pragma once

#include <span>
#include <vector>

#include "kernels/expressions/spline.hpp"
#include "src/plan/time_laws.hpp"

namespace gradus {

// The splines of laws of time, as a program asks for them.
class TimeSplines {
 public:
  TimeSplines(const TimeLaws& laws, std::span<const double> parameters);

  double value(int number, double x) const;

  // Knots, ascending, at which steps of an adaptive method should end: those of short splines, and
  // of others where polynomials meet that differ in more than what the error of a step sees to.
  std::vector<double> rough_knots(int number) const;
  double first_knot(int number) const { return shape(number).knots.front(); }
  double period(int number) const;  // 0: it does not repeat
  // Whether second derivatives jump at all knots.
  bool is_local(int number) const { return kernels::is_local(shape(number).kind); }

 private:
  const expression::SplineShape& shape(int number) const {
    return (*shapes_)[static_cast<std::size_t>(number)];
  }
  const double* polynomial(int number, int q) const {
    return polynomials_[static_cast<std::size_t>(number)].data() + 4 * q;
  }
  double roughness(int number, int knot) const;

  const std::vector<expression::SplineShape>* shapes_;
  std::vector<std::vector<double>> polynomials_;  // [spline, polynomial, coefficient]
};

// The outputs of the program of laws.
class TimeCourse {
 public:
  TimeCourse(const TimeLaws& laws, std::span<const double> parameters);

  const TimeSplines& splines() const { return splines_; }
  double output_at(int k, double time) {
    run(time);
    return output(k);
  }
  void outputs_at(double time, std::vector<double>& to);

 private:
  void run(double time);
  double output(int k) const { return values_[static_cast<std::size_t>(program_.outputs[k])]; }

  kernels::ProgramView program_;
  TimeSplines splines_;
  std::vector<double> inputs_, values_;
};

}  // namespace gradus
