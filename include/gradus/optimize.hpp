// Optimisation of designs under bounds and constraints, with exact gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/result.hpp"
#include "gradus/study_run.hpp"

namespace gradus {

// A parameter that an optimiser or a fit may change.
struct Variable {
  std::string name;
  double start = 0.0;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

// lower <= objective <= upper; equal bounds make an equation. Of an objective at given times the
// bounds hold at each of them ("name" means all of "name@time").
struct ObjectiveBound {
  std::string objective;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

// A term of what is minimised, a sum or the largest of several: weight * objective.
struct WeightedObjective {
  std::string objective;
  double weight = 1.0;
};

// A problem on the way to the one that is stated: what it has otherwise.
struct ContinuationStep {
  std::optional<double> duration;                   // s
  std::vector<std::pair<std::string, double>> set;  // parameters that do not vary
  std::optional<double> tolerance;
  std::optional<std::size_t> evaluations;  // at most
};

struct Optimization {
  bool maximize = false;
  std::vector<WeightedObjective> objective;  // their sum, or
  // minimax: the largest of them is minimised (the smallest maximised); objectives at several times
  // count with each.
  bool worst_case = false;
  std::vector<Variable> variables;
  std::vector<ObjectiveBound> constraints;
  std::string method = "slsqp";        // lbfgs, slsqp, mma, augmented-lagrangian, ipopt
  double tolerance = 1e-8;             // relative, of scaled variables and of the objective
  double constraint_tolerance = 1e-8;  // relative to the size of each constraint
  std::size_t evaluations = 500;       // at most, of each start
  std::size_t starts = 1;              // the first is that of the variables
  std::uint64_t seed = 1;              // of the others, a Latin hypercube between the bounds
  // Solved one after another before the problem itself, each from the optimum of the one before: a
  // longer and longer motion, a parameter that goes to where it is hard.
  std::vector<ContinuationStep> continuation;
};

// One evaluation of one start.
struct HistoryRow {
  std::size_t start = 0;
  std::size_t evaluation = 0;
  double objective = 0.0;             // as the user wrote it; NaN where the design failed
  double gradient_norm = 0.0;         // with respect to scaled variables
  double constraint_violation = 0.0;  // the largest, in units of the constraint
  bool feasible = false;              // constraints hold within their tolerances
  std::vector<double> point;          // [n_variable], the design
  std::size_t step = 0;               // of the continuation, the problem itself being the last
};

// How one step of a continuation ended, of one start.
struct ContinuationOutcome {
  std::vector<double> point;  // [n_variable]
  double objective = 0.0;
  double constraint_violation = 0.0;
  std::size_t evaluations = 0;
  bool converged = false;
  std::string reason;
};

// How one start ended.
struct OptimizationStart {
  std::vector<double> start;  // [n_variable]
  std::vector<double> point;  // [n_variable], the best feasible one, or the least infeasible
  double objective = 0.0;
  double constraint_violation = 0.0;
  std::size_t evaluations = 0;
  bool converged = false;
  std::string reason;                             // why it ended
  std::vector<ContinuationOutcome> continuation;  // [step], before the problem itself
};

// The optimum, computed once more by another method for sensitivities.
struct OptimumCheck {
  std::string method;  // of the sensitivities, e.g. "adjoint"
  double objective = 0.0;
  double objective_deviation = 0.0;  // relative to the larger of its size and its change by the
                                     // scaled variables at the start
  double gradient_deviation = 0.0;   // of objective and constraints, relative to the largest entry,
                                     // or to the norm at the start where that is larger
  double constraint_violation = 0.0;
  double stationarity = 0.0;  // norm of the projected gradient of the Lagrangian by scaled
                              // variables, relative to that of the objective, here or at the start
  // [n_constraint] of the Lagrangian of what is minimised (of minus the objective where it is
  // maximised), by least squares; positive at a maximum, negative at a minimum, 0 if not active
  std::vector<double> constraint_multipliers;
  std::vector<bool> constraint_active;  // [n_constraint]
  std::vector<std::string> active;      // bounds and constraints that are met with equality
  bool passed = false;
  std::string remark;  // what did not pass
};

struct OptimizationResult {
  bool complete = false;  // false: interrupted, and can be resumed
  StudyRun run;
  Optimization optimization;
  std::vector<NamedUnit> variables;
  std::vector<NamedUnit> constraints;  // one per bound objective, those at times written out
  std::vector<OptimizationStart> starts;
  std::size_t best = 0;                    // of the starts
  std::vector<double> objective_gradient;  // [n_variable] at the optimum
  std::vector<double> constraint_values;   // [n_constraint] at the optimum
  std::vector<NamedUnit> objectives;       // all of the model
  std::vector<double> objective_values;    // at the optimum
  // Of the motion at the optimum, as of Result; empty where it was not run once more
  std::vector<double> constraint_violation;  // [3]
  std::vector<double> singular_passage;      // [1] s
  std::vector<double> splines_extrapolated;  // [1]
  OptimumCheck check;
  std::vector<HistoryRow> history;  // by start and evaluation
  bool succeeded = false;           // the best start converged and its check passed
};

// Which methods there are; the others need modules that cannot be had. Opens NLopt and Ipopt.
std::vector<std::string> optimization_methods();

}  // namespace gradus
