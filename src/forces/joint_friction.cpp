// Friction in a joint: what its bearings carry, from the joint's reactions, times a law of the
// speed with which its surfaces slide on each other. docs/theory.md, section 20.
#include <algorithm>
#include <initializer_list>

#include "src/forces/friction_laws.hpp"
#include "src/forces/kinds.hpp"
#include "src/model/message.hpp"

namespace gradus::forces {
namespace {

using namespace friction;

constexpr std::array friction_keys{
    choice_key("law", laws),
    not_negative_key("static", ""),
    not_negative_key("dynamic", ""),
    not_negative_key("viscous", "N s/m"),
    positive_key("transition_speed", "m/s"),
    positive_key("stribeck_speed", "m/s"),
    positive_key("radius", "m"),
    positive_key("length", "m"),
    ForceKey{"offset", "m"},
    positive_key("width", "m"),
    choice_key("load", loads),
    choice_key("bearing", bearings),
    choice_key("slip", slips),
    positive_key("pressure_factor", ""),
    not_negative_key("preload", "N"),
    positive_key("smoothing", "N"),
    positive_key("speed_smoothing", "m/s"),
    positive_key("bristle_stiffness", ""),
    positive_key("bristle_damping", ""),
    positive_key("dwell_time", "s"),
};

[[noreturn]] void refuse(const std::string& where, std::string_view key, const std::string& why) {
  reject(where + "/" + std::string(key), "found the key " + in_quotes(key), why, "remove it");
}

void require(const Force& force, std::string_view key, const std::string& why,
             const std::string& where) {
  if (!says(force, key)) reject(where, "the key " + in_quotes(key) + " is missing", why, "add it");
}

struct LawKeys {
  std::string_view law;
  std::vector<std::string_view> required, optional;
};

// Of the keys that belong to laws.
const LawKeys& keys_of_law(std::string_view law) {
  static const std::array<LawKeys, 5> table{{
      {"brown-mcphee", {"static", "dynamic", "transition_speed"}, {"viscous", "speed_smoothing"}},
      {"coulomb",
       {"dynamic", "transition_speed"},
       {"static", "stribeck_speed", "viscous", "speed_smoothing"}},
      {"viscous", {"viscous"}, {}},
      {"lugre",
       {"static", "dynamic", "stribeck_speed", "bristle_stiffness"},
       {"bristle_damping", "viscous", "speed_smoothing"}},
      {"gonthier",
       {"static", "dynamic", "stribeck_speed", "bristle_stiffness", "bristle_damping",
        "dwell_time"},
       {"viscous", "speed_smoothing"}},
  }};
  return *std::find_if(table.begin(), table.end(), [law](auto& keys) { return keys.law == law; });
}

void check_law(const Force& force, const std::string& where) {
  static constexpr std::array<std::string_view, 9> of_laws{
      "static",         "dynamic",         "viscous",           "transition_speed",
      "stribeck_speed", "speed_smoothing", "bristle_stiffness", "bristle_damping",
      "dwell_time"};
  const LawKeys& keys = keys_of_law(law_of(force));
  const std::string law = "the law " + in_quotes(keys.law);
  for (const std::string_view key : keys.required) require(force, key, law + " needs it", where);
  for (const std::string_view key : of_laws) {
    const auto among = [key](const std::vector<std::string_view>& list) {
      return std::find(list.begin(), list.end(), key) != list.end();
    };
    if (says(force, key) && !among(keys.required) && !among(keys.optional))
      refuse(where, key, law + " does not have it");
  }
  if (keys.law == "coulomb" && says(force, "static") != says(force, "stribeck_speed"))
    require(force, says(force, "static") ? "stribeck_speed" : "static",
            "between static and dynamic friction lies a speed", where);
}

void check_on_joint(const Force& force, JointType type, const std::string& where) {
  const std::string joint = "friction in a " + std::string(name_of(type)) + " joint";
  const bool reads_load = law_of(force) != "viscous";
  if (turn_count(type) > 0 && type != JointType::planar)
    require(force, "radius", joint + " acts at a radius", where);
  if (turn_count(type) == 0 && says(force, "radius"))
    refuse(where, "radius", joint + " turns nothing");
  if (type != JointType::cylindrical && says(force, "slip"))
    refuse(where, "slip", "only a cylindrical joint slides and turns on one surface");
  const auto refuse_all = [&](std::initializer_list<std::string_view> keys,
                              const std::string& why) {
    for (const std::string_view key : keys)
      if (says(force, key)) refuse(where, key, why);
  };
  if (!reads_load)
    refuse_all(
        {"load", "length", "offset", "width", "bearing", "pressure_factor", "preload", "smoothing"},
        "viscous friction does not depend on the load");
  if (!has_pins(type) && type != JointType::prismatic)
    refuse_all({"load", "length", "offset", "bearing"}, joint + " knows no bearing length");
  if (type == JointType::cardan)
    refuse_all({"offset", "bearing"}, "the pins of a cardan joint lie about its centre");
  if (type == JointType::revolute)
    refuse_all({"bearing"}, "parent and child meet at the point of a revolute joint");
  if (type != JointType::prismatic) refuse_all({"width"}, joint + " knows no width");
  if (type == JointType::prismatic || type == JointType::planar)
    refuse_all({"pressure_factor"}, joint + " has flat surfaces");
  const bool has_direction = law_of(force) == "lugre" || law_of(force) == "gonthier" ||
                             type == JointType::planar || type == JointType::spherical ||
                             chosen(force, "slip", slips) == "combined";
  if (!has_direction)
    refuse_all({"speed_smoothing"},
               "the speed of a surface that slides one way has no size to smooth");
  if (!reads_load) return;
  if (!counts_moments(force, type))
    return refuse_all({"length", "offset", "width", "bearing"},
                      "the moments of the joint do not count");
  require(force, "length",
          "the moments of the joint press on the ends of a bearing of that length (unless "
          "\"load\" is \"force\")",
          where);
  if (type == JointType::prismatic)
    require(force, "width",
            "the moment about the axis presses on edges at that distance from it (unless "
            "\"load\" is \"force\")",
            where);
}

std::vector<std::string_view> sensors_read(const Force& force, JointType type) {
  if (law_of(force) == "viscous") return {};
  if (counts_moments(force, type)) return {"reaction_force", "reaction_moment"};
  return {"reaction_force"};
}

std::vector<ForceState> friction_states(const Force& force, JointType type) {
  std::vector<ForceState> states;
  const bool dwells = law_of(force) == "gonthier";
  if (!dwells && law_of(force) != "lugre") return states;
  const std::vector<Surface> surfaces = surfaces_of(force, type);
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    for (const int k : surfaces[s]) states.push_back({bristle_name(k), "", "", "m"});
    if (dwells) states.push_back({dwell_name(s), "", "", "1"});
  }
  return states;
}

// Pins of a cardan joint have normal forces of their own, all other slips of a joint share one.
int numbers_shown(const Force& force, JointType type, std::string_view sensor) {
  if (sensor == "normal_force")
    return law_of(force) == "viscous" ? 0 : type == JointType::cardan ? 2 : 1;
  int slips = 0;
  for (const Surface& surface : surfaces_of(force, type)) slips += static_cast<int>(surface.size());
  return slips;
}

// What sensors ask for. A normal force that is no unknown of the force becomes one.
void show(ForceDraft& force, const JointDraft& joint, const std::vector<Surface>& surfaces,
          std::vector<int> unknowns) {
  const auto show_of = [&](std::string_view sensor, std::size_t s, const auto& formula) {
    force.show(sensor, [&](const ForceFormula& f) {
      return formula(SurfaceFormula(f, joint, force.force(), surfaces[s], unknowns[s]));
    });
  };
  if (force.is_shown("sliding_speed"))
    for (std::size_t s = 0; s < surfaces.size(); ++s)
      for (int i = 0; i < static_cast<int>(surfaces[s].size()); ++i)
        show_of("sliding_speed", s, [i](const SurfaceFormula& f) { return f.speed(i); });
  if (!force.is_shown("normal_force")) return;
  const auto count =
      static_cast<std::size_t>(numbers_shown(force.force(), joint.type(), "normal_force"));
  for (std::size_t s = 0; s < count; ++s)
    if (unknowns[s] < 0)
      unknowns[s] = force.determine([&](const ForceFormula& f) {
        return SurfaceFormula(f, joint, force.force(), surfaces[s], -1).bearing_force();
      });
  for (std::size_t s = 0; s < count; ++s)
    show_of("normal_force", s, [](const SurfaceFormula& f) { return f.normal_force(); });
}

void write_friction(ForceDraft& force) {
  const JointDraft joint(force.draft(), force.text("joint"), force.path("joint"));
  const std::string_view law = law_of(force.force());
  const std::vector<Surface> surfaces = surfaces_of(force.force(), joint.type());
  // Forces are linear in the normal force, which is one unknown for all slips: but for those of
  // Gonthier, which it limits.
  const auto determine = [&](const Surface& surface) {
    return force.determine([&](const ForceFormula& f) {
      return SurfaceFormula(f, joint, force.force(), surface, -1).bearing_force();
    });
  };
  std::vector<int> unknowns(surfaces.size(), -1);
  if (law != "viscous" && law != "gonthier")
    for (std::size_t s = 0; s < surfaces.size(); ++s)
      unknowns[s] =
          s == 0 || joint.type() == JointType::cardan ? determine(surfaces[s]) : unknowns.front();
  const auto write = [&](const Surface& surface, int unknown, std::string_view dwell, int i) {
    const auto on = [&](const ForceFormula& f) {
      return SurfaceFormula(f, joint, force.force(), surface, unknown);
    };
    force.push_along([&](LawWriter& way) { return joint.way(way, surface[index(i)]); },
                     [&](const ForceFormula& f) {
                       const SurfaceFormula s = on(f);
                       Recorded against = f.not_negative("viscous") * s.speed(i);
                       if (law == "lugre") against = against + lugre(s, i);
                       if (law == "gonthier") against = against + gonthier(s, dwell, i);
                       if (law == "brown-mcphee" || law == "coulomb")
                         against = against + sliding(s, law, i);
                       return -(s.lever(i) * against);
                     });
    if (law == "lugre")
      force.drive(bristle_name(surface[index(i)]),
                  [&](const ForceFormula& f) { return lugre_rate(on(f), i); });
    if (law == "gonthier")
      force.drive(bristle_name(surface[index(i)]),
                  [&](const ForceFormula& f) { return gonthier_rate(on(f), i); });
    if (law == "gonthier" && i == 0)
      force.drive(dwell, [&](const ForceFormula& f) { return gonthier_dwell_rate(on(f), dwell); });
  };
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    for (int i = 0; i < static_cast<int>(surfaces[s].size()); ++i)
      write(surfaces[s], unknowns[s], dwell_name(s), i);
  show(force, joint, surfaces, unknowns);
}

constexpr JointForce on_joint{check_on_joint, friction_states, sensors_read, numbers_shown};

}  // namespace

extern const ForceKind joint_friction{.type = "joint-friction",
                                      .acts_on = ActsOn::joint,
                                      .keys = friction_keys,
                                      .write = write_friction,
                                      .check = check_law,
                                      .on_joint = &on_joint};

}  // namespace gradus::forces
