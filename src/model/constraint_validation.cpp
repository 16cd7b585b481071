// Constraints: values and vectors are usable numbers.
#include <cmath>

#include "src/model/constraint_kind.hpp"
#include "src/model/message.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

void require_length(const std::string& vector, const References& references, NominalValues& nominal,
                    const std::string& where) {
  const std::array<double, 3> v =
      nominal.value(*references.vector(vector, where).components, where);
  const double length = std::hypot(v[0], v[1], v[2]);
  if (length > 0.0) return;
  reject(where, "found a vector of length " + to_text(length), "its product with any other is 0",
         "expected a vector such as [0, 0, 1]");
}

}  // namespace

void check_constraint_type(const Constraint& constraint, const std::string& where) {
  std::vector<std::string> types;
  for (const ConstraintKind* const kind : constraint_kinds()) types.emplace_back(kind->key);
  require_among(types, constraint.type, where, "there is no such type of constraint");
}

void check_constraints(const Model& model, const References& references, NominalValues& nominal,
                       const std::string& origin) {
  if (model.constraints.empty()) return;
  LawCheck values(model, nominal, origin, LawPlace::constraint_value);
  LawCheck expressions(model, nominal, origin, LawPlace::constraint);
  LawCheck rates(model, nominal, origin, LawPlace::rate_constraint);
  for (const Constraint& constraint : model.constraints) {
    const std::string where = origin + ": /constraints/" + constraint.name;
    const ConstraintKind& kind = kind_of(constraint);
    const std::string at = where + "/" + std::string(kind.key);
    if (kind.of == ConstraintOf::two_vectors) {
      require_length(constraint.first, references, nominal, at + "/0");
      require_length(constraint.second, references, nominal, at + "/1");
    }
    if (kind.of == ConstraintOf::expression && !expressions.uses_sensors(constraint.value, at))
      reject(at, "found an expression without sensors", "no motion can change its value",
             hint_of_sensors(LawPlace::constraint));
    if (kind.of == ConstraintOf::rates && !rates.uses_sensors(constraint.value, at))
      reject(at, "found an expression without sensors", "no motion can change its value",
             hint_of_sensors(LawPlace::rate_constraint));
    if (!has_value(kind)) continue;
    const std::optional<double> value = values.nominal_value(constraint.value, where + "/value");
    if (value && kind.check_value != nullptr) kind.check_value(*value, where + "/value");
  }
}

}  // namespace gradus
