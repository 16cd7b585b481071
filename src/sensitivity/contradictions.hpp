// Parameters that contradict redundant constraints: no design beside the one at hand can move, and
// there is no derivative, whatever methods say.
#pragma once

#include <string>
#include <vector>

#include "gradus/run.hpp"
#include "src/model/message.hpp"
#include "src/motion/design_run.hpp"
#include "src/motion/failure.hpp"

namespace gradus {

class Contradictions {
 public:
  explicit Contradictions(std::size_t parameters) : sweeps_(parameters, 0), message_(parameters) {}

  // The neighbours of a sweep of differences, [parameter, above and below].
  void add(const MotionOutcome& neighbours, const DesignRun& run) {
    ++count_;
    for (std::size_t p = 0; p < sweeps_.size(); ++p)
      for (const std::size_t n : {2 * p, 2 * p + 1}) {
        if (!is_of_model(neighbours.status[n])) continue;
        ++sweeps_[p];
        message_[p] = failure_message(neighbours.status[n], run.request(), neighbours.blamed[n],
                                      neighbours.failure_time[n], run.parameters_of(0));
        break;
      }
  }

  // Adds what was found to the verdict on the model: parameters in which no neighbour was near
  // enough to move.
  void judge(const std::vector<std::string>& parameters, CheckPart& model) const {
    std::vector<std::size_t> found;
    for (std::size_t p = 0; p < sweeps_.size(); ++p)
      if (count_ > 0 && sweeps_[p] == count_) found.push_back(p);
    if (found.empty() || !model.passed) return;
    model.passed = false;
    model.message = "no derivative by " + std::to_string(found.size()) + " of " +
                    std::to_string(parameters.size()) + " parameters exists, the first is " +
                    in_quotes(parameters[found.front()]) + ": however little it changes, " +
                    message_[found.front()];
  }

 private:
  // What no step is fine enough for: the equations themselves.
  static bool is_of_model(kernels::Status status) {
    using kernels::Status;
    return status == Status::loop_open || status == Status::constraint_violated ||
           status == Status::rank_too_low || status == Status::rank_too_high ||
           status == Status::independents_singular;
  }

  std::vector<std::size_t> sweeps_;   // [parameter] in which a neighbour failed by the model
  std::vector<std::string> message_;  // [parameter] of the last
  std::size_t count_ = 0;             // of sweeps
};

}  // namespace gradus
