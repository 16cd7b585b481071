// Finds the host launcher of a kernel by its name.
#include "kernels/launch/host.hpp"

namespace gradus::kernels {

#define GRADUS_DECLARE(NAME)                                 \
  void launch_##NAME(const KernelArguments<double, false>&); \
  void launch_##NAME(const KernelArguments<double, true>&);  \
  void launch_##NAME(const KernelArguments<DualNumber, false>&);
GRADUS_FOR_EACH_KERNEL(GRADUS_DECLARE)
#undef GRADUS_DECLARE

namespace {

template <class Arguments>
void launch(KernelId kernel, const Arguments& arguments) {
  switch (kernel) {
#define GRADUS_CASE(NAME) \
  case KernelId::NAME:    \
    return launch_##NAME(arguments);
    GRADUS_FOR_EACH_KERNEL(GRADUS_CASE)
#undef GRADUS_CASE
  }
}

}  // namespace

void launch_on_host(KernelId kernel, const KernelArguments<double, false>& arguments) {
  launch(kernel, arguments);
}
void launch_on_host(KernelId kernel, const KernelArguments<double, true>& arguments) {
  launch(kernel, arguments);
}
void launch_on_host(KernelId kernel, const KernelArguments<DualNumber, false>& arguments) {
  launch(kernel, arguments);
}

}  // namespace gradus::kernels
