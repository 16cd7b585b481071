// Bushings: linear in the displacement and the rotation vector, and in their rates. The elastic
// part is the slope of an energy; dampers act against the relative angular velocity.
// docs/theory.md, section 4.
#include "src/model/message.hpp"
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array bushing_keys{
    ForceKey{.name = "stiffness", .unit = "N/m", .size = 3},
    ForceKey{.name = "damping", .unit = "N s/m", .size = 3},
    ForceKey{.name = "torsional_stiffness", .unit = "N m/rad", .size = 3},
    ForceKey{.name = "torsional_damping", .unit = "N m s/rad", .size = 3},
};

void check_bushing(const Force& force, const std::string& where) {
  for (const ForceKey& key : bushing_keys)
    if (force.find(key.name) != nullptr) return;
  reject(where, "no stiffness and no damping", "there is no force without",
         "add \"stiffness\", \"damping\", \"torsional_stiffness\" or \"torsional_damping\"");
}

RecordedWrench resistance(const ForceFormula& f) {
  return {times(f.vector("stiffness"), f.displacement()) + times(f.vector("damping"), f.velocity()),
          f.torque_of(times(f.vector("torsional_stiffness"), f.rotation())) +
              times(f.vector("torsional_damping"), f.angular_velocity())};
}

Recorded energy(const ForceFormula& f) {
  const Recorded3 d = f.displacement();
  const Recorded3 phi = f.rotation();
  return 0.5 * (dot(f.vector("stiffness"), times(d, d)) +
                dot(f.vector("torsional_stiffness"), times(phi, phi)));
}

void write_bushing(ForceDraft& force) {
  force.resist(resistance);
  force.store(energy);
}

}  // namespace

extern const ForceKind bushing{"bushing", ActsOn::bodies, bushing_keys, write_bushing,
                               check_bushing};

}  // namespace gradus::forces
