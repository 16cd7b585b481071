// Constraints: values and vectors are usable numbers.
#include <cmath>

#include "src/model/keys.hpp"
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

void require_positive_distance(const std::optional<double>& value, const std::string& where) {
  if (!value || *value > 0.0) return;
  reject(where, "found " + to_text(*value), "a distance that is kept is above 0",
         *value == 0.0 ? "write \"coincident\" for points at one place" : "remove the sign");
}

}  // namespace

void check_constraints(const Model& model, const References& references, NominalValues& nominal,
                       const std::string& origin) {
  if (model.constraints.empty()) return;
  LawCheck values(model, nominal, origin, LawPlace::constraint_value);
  LawCheck expressions(model, nominal, origin, LawPlace::constraint);
  for (const Constraint& constraint : model.constraints) {
    const std::string where = origin + ": /constraints/" + constraint.name;
    switch (constraint.kind) {
      case ConstraintKind::distance:
        require_positive_distance(values.nominal_value(constraint.value, where + "/value"),
                                  where + "/value");
        break;
      case ConstraintKind::dot:
        require_length(constraint.first, references, nominal, where + "/dot/0");
        require_length(constraint.second, references, nominal, where + "/dot/1");
        values.nominal_value(constraint.value, where + "/value");
        break;
      case ConstraintKind::coordinate:
        values.nominal_value(constraint.value, where + "/value");
        break;
      case ConstraintKind::expression:
        if (expressions.uses_sensors(constraint.value, where + "/expression")) break;
        reject(where + "/expression", "found an expression without sensors",
               "no motion can change its value", hint_of_sensors(LawPlace::constraint));
      case ConstraintKind::coincident:
        break;
    }
  }
}

}  // namespace gradus
