// The verb `optimize`: all starts together, then the best of them once more.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "src/model/message.hpp"
#include "src/results/study_folders.hpp"
#include "src/study/optimization/optimizer.hpp"
#include "src/study/optimization/optimum_check.hpp"
#include "src/study/starts.hpp"
#include "src/study/variables.hpp"

namespace gradus {
namespace {

const Optimization& optimization_of(const Study& study) {
  if (study.optimization) return *study.optimization;
  reject(study.name, "the study has no optimisation", "it has no section of that name",
         R"(add "optimize", or use another command)");
}

OptimizationTerms terms_of(const Study& study) {
  const Optimization& optimization = optimization_of(study);
  const std::string where = study.name + ": /optimize";
  OptimizationTerms terms = resolve(optimization, study.model, where);
  require_method(optimization.method, !terms.constraints.empty(), terms.has_equations(),
                 where + "/method");
  return terms;
}

class OptimizationRun {
 public:
  OptimizationRun(const Study& study, const StudySettings& settings)
      : study_(with_log(study, settings)),
        optimization_(optimization_of(study_)),
        terms_(terms_of(study_)),
        runner_(study_, terms_.variables, optimization_.starts),
        starts_(start_points(optimization_.variables, optimization_.starts, optimization_.seed)),
        searches_(starts_.size()),
        run_(study_, settings, "optimize", runner_, starts_.size()) {}

  OptimizationResult result() {
    OptimizationResult result;
    result.run = runner_.info();
    result.optimization = optimization_;
    const auto search = [&](std::size_t start, const Ask& ask) {
      searches_[start] =
          std::make_unique<Search>(optimization_, terms_, start, starts_[start], ask);
      searches_[start]->run();
    };
    result.complete =
        run_.complete() ||
        run_.run({search, [&](const auto& points) { return evaluate(points); },
                  [&] { return remark(); }, [&] { conclude(result); },
                  [&](const auto& folder) { results::write_optimization(folder, result); }});
    return result;
  }

 private:
  std::vector<Answer> evaluate(const std::vector<std::vector<double>>& points) {
    std::vector<double> rows;
    for (const std::vector<double>& point : points)
      rows.insert(rows.end(), point.begin(), point.end());
    std::vector<Answer> answers = answers_of(runner_.run(rows, true), terms_.variables);
    for (const Answer& answer : answers)
      if (!answer.empty()) look_at(answer);
    return answers;
  }

  // For the remark only; the searches judge exactly.
  void look_at(const Answer& answer) {
    const double violation = violation_of(terms_, answer);
    if (violation < least_violation_) least_violation_ = violation;
    const double objective = objective_of(terms_, answer);
    if (violation <= optimization_.constraint_tolerance && !(objective >= least_objective_))
      least_objective_ = objective;
  }

  std::string remark() const {
    if (!std::isnan(least_objective_))
      return "objective " + to_text(optimization_.maximize ? -least_objective_ : least_objective_);
    if (std::isfinite(least_violation_))
      return "constraints violated by " + to_text(least_violation_);
    return "no design so far";
  }

  void conclude(OptimizationResult& result) const {
    for (const std::unique_ptr<Search>& one : searches_) {
      result.starts.push_back(one->outcome());
      result.history.insert(result.history.end(), one->history().begin(), one->history().end());
    }
    result.best = best_start();
    add_names(result);
    add_optimum(*searches_[result.best], result);
  }

  // As minimised; what failed or violates constraints is above all that does not.
  double rank_of(const Search& search) const {
    if (search.best_answer().empty() || !search.feasible())
      return std::numeric_limits<double>::infinity();
    return objective_of(terms_, search.best_answer());
  }

  // The lowest feasible one. Of those that are as low but for the tolerance, one that converged.
  std::size_t best_start() const {
    double lowest = std::numeric_limits<double>::infinity();
    for (const auto& search : searches_) lowest = std::min(lowest, rank_of(*search));
    if (std::isinf(lowest)) return least_infeasible();
    const double as_low = lowest + optimization_.tolerance * std::abs(lowest);
    std::size_t best = searches_.size();
    const auto better = [&](std::size_t k) {
      if (best == searches_.size()) return true;
      const bool converged = searches_[k]->outcome().converged;
      if (converged != searches_[best]->outcome().converged) return converged;
      return rank_of(*searches_[k]) < rank_of(*searches_[best]);
    };
    for (std::size_t k = 0; k < searches_.size(); ++k)
      if (rank_of(*searches_[k]) <= as_low && better(k)) best = k;
    return best;
  }

  std::size_t least_infeasible() const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < searches_.size(); ++k)
      // NaN, of starts that failed, is never the least.
      if (!(searches_[k]->outcome().constraint_violation >=
            searches_[best]->outcome().constraint_violation) &&
          !searches_[k]->best_answer().empty())
        best = k;
    return best;
  }

  void add_names(OptimizationResult& result) const {
    result.objectives = runner_.names().objectives;
    for (const std::size_t index : terms_.variables)
      result.variables.push_back(runner_.names().parameters[index]);
    for (const OptimizationTerms::Row& row : terms_.constraints)
      result.constraints.push_back(result.objectives[row.objective]);
  }

  void add_optimum(const Search& best, OptimizationResult& result) const {
    const Answer& answer = best.best_answer();
    const std::size_t n = terms_.variables.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (answer.empty()) {
      result.objective_values.assign(terms_.objectives, nan);
      result.constraint_values.assign(terms_.constraints.size(), nan);
      result.objective_gradient.assign(n, nan);
      result.check.remark = "every design failed";
      return;
    }
    result.objective_values.assign(answer.begin(),
                                   answer.begin() + static_cast<std::ptrdiff_t>(terms_.objectives));
    for (const OptimizationTerms::Row& row : terms_.constraints)
      result.constraint_values.push_back(answer[row.objective]);
    result.objective_gradient.assign(n, 0.0);
    const double sign = optimization_.maximize ? -1.0 : 1.0;  // as the user wrote it
    for (const OptimizationTerms::Term& term : terms_.minimised)
      for (std::size_t k = 0; k < n; ++k)
        result.objective_gradient[k] +=
            sign * term.weight * answer[terms_.objectives + term.objective * n + k];
    std::vector<std::string> names;
    for (const NamedUnit& constraint : result.constraints) names.push_back(constraint.name);
    result.check = check_optimum(runner_, {optimization_, terms_, best.problem(), best.best_x(),
                                           best.outcome().point, answer, std::move(names)});
    result.succeeded = best.outcome().converged && result.check.passed;
  }

  Study study_;
  const Optimization& optimization_;
  OptimizationTerms terms_;
  DesignRunner runner_;
  std::vector<std::vector<double>> starts_;        // [n_start] points
  std::vector<std::unique_ptr<Search>> searches_;  // [n_start], as far as they were run here
  Starts run_;
  double least_objective_ = std::numeric_limits<double>::quiet_NaN();
  double least_violation_ = std::numeric_limits<double>::infinity();
};

}  // namespace

OptimizationResult optimize(const Study& study, const StudySettings& settings) {
  return OptimizationRun(study, settings).result();
}

}  // namespace gradus
