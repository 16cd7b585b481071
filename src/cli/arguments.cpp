// The command line by CLI11. Its validators are not used: CLI::PositiveNumber and CLI::Range accept
// "nan", and none of them says what was found, what is allowed and what may have been meant.
#include "src/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "gradus/error.hpp"
#include "gradus/model.hpp"
#include "gradus/run.hpp"
#include "src/cli/text.hpp"
#include "src/mechanism/option_texts.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::cli {
namespace {

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
    Commands all;
    for (const auto add :
         {add_run_commands, add_study_commands, add_bench_command, add_info_command,
          add_modes_command, add_show_command, add_report_command, add_import_command,
          add_export_command, add_generate_command})
      add(all);
    for (NamedCommand& named : all) {
      CLI::App& app = *app_.add_subcommand(named.name, named.description);
      commands_.push_back({&app, OptionList(app), std::move(named.command)});
      auto& [unused, options, command] = commands_.back();
      options.flag("--json", "print one JSON document instead of tables", command->json);
      options.flag("--quiet", "suppress remarks and progress", command->quiet);
      std::vector<std::string>& plugins = command->plugins;
      options.add(
          "--plugin", "FILE", "load forces from a library (docs/api.md); repeatable",
          [&plugins](const std::string& text) {
            plugins.push_back(parse_path("--plugin", text, "a library"));
          },
          true);
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
      for (const std::string& plugin : command->plugins) load_plugin(plugin);
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
    for (const Declared& declared : commands_) names.push_back(declared.app->get_name());
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

[[noreturn]] void reject(const std::string& option, const std::string& text,
                         const std::string& allowed) {
  throw InputError(option + ": found '" + text + "'; allowed: " + allowed);
}

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// True if all of `text` is one number of type Value.
template <typename Value>
bool convert(std::string_view text, Value& value) {
  text = without_plus(text);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

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

void OptionList::add_assignments(const char* name, const char* help,
                                 std::map<std::string, double>& to) {
  const auto take = [name, &to](const std::string& text) {
    if (const auto [parameter, value] = parse_assignment(name, text);
        !to.emplace(parameter, value).second)
      throw InputError(std::string(name) + ": parameter '" + parameter + "' is given twice");
  };
  add(name, "NAME=VALUE", help, take, true);
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

std::string parse_text(const std::string&, const std::string& text) {
  return text;
}

double parse_number(const std::string& option, const std::string& text) {
  double value = 0.0;
  if (!convert(text, value) || !std::isfinite(value))
    reject(option, text, "a finite number, e.g. 0.5 or 1e-3");
  return value;
}

double parse_positive(const std::string& option, const std::string& text) {
  double value = 0.0;
  if (!convert(text, value) || !std::isfinite(value) || !(value > 0.0))
    reject(option, text, "a finite number greater than 0, e.g. 0.5 or 1e-3");
  return value;
}

std::uint64_t parse_count(const std::string& option, const std::string& text,
                          std::uint64_t smallest) {
  std::uint64_t value = 0;
  if (!convert(text, value) || value < smallest)
    reject(option, text, "a whole number of at least " + std::to_string(smallest));
  return value;
}

std::size_t parse_bytes(const std::string& option, const std::string& text) {
  const std::size_t bytes = read_bytes(without_plus(text)).value_or(0);
  if (bytes < 1)
    reject(option, text, "a whole number of bytes above 0, perhaps with k, M or G, e.g. 512M");
  return bytes;
}

std::pair<std::string, double> parse_assignment(const std::string& option,
                                                const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    reject(option, text, "NAME=VALUE, e.g. --set mass=1.5");
  const std::string name = text.substr(0, equals);
  return {name, parse_number(option + " " + name, text.substr(equals + 1))};
}

std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& allowed) {
  if (!contains(allowed, text)) reject(option, text, join(allowed) + suggestion(text, allowed));
  return text;
}

std::string parse_path(const std::string& option, const std::string& text, const char* what) {
  if (text.empty()) reject(option, text, "the name of " + std::string(what));
  return text;
}

std::string parse_backend(const std::string& option, const std::string& text) {
  const std::vector<std::string> kinds = {"auto", "cpu", "cuda", "debug"};
  const std::string allowed = "auto, cpu, cpu:THREADS, debug, cuda, cuda:DEVICE";
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (!contains(kinds, kind)) reject(option, text, allowed + suggestion(kind, kinds));
  if (colon == std::string::npos) return text;

  std::uint32_t number = 0;
  const bool takes_number = kind == "cpu" || kind == "cuda";
  if (!takes_number || !convert(text.substr(colon + 1), number) || (kind == "cpu" && number == 0))
    reject(option, text, allowed);
  return text;
}

int parse_lanes(const std::string& option, const std::string& text) {
  if (parse_choice(option, text, {"auto", "1", "2", "4", "8"}) == "auto") return 0;
  return std::stoi(text);
}

std::string suggestion(const std::string& text, const std::vector<std::string>& allowed) {
  const std::string near = nearest(text, allowed);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

}  // namespace gradus::cli
