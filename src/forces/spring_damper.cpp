// Tension stiffness (l - length) + damping dl/dt between two points at the distance l, or a law of
// l and dl/dt. docs/theory.md, section 5.
#include "src/model/message.hpp"
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array<std::string_view, 2> spring_locals{"length", "rate"};
constexpr std::array spring_keys{
    ForceKey{"stiffness", "N/m"},
    ForceKey{"damping", "N s/m"},
    ForceKey{"length", "m"},
    ForceKey{.name = "law", .unit = "N", .content = ForceContent::law, .locals = spring_locals},
};

void check_spring(const Force& force, const std::string& where) {
  const auto says = [&force](const char* key) { return force.find(key) != nullptr; };
  if (says("law")) {
    for (const char* key : {"stiffness", "damping", "length"})
      if (says(key))
        reject(where, "found the keys \"law\" and " + in_quotes(key),
               "the law states the whole tension", "remove one of them");
    return;
  }
  if (!says("stiffness") && !says("damping"))
    reject(where, "neither \"stiffness\" nor \"damping\"", "there is no force without",
           "add one of them");
  if (says("stiffness") && !says("length"))
    reject(where, "the key \"length\" is missing", "a spring needs its natural length in metres",
           "add it");
}

void write_spring(ForceDraft& force) {
  if (force.says("law")) return force.pull([](const ForceFormula& f) { return f["law"]; });
  force.store([](const ForceFormula& f) {
    const Recorded extension = f.length() - f["length"];
    return 0.5 * f["stiffness"] * extension * extension;
  });
  force.pull([](const ForceFormula& f) {
    return f["stiffness"] * (f.length() - f["length"]) + f["damping"] * f.rate();
  });
}

}  // namespace

extern const ForceKind spring_damper{"spring-damper", ActsOn::line, spring_keys, write_spring,
                                     check_spring};

}  // namespace gradus::forces
