// Result and CheckReport -> tables.
#include "src/cli/study_reports.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/cli/text.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/results/json_text.hpp"
#include "src/results/reports.hpp"
#include "src/results/summary.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t columns_per_block = 6;  // of the gradient: wider tables wrap on terminals
constexpr std::size_t shown_designs = 10;
constexpr std::size_t shown_failures = 20;

// The steps of the motion: the same for all designs, or chosen by each design.
std::string steps_text(const Result& result) {
  const auto whole = [](double count) { return static_cast<std::size_t>(count); };
  double most = 0.0, rejected = 0.0;  // NaN, of designs that failed, is never larger
  for (const double steps : result.step_count) most = std::max(most, steps);
  for (const double steps : result.rejected_steps) rejected = std::max(rejected, steps);
  if (!result.adaptive)
    return counted(result.steps, "step") + " of " + short_text(result.step) + " s" +
           (rejected > 0.0 ? ", halved up to " + counted(whole(rejected), "time") : "") + "\n";
  if (most == 0.0)
    return short_text(result.duration) +
           (result.n_design == 1 ? " s, failed\n" : " s, all designs failed\n");
  const std::string up_to = result.n_design > 1 ? "up to " : "";
  return short_text(result.duration) + " s in " + up_to + counted(whole(most), "step") + ", " +
         up_to + std::to_string(whole(rejected)) + " rejected\n";
}

std::string header(const Result& result) {
  std::string text = printable(result.model) + ": backend " + result.backend + ", formulation " +
                     result.formulation;
  if (!result.integrator.empty()) text += ", integrator " + result.integrator;
  if (!result.stiff_integrator.empty() && result.stiff_integrator != result.integrator)
    text += " (" + result.stiff_integrator + " for stiff designs)";
  if (result.coordinate_kind != keys::of_joints) text += ", coordinates " + result.coordinate_kind;
  text += ", reference " + result.reference;
  if (!result.gradient.empty()) text += ", method " + result.method;
  return text + ", " + steps_text(result);
}

std::string error_text(const std::vector<double>& errors, std::size_t i) {
  const double error = results::number_at(errors, i);
  return std::isnan(error) ? "unknown" : short_text(error);
}

// With errors, if anything is known of them.
std::string values_table(const std::string& heading, const std::vector<NamedUnit>& things,
                         const std::vector<double>& values, const std::vector<double>& errors) {
  Table table{"<" + heading, ">value", "<unit"};
  if (!errors.empty()) table.column(">estimated error");
  for (std::size_t i = 0; i < things.size(); ++i) {
    std::vector<std::string> cells{things[i].name, number_text(results::number_at(values, i)),
                                   things[i].unit};
    if (!errors.empty()) cells.push_back(error_text(errors, i));
    table.row(cells);
  }
  return "\n" + table.text();
}

std::string gradient_table(const Result& result) {
  const std::size_t n_parameter = result.parameters.size();
  const ShownParameters shown(result.parameters);
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < n_parameter; ++k)
    if (shown.contains(result.parameters[k].name)) columns.push_back(k);
  std::string text;
  for (std::size_t first = 0; first < columns.size(); first += columns_per_block) {
    const std::size_t last = std::min(first + columns_per_block, columns.size());
    Table table{"<gradient"};
    for (std::size_t c = first; c < last; ++c)
      table.column(">" + with_unit(result.parameters[columns[c]]));
    const bool has_errors = last == columns.size() && !result.gradient_errors.empty();
    if (has_errors) table.column(">estimated error");
    for (std::size_t i = 0; i < result.objectives.size(); ++i) {
      std::vector<std::string> cells = {result.objectives[i].name};
      for (std::size_t c = first; c < last; ++c)
        cells.push_back(
            number_text(results::number_at(result.gradient, i * n_parameter + columns[c])));
      if (has_errors) cells.push_back(error_text(result.gradient_errors, i));
      table.row(cells);
    }
    text += "\n" + table.text();
  }
  return text + shown.remark();
}

std::string friction_line(const SurfaceMotion& motion) {
  const std::string share =
      motion.sticking > 0.0 && motion.sticking < 1e-3 ? "< 0.1" : short_text(100 * motion.sticking);
  const std::string below = (motion.sticking == 0.0   ? "never below "
                             : motion.sticking == 1.0 ? "always below "
                                                      : share + " % of the time below ") +
                            short_text(motion.threshold) + " m/s";
  std::string text = motion.joint + (motion.slip.empty() ? "" : ", " + motion.slip) + ": " +
                     motion.verdict + " (" + below +
                     (motion.changes > 0 ? ", " + counted(motion.changes, "change") : "");
  if (motion.resolution > 1.0)
    text += "; its speed changes by " + short_text(motion.resolution) +
            " times that in a step, which is too long for it";
  return text + ")\n";
}

// A smaller threshold is nearer to dry friction.
std::string halved_text(const Result& result) {
  std::string text;
  std::vector<std::string> told;
  for (const SurfaceMotion& motion : result.friction) {
    if (motion.smoothing.empty() ||
        std::find(told.begin(), told.end(), motion.smoothing) != told.end())
      continue;
    told.push_back(motion.smoothing);
    if (motion.halved.empty()) text += "  with half of " + motion.smoothing + " the motion fails\n";
    for (std::size_t i = 0; i < motion.halved.size(); ++i) {
      text += "  with half of " + motion.smoothing + " " + result.objectives[i].name +
              " changes by " + short_text(motion.halved[i]);
      for (std::size_t k = 0; k < result.parameters.size() && !result.gradient.empty(); ++k)
        if (result.parameters[k].name == motion.smoothing)
          text += " (by its derivative " +
                  short_text(-0.5 * result.parameter_values[k] *
                             result.gradient[i * result.parameters.size() + k]) +
                  ")";
      text += "\n";
    }
  }
  return text;
}

std::string friction_text(const std::vector<SurfaceMotion>& friction) {
  std::string text = friction.empty() ? "" : "\nfriction\n";
  for (const SurfaceMotion& motion : friction) text += "  " + friction_line(motion);
  return text;
}

// The first of them, each with its time.
std::string events_text(const std::vector<EventPassage>& events) {
  if (events.empty()) return "";
  constexpr std::size_t shown = 12;
  Table table{"<event", ">time [s]"};
  for (std::size_t k = 0; k < std::min(events.size(), shown); ++k)
    table.row({printable(events[k].event), number_text(events[k].time)});
  return "\n" + table.text() + and_more(events.size(), std::min(events.size(), shown));
}

bool design_ok(const Result& result, std::size_t design) {
  return design >= result.status.size() || result.status[design].ok;
}

std::string designs_table(const Result& result) {
  const std::size_t n_objective = result.objectives.size();
  Table table{">design", "<status"};
  for (const NamedUnit& objective : result.objectives) table.column(">" + with_unit(objective));
  const std::size_t count = std::min(result.n_design, shown_designs);
  for (std::size_t design = 0; design < count; ++design) {
    const bool ok = design_ok(result, design);
    std::vector<std::string> cells = {std::to_string(design), ok ? "ok" : "failed"};
    for (std::size_t i = 0; i < n_objective; ++i) {
      const double value = results::number_at(result.objective_values, design * n_objective + i);
      cells.push_back(ok ? number_text(value) : "");
    }
    table.row(cells);
  }
  return "\n" + table.text() + and_more(result.n_design, count);
}

std::string statistics_table(const Result& result) {
  const std::size_t n_objective = result.objectives.size();
  std::size_t succeeded = 0;
  for (std::size_t design = 0; design < result.n_design; ++design)
    if (design_ok(result, design)) ++succeeded;
  Table table{"<over " + std::to_string(succeeded) + " designs", ">minimum", ">mean", ">maximum",
              "<unit"};
  for (std::size_t i = 0; succeeded > 0 && i < n_objective; ++i) {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -smallest;
    double sum = 0.0;
    for (std::size_t design = 0; design < result.n_design; ++design) {
      if (!design_ok(result, design)) continue;
      const double value = results::number_at(result.objective_values, design * n_objective + i);
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
      sum += value;
    }
    table.row({result.objectives[i].name, number_text(smallest),
               number_text(sum / static_cast<double>(succeeded)), number_text(largest),
               result.objectives[i].unit});
  }
  return "\n" + table.text();
}

std::string timing_line(const Result& result) {
  std::string text = "\ntime " + short_text(result.timing.total_s) + " s: motion ";
  if (result.gradient.empty())
    text += short_text(result.timing.motion_s) + " s";
  else if (result.timing.motion_s == 0.0)  // one-step methods do both at once
    text += "with sensitivities " + short_text(result.timing.sensitivity_s) + " s";
  else
    text += short_text(result.timing.motion_s) + " s, sensitivities " +
            short_text(result.timing.sensitivity_s) + " s";
  if (result.timing.estimate_s > 0.0)
    text += ", estimate of errors " + short_text(result.timing.estimate_s) + " s";
  return text + "\n";
}

// One word, what failed first.
std::string verdict_text(const CheckLine& line) {
  switch (line.verdict) {
    case CheckVerdict::wrong:
      return "FAILED";
    case CheckVerdict::undetermined:
      return "unknown";
    case CheckVerdict::zero:
      return line.accurate ? "zero" : "inaccurate";
    default:
      return line.accurate ? "ok" : "inaccurate";
  }
}

}  // namespace

std::string result_report(const Result& result) {
  std::string text = header(result);
  if (result.n_design > 1) {
    text += designs_table(result) + statistics_table(result);
  } else {
    if (!result.objectives.empty())
      text += values_table("objective", result.objectives, result.objective_values,
                           result.objective_errors);
    if (!result.gradient.empty())
      text += gradient_table(result);
    else if (!result.sensor_components.empty())
      text += values_table("final sensor", result.sensor_components, result.final_sensors, {});
  }
  const std::string failed = failed_designs(result.status, shown_failures);
  text += events_text(result.events);
  text += friction_text(result.friction) + halved_text(result);
  return text +
         motion_checks_text(result.constraint_violation, result.singular_passage,
                            result.splines_extrapolated()) +
         (result.singular_start.empty() ? ""
                                        : "motions begin in a singular configuration of \"" +
                                              result.singular_start + "\", or beside it\n") +
         (failed.empty() ? "" : "\nfailed\n" + failed) + timing_line(result);
}

std::string count_text(double count) {
  return count > 0.0 ? std::to_string(std::llround(count)) : "-";
}

std::string time_text(double seconds) {  // in ms
  return seconds > 0.0 ? short_text(1e3 * seconds) : "-";
}

std::string kernels_report(const std::vector<MadeKernels>& kernels, const std::string& folder) {
  Table table{"<kernels of",   ">lanes",        ">operations, general", ">made", ">ways",
              ">compiled [s]", ">general [ms]", ">made [ms]",           ">ratio"};
  std::string obstacles;
  for (const MadeKernels& made : kernels) {
    const bool are_made = made.obstacle.empty();
    table.row(
        {!made.with_gradient ? "motions"
         : made.by_adjoint   ? "adjoints"
                             : "gradients",
         std::to_string(made.lanes), count_text(made.general_operations),
         count_text(made.operations),
         std::to_string(made.ways) + (are_made && !made.complete ? "+" : ""),
         made.compilations > 0 ? short_text(made.compile_s)
         : made.found > 0      ? "(found)"
                               : "-",
         time_text(made.general_s), are_made ? time_text(made.specialised_s) : "-",
         are_made && made.general_s > 0.0 ? short_text(made.general_s / made.specialised_s) : "-"});
    const std::string why = are_made ? "" : made.obstacle + "\n";
    if (obstacles.find(why) == std::string::npos) obstacles += why;
  }
  const bool any_made =
      std::ranges::any_of(kernels, [](const MadeKernels& made) { return made.obstacle.empty(); });
  const std::string kept =
      folder.empty()
          ? "they are kept nowhere: the cache folder is off, full, read-only, or not this "
            "user's alone\n"
          : "kept in " + printable(folder) + "\n";
  const bool any_open = std::ranges::any_of(
      kernels, [](const MadeKernels& made) { return made.obstacle.empty() && !made.complete; });
  return table.text() + obstacles +
         (any_open ? "+ runs would still teach them others: 'gradus compile' once more goes on\n"
                   : "") +
         (kernels.front().general_s > 0.0 ? "times of a design, on one thread\n" : "") +
         (any_made ? kept : "");
}

std::string check_table(const CheckReport& report) {
  if (report.lines.empty()) return "";
  Table table{"<objective",
              "<parameter",
              ">direct",
              ">adjoint deviation",
              ">dual deviation",
              ">rounding",
              ">difference deviation",
              ">difference error",
              ">" + report.refinement,
              "<verdict"};
  std::vector<std::string> names;
  for (const CheckLine& line : report.lines)
    if (line.objective == report.lines.front().objective) names.push_back(line.parameter);
  const ShownParameters shown(names);
  for (const CheckLine& line : report.lines) {
    if (line.passed && line.accurate && !shown.contains(line.parameter)) continue;
    table.row({line.objective, line.parameter, number_text(line.direct),
               short_text(line.adjoint_deviation), short_text(line.dual_deviation),
               short_text(line.rounding), short_text(line.difference_deviation),
               short_text(line.difference_error), short_text(line.refined_deviation),
               verdict_text(line)});
  }
  return table.text() + shown.remark() + "\n";
}

std::string check_findings(const CheckReport& report) {
  const auto line = [](const std::string& name, const CheckPart& part) {
    return name + (part.passed ? ": " : " FAILED: ") + part.message + "\n";
  };
  return line("derivative", report.derivative) + line("accuracy", report.accuracy) +
         line("model", report.model) + friction_text(report.friction) +
         (report.friction.empty() ? "" : "\n");
}

std::string check_verdict(const CheckReport& report) {
  if (report.passed) return "check passed";
  return "check FAILED: " + results::failed_parts(report);
}

}  // namespace gradus::cli
