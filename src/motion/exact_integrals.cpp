// Values and derivatives of integrals by their programs.
#include "src/motion/exact_integrals.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/expressions/evaluate.hpp"

namespace gradus {
namespace {

// A program at some inputs, and the derivatives of its outputs by these.
class Evaluated {
 public:
  explicit Evaluated(const expression::Program& program)
      : program_(program.view()),
        values_(program.instructions.size()),
        adjoints_(program.instructions.size()) {}

  void at(std::span<const double> inputs) { kernels::evaluate(program_, inputs, values_); }
  double value(std::size_t k) const { return values_[static_cast<std::size_t>(output(k))]; }

  // Adds those of output k times `factor` to a row, which begins with input `first`.
  void add_derivatives(std::size_t k, double factor, int first, std::span<double> row) {
    kernels::reverse(program_, output(k), values_, adjoints_, [&](int input, double slope) {
      const int column = input - first;
      if (column >= 0 && column < static_cast<int>(row.size()))
        row[static_cast<std::size_t>(column)] += factor * slope;
    });
  }

 private:
  int output(std::size_t k) const { return program_.outputs[k]; }

  kernels::ProgramView program_;
  std::vector<double> values_, adjoints_;
};

class Integrals {
 public:
  Integrals(const MotionRequest& request, std::span<const double> parameters,
            MotionOutcome& outcome)
      : request_(request),
        exact_(request.plan->exact_integrals),
        parameters_(parameters),
        outcome_(outcome),
        count_(request.plan->objectives.size()),
        columns_(outcome.gradient.size() / (outcome.status.size() * count_)),
        values_(exact_.values),
        integrands_(exact_.integrands) {
    for (const PieceRule& rule : exact_.rules) points_.push_back(gauss_rule(rule.points));
  }

  void add_values(std::size_t design) {
    values_.at(row_of(design));
    for (std::size_t k = 0; k < exact_.objectives.size(); ++k) {
      const std::size_t row = design * count_ + objective(k);
      outcome_.objectives[row] += values_.value(k);
      if (columns_ > 0)
        values_.add_derivatives(k, 1.0, request_.first_column, gradient_of(design, k));
      if (std::isfinite(outcome_.objectives[row]) || outcome_.status[design] != kernels::Status::ok)
        continue;
      outcome_.status[design] = kernels::Status::objective_not_finite;
      outcome_.failure_time[design] = request_.settings().duration;
      outcome_.blamed[design] = -1.0 - static_cast<double>(objective(k));
    }
    judge_design(request_, design, outcome_);
  }

  // What they have come to at recorded times; at the end what they are, to the last bit.
  void record(std::size_t design, Trajectory& trajectory) {
    std::vector<double> inputs(row_of(design).begin(), row_of(design).end());
    inputs.push_back(0.0);
    for (std::size_t k = 0; k < exact_.objectives.size(); ++k) {
      std::vector<double> sum(1 + (trajectory.gradient_history.empty() ? 0 : columns_), 0.0);
      double before = 0.0;
      for (std::size_t r = 0; r < trajectory.time.size(); ++r) {
        add_span(k, before, trajectory.time[r], inputs, sum);
        before = trajectory.time[r];
        if (r + 1 == trajectory.time.size() && outcome_.status[design] == kernels::Status::ok) {
          sum[0] = outcome_.objectives[design * count_ + objective(k)];
          if (sum.size() > 1) std::ranges::copy(gradient_of(design, k), sum.begin() + 1);
        }
        trajectory.objective_history[r * count_ + objective(k)] = sum[0];
        if (sum.size() > 1)
          std::copy(sum.begin() + 1, sum.end(),
                    trajectory.gradient_history.begin() +
                        static_cast<std::ptrdiff_t>((r * count_ + objective(k)) * columns_));
      }
    }
  }

 private:
  std::size_t objective(std::size_t k) const {
    return static_cast<std::size_t>(exact_.objectives[k]);
  }
  std::span<const double> row_of(std::size_t design) const {
    const std::size_t size = request_.plan->nominal.size();
    return parameters_.subspan(design * size, size);
  }
  std::span<double> gradient_of(std::size_t design, std::size_t k) const {
    return std::span(outcome_.gradient)
        .subspan((design * count_ + objective(k)) * columns_, columns_);
  }

  // Adds the integral from one time to another, and behind it its derivatives.
  void add_span(std::size_t k, double from, double to, std::vector<double>& inputs,
                std::vector<double>& sum) {
    const PieceRule& rule = exact_.rules[k];
    auto next = std::upper_bound(rule.breaks.begin(), rule.breaks.end(), from);
    while (from < to) {
      const double end = next != rule.breaks.end() && *next < to ? *next++ : to;
      const double middle = 0.5 * (from + end), half = 0.5 * (end - from);
      for (const QuadraturePoint& point : points_[k]) {
        inputs.back() = middle + half * point.at;
        integrands_.at(inputs);
        sum[0] += half * point.weight * integrands_.value(k);
        integrands_.add_derivatives(k, half * point.weight, request_.first_column,
                                    std::span(sum).subspan(1));
      }
      from = end;
    }
  }

  const MotionRequest& request_;
  const ExactIntegrals& exact_;
  std::span<const double> parameters_;
  MotionOutcome& outcome_;
  std::size_t count_, columns_;
  Evaluated values_, integrands_;
  std::vector<std::vector<QuadraturePoint>> points_;  // of each integral
};

}  // namespace

void add_exact_integrals(const MotionRequest& request, std::span<const double> parameters,
                         MotionOutcome& outcome) {
  if (request.plan->exact_integrals.objectives.empty()) return;
  Integrals integrals(request, parameters, outcome);
  for (std::size_t design = 0; design < outcome.status.size(); ++design)
    if (outcome.status[design] == kernels::Status::ok) integrals.add_values(design);
  if (!request.records_objectives()) return;
  for (std::size_t design = 0; design < outcome.trajectories.size(); ++design)
    integrals.record(design, outcome.trajectories[design]);
}

}  // namespace gradus
