// The command line by CLI11. Its validators are not used: CLI::PositiveNumber and CLI::Range accept
// "nan", and none of them says what was found, what is allowed and what may have been meant.
#include "src/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "gradus/error.hpp"
#include "gradus/run.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/standard_output.hpp"
#include "src/cli/text.hpp"
#include "src/cli/values.hpp"

namespace gradus::cli {
namespace {

struct Entry {
  const char* name;
  const char* description;
  std::unique_ptr<Command> (*make)();
};

constexpr Entry entries[] = {
    {"simulate", "Compute the motion of a model", simulate_command},
    {"gradient", "Compute the motion and the gradient of every objective", gradient_command},
    {"check", "Check the gradient against the adjoint, dual numbers and central differences",
     check_command},
    {"sweep", "Run the designs of a study: statistics, and which parameters drive the spread",
     sweep_command},
    {"optimize", "Find the best design of a study under bounds and constraints", optimize_command},
    {"fit", "Identify the parameters of a study from measured data", fit_command},
    {"bench", "Time the backends and find the batch size at which a GPU overtakes the CPU",
     bench_command},
    {"info", "Describe a model, or list the backends and solvers available here", info_command},
    {"report", "Write an HTML report on a results folder", report_command},
};

class PrintText : public Command {
 public:
  explicit PrintText(std::string text) : text_(std::move(text)) {}
  void declare(OptionList&) override {}
  int run() const override {
    write_standard_output(text_);
    return done;
  }

 private:
  std::string text_;
};

class Parser {
 public:
  Parser() {
    app_.name("gradus");
    app_.description("Multibody motion and its exact gradients");
    app_.set_version_flag("--version", "gradus " + version());
    app_.require_subcommand(0, 1);
    for (const Entry& entry : entries) {
      CLI::App& app = *app_.add_subcommand(entry.name, entry.description);
      commands_.push_back({&app, OptionList(app), entry.make()});
      auto& [unused, options, command] = commands_.back();
      options.flag("--json", "print one JSON document instead of tables", command->json);
      options.flag("--quiet", "suppress remarks and progress", command->quiet);
      command->declare(options);
    }
  }

  std::unique_ptr<Command> parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return std::make_unique<PrintText>(chosen() ? chosen()->help("gradus") : app_.help());
    } catch (const CLI::CallForVersion&) {
      return std::make_unique<PrintText>("gradus " + version() + "\n");
    } catch (const CLI::ExtrasError&) {
      throw InputError(unexpected_argument());
    } catch (const CLI::ArgumentMismatch& error) {
      throw InputError(wrong_count(error.what()) + hint());
    } catch (const CLI::ParseError& error) {
      throw InputError(std::string(error.what()) + hint());
    }
    for (auto& [app, options, command] : commands_) {
      if (!app->parsed()) continue;
      options.convert();
      command->check(options);
      return std::move(command);
    }
    throw InputError("no command given; allowed: " + join(names()) + hint());
  }

 private:
  struct Declared {
    CLI::App* app;
    OptionList options;
    std::unique_ptr<Command> command;
  };

  const CLI::App* chosen() const {
    const auto chosen = app_.get_subcommands();
    return chosen.empty() ? nullptr : chosen.front();
  }

  std::string hint() const {
    return " (see gradus " + (chosen() ? chosen()->get_name() + " " : "") + "--help)";
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries) names.emplace_back(entry.name);
    return names;
  }

  std::string unexpected_argument() const {
    const std::string found = app_.remaining(true).front();
    if (chosen() == nullptr) {
      if (found.starts_with("-")) return "unknown option '" + found + "'" + hint();
      return "unknown command '" + found + "'; allowed: " + join(names()) +
             suggestion(found, names());
    }
    if (!found.starts_with("-")) return "unexpected argument '" + found + "'" + hint();
    std::vector<std::string> options;
    for (const CLI::Option* option : chosen()->get_options())
      if (!option->get_lnames().empty()) options.push_back("--" + option->get_lnames().front());
    const std::string name = found.substr(0, found.find('='));
    return "unknown option '" + name + "' of " + chosen()->get_name() + suggestion(name, options) +
           hint();
  }

  // `message` is CLI11's: the option, a colon, and what it thinks of the number of values.
  std::string wrong_count(const std::string& message) const {
    const std::string name = message.substr(0, message.find(':'));
    const CLI::Option* option = chosen() ? chosen()->get_option_no_throw(name) : nullptr;
    if (option == nullptr) return message;
    return option->count() > 1 ? name + " is given more than once"
                               : name + " needs a value: " + option->get_type_name();
  }

  CLI::App app_;
  std::deque<Declared> commands_;
};

}  // namespace

void OptionList::operand(const char* name, const char* help, std::string& to, bool required) {
  command_->add_option(name, to, help)->required(required);
}

void OptionList::flag(const char* name, const char* help, bool& to) {
  command_->add_flag(name, to, help)->disable_flag_override();
}

void OptionList::add(const char* name, const char* value, const char* help, Take take,
                     bool repeatable) {
  Value& added = values_.emplace_back(Value{nullptr, "", {}, std::move(take)});
  added.option = repeatable ? command_->add_option(name, added.texts, help)->allow_extra_args(false)
                            : command_->add_option(name, added.text, help);
  added.option->type_name(value);
}

bool OptionList::given(const std::string& name) const {
  return command_->get_option(name)->count() > 0;
}

std::vector<std::string> OptionList::given_values() const {
  std::vector<std::string> names;
  for (const Value& value : values_)
    if (value.option->count() > 0) names.push_back(value.option->get_name());
  return names;
}

void OptionList::convert() const {
  for (const Value& value : values_) {
    for (const std::string& text : value.texts) value.take(text);
    if (value.texts.empty() && value.option->count() > 0) value.take(value.text);
  }
}

std::unique_ptr<Command> parse_arguments(int argc, const char* const* argv) {
  return Parser().parse(argc, argv);
}

bool asks_for_json(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
}

}  // namespace gradus::cli
