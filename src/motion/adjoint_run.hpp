// Adjoints on the host: the motion forwards, keeping what its steps leave, and back.
#pragma once

#include <memory>

#include "src/motion/host_run.hpp"

namespace gradus {

// Motion and gradient of designs, for a request whose sensitivity is `adjoint` or `continuous`.
std::unique_ptr<HostRun> make_adjoint_run(const MotionRequest& request, int threads);

}  // namespace gradus
