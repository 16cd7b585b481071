// Sessions: one thread's evaluations of a mechanism.
#include "src/mechanism/session_state.hpp"
#include "src/motion/failure.hpp"

namespace gradus {

Session::Session(const Mechanism& mechanism) : state_(std::make_unique<State>(mechanism)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::size_t Session::simulate(std::span<const double> parameters, const Arrays& to) {
  static const std::string none = "none";
  const State::Call state(state_);
  const std::size_t designs = state->design_count(parameters);
  state->check_arrays(designs, to, false);
  return state->hand_over(state->evaluate(parameters, designs, none), designs, to);
}

std::size_t Session::gradient(std::span<const double> parameters, const Arrays& to) {
  const State::Call state(state_);
  const std::size_t designs = state->design_count(parameters);
  state->check_arrays(designs, to, true);
  return state->hand_over(state->evaluate(parameters, designs, state->method()), designs, to);
}

DesignStatus Session::status(std::size_t design) const {
  const State::Hold state(state_);
  const MotionOutcome* outcome = state->outcome;
  if (outcome == nullptr)
    throw InputError("status: the last call had no design " + std::to_string(design) +
                     " (there was none, or it was refused)");
  if (design >= outcome->status.size())
    throw InputError("status: the last call had no design " + std::to_string(design) + ", only " +
                     std::to_string(outcome->status.size()));
  DesignStatus status;
  status.ok = outcome->status[design] == kernels::Status::ok;
  status.time = outcome->failure_time[design];
  status.message =
      failure_message(outcome->status[design], state->compiled().request(), outcome->blamed[design],
                      status.time, state->compiled().nominal());
  return status;
}

}  // namespace gradus
