// A stand-in for the CUDA runtime: enough of it, on host memory, to run the CUDA backend without a
// GPU. Like a GPU's, its stream runs later than it is asked to, here at the latest possible moment.
// GRADUS_FAKE_CUDA says what is wrong with it: no-driver, old-driver, no-gpu, foreign-gpu,
// faulty-gpu (its work fails), captures-fail (so do launches that are captured), one-event (there
// is no second), no-stream-for-libraries, or nothing; h200: it says that it is one.
#pragma once

#include <functional>
#include <string>

namespace gradus::test {

// Error numbers of the CUDA runtime.
enum FakeError : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kInsufficientDriver = 35,
  kNoDevice = 100,
  kNoKernelImage = 209,
  kIllegalAddress = 700,
  kNotWhileCapturing = 900,
};

// Whether GRADUS_FAKE_CUDA says so.
bool is_fake(const std::string& ailment);

// Puts work on the stream.
void enqueue(std::function<void()> work);

// Whether what is put there is only noted, for a graph.
bool is_capturing();

// Does all of it.
void finish_stream();

// Counts streams, events, graphs and handles of libraries that are not destroyed yet.
void count_handle(int change);

}  // namespace gradus::test
