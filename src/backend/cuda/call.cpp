// Words for failed calls of the CUDA runtime.
#include "src/backend/cuda/call.hpp"

#include "gradus/error.hpp"

namespace gradus {

std::string describe_failure(const char* call, cudaError_t error) {
  return std::string(call) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
         ")";
}

void check_call(cudaError_t error, const char* call, const std::string& where) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // forget it, so that the next call does not report it again
  throw BackendError(where + ": " + describe_failure(call, error));
}

}  // namespace gradus
