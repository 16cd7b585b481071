// A recording in the making: the graph that it adds to, and what was taken for granted on the way.
#pragma once

#include <limits>
#include <vector>

#include "src/specialise/graph.hpp"

namespace gradus::specialise {

// The recording holds where this node has this value: a branch was taken, or a number was used as
// an index.
struct Guard {
  int node = -1;
  double value = 0.0;

  bool operator==(const Guard&) const = default;
};

class Recording {
 public:
  explicit Recording(Graph& nodes) : graph(nodes) {}

  Graph& graph;
  // Kernels are given the instant as a plain number; this one, which nothing else is equal to,
  // stands for it. NaN: none does.
  double mark_of_time = std::numeric_limits<double>::quiet_NaN();

  int plain(double value) { return value == mark_of_time ? graph.time() : graph.constant(value); }
  // In the order in which they were asked for.
  const std::vector<Guard>& guards() const { return guards_; }

  void take_for_granted(int node, double value) {
    if (graph.is_constant(node)) return;
    const Guard guard{node, value};
    for (const Guard& known : guards_)
      if (known == guard) return;
    guards_.push_back(guard);
  }

 private:
  std::vector<Guard> guards_;
};

// The one that numbers of this thread belong to.
inline thread_local Recording* current_recording = nullptr;

class RecordingScope {
 public:
  explicit RecordingScope(Recording& recording) { current_recording = &recording; }
  RecordingScope(const RecordingScope&) = delete;
  RecordingScope& operator=(const RecordingScope&) = delete;
  ~RecordingScope() { current_recording = nullptr; }
};

}  // namespace gradus::specialise
