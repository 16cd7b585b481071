// Work on many designs by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gradus {

// Calls work(design) for every design, each on one of the threads; work is made once per thread, of
// which 0 is the caller's.
template <class MakeWork>
void for_each_design(std::size_t count, int threads, const MakeWork& make_work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto run = [&](int thread) {
    try {
      auto work = make_work(thread);
      for (std::size_t design = next++; design < count; design = next++) work(design);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
      next = count;
    }
  };
  const auto useful =
      static_cast<int>(std::min<std::size_t>(count, static_cast<std::size_t>(threads)));
  std::vector<std::thread> team;
  for (int t = 1; t < useful; ++t) team.emplace_back(run, t);
  run(0);
  for (std::thread& thread : team) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gradus
