// Both kinds go to standard error, a few times a second at most.
#include "src/cli/study_progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "src/cli/printable.hpp"
#include "src/cli/tables.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

constexpr std::chrono::milliseconds refresh_time{200};
constexpr const char* clear_line = "\r\x1b[K";

std::string line_text(const StudyProgress& p) {
  std::string text = std::to_string(p.done);
  if (p.total > 0)
    text += " of " + std::to_string(p.total) + " " + p.what + " (" +
            std::to_string(100 * p.done / p.total) + " %)";
  else
    text += " " + p.what;
  text += ", " + short_text(p.rate) + " a second";
  if (std::isfinite(p.remaining)) text += ", about " + duration_text(p.remaining) + " left";
  return p.remark.empty() ? text : text + ", " + printable(p.remark);
}

std::string json_text(const StudyProgress& p) {
  results::Json json{{"progress", p.what}, {"done", p.done}};
  json["total"] = p.total > 0 ? results::Json(p.total) : results::Json(nullptr);
  json["rate"] = p.rate;
  json["remaining"] = p.remaining;
  if (!p.remark.empty()) json["remark"] = p.remark;
  return json.dump(-1, ' ', false, results::Json::error_handler_t::replace) + "\n";
}

}  // namespace

StudyProgressShow::StudyProgressShow(ProgressKind kind) : kind_(kind) {
  if (kind_ == ProgressKind::terminal && isatty(STDERR_FILENO) != 1) kind_ = ProgressKind::none;
}

StudyProgressShow::~StudyProgressShow() {
  if (shown_) std::fputs(clear_line, stderr);
}

std::function<void(const StudyProgress&)> StudyProgressShow::callback() {
  if (kind_ == ProgressKind::none) return {};
  return [this](const StudyProgress& progress) { show(progress); };
}

void StudyProgressShow::show(const StudyProgress& progress) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  const bool last = progress.total > 0 && progress.done >= progress.total;
  if (now - last_ < refresh_time && !(last && kind_ == ProgressKind::json)) return;
  last_ = now;
  if (kind_ == ProgressKind::json) {
    std::fputs(json_text(progress).c_str(), stderr);
  } else {
    shown_ = true;
    std::fprintf(stderr, "%sgradus: %s", clear_line, line_text(progress).c_str());
  }
  std::fflush(stderr);
}

std::string duration_text(double seconds) {
  const long long whole = std::llround(seconds);
  const auto text = [](long long count, const char* unit) {
    return std::to_string(count) + " " + unit;
  };
  if (whole < 60) return text(whole, "s");
  if (whole < 3600) return text(whole / 60, "min ") + text(whole % 60, "s");
  return text(whole / 3600, "h ") + text(whole % 3600 / 60, "min");
}

}  // namespace gradus::cli
