// The choice of lanes.
#include "src/motion/vehicle.hpp"

#include <algorithm>

#include "src/backend/host_kernels.hpp"

namespace gradus {
namespace {

// Whether all designs of a request step together through the same kernels.
bool can_share_steps(const MotionRequest& request) {
  if (request.tableau.stages > 0 && request.tableau.error_order > 0) return false;
  // Rows of reactions ask whether a projection by penalty was skipped, once for all lanes.
  if (request.uses_penalty() && request.plan->view().uses_reactions != 0) return false;
  return request.sensitivity != Sensitivity::continuous;
}

Vehicle alone() {
  return {1, host_kernels()};
}

}  // namespace

std::vector<int> possible_lanes() {
  std::vector<int> lanes{1};
  for (const kernels::Translation& t : kernels::translations())
    if (t.packs != nullptr) lanes.push_back(t.lanes);
  return lanes;
}

Vehicle choose_vehicle(const MotionRequest& request, int threads) {
  Vehicle vehicle = alone();
  if (request.lanes == 1 || !can_share_steps(request)) return vehicle;
  const auto team = static_cast<std::size_t>(std::max(threads, 1));
  const std::size_t wanted = request.lanes > 0 ? static_cast<std::size_t>(request.lanes)
                                               : (request.n_design + team - 1) / team;
  if (wanted < 2) return vehicle;
  for (const kernels::Translation& t : kernels::translations()) {
    if (vehicle.lanes > 1 && static_cast<std::size_t>(vehicle.lanes) >= wanted) break;
    if (t.packs != nullptr) vehicle = {t.lanes, t.packs};
  }
  return vehicle;
}

}  // namespace gradus
