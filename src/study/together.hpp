// Runs tasks that each ask for one evaluation after another, and answers the requests of all of
// them together, so that hundreds of optimisations become batches of designs.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace gradus {

struct Request {
  std::size_t task = 0;
  std::size_t number = 0;  // of the request within its task, from 0
  std::vector<double> point;
};

// The values at a point; empty if the design failed.
using Answer = std::vector<double>;

// Answers requests in their order; they come sorted by task, at most one of each.
using Evaluate = std::function<std::vector<Answer>(const std::vector<Request>&)>;

// Asks for one evaluation and waits for it.
using Ask = std::function<Answer(const std::vector<double>& point)>;

// Runs body(task, ask) for each of `tasks`. Bodies run one at a time, so they need no locks and
// libraries need not be thread-safe; `evaluate` is called on the calling thread when every body
// that has not ended waits for an answer. What `evaluate` throws ends all bodies (by an exception
// out of `ask`, which they must let pass or turn into an orderly end) and is thrown again; so is
// the first exception that leaves a body.
void run_together(std::size_t tasks, const std::function<void(std::size_t, const Ask&)>& body,
                  const Evaluate& evaluate);

}  // namespace gradus
