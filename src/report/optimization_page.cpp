// The page of an optimisation: the optimum, its check, and the history.
#include <algorithm>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

const Json& best_of(const Json& summary) {
  const Json& starts = member(summary, "starts");
  static const Json none = nullptr;
  return starts.is_array() && best_start(summary) < starts.size() ? starts[best_start(summary)]
                                                                  : none;
}

// Which of `sides` the check found a variable or a constraint at, "" if none.
std::string activity(const Json& summary, const Json& entry,
                     std::initializer_list<const char*> sides) {
  const Json& active = member(member(summary, "check"), "active");
  for (const char* side : sides)
    if (std::count(active.begin(), active.end(), text_of(entry, "name") + " " + side) > 0)
      return side;
  return "";
}

// "psi1 + 2 psi2", "the largest of psi1, psi2"
std::string terms_text(const Json& terms, const std::string& combined) {
  const bool is_sum = combined.empty() || combined == "sum";
  std::string text;
  for (const Json& term : terms) {
    const double weight = number_of(term, "weight");
    text += !text.empty()             ? (is_sum ? " + " : ", ")
            : is_sum || terms.empty() ? ""
                                      : "the " + combined + " of ";
    if (weight != 1.0) text += number(weight).dump() + " ";
    text += text_of(term, "objective");
  }
  return text;
}

Json optimization_head(const Folder& folder) {
  const Json& summary = folder.summary;
  const Json& best = best_of(summary);
  const Json& check = member(summary, "check");
  Facts facts = common_facts(folder, "Optimisation");
  facts.add("optimiser", text_of(summary, "optimizer"))
      .add("status", text_of(summary, "status"))
      .add("minimised", terms_text(member(summary, "minimize"), text_of(summary, "combined")))
      .add("maximised", terms_text(member(summary, "maximize"), text_of(summary, "combined")))
      .add("its value at the optimum", number_of(summary, "objective"))
      .add("constraint violation", number_of(best, "constraint_violation"))
      .add("evaluations", number_of(summary, "evaluations"))
      .add("starts", static_cast<double>(member(summary, "starts").size()))
      .add("best start", number_of(summary, "best"))
      .add("ended because", text_of(best, "reason"));
  if (check.is_object())
    facts
        .add("check", (check.value("passed", false) ? "passed, by " : "not passed, by ") +
                          text_of(check, "method"))
        .add("deviation of the objective", number_of(check, "objective_deviation"))
        .add("deviation of the gradient", number_of(check, "gradient_deviation"))
        .add("stationarity", number_of(check, "stationarity"));
  return facts.block();
}

Json variable_table(const Json& summary) {
  const std::vector<Column> columns{
      text_column("variable", "name"),
      text_column("unit", "unit"),
      number_column("lower bound", "lower"),
      number_column("start", "start"),
      number_column("optimum", "optimum"),
      number_column("upper bound", "upper"),
      {"", "", true, [&](const Json& variable) {
         return activity(summary, variable, {"at its lower bound", "at its upper bound"});
       }}};
  return table("Variables", columns, rows_of(member(summary, "variables"), columns));
}

Json constraint_table(const Json& summary) {
  const Json& constraints = member(summary, "constraints");
  if (!constraints.is_array() || constraints.empty()) return nullptr;
  const std::vector<Column> columns{
      text_column("constraint", "name"),
      text_column("unit", "unit"),
      number_column("lower bound", "lower"),
      number_column("value", "value"),
      number_column("upper bound", "upper"),
      number_column("multiplier", "multiplier"),
      {"", "", true, [&](const Json& constraint) {
         const std::string side =
             activity(summary, constraint, {"at its minimum", "at its maximum"});
         return side.empty() && constraint.value("active", false) ? "met" : side;  // an equation
       }}};
  return table("Constraints", columns, rows_of(constraints, columns));
}

Json objective_table(const Json& summary) {
  const Json& objectives = member(summary, "objectives");
  if (!objectives.is_array() || objectives.empty()) return nullptr;
  const std::vector<Column> columns{text_column("objective", "name"),
                                    number_column("value", "value"), text_column("unit", "unit")};
  return table("Objectives at the optimum", columns, rows_of(objectives, columns));
}

Json gradient_at_optimum(const Json& summary) {
  std::vector<ScaledParameter> variables;
  Slopes slopes;
  slopes.what = "objective";
  for (const Json& variable : member(summary, "variables")) {
    variables.push_back(
        scaled_parameter({text_of(variable, "name"), text_of(variable, "unit")}, missing,
                         number_of(variable, "upper") - number_of(variable, "lower"),
                         number_of(variable, "optimum")));
    slopes.values.push_back(number_of(variable, "gradient"));
  }
  return gradient_plot("Gradient of the objective at the optimum", variables, {slopes});
}

}  // namespace

std::vector<Json> optimization_blocks(const Folder& folder) {
  const Json& summary = folder.summary;
  std::vector<Json> blocks{
      study_animation(folder, "variables", {{"optimum", "optimum"}, {"start", "start"}}),
      optimization_head(folder)};
  blocks.push_back(history_plot(folder, "evaluation",
                                {{"objective", "objective"},
                                 {"gradient_norm", "norm of the gradient"},
                                 {"constraint_violation", "constraint violation"}}));
  const std::string remark = text_of(member(summary, "check"), "remark");
  if (!remark.empty()) blocks.push_back(notice("warning", remark));
  blocks.push_back(variable_table(summary));
  blocks.push_back(constraint_table(summary));
  blocks.push_back(objective_table(summary));
  blocks.push_back(gradient_at_optimum(summary));
  blocks.push_back(evaluation_plot(folder));
  if (member(summary, "starts").size() > 1)
    blocks.push_back(
        start_table(summary, {number_column("objective", "objective"),
                              number_column("constraint violation", "constraint_violation"),
                              number_column("evaluations", "evaluations")}));
  return blocks;
}

}  // namespace gradus::report
