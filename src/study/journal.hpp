// Evaluations kept on disk, so that an interrupted study repeats none of them: its optimisers ask
// the same questions in the same order and take the same path again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "src/study/together.hpp"

namespace gradus {

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

}  // namespace gradus
