// The rows that an objective of a model has in results.
#include "src/model/objective_rows.hpp"

#include "src/model/message.hpp"

namespace gradus {

std::vector<std::string> objective_rows(const Objective& objective) {
  if (objective.kind != ObjectiveKind::value) return {objective.name};
  std::vector<std::string> names;
  for (const double time : objective.at) names.push_back(objective.name + "@" + to_text(time));
  return names;
}

}  // namespace gradus
