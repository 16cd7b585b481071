// Friction in a joint: what its bearings carry, from the joint's reactions, times a law of the
// speed with which its surfaces slide on each other. docs/theory.md, section 20.
#include <algorithm>
#include <numbers>
#include <optional>

#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
#include "src/plan/force_draft.hpp"
#include "src/plan/joint_draft.hpp"

namespace gradus::forces {
namespace {

constexpr std::array<std::string_view, 5> laws{"brown-mcphee", "coulomb", "viscous", "lugre",
                                               "gonthier"};
constexpr std::array<std::string_view, 2> loads{"full", "force"};
constexpr std::array<std::string_view, 2> bearings{"child", "parent"};
constexpr std::array<std::string_view, 2> slips{"separate", "combined"};

constexpr ForceKey choice(std::string_view name, std::span<const std::string_view> choices) {
  return {.name = name, .unit = "", .content = ForceContent::choice, .choices = choices};
}
constexpr ForceKey positive(std::string_view name, std::string_view unit) {
  return {.name = name, .unit = unit, .is_positive = true};
}
constexpr ForceKey not_negative(std::string_view name, std::string_view unit) {
  return {.name = name, .unit = unit, .is_not_negative = true};
}
constexpr std::array friction_keys{
    choice("law", laws),
    not_negative("static", ""),
    not_negative("dynamic", ""),
    not_negative("viscous", "N s/m"),
    positive("transition_speed", "m/s"),
    positive("stribeck_speed", "m/s"),
    positive("radius", "m"),
    positive("length", "m"),
    ForceKey{"offset", "m"},
    positive("width", "m"),
    choice("load", loads),
    choice("bearing", bearings),
    choice("slip", slips),
    positive("pressure_factor", ""),
    not_negative("preload", "N"),
    positive("smoothing", "N"),
    positive("speed_smoothing", "m/s"),
    positive("bristle_stiffness", ""),
    positive("bristle_damping", ""),
    positive("dwell_time", "s"),
};

// Parabolic pressure over half the circumference: the sum of the pressure over its resultant.
constexpr double kParabolicPressure = std::numbers::pi * std::numbers::pi * std::numbers::pi / 24.0;
constexpr double kSmoothing = 1e-3;       // N
constexpr double kSpeedSmoothing = 1e-6;  // of the transition speed

bool says(const Force& force, std::string_view key) {
  return force.find(key) != nullptr;
}

std::string_view chosen(const Force& force, std::string_view key,
                        std::span<const std::string_view> choices) {
  const std::string& text = text_of(force, key);
  return text.empty() ? choices.front() : std::string_view(text);
}
std::string_view law_of(const Force& force) {
  return chosen(force, "law", laws);
}

// ---------------------------------------------------------------------------------- the surfaces

// Slips that share one normal force and, if they are several, one direction of sliding.
using Surface = std::vector<int>;

std::vector<Surface> surfaces_of(const Force& force, JointType type) {
  switch (type) {
    case JointType::cylindrical:
      if (chosen(force, "slip", slips) == "combined") return {{0, 1}};
      return {{0}, {1}};
    case JointType::cardan:
      return {{0}, {1}};
    case JointType::planar:
      if (says(force, "radius")) return {{0, 1}, {2}};
      return {{0, 1}};
    case JointType::spherical:
      return {{0, 1, 2}};
    default:
      return {{0}};
  }
}

bool has_pins(JointType type) {
  return type == JointType::revolute || type == JointType::cylindrical || type == JointType::cardan;
}

bool counts_moments(const Force& force, JointType type) {
  return (has_pins(type) || type == JointType::prismatic) && chosen(force, "load", loads) == "full";
}

// -------------------------------------------------------------------------------------- the door

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
  const bool turns =
      slide_count(type) < static_cast<int>(slips_of(type).size()) && type != JointType::planar;
  const bool can_turn = turns || type == JointType::planar;
  if (turns) require(force, "radius", joint + " acts at a radius", where);
  if (!can_turn && says(force, "radius")) refuse(where, "radius", joint + " turns nothing");
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
    return refuse_all({"length", "offset", "width"}, "the moments of the joint do not count");
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

// --------------------------------------------------------------------------------- the bristles

std::string_view bristle_name(int k) {
  static constexpr std::array<std::string_view, 3> names{"bristle_0", "bristle_1", "bristle_2"};
  return names[index(k)];
}
std::string_view dwell_name(std::size_t surface) {
  static constexpr std::array<std::string_view, 2> names{"dwell_0", "dwell_1"};
  return names[surface];
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

// --------------------------------------------------------------------------------- normal forces

Recorded positive_or(const ForceFormula& f, std::string_view key, double otherwise) {
  return f.says(key) ? f.positive(key) : Recorded(otherwise);
}

// What friction reads of the surface that it acts on.
class SurfaceFormula {
 public:
  // `unknown` is the number of the normal force among those of the force, -1 if it is none.
  SurfaceFormula(const ForceFormula& f, const JointDraft& joint, const Force& force,
                 const Surface& surface, int unknown)
      : f_(f), joint_(joint), force_(force), surface_(surface), unknown_(unknown) {}

  const ForceFormula& keys() const { return f_; }
  int size() const { return static_cast<int>(surface_.size()); }
  // Slip i of the surface among those of the joint.
  int slip(int i) const { return surface_[index(i)]; }
  // What turns an angle into a path.
  Recorded lever(int i) const {
    return is_slide(slips_of(joint_.type())[index(slip(i))]) ? Recorded(1.0)
                                                             : f_.positive("radius");
  }
  // The speed of sliding, m/s: of the child on the parent.
  Recorded speed(int i) const { return lever(i) * joint_.rate(f_.law(), slip(i)); }
  // Its square, over all slips of the surface.
  Recorded squared_speed() const {
    Recorded sum = 0.0;
    for (int i = 0; i < size(); ++i) sum = sum + speed(i) * speed(i);
    return sum;
  }
  // The effective normal force of the joint, or of the pin, from its reactions.
  Recorded bearing_force() const;
  Recorded normal_force() const { return unknown_ < 0 ? bearing_force() : f_.unknown(unknown_); }
  Recorded smoothing() const { return positive_or(f_, "smoothing", kSmoothing); }

 private:
  Recorded smooth(const Recorded& squares) const {
    return sqrt(squares + smoothing() * smoothing());
  }
  Recorded size_of(const Recorded& x) const { return smooth(x * x); }
  // About the joint's point in the body that carries the bearing.
  Recorded3 moment_on_bearing() const;
  Recorded normal_force_of_pin(const Recorded3& axis) const;
  Recorded normal_force_of_slide() const;

  const ForceFormula& f_;
  const JointDraft& joint_;
  const Force& force_;
  const Surface& surface_;
  int unknown_;
};

// Of a cardan joint what its axes hand on: what turns about one of them is no load of the other.
Recorded3 SurfaceFormula::moment_on_bearing() const {
  LawWriter& law = f_.law();
  if (chosen(force_, "bearing", bearings) == "parent") return joint_.moment_at_parent(law);
  const Recorded3 moment = joint_.moment(law);
  if (joint_.type() != JointType::cardan) return moment;
  const Recorded3 normal = cross(joint_.parent_direction(law, 0), joint_.child_direction(law, 0));
  return dot(normal, moment) * normal;
}

// Bearing forces of (7) as vectors across the axis, of a pin from its first end, at `offset` from
// the joint's point along the axis, to `length` beyond:
//   w = axis x moment / length    f1 = (1 + offset / length) across + w
//                                 f2 = w + (offset / length) across
// (signs common to both do not matter).
Recorded SurfaceFormula::normal_force_of_pin(const Recorded3& axis) const {
  LawWriter& law = f_.law();
  const Recorded3 force = joint_.force(law);
  const Recorded along = dot(axis, force);
  const Recorded3 across = force - along * axis;
  const Recorded factor = positive_or(f_, "pressure_factor", kParabolicPressure);
  if (!counts_moments(force_, joint_.type())) return factor * smooth(dot(across, across));
  const Recorded3 moment = moment_on_bearing();
  const Recorded length = f_.positive("length");
  const Recorded share =
      joint_.type() == JointType::cardan ? Recorded(-0.5) : f_["offset"] / length;
  const Recorded3 second = (1.0 / length) * cross(axis, moment) + share * across;
  const Recorded3 first = across + second;
  const Recorded radial = factor * (smooth(dot(first, first)) + smooth(dot(second, second)));
  return joint_.type() == JointType::cylindrical ? radial : radial + size_of(along);
}

Recorded SurfaceFormula::normal_force_of_slide() const {
  LawWriter& law = f_.law();
  const Recorded3 force = joint_.force(law);
  const bool at_parent = chosen(force_, "bearing", bearings) == "parent";
  const auto direction = [&](std::size_t column) {
    return at_parent ? joint_.parent_direction(law, column) : joint_.child_direction(law, column);
  };
  const Recorded3 axis = direction(0);
  const Recorded3 x = direction(1);
  const Recorded3 y = direction(2);
  const Recorded fx = dot(x, force);
  const Recorded fy = dot(y, force);
  if (!counts_moments(force_, JointType::prismatic)) return size_of(fx) + size_of(fy);
  const Recorded3 moment = moment_on_bearing();
  const Recorded length = f_.positive("length");
  const Recorded share = f_["offset"] / length;
  const Recorded x2 = share * fx - dot(y, moment) / length;
  const Recorded y2 = share * fy + dot(x, moment) / length;
  const Recorded edge = dot(axis, moment) / (2.0 * f_.positive("width"));
  return size_of(fx + x2) + size_of(fy + y2) + size_of(x2) + size_of(y2) + 2.0 * size_of(edge);
}

Recorded SurfaceFormula::bearing_force() const {
  LawWriter& law = f_.law();
  const Recorded preload = f_.not_negative("preload");
  switch (joint_.type()) {
    case JointType::prismatic:
      return normal_force_of_slide() + preload;
    case JointType::planar:
      return size_of(dot(joint_.parent_direction(law, 0), joint_.force(law))) + preload;
    case JointType::spherical: {
      const Recorded3 force = joint_.force(law);
      return positive_or(f_, "pressure_factor", 1.0) * smooth(dot(force, force)) + preload;
    }
    case JointType::cardan:
      if (surface_.front() == 1)
        return normal_force_of_pin(joint_.child_direction(law, 0)) + preload;
      [[fallthrough]];
    default:
      return normal_force_of_pin(joint_.parent_direction(law, 0)) + preload;
  }
}

// ------------------------------------------------------------------------------------- the laws

// Forces against the slip, N, before the lever; component i of the surface.

Recorded stribeck(const SurfaceFormula& s, const Recorded& squared_speed) {
  const ForceFormula& f = s.keys();
  const Recorded width = f.positive("stribeck_speed");
  return f.not_negative("dynamic") + (f.not_negative("static") - f.not_negative("dynamic")) *
                                         exp(-(squared_speed / (width * width)));
}

// The coefficient of friction at a speed with a sign.
Recorded coefficient(const SurfaceFormula& s, std::string_view law, const Recorded& speed) {
  const ForceFormula& f = s.keys();
  const Recorded x = speed / f.positive("transition_speed");
  if (law == "coulomb")
    return (f.says("static") ? stribeck(s, speed * speed) : f.not_negative("dynamic")) * tanh(x);
  const Recorded d = 0.25 * (x * x) + 0.75;
  return f.not_negative("dynamic") * tanh(4.0 * x) +
         (f.not_negative("static") - f.not_negative("dynamic")) * x / (d * d);
}

// The size of the velocity on a surface, which does not vanish.
Recorded smooth_speed(const SurfaceFormula& s, std::string_view scale) {
  const ForceFormula& f = s.keys();
  const Recorded least = f.says("speed_smoothing") ? f.positive("speed_smoothing")
                                                   : kSpeedSmoothing * f.positive(scale);
  return sqrt(s.squared_speed() + least * least);
}

Recorded sliding(const SurfaceFormula& s, std::string_view law, int i) {
  if (s.size() == 1) return s.normal_force() * coefficient(s, law, s.speed(0));
  const Recorded speed = smooth_speed(s, "transition_speed");
  return s.normal_force() * coefficient(s, law, speed) * (s.speed(i) / speed);
}

// LuGre with bristles per unit of load: z' = v - stiffness |v| z / g(|v|).
Recorded lugre_rate(const SurfaceFormula& s, int i) {
  const ForceFormula& f = s.keys();
  const Recorded speed = smooth_speed(s, "stribeck_speed");
  const Recorded z = f.state(bristle_name(s.slip(i)));
  return s.speed(i) - f.positive("bristle_stiffness") * speed * z / stribeck(s, s.squared_speed());
}
Recorded lugre(const SurfaceFormula& s, int i) {
  const ForceFormula& f = s.keys();
  const Recorded bent = f.positive("bristle_stiffness") * f.state(bristle_name(s.slip(i)));
  if (!f.says("bristle_damping")) return s.normal_force() * bent;
  return s.normal_force() * (bent + f.positive("bristle_damping") * lugre_rate(s, i));
}

// Gonthier, McPhee, Lange and Piedboeuf 2004: how much the surfaces stick, 1 at rest.
Recorded sticking(const SurfaceFormula& s) {
  const Recorded width = s.keys().positive("stribeck_speed");
  return exp(-(s.squared_speed() / (width * width)));
}
// The direction of sliding over the speed: smooth below `speed_smoothing`.
Recorded direction_share(const SurfaceFormula& s) {
  const ForceFormula& f = s.keys();
  const Recorded edge = f.says("speed_smoothing") ? f.positive("speed_smoothing")
                                                  : 0.1 * f.positive("stribeck_speed");
  const Recorded squares = s.squared_speed();
  const Recorded ratio = squares / (edge * edge);
  const Recorded beyond = at_least(ratio, 1.0);
  return beyond / sqrt(max(squares, edge * edge)) + (1.0 - beyond) * (1.5 - 0.5 * ratio) / edge;
}
Recorded gonthier_rate(const SurfaceFormula& s, int i) {
  const ForceFormula& f = s.keys();
  const Recorded stiffness = f.positive("bristle_stiffness");
  const Recorded damping = f.positive("bristle_damping");
  const Recorded sticks = sticking(s);
  const Recorded slides =
      f.not_negative("dynamic") * s.normal_force() * direction_share(s) * s.speed(i) / damping -
      stiffness / damping * f.state(bristle_name(s.slip(i)));
  return sticks * s.speed(i) + (1.0 - sticks) * slides;
}
Recorded gonthier_dwell_rate(const SurfaceFormula& s, std::string_view dwell) {
  const ForceFormula& f = s.keys();
  const Recorded missing = sticking(s) - f.state(dwell);
  const Recorded grows = at_least(missing, 0.0);
  return missing *
         (grows / f.positive("dwell_time") +
          (1.0 - grows) * f.positive("bristle_stiffness") / f.positive("bristle_damping"));
}
Recorded gonthier(const SurfaceFormula& s, std::string_view dwell, int i) {
  const ForceFormula& f = s.keys();
  const auto bristle_force = [&](int k) {
    return f.positive("bristle_stiffness") * f.state(bristle_name(s.slip(k))) +
           f.positive("bristle_damping") * gonthier_rate(s, k);
  };
  Recorded squares = s.smoothing() * s.smoothing();
  for (int k = 0; k < s.size(); ++k) squares = squares + bristle_force(k) * bristle_force(k);
  const Recorded most =
      s.normal_force() * (f.not_negative("dynamic") +
                          (f.not_negative("static") - f.not_negative("dynamic")) * f.state(dwell));
  return bristle_force(i) * min(1.0, most / sqrt(squares));
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
}

constexpr JointForce on_joint{check_on_joint, friction_states, sensors_read};

}  // namespace

extern const ForceKind joint_friction{.type = "joint-friction",
                                      .acts_on = ActsOn::joint,
                                      .keys = friction_keys,
                                      .write = write_friction,
                                      .check = check_law,
                                      .on_joint = &on_joint};

}  // namespace gradus::forces
