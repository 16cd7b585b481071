// Launches rearrangement.hpp on the device.
#include "kernels/linear/rearrangement.hpp"

#include "kernels/linear/launch.cuh"

namespace gradus::kernels {
namespace {

constexpr int kBlock = 128;

template <class Arguments, void (*kBody)(const Arguments&, std::ptrdiff_t)>
__global__ void run_each(const __grid_constant__ Arguments arguments, std::ptrdiff_t count) {
  const std::ptrdiff_t index = static_cast<std::ptrdiff_t>(blockIdx.x) * kBlock + threadIdx.x;
  if (index < count) kBody(arguments, index);
}

template <class Arguments, void (*kBody)(const Arguments&, std::ptrdiff_t)>
cudaError_t launch_each(const Arguments& arguments, std::ptrdiff_t count, cudaStream_t stream) {
  if (count < 1) return cudaSuccess;
  cudaLaunchConfig_t grid{};
  grid.gridDim = dim3(static_cast<unsigned>((count + kBlock - 1) / kBlock));
  grid.blockDim = dim3(kBlock);
  grid.stream = stream;
  return cudaLaunchKernelEx(&grid, run_each<Arguments, kBody>, arguments, count);
}

}  // namespace

cudaError_t rearrange_on_device(const Rearrangement& c, cudaStream_t stream) {
  return launch_each<Rearrangement, rearrange_entry>(c, c.count * c.rows * c.columns, stream);
}

cudaError_t exchange_rows_on_device(const RowExchanges& c, cudaStream_t stream) {
  return launch_each<RowExchanges, exchange_rows_of_column>(c, c.count * c.columns, stream);
}

cudaError_t judge_pivots_on_device(const PivotJudgement& c, cudaStream_t stream) {
  return launch_each<PivotJudgement, judge_pivots>(c, c.count, stream);
}

}  // namespace gradus::kernels
