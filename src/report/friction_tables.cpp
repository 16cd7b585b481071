// What joints with friction do in a run, as tables of its page.
#include <algorithm>
#include <set>

#include "src/report/pages.hpp"

namespace gradus::report {

Json friction_table(const Json& summary) {
  const Json& friction = member(summary, "friction");
  if (!friction.is_array() || friction.empty()) return nullptr;
  const auto beyond = [&](double limit) {
    return std::any_of(friction.begin(), friction.end(),
                       [&](const Json& entry) { return number_of(entry, "resolution") > limit; });
  };
  std::vector<Column> columns{
      text_column("joint", "joint"),
      text_column("slip", "slip"),
      text_column("force", "force"),
      text_column("behaviour", "verdict"),
      {"time below the threshold", "%", false,
       [](const Json& entry) { return number(100.0 * number_of(entry, "sticking"), 3); }},
      number_column("threshold", "threshold", "m/s"),
      number_column("changes", "changes")};
  if (beyond(0.0))
    columns.push_back(
        {"change of speed in a step, over the threshold", "", false, [](const Json& entry) {
           const double resolution = number_of(entry, "resolution");
           return resolution > 0.0 ? number(resolution, 3) : Json(nullptr);
         }});
  return table("Friction", columns, rows_of(friction, columns),
               beyond(1.0)
                   ? "Where the speed near the threshold changes by more than that in a step, "
                     "steps are too long for the law of friction."
                   : "");
}

Json halved_table(const Json& summary, const Designs& designs) {
  const Json& friction = member(summary, "friction");
  if (!friction.is_array()) return nullptr;
  const std::size_t p = designs.parameters.size();
  Json rows = Json::array();
  std::set<std::string> told;
  for (const Json& surface : friction) {
    const std::string smoothing = text_of(surface, "smoothing");
    const std::vector<double> changes = numbers_of(member(surface, "halved"));
    if (changes.size() != designs.objectives.size() || !told.insert(smoothing).second) continue;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      double expected = missing;
      for (std::size_t k = 0; k < p && !designs.gradient.empty(); ++k)
        if (designs.parameters[k].name == smoothing)
          expected = -0.5 * designs.parameter_values[k] * designs.gradient[i * p + k];
      rows.push_back({smoothing, designs.objectives[i].name, number(changes[i], 4),
                      number(expected, 4), designs.objectives[i].unit});
    }
  }
  if (rows.empty()) return nullptr;
  return table("Half the threshold speed",
               {{"parameter", "", true},
                {"objective", "", true},
                {"changes by", ""},
                {"by its derivative", ""},
                {"unit", "", true}},
               std::move(rows),
               "Where both numbers agree, dry friction without smoothing is about twice as far "
               "away. Where they do not, the threshold is too large to say so.");
}

}  // namespace gradus::report
