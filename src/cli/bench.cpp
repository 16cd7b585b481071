// gradus bench [MODEL]
#include <filesystem>
#include <functional>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/models.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/text.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/reports.hpp"

namespace gradus::cli {
namespace {

std::string machine_text(const Machine& machine) {
  return machine.processor + ", " + std::to_string(machine.threads) +
         (machine.threads == 1 ? " thread; GPU: " : " threads; GPU: ") +
         (machine.gpu.empty() ? "none (" + machine.gpu_obstacle + ")" : machine.gpu) + "\n";
}

std::string rows_text(const BenchmarkReport& report) {
  Table table{"<model",   "<method",    ">bodies",         ">parameters", ">designs", "<backend",
              ">seconds", ">designs/s", ">column-steps/s", ">ratio",      "<"};
  for (const BenchmarkRow& row : report.rows) {
    const auto number = [&](double value) { return value > 0.0 ? short_text(value) : ""; };
    table.row({row.model, row.method, std::to_string(row.bodies), std::to_string(row.parameters),
               std::to_string(row.designs), row.backend_ran, number(row.seconds),
               number(row.designs_per_second()), number(row.column_steps_per_second()),
               number(report.ratio(row)), row.remark});
  }
  return table.text();
}

std::string break_even_table(const BenchmarkReport& report) {
  // That there is no GPU is said at the top.
  if (!report.machine.gpu_obstacle.empty()) return "";
  if (!report.no_break_even.empty()) return "no break-even points: " + report.no_break_even + "\n";
  Table table{"<method", ">bodies", ">parameters", "<GPU is faster"};
  for (const BreakEven& point : report.break_even) {
    const std::string when = !point.designs ? "not up to " + std::to_string(point.most) + " designs"
                             : *point.designs == point.fewest
                                 ? "already with " + std::to_string(point.fewest) +
                                       (point.fewest == 1 ? " design" : " designs")
                                 : "from " + std::to_string(*point.designs) + " designs on";
    table.row({point.method, std::to_string(point.bodies), std::to_string(point.parameters), when});
  }
  return table.text();
}

std::string report_text(const BenchmarkReport& report) {
  return machine_text(report.machine) + "one run to warm up, median of " +
         std::to_string(report.settings.repeats) +
         "; transfers included; ratio: speed relative to the first backend\n\n" +
         rows_text(report) + "\n" + break_even_table(report);
}

// Checked before minutes of work: a missing GPU, or a folder that cannot be written.
std::filesystem::path place_of_table() {
  const std::string obstacle = this_machine().gpu_obstacle;
  if (!obstacle.empty())
    throw BackendError("--store: there is no GPU to compare the CPU with (" + obstacle + ")");
  const std::filesystem::path file = break_even_file();
  if (file.empty())
    throw FileError("--store: no place for the table (neither XDG_CACHE_HOME nor HOME is set)");
  results::prepare_folder(file.parent_path());
  return file;
}

// Takes elements with commas between them, each as parse(name, element, more...) converts it.
template <typename To, typename Parse, typename... More>
OptionList::Take list_taker(const char* name, std::vector<To>& to, Parse parse, More... more) {
  return [=, &to](const std::string& text) {
    to.clear();
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = text.find(',', begin);
      to.push_back(parse(name, text.substr(begin, end - begin), more...));
    }
  };
}

std::string parse_bench_backend(const std::string& option, const std::string& text) {
  if (text == "auto")
    throw InputError(
        option +
        ": found 'auto'; allowed: cpu, cpu:THREADS, debug, cuda, cuda:DEVICE (auto relies on "
        "what is measured here)");
  return parse_backend(option, text);
}

class Bench : public Command {
 public:
  void declare(OptionList& list) override {
    BenchmarkSettings& s = settings_;
    list.operand("MODEL", "model file (default: open chains)", model_, false);
    list.add("--designs", "N,...", "batch sizes (default 1,16,256,4096)",
             list_taker("--designs", s.designs, parse_count, 1u));
    list.add("--parameters", "N,...", "parameters per chain (default 4,32)",
             list_taker("--parameters", s.parameters, parse_count, 0u));
    list.add("--bodies", "N,...", "bodies per chain (default 4,16,32)",
             list_taker("--bodies", s.bodies, parse_count, 1u));
    list.add("--backends", "B,...", "cpu:1, cpu, debug, cuda, ... (default cpu:1,cpu,cuda)",
             list_taker("--backends", s.backends, parse_bench_backend));
    list.add("--method", "M,...", "direct (default), adjoint, ..., or none: the motion alone",
             list_taker("--method", s.methods, parse_choice,
                        std::vector<std::string>{"direct", "adjoint", "continuous-adjoint",
                                                 "finite-difference", "dual", "none"}));
    list.add_value("--steps", "N", "steps per run (default 20)", s.steps, parse_count, 1u);
    list.add_value("--repeats", "N", "timed runs, after one warm-up run (default 3)", s.repeats,
                   parse_count, 1u);
    list.add_value("--longest", "SECONDS",
                   "skip CPU runs that are expected to take longer (default 30)", s.longest,
                   parse_positive);
    list.add_value("--output", "FILE", "write the JSON document to this file", output_, parse_path,
                   "a file");
    list.flag("--store", "save the break-even points of this machine for backend auto to use",
              store_);
    list.flag("--tune",
              "instead: find the fastest solver for linear systems of every shape, on the CPU and "
              "a usable GPU or on --backends, and save the tables",
              tune_);
  }

  void check(const OptionList& list) override {
    backends_are_given_ = list.given("--backends");
    if (tune_) check_tune(list);
    for (const char* name : {"--bodies", "--parameters"})
      if (!model_.empty() && list.given(name))
        throw InputError(std::string(name) + " is for the built-in chains; omit it or MODEL");
  }

  int run() const override {
    if (tune_) return tune();
    std::filesystem::path table;
    if (store_) table = place_of_table();
    if (!output_.empty()) {
      const std::filesystem::path folder = output_.parent_path();
      results::prepare_folder(folder.empty() ? "." : folder);
    }
    const BenchmarkReport report = measure();
    const std::string document = results::benchmark_document(report);
    if (!output_.empty()) results::write_file(output_, document);
    if (store_ && report.no_break_even.empty()) results::write_file(table, break_even_text(report));
    write_standard_output(json ? document : report_text(report));
    if (!store_) return done;
    if (!report.no_break_even.empty())
      throw InputError("--store: nothing to save (" + report.no_break_even + ")");
    if (!quiet) write_remark("break-even points saved to " + table.string());
    return done;
  }

 private:
  // Solvers are measured on their own, without a model.
  void check_tune(const OptionList& list) {
    if (!model_.empty()) throw InputError("--tune measures solvers, not a model; omit MODEL");
    if (store_) throw InputError("--tune keeps its tables itself; omit --store");
    for (const std::string& name : list.given_values())
      if (name != "--backends") throw InputError("--tune measures solvers alone; omit " + name);
    if (!list.given("--backends")) settings_.backends.clear();
  }

  BenchmarkReport measure() const {
    Progress progress(quiet || json ? ProgressKind::none : ProgressKind::terminal);
    BenchmarkSettings settings = settings_;
    if (!model_.empty()) settings.model = read_model_or_robot(model_, quiet);
    // Nobody who did not ask for a backend wants to know why it is left out.
    if (!quiet && backends_are_given_) settings.log = write_remark;
    settings.progress = progress.of_run();
    return benchmark(settings);
  }

  // The backends asked for, or else the CPU and, if usable, a GPU.
  int tune() const {
    std::vector<std::string> backends = settings_.backends;
    if (backends.empty()) {
      backends = {"cpu"};
      if (this_machine().gpu_obstacle.empty()) backends.push_back("cuda");
    }
    std::function<void(const std::string&)> progress;
    if (!quiet && !json) progress = write_remark;
    std::vector<SolverTable> tables;
    for (const std::string& backend : backends) tables.push_back(tune_solvers(backend, progress));
    write_standard_output(json ? results::backends_document(describe_backends(), tables)
                               : solver_tables_text(tables));
    return done;
  }

  std::string model_;  // file; empty for the built-in chains
  BenchmarkSettings settings_;
  bool backends_are_given_ = false;
  std::filesystem::path output_;  // of the document; empty if none is asked for
  bool store_ = false;
  bool tune_ = false;  // measure the solvers of linear systems instead
};

}  // namespace

void add_bench_command(Commands& commands) {
  commands.push_back({"bench",
                      "Time the backends and find the batch size at which a GPU overtakes the CPU",
                      std::make_unique<Bench>()});
}

}  // namespace gradus::cli
