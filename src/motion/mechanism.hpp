// A mechanism compiled once: from a model and options to what is in force for all its runs.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gradus/run.hpp"
#include "src/backend/choice.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/motion/mobility.hpp"
#include "src/motion/request.hpp"
#include "src/motion/specialised_steps.hpp"
#include "src/motion/superposition.hpp"

namespace gradus {

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
  // What the plan is made of.
  const SpanningTree& tree() const { return tree_; }
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

  Model model_;
  Options options_;
  Extension extension_;
  SpanningTree tree_;
  Plan plan_;
  Mobility mobility_;
  std::vector<double> nominal_;
  MotionRequest request_;
  std::unique_ptr<const Superposition> superposition_;
  std::unique_ptr<StepWorkshop> workshop_;  // whose threads read the plans above
  BackendRequest backend_;
  mutable std::once_flag direction_flag_, probe_flag_;
  mutable std::shared_ptr<const CompiledMechanism> along_direction_, along_directions_;
  mutable MotionRequest probe_;
};

// Columns of so many parameters decide on steps each for itself.
inline constexpr std::size_t kProbedColumns = 64;

}  // namespace gradus
