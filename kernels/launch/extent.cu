// The least and the largest of many numbers of a device, by Thrust.
#include <limits>
#include <new>

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/system_error.h>
#include <thrust/transform_reduce.h>

#include "kernels/launch/device.cuh"

namespace gradus::kernels {
namespace {

struct Alone {
  __host__ __device__ Extent operator()(double x) const { return {x, x}; }
};

struct Both {
  __host__ __device__ Extent operator()(const Extent& a, const Extent& b) const {
    return {a.least < b.least ? a.least : b.least, a.largest > b.largest ? a.largest : b.largest};
  }
};

}  // namespace

cudaError_t find_extent(const double* values, std::size_t count, Extent& extent,
                        cudaStream_t stream) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  try {
    extent = thrust::transform_reduce(thrust::cuda::par.on(stream), values, values + count, Alone(),
                                      Extent{kInfinity, -kInfinity}, Both());
  } catch (const thrust::system_error& error) {
    return static_cast<cudaError_t>(error.code().value());
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

}  // namespace gradus::kernels
