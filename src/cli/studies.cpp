// gradus sweep STUDY, gradus optimize STUDY, gradus fit STUDY: from the file to results and exit
// code; gradus report DIR: the page of a folder of results.
#include <filesystem>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "gradus/study.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/process_group.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/study_reports.hpp"
#include "src/cli/text.hpp"
#include "src/results/hdf5_file.hpp"
#include "src/results/json_text.hpp"
#include "src/study/run_folder.hpp"

namespace gradus::cli {
namespace {

// What a study came to.
struct Outcome {
  bool complete = false;
  bool succeeded = true;
  std::string report = {};   // for the terminal; empty if results were complete before
  std::string problem = {};  // why it did not succeed
};

Outcome do_sweep(const Study& study, const StudySettings& settings) {
  const SweepResult result = sweep(study, settings);
  if (result.status.empty()) return {result.complete};
  return {result.complete, result.failed() < result.designs, sweep_report(result),
          "all designs failed"};
}

Outcome do_optimize(const Study& study, const StudySettings& settings) {
  const OptimizationResult result = optimize(study, settings);
  if (result.starts.empty()) return {result.complete};
  return {result.complete, result.succeeded, optimization_report(result),
          result.check.remark.empty() ? result.starts[result.best].reason : result.check.remark};
}

Outcome do_fit(const Study& study, const StudySettings& settings) {
  const FitResult result = fit(study, settings);
  if (result.starts.empty()) return {result.complete};
  const FitStart& best = result.starts[result.best];
  return {result.complete, result.succeeded, fit_report(result),
          "the fit did not succeed: " +
              (best.converged ? "its gradient did not pass the check" : best.reason)};
}

std::string shell_word(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "_-./=:,+@%") == std::string::npos &&
      !word.empty())
    return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string summary_of(const std::string& folder) {
  return file_content(std::filesystem::path(folder) / "summary.json");
}

// The outcome of the run that wrote the results, which may have been an earlier one.
bool summary_says_ok(const std::string& folder) {
  const results::Json summary = results::Json::parse(summary_of(folder), nullptr, false);
  return summary.is_object() && summary.value("status", "") == "ok";
}

class StudyCommand : public Command {
 public:
  using Verb = Outcome (*)(const Study&, const StudySettings&);
  StudyCommand(const char* name, Verb verb) : name_(name), verb_(verb) {}

  void declare(OptionList& list) override {
    list.operand("STUDY", "study file", study_);
    list.add_value("--out", "DIR", "results folder (default: STUDY-COMMAND, e.g. tolerances-sweep)",
                   out_, parse_path, "a folder");
    list.add_value("--backend", "B",
                   "auto, cpu, cpu:THREADS, debug, cuda or cuda:DEVICE (default: the study's)",
                   backend_, parse_backend);
    list.add_value("--lanes", "N",
                   "designs advanced together by one core: auto (default), 1, 2, 4 or 8", lanes_,
                   parse_lanes);
    list.add_value("--kernels", "K",
                   "general (default), specialised: steps of ali3p and evaluations of other "
                   "formulations by kernels that are compiled for the mechanism beside the run, or "
                   "auto: specialised where it is worth it",
                   kernels_, parse_choice,
                   std::vector<std::string>{"general", "specialised", "auto"});
    list.add_value("--chunk", "N",
                   "sweep: designs run and saved at a time (default: as suits the backend)", chunk_,
                   parse_count, 1u);
    list.add_value("--progress", "KIND", "terminal (default; a line on a terminal), json or none",
                   progress_, parse_choice, std::vector<std::string>{"terminal", "json", "none"});
    list.flag("--resume", "continue an interrupted run", resume_);
    list.flag("--overwrite", "replace the results of an earlier run", overwrite_);
    if (name_ != "sweep") return;
    list.flag("--hdf5", "also write the arrays as HDF5", hdf5_);
    list.flag("--csv", "also write the recorded motions as CSV", csv_);
  }

  // Results are always saved, since studies take long. Each command has its own default folder: the
  // sweep of "a/b.json" is written to "b-sweep".
  void check(const OptionList& list) override {
    if (list.given("--chunk") && name_ != "sweep" && !quiet)
      write_remark("--chunk: has no effect (only sweeps are cut into chunks)");
    if (hdf5_) results::require_hdf5("--hdf5");
    if (out_.empty()) out_ = std::filesystem::path(study_).stem().string() + "-" + name_;
    if (resume_ && overwrite_)
      throw InputError(
          "--resume and --overwrite exclude each other: one keeps the earlier results, the other "
          "replaces them");
  }

  int run() const override {
    const ProcessGroup group;
    if (group.is_first()) return run(group);
    try {
      return run(group);
    } catch (const std::exception& error) {
      // Only the first process writes to standard output, error documents included.
      write_error("process " + std::to_string(group.processes().rank) + ": " + error.what());
      throw SilentFailure();
    }
  }

 private:
  int run(const ProcessGroup& group) const {
    const Study study = read_study(study_);
    const OrderlyInterruption interruption;
    const Outcome outcome = run_verb(study, group, interruption);
    if (!outcome.complete) {
      if (group.is_first()) write_remark("not complete; to continue: " + resume_text());
      // A process that others wait for must leave in order, not be killed.
      if (group.is_alone() && interruption.asked_for()) interruption.end_program();
      return interrupted;
    }
    if (!group.is_first()) return done;
    print(outcome);
    const bool is_old = outcome.report.empty();
    if (is_old ? summary_says_ok(out_) : outcome.succeeded) return done;
    write_error(is_old ? "the study did not succeed; see " + out_ : outcome.problem);
    return numerical_failure;
  }

  Outcome run_verb(Study study, const ProcessGroup& group,
                   const OrderlyInterruption& interruption) const {
    study.options.backend = group.backend(backend_.empty() ? study.options.backend : backend_);
    study.options.lanes = lanes_;
    study.options.kernels = kernels_;
    StudySettings settings;
    settings.folder = out_;
    settings.existing = resume_      ? ExistingResults::resume
                        : overwrite_ ? ExistingResults::overwrite
                                     : ExistingResults::refuse;
    settings.chunk = chunk_;
    settings.hdf5 = hdf5_;
    settings.csv = csv_;
    settings.processes = group.processes();
    settings.interrupted = [&] { return interruption.asked_for(); };
    settings.cancelled = [&] { return interruption.is_overdue(); };
    const bool talks = group.is_first() && !quiet;
    if (talks) study.options.log = settings.log = write_remark;
    Progress progress(!talks || progress_ == "none" ? ProgressKind::none
                      : progress_ == "json"         ? ProgressKind::json
                                                    : ProgressKind::terminal);
    settings.progress = progress.of_study();
    try {
      return verb_(study, settings);
    } catch (const FileError& error) {
      if (!std::filesystem::exists(settings.folder / "inputs" / "state.json")) throw;
      throw FileError(std::string(error.what()) +
                      "; finished work is kept, to continue: " + resume_text());
    }
  }

  void print(const Outcome& outcome) const {
    if (json)
      write_standard_output(summary_of(out_));
    else if (!outcome.report.empty())
      write_standard_output(outcome.report + "\nresults: " + out_ + " (gradus report " +
                            shell_word(out_) + " writes a report on them)\n");
    else if (!quiet)
      write_remark("the results in " + out_ + " are complete; there is nothing left to do");
  }

  std::string resume_text() const {
    std::string loaded;
    for (const std::string& plugin : plugins) loaded += " --plugin " + shell_word(plugin);
    return "gradus " + name_ + " " + shell_word(study_) + loaded + " --out " + shell_word(out_) +
           (backend_.empty() ? "" : " --backend " + shell_word(backend_)) +
           (hdf5_ ? " --hdf5" : "") + (csv_ ? " --csv" : "") + " --resume";
  }

  std::string name_;
  Verb verb_;
  std::string study_;    // file
  std::string out_;      // folder
  std::string backend_;  // empty: the study's
  int lanes_ = 0;
  std::string kernels_ = "general";
  std::size_t chunk_ = 0;
  std::string progress_;
  bool resume_ = false;
  bool overwrite_ = false;
  bool hdf5_ = false;  // arrays as HDF5 as well
  bool csv_ = false;   // recorded motions as CSV as well
};

class Report : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("DIR", "results folder, as written with --out", folder_);
    list.add_value("--out", "FILE", "HTML file to write (default: DIR/report.html)", page_,
                   parse_path, "a file");
  }

  int run() const override {
    const std::filesystem::path folder = folder_;
    const std::filesystem::path file = page_.empty() ? folder / "report.html" : page_;
    write_report(folder, file);
    write_standard_output(json ? results::to_text({{"status", "ok"}, {"file", file.string()}})
                               : file.string() + "\n");
    return done;
  }

 private:
  std::string folder_;
  std::filesystem::path page_;
};

}  // namespace

void add_study_commands(Commands& commands) {
  const auto add = [&](const char* name, const char* description, StudyCommand::Verb verb) {
    commands.push_back({name, description, std::make_unique<StudyCommand>(name, verb)});
  };
  add("sweep", "Run the designs of a study: statistics, and which parameters drive the spread",
      do_sweep);
  add("optimize", "Find the best design of a study under bounds and constraints", do_optimize);
  add("fit", "Identify the parameters of a study from measured data", do_fit);
}

void add_report_command(Commands& commands) {
  commands.push_back(
      {"report", "Write an HTML report on a results folder", std::make_unique<Report>()});
}

}  // namespace gradus::cli
