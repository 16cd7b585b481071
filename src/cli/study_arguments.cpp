// Results have a folder whether one is named or not: studies are long, and what is not kept is
// lost.
#include "src/cli/study_arguments.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "gradus/error.hpp"
#include "src/cli/values.hpp"

namespace gradus::cli {
namespace {

struct Option {
  const char* name;
  const char* value;
  const char* help;
};

constexpr Option options[] = {
    {"--out", "DIR",
     "folder of the results (default: names of study and command, as in tolerances-sweep)"},
    {"--backend", "B", "auto, cpu, cpu:THREADS, debug, cuda or cuda:DEVICE (default: the study's)"},
    {"--lanes", "N", "designs that a core advances at once: auto (default), 1, 2, 4 or 8"},
    {"--chunk", "N", "designs that are run and written at once (default: as suits the backend)"},
    {"--progress", "KIND", "terminal (default: a line, if there is a terminal), json or none"},
};

// A study "a/b.json" is swept into "b-sweep": each command has a folder of its own.
std::string default_folder(const std::string& study, const std::string& command) {
  return std::filesystem::path(study).stem().string() + "-" + command;
}

}  // namespace

void StudyOptions::add_to(CLI::App& command) {
  command.add_option("STUDY", study_, "study file")->required();
  for (const Option& option : options)
    command.add_option(option.name, values_[option.name], option.help)->type_name(option.value);
  command.add_flag("--resume", resume_, "go on where an earlier run was interrupted")
      ->disable_flag_override();
  command.add_flag("--overwrite", overwrite_, "replace the results of an earlier run")
      ->disable_flag_override();
}

StudyArguments StudyOptions::convert(const CLI::App& command) const {
  const auto given = [&](const char* name) { return command.get_option(name)->count() > 0; };
  const auto text = [&](const char* name) { return values_.at(name); };
  StudyArguments arguments;
  arguments.study = study_;
  arguments.out = given("--out") ? text("--out") : default_folder(study_, command.get_name());
  if (arguments.out.empty()) throw InputError("--out: found ''; allowed: the name of a folder");
  if (resume_ && overwrite_)
    throw InputError("--resume and --overwrite exclude each other: one keeps what the other drops");
  if (resume_) arguments.existing = ExistingResults::resume;
  if (overwrite_) arguments.existing = ExistingResults::overwrite;
  if (given("--backend")) arguments.backend = parse_backend("--backend", text("--backend"));
  if (given("--chunk")) arguments.chunk = parse_count("--chunk", text("--chunk"), 1);
  if (given("--lanes") && text("--lanes") != "auto")
    arguments.lanes =
        std::stoi(parse_choice("--lanes", text("--lanes"), {"auto", "1", "2", "4", "8"}));
  if (given("--progress")) {
    const std::string kind =
        parse_choice("--progress", text("--progress"), {"terminal", "json", "none"});
    arguments.progress = kind == "json"   ? ProgressKind::json
                         : kind == "none" ? ProgressKind::none
                                          : ProgressKind::terminal;
  }
  return arguments;
}

}  // namespace gradus::cli
