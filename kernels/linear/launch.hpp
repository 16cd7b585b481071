// Running work over a batch of linear systems on the host.
#pragma once

#include "kernels/linear/arguments.hpp"

namespace gradus::kernels {

// One system after another on the calling thread.
void run_systems_on_host(const LinearArguments& arguments);

}  // namespace gradus::kernels
