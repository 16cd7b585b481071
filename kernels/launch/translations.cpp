// Which translations of the kernels this processor can run.
#include "kernels/launch/host.hpp"

namespace gradus::kernels {

inline namespace host {
Translation translation();
}
#if GRADUS_WITH_X86_LEVELS
namespace host_v3 {
Translation translation();
}
namespace host_v4 {
Translation translation();
}
#endif

namespace {

std::vector<Translation> find_translations() {
  std::vector<Translation> found{host::translation()};
#if GRADUS_WITH_X86_LEVELS
  // What is asked of the processor is asked of the operating system as well, by the compiler's own
  // function.
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (v3) found.push_back(host_v3::translation());
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (v4) found.push_back(host_v4::translation());
#endif
  return found;
}

}  // namespace

const std::vector<Translation>& translations() {
  static const std::vector<Translation> found = find_translations();
  return found;
}

}  // namespace gradus::kernels
