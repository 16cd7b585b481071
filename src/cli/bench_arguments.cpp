// Lists are written with commas: --designs 1,64,4096.
#include "src/cli/bench_arguments.hpp"

#include <CLI/CLI.hpp>
#include <vector>

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
    {"--designs", "N,...", "designs of a batch (default 1,16,256,4096)"},
    {"--parameters", "N,...", "parameters of the chains (default 4,32)"},
    {"--bodies", "N,...", "bodies of the chains (default 4,16,32)"},
    {"--backends", "B,...", "cpu:1, cpu, debug, cuda, ... (default cpu:1,cpu,cuda)"},
    {"--method", "M,...", "direct (default), adjoint, ..., or none: the motion alone"},
    {"--steps", "N", "steps of a run (default 20)"},
    {"--repeats", "N", "runs that are timed, after one that is not (default 3)"},
    {"--longest", "SECONDS", "on the CPU, leave out runs that would take longer (default 30)"},
    {"--output", "FILE", "write the JSON document into this file"},
};

const std::vector<std::string> methods = {
    "direct", "adjoint", "continuous-adjoint", "finite-difference", "dual", "none"};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::vector<std::size_t> parse_counts(const std::string& option, const std::string& text,
                                      std::uint64_t smallest) {
  std::vector<std::size_t> counts;
  for (const std::string& part : split(text)) counts.push_back(parse_count(option, part, smallest));
  return counts;
}

std::string parse_bench_backend(const std::string& text) {
  if (text == "auto")
    throw InputError(
        "--backends: found 'auto'; allowed: cpu, cpu:THREADS, debug, cuda, cuda:DEVICE (auto is "
        "what the measurement serves)");
  return parse_backend("--backends", text);
}

}  // namespace

void BenchOptions::add_to(CLI::App& command) {
  command_ = &command;
  for (const Option& option : options)
    command.add_option(option.name, values_[option.name], option.help)->type_name(option.value);
  command
      .add_flag("--store", store_,
                "keep the break-even points of this machine: backend auto will go by them")
      ->disable_flag_override();
  command
      .add_flag(
          "--tune", tune_,
          "instead: find the fastest solver for linear systems of every shape, on the CPU and "
          "a GPU that can be used, or on --backends, and keep the tables")
      ->disable_flag_override();
}

bool BenchOptions::given(const std::string& name) const {
  return command_->get_option(name)->count() > 0;
}

// Solvers are measured by themselves.
void BenchOptions::check_tune(bool model) const {
  if (!tune_) return;
  if (model) throw InputError("--tune measures solvers, not a model; leave MODEL out");
  if (store_) throw InputError("--tune keeps its tables itself; leave --store out");
  for (const Option& option : options)
    if (given(option.name) && std::string(option.name) != "--backends")
      throw InputError("--tune measures solvers alone; leave " + std::string(option.name) + " out");
}

BenchArguments BenchOptions::convert(bool model) const {
  BenchArguments arguments;
  check_tune(model);
  arguments.tune = tune_;
  BenchmarkSettings& s = arguments.settings;
  const auto text = [&](const char* name) { return values_.at(name); };
  for (const char* name : {"--bodies", "--parameters"})
    if (model && given(name))
      throw InputError(std::string(name) + " is for the built-in chains; leave it or MODEL out");
  const auto counts = [&](const char* name, std::uint64_t smallest, std::vector<std::size_t>& to) {
    if (given(name)) to = parse_counts(name, text(name), smallest);
  };
  counts("--designs", 1, s.designs);
  counts("--bodies", 1, s.bodies);
  counts("--parameters", 0, s.parameters);
  if (given("--backends") || tune_) s.backends.clear();
  if (given("--backends")) {
    for (const std::string& name : split(text("--backends")))
      s.backends.push_back(parse_bench_backend(name));
  }
  if (given("--method")) {
    s.methods.clear();
    for (const std::string& name : split(text("--method")))
      s.methods.push_back(parse_choice("--method", name, methods));
  }
  if (given("--steps")) s.steps = parse_count("--steps", text("--steps"), 1);
  if (given("--repeats")) s.repeats = parse_count("--repeats", text("--repeats"), 1);
  if (given("--longest")) s.longest = parse_positive("--longest", text("--longest"));
  if (given("--output")) arguments.output = text("--output");
  if (given("--output") && arguments.output.empty())
    throw InputError("--output: found ''; allowed: the name of a file");
  arguments.store = store_;
  return arguments;
}

}  // namespace gradus::cli
