// An expression of velocities is kept at 0, as the side slip of a skate: positions are free to go
// anywhere. docs/theory.md, section 24.
#include "src/model/constraint_kind.hpp"

namespace gradus::constraints {

extern const ConstraintKind nonholonomic{
    .key = "nonholonomic",
    .of = ConstraintOf::rates,
    .why_no_value = "the expression itself is kept at 0",
    .unit_of_force = "W/unit",
};

}  // namespace gradus::constraints
