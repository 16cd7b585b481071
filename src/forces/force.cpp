// A force at a point.
#include "src/forces/kinds.hpp"
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array force_keys{
    ForceKey{"components", "N", ForceContent::law, 3, true},
    axes_key,
};

void write_force(ForceDraft& force) {
  for (int k = 0; k < 3; ++k) force.add_component("components", k, force.text("axes") == "body");
}

}  // namespace

extern const ForceKind force{"force", ActsOn::point, force_keys, write_force};

}  // namespace gradus::forces
