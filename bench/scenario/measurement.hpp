// Times one scenario and states what was measured.
#pragma once

#include <nlohmann/json.hpp>

#include "bench/scenario/scenarios.hpp"

namespace gradus::bench {

// Runs the scenario once to warm up and to prove its gradient, then `repeats` times, the gradient
// and the motion alone in turn, so that a disturbance of the machine meets both. The gradient of
// the first design is compared with another exact method (dual numbers for direct, direct for the
// rest); the deviation is measured by the largest entry of the row. Where it is too large, the
// record has "times" null.
nlohmann::ordered_json measure(const Scenario& scenario, int repeats);

}  // namespace gradus::bench
