// Makes streams and events.
#include "src/backend/cuda/handles.hpp"

#include "src/backend/cuda/call.hpp"

namespace gradus {

// Of its own: it does not wait for the stream that all share.
Stream make_stream(const std::string& where) {
  cudaStream_t stream = nullptr;
  check_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags",
             where);
  return Stream(stream);
}

Event make_event(const std::string& where) {
  cudaEvent_t event = nullptr;
  check_call(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags",
             where);
  return Event(event);
}

}  // namespace gradus
