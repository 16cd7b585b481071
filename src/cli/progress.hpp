// The progress line on a terminal.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

namespace gradus::cli {

// Shows how much of a run is done and what remains, once it has taken a while, if standard error is
// a terminal.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress();  // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // To be called by the engine, from any thread; empty if nothing would be shown. Must not outlive
  // this object.
  std::function<void(double)> callback();

 private:
  using Clock = std::chrono::steady_clock;

  void show(double done);

  bool wanted_;
  bool shown_ = false;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace gradus::cli
