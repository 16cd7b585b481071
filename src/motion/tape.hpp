// What the steps of a design leave for its adjoint, within a budget of memory: all of them where
// they fit, else some of the states between them, from which steps are taken once more on the way
// back. docs/theory.md, section 15.
#pragma once

#include <cstddef>
#include <deque>

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
