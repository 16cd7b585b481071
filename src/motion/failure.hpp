// What a failed design tells its user.
#pragma once

#include <span>
#include <string>

#include "kernels/core/status.hpp"
#include "src/motion/request.hpp"

namespace gradus {

// Of a design with these parameters. `blamed` says what is to blame, if anything is (see
// kernels/stages/watch.hpp), and `time` is that of the failure [s].
std::string failure_message(kernels::Status status, const MotionRequest& request, double blamed,
                            double time, std::span<const double> parameters);

// The joint or constraint in whose singular configuration a mechanism begins; empty: in none.
std::string name_of_singular_start(const Plan& plan);

}  // namespace gradus
