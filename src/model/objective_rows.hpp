// The rows that an objective of a model has in results.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/message.hpp"

namespace gradus {

// Its name, or "name@time" for every time of a value.
inline std::vector<std::string> objective_rows(const Objective& objective) {
  if (objective.kind != ObjectiveKind::value) return {objective.name};
  std::vector<std::string> names;
  for (const double time : objective.at) names.push_back(objective.name + "@" + to_text(time));
  return names;
}

}  // namespace gradus
