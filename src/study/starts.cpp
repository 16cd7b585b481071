// Starts by rank, together.
#include "src/study/starts.hpp"

#include <utility>

namespace gradus {

Starts::Starts(std::filesystem::path work, const Processes& processes, std::size_t count,
               Evaluate evaluate)
    : work_(std::move(work)),
      processes_(processes),
      count_(count),
      evaluate_(std::move(evaluate)) {}

bool Starts::run(const Body& body, const std::function<void()>& finish) const {
  const bool own_done = all_end_well([&] {
    const auto step = static_cast<std::size_t>(processes_.count);
    std::vector<std::size_t> own;
    for (auto k = static_cast<std::size_t>(processes_.rank); k < count_; k += step)
      own.push_back(k);
    run_these(own, body);
  });
  if (!own_done) return false;
  return all_end_well([&] {
    if (!is_first(processes_)) return;
    if (processes_.count > 1) {
      std::vector<std::size_t> all;
      for (std::size_t k = 0; k < count_; ++k) all.push_back(k);
      run_these(all, body);
    }
    finish();
  });
}

void Starts::run_these(const std::vector<std::size_t>& starts, const Body& body) const {
  Journal journal(work_, processes_.rank);
  const Evaluate remembered = journal.remembering(evaluate_);
  // Tasks are numbered by what runs here, journals by all starts.
  const Evaluate of_starts = [&](std::vector<Request> requests) {
    for (Request& request : requests) request.task = starts[request.task];
    return remembered(requests);
  };
  run_together(
      starts.size(), [&](std::size_t task, const Ask& ask) { body(starts[task], ask); }, of_starts);
}

bool Starts::all_end_well(const std::function<void()>& part) const {
  bool interrupted = false;
  agree(processes_, [&] {
    try {
      part();
    } catch (const Interrupted&) {
      interrupted = true;
    }
  });
  return !any_of(processes_, interrupted);
}

}  // namespace gradus
