// Calls of the CUDA runtime, and what to say when one fails.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace gradus {

// "cudaMalloc: out of memory (cudaErrorMemoryAllocation)"
std::string describe_failure(const char* call, cudaError_t error);

// Throws BackendError, starting with `where`, unless the call succeeded.
void check_call(cudaError_t error, const char* call, const std::string& where);

}  // namespace gradus
