// gradus check MODEL
#include <algorithm>

#include "src/cli/abbreviation.hpp"
#include "src/cli/commands.hpp"
#include "src/cli/exit_codes.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/run_common.hpp"
#include "src/cli/standard_output.hpp"
#include "src/cli/tables.hpp"
#include "src/results/reports.hpp"

namespace gradus::cli {
namespace {

std::size_t passed_lines(const CheckReport& report) {
  return static_cast<std::size_t>(std::count_if(report.lines.begin(), report.lines.end(),
                                                [](const CheckLine& line) { return line.passed; }));
}

std::string verdict(const CheckReport& report) {
  return "check " + std::string(report.passed ? "passed" : "FAILED") + ": " +
         std::to_string(passed_lines(report)) + " of " + std::to_string(report.lines.size()) +
         " derivatives agree (adjoint and dual numbers within " +
         short_text(report.dual_tolerance) + ", differences within " +
         short_text(report.difference_tolerance) + "); inner products differ by " +
         short_text(report.identity_deviation);
}

std::string check_table(const CheckReport& report) {
  Table table;
  table.column("objective", Align::left);
  table.column("parameter", Align::left);
  for (const char* heading : {"direct", "adjoint", "dual", "difference", "adjoint deviation",
                              "dual deviation", "difference deviation"})
    table.column(heading, Align::right);
  table.column("verdict", Align::left);
  std::vector<std::string> names;
  for (const CheckLine& line : report.lines)
    if (line.objective == report.lines.front().objective) names.push_back(line.parameter);
  const ShownParameters shown(names);
  for (const CheckLine& line : report.lines) {
    if (line.passed && !shown.contains(line.parameter)) continue;
    table.row({line.objective, line.parameter, number_text(line.direct), number_text(line.adjoint),
               number_text(line.dual), number_text(line.difference),
               short_text(line.adjoint_deviation), short_text(line.dual_deviation),
               short_text(line.difference_deviation), line.passed ? "ok" : "FAILED"});
  }
  return table.text() + shown.remark();
}

CheckReport check_with_progress(const Model& model, const Arguments& arguments) {
  Progress progress(!arguments.quiet && !arguments.json);
  Options options = with_remarks(arguments);
  options.progress = progress.callback();
  return check(model, options);
}

}  // namespace

int run_check(const Arguments& arguments) {
  const Model model = read_model(arguments.model);
  const CheckReport report = check_with_progress(model, arguments);
  write_standard_output(arguments.json ? results::check_document(model.name, report)
                                       : check_table(report) + "\n" + verdict(report) + "\n");
  if (report.passed) return done;
  write_error(verdict(report));
  return numerical_failure;
}

}  // namespace gradus::cli
