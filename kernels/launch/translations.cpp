// Which translations of the kernels were built, and which of them this processor can run.
#include "kernels/launch/host.hpp"

namespace gradus::kernels {

// Those of GRADUS_VECTOR_LEVELS are defined.
inline namespace host {
Translation translation();
}
namespace host_v3 {
Translation translation();
}
namespace host_v4 {
Translation translation();
}

static std::vector<Translation> find_translations() {
  std::vector<Translation> found;
  // What is asked of the processor is asked of the operating system as well, by the compiler's own
  // function.
  __builtin_cpu_init();
  [[maybe_unused]] const bool v3 = __builtin_cpu_supports("avx2") &&
                                   __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                                   __builtin_cpu_supports("bmi2");
#if GRADUS_HAS_PLAIN
  found.push_back(host::translation());
#endif
#if GRADUS_HAS_V3
  if (v3) found.push_back(host_v3::translation());
#endif
#if GRADUS_HAS_V4
  if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    found.push_back(host_v4::translation());
#endif
  return found;
}

const std::vector<Translation>& translations() {
  static const std::vector<Translation> found = find_translations();
  return found;
}

Launch launch_alone() {
  Launch latest = nullptr;
  for (const Translation& t : translations())
    if (t.alone != nullptr) latest = t.alone;
  return latest;
}

}  // namespace gradus::kernels
