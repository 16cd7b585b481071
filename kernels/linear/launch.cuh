// Running work over a batch of linear systems on a GPU. The host compiler reads this header too: it
// holds no device code.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/linear/arguments.hpp"
#include "kernels/linear/rearrangement.hpp"

namespace gradus::kernels {

// Each starts work on the calling thread's current device, after everything asked of the stream
// before. Failures while it runs show at a later call.
cudaError_t run_systems_on_device(const LinearArguments& arguments, cudaStream_t stream);
cudaError_t rearrange_on_device(const Rearrangement& arguments, cudaStream_t stream);
cudaError_t exchange_rows_on_device(const RowExchanges& arguments, cudaStream_t stream);
cudaError_t judge_pivots_on_device(const PivotJudgement& arguments, cudaStream_t stream);

}  // namespace gradus::kernels
