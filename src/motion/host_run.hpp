// Time loops on the host: each thread drives the loop of one design after another, whose working
// set stays in cache.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "src/motion/request.hpp"

namespace gradus {

// Runs of one kind, again and again with other designs. What they share and what each thread holds
// is kept: a run of as many designs as the one before allocates nothing, if it has one thread,
// records nothing and keeps all steps of adjoints.
class HostRun {
 public:
  virtual ~HostRun() = default;
  HostRun(const HostRun&) = delete;
  HostRun& operator=(const HostRun&) = delete;

  // Parameters [n_design, n_parameter], one design at least. The outcome stays until the next run,
  // and may be moved from.
  virtual MotionOutcome& run(std::span<const double> parameters, std::size_t designs) = 0;

 protected:
  explicit HostRun(const MotionRequest& request) : request_(request) {
    request_.parameters.clear();
  }
  void set_designs_of_request(std::span<const double> parameters, std::size_t designs);

  MotionRequest request_;
  MotionOutcome outcome_;
};

// The motion, with or without columns, or the adjoint that the request asks for.
std::unique_ptr<HostRun> make_host_run(const MotionRequest& request, int threads);

// The adjoint, for a request whose sensitivity is `adjoint` or `continuous`: the motion forwards,
// keeping what its steps leave, and back.
std::unique_ptr<HostRun> make_adjoint_run(const MotionRequest& request, int threads);

// One run of the designs of the request.
MotionOutcome run_on_host(const MotionRequest& request, int threads);

// Coordinates and rates [2 n_coordinate] of a design at time 0. Throws NumericalError.
std::vector<double> start_state_on_host(MotionRequest request, std::span<const double> parameters);

// The motion in dual numbers: the gradient comes out of differentiating every operation of the time
// loop itself.
MotionOutcome run_dual_on_host(const MotionRequest& request, int threads);

}  // namespace gradus
