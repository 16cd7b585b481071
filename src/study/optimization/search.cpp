// One start of an optimisation.
#include "src/study/optimization/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "src/model/message.hpp"
#include "src/study/optimization/scaled_problem.hpp"

namespace gradus {
namespace {

// Optimisers evaluate some points again, most of all the last ones.
constexpr std::size_t remembered_points = 16;
constexpr std::size_t most_failures = 20;        // in a row
constexpr std::size_t most_repetitions = 10000;  // of questions whose answers are known, in a row
constexpr std::size_t most_restarts = 10;

bool usable(const Answer& answer) {
  return !answer.empty() && std::all_of(answer.begin(), answer.end(),
                                        [](double value) { return std::isfinite(value); });
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}

}  // namespace

Search::Search(const Optimization& optimization, const OptimizationTerms& terms, std::size_t index,
               std::vector<double> start, const Ask& ask, std::vector<double> elsewhere)
    : optimization_(optimization),
      terms_(terms),
      ask_(ask),
      elsewhere_(std::move(elsewhere)),
      index_(index) {
  outcome_.start = start;
  outcome_.point = std::move(start);
  outcome_.objective = std::numeric_limits<double>::quiet_NaN();
  outcome_.constraint_violation = outcome_.objective;
}

void Search::run() {
  std::string reason;
  if (begin()) {
    // An optimiser that stops short of the optimum has often only spoilt its memory of curvature.
    for (std::size_t restart = 0; end_ == End::none && restart <= most_restarts; ++restart) {
      const double before = best_stationarity_;
      const double objective = outcome_.objective;
      const double violation = best_violation_;
      const std::size_t evaluations = outcome_.evaluations;
      reason = minimize(optimization_.method, *this);
      const bool better = best_violation_ < violation || outcome_.objective < objective ||
                          best_stationarity_ < before;
      if (!better || outcome_.evaluations == evaluations) break;
      origin_ = best_x_;
    }
  }
  if (exception_) std::rethrow_exception(exception_);
  conclude(reason);
}

// The start, or a point elsewhere, tells the scale of everything, so it is evaluated before
// anything else.
bool Search::begin() {
  if (!elsewhere_.empty() && elsewhere_ != outcome_.start) {
    const Answer there = ask(elsewhere_);
    if (exception_) return false;
    if (usable(there)) {
      problem_.emplace(optimization_, terms_, elsewhere_, there);
      const std::vector<double> x = problem_->tightened(problem_->start, there);
      write_row(there, problem_->violation(problem_->evaluation(there, x)) <= 1.0);
    }
  }
  const Answer answer = ask(outcome_.start);
  if (exception_) return false;
  if (!usable(answer)) {
    end_ = End::failures;
    return false;
  }
  if (!problem_) problem_.emplace(optimization_, terms_, outcome_.start, answer);
  origin_ = problem_->scaled(outcome_.start, answer);
  note(origin_, outcome_.start, answer);
  return end_ == End::none;
}

const Search::Found* Search::at(const double* x) {
  if (end_ != End::none) return nullptr;
  const std::span<const double> here(x, problem_->variables());
  for (const Known& known : recent_)
    if (std::equal(here.begin(), here.end(), known.x.begin())) {
      if (++repetitions_ > most_repetitions) end_ = End::repetition;
      return end_ == End::none ? &known.found : nullptr;
    }
  repetitions_ = 0;
  if (outcome_.evaluations >= optimization_.evaluations) {
    end_ = End::evaluations;
    return nullptr;
  }
  return evaluate(here);
}

const Search::Found* Search::evaluate(std::span<const double> x) {
  const std::vector<double> point = problem_->point(x);
  const Answer answer = ask(point);
  if (exception_) return nullptr;
  if (usable(answer))
    note(x, point, answer);
  else
    note_failure(x);
  return end_ == End::none ? &recent_.back().found : nullptr;
}

// Nothing may be thrown through an optimiser written in C.
Answer Search::ask(const std::vector<double>& point) {
  try {
    Answer answer = ask_(point);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    history_.push_back({index_, outcome_.evaluations++, nan, nan, nan, false, point});
    return answer;
  } catch (...) {
    exception_ = std::current_exception();
    end_ = End::exception;
    return {};
  }
}

void Search::note_failure(std::span<const double> x) {
  if (++failures_ >= most_failures) end_ = End::failures;
  Found found;
  found.failed = true;
  found.evaluation = good_;
  double square = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    found.away.push_back(x[k] - good_x_[k]);
    square += found.away[k] * found.away[k];
  }
  found.distance = std::sqrt(square);
  for (double& component : found.away) component = square > 0.0 ? component / found.distance : 0.0;
  recent_.push_back({{x.begin(), x.end()}, std::move(found)});
  if (recent_.size() > remembered_points) recent_.pop_front();
}

// What is known of the design asked last.
void Search::write_row(const Answer& answer, bool feasible) {
  HistoryRow& row = history_.back();
  const double objective = objective_of(terms_, answer);
  row.objective = optimization_.maximize ? -objective : objective;
  row.gradient_norm = problem_->gradient_norm(answer);
  row.constraint_violation = violation_of(terms_, answer);
  row.feasible = feasible;
}

void Search::note(std::span<const double> x, const std::vector<double>& point,
                  const Answer& answer) {
  failures_ = 0;
  good_x_.assign(x.begin(), x.end());
  good_ = problem_->evaluation(answer, x);
  // What is judged is the design, whatever t the optimiser had with it.
  const std::vector<double> tight = problem_->tightened(x, answer);
  const ScaledEvaluation evaluation = problem_->evaluation(answer, tight);
  const double objective = objective_of(terms_, answer);
  const double enough = enough_for(problem_->tolerance());
  const double violation = problem_->violation(evaluation);
  const FirstOrder order = first_order(*problem_, tight, evaluation, enough);
  const bool feasible = violation <= 1.0;
  // A plateau or a summit is stationary, too.
  const double slack = 1e-3 * (std::abs(objective) + std::abs(outcome_.objective));
  const bool worse =
      !best_answer_.empty() && best_violation_ <= 1.0 && objective > outcome_.objective + slack;
  const bool converged = feasible && !worse && order.stationarity <= enough;
  write_row(answer, feasible);
  // `objective` of the outcome is as minimised until the end.
  const bool better =
      best_answer_.empty() || (feasible ? best_violation_ > 1.0 || objective < outcome_.objective
                                        : violation < best_violation_);
  if (converged) end_ = End::converged;
  if (better || converged) {
    best_x_ = tight;
    best_answer_ = answer;
    best_violation_ = violation;
    best_stationarity_ = order.stationarity;
    outcome_.point = point;
    outcome_.objective = objective;
    outcome_.constraint_violation = history_.back().constraint_violation;
  }
  recent_.push_back({{x.begin(), x.end()}, {good_, false, 0.0, {}}});
  if (recent_.size() > remembered_points) recent_.pop_front();
}

void Search::conclude(const std::string& reason) {
  if (optimization_.maximize) outcome_.objective = -outcome_.objective;
  if (best_answer_.empty()) {
    outcome_.reason = "the motion of the start fails";
    return;
  }
  const bool stationary = best_stationarity_ <= std::sqrt(problem_->tolerance());
  outcome_.converged = feasible() && stationary;
  static const std::map<End, std::string> reasons = {
      {End::converged, "first-order conditions hold"},
      {End::evaluations, "evaluations used up"},
      {End::failures, std::to_string(most_failures) + " designs in a row failed"},
      {End::repetition, "the optimiser goes in circles"},
  };
  const auto known = reasons.find(end_);
  outcome_.reason = known == reasons.end() ? reason : known->second;
  if (!feasible())
    outcome_.reason +=
        "; constraints are violated by " + rounded(outcome_.constraint_violation) + " at the least";
  else if (!stationary)
    outcome_.reason += "; first-order conditions are missed by " + rounded(best_stationarity_);
}

}  // namespace gradus
