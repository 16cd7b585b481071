// The verb `optimize`: all starts together, then the best of them once more, by another method for
// sensitivities.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/results/study_folders.hpp"
#include "src/study/optimization/optimizer.hpp"
#include "src/study/optimization/optimum_check.hpp"
#include "src/study/optimization/search.hpp"
#include "src/study/starts.hpp"
#include "src/study/study_reader.hpp"

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
  require_method(optimization.method, terms.has_constraints(), terms.has_equations(),
                 where + "/method");
  return terms;
}

// The problems of a continuation, that of the study last.
class Steps {
 public:
  Steps(const Study& study, const OptimizationTerms& terms) {
    const Optimization& stated = optimization_of(study);
    problems_.resize(stated.continuation.size() + 1, stated);
    for (std::size_t k = 0; k < stated.continuation.size(); ++k) {
      const ContinuationStep& step = stated.continuation[k];
      problems_[k].tolerance = step.tolerance.value_or(stated.tolerance);
      problems_[k].evaluations = step.evaluations.value_or(stated.evaluations);
      Study own = study;
      if (step.duration) own.options.duration = step.duration;
      for (const auto& [name, value] : step.set) own.options.set[name] = value;
      own.options.log = {};  // the study itself says it
      runners_.push_back(std::make_unique<DesignRunner>(own, terms.variables, stated.starts));
    }
    runners_.push_back(std::make_unique<DesignRunner>(study, terms.variables, stated.starts));
  }

  std::size_t count() const { return problems_.size(); }
  const Optimization& problem(std::size_t k) const { return problems_[k]; }
  const DesignRunner& runner(std::size_t k) const { return *runners_[k]; }
  const DesignRunner& last() const { return *runners_.back(); }

  // Points are told by the step that asks: its number follows what varies.
  Ask asking(std::size_t k, const Ask& ask) const {
    if (count() == 1) return ask;
    return [k, &ask](std::vector<double> point) {
      point.push_back(static_cast<double>(k));
      return ask(point);
    };
  }
  std::size_t step_of(const std::vector<double>& asked) const {
    return count() == 1 ? 0 : static_cast<std::size_t>(asked.back());
  }

 private:
  std::vector<Optimization> problems_;
  std::vector<std::unique_ptr<DesignRunner>> runners_;
};

// What one start has been through.
struct Chain {
  std::vector<std::unique_ptr<Search>> searches;  // as far as it came

  const Search& last() const { return *searches.back(); }
  bool reached(std::size_t steps) const { return searches.size() == steps; }
};

ContinuationOutcome outcome_of(const OptimizationStart& step) {
  return {step.point,       step.objective, step.constraint_violation,
          step.evaluations, step.converged, step.reason};
}

class OptimizationRun {
 public:
  OptimizationRun(const Study& study, const StudySettings& settings)
      : study_(with_settings(study, settings)),
        optimization_(optimization_of(study_)),
        terms_(terms_of(study_)),
        steps_(study_, terms_),
        runner_(steps_.last()),
        starts_(start_points(optimization_.variables, optimization_.starts, optimization_.seed)),
        chains_(starts_.size()),
        run_(study_, settings, "optimize", runner_, starts_.size()) {}

  OptimizationResult result() {
    OptimizationResult result;
    result.run = runner_.info();
    result.optimization = optimization_;
    result.complete =
        run_.complete() ||
        run_.run({[&](std::size_t start, const Ask& ask) { follow(start, ask); },
                  [&](const auto& points) { return evaluate(points); }, [&] { return remark(); },
                  [&] { conclude(result); },
                  [&](const auto& folder) { results::write_optimization(folder, result); }});
    return result;
  }

 private:
  // Each problem from where the one before has ended, until one has no design that moves.
  void follow(std::size_t start, const Ask& ask) {
    Chain& chain = chains_[start];
    chain.searches.clear();
    std::vector<double> from = starts_[start];
    for (std::size_t k = 0; k < steps_.count(); ++k) {
      const Ask asking = steps_.asking(k, ask);
      chain.searches.push_back(
          std::make_unique<Search>(steps_.problem(k), terms_, start, from, asking,
                                   k == 0 ? std::vector<double>{} : starts_[start]));
      chain.searches.back()->run();
      if (chain.last().best_answer().empty()) return;
      from = chain.last().outcome().point;
    }
  }

  std::vector<Answer> evaluate(const std::vector<std::vector<double>>& points) {
    std::vector<Answer> answers(points.size());
    for (std::size_t k = 0; k < steps_.count(); ++k) {
      std::vector<std::size_t> places;
      std::vector<double> rows;
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (steps_.step_of(points[i]) != k) continue;
        places.push_back(i);
        rows.insert(rows.end(), points[i].begin(),
                    points[i].begin() + static_cast<std::ptrdiff_t>(terms_.variables.size()));
      }
      if (places.empty()) continue;
      const DesignRunner& runner = steps_.runner(k);
      std::vector<Answer> own =
          answers_of(runner.run(rows, true, runner.options()), terms_.variables);
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (!own[i].empty()) look_at(own[i], k);
        answers[places[i]] = std::move(own[i]);
      }
    }
    return answers;
  }

  // For the remark only; the searches judge exactly.
  void look_at(const Answer& answer, std::size_t step) {
    if (step < step_) return;
    if (step > step_) {  // another problem
      step_ = step;
      least_objective_ = std::numeric_limits<double>::quiet_NaN();
      least_violation_ = std::numeric_limits<double>::infinity();
    }
    const double violation = violation_of(terms_, answer);
    if (violation < least_violation_) least_violation_ = violation;
    const double objective = objective_of(terms_, answer);
    if (violation <= optimization_.constraint_tolerance && !(objective >= least_objective_))
      least_objective_ = objective;
  }

  std::string remark() const {
    const std::string which = steps_.count() == 1
                                  ? ""
                                  : "problem " + std::to_string(step_ + 1) + " of " +
                                        std::to_string(steps_.count()) + ", ";
    if (!std::isnan(least_objective_))
      return which + "objective " +
             rounded_text(optimization_.maximize ? -least_objective_ : least_objective_, 8);
    if (std::isfinite(least_violation_))
      return which + "constraints violated by " + rounded_text(least_violation_, 3);
    return which + "no design so far";
  }

  void conclude(OptimizationResult& result) const {
    for (std::size_t k = 0; k < chains_.size(); ++k) {
      result.starts.push_back(outcome_of_start(k));
      std::size_t before = 0;
      for (std::size_t step = 0; step < chains_[k].searches.size(); ++step) {
        for (HistoryRow row : chains_[k].searches[step]->history()) {
          row.evaluation += before;
          row.step = step;
          result.history.push_back(std::move(row));
        }
        before += chains_[k].searches[step]->history().size();
      }
    }
    result.best = best_start();
    add_names(result);
    add_optimum(result);
  }

  OptimizationStart outcome_of_start(std::size_t start) const {
    const Chain& chain = chains_[start];
    OptimizationStart outcome = chain.last().outcome();
    outcome.start = starts_[start];
    outcome.evaluations = 0;
    for (const auto& search : chain.searches) {
      outcome.evaluations += search->outcome().evaluations;
      if (search != chain.searches.back())
        outcome.continuation.push_back(outcome_of(search->outcome()));
    }
    if (chain.last().best_answer().empty()) outcome.reason += why_fails(chain);
    if (chain.reached(steps_.count())) return outcome;
    outcome.converged = false;
    outcome.reason = "problem " + std::to_string(chain.searches.size()) + " of " +
                     std::to_string(steps_.count()) + ": " + outcome.reason;
    return outcome;
  }

  // Where the last search of a chain begins.
  std::string why_fails(const Chain& chain) const {
    const DesignRunner& runner = steps_.runner(chain.searches.size() - 1);
    Options options = runner.options();
    options.log = {};
    const Result result = runner.run(chain.last().outcome().start, true, options);
    return result.status[0].ok ? "" : ": " + result.status[0].message;
  }

  // As minimised; what failed or violates constraints is above all that does not.
  double rank_of(const Chain& chain) const {
    const Search& search = chain.last();
    if (!chain.reached(steps_.count()) || search.best_answer().empty() || !search.feasible())
      return std::numeric_limits<double>::infinity();
    return objective_of(terms_, search.best_answer());
  }

  // The lowest feasible one. Of those that are as low but for the tolerance, the first that
  // converged.
  std::size_t best_start() const {
    double lowest = std::numeric_limits<double>::infinity();
    for (const Chain& chain : chains_) lowest = std::min(lowest, rank_of(chain));
    if (std::isinf(lowest)) return least_infeasible();
    const double as_low = lowest + optimization_.tolerance * std::abs(lowest);
    std::size_t best = chains_.size();
    const auto better = [&](std::size_t k) {
      if (best == chains_.size()) return true;
      return chains_[k].last().outcome().converged && !chains_[best].last().outcome().converged;
    };
    for (std::size_t k = 0; k < chains_.size(); ++k)
      if (rank_of(chains_[k]) <= as_low && better(k)) best = k;
    return best;
  }

  std::size_t least_infeasible() const {
    std::size_t best = 0;
    const auto violation = [&](std::size_t k) {
      return chains_[k].last().outcome().constraint_violation;
    };
    for (std::size_t k = 1; k < chains_.size(); ++k)
      // NaN, of starts that failed, is never the least.
      if (!(violation(k) >= violation(best)) && !chains_[k].last().best_answer().empty() &&
          chains_[k].reached(steps_.count()))
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

  void add_optimum(OptimizationResult& result) const {
    const Chain& chain = chains_[result.best];
    const Search& best = chain.last();
    static const Answer none;
    const Answer& answer = chain.reached(steps_.count()) ? best.best_answer() : none;
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
    const std::size_t largest = terms_.worst_case ? largest_term(terms_, answer) : 0;
    for (std::size_t i = 0; i < terms_.minimised.size(); ++i)
      for (std::size_t k = 0; k < n && (!terms_.worst_case || i == largest); ++k)
        result.objective_gradient[k] +=
            sign * terms_.minimised[i].weight *
            answer[terms_.objectives + terms_.minimised[i].objective * n + k];
    result.run.step_errors = runner_.step_errors(best.outcome().point, true);
    const std::optional<Recomputed> again =
        recompute(runner_, best.outcome().point, terms_.variables);
    if (again) {
      result.constraint_violation = again->violation;
      result.singular_passage = again->passage;
      result.splines_extrapolated = again->splines_extrapolated;
      result.run.stiff_designs = static_cast<std::size_t>(std::ranges::count(again->switched, 1.0));
    }
    result.check = check_optimum(again, runner_, terms_, best, result);
    result.succeeded = best.outcome().converged && result.check.passed;
  }

  Study study_;
  const Optimization& optimization_;
  OptimizationTerms terms_;
  Steps steps_;
  const DesignRunner& runner_;               // of the problem itself
  std::vector<std::vector<double>> starts_;  // [n_start] points
  std::vector<Chain> chains_;                // [n_start], as far as they were run here
  Starts run_;
  std::size_t step_ = 0;  // of the continuation, the farthest that any start has reached
  double least_objective_ = std::numeric_limits<double>::quiet_NaN();
  double least_violation_ = std::numeric_limits<double>::infinity();
};

}  // namespace

OptimizationResult optimize(const Study& study, const StudySettings& settings) {
  return OptimizationRun(study, settings).result();
}

}  // namespace gradus
