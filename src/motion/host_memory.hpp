// Memory of the host: how much a process can have, and what runs take of it. What cannot fit is
// refused before hours of work, and by a message instead of the system's hand.
#pragma once

#include <string>

#include "src/motion/request.hpp"

namespace gradus {

// Bytes: of the machine, with what it swaps to, or less where the process is limited.
double host_memory();

// "3.4 GiB"
std::string bytes_text(double bytes);

// Throws InputError if what a request hands back, trajectories above all, does not fit.
void require_memory_of_outcome(const MotionRequest& request);

// Says what the steps of an adjoint take if that is much, as many bytes as are estimated. Throws
// InputError if they do not fit.
void require_memory_of_adjoint(const MotionRequest& request, double bytes);

}  // namespace gradus
