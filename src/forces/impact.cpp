// A sphere or a point of a body that bounces off a surface of another: an impulse along the normal
// at the instant at which they meet. docs/theory.md, section 25.
#include "src/forces/contact_laws.hpp"
#include "src/forces/kinds.hpp"
#include "src/plan/surface_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array impact_keys{
    normal_key,
    height_key,
    not_negative_key("radius", "m"),
    ForceKey{.name = "restitution",
             .unit = "",
             .required = true,
             .is_not_negative = true,
             .is_at_most_one = true},
};
constexpr std::array impact_states{
    ForceState{.name = "impulse", .key = "", .initial = "", .unit = "N s", .is_held = true}};

void write_impact(ForceDraft& force) {
  const SurfaceDraft surface(force);
  const auto gap = [&](const ForceFormula& f) {
    const Recorded above = surface.view(f.law()).above;
    return f.says("radius") ? above - f.not_negative("radius") : above;
  };
  force.strike("impulse", gap,
               [](const ForceFormula& f) { return f.share_or_nothing("restitution"); });
  if (force.is_shown("gap")) force.show("gap", gap);
}

}  // namespace

extern const ForceKind impact{.type = "impact",
                              .acts_on = ActsOn::surface,
                              .keys = impact_keys,
                              .write = write_impact,
                              .check = check_surface,
                              .states = impact_states};

}  // namespace gradus::forces
