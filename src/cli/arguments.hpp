// The command line: commands declare their options here and get the values converted; and the exit
// codes that docs/program.md promises.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gradus/solvers.hpp"
#include "src/results/reports.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gradus::cli {

// All throw InputError; `option` is its name in the message ("--step").
std::string parse_text(const std::string& option, const std::string& text);  // takes anything
double parse_number(const std::string& option, const std::string& text);
double parse_positive(const std::string& option, const std::string& text);
std::uint64_t parse_count(const std::string& option, const std::string& text,
                          std::uint64_t smallest);

// Bytes: a whole number above 0, perhaps followed by k, M or G, each 1024 times the one before.
std::size_t parse_bytes(const std::string& option, const std::string& text);

// "NAME=VALUE"
std::pair<std::string, double> parse_assignment(const std::string& option, const std::string& text);

// Returns `text` if it is one of `allowed`.
std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& allowed);

// Returns `text` unless it is empty; `what` is what it names ("a file").
std::string parse_path(const std::string& option, const std::string& text, const char* what);

// cpu[:threads], debug, cuda[:device], auto
std::string parse_backend(const std::string& option, const std::string& text);

// auto (as 0), 1, 2, 4, 8
int parse_lanes(const std::string& option, const std::string& text);

// "; did you mean 'direct'?", or nothing if no name resembles `text`.
std::string suggestion(const std::string& text, const std::vector<std::string>& allowed);

// The options of one command. Values are taken as text and converted once the whole line has been
// read, in the order of declaration, so that every message has one form.
class OptionList {
 public:
  // Takes the text given for an option; throws InputError, whose message begins with its name.
  using Take = std::function<void(const std::string& text)>;

  explicit OptionList(CLI::App& command) : command_(&command) {}

  // What stands on the command line without a name.
  void operand(const char* name, const char* help, std::string& to, bool required = true);
  void flag(const char* name, const char* help, bool& to);
  // `value` stands for the value in the help. A repeatable option is taken once for each time it is
  // given.
  void add(const char* name, const char* value, const char* help, Take take,
           bool repeatable = false);

  // "NAME=VALUE", repeatable, of parameters: each once.
  void add_assignments(const char* name, const char* help, std::map<std::string, double>& to);

  // An option whose value goes to `to`, as parse(name, text, more...) converts it.
  template <typename To, typename Parse, typename... More>
  void add_value(const char* name, const char* value, const char* help, To& to, Parse parse,
                 More... more) {
    add(name, value, help, [=, &to](const std::string& text) { to = parse(name, text, more...); });
  }

  bool given(const std::string& name) const;
  std::vector<std::string> given_values() const;  // names of the options that got a value
  void convert() const;                           // throws InputError

 private:
  struct Value {
    CLI::Option* option;
    std::string text;                // if it may be given once
    std::vector<std::string> texts;  // if it is repeatable
    Take take;
  };

  CLI::App* command_;
  std::deque<Value> values_;  // CLI11 keeps references to the texts
};

// A command such as `gradus simulate`. Options write to members of it.
class Command {
 public:
  Command() = default;
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  virtual void declare(OptionList& options) = 0;
  // What one option asks of others, after all are converted. Throws InputError.
  virtual void check(const OptionList&) {}
  // Returns the exit code of the program, or throws an Error.
  virtual int run() const = 0;

  bool json = false;                 // one JSON document on standard output and nothing else
  bool quiet = false;                // no remarks and no progress
  std::vector<std::string> plugins;  // files, loaded once the whole line has been read
};

// The command that is asked for, also that of printing a help text. Throws InputError for bad
// usage.
std::unique_ptr<Command> parse_arguments(int argc, const char* const* argv);

// Whether "--json" stands on the command line: errors of `parse_arguments` itself must honour it.
bool asks_for_json(int argc, const char* const* argv);

inline constexpr int done = 0;
inline constexpr int unexpected = 1;  // not enough memory, or a fault of gradus itself
inline constexpr int bad_input = 2;
inline constexpr int numerical_failure = results::numerical_failure_code;
inline constexpr int backend_unavailable = 4;
inline constexpr int file_failure = 5;
inline constexpr int interrupted =
    130;  // one of several processes; a single one ends by the signal

// One of several processes failed and has reported it.
struct SilentFailure {};

// As `gradus --help` lists them.
struct NamedCommand {
  const char* name;
  const char* description;
  std::unique_ptr<Command> command;
};
using Commands = std::vector<NamedCommand>;

void add_run_commands(Commands& commands);
void add_study_commands(Commands& commands);
void add_bench_command(Commands& commands);
void add_info_command(Commands& commands);
void add_show_command(Commands& commands);
void add_report_command(Commands& commands);
void add_import_command(Commands& commands);
void add_export_command(Commands& commands);
void add_modes_command(Commands& commands);
void add_generate_command(Commands& commands);

// What info and bench print of solvers: under the name of each device one line for each size, with
// the shapes for which another solver than usual is faster.
std::string solver_tables_text(const std::vector<SolverTable>& tables);

}  // namespace gradus::cli
