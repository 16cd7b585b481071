// Designs as lines across parallel axes: of all designs as many as can be drawn.
#include <algorithm>

#include "src/report/pages.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t most_axes_across = 12;

}  // namespace

Json parallel_plot(const std::string& title, const std::vector<ParallelAxis>& axes,
                   const std::vector<Outcome>& states, const std::vector<std::string>& labels,
                   std::size_t total) {
  if (states.empty() || axes.size() < 2) return nullptr;
  const auto results = static_cast<std::size_t>(std::count_if(
      axes.begin(), axes.end(), [](const ParallelAxis& axis) { return !axis.is_parameter; }));
  // Results are never left out for parameters.
  const std::size_t room = most_axes_across - std::min(results, most_axes_across);
  Json shown = Json::array();
  std::size_t parameters = 0;
  for (const ParallelAxis& axis : axes)
    if (!axis.is_parameter || ++parameters <= room)
      shown.push_back({{"name", axis.thing.name},
                       {"unit", axis.thing.unit},
                       {"is_parameter", axis.is_parameter},
                       {"values", numbers(axis.values)}});
  std::string note =
      "Drag on an axis to see only the designs within that range; a click there takes it away.";
  if (states.size() < total)
    note += " " + std::to_string(states.size()) + " of " + std::to_string(total) + " are shown.";
  if (parameters > room) note += " " + first_shown(room, parameters, "parameters");
  return {{"kind", "parallel"}, {"title", title},   {"axes", std::move(shown)},
          {"states", states},   {"labels", labels}, {"note", note}};
}

}  // namespace gradus::report
