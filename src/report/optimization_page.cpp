// The page of an optimisation: the optimum, its check, and the way there.
#include <algorithm>
#include <cmath>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

std::size_t best_of(const Json& summary) {
  const double best = number_of(summary, "best");
  return best >= 0.0 && best < 1e9 ? static_cast<std::size_t>(best) : 0;
}

const Json& best_start(const Json& summary) {
  const Json& starts = member(summary, "starts");
  static const Json none = nullptr;
  return starts.is_array() && best_of(summary) < starts.size() ? starts[best_of(summary)] : none;
}

// Whether a value lies on a bound, as far as its digits tell.
bool lies_on(double value, double bound) {
  return std::abs(value - bound) <= 1e-6 * std::max(1e-3, std::abs(bound));
}

std::string activity(double value, double lower, double upper) {
  if (lies_on(value, lower) && lies_on(value, upper)) return "met";
  if (lies_on(value, lower)) return "at its lower bound";
  if (lies_on(value, upper)) return "at its upper bound";
  return "";
}

// "psi1 + 2 psi2"
std::string terms_text(const Json& terms) {
  std::string text;
  for (const Json& term : terms) {
    const double weight = number_of(term, "weight");
    text += text.empty() ? "" : " + ";
    if (weight != 1.0) text += number(weight).dump() + " ";
    text += text_of(term, "objective");
  }
  return text;
}

Json head(const Folder& folder) {
  const Json& summary = folder.summary;
  const Json& best = best_start(summary);
  const Json& check = member(summary, "check");
  Facts facts = common_facts(folder, "Optimisation");
  facts.add("optimiser", text_of(summary, "optimizer"))
      .add("status", text_of(summary, "status"))
      .add("minimised", terms_text(member(summary, "minimize")))
      .add("maximised", terms_text(member(summary, "maximize")))
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
  Json rows = Json::array();
  const Json& variables = member(summary, "variables");
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const Json& variable = variables[k];
    const double lower = number_of(variable, "lower"), upper = number_of(variable, "upper");
    const double value = number_of(variable, "optimum");
    rows.push_back({text_of(variable, "name"), text_of(variable, "unit"), number(lower),
                    number(number_of(variable, "start")), number(value), number(upper),
                    activity(value, lower, upper)});
  }
  return table("Variables",
               {{"variable", "", true},
                {"unit", "", true},
                {"lower bound", ""},
                {"start", ""},
                {"optimum", ""},
                {"upper bound", ""},
                {"", "", true}},
               std::move(rows));
}

Json constraint_table(const Json& summary) {
  const Json& constraints = member(summary, "constraints");
  if (!constraints.is_array() || constraints.empty()) return nullptr;
  Json rows = Json::array();
  for (const Json& constraint : constraints) {
    const double lower = number_of(constraint, "lower"), upper = number_of(constraint, "upper");
    const double value = number_of(constraint, "value");
    const std::string activity_text = activity(value, lower, upper);
    const bool is_active = constraint.value("active", false);
    rows.push_back({text_of(constraint, "name"), text_of(constraint, "unit"), number(lower),
                    number(value), number(upper), number(number_of(constraint, "multiplier")),
                    is_active && activity_text.empty() ? "active" : activity_text});
  }
  return table("Constraints",
               {{"constraint", "", true},
                {"unit", "", true},
                {"lower bound", ""},
                {"value", ""},
                {"upper bound", ""},
                {"multiplier", ""},
                {"", "", true}},
               std::move(rows));
}

Json objective_table(const Json& summary) {
  const Json& objectives = member(summary, "objectives");
  if (!objectives.is_array() || objectives.empty()) return nullptr;
  Json rows = Json::array();
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    rows.push_back({text_of(objectives[i], "name"), number(number_of(objectives[i], "value")),
                    text_of(objectives[i], "unit")});
  }
  return table("Objectives at the optimum",
               {{"objective", "", true}, {"value", ""}, {"unit", "", true}}, std::move(rows));
}

Json gradient_plot(const Json& summary) {
  const Json& variables = member(summary, "variables");
  std::vector<std::string> names, named_units;
  BarSeries entries, relative;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const std::string unit = text_of(variables[k], "unit");
    names.push_back(text_of(variables[k], "name"));
    named_units.push_back(names.back() + (unit.empty() ? "" : " [" + unit + "]"));
    const double entry = number_of(variables[k], "gradient");
    entries.values.push_back(entry);
    relative.values.push_back(entry * number_of(variables[k], "optimum"));
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (std::none_of(entries.values.begin(), entries.values.end(), is_finite)) return nullptr;
  Json choices = {bars("per relative change", "", names, {relative}),
                  bars("per parameter", "", named_units, {entries})};
  choices[0]["axis"] = "change of the objective per relative change";
  choices[1]["axis"] = "derivative of the objective, per unit of the parameter";
  return plot("bars", "Gradient of the objective at the optimum", std::move(choices));
}

Json start_table(const Json& summary) {
  constexpr std::size_t shown = 50;
  const Json& starts = member(summary, "starts");
  if (!starts.is_array() || starts.size() < 2) return nullptr;
  Json rows = Json::array();
  for (std::size_t i = 0; i < std::min(shown, starts.size()); ++i)
    rows.push_back({i, number(number_of(starts[i], "objective")),
                    number(number_of(starts[i], "constraint_violation")),
                    number(number_of(starts[i], "evaluations")),
                    starts[i].value("converged", false) ? "yes" : "no",
                    text_of(starts[i], "reason")});
  return table("Starts",
               {{"start", ""},
                {"objective", ""},
                {"constraint violation", ""},
                {"evaluations", ""},
                {"converged", "", true},
                {"ended because", "", true}},
               std::move(rows),
               starts.size() > shown ? "The first " + std::to_string(shown) + " of " +
                                           std::to_string(starts.size()) + " starts are shown."
                                     : "");
}

}  // namespace

std::vector<Json> optimization_blocks(const Folder& folder) {
  const Json& summary = folder.summary;
  std::vector<Json> blocks{head(folder)};
  blocks.push_back(history_plot(CsvTable(folder.path / "history.csv"), "evaluation",
                                best_of(summary),
                                {{"objective", "objective", ""},
                                 {"gradient_norm", "norm of the gradient", ""},
                                 {"constraint_violation", "constraint violation", ""}}));
  const std::string remark = text_of(member(summary, "check"), "remark");
  if (!remark.empty()) blocks.push_back(notice("warning", remark));
  blocks.push_back(variable_table(summary));
  blocks.push_back(constraint_table(summary));
  blocks.push_back(objective_table(summary));
  blocks.push_back(gradient_plot(summary));
  Point start{"start", {}}, optimum{"optimum", {}};
  const Json& variables = member(summary, "variables");
  for (const Json& variable : variables) {
    const std::string name = text_of(variable, "name");
    start.values[name] = number_of(variable, "start");
    optimum.values[name] = number_of(variable, "optimum");
  }
  blocks.push_back(study_animation(folder, {optimum, start}));
  blocks.push_back(start_table(summary));
  return blocks;
}

}  // namespace gradus::report
