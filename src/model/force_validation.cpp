// Gravity, forces and constraints: stiffnesses, laws, values and vectors are usable numbers.
#include <cmath>

#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

bool is_given(const Number& number) {
  return number.is_expression() || number.value() != 0.0;
}

void check_springs(const Model& model, NominalValues& nominal, const std::string& origin) {
  std::optional<LawCheck> laws;
  for (const SpringDamper& spring : model.springs) {
    const std::string where = origin + ": /forces/" + spring.name;
    if (spring.law.empty()) {
      nominal.value(spring.stiffness, where + "/stiffness");
      nominal.value(spring.damping, where + "/damping");
      nominal.value(spring.length, where + "/length");
      continue;
    }
    if (is_given(spring.stiffness) || is_given(spring.damping) || is_given(spring.length))
      reject(where, "found a law beside stiffness, damping or length",
             "the law states the whole tension", "remove one of them");
    if (!laws) laws.emplace(model, nominal, origin, LawPlace::force, keys::law_names);
    laws->nominal_value(spring.law, where + "/law");
  }
}

void check_loads(const Model& model, const NominalValues& nominal, const std::string& origin) {
  if (model.loads.empty() && model.joint_forces.empty()) return;
  LawCheck laws(model, nominal, origin, LawPlace::force);
  for (const Load& load : model.loads) {
    const std::string where = origin + ": /forces/" + load.name + "/components/";
    for (std::size_t i = 0; i < 3; ++i)
      laws.nominal_value(load.components[i], where + std::to_string(i));
  }
  for (const JointForce& force : model.joint_forces)
    laws.nominal_value(force.value, origin + ": /forces/" + force.name + "/value");
}

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

void check_forces(const Model& model, NominalValues& nominal, const std::string& origin) {
  nominal.value(model.gravity, origin + ": /gravity");
  check_springs(model, nominal, origin);
  for (const TorsionalSpringDamper& spring : model.torsional_springs) {
    const std::string where = origin + ": /forces/" + spring.name;
    nominal.value(spring.stiffness, where + "/stiffness");
    nominal.value(spring.damping, where + "/damping");
    nominal.value(spring.angle, where + "/angle");
  }
  for (const Bushing& bushing : model.bushings) {
    const std::string where = origin + ": /forces/" + bushing.name;
    nominal.value(bushing.stiffness, where + "/stiffness");
    nominal.value(bushing.damping, where + "/damping");
    nominal.value(bushing.torsional_stiffness, where + "/torsional_stiffness");
    nominal.value(bushing.torsional_damping, where + "/torsional_damping");
  }
  check_loads(model, nominal, origin);
}

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
