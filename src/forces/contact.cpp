// A sphere or a point of a body that touches a surface of another: a force that presses them
// apart, and friction between them. docs/theory.md, section 22.
#include "src/forces/contact_laws.hpp"
#include "src/forces/kinds.hpp"
#include "src/plan/surface_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array<std::string_view, 4> contact_laws{"hunt-crossley", "flores",
                                                       "lankarani-nikravesh", "kelvin-voigt"};
constexpr std::array contact_keys{
    normal_key,
    height_key,
    not_negative_key("radius", "m"),
    choice_key("law", contact_laws),
    touch_key,
    not_negative_key("stiffness", "", true),
    at_least_one_key("exponent", ""),
    not_negative_key("damping", ""),
    not_negative_key("restitution_damping", "N s/m"),
    positive_key("damping_depth", "m"),
    share_key("restitution"),
    positive_key("impact_speed", "m/s"),
    not_negative_key("dynamic", ""),
    not_negative_key("static", ""),
    positive_key("transition_speed", "m/s"),
    positive_key("stribeck_speed", "m/s"),
};

std::string_view law_of_contact(const Force& force) {
  const std::string& law = text_of(force, "law");
  return law.empty() ? contact_laws[0] : std::string_view(law);
}

void require_beside(const Force& force, const char* key, const char* needed, const std::string& why,
                    const std::string& where) {
  if (force.find(key) != nullptr && force.find(needed) == nullptr)
    reject(where, "found the key " + in_quotes(key) + " without " + in_quotes(needed), why,
           "add " + in_quotes(needed));
}

void check_law_of_contact(const Force& force, const std::string& where) {
  const std::string_view law = law_of_contact(force);
  const bool bounces = law == "flores" || law == "lankarani-nikravesh";
  const auto refuse = [&](const char* key) {
    if (force.find(key) != nullptr)
      reject(where + "/" + key, "found the key " + in_quotes(key),
             "the law " + in_quotes(law) + " does not have it", "remove it");
  };
  if (bounces) {
    refuse("damping");
    for (const char* key : {"restitution", "impact_speed"})
      if (force.find(key) == nullptr)
        reject(where, "the key " + in_quotes(key) + " is missing",
               "the law " + in_quotes(law) + " needs it", "add it");
  } else {
    refuse("restitution");
    refuse("impact_speed");
  }
  if (law != "kelvin-voigt") {
    refuse("restitution_damping");
    refuse("damping_depth");
  }
  if (touches_by_events(force) && law != "kelvin-voigt")
    reject(where + "/touch", "found \"event\" with the law " + in_quotes(law),
           "its force does not jump", "remove \"touch\"");
  check_touch(force, where);
  require_beside(force, "restitution_damping", "damping", "it is the damping on the way out",
                 where);
}

void check_contact(const Force& force, const std::string& where) {
  check_surface(force, where);
  check_law_of_contact(force, where);
  require_beside(force, "dynamic", "transition_speed", "friction turns over a speed", where);
  require_beside(force, "transition_speed", "dynamic", "there is no friction without", where);
  require_beside(force, "static", "stribeck_speed",
                 "between static and dynamic friction lies a speed", where);
  require_beside(force, "stribeck_speed", "static",
                 "between static and dynamic friction lies a speed", where);
  require_beside(force, "static", "dynamic", "there is no friction without", where);
}

class Contact {
 public:
  explicit Contact(ForceDraft& force) : force_(force), surface_(force) {}

  Recorded gap(const ForceFormula& f) const {
    const Recorded above = surface_.view(f.law()).above;
    return f.says("radius") ? above - f.not_negative("radius") : above;
  }

  Recorded normal_force(const ForceFormula& f) const {
    const Recorded gap_now = gap(f);
    const Recorded rate = surface_.rate(f.law(), gap_now);
    const std::string_view law = law_of_contact(force_.force());
    if (law == "kelvin-voigt") return kelvin_voigt(f, gap_now, rate);
    if (law == "hunt-crossley") return with_hysteresis(f, gap_now, rate, f.not_negative("damping"));
    const Recorded e = f.share("restitution");
    const Recorded speed = f.positive("impact_speed");
    const Recorded damping =
        law == "flores" ? 8.0 * (1.0 - e) / (5.0 * e * speed) : 3.0 * (1.0 - e * e) / (4.0 * speed);
    return with_hysteresis(f, gap_now, rate, damping);
  }

  // Where the sphere touches, from its middle.
  Recorded3 touching(const ForceFormula& f) const {
    if (!f.says("radius")) return {0.0, 0.0, 0.0};
    return -f.not_negative("radius") * surface_.view(f.law()).normal;
  }

  Recorded3 sliding(const ForceFormula& f) const {
    const Recorded3 normal = surface_.view(f.law()).normal;
    const Recorded3 velocity = surface_.velocity(f.law(), touching(f));
    return velocity - dot(velocity, normal) * normal;
  }

  // Coulomb's law, smooth about rest.
  Recorded3 friction(const ForceFormula& f) const {
    const Recorded3 slip = sliding(f);
    const Recorded edge = f.positive("transition_speed");
    const Recorded least = 1e-6 * edge;
    const Recorded speed = sqrt(dot(slip, slip) + least * least);
    Recorded coefficient = f.not_negative("dynamic");
    if (f.says("static")) {
      const Recorded ratio = speed / f.positive("stribeck_speed");
      coefficient = coefficient + (f.not_negative("static") - coefficient) * exp(-(ratio * ratio));
    }
    return -(normal_force(f) * coefficient * tanh(speed / edge) / speed) * slip;
  }

  void write() {
    surface_.press([&](const ForceFormula& f) { return gap(f); },
                   [&](const ForceFormula& f) { return normal_force(f); });
    const double exponent = law_of_contact(force_.force()) == "kelvin-voigt" ? kLinear : kHertz;
    force_.store([&](const ForceFormula& f) { return elastic_energy(f, gap(f), exponent); });
    if (!force_.says("dynamic")) return;
    surface_.push([&](const ForceFormula& f) { return touching(f); },
                  [&](const ForceFormula& f) { return friction(f); });
  }

  void touch_and_part() const {
    forces::touch_and_part(force_, surface_, [&](const ForceFormula& f) { return gap(f); });
  }

  void show() {
    if (force_.is_shown("normal_force"))
      force_.show("normal_force", [&](const ForceFormula& f) { return normal_force(f); });
    if (force_.is_shown("sliding_speed"))
      force_.show("sliding_speed", [&](const ForceFormula& f) { return length(sliding(f)); });
    if (force_.is_shown("gap")) force_.show("gap", [&](const ForceFormula& f) { return gap(f); });
  }

 private:
  ForceDraft& force_;
  SurfaceDraft surface_;
};

void write_contact(ForceDraft& force) {
  Contact contact(force);
  contact.write();
  if (touches_by_events(force.force())) contact.touch_and_part();
  contact.show();
}

}  // namespace

extern const ForceKind contact{.type = "contact",
                               .acts_on = ActsOn::surface,
                               .keys = contact_keys,
                               .write = write_contact,
                               .check = check_contact,
                               .states = touch_states};

}  // namespace gradus::forces
