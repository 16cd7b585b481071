// Kernels of the stand-in: those of the host. The declarations are those of
// kernels/launch/device.cuh and kernels/linear/launch.cuh, without NVIDIA's headers.
#include <set>

#include "kernels/launch/host.hpp"
#include "kernels/linear/launch.hpp"
#include "kernels/linear/rearrangement.hpp"
#include "src/backend/host_kernels.hpp"
#include "tests/backend/fake_cuda/runtime.hpp"

struct CUstream_st;

namespace gradus::kernels {
namespace {

std::set<KernelId> loaded;

}  // namespace

// As lazy as the CUDA runtime: kernels are loaded when they are first launched.
int launch_on_device(KernelId kernel, const KernelArguments<double, true>& arguments,
                     CUstream_st*) {
  if (test::is_capturing() && (test::is_fake("captures-fail") || loaded.count(kernel) == 0))
    return test::kNotWhileCapturing;
  loaded.insert(kernel);
  test::enqueue([kernel, arguments] { check_kernels().interleaved(kernel, arguments); });
  return test::kSuccess;
}

int load_kernel(KernelId kernel) {
  loaded.insert(kernel);
  return test::kSuccess;
}

int find_device_code() {
  return test::is_fake("foreign-gpu") ? test::kNoKernelImage : test::kSuccess;
}

int run_systems_on_device(const LinearArguments& arguments, CUstream_st*) {
  test::enqueue([arguments] { run_systems_on_host(arguments); });
  return test::kSuccess;
}

int rearrange_on_device(const Rearrangement& c, CUstream_st*) {
  test::enqueue([c] {
    for (std::ptrdiff_t k = 0; k < c.count * c.rows * c.columns; ++k) rearrange_entry(c, k);
  });
  return test::kSuccess;
}

int exchange_rows_on_device(const RowExchanges& c, CUstream_st*) {
  test::enqueue([c] {
    for (std::ptrdiff_t k = 0; k < c.count * c.columns; ++k) exchange_rows_of_column(c, k);
  });
  return test::kSuccess;
}

int judge_pivots_on_device(const PivotJudgement& c, CUstream_st*) {
  test::enqueue([c] {
    for (std::ptrdiff_t k = 0; k < c.count; ++k) judge_pivots(c, k);
  });
  return test::kSuccess;
}

}  // namespace gradus::kernels
