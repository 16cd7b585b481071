// What the steps of a design leave for its adjoint, within a budget of memory: all of them where
// they fit, else some of the states between them, from which steps are taken once more on the way
// back. docs/theory.md, section 15.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <list>
#include <utility>
#include <vector>

namespace gradus {

// Where the steps of the designs of a chunk are kept: blocks of a fixed number of steps.
template <class Chunk>
class Tape {
 public:
  Tape(Chunk& chunk, std::size_t record_size, std::size_t steps_per_block)
      : chunk_(chunk), size_(record_size), length_(steps_per_block) {}

  std::size_t blocks() const { return used_; }
  void add_block() {
    if (used_ == blocks_.size()) blocks_.push_back(chunk_.make_store(length_ * size_));
    ++used_;
  }
  double* step(std::size_t b, std::size_t k) { return chunk_.place(blocks_[b], k * size_); }
  // Starts over; blocks of the same length are used again.
  void clear(std::size_t steps_per_block) {
    if (steps_per_block != length_) blocks_.clear();
    used_ = 0;
    length_ = steps_per_block;
  }

 private:
  Chunk& chunk_;
  std::size_t size_, length_;
  std::size_t used_ = 0;
  std::deque<typename Chunk::Store> blocks_;  // which never move
};

// States of the designs of a chunk before some of the blocks, in their order.
template <class Chunk>
class Snapshots {
 public:
  // `size` numbers are the state of a design.
  Snapshots(Chunk& chunk, int size) : chunk_(chunk), size_(size) {}

  bool empty() const { return kept_.empty(); }
  std::size_t size() const { return kept_.size(); }
  // The block before which the last was taken.
  std::size_t block() const { return kept_.back().block; }
  void drop() { kept_.pop_back(); }
  void clear() {
    kept_.clear();
    stride_ = 1;
  }

  // Before this block; `most` is how many there may be. They lie evenly: when there is no room for
  // another, every other one goes.
  void take(std::size_t block, std::size_t most) {
    if (block % stride_ != 0) return;
    if (kept_.size() == most) {
      stride_ *= 2;
      kept_.remove_if([&](const State& s) { return s.block % stride_ != 0; });
      if (block % stride_ != 0 || kept_.size() == most) return;
    }
    push(block);
  }
  void push(std::size_t block) {
    kept_.push_back({block, chunk_.make_store(static_cast<std::size_t>(size_))});
    chunk_.keep(0, size_, kept_.back().memory, 0);
  }

  // The state of the last again, but for these parts of the memory: offsets and sizes.
  void restore(std::vector<std::pair<int, int>> parts) {
    std::sort(parts.begin(), parts.end());
    parts.emplace_back(size_, 0);
    int begin = 0;
    for (const auto& [offset, size] : parts) {
      if (offset > begin)
        chunk_.put_back(begin, offset - begin, kept_.back().memory,
                        static_cast<std::size_t>(begin));
      begin = std::max(begin, offset + size);
    }
  }

 private:
  struct State {
    std::size_t block;
    typename Chunk::Store memory;
  };
  Chunk& chunk_;
  int size_;
  std::size_t stride_ = 1;  // blocks between them
  std::list<State> kept_;
};

inline constexpr std::size_t kBlockSteps = 1024;  // that are kept together at most

// How a budget is spent.
struct MemoryPlan {
  std::size_t block_length = kBlockSteps;
  std::size_t snapshots = 0;  // states that are kept between blocks, 0: all steps are kept
};

// `record` and `state` are the sizes of a step and of a whole design, `steps` what the motion takes
// if that is known, else 0; all in numbers of 8 bytes, the budget in bytes, 0: unlimited. Throws
// InputError if not even the least fits.
MemoryPlan plan_memory(std::size_t budget, std::size_t record, std::size_t state,
                       std::size_t steps);

// Where to keep another state so that `count` blocks, of which the first begins at one, are walked
// through backwards with the fewest steps taken once more, `free` states being left (binomial
// checkpointing; A. Griewank, A. Walther, ACM Trans. Math. Softw. 26 (2000) 19-45).
std::size_t best_split(std::size_t count, std::size_t free);

}  // namespace gradus
