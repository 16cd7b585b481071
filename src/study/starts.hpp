// Many starts of one problem: they advance together, are shared by processes, and are kept in
// journals.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "src/study/design_runner.hpp"
#include "src/study/meter.hpp"
#include "src/study/run_folder.hpp"
#include "src/study/together.hpp"

namespace gradus {

// The study, with the log function of the settings.
Study with_log(Study study, const StudySettings& settings);

// What a verb does with its starts.
struct StartTasks {
  // Runs one start, by the evaluations it asks for.
  std::function<void(std::size_t start, const Ask& ask)> run;
  // Evaluates points as one batch of designs.
  std::function<std::vector<Answer>(const std::vector<std::vector<double>>& points)> evaluate;
  std::function<std::string()> remark;  // shown with the progress, e.g. the best value so far
  std::function<void()> conclude;       // once all starts have been run in this process
  std::function<void(const std::filesystem::path& folder)> write;  // the results
};

class Starts {
 public:
  // Prepares the folder of results. All must outlive it.
  Starts(const Study& study, const StudySettings& settings, const std::string& verb,
         const DesignRunner& runner, std::size_t count);

  // Whether the folder holds complete results already.
  bool complete() const { return folder_.complete(); }

  // Every process runs every n-th start; then the first one concludes and writes. If there are
  // several, it first replays all starts, answered by all journals. False if a process was
  // interrupted. Throws what the tasks throw, and an Error where another process failed.
  bool run(const StartTasks& tasks);

 private:
  void run_these(const std::vector<std::size_t>& starts, const StartTasks& tasks);
  std::vector<Answer> evaluate(const std::vector<Request>& requests, const StartTasks& tasks);
  void finish(const StartTasks& tasks) const;

  const StudySettings& settings_;
  const DesignRunner& runner_;
  std::size_t count_;
  RunFolder folder_;
  Meter meter_;
  std::size_t evaluations_ = 0;
};

}  // namespace gradus
