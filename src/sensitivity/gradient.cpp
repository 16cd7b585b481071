// The verb `gradient`.
#include "src/sensitivity/gradient.hpp"

#include <cmath>

#include "gradus/error.hpp"
#include "src/motion/time_loop.hpp"

namespace gradus {
namespace {

MotionOutcome run_method(const Session& session, const Options& options) {
  if (options.method == "direct") return direct_gradient(session);
  if (options.method == "dual") return dual_gradient(session);
  if (options.method == "finite-difference") {
    if (!std::isfinite(options.difference_step) || options.difference_step <= 0.0)
      throw InputError("difference step: expected a finite number above 0");
    return difference_gradient(session, options.difference_step);
  }
  throw InputError("method: found \"" + options.method +
                   "\", expected direct, finite-difference or dual");
}

}  // namespace

Result gradient(const Model& model, const Options& options) {
  Stopwatch watch;
  const Session session(model, options);
  const MotionOutcome outcome = run_method(session, options);
  Result result = session.result(outcome, options.method);
  result.gradient = outcome.gradient;
  result.timing.total_s = watch.lap();
  return result;
}

}  // namespace gradus
