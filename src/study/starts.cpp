// Distributes starts over processes and runs them together.
#include "src/study/starts.hpp"

#include <numeric>
#include <utility>

#include "src/study/journal.hpp"
#include "src/study/processes.hpp"

namespace gradus {
namespace {

// Thrown by an evaluation after an interruption; ends all starts of the process.
struct Interrupted {};

// Whether no process was interrupted in its part.
bool all_end_well(const Processes& processes, const std::function<void()>& part) {
  bool interrupted = false;
  agree(processes, [&] {
    try {
      part();
    } catch (const Interrupted&) {
      interrupted = true;
    }
  });
  return !any_of(processes, interrupted);
}

}  // namespace

Study with_log(Study study, const StudySettings& settings) {
  if (settings.log) study.options.log = settings.log;
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
  if (settings_.interrupted && settings_.interrupted()) throw Interrupted();
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
  folder_.write_record({"evaluations", evaluations_, meter_.seconds(), runner_.backend(),
                        settings_.processes.count});
  tasks.write(folder_.path());
  folder_.finish();
}

}  // namespace gradus
