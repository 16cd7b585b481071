// The steps that an adaptive method takes on the host, noted for other runs to take the same.
#pragma once

#include <vector>

#include "src/motion/host_chunk.hpp"

namespace gradus {

// A chunk of one design whose steps of an adaptive method are noted: what a record begins with.
class StepNotes {
 public:
  StepNotes(HostChunk<double>& chunk, const kernels::Layout& layout, std::vector<double>& notes)
      : chunk_(chunk),
        size_(static_cast<std::size_t>(layout.record_size)),
        recorded_(layout.integrator.recorded),
        store_(chunk.make_store(kRoom * size_)),
        notes_(notes) {}

  bool has_failed() const { return chunk_.has_failed(); }
  void launch(kernels::KernelId kernel, const Instant& at, const kernels::StageTangent& stage) {
    if (kernel != kernels::KernelId::advance) return chunk_.launch(kernel, at, stage);
    std::size_t count = kRoom;
    chunk_.set_record(store_.data(), kRoom);
    while (count == kRoom && !has_failed()) {
      chunk_.clear(recorded_, 1);
      chunk_.launch(kernel, at, stage);
      count = static_cast<std::size_t>(chunk_.largest(recorded_));
      for (std::size_t k = 0; k < count; ++k)
        notes_.insert(notes_.end(), store_.data() + k * size_,
                      store_.data() + k * size_ + kernels::kGivenStepNumbers);
    }
    chunk_.set_record(nullptr, 0);
  }

  // Behind the last step: no step of no length follows.
  void close() {
    if (!notes_.empty()) notes_.insert(notes_.end(), {-1.0, 0.0, 0.0});
  }

 private:
  static constexpr std::size_t kRoom = 64;  // steps that are kept at a time
  HostChunk<double>& chunk_;
  std::size_t size_;
  int recorded_;
  AlignedArray<double> store_;
  std::vector<double>& notes_;
};

}  // namespace gradus
