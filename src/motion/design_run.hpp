// Designs of a mechanism to run: from options to requests that any backend can run, and from their
// outcomes to results.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "src/motion/mechanism.hpp"

namespace gradus {

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

  const CompiledMechanism& mechanism() const { return *mechanism_; }
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
