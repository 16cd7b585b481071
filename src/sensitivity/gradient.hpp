// The methods behind the verb `gradient`.
#pragma once

#include "src/motion/session.hpp"

namespace gradus {

// Each fills objectives and gradient of an outcome for the designs of the session.
MotionOutcome direct_gradient(const Session& session);
MotionOutcome adjoint_gradient(const Session& session);
MotionOutcome continuous_adjoint_gradient(const Session& session);
MotionOutcome dual_gradient(const Session& session);
// `step` is relative to max(|parameter|, 1).
MotionOutcome difference_gradient(const Session& session, double step);

}  // namespace gradus
