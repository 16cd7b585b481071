// A mechanism compiled once, and designs of it to run: from a model and options to requests that
// any backend can run, and from their outcomes to results.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gradus/run.hpp"
#include "src/backend/choice.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// Names of what ties the tree beyond the joints that it is made of: cut joints and constraints, but
// not the normalisation of Euler parameters, nor, unless asked for, what holds at the start only.
// Each once, in the plan's order; none in an open tree.
std::vector<std::string> ties(const Plan& plan, bool at_start = false);

// What the constraints do at the start, at the nominal parameters.
struct Mobility {
  int redundant = 0;               // equations beyond the rank of the constraints
  std::vector<HeldRow> completed;  // guesses that are held since the constraints leave them free
};

// The formulation of runs, "auto" included: that of the options, else of the model. Where a file
// names none, step, tolerance, projections and integrator mean among the options what they mean in
// the file: the first three ask for ali3p, an integrator for a formulation that can use it.
std::string stated_formulation(const Analysis& analysis, const Options& options);

// What several motions of a result have met that their numbers do not show (singular
// configurations, jumps, halved steps, extrapolated splines): a line for each, which says how many
// motions, and the first of them.
void remark_on_motions(const Result& result, const Log& log);

// Rows of cut joints that say nothing new wherever their bodies are, so that reactions are the same
// however the rows share them.
int repeated_rows(const Plan& plan);

// Assembles the mechanism from its start values and guesses, and holds as many of the guesses as
// the constraints leave free, those that move most first.
Mobility complete_start(Plan& plan, bool begins_beside);

// The plan of a model, complete with what assembly found out, and everything that is in force for
// all its runs. Never changes: threads share one.
class CompiledMechanism {
 public:
  // Options that belong to single runs (designs, what is recorded, the method) are not looked at.
  // Throws InputError or BackendError.
  CompiledMechanism(Model model, const Options& options, const Extension& extension = {});
  CompiledMechanism(const CompiledMechanism&) = delete;
  CompiledMechanism& operator=(const CompiledMechanism&) = delete;

  const Model& model() const { return model_; }
  const Plan& plan() const { return plan_; }
  const Mobility& mobility() const { return mobility_; }
  // [n_parameter] of the model, with what the options set.
  const std::vector<double>& nominal() const { return nominal_; }
  // What all runs share, without designs.
  const MotionRequest& request() const { return request_; }

  // The same along a direction, compiled when it is first asked for: of parameters p + d s, which
  // are all p, all d, and s.
  const std::shared_ptr<const CompiledMechanism>& along_direction() const;
  // The run with sensitivities whose error decides on the steps of adaptive integrators for runs
  // that carry none: with the columns of all parameters or, of more than kProbedColumns, with those
  // of so many combinations, each of parameters that follow each other. Compiled when it is first
  // asked for.
  const MotionRequest& probe() const;

  // The backend that the options ask for.
  const BackendRequest& backend() const { return backend_; }
  // Where so many designs run by a method, "none" for the motion alone: the backend that is asked
  // for, or what `auto` makes of it.
  BackendChoice choose(const BackendRequest& backend, std::size_t designs,
                       const std::string& method, const Log& log) const;
  BackendChoice choose(const std::string& backend, std::size_t designs, const std::string& method,
                       const Log& log) const {
    return choose(read_backend(backend), designs, method, log);
  }

 private:
  std::shared_ptr<const CompiledMechanism> along(int directions) const;
  void check_formulation() const;
  void check_unknowns() const;
  void choose_integrator();
  void check_projections(const Options& options, const std::string& origin) const;

  Model model_;
  Options options_;
  Extension extension_;
  Plan plan_;
  Mobility mobility_;
  std::vector<double> nominal_;
  MotionRequest request_;
  BackendRequest backend_;
  mutable std::once_flag direction_flag_, probe_flag_;
  mutable std::shared_ptr<const CompiledMechanism> along_direction_, along_directions_;
  mutable MotionRequest probe_;
};

// Columns of so many parameters decide on steps each for itself.
inline constexpr std::size_t kProbedColumns = 64;

// Designs of a mechanism that are to run.
class DesignRun {
 public:
  // `method` is what `auto` weighs backends for, "none" for the motion alone. Of the options, those
  // of single runs count. Throws InputError or BackendError.
  DesignRun(std::shared_ptr<const CompiledMechanism> mechanism, const Options& options,
            const std::string& method = "none");
  DesignRun(const Model& model, const Options& options, const std::string& method = "none");
  // On a backend that was chosen before; the text of the options does not count.
  DesignRun(std::shared_ptr<const CompiledMechanism> mechanism, const Options& options,
            const BackendChoice& backend);

  const Model& model() const { return mechanism_->model(); }
  const Plan& plan() const { return mechanism_->plan(); }
  const Mobility& mobility() const { return mechanism_->mobility(); }
  const MotionRequest& request() const { return request_; }
  const BackendChoice& backend() const { return backend_; }
  const MotionRequest& probe() const { return mechanism_->probe(); }

  // Runs a request (its own, or a variation of it) on its backend.
  MotionOutcome run(MotionRequest request) const;

  // Of a design, in model order.
  std::span<const double> parameters_of(std::size_t design) const;

  // What is known before anything runs: names, units, parameters, what is in force.
  Result description(const std::string& method) const;

  // The same with values, statuses, the gradient.
  // It takes over the arrays of the outcome, which are large for large batches.
  Result result(MotionOutcome outcome, const std::string& method) const;

 private:
  std::shared_ptr<const CompiledMechanism> mechanism_;
  Options options_;
  MotionRequest request_;
  BackendChoice backend_;
};

// The motion of the designs that the options say. Throws InputError, BackendError.
Result run_motion(const std::shared_ptr<const CompiledMechanism>& mechanism,
                  const Options& options);

}  // namespace gradus
