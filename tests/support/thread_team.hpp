// A team of real threads, so that what bodies of kernels/linear do together can be watched by the
// thread sanitizer. As on a GPU, only a barrier orders memory: best() and any() exchange words by
// relaxed atomic operations, which order nothing, so a missing barrier is a data race.
#pragma once

#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "kernels/linear/team.hpp"

namespace gradus::test {

class ThreadTeam {
 public:
  static constexpr bool kAlone = false;

  // What the lanes of a team share. Each exchange has a number, which its words carry, so a reader
  // knows those that have arrived. A lane is at most one exchange ahead of another: two places
  // suffice.
  class Shared {
   public:
    explicit Shared(int lanes)
        : lanes_(lanes),
          barrier_(lanes),
          words_(std::make_unique<std::atomic<std::uint64_t>[]>(
              static_cast<std::size_t>(2 * lanes * kWords))) {}

   private:
    friend class ThreadTeam;
    static constexpr int kWords = 8;
    int lanes_;
    std::barrier<> barrier_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
  };

  ThreadTeam(Shared& shared, int rank) : shared_(&shared), rank_(rank) {}

  int rank() const { return rank_; }
  int size() const { return shared_->lanes_; }
  void barrier() const { shared_->barrier_.arrive_and_wait(); }

  template <class Real>
  kernels::PivotCandidate<Real> best(const kernels::PivotCandidate<Real>& own) const {
    kernels::PivotCandidate<Real> best = own;
    exchange(own, [&](const auto& other) {
      if (other.beats(best)) best = other;
    });
    return best;
  }
  bool any(bool own) const {
    bool result = own;
    exchange(static_cast<int>(own), [&](int other) { result = result || other != 0; });
    return result;
  }

 private:
  template <class Message, class Visit>
  void exchange(const Message& own, const Visit& visit) const {
    constexpr std::size_t kHalves = (sizeof(Message) + 3) / 4;
    static_assert(kHalves <= Shared::kWords);
    const std::uint64_t number = ++number_;
    std::uint32_t halves[kHalves] = {};
    std::memcpy(halves, &own, sizeof(Message));
    for (std::size_t w = 0; w < kHalves; ++w)
      word(number, rank_, w).store(number << 32 | halves[w], std::memory_order_relaxed);
    for (int lane = 0; lane < size(); ++lane) {
      for (std::size_t w = 0; w < kHalves; ++w) halves[w] = await(word(number, lane, w), number);
      Message message;
      std::memcpy(static_cast<void*>(&message), halves, sizeof(Message));
      visit(message);
    }
  }

  std::atomic<std::uint64_t>& word(std::uint64_t number, int lane, std::size_t w) const {
    const std::size_t row =
        (number % 2) * static_cast<std::size_t>(size()) + static_cast<std::size_t>(lane);
    return shared_->words_[row * Shared::kWords + w];
  }
  static std::uint32_t await(const std::atomic<std::uint64_t>& word, std::uint64_t number) {
    std::uint64_t found = word.load(std::memory_order_relaxed);
    for (; found >> 32 != number; found = word.load(std::memory_order_relaxed))
      std::this_thread::yield();
    return static_cast<std::uint32_t>(found);
  }

  Shared* shared_;
  int rank_;
  mutable std::uint64_t number_ = 0;
};

// Runs action(team) on each lane of a team of threads.
template <class Action>
void run_team(int lanes, const Action& action) {
  ThreadTeam::Shared shared(lanes);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < lanes; ++rank)
    threads.emplace_back([&, rank] { action(ThreadTeam(shared, rank)); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace gradus::test
