// Processes that share a study, as threads.
#pragma once

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "gradus/study.hpp"

namespace gradus {

inline void run_processes(int count, const std::function<void(const Processes&)>& body) {
  std::barrier<> meeting(count);
  std::vector<char> says(static_cast<std::size_t>(count), 0);
  const auto any = [&](int rank, bool value) {
    says[static_cast<std::size_t>(rank)] = value ? 1 : 0;
    meeting.arrive_and_wait();
    bool result = false;
    for (const char one : says) result = result || one != 0;
    meeting.arrive_and_wait();
    return result;
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      Processes processes;
      processes.rank = rank;
      processes.count = count;
      processes.any = [&, rank](bool value) { return any(rank, value); };
      body(processes);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace gradus
