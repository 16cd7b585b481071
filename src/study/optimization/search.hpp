// One start of an optimisation: answers an optimiser's questions, remembers the best point, and
// says when it is enough.
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/optimize.hpp"
#include "src/study/optimization/optimizer.hpp"
#include "src/study/together.hpp"

namespace gradus {

class Search final : public SearchView {
 public:
  // Both must outlive it; so must `ask`. Where the start may be an optimum already, which tells
  // nothing of scales, these are those at `elsewhere`, if its motion does not fail.
  Search(const Optimization& optimization, const OptimizationTerms& terms, std::size_t index,
         std::vector<double> start, const Ask& ask, std::vector<double> elsewhere = {});

  // Optimises from the start to the end. What comes out of `ask` is thrown again.
  void run();

  const ScaledProblem& problem() const override { return *problem_; }
  const std::vector<double>& origin() const override { return origin_; }
  const Found* at(const double* x) override;

  // What came out. --------------------------------------------------------------------------------
  const OptimizationStart& outcome() const { return outcome_; }
  // The best point as optimisers see it; empty if every design failed.
  const std::vector<double>& best_x() const { return best_x_; }
  const std::vector<HistoryRow>& history() const { return history_; }
  // Of the best point; empty if every design failed.
  const Answer& best_answer() const { return best_answer_; }
  bool feasible() const { return best_violation_ <= 1.0; }  // within the tolerance

 private:
  enum class End { none, converged, evaluations, failures, repetition, exception };
  struct Known {
    std::vector<double> x;
    Found found;
  };

  bool begin();
  const Found* evaluate(std::span<const double> x);
  Answer ask(const std::vector<double>& point);
  void write_row(const Answer& answer, bool feasible);
  void note_failure(std::span<const double> x);
  void note(std::span<const double> x, const std::vector<double>& point, const Answer& answer);
  void conclude(const std::string& reason);

  const Optimization& optimization_;
  const OptimizationTerms& terms_;
  const Ask& ask_;
  std::optional<ScaledProblem> problem_;
  std::vector<double> origin_;
  std::vector<double> elsewhere_;  // empty: scales are those at the start
  std::deque<Known> recent_;
  std::vector<double> good_x_;
  ScaledEvaluation good_;
  std::size_t failures_ = 0;     // in a row
  std::size_t repetitions_ = 0;  // in a row
  End end_ = End::none;
  std::exception_ptr exception_;

  OptimizationStart outcome_;
  std::vector<HistoryRow> history_;
  std::size_t index_;
  std::vector<double> best_x_;
  Answer best_answer_;
  double best_violation_ = 0.0;
  double best_stationarity_ = 0.0;
};

}  // namespace gradus
