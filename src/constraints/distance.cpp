// The distance of two points is kept.
#include "src/model/constraint_kind.hpp"
#include "src/model/message.hpp"
#include "src/plan/constraint_draft.hpp"

namespace gradus::constraints {
namespace {

void check_distance(double value, const std::string& where) {
  if (value > 0.0) return;
  reject(where, "found " + to_text(value), "a distance that is kept is above 0",
         value == 0.0 ? "write \"coincident\" for points at one place" : "remove the sign");
}

}  // namespace

extern const ConstraintKind distance{
    .key = "distance",
    .of = ConstraintOf::two_points,
    .formula = [](const ConstraintFormula& f) { return f.length(); },
    .value_says = "what the distance is kept at",
    .check_value = check_distance,
    .unit_of_force = "N",
    .is_shown_against = true,
};

}  // namespace gradus::constraints
