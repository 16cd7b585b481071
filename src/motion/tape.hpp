// What the steps of a design leave for its adjoint, within a budget of memory: all of them where
// they fit, else some of the states between them, from which steps are taken once more on the way
// back. docs/theory.md, section 15.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace gradus {

// Where the steps of a motion are kept: blocks of a fixed number of steps.
class Tape {
 public:
  Tape(std::size_t record_size, std::size_t steps_per_block)
      : size_(record_size), length_(steps_per_block) {}

  std::size_t block_length() const { return length_; }
  std::size_t blocks() const { return blocks_.size(); }
  double* block(std::size_t b) { return blocks_[b].data(); }
  double* add_block() {
    blocks_.emplace_back(length_ * size_);
    return blocks_.back().data();
  }
  double* step(std::size_t b, std::size_t k) { return blocks_[b].data() + k * size_; }

 private:
  std::size_t size_, length_;
  std::deque<std::vector<double>> blocks_;  // which never move
};

// How a budget is spent.
struct MemoryPlan {
  std::size_t block_length = 1024;  // steps that are kept together
  std::size_t snapshots = 0;        // states that are kept between blocks, 0: all steps are kept
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
