// Torque -(linear + quadratic |w|) w against the rate w of a coordinate: laminar and turbulent
// flow through the gap of a damper.
#include "src/model/message.hpp"
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array rotary_damper_keys{
    ForceKey{"linear", ""},
    ForceKey{"quadratic", ""},
};

void check_rotary_damper(const Force& force, const std::string& where) {
  if (force.find("linear") != nullptr || force.find("quadratic") != nullptr) return;
  reject(where, "neither \"linear\" nor \"quadratic\"", "there is no force without",
         "add one of them");
}

void write_rotary_damper(ForceDraft& force) {
  force.push([](const ForceFormula& f) {
    return -((f["linear"] + f["quadratic"] * abs(f.rate())) * f.rate());
  });
}

}  // namespace

extern const ForceKind rotary_damper{.type = "rotary-damper",
                                     .acts_on = ActsOn::coordinate,
                                     .keys = rotary_damper_keys,
                                     .write = write_rotary_damper,
                                     .check = check_rotary_damper,
                                     .reads_place = false};

}  // namespace gradus::forces
