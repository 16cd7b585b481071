// The progress line is rewritten in place and leaves nothing behind.
#include "src/cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "src/cli/text.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

constexpr std::chrono::milliseconds quiet_time{1500};  // shorter runs need no progress
constexpr std::chrono::milliseconds refresh_time{200};
constexpr const char* clear_line = "\r\x1b[K";

// "1 h 2 min", "3 min 4 s", "5 s"
std::string duration_text(double seconds) {
  const long long whole = std::llround(seconds);
  const auto text = [](long long count, const char* unit) {
    return std::to_string(count) + " " + unit;
  };
  if (whole < 60) return text(whole, "s");
  if (whole < 3600) return text(whole / 60, "min ") + text(whole % 60, "s");
  return text(whole / 3600, "h ") + text(whole % 3600 / 60, "min");
}

std::string line_text(const StudyProgress& p) {
  std::string text = std::to_string(p.done);
  if (p.total > 0) text += " of " + std::to_string(p.total);
  text += " " + p.what;
  if (p.total > 0) text += " (" + std::to_string(100 * p.done / p.total) + " %)";
  text += ", " + short_text(p.rate) + " a second";
  if (std::isfinite(p.remaining)) text += ", about " + duration_text(p.remaining) + " left";
  return p.remark.empty() ? text : text + ", " + printable(p.remark);
}

std::string json_line(const StudyProgress& p) {
  results::Json json{{"progress", p.what}, {"done", p.done}};
  json["total"] = p.total > 0 ? results::Json(p.total) : results::Json(nullptr);
  json["rate"] = p.rate;
  json["remaining"] = p.remaining;
  if (!p.remark.empty()) json["remark"] = p.remark;
  return json.dump(-1, ' ', false, results::Json::error_handler_t::replace) + "\n";
}

}  // namespace

Progress::Progress(ProgressKind kind) : kind_(kind) {
  if (kind_ == ProgressKind::terminal && isatty(STDERR_FILENO) != 1) kind_ = ProgressKind::none;
}

Progress::~Progress() {
  if (line_shown_) std::fputs(clear_line, stderr);
}

std::function<void(double)> Progress::of_run() {
  if (kind_ == ProgressKind::none) return {};
  return [this](double fraction) { show_run(fraction); };
}

std::function<void(const StudyProgress&)> Progress::of_study() {
  if (kind_ == ProgressKind::none) return {};
  return [this](const StudyProgress& progress) { show_study(progress); };
}

void Progress::show_run(double fraction) {
  const std::lock_guard lock(mutex_);
  const Clock::duration elapsed = Clock::now() - start_;
  if (elapsed < quiet_time || !is_due() || !(fraction > 0.0)) return;
  const double part = std::min(fraction, 1.0);
  const double remaining = std::chrono::duration<double>(elapsed).count() * (1.0 - part) / part;
  char text[64];
  std::snprintf(text, sizeof text, "%3.0f %%, about %.0f s left", 100.0 * part, remaining);
  write(text);
}

void Progress::show_study(const StudyProgress& progress) {
  const std::lock_guard lock(mutex_);
  const bool is_json = kind_ == ProgressKind::json;
  const bool is_last = progress.total > 0 && progress.done >= progress.total;
  if (is_due() || (is_json && is_last)) write(is_json ? json_line(progress) : line_text(progress));
}

bool Progress::is_due() const {
  return Clock::now() - last_ >= refresh_time;
}

void Progress::write(const std::string& text) {
  last_ = Clock::now();
  line_shown_ = kind_ == ProgressKind::terminal;
  if (line_shown_) std::fprintf(stderr, "%sgradus: ", clear_line);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace gradus::cli
