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
  force.store([](const ForceFormula& f) {
    const Recorded turn = f.coordinate() - f["angle"];
    return 0.5 * f["stiffness"] * turn * turn;
  });
  force.push([](const ForceFormula& f) {
    return -(f["stiffness"] * (f.coordinate() - f["angle"]) + f["damping"] * f.rate());
  });
}

}  // namespace

extern const ForceKind torsional_spring_damper{"torsional-spring-damper", ActsOn::coordinate,
                                               torsional_keys, write_torsional, check_torsional};

}  // namespace gradus::forces
