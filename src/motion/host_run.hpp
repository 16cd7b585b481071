// Time loops on the host: each thread drives the loop of one design after another, whose working
// set stays in cache.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/launch/host.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

// In what designs travel: alone, or in the lanes of a pack, with kernels translated for the
// processor at hand.
struct Vehicle {
  int lanes = 1;
  kernels::Launch launch = nullptr;
};

// Lanes that one can ask for here: 1, and those of the translations this processor can run.
std::vector<int> possible_lanes();

// Why the designs of a request do not travel in lanes, for "has no effect (...)"; empty if they
// may.
std::string_view why_alone(const MotionRequest& request);

// The vehicle for a request: as many lanes as are asked for, or else as serve the designs that a
// thread has.
Vehicle choose_vehicle(const MotionRequest& request, int threads);

class SpecialisedSteps;

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
  MotionOutcome& run(std::span<const double> parameters, std::size_t designs);

 protected:
  HostRun(const MotionRequest& request, int threads);

  // Chooses the vehicle for the designs of the request, whose number may have changed, and makes
  // ready; returns the number of jobs.
  virtual std::size_t prepare() = 0;
  virtual TimeShare run_job(std::size_t thread, std::size_t job) = 0;
  virtual void finish() {}
  // What results are of.
  virtual const MotionRequest& asked() const { return request_; }
  // A run of the same kind.
  virtual std::unique_ptr<HostRun> another(const MotionRequest& request) const;

  // Tells what has become of programs.
  void tell_of(const SpecialisedSteps& steps) const;

  std::size_t lanes() const { return static_cast<std::size_t>(vehicle_.lanes); }
  std::span<const double> row_of(std::size_t design) const {
    const std::size_t count = asked().plan->nominal.size();
    return std::span(request_.parameters).subspan(design * count, count);
  }
  std::size_t packs() const { return (request_.n_design + lanes() - 1) / lanes(); }

  // The time loop of a chunk, recorded; a single job reports its steps.
  template <class Chunk, class Recorder>
  TimeShare run_loop(Chunk& chunk, const Formulation& formulation, Recorder& recorder) const {
    return run_time_loop(request_, formulation, chunk, [&](std::size_t k, const Instant& at) {
      if (is_recorded(request_, k)) recorder.record(k, at);
      if (request_.progress && jobs_ == 1 && k % 1024 == 0)
        request_.progress(static_cast<double>(k) / static_cast<double>(request_.steps));
      return !chunk.has_failed();
    });
  }

  MotionRequest request_;
  MotionOutcome outcome_;
  int threads_;
  Vehicle vehicle_;
  std::mutex mutex_;  // of the outcome

 private:
  void run_alone();

  std::size_t jobs_ = 0, done_ = 0;
  std::unique_ptr<HostRun> stiff_run_, lasting_run_;  // of designs whose motion is stiff
  std::unique_ptr<HostRun> alone_run_;                // of those that cannot stay in lanes
};

// The motion, with or without columns, or the adjoint that the request asks for.
std::unique_ptr<HostRun> make_host_run(const MotionRequest& request, int threads);

// The adjoint, for a request whose sensitivity is `adjoint` or `continuous`: the motion forwards,
// keeping what its steps leave, and back.
std::unique_ptr<HostRun> make_adjoint_run(const MotionRequest& request, int threads);

// The discrete adjoint through windows on splines of time, of a request that superposes().
std::unique_ptr<HostRun> make_windowed_adjoint_run(const MotionRequest& request, int threads);

// The motion with superposed columns, of a request that superposes(); see superposition.hpp.
std::unique_ptr<HostRun> make_superposed_run(const MotionRequest& request, int threads);

// One run of the designs of the request.
MotionOutcome run_on_host(const MotionRequest& request, int threads);

// What probes of designs found beside steps, for runs elsewhere; see step_probe.hpp.
struct ProbeFindings {
  kernels::Status status = kernels::Status::ok;
  double time = 0.0;         // of the failure, s
  double blamed = 0.0;       // see kernels/stages/watch.hpp
  double jump = 0.0;         // time at which accelerations jump, s; 0: they do not
  double stiff_since = 0.0;  // since when the motion is known to be stiff, s; 0: it is not
};
struct ProbedSteps {
  std::vector<double> steps;          // [step, 2] length and end of those of all designs, s
  std::vector<std::ptrdiff_t> begin;  // [design] of their steps, -1: the probe failed
  std::vector<ProbeFindings> found;   // [design]
};

// Designs [first, first + count) of a request that names its probe.
ProbedSteps probe_on_host(const MotionRequest& request, std::size_t first, std::size_t count);

// A design whose probe has failed has no gradient, though its motion may reach its end. Runs by
// given steps do not look for jumps themselves.
void note_findings(const ProbeFindings& found, std::size_t design, MotionOutcome& outcome);

// Coordinates and rates [2 n_coordinate] of a design at time 0. Throws NumericalError.
std::vector<double> start_state_on_host(MotionRequest request, std::span<const double> parameters);

// The motion in dual numbers: the gradient comes out of differentiating every operation of the time
// loop itself.
MotionOutcome run_dual_on_host(const MotionRequest& request, int threads);

}  // namespace gradus
