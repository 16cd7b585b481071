// Many starts of one problem: they advance together, are shared by processes, and are kept in
// journals.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/study/design_runner.hpp"
#include "src/study/run_folder.hpp"
#include "src/study/together.hpp"

namespace gradus {

// Evaluations kept on disk, so that an interrupted study repeats none of them: its optimisers ask
// the same questions in the same order and take the same path again.
class Journal {
 public:
  // Reads every "evaluations-*.journal" of the folder and appends to that of `rank`. A record cut
  // short by a crash is dropped. Without a folder the journal is in memory only. Throws FileError.
  Journal(const std::filesystem::path& folder, int rank);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // The answer to a request; null if it is not known. Throws InputError if the same request
  // was made at another point: the study has changed.
  const Answer* find(const Request& request) const;

  // Adds answers, which are on disk when this returns. Throws FileError.
  void append(const std::vector<Request>& requests, const std::vector<Answer>& answers);

  // An evaluation that passes only unknown requests to `evaluate`, and keeps their answers.
  Evaluate remembering(Evaluate evaluate);

  struct Record {
    std::vector<double> point;
    Answer answer;
  };
  // By task and number of the request.
  const std::map<std::pair<std::size_t, std::size_t>, Record>& records() const { return records_; }

 private:
  std::map<std::pair<std::size_t, std::size_t>, Record> records_;
  std::filesystem::path file_;
  int descriptor_ = -1;
};

// The study, with what its runs are told of the settings: where remarks go, when to give up.
Study with_settings(Study study, const StudySettings& settings);

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
