// A recording in the making: the graph that it adds to, and what was taken for granted on the way.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "src/specialise/graph.hpp"

namespace gradus::specialise {

// The recording holds where this node has this value: a branch was taken, or a number was used as
// an index. Of designs in lanes, where all have it, or some: what kernels do if some lane asks for
// it leaves the others alone.
struct Guard {
  int node = -1;
  double value = 0.0;
  bool in_some = false;  // else in all

  bool operator==(const Guard&) const = default;
};

inline constexpr int most_lanes = 8;

// What a recording was made at: a number, or a choice, in each of its lanes.
template <class T>
struct Sample {
  T lane[most_lanes];
};

// A number that a kernel keeps beside the memory, where recordings are cut.
struct KeptNumber {
  int* node;
  Sample<double> value;
};

class Recording {
 public:
  explicit Recording(Graph& nodes) : graph(nodes) {}

  Graph& graph;
  // Kernels are given the instant as a plain number; this one, which nothing else is equal to,
  // stands for it. NaN: none does.
  double mark_of_time = std::numeric_limits<double>::quiet_NaN();
  double time = 0.0;  // s, what samples have instead of the mark

  // Called where the kernel may be cut: the cut, choices of the kernel included, and the numbers
  // that it keeps. It may end this recording and begin another. None: the recording goes on.
  using OnCut = std::function<void(int cut, const std::vector<KeptNumber>& kept)>;
  const OnCut* on_cut = nullptr;

  // Designs that are recorded together. Choices that kernels keep at a cut may differ between
  // lanes, and are numbers there; of one design each is a cut of its own.
  int lanes = 1;
  // Columns of a row go on alike where kernels say so: no constants of theirs are folded.
  bool has_loops_over_columns = false;
  // A kernel asked for a number as if all lanes had the same.
  bool is_split = false;

  // Whole numbers that these nodes may be, all of which recordings provide for: of others, the
  // sample's are taken for granted.
  std::map<int, std::vector<double>> numbers_of;

  int plain(double value) { return value == mark_of_time ? graph.time() : graph.constant(value); }
  double sample_of_plain(double value) const { return value == mark_of_time ? time : value; }
  // In the order in which they were asked for.
  const std::vector<Guard>& guards() const { return guards_; }

  // Folding takes numbers for finite and loses signs of zeros. Where an operation may make of
  // finite numbers something that is none, or of a sign of zero more than that, its choice
  // `is_sound` is taken for granted; where the sample is not sound nothing can be recorded.
  void take_for_sound(int is_sound, bool sample_is_sound) {
    if (!sample_is_sound) is_split = true;
    sound_ = graph.add(NodeKind::both, sound_, is_sound);
  }
  // All of these are one guard behind the others.
  void end() { take_for_granted(sound_, 1.0); }

  void take_for_granted(int node, double value, bool in_some = false) {
    if (graph.is_constant(node)) return;
    const Guard guard{node, value, in_some};
    for (const Guard& known : guards_)
      if (known == guard) return;
    guards_.push_back(guard);
  }

 private:
  std::vector<Guard> guards_;
  int sound_ = graph.constant(1.0);
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
