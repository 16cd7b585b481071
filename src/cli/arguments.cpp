// The command line by CLI11. Values are taken as text and converted here, so that every message has
// one form.
#include "src/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "gradus/error.hpp"
#include "src/cli/values.hpp"
#include "src/results/hdf5_file.hpp"

namespace gradus::cli {
namespace {

const std::vector<std::string> methods = {"direct", "adjoint",           "continuous-adjoint",
                                          "auto",   "finite-difference", "dual"};

// The options as text; a sub-command registers those that make sense for it.
struct Texts {
  std::map<std::string, std::string> values;
  std::vector<std::string> assignments;
};

struct Option {
  const char* name;
  const char* value;
  const char* help;
};

constexpr Option run_options[] = {
    {"--backend", "B", "auto, cpu, cpu:THREADS, debug, cuda or cuda:DEVICE"},
    {"--formulation", "NAME", "equations of motion (default: the model's)"},
    {"--integrator", "NAME", "one-step method (default: the model's, or the formulation's)"},
    {"--rtol", "R", "adaptive integrators: relative error of a step (default: the model's)"},
    {"--atol", "A", "adaptive integrators: absolute error of a step (default: the model's)"},
    {"--iteration", "NAME", "of implicit integrators: newton or fixed-point"},
    {"--projections", "NAME", "of ali3p: exact, iterative, penalty or none"},
    {"--stabilisation", "NAME", "of index1: projection, baumgarte or none"},
    {"--penalty", "ALPHA", "of the penalty formulation and of projections by penalty"},
    {"--reference", "NAME", "reference point of the velocities (default: the model's)"},
    {"--step", "SECONDS", "time step (default: the model's)"},
    {"--duration", "SECONDS", "length of the motion (default: the model's)"},
    {"--tolerance", "T", "Newton's tolerance (default: the model's)"},
};

constexpr Option batch_options[] = {
    {"--designs", "N", "run N designs: the model, and N - 1 drawn around it"},
    {"--spread", "S", "multiply every parameter by 1 + S u, u uniform in [-1, 1]; 0 <= S < 1"},
    {"--seed", "K", "seed of the drawn designs (default 1)"},
    {"--lanes", "N", "designs that a core advances at once: auto (default), 1, 2, 4 or 8"},
    {"--out", "DIR", "write arrays and summary.json into this folder"},
    {"--record-every", "N",
     "with --out: record the motion every N steps (one design alone: default 1)"},
};

class Parser {
 public:
  Parser() {
    app_.name("gradus");
    app_.description("Motion of multibody systems and its exact gradients");
    app_.set_version_flag("--version", "gradus " + version());
    app_.require_subcommand(0, 1);
    add_run("simulate", "Compute the motion");
    CLI::App& gradient =
        add_run("gradient", "Compute the motion and the gradient of every objective");
    add_option(gradient,
               {"--method", "M",
                "direct (default), adjoint, continuous-adjoint, auto, finite-difference or dual"});
    add_option(gradient, {"--solver", "NAME",
                          "direct on devices: auto (default), kernel, native, cublas-getrs, "
                          "cublas-trsm or cusolver"});
    add_option(gradient, {"--precision", "P",
                          "direct on devices: double (default) or mixed, factors in single"});
    add_option(gradient, {"--memory", "BYTES",
                          "adjoint: memory for its steps, e.g. 512M (default: all they need)"});
    gradient
        .add_flag("--columns", columns_,
                  "with --out: record the sensitivities of every sensor with the motion")
        ->disable_flag_override();
    add_run("check",
            "Prove the gradient against its adjoint, dual numbers and central differences");
    add_study("sweep", "Run many designs of a study: their statistics, and what causes the spread");
    add_study("optimize", "Find the best design of a study under bounds and constraints");
    add_study("fit", "Identify the parameters of a study from measured data");
    CLI::App& bench =
        add_command("bench", "Measure the backends and find where a GPU overtakes the CPU");
    bench.add_option("MODEL", arguments_.model, "model file (default: open chains)");
    bench_.add_to(bench);
    CLI::App& info = add_command("info", "Show what a model is made of and which backends can run");
    info.add_option("MODEL", arguments_.model, "model file");
    CLI::App& report = add_command("report", "Write one HTML page about a folder of results");
    report.add_option("DIR", arguments_.folder, "folder that was written with --out")->required();
    add_option(report, {"--out", "FILE", "the page (default: DIR/report.html)"});
  }

  Arguments parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return show(help());
    } catch (const CLI::CallForVersion&) {
      return show("gradus " + version() + "\n");
    } catch (const CLI::ExtrasError&) {
      throw InputError(unexpected_argument());
    } catch (const CLI::ArgumentMismatch& error) {
      throw InputError(wrong_count(error.what()) + hint());
    } catch (const CLI::ParseError& error) {
      throw InputError(std::string(error.what()) + hint());
    }
    if (app_.get_subcommands().empty())
      throw InputError("no command given; allowed: " + join(commands()) + hint());
    convert();
    return arguments_;
  }

 private:
  CLI::App& add_command(const std::string& name, const std::string& description) {
    CLI::App& command = *app_.add_subcommand(name, description);
    command.add_flag("--json", arguments_.json, "print one JSON document and nothing else")
        ->disable_flag_override();
    command.add_flag("--quiet", arguments_.quiet, "no remarks and no progress")
        ->disable_flag_override();
    return command;
  }

  CLI::App& add_run(const std::string& name, const std::string& description) {
    CLI::App& command = add_command(name, description);
    command.add_option("MODEL", arguments_.model, "model file")->required();
    command.add_option("--set", texts_.assignments, "replace the value of a parameter; repeatable")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    for (const Option& option : run_options) add_option(command, option);
    command
        .add_flag("--kinematic", kinematic_, "driven mechanisms: motion by the constraints alone")
        ->disable_flag_override();
    command
        .add_flag("--columns-in-error", columns_in_error_,
                  "adaptive integrators: the error of a step includes the sensitivities")
        ->disable_flag_override();
    if (name == "check") return command;
    for (const Option& option : batch_options) add_option(command, option);
    add_hdf5(command, "with --out: write the arrays as HDF5 as well");
    return command;
  }

  void add_study(const std::string& name, const std::string& description) {
    CLI::App& command = add_command(name, description);
    studies_[name].add_to(command);
    if (name == "sweep") add_hdf5(command, "write the arrays as HDF5 as well");
  }

  void add_hdf5(CLI::App& command, const std::string& help) {
    command.add_flag("--hdf5", hdf5_, help)->disable_flag_override();
  }

  void add_option(CLI::App& command, const Option& option) {
    command.add_option(option.name, texts_.values[option.name], option.help)
        ->type_name(option.value);
  }

  Arguments show(const std::string& text) {
    arguments_.command = Command::show_text;
    arguments_.text = text;
    return arguments_;
  }

  const CLI::App* chosen() const {
    const auto chosen = app_.get_subcommands();
    return chosen.empty() ? nullptr : chosen.front();
  }

  std::string help() const {
    const CLI::App* command = chosen();
    return command != nullptr ? command->help("gradus") : app_.help();
  }

  std::string hint() const {
    const CLI::App* command = chosen();
    return " (see gradus " + (command != nullptr ? command->get_name() + " " : "") + "--help)";
  }

  std::vector<std::string> commands() const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    return names;
  }

  std::string unexpected_argument() const {
    const std::string found = app_.remaining(true).front();
    const CLI::App* command = chosen();
    if (command == nullptr) {
      if (found.starts_with("-")) return "unknown option '" + found + "'" + hint();
      return "unknown command '" + found + "'; allowed: " + join(commands()) +
             suggestion(found, commands());
    }
    if (!found.starts_with("-")) return "unexpected argument '" + found + "'" + hint();
    std::vector<std::string> names;
    for (const CLI::Option* option : command->get_options())
      if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
    const std::string name = found.substr(0, found.find('='));
    return "unknown option '" + name + "' of " + command->get_name() + suggestion(name, names) +
           hint();
  }

  // `message` is CLI11's: the option, a colon, and what it thinks of the number of values.
  std::string wrong_count(const std::string& message) const {
    const std::string name = message.substr(0, message.find(':'));
    const CLI::Option* option = chosen() != nullptr ? chosen()->get_option_no_throw(name) : nullptr;
    if (option == nullptr) return message;
    return option->count() > 1 ? name + " is given more than once"
                               : name + " needs a value: " + option->get_type_name();
  }

  bool given(const std::string& name) const {
    const CLI::Option* option = chosen()->get_option_no_throw(name);
    return option != nullptr && option->count() > 0;
  }

  const std::string& text(const std::string& name) const { return texts_.values.at(name); }

  void convert() {
    const std::map<std::string, Command> by_name = {
        {"simulate", Command::simulate}, {"gradient", Command::gradient},
        {"check", Command::check},       {"sweep", Command::sweep},
        {"optimize", Command::optimize}, {"fit", Command::fit},
        {"bench", Command::bench},       {"info", Command::info},
        {"report", Command::report}};
    arguments_.command = by_name.at(chosen()->get_name());
    if (hdf5_) results::require_hdf5("--hdf5");
    if (arguments_.command == Command::info) return;
    if (arguments_.command == Command::report) {
      if (given("--out")) arguments_.page = text("--out");
      if (given("--out") && arguments_.page.empty())
        throw InputError("--out: found ''; allowed: the name of a file");
      return;
    }
    if (arguments_.command == Command::bench) {
      arguments_.bench = bench_.convert(given("MODEL"));
      return;
    }
    if (const auto study = studies_.find(chosen()->get_name()); study != studies_.end()) {
      arguments_.study = study->second.convert(*chosen());
      arguments_.study.hdf5 = hdf5_;
      return;
    }
    Options& options = arguments_.options;
    for (const std::string& assignment : texts_.assignments)
      if (const auto [name, value] = parse_assignment("--set", assignment);
          !options.set.emplace(name, value).second)
        throw InputError("--set: parameter '" + name + "' is given twice");
    if (given("--backend")) options.backend = parse_backend("--backend", text("--backend"));
    if (given("--method")) options.method = parse_choice("--method", text("--method"), methods);
    if (given("--solver")) options.solver = text("--solver");
    if (given("--precision"))
      options.precision = parse_choice("--precision", text("--precision"), {"double", "mixed"});
    if (given("--memory")) options.memory = parse_bytes("--memory", text("--memory"));
    if (given("--formulation")) options.formulation = text("--formulation");
    if (given("--integrator")) options.integrator = text("--integrator");
    if (given("--rtol")) options.rtol = parse_positive("--rtol", text("--rtol"));
    if (given("--atol")) options.atol = parse_positive("--atol", text("--atol"));
    if (given("--iteration")) options.iteration = text("--iteration");
    if (given("--projections")) options.projections = text("--projections");
    if (given("--stabilisation")) options.stabilisation = text("--stabilisation");
    if (given("--penalty")) options.penalty = parse_positive("--penalty", text("--penalty"));
    if (kinematic_ && given("--formulation"))
      throw InputError("--kinematic is a formulation of its own; leave out --formulation");
    if (kinematic_) options.formulation = "kinematic";
    if (columns_in_error_) options.columns_in_error = true;
    if (given("--reference")) options.reference = text("--reference");
    if (given("--step")) options.step = parse_positive("--step", text("--step"));
    if (given("--duration")) options.duration = parse_positive("--duration", text("--duration"));
    if (given("--tolerance"))
      options.tolerance = parse_positive("--tolerance", text("--tolerance"));
    convert_batch();
    convert_output();
  }

  void convert_batch() {
    Designs& designs = arguments_.options.designs;
    if (given("--designs")) designs.count = parse_count("--designs", text("--designs"), 1);
    for (const char* name : {"--spread", "--seed"})
      if (given(name) && !given("--designs"))
        throw InputError(std::string(name) + " needs --designs N: it says how designs are drawn");
    if (given("--seed")) designs.seed = parse_count("--seed", text("--seed"), 0);
    if (given("--lanes") && text("--lanes") != "auto")
      arguments_.options.lanes =
          std::stoi(parse_choice("--lanes", text("--lanes"), {"auto", "1", "2", "4", "8"}));
    if (!given("--spread")) return;
    designs.spread = parse_number("--spread", text("--spread"));
    if (designs.spread < 0.0 || designs.spread >= 1.0)
      throw InputError("--spread: found '" + text("--spread") +
                       "'; allowed: 0 <= S < 1, so that no parameter changes its sign");
  }

  // Motions of whole batches fill memories, so they are recorded on request only.
  void convert_output() {
    Options& options = arguments_.options;
    if (given("--record-every") && !given("--out"))
      throw InputError("--record-every needs --out DIR: that is where motions are written");
    if (columns_ && !given("--out"))
      throw InputError("--columns needs --out DIR: that is where sensitivities are written");
    if (hdf5_ && !given("--out"))
      throw InputError("--hdf5 needs --out DIR: that is where arrays are written");
    if (!given("--out")) return;
    arguments_.out = text("--out");
    arguments_.hdf5 = hdf5_;
    if (arguments_.out.empty()) throw InputError("--out: found ''; allowed: the name of a folder");
    options.columns = columns_;
    options.record = columns_ || given("--record-every") || options.designs.count == 1;
    if (given("--record-every"))
      options.record_every = parse_count("--record-every", text("--record-every"), 1);
  }

  CLI::App app_;
  Arguments arguments_;
  Texts texts_;
  BenchOptions bench_;
  std::map<std::string, StudyOptions> studies_;
  bool kinematic_ = false;
  bool columns_in_error_ = false;
  bool columns_ = false;
  bool hdf5_ = false;
};

}  // namespace

Arguments parse_arguments(int argc, const char* const* argv) {
  return Parser().parse(argc, argv);
}

bool asks_for_json(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
}

}  // namespace gradus::cli
