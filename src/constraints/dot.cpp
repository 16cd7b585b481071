// The product of two vectors is kept.
#include "src/model/constraint_kind.hpp"
#include "src/plan/constraint_draft.hpp"

namespace gradus::constraints {

extern const ConstraintKind dot{
    .key = "dot",
    .of = ConstraintOf::two_vectors,
    .formula = [](const ConstraintFormula& f) { return gradus::dot(f.vector(0), f.vector(1)); },
    .unit_of_force = "N m",
};

}  // namespace gradus::constraints
