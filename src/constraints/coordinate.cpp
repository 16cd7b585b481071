// A coordinate of a joint is driven.
#include "src/model/constraint_kind.hpp"
#include "src/plan/constraint_draft.hpp"

namespace gradus::constraints {

extern const ConstraintKind coordinate{
    .key = "coordinate",
    .of = ConstraintOf::coordinate,
    .formula = [](const ConstraintFormula& f) { return f.coordinate(); },
    .value_says = "what the coordinate is kept at",
};

}  // namespace gradus::constraints
