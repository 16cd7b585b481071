// Runs programs of time alone, whose splines are looked up as kernels do it.
#include "src/motion/time_course.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/expressions/evaluate.hpp"

namespace gradus {
namespace {

using kernels::SplineEnds;

constexpr std::size_t kShortSpline = 64;  // knots: steps end at all of them
// Of jumps of slopes, halves of second and sixths of third derivatives at a knot, each times a
// power of the distance of knots, relative to the range of the spline: where the sum is larger,
// steps that end at the knot are fewer than those that its error makes.
constexpr double kShares[] = {1.0, 0.1, 0.01};
constexpr double kRough = 1e-6;

std::vector<double> spline_values(const TimeLaws& laws, std::span<const double> parameters) {
  const kernels::ProgramView program = laws.spline_values.view();
  std::vector<double> inputs(parameters.begin(), parameters.end());
  std::vector<double> results(laws.spline_values.instructions.size());
  kernels::evaluate(program, inputs, results);
  std::vector<double> values;
  for (int k = 0; k < program.output_count; ++k)
    values.push_back(results[static_cast<std::size_t>(program.outputs[k])]);
  return values;
}

}  // namespace

TimeSplines::TimeSplines(const TimeLaws& laws, std::span<const double> parameters)
    : shapes_(&laws.splines) {
  const std::vector<double> values = spline_values(laws, parameters);
  const double* first = values.data();
  for (const expression::SplineShape& shape : laws.splines) {
    polynomials_.emplace_back(4 * (shape.knots.size() + 1));
    kernels::find_polynomials<double>(shape.view(), first, polynomials_.back());
    first += shape.knots.size() + (shape.given_slopes ? 2 : 0);
  }
}

double TimeSplines::value(int number, double x) const {
  const kernels::SplineView view = shape(number).view();
  const kernels::SplinePlace<double> place = kernels::spline_place(view, x);
  const int q = static_cast<int>(place.polynomial);
  const double* const c = polynomial(number, q);
  if (kernels::is_held(view, q)) return c[0];
  return kernels::SplinePiece<double>{x - place.shift - kernels::spline_base(view, q),
                                      {c[0], c[1], c[2], c[3]}}
      .value();
}

double TimeSplines::period(int number) const {
  const expression::SplineShape& s = shape(number);
  return s.ends == SplineEnds::repeat ? s.knots.back() - s.knots.front() : 0.0;
}

// Of what repeats the first polynomial follows the last; what is extended has no knots at its ends.
double TimeSplines::roughness(int number, int knot) const {
  const expression::SplineShape& s = shape(number);
  const kernels::SplineView view = s.view();
  const int last = view.knots - 1;
  const bool is_end = knot == 0 || knot == last;
  if (is_end && s.ends == SplineEnds::extend) return 0.0;
  const bool turns = is_end && s.ends == SplineEnds::repeat;
  const int before = turns ? last : knot;
  const int behind = turns ? 1 : knot + 1;
  const auto width = [&](int k) { return view.knot[k + 1] - view.knot[k]; };
  const double w = width(knot < last ? knot : last - 1);
  const double u = before == 0 ? 0.0 : width(before - 1);
  const double* const a = polynomial(number, before);
  const double* const b = polynomial(number, behind);
  const bool holds_before = kernels::is_held(view, before);
  const bool holds_behind = kernels::is_held(view, behind);
  const double slope = holds_before ? 0.0 : a[1] + u * (2.0 * a[2] + 3.0 * u * a[3]);
  const double bend = a[2] + 3.0 * u * a[3];
  return kShares[0] * w * std::abs((holds_behind ? 0.0 : b[1]) - slope) +
         kShares[1] * w * w * std::abs(b[2] - bend) +
         kShares[2] * w * w * w * std::abs(b[3] - a[3]);
}

std::vector<double> TimeSplines::rough_knots(int number) const {
  const std::vector<double>& knots = shape(number).knots;
  if (knots.size() <= kShortSpline) return knots;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    const double value = *polynomial(number, static_cast<int>(k) + 1);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  std::vector<double> rough;
  for (std::size_t k = 0; k < knots.size(); ++k)
    if (roughness(number, static_cast<int>(k)) > kRough * (most - least)) rough.push_back(knots[k]);
  return rough;
}

TimeCourse::TimeCourse(const TimeLaws& laws, std::span<const double> parameters)
    : program_(laws.program.view()),
      splines_(laws, parameters),
      inputs_(parameters.begin(), parameters.end()),
      values_(laws.program.instructions.size()) {
  inputs_.push_back(0.0);
}

void TimeCourse::run(double time) {
  inputs_.back() = time;
  kernels::evaluate(program_, inputs_, values_, splines_);
}

void TimeCourse::outputs_at(double time, std::vector<double>& to) {
  run(time);
  to.resize(static_cast<std::size_t>(program_.output_count));
  for (int k = 0; k < program_.output_count; ++k) to[static_cast<std::size_t>(k)] = output(k);
}

}  // namespace gradus
