// An expression of sensors is kept at 0.
#include "src/model/constraint_kind.hpp"
#include "src/plan/constraint_draft.hpp"

namespace gradus::constraints {

extern const ConstraintKind expression{
    .key = "expression",
    .of = ConstraintOf::expression,
    .formula = [](const ConstraintFormula& f) { return f.expression(); },
    .why_no_value = "the expression itself is kept at 0",
    .unit_of_force = "J/unit",
};

}  // namespace gradus::constraints
