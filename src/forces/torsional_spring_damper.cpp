// Torque - stiffness (z - angle) - damping dz/dt on a coordinate z (a force, if it is a length).
// docs/theory.md, section 5.
#include "src/model/message.hpp"
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array torsional_keys{ForceKey{"stiffness", ""}, ForceKey{"damping", ""},
                                    ForceKey{"angle", ""}};

void check_torsional(const Force& force, const std::string& where) {
  if (force.find("stiffness") != nullptr || force.find("damping") != nullptr) return;
  reject(where, "neither \"stiffness\" nor \"damping\"", "there is no force without",
         "add one of them");
}

void write_torsional(ForceDraft& force) {
  Draft& draft = force.draft();
  const int coordinate = force.coordinate();
  const int slot = draft.slots.add(
      Nodes3{force.constant("stiffness"), force.constant("damping"), force.constant("angle")});
  draft.plan.torsionals.push_back({coordinate, slot});
  draft.plan.torsional_names.push_back(force.name());
}

}  // namespace

extern const ForceKind torsional_spring_damper{"torsional-spring-damper", ActsOn::coordinate,
                                               torsional_keys, write_torsional, check_torsional};

}  // namespace gradus::forces
