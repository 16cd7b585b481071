// The command line: commands declare their options here and get the values converted.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gradus::cli {

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

  // An option whose value goes to `to`, as parse(name, text, more...) converts it (values.hpp).
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

  bool json = false;   // one JSON document on standard output and nothing else
  bool quiet = false;  // no remarks and no progress
};

// The command that is asked for, also that of printing a help text. Throws InputError for bad
// usage.
std::unique_ptr<Command> parse_arguments(int argc, const char* const* argv);

// Whether "--json" stands on the command line: errors of `parse_arguments` itself must honour it.
bool asks_for_json(int argc, const char* const* argv);

}  // namespace gradus::cli
