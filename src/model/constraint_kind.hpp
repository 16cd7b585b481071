// The kinds of constraints that there are. Each is one file of src/constraints, which says of what
// it is and what it keeps; reading, checks, laws, sensors and pages go by that.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gradus/model.hpp"

namespace gradus {

class ConstraintFormula;  // src/plan/constraint_draft.hpp
class Recorded;           // src/plan/recorded.hpp

// What a constraint names. An expression names sensors of positions, or of velocities: `rates`, a
// nonholonomic constraint, which has no rows (src/plan/rate_constraint.hpp).
enum class ConstraintOf { two_points, two_vectors, coordinate, expression, rates };

constexpr bool is_expression(ConstraintOf of) {
  return of == ConstraintOf::expression || of == ConstraintOf::rates;
}

struct ConstraintKind {
  std::string_view key;  // of model files, and Constraint::type
  ConstraintOf of;
  // What is kept at the value; null: the two points are one, three equations. Of rates what is kept
  // at 0 is the expression itself.
  Recorded (*formula)(const ConstraintFormula& f) = nullptr;
  // Of the key "value": why there is none; or what it says, of which nothing need be known where it
  // is 0 if it is not said.
  std::string_view why_no_value = {};
  std::string_view value_says = {};
  // Throws InputError, beginning with `where`, if the value at the nominal parameters makes no
  // sense.
  void (*check_value)(double value, const std::string& where) = nullptr;
  // Of the generalised force that keeps it; empty: that of the coordinate, per its own unit.
  std::string_view unit_of_force = {};
  // Whether that is shown against the derivative of what is kept, as the one that pulls the ends of
  // a distance together, or that acts on the second of two places; others work on what is kept.
  bool is_shown_against = false;
};

// All of them, by key. The build makes the table of the files in src/constraints.
std::span<const ConstraintKind* const> constraint_kinds();

// Of a constraint that was checked.
const ConstraintKind& kind_of(const Constraint& constraint);

inline int row_count(const ConstraintKind& kind) {
  return kind.formula == nullptr && kind.of == ConstraintOf::two_points ? 3 : 1;
}
inline bool has_value(const ConstraintKind& kind) {
  return kind.why_no_value.empty();
}

}  // namespace gradus
