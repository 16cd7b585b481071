// The stand-in for the CUDA runtime. Its functions are declared by what the binary interface asks
// of them, without NVIDIA's headers.
#include "tests/backend/fake_cuda/runtime.hpp"

#include <cstdlib>
#include <cstring>
#include <deque>

namespace gradus::test {
namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;

std::deque<std::function<void()>>& stream() {
  static std::deque<std::function<void()>> work;
  return work;
}

using Work = std::deque<std::function<void()>>;
Work* captured = nullptr;  // what becomes a graph
bool had_work = false;
std::size_t done = 0;  // pieces of work
int live_handles = 0;
int live_events = 0;

void run_until(std::size_t count) {
  for (; done < count; ++done, stream().pop_front()) {
    had_work = true;
    stream().front()();
  }
}

}  // namespace

bool is_fake(const std::string& ailment) {
  const char* wanted = std::getenv("GRADUS_FAKE_CUDA");
  return wanted != nullptr && ailment == wanted;
}

void enqueue(std::function<void()> work) {
  (captured != nullptr ? *captured : stream()).push_back(std::move(work));
}

bool is_capturing() {
  return captured != nullptr;
}

void count_handle(int change) {
  live_handles += change;
}

void finish_stream() {
  run_until(done + stream().size());
}

extern "C" {

// For tests.
int fake_live_handles() {
  return live_handles;
}

int cudaDriverGetVersion(int* version) {
  *version = is_fake("no-driver") ? 0 : 12020;
  return kSuccess;
}

int cudaGetDeviceCount(int* count) {
  if (is_fake("no-driver") || is_fake("old-driver")) return kInsufficientDriver;
  if (is_fake("no-gpu")) return kNoDevice;
  *count = 2;
  return kSuccess;
}

// The name comes first in cudaDeviceProp.
int cudaGetDeviceProperties(void* properties, int) {
  std::strcpy(static_cast<char*>(properties), is_fake("h200") ? "NVIDIA H200" : "Pretender");
  return kSuccess;
}

int cudaSetDevice(int) {
  return kSuccess;
}
int cudaGetLastError() {
  return kSuccess;
}
const char* cudaGetErrorName(int error) {
  return error == kOutOfMemory ? "cudaErrorMemoryAllocation" : "cudaErrorOther";
}
const char* cudaGetErrorString(int error) {
  return error == kOutOfMemory ? "out of memory" : "something else";
}

int cudaStreamCreateWithFlags(void** handle, unsigned) {
  *handle = &had_work;
  count_handle(1);
  return kSuccess;
}
int cudaStreamDestroy(void*) {
  count_handle(-1);
  return kSuccess;
}

int cudaStreamSynchronize(void*) {
  if (is_capturing()) return kNotWhileCapturing;
  finish_stream();
  return had_work && is_fake("faulty-gpu") ? kIllegalAddress : kSuccess;
}

// One queue serves all streams, so they follow each other anyway.
int cudaStreamWaitEvent(void*, void*, unsigned) {
  return kSuccess;
}

int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = kMemory;
  *total = 2 * kMemory;
  return kSuccess;
}

int cudaMalloc(void** memory, std::size_t size) {
  if (size > kMemory) return kOutOfMemory;
  *memory = std::malloc(size);
  std::memset(*memory, 0xff, size);
  return kSuccess;
}

int cudaFree(void* memory) {
  std::free(memory);
  return kSuccess;
}

int cudaMemcpyAsync(void* to, const void* from, std::size_t size, int, void*) {
  enqueue([=] { std::memcpy(to, from, size); });
  return kSuccess;
}

int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t size, std::size_t count, int, void*) {
  if (size > to_pitch || size > from_pitch) return kInvalidValue;
  enqueue([=] {
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(static_cast<char*>(to) + k * to_pitch,
                  static_cast<const char*>(from) + k * from_pitch, size);
  });
  return kSuccess;
}

// An event knows how much work was on the stream before it.
int cudaEventCreateWithFlags(void** event, unsigned) {
  if (is_fake("one-event") && live_events > 0) return kOutOfMemory;
  *event = new std::size_t(0);
  ++live_events;
  count_handle(1);
  return kSuccess;
}
int cudaEventDestroy(void* event) {
  --live_events;
  count_handle(-1);
  delete static_cast<std::size_t*>(event);
  return kSuccess;
}
int cudaEventRecord(void* event, void*) {
  *static_cast<std::size_t*>(event) = done + stream().size();
  return kSuccess;
}
int cudaEventSynchronize(void* event) {
  run_until(*static_cast<std::size_t*>(event));
  return had_work && is_fake("faulty-gpu") ? kIllegalAddress : kSuccess;
}

int cudaHostAlloc(void** memory, std::size_t size, unsigned) {
  return cudaMalloc(memory, size);
}
int cudaFreeHost(void* memory) {
  return cudaFree(memory);
}

// Graphs are what was captured, instances copies of it.
int cudaStreamBeginCapture(void*, int) {
  if (is_capturing()) return kNotWhileCapturing;
  count_handle(1);
  captured = new Work;
  return kSuccess;
}
int cudaStreamEndCapture(void*, void** graph) {
  if (!is_capturing()) return kInvalidValue;
  *graph = captured;
  captured = nullptr;
  return kSuccess;
}
int cudaGraphInstantiate(void** instance, void* graph, unsigned long long) {
  *instance = new Work(*static_cast<Work*>(graph));
  count_handle(1);
  return kSuccess;
}
int cudaGraphDestroy(void* graph) {
  count_handle(-1);
  delete static_cast<Work*>(graph);
  return kSuccess;
}
int cudaGraphExecDestroy(void* instance) {
  count_handle(-1);
  delete static_cast<Work*>(instance);
  return kSuccess;
}
int cudaGraphLaunch(void* instance, void*) {
  for (const auto& work : *static_cast<Work*>(instance)) enqueue(work);
  return kSuccess;
}

int cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t size,
                      std::size_t count, void*) {
  if (size > pitch) return kInvalidValue;
  enqueue([=] {
    for (std::size_t k = 0; k < count; ++k)
      std::memset(static_cast<char*>(memory) + k * pitch, value, size);
  });
  return kSuccess;
}

int cudaMemsetAsync(void* memory, int value, std::size_t size, void*) {
  enqueue([=] { std::memset(memory, value, size); });
  return kSuccess;
}

}  // extern "C"

}  // namespace gradus::test
