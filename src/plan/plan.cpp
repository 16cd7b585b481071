// Views of a plan.
#include "src/plan/plan.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gradus {

void Plan::hold(const std::vector<HeldRow>& rows) {
  held_rows.insert(held_rows.end(), rows.begin(), rows.end());
  std::sort(held_rows.begin(), held_rows.end(), [](const HeldRow& a, const HeldRow& b) {
    return std::tie(a.coordinate, a.turn) < std::tie(b.coordinate, b.turn);
  });
  guess.resize(coordinates.size(), std::numeric_limits<double>::quiet_NaN());
  held.clear();
  for (const HeldRow& row : held_rows)
    held.push_back(row.turn < 0 ? row.coordinate
                                : coordinate_count() + 3 * row.coordinate + row.turn);
}

kernels::PlanView Plan::view() const {
  kernels::PlanView v{};
  static_cast<kernels::PlanNumbers&>(v) = *this;
#define GRADUS_ARRAY(TYPE, NAME, COUNT) \
  v.NAME = NAME.data();                 \
  v.COUNT = static_cast<int>(NAME.size());
  GRADUS_PLAN_ARRAYS(GRADUS_ARRAY)
#undef GRADUS_ARRAY
#define GRADUS_PROGRAM(NAME) v.NAME = NAME.view();
  GRADUS_PLAN_PROGRAMS(GRADUS_PROGRAM)
#undef GRADUS_PROGRAM
  v.independent_count = v.held_count;
  v.constraint_rank = v.coordinate_count - v.held_count;
  v.parameter_count = parameter_count();
  v.column_count = parameter_count();
  v.moment_at_origin = reference == Reference::rtdyn1 ? 1 : 0;
  for (const kernels::LawEntry& law : laws) {
    v.longest_law = std::max(v.longest_law, law.instruction_end - law.instruction_begin);
    v.widest_law = std::max(v.widest_law, law.input_end - law.input_begin);
  }
  for (const kernels::ElementEntry& element : elements) {
    v.element_size += element.count;
    if (element.touches_sensors != 0) v.sensors_touched = 1;
    const bool moves = kernels::is_locked_axis(element.kind);
    if (moves) v.moves_elements = 1;
    if (moves || element.kind == kernels::PartialKind::feature ||
        element.kind == kernels::PartialKind::law)
      v.loads_elements = 1;
  }
  return v;
}

}  // namespace gradus
