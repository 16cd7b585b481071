// A torque on a body.
#include "src/forces/kinds.hpp"
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array torque_keys{
    ForceKey{"components", "N m", ForceContent::law, 3, true},
    axes_key,
};

void write_torque(ForceDraft& force) {
  for (int k = 0; k < 3; ++k) force.add_component("components", k, force.text("axes") == "body");
}

}  // namespace

extern const ForceKind torque{"torque", ActsOn::body, torque_keys, write_torque};

}  // namespace gradus::forces
