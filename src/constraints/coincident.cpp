// Two points are at one place.
#include "src/model/constraint_kind.hpp"

namespace gradus::constraints {

extern const ConstraintKind coincident{
    .key = "coincident",
    .of = ConstraintOf::two_points,
    .why_no_value = "points coincide or they do not",
    .unit_of_force = "N",
    .is_shown_against = true,
};

}  // namespace gradus::constraints
