// Progress of studies: a line on a terminal, or lines of JSON for other programs.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>

#include "gradus/study.hpp"
#include "src/cli/study_arguments.hpp"

namespace gradus::cli {

class StudyProgressShow {
 public:
  explicit StudyProgressShow(ProgressKind kind);
  ~StudyProgressShow();  // clears the line
  StudyProgressShow(const StudyProgressShow&) = delete;
  StudyProgressShow& operator=(const StudyProgressShow&) = delete;

  // Empty if nothing would be shown. Must not outlive this object.
  std::function<void(const StudyProgress&)> callback();

 private:
  using Clock = std::chrono::steady_clock;

  void show(const StudyProgress& progress);

  ProgressKind kind_;
  bool shown_ = false;
  std::mutex mutex_;
  Clock::time_point last_ = Clock::now();
};

// "1 h 2 min", "3 min 4 s", "5 s"
std::string duration_text(double seconds);

}  // namespace gradus::cli
