// Progress on standard error: a line that is rewritten on a terminal, or, of studies, lines of JSON
// for other programs.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "gradus/study.hpp"

namespace gradus::cli {

enum class ProgressKind { terminal, json, none };

class Progress {
 public:
  explicit Progress(ProgressKind kind);  // `terminal` shows nothing where there is none
  ~Progress();                           // clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // To be called by the engine, from any thread; empty if nothing would be shown. Must not outlive
  // this object.
  std::function<void(double)> of_run();  // takes the fraction that is done
  std::function<void(const StudyProgress&)> of_study();

 private:
  using Clock = std::chrono::steady_clock;

  void show_run(double fraction);
  void show_study(const StudyProgress& progress);
  bool is_due() const;
  void write(const std::string& text);

  ProgressKind kind_;
  bool line_shown_ = false;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace gradus::cli
