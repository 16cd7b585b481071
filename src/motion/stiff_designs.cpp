// Which designs run again, and what they leave.
#include "src/motion/stiff_designs.hpp"

#include <algorithm>
#include <utility>

namespace gradus {
namespace {

using kernels::Status;

template <class Is>
std::vector<std::size_t> designs_where(const MotionOutcome& outcome, const Is& is) {
  std::vector<std::size_t> designs;
  for (std::size_t d = 0; d < outcome.status.size(); ++d)
    if (is(d)) designs.push_back(d);
  return designs;
}

// Of a method, not of the motion.
bool gives_up(Status status) {
  return status == Status::newton_diverged || status == Status::step_too_small ||
         status == Status::progress_too_slow;
}

// Some designs of `request`, by `another`.
void run_again(const MotionRequest& request, MotionRequest another,
               const std::vector<std::size_t>& designs, const RunRequest& run,
               MotionOutcome& outcome) {
  const std::size_t width = request.plan->nominal.size();
  another.n_design = designs.size();
  another.progress = nullptr;
  another.parameters.clear();
  for (const std::size_t design : designs) {
    const auto first = request.parameters.begin() + static_cast<std::ptrdiff_t>(design * width);
    another.parameters.insert(another.parameters.end(), first,
                              first + static_cast<std::ptrdiff_t>(width));
  }
  MotionOutcome& again = run(another);
  for (std::size_t k = 0; k < designs.size(); ++k) {
    const double found = outcome.stiff_since[designs[k]];
    take_design(again, k, designs[k], outcome);
    outcome.stiff_since[designs[k]] = found;
  }
  if (designs.front() == 0) {
    outcome.taken_steps = std::move(again.taken_steps);
    outcome.events = std::move(again.events);
  }
  outcome.motion_s += again.motion_s;
  outcome.sensitivity_s += again.sensitivity_s;
  outcome.recomputation = std::max(outcome.recomputation, again.recomputation);
}

}  // namespace

void run_stiff_designs(const MotionRequest& request, MotionOutcome& outcome,
                       const RunRequest& run) {
  if (!request.leaves_stiff()) return;
  const auto left =
      designs_where(outcome, [&](std::size_t d) { return outcome.status[d] == Status::stiff; });
  if (left.empty()) return;
  run_again(request, request.for_stiff_designs(), left, run, outcome);
  for (const std::size_t design : left) outcome.switched[design] = 1.0;
  const auto stuck = designs_where(outcome, [&](std::size_t d) {
    return outcome.switched[d] > 0.0 && gives_up(outcome.status[d]);
  });
  if (stuck.empty()) return;
  MotionRequest to_the_end = request;
  to_the_end.stiff_integrator.clear();
  run_again(request, std::move(to_the_end), stuck, run, outcome);
  for (const std::size_t design : stuck) outcome.switched[design] = 0.0;
}

MotionRequest by_integrator_of(const MotionOutcome& outcome, MotionRequest request) {
  const bool switched = !outcome.switched.empty() && outcome.switched.front() > 0.0;
  return switched ? request.for_stiff_designs() : std::move(request);
}

}  // namespace gradus
