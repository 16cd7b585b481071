// Distributes starts over processes, runs them together, and keeps their journals: each a sequence
// of records [size, checksum, content]. The checksum covers the size too, so that neither a torn
// record nor a stretch of zeros passes for one.
#include "src/study/starts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>
#include <span>
#include <system_error>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/results/crc32.hpp"

namespace gradus {
namespace {

// Whether no process was interrupted in its part.
bool all_end_well(const Processes& processes, const std::function<void()>& part) {
  bool interrupted = false;
  agree(processes, [&] {
    try {
      part();
    } catch (const Cancelled&) {
      interrupted = true;
    }
  });
  return !any_of(processes, interrupted);
}

constexpr std::size_t head_size = 2 * sizeof(std::uint32_t);
constexpr std::size_t word_size = sizeof(std::uint64_t);

[[noreturn]] void fail(const std::string& what, const std::filesystem::path& file, int number) {
  throw FileError("cannot " + what + " " + file.string() + " (" +
                  std::error_code(number, std::generic_category()).message() + ")");
}

std::uint32_t checksum(std::uint32_t size, const char* content) {
  const std::uint32_t start =
      results::crc32(std::as_bytes(std::span<const std::uint32_t>(&size, 1)));
  return results::crc32(std::as_bytes(std::span<const char>(content, size)), start);
}

// The content of a record in words of 64 bits: task, number, size of the point, point, size of the
// answer, answer.
using Words = std::vector<std::uint64_t>;

void put(const std::vector<double>& numbers, Words& words) {
  words.push_back(numbers.size());
  for (const double number : numbers) words.push_back(std::bit_cast<std::uint64_t>(number));
}

// Reads numbers that follow their count at `at`, and advances `at` past them; false if there are
// fewer.
bool take(const Words& words, std::size_t& at, std::vector<double>& numbers) {
  if (at >= words.size() || words[at] > words.size() - at - 1) return false;
  for (const std::size_t end = at + words[at] + 1; ++at < end;)
    numbers.push_back(std::bit_cast<double>(words[at]));
  return true;
}

std::string record_of(const Request& request, const Answer& answer) {
  Words words{request.task, request.number};
  put(request.point, words);
  put(answer, words);
  const std::string content(reinterpret_cast<const char*>(words.data()), words.size() * word_size);
  const auto size = static_cast<std::uint32_t>(content.size());
  const std::array<std::uint32_t, 2> head{size, checksum(size, content.data())};
  return std::string(reinterpret_cast<const char*>(head.data()), head_size) + content;
}

using Records = std::map<std::pair<std::size_t, std::size_t>, Journal::Record>;

// Adds the complete records of a file; returns where they end.
std::size_t read_records(const std::filesystem::path& file, Records& records) {
  const std::string bytes = file_content(file);
  std::size_t at = 0;
  while (bytes.size() - at >= head_size) {
    std::uint32_t head[2];
    std::memcpy(head, bytes.data() + at, head_size);
    if (head[0] > bytes.size() - at - head_size) break;
    const char* const data = bytes.data() + at + head_size;
    if (checksum(head[0], data) != head[1]) break;
    Words words(head[0] / word_size);
    if (words.size() < 2 || head[0] % word_size != 0) break;
    std::memcpy(words.data(), data, head[0]);
    Journal::Record record;
    std::size_t next = 2;
    if (!take(words, next, record.point) || !take(words, next, record.answer) ||
        next != words.size())
      break;
    records.try_emplace({words[0], words[1]}, std::move(record));
    at += head_size + head[0];
  }
  return at;
}

std::vector<std::filesystem::path> journals_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("evaluations-", 0) == 0 && entry.path().extension() == ".journal")
      files.push_back(entry.path());
  }
  if (error) fail("read", folder, error.value());
  std::sort(files.begin(), files.end());
  return files;
}

// Compares bits, not values: -0 and 0 are different points.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace

Study with_settings(Study study, const StudySettings& settings) {
  if (settings.log) study.options.log = settings.log;
  if (settings.cancelled) study.options.cancelled = settings.cancelled;
  return study;
}

Starts::Starts(const Study& study, const StudySettings& settings, const std::string& verb,
               const DesignRunner& runner, std::size_t count)
    : settings_(settings),
      runner_(runner),
      count_(count),
      folder_(study, settings, verb, runner.backend_kind()),
      meter_(settings, "evaluations", 0) {}

bool Starts::run(const StartTasks& tasks) {
  const Processes& processes = settings_.processes;
  const bool own_done = all_end_well(processes, [&] {
    const auto step = static_cast<std::size_t>(processes.count);
    std::vector<std::size_t> own;
    for (auto k = static_cast<std::size_t>(processes.rank); k < count_; k += step) own.push_back(k);
    run_these(own, tasks);
  });
  if (!own_done) return false;
  return all_end_well(processes, [&] {
    if (!is_first(processes)) return;
    if (processes.count > 1) {
      std::vector<std::size_t> all(count_);
      std::iota(all.begin(), all.end(), std::size_t{0});
      run_these(all, tasks);
    }
    finish(tasks);
  });
}

void Starts::run_these(const std::vector<std::size_t>& starts, const StartTasks& tasks) {
  Journal journal(folder_.work(), settings_.processes.rank);
  const Evaluate remembered = journal.remembering(
      [&](const std::vector<Request>& requests) { return evaluate(requests, tasks); });
  // Tasks number the starts that run here, journals all starts.
  const Evaluate of_starts = [&](std::vector<Request> requests) {
    for (Request& request : requests) request.task = starts[request.task];
    return remembered(requests);
  };
  run_together(
      starts.size(), [&](std::size_t task, const Ask& ask) { tasks.run(starts[task], ask); },
      of_starts);
}

std::vector<Answer> Starts::evaluate(const std::vector<Request>& requests,
                                     const StartTasks& tasks) {
  if (settings_.interrupted && settings_.interrupted()) throw Cancelled("interrupted");
  std::vector<std::vector<double>> points;
  for (const Request& request : requests) points.push_back(request.point);
  std::vector<Answer> answers = tasks.evaluate(points);
  evaluations_ += requests.size();
  meter_.show(static_cast<double>(evaluations_), tasks.remark());
  return answers;
}

void Starts::finish(const StartTasks& tasks) const {
  tasks.conclude();
  if (!folder_.exists()) return;
  tasks.write(folder_.path());
  folder_.finish({"evaluations", evaluations_, meter_.seconds(), runner_.backend(),
                  settings_.processes.count});
}

Journal::Journal(const std::filesystem::path& folder, int rank) {
  if (folder.empty()) return;
  file_ = folder / ("evaluations-" + std::to_string(rank) + ".journal");
  std::size_t whole = 0;
  for (const std::filesystem::path& file : journals_of(folder)) {
    const std::size_t end = read_records(file, records_);
    if (file == file_) whole = end;
  }
  descriptor_ = open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("write", file_, errno);
  // The remains of a torn record would hide all records after it.
  if (ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
    const int number = errno;
    close(descriptor_);
    fail("write", file_, number);
  }
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

const Answer* Journal::find(const Request& request) const {
  const auto found = records_.find({request.task, request.number});
  if (found == records_.end()) return nullptr;
  if (!same(found->second.point, request.point))
    reject(file_.empty() ? "journal" : file_.parent_path().string(),
           "evaluation " + std::to_string(request.number) + " of start " +
               std::to_string(request.task) + " was made at another point",
           "the study or gradus has changed since these results were begun",
           "start afresh in another folder, or overwrite this one");
  return &found->second.answer;
}

void Journal::append(const std::vector<Request>& requests, const std::vector<Answer>& answers) {
  std::string bytes;
  for (std::size_t k = 0; k < requests.size(); ++k) bytes += record_of(requests[k], answers.at(k));
  if (descriptor_ >= 0) {
    const off_t before = lseek(descriptor_, 0, SEEK_END);
    int number = before < 0 ? errno : 0;
    for (std::size_t at = 0; number == 0 && at < bytes.size();) {
      const ssize_t written = ::write(descriptor_, bytes.data() + at, bytes.size() - at);
      if (written > 0)
        at += static_cast<std::size_t>(written);
      else if (written == 0 || errno != EINTR)
        number = written == 0 ? ENOSPC : errno;
    }
    if (number == 0 && fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) number = errno;
    if (number != 0) {
      // If this fails too, the next run to open the file drops the torn record.
      if (before >= 0 && ftruncate(descriptor_, before) != 0) number = errno;
      fail("write", file_, number);
    }
  }
  for (std::size_t k = 0; k < requests.size(); ++k)
    records_.try_emplace({requests[k].task, requests[k].number},
                         Record{requests[k].point, answers[k]});
}

Evaluate Journal::remembering(Evaluate evaluate) {
  return [this, evaluate = std::move(evaluate)](const std::vector<Request>& requests) {
    std::vector<Request> unknown;
    for (const Request& request : requests)
      if (find(request) == nullptr) unknown.push_back(request);
    if (!unknown.empty()) append(unknown, evaluate(unknown));
    std::vector<Answer> answers;
    for (const Request& request : requests) answers.push_back(*find(request));
    return answers;
  };
}

}  // namespace gradus
