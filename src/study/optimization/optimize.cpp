// The verb `optimize`: all starts together, then the best of them once more.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/results/optimization_document.hpp"
#include "src/study/design_runner.hpp"
#include "src/study/journal.hpp"
#include "src/study/meter.hpp"
#include "src/study/optimization/optimizer.hpp"
#include "src/study/optimization/optimum_check.hpp"
#include "src/study/processes.hpp"
#include "src/study/run_folder.hpp"
#include "src/study/run_record.hpp"
#include "src/study/variables.hpp"

namespace gradus {
namespace {

struct Interrupted {};

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
      : settings_(settings),
        study_(study),
        optimization_(optimization_of(study_)),
        terms_(terms_of(study_)),
        runner_(logging(study_, settings), terms_.variables, optimization_.starts),
        folder_(study_, settings, "optimize", runner_.backend_kind()),
        starts_(start_points(optimization_.variables, optimization_.starts, optimization_.seed)),
        meter_(settings, "evaluations", 0) {
    if (settings.processes.count > 1 && !folder_.exists())
      throw InputError("processes: they share a study by its folder of results, but none is named");
  }

  OptimizationResult result() {
    OptimizationResult result;
    result.run = runner_.info();
    result.optimization = optimization_;
    result.complete = folder_.complete();
    if (result.complete || !run_own()) return result;
    agree(settings_.processes, [&] {
      if (is_first(settings_.processes)) finish(result);
    });
    result.complete = true;
    return result;
  }

 private:
  // The study is a copy, whose log may be set.
  static const Study& logging(Study& study, const StudySettings& settings) {
    if (settings.log) study.options.log = settings.log;
    return study;
  }

  // Every process takes its own starts. Whether all went to their ends.
  bool run_own() {
    bool interrupted = false;
    agree(settings_.processes, [&] {
      const auto rank = static_cast<std::size_t>(settings_.processes.rank);
      const auto count = static_cast<std::size_t>(settings_.processes.count);
      std::vector<std::size_t> own;
      for (std::size_t k = rank; k < starts_.size(); k += count) own.push_back(k);
      try {
        search(own);
      } catch (const Interrupted&) {
        interrupted = true;
      }
    });
    return !any_of(settings_.processes, interrupted);
  }

  void search(const std::vector<std::size_t>& starts) {
    Journal journal(folder_.work(), settings_.processes.rank);
    const Evaluate remembered = journal.remembering(
        [this](const std::vector<Request>& requests) { return evaluate(requests); });
    const Evaluate of_starts = [&](std::vector<Request> requests) {
      for (Request& request : requests) request.task = starts[request.task];
      return remembered(requests);
    };
    searches_.clear();
    searches_.resize(starts.size());
    const auto body = [&](std::size_t task, const Ask& ask) {
      const std::size_t start = starts[task];
      searches_[task] = std::make_unique<Search>(optimization_, terms_, start, starts_[start], ask);
      searches_[task]->run();
    };
    run_together(starts.size(), body, of_starts);
  }

  std::vector<Answer> evaluate(const std::vector<Request>& requests) {
    if (settings_.interrupted && settings_.interrupted()) throw Interrupted();
    std::vector<double> rows;
    for (const Request& request : requests)
      rows.insert(rows.end(), request.point.begin(), request.point.end());
    std::vector<Answer> answers = answers_of(runner_.run(rows, true), terms_.variables);
    evaluations_ += requests.size();
    for (const Answer& answer : answers)
      if (!answer.empty()) look_at(answer);
    meter_.show(static_cast<double>(evaluations_), remark());
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

  // Of one process. Where others ran starts, theirs are asked for once more, which all journals
  // together answer.
  void finish(OptimizationResult& result) {
    if (settings_.processes.count > 1) {
      std::vector<std::size_t> all;
      for (std::size_t k = 0; k < starts_.size(); ++k) all.push_back(k);
      search(all);
    }
    for (const std::unique_ptr<Search>& one : searches_) {
      result.starts.push_back(one->outcome());
      result.history.insert(result.history.end(), one->history().begin(), one->history().end());
    }
    result.best = best_start();
    add_names(result);
    add_optimum(*searches_[result.best], result);
    if (!folder_.exists()) return;
    write_run_record(folder_.path(), {"evaluations", evaluations_, meter_.seconds(),
                                      runner_.backend(), settings_.processes.count});
    results::write_optimization(folder_.path(), result);
    folder_.finish();
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

  const StudySettings& settings_;
  Study study_;
  const Optimization& optimization_;
  OptimizationTerms terms_;
  DesignRunner runner_;
  RunFolder folder_;
  std::vector<std::vector<double>> starts_;
  Meter meter_;
  std::vector<std::unique_ptr<Search>> searches_;
  std::size_t evaluations_ = 0;
  double least_objective_ = std::numeric_limits<double>::quiet_NaN();
  double least_violation_ = std::numeric_limits<double>::infinity();
};

}  // namespace

OptimizationResult optimize(const Study& study, const StudySettings& settings) {
  return OptimizationRun(study, settings).result();
}

}  // namespace gradus
