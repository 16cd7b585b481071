// From a model and options to a request that any backend can run, and from its outcome to a result.
#pragma once

#include "gradus/run.hpp"
#include "src/backend/choice.hpp"
#include "src/motion/mobility.hpp"
#include "src/motion/request.hpp"

namespace gradus {

class Session {
 public:
  // `method` is what `auto` weighs backends for, "none" for the motion alone. Throws InputError or
  // BackendError.
  Session(const Model& model, const Options& options, const std::string& method = "none");

  const Plan& plan() const { return plan_; }
  const Mobility& mobility() const { return mobility_; }
  const MotionRequest& request() const { return request_; }
  const BackendChoice& backend() const { return backend_; }

  // Runs a request (this session's, or a variation of it) on the session's backend.
  MotionOutcome run(MotionRequest request) const;

  // What is known before anything runs: names, units, parameters, what is in force.
  Result description(const std::string& method) const;

  // The same with values, statuses, the gradient.
  // It takes over the arrays of the outcome, which are large for large batches.
  Result result(MotionOutcome outcome, const std::string& method) const;

 private:
  void prefer_cpu(const Work& work);
  void check_formulation() const;
  void choose_integrator();

  const Model& model_;
  Options options_;
  Plan plan_;
  Mobility mobility_;
  MotionRequest request_;
  BackendChoice backend_;
};

}  // namespace gradus
