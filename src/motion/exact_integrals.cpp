// Values and derivatives of integrals by their programs.
#include "src/motion/exact_integrals.hpp"

#include <cmath>

#include "kernels/expressions/evaluate.hpp"

namespace gradus {
namespace {

// The program of the integrals for one design after another.
class IntegralProgram {
 public:
  explicit IntegralProgram(const MotionRequest& request)
      : request_(request),
        program_(request.plan->exact_integrals.program.view()),
        values_(static_cast<std::size_t>(program_.instruction_count)),
        adjoints_(values_.size()) {}

  void evaluate(std::span<const double> parameters) {
    kernels::evaluate(program_, parameters, values_);
  }
  double value(std::size_t k) const { return values_[static_cast<std::size_t>(output(k))]; }

  // Adds the derivatives of integral k to a row of a gradient.
  void add_derivatives(std::size_t k, std::span<double> row) {
    kernels::reverse(program_, output(k), values_, adjoints_, [&](int input, double slope) {
      const int column = input - request_.first_column;
      if (column >= 0 && column < static_cast<int>(row.size()))
        row[static_cast<std::size_t>(column)] += slope;
    });
  }

 private:
  int output(std::size_t k) const { return program_.outputs[k]; }

  const MotionRequest& request_;
  kernels::ProgramView program_;
  std::vector<double> values_, adjoints_;
};

}  // namespace

void add_exact_integrals(const MotionRequest& request, std::span<const double> parameters,
                         MotionOutcome& outcome) {
  const std::vector<int>& objectives = request.plan->exact_integrals.objectives;
  if (objectives.empty()) return;
  const std::size_t count = request.plan->objectives.size();
  const std::size_t designs = outcome.status.size();
  const std::size_t size = request.plan->nominal.size();
  const std::size_t columns = outcome.gradient.size() / (designs * count);
  IntegralProgram program(request);
  for (std::size_t design = 0; design < designs; ++design) {
    if (outcome.status[design] != kernels::Status::ok) continue;
    program.evaluate(parameters.subspan(design * size, size));
    for (std::size_t k = 0; k < objectives.size(); ++k) {
      const std::size_t row = design * count + static_cast<std::size_t>(objectives[k]);
      outcome.objectives[row] += program.value(k);
      if (columns > 0)
        program.add_derivatives(k, std::span(outcome.gradient).subspan(row * columns, columns));
      if (std::isfinite(outcome.objectives[row]) || outcome.status[design] != kernels::Status::ok)
        continue;
      outcome.status[design] = kernels::Status::objective_not_finite;
      outcome.failure_time[design] = request.settings().duration;
      outcome.blamed[design] = -1.0 - static_cast<double>(objectives[k]);
    }
    judge_design(request, design, outcome);
  }
}

}  // namespace gradus
