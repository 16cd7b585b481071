// The verb `simulate`.
#include "gradus/error.hpp"
#include "gradus/run.hpp"
#include "src/motion/session.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {

Result simulate(const Model& model, const Options& options) {
  Stopwatch watch;
  if (options.columns)
    throw InputError(
        "columns: simulate computes no sensitivities; use gradient, or leave them out");
  const Session session(model, options);
  Result result = session.result(session.run(session.request()), "none");
  result.timing.total_s = watch.lap();
  return result;
}

}  // namespace gradus
