// gradus bench [MODEL]
#include <filesystem>
#include <functional>

#include "gradus/gradus.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/exit_codes.hpp"
#include "src/cli/printable.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/solver_tables.hpp"
#include "src/cli/standard_output.hpp"
#include "src/cli/tables.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/benchmark_document.hpp"
#include "src/results/reports.hpp"

namespace gradus::cli {
namespace {

std::string machine_text(const Machine& machine) {
  return machine.processor + ", " + std::to_string(machine.threads) + " thread(s); GPU: " +
         (machine.gpu.empty() ? "none (" + machine.gpu_obstacle + ")" : machine.gpu) + "\n";
}

std::string rows_text(const BenchmarkReport& report) {
  Table table;
  for (const char* heading : {"model", "method"}) table.column(heading, Align::left);
  for (const char* heading : {"bodies", "parameters", "designs"})
    table.column(heading, Align::right);
  table.column("backend", Align::left);
  for (const char* heading : {"seconds", "designs/s", "column-steps/s", "ratio"})
    table.column(heading, Align::right);
  table.column("", Align::left);
  for (const BenchmarkRow& row : report.rows) {
    const auto number = [&](double value) { return value > 0.0 ? short_text(value) : ""; };
    table.row({printable(row.model), row.method, std::to_string(row.bodies),
               std::to_string(row.parameters), std::to_string(row.designs), row.backend_ran,
               number(row.seconds), number(row.designs_per_second()),
               number(row.column_steps_per_second()), number(report.ratio(row)),
               printable(row.remark)});
  }
  return table.text();
}

std::string break_even_table(const BenchmarkReport& report) {
  if (!report.no_break_even.empty()) return "no break-even points: " + report.no_break_even + "\n";
  Table table;
  table.column("method", Align::left);
  for (const char* heading : {"bodies", "parameters"}) table.column(heading, Align::right);
  table.column("a GPU pays", Align::left);
  for (const BreakEven& point : report.break_even) {
    const std::string when = !point.designs
                                 ? "not with up to " + std::to_string(point.most) + " designs"
                             : *point.designs == point.fewest
                                 ? "with " + std::to_string(point.fewest) + " design(s) already"
                                 : "from " + std::to_string(*point.designs) + " designs on";
    table.row({point.method, std::to_string(point.bodies), std::to_string(point.parameters), when});
  }
  return table.text();
}

std::string report_text(const BenchmarkReport& report) {
  return machine_text(report.machine) + "one run to warm up, median of " +
         std::to_string(report.settings.repeats) +
         "; transfers are inside; ratio: times as fast as the first backend\n\n" +
         rows_text(report) + "\n" + break_even_table(report);
}

// Minutes of work must not end at a folder that cannot be written, or at a GPU that is not there.
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

BenchmarkReport run_with_progress(const Arguments& arguments) {
  Progress progress(!arguments.quiet && !arguments.json);
  BenchmarkSettings settings = arguments.bench.settings;
  if (!arguments.model.empty()) settings.model = read_model(arguments.model);
  if (!arguments.quiet) settings.log = write_remark;
  settings.progress = progress.callback();
  return benchmark(settings);
}

// Of the backends that are asked for, or of the CPU and a GPU that can be used.
int tune(const Arguments& arguments) {
  std::vector<std::string> backends = arguments.bench.settings.backends;
  if (backends.empty()) {
    backends = {"cpu"};
    if (this_machine().gpu_obstacle.empty()) backends.push_back("cuda");
  }
  std::function<void(const std::string&)> progress;
  if (!arguments.quiet && !arguments.json) progress = write_remark;
  std::vector<SolverTable> tables;
  for (const std::string& backend : backends) tables.push_back(tune_solvers(backend, progress));
  write_standard_output(arguments.json ? results::backends_document(describe_backends(), tables)
                                       : solver_tables_text(tables));
  return done;
}

}  // namespace

int run_bench(const Arguments& arguments) {
  const BenchArguments& bench = arguments.bench;
  if (bench.tune) return tune(arguments);
  std::filesystem::path table;
  if (bench.store) table = place_of_table();
  if (!bench.output.empty()) {
    const std::filesystem::path folder = std::filesystem::path(bench.output).parent_path();
    results::prepare_folder(folder.empty() ? "." : folder);
  }
  const BenchmarkReport report = run_with_progress(arguments);
  const std::string document = results::benchmark_document(report);
  if (!bench.output.empty()) results::write_file(bench.output, document);
  if (bench.store && report.no_break_even.empty())
    results::write_file(table, break_even_text(report));
  write_standard_output(arguments.json ? document : report_text(report));
  if (!bench.store) return done;
  if (!report.no_break_even.empty())
    throw InputError("--store: nothing to keep (" + report.no_break_even + ")");
  if (!arguments.quiet) write_remark("the break-even points are kept in " + table.string());
  return done;
}

}  // namespace gradus::cli
