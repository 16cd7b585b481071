// One way for all verbs from the file to results and exit code.
#include "src/cli/run_study.hpp"

#include <fstream>
#include <iterator>

#include "gradus/gradus.hpp"
#include "src/cli/exit_codes.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/process_group.hpp"
#include "src/cli/standard_output.hpp"
#include "src/cli/study_progress.hpp"
#include "src/results/json_text.hpp"

namespace gradus::cli {
namespace {

std::string shell_word(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_-./=:,+@%") == std::string::npos &&
      !word.empty())
    return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string resume_text(const std::string& verb, const StudyArguments& arguments) {
  const std::string backend =
      arguments.backend.empty() ? "" : " --backend " + shell_word(arguments.backend);
  return "gradus " + verb + " " + shell_word(arguments.study) + " --out " +
         shell_word(arguments.out) + backend + (arguments.hdf5 ? " --hdf5" : "") + " --resume";
}

std::string summary_of(const std::string& folder) {
  std::ifstream file(std::filesystem::path(folder) / "summary.json", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file && text.empty()) throw FileError("cannot read the summary in " + folder);
  return text;
}

// What was found when results were made, which may have been long ago.
bool summary_says_ok(const std::string& folder) {
  const results::Json summary = results::Json::parse(summary_of(folder), nullptr, false);
  return summary.is_object() && summary.value("status", "") == "ok";
}

void print(const Arguments& arguments, const StudyOutcome& outcome) {
  const std::string& folder = arguments.study.out;
  if (arguments.json) {
    write_standard_output(summary_of(folder));
    return;
  }
  if (!outcome.report.empty()) {
    write_standard_output(outcome.report + "\nresults: " + folder + " (gradus report " +
                          shell_word(folder) + " makes a page of them)\n");
  } else if (!arguments.quiet) {
    write_remark("the results in " + folder + " are complete; there is nothing left to do");
  }
}

int run_study(const std::string& name, StudyVerb verb, const Arguments& arguments,
              const ProcessGroup& group) {
  const StudyArguments& asked = arguments.study;
  const bool talks = group.is_first();
  Study study = read_study(asked.study);
  study.options.backend =
      group.backend(asked.backend.empty() ? study.options.backend : asked.backend);
  study.options.lanes = asked.lanes;

  const OrderlyInterruption interruption;
  StudySettings settings;
  settings.folder = asked.out;
  settings.existing = asked.existing;
  settings.chunk = asked.chunk;
  settings.hdf5 = asked.hdf5;
  settings.processes = group.processes();
  settings.interrupted = [&] { return interruption.asked_for(); };
  if (talks && !arguments.quiet) study.options.log = settings.log = write_remark;
  StudyOutcome outcome;
  {
    StudyProgressShow progress(talks && !arguments.quiet ? asked.progress : ProgressKind::none);
    settings.progress = progress.callback();
    try {
      outcome = verb(study, settings);
    } catch (const FileError& error) {
      if (!std::filesystem::exists(settings.folder / "inputs" / "state.json")) throw;
      throw FileError(std::string(error.what()) +
                      "; what was done is kept, to go on: " + resume_text(name, asked));
    }
  }
  if (!outcome.complete) {
    if (talks) write_remark("not complete; to go on: " + resume_text(name, asked));
    // Where others wait for this process it must not be killed, but leave in order.
    if (group.is_alone() && interruption.asked_for()) interruption.end_program();
    return interrupted;
  }
  if (!talks) return done;
  print(arguments, outcome);
  const bool is_old = outcome.report.empty();
  if (is_old ? summary_says_ok(asked.out) : outcome.succeeded) return done;
  write_error(is_old ? "the study did not succeed; " + asked.out + " says why" : outcome.problem);
  return numerical_failure;
}

}  // namespace

int run_study(const std::string& name, StudyVerb verb, const Arguments& arguments) {
  const ProcessGroup group;
  if (group.is_first()) return run_study(name, verb, arguments, group);
  try {
    return run_study(name, verb, arguments, group);
  } catch (const std::exception& error) {
    // Standard output belongs to the first process, also that of documents about errors.
    write_error("process " + std::to_string(group.processes().rank) + ": " + error.what());
    throw SilentFailure();
  }
}

}  // namespace gradus::cli
