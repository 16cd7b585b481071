// Every derivative is judged on its own scale. Direct method, adjoint and dual numbers, which make
// the same sums in other orders, may differ by rounding: the scatter of the entry from design to
// design, where these are so near each other that nothing else is left. Terms that cancel leave a
// scatter as large as theirs, so that an entry that is zero has one of its own size. What
// differences may be wrong by is said in difference_errors.hpp.
#include "src/sensitivity/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "src/model/message.hpp"
#include "src/sensitivity/difference_errors.hpp"

namespace gradus {
namespace {

// Of the entry itself: round-off over thousands of steps stays well below this; a wrong derivative
// does not.
constexpr double kRounding = 1e-8;
// Where nothing scatters, as in a motion along an axis: of the largest entry of the row, and of the
// objective that a change of the whole parameter would change by less.
constexpr double kRowRounding = 1e-12;
constexpr double kLastPlaces = 1e-15;
// Then, an entry is zero if it is no more than this beside its row.
constexpr double kZero = 1e-6;
// Where others in the row are larger than their rounding, an entry that is not may be zero if
// rounding hides no more than this of the row.
constexpr double kHidden = 0.01;
// What finer steps may change, relative to the entry, and to what is large in the row.
constexpr double kAccuracy = 0.01;
constexpr double kRowAccuracy = 1e-4;

// What is large in a row: its largest entry; the objective, or the most that one of the parameters
// makes of it, as a whole.
struct RowScale {
  double entry = 0.0;
  double objective = 0.0;
  double whole = 0.0;
};

// A parameter of zero, or next to it, is no measure of itself.
double reference(double parameter) {
  return parameter == 0.0 ? 1.0 : std::max(std::abs(parameter), 1e-6);
}

RowScale row_scale(const Evidence& e, std::size_t objective) {
  RowScale scale;
  scale.objective = scale.whole = std::abs(e.objective_values[objective]);
  for (std::size_t p = 0; p < e.parameters.size(); ++p) {
    const double entry = std::abs(e.direct[objective * e.parameters.size() + p]);
    scale.entry = std::max(scale.entry, entry);
    scale.whole = std::max(scale.whole, entry * std::abs(e.parameter_values[p]));
  }
  return scale;
}

BestDifference best_of_sweep(const Evidence& e, std::size_t objective, std::size_t parameter) {
  const std::size_t k = objective * e.parameters.size() + parameter;
  std::vector<CentralDifference> sweep;
  for (const DifferenceEvidence& one : e.differences)
    sweep.push_back({one.step, one.widths[parameter], one.slopes[k]});
  return best_difference(sweep, e.objective_noise[objective]);
}

// `is_small`: beside what is large in the row.
CheckVerdict verdict_of(const CheckLine& line, bool is_small) {
  const bool has_dual = std::isfinite(line.dual);
  const bool has_difference = std::isfinite(line.difference);
  const bool agrees = line.adjoint_deviation <= line.rounding &&
                      (!has_dual || line.dual_deviation <= line.rounding) &&
                      (!has_difference || line.difference_deviation <= line.difference_error);
  if (!agrees) return CheckVerdict::wrong;
  if (has_dual && line.rounding == 1.0) return CheckVerdict::zero;
  if (has_difference && line.difference_error <= kLargestErrorOfProof) return CheckVerdict::proved;
  if (has_dual && line.rounding <= kLargestErrorOfProof) return CheckVerdict::proved_by_dual;
  return has_dual && is_small ? CheckVerdict::zero : CheckVerdict::undetermined;
}

// The size of an entry by the methods that know it.
double size_of(const CheckLine& line) {
  double size = 0.0;
  for (const double value : {line.direct, line.adjoint, line.dual})
    if (std::isfinite(value)) size = std::max(size, std::abs(value));
  return size;
}

CheckLine judge_entry(const Evidence& e, const RowScale& row, std::size_t o, std::size_t p) {
  const std::size_t k = o * e.parameters.size() + p;
  CheckLine line;
  line.objective = e.objectives[o];
  line.parameter = e.parameters[p];
  line.direct = e.direct[k];
  line.adjoint = e.adjoint[k];
  line.dual = e.dual[k];
  line.refined = e.refined[k];
  const BestDifference best = best_of_sweep(e, o, p);
  line.difference = best.slope;
  line.difference_step = best.step;
  const double size = size_of(line);
  const double parameter = reference(e.parameter_values[p]);
  const double rounding = kRounding * size + kLargestScatter * e.noise[k] +
                          kRowRounding * std::min(row.entry, row.whole / parameter) +
                          kLastPlaces * row.objective / parameter;
  line.scale = std::max(size, rounding);
  // Of a row of zeros nothing is large.
  const auto relative = [&](double x) { return x == 0.0 ? 0.0 : std::abs(x) / line.scale; };
  line.adjoint_deviation = relative(line.direct - line.adjoint);
  line.dual_deviation = relative(line.direct - line.dual);
  line.rounding = size > rounding ? relative(rounding) : 1.0;
  line.difference_deviation = relative(line.direct - line.difference);
  line.difference_error = relative(best.error + rounding + kLeastDifferenceError * size);
  line.refined_deviation = relative(line.direct - line.refined);
  const double change = kAccuracy * std::max(size, std::abs(line.refined)) +
                        2.0 * kLargestScatter * e.noise[k] + kRowAccuracy * row.whole / parameter;
  line.accurate = std::abs(line.direct - line.refined) <= change;
  line.verdict = verdict_of(line, size * parameter <= kZero * row.whole);
  line.passed = line.verdict == CheckVerdict::proved ||
                line.verdict == CheckVerdict::proved_by_dual || line.verdict == CheckVerdict::zero;
  return line;
}

// What rounding hides is no zero where it would matter beside the rest of its row. A row that is
// all rounding is zero.
void doubt_hidden(const Evidence& e, const RowScale& row, std::span<CheckLine> lines) {
  const bool shows = std::any_of(lines.begin(), lines.end(),
                                 [](const CheckLine& line) { return line.rounding < 1.0; });
  for (std::size_t p = 0; shows && p < lines.size(); ++p) {
    CheckLine& line = lines[p];
    const bool is_hidden = line.rounding == 1.0 && line.verdict == CheckVerdict::zero;
    if (!is_hidden || line.scale * reference(e.parameter_values[p]) <= kHidden * row.whole)
      continue;
    line.verdict = CheckVerdict::undetermined;
    line.passed = false;
  }
}

std::string entry_name(const CheckLine& line) {
  return in_quotes(line.objective) + " by " + in_quotes(line.parameter);
}

template <class Condition>
std::size_t count(const std::vector<CheckLine>& lines, const Condition& condition) {
  return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), condition));
}

std::size_t count(const std::vector<CheckLine>& lines, CheckVerdict verdict) {
  return count(lines, [&](const CheckLine& line) { return line.verdict == verdict; });
}

// Whether all lines have passed, and all are accurate; says which have not.
CheckPart derivative_part(const std::vector<CheckLine>& lines) {
  const std::size_t passed = count(lines, [](const CheckLine& line) { return line.passed; });
  CheckPart part;
  part.passed = passed == lines.size();
  part.message =
      std::to_string(passed) + " of " + std::to_string(lines.size()) + " derivatives agree";
  std::string among;
  if (const std::size_t zeros = count(lines, CheckVerdict::zero); zeros > 0)
    among = std::to_string(zeros) + " zero";
  if (const std::size_t some = count(lines, CheckVerdict::proved_by_dual); some > 0)
    among += (among.empty() ? "" : ", ") + std::to_string(some) +
             " by adjoint and dual numbers alone, since differences are too inexact or fail";
  if (!among.empty()) part.message += " (" + among + ")";
  for (const CheckVerdict verdict : {CheckVerdict::undetermined, CheckVerdict::wrong}) {
    const auto first = std::find_if(lines.begin(), lines.end(),
                                    [&](const CheckLine& line) { return line.verdict == verdict; });
    if (first == lines.end()) continue;
    part.message += "; " + std::to_string(count(lines, verdict)) +
                    (verdict == CheckVerdict::wrong ? " wrong" : " unknown") +
                    ", the first that of " + entry_name(*first);
    if (verdict == CheckVerdict::undetermined)
      part.message +=
          " (nothing contradicts it, but it scatters between designs next to this one, as beside a "
          "kink or where much cancels: look at designs further away, or choose smaller tolerances)";
  }
  return part;
}

CheckPart accuracy_part(const std::vector<CheckLine>& lines, const std::string& refinement) {
  const std::size_t coarse = count(lines, [](const CheckLine& line) { return !line.accurate; });
  CheckPart part;
  part.passed = coarse == 0;
  if (part.passed) {
    part.message =
        "at " + refinement +
        " no derivative changes by more than a hundredth, or by enough to matter to the objective";
    return part;
  }
  const auto worst =
      std::max_element(lines.begin(), lines.end(), [](const CheckLine& a, const CheckLine& b) {
        return (a.accurate ? -1.0 : a.refined_deviation) <
               (b.accurate ? -1.0 : b.refined_deviation);
      });
  part.message =
      "at " + refinement + " " + std::to_string(coarse) + " of " + std::to_string(lines.size()) +
      " derivatives change by more than a hundredth, most that of " + entry_name(*worst) +
      " from " + rounded_text(worst->direct, 6) + " to " + rounded_text(worst->refined, 6) +
      (refinement == kHalfTheStep           ? "; shorten the steps"
       : refinement == kTenthOfTheTolerance ? "; choose smaller tolerances, rtol and atol"
                                            : "");
  return part;
}

}  // namespace

std::string to_string(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::proved:
      return "proved";
    case CheckVerdict::proved_by_dual:
      return "proved_by_dual";
    case CheckVerdict::zero:
      return "zero";
    case CheckVerdict::undetermined:
      return "undetermined";
    case CheckVerdict::wrong:
      return "wrong";
  }
  return "unknown";
}

std::vector<CheckLine> judge(const Evidence& evidence) {
  std::vector<CheckLine> lines;
  for (std::size_t o = 0; o < evidence.objectives.size(); ++o) {
    const RowScale row = row_scale(evidence, o);
    for (std::size_t p = 0; p < evidence.parameters.size(); ++p)
      lines.push_back(judge_entry(evidence, row, o, p));
    doubt_hidden(evidence, row, std::span(lines).last(evidence.parameters.size()));
  }
  return lines;
}

CheckReport conclude(const CheckFindings& findings) {
  CheckReport report;
  report.model = findings.model;
  report.refinement = findings.refinement;
  if (findings.evidence.direct.empty() && !findings.model.passed) {
    report.derivative.message = report.accuracy.message = "nothing to look at: the motion fails";
    return report;
  }
  report.lines = judge(findings.evidence);
  report.derivative = derivative_part(report.lines);
  report.accuracy = accuracy_part(report.lines, findings.refinement);
  if (!findings.refinement_failure.empty())
    report.accuracy = {
        false, "at " + findings.refinement + " the motion fails: " + findings.refinement_failure};
  report.passed = report.derivative.passed && report.accuracy.passed && report.model.passed;
  return report;
}

}  // namespace gradus
