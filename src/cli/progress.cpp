// The progress line is rewritten in place and leaves nothing behind.
#include "src/cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace gradus::cli {
namespace {

constexpr std::chrono::milliseconds quiet_time{1500};  // shorter runs need no progress
constexpr std::chrono::milliseconds refresh_time{200};
constexpr const char* clear_line = "\r\x1b[K";

}  // namespace

Progress::Progress(bool wanted) : wanted_(wanted && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) std::fputs(clear_line, stderr);
}

std::function<void(double)> Progress::callback() {
  if (!wanted_) return {};
  return [this](double done) { show(done); };
}

void Progress::show(double done) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - start_ < quiet_time || now - last_ < refresh_time || !(done > 0.0)) return;
  last_ = now;
  shown_ = true;
  const double part = std::min(done, 1.0);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr, "%sgradus: %3.0f %%, about %.0f s left", clear_line, 100.0 * part,
               elapsed * (1.0 - part) / part);
  std::fflush(stderr);
}

}  // namespace gradus::cli
