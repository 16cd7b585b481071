// Streams, events and graphs of the CUDA runtime, each released with its owner. Nothing can be done
// about errors there.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <type_traits>

namespace gradus {

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

// On the calling thread's current device. Throw BackendError, starting with `where`.
Stream make_stream(const std::string& where);
Event make_event(const std::string& where);

}  // namespace gradus
