// A force or torque on a coordinate, which the user states as a law.
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array joint_force_keys{ForceKey{"value", "", ForceContent::law, 1, true}};

void write_joint_force(ForceDraft& force) {
  force.push([](const ForceFormula& f) { return f["value"]; });
}

}  // namespace

extern const ForceKind joint_force{.type = "joint-force",
                                   .acts_on = ActsOn::coordinate,
                                   .keys = joint_force_keys,
                                   .write = write_joint_force,
                                   .reads_place = false};

}  // namespace gradus::forces
