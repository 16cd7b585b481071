// Launches systems.hpp on the host.
#include "kernels/linear/systems.hpp"

#include "kernels/linear/launch.hpp"

namespace gradus::kernels {
namespace {

template <bool kInterleaved>
void loop_over_systems(const LinearArguments& arguments) {
  const LinearSystems<OneLane, kInterleaved> body{arguments};
  for (std::ptrdiff_t system = 0; system < arguments.count; ++system) body(OneLane{}, system);
}

}  // namespace

void run_systems_on_host(const LinearArguments& arguments) {
  if (arguments.right_side_arrangement.interleaved)
    loop_over_systems<true>(arguments);
  else
    loop_over_systems<false>(arguments);
}

}  // namespace gradus::kernels
