// Who touches what: the coordinates that move the features of an element, and the numbers that a
// parameter changes.
#pragma once

#include "src/plan/plan.hpp"
#include "src/plan/slot_table.hpp"

namespace gradus {

// Appends the coordinates that move any of the features, with bits for which; sets the range.
void add_touches(Plan& plan, const int* features, int feature_count, int& begin, int& end);

// Fills partials and directions from what the slots depend on.
void add_partials(Plan& plan, const SlotTable& slots);

}  // namespace gradus
