// What `gradus sweep`, `optimize` and `fit` share: from the file to results and exit code.
#pragma once

#include <string>

#include "gradus/study.hpp"
#include "src/cli/arguments.hpp"

namespace gradus::cli {

// What a verb makes of its result.
struct StudyOutcome {
  bool complete = false;
  bool succeeded = false;
  std::string report;   // for the terminal; empty if results were complete before
  std::string problem;  // why it did not succeed
};

// One of several processes failed and has said so.
struct SilentFailure {};

using StudyVerb = StudyOutcome (*)(const Study&, const StudySettings&);

// Reads the study, runs the verb of that name, prints. Returns the exit code.
int run_study(const std::string& name, StudyVerb verb, const Arguments& arguments);

}  // namespace gradus::cli
