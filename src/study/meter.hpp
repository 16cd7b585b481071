// The progress of a study: how much is done, how fast, and the time remaining.
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>

#include "gradus/study.hpp"

namespace gradus {

class Meter {
 public:
  // `total` 0: unknown.
  Meter(const StudySettings& settings, std::string what, std::size_t total)
      : report_(settings.progress), what_(std::move(what)), total_(total) {}

  // `done`: in this run, including parts of pieces.
  void show(double done, const std::string& remark = "") const {
    if (!report_) return;
    StudyProgress progress;
    progress.what = what_;
    progress.done = static_cast<std::size_t>(done);
    progress.total = total_;
    const double elapsed = seconds();
    progress.rate = elapsed > 0.0 ? done / elapsed : 0.0;
    progress.remaining = total_ > 0 && progress.rate > 0.0
                             ? (static_cast<double>(total_) - done) / progress.rate
                             : std::numeric_limits<double>::quiet_NaN();
    progress.remark = remark;
    report_(progress);
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::function<void(const StudyProgress&)> report_;
  std::string what_;
  std::size_t total_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gradus
