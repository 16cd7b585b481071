// Gravity, stiffnesses and laws of forces are usable numbers.
#include "src/model/keys.hpp"
#include "src/model/law_check.hpp"
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
    if (is_given(spring.stiffness) || is_given(spring.damping) || is_given(spring.length)) {
      reject(where, "found a law beside stiffness, damping or length",
             "the law states the whole tension", "remove one of them");
    }
    if (!laws) laws.emplace(model, nominal, origin, LawPlace::force, keys::law_names);
    laws->require_valid(spring.law, where + "/law");
  }
}

void check_loads(const Model& model, const NominalValues& nominal, const std::string& origin) {
  if (model.loads.empty() && model.joint_forces.empty()) return;
  LawCheck laws(model, nominal, origin, LawPlace::force);
  for (const Load& load : model.loads) {
    const std::string where = origin + ": /forces/" + load.name + "/components/";
    for (std::size_t i = 0; i < 3; ++i)
      laws.require_valid(load.components[i], where + std::to_string(i));
  }
  for (const JointForce& force : model.joint_forces)
    laws.require_valid(force.value, origin + ": /forces/" + force.name + "/value");
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

}  // namespace gradus
