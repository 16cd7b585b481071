// Kernels of the stand-in: those of the host. The declarations are those of
// kernels/launch/device.cuh, without NVIDIA's headers.
#include "kernels/launch/host.hpp"
#include "tests/backend/fake_cuda/runtime.hpp"

struct CUstream_st;

namespace gradus::kernels {

int launch_on_device(KernelId kernel, const KernelArguments<double, true>& arguments,
                     CUstream_st*) {
  test::enqueue([kernel, arguments] { launch_on_host(kernel, arguments); });
  return test::kSuccess;
}

int find_device_code() {
  return test::is_fake("foreign-gpu") ? test::kNoKernelImage : test::kSuccess;
}

}  // namespace gradus::kernels
