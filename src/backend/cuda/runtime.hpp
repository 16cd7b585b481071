// Calls of the CUDA runtime, what to say when one fails, and owners of its streams, events and
// graphs. Nothing can be done about errors of a release.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <type_traits>

#include "gradus/error.hpp"

namespace gradus {

// "cudaMalloc: out of memory (cudaErrorMemoryAllocation)"
inline std::string describe_failure(const char* call, cudaError_t error) {
  return std::string(call) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
         ")";
}

// Throws BackendError, starting with `where`, unless the call succeeded.
inline void check_call(cudaError_t error, const char* call, const std::string& where) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // forget it, so that the next call does not report it again
  throw BackendError(where + ": " + describe_failure(call, error));
}

template <class Handle, cudaError_t (*kDestroy)(Handle)>
struct DestroyHandle {
  void operator()(Handle handle) const { kDestroy(handle); }
};
template <class Handle, cudaError_t (*kDestroy)(Handle)>
using OwnedHandle = std::unique_ptr<std::remove_pointer_t<Handle>, DestroyHandle<Handle, kDestroy>>;

using Stream = OwnedHandle<cudaStream_t, cudaStreamDestroy>;
using Event = OwnedHandle<cudaEvent_t, cudaEventDestroy>;
using Graph = OwnedHandle<cudaGraph_t, cudaGraphDestroy>;
using RunnableGraph = OwnedHandle<cudaGraphExec_t, cudaGraphExecDestroy>;

// On the calling thread's current device. A stream of its own does not wait for the one that all
// share.
inline Stream make_stream(const std::string& where) {
  cudaStream_t stream = nullptr;
  check_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags",
             where);
  return Stream(stream);
}
inline Event make_event(const std::string& where) {
  cudaEvent_t event = nullptr;
  check_call(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags",
             where);
  return Event(event);
}

}  // namespace gradus
