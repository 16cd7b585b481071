// A wheel on a surface: a circle that is pressed out of it, and forces along and across the wheel
// by how it slips. docs/theory.md, section 22.
#include "src/forces/contact_laws.hpp"
#include "src/forces/kinds.hpp"
#include "src/forces/wheel.hpp"

namespace gradus::forces {
namespace {

constexpr std::array<std::string_view, 3> tyre_laws{"smooth", "saturated", "magic-formula"};
constexpr std::array<std::string_view, 2> combinations{"separate", "ellipse"};
constexpr std::array tyre_keys{
    normal_key,
    height_key,
    ForceKey{.name = "axis", .unit = "", .size = 3},
    positive_key("radius", "m", true),
    not_negative_key("stiffness", "", true),
    at_least_one_key("exponent", ""),
    not_negative_key("damping", "N s/m"),
    not_negative_key("restitution_damping", "N s/m"),
    positive_key("damping_depth", "m"),
    touch_key,
    choice_key("law", tyre_laws),
    not_negative_key("longitudinal_friction", ""),
    not_negative_key("lateral_friction", ""),
    positive_key("critical_slip", ""),
    positive_key("critical_angle", "rad"),
    ForceKey{.name = "longitudinal_shape", .unit = "", .size = 3},
    ForceKey{.name = "lateral_shape", .unit = "", .size = 3},
    choice_key("combined", combinations),
    positive_key("least_speed", "m/s"),
};

constexpr std::array<std::array<const char*, 3>, 2> keys_of_directions{
    {{"longitudinal_friction", "critical_slip", "longitudinal_shape"},
     {"lateral_friction", "critical_angle", "lateral_shape"}}};

bool has_magic_formula(const Force& force) {
  return text_of(force, "law") == "magic-formula";
}

void check_tyre(const Force& force, const std::string& where) {
  check_surface(force, where);
  check_direction(force, "axis", where);
  const auto says = [&](const char* key) { return force.find(key) != nullptr; };
  if (says("restitution_damping") && !says("damping"))
    reject(where, "found the key \"restitution_damping\" without \"damping\"",
           "it is the damping on the way out", "add \"damping\"");
  check_touch(force, where);
  const bool is_magic = has_magic_formula(force);
  for (const auto& [friction, scale, shape] : keys_of_directions) {
    const char* const needed = is_magic ? shape : scale;
    const char* const other = is_magic ? scale : shape;
    if (says(friction) != says(needed))
      reject(where, "the key " + in_quotes(says(friction) ? needed : friction) + " is missing",
             "it belongs to " + in_quotes(says(friction) ? friction : needed), "add it");
    if (says(other))
      reject(where + "/" + other, "found the key " + in_quotes(other),
             is_magic ? "the magic formula has shapes in its place"
                      : "it belongs to the law \"magic-formula\"",
             "remove it");
  }
  if (is_magic && text_of(force, "combined") == "ellipse")
    reject(where + "/combined", "found \"ellipse\"",
           "the magic formula is of one slip at a time here", "remove it");
}

// How a wheel slips: both slips are 0 of one that rolls, and positive where the ground is driven
// forward or left under it.
struct Slips {
  Recorded longitudinal, angle;
};

class Tyre {
 public:
  explicit Tyre(ForceDraft& force)
      : force_(force), wheel_(force), is_smooth_(text_of(force.force(), "law") != "saturated") {}

  Recorded gap(const ForceFormula& f) const { return wheel_.gap(f); }

  Recorded normal_force(const ForceFormula& f) const {
    const Recorded gap_now = gap(f);
    return kelvin_voigt(f, gap_now, wheel_.surface().rate(f.law(), gap_now));
  }

  Slips slips(const ForceFormula& f) const {
    const WheelFrame wheel = wheel_.frame(f);
    const Recorded3 at_centre = wheel_.surface().velocity(f.law(), {0.0, 0.0, 0.0});
    const Recorded3 at_ground = wheel_.surface().velocity(f.law(), wheel.touching);
    const Recorded along = dot(at_centre, wheel.forward);
    const Recorded least = f.says("least_speed") ? f.positive("least_speed") : Recorded(0.1);
    const Recorded speed =
        is_smooth_ ? sqrt(along * along + least * least) : max(abs(along), least);
    return {dot(at_ground, wheel.forward) / speed, atan(dot(at_ground, wheel.left) / speed)};
  }

  // Along and across the wheel, against the slip, as shares of the normal force.
  std::array<Recorded, 2> shares(const ForceFormula& f) const {
    const Slips slip = slips(f);
    const std::array<Recorded, 2> slides{slip.longitudinal, slip.angle};
    std::array<Recorded, 2> shares;
    if (has_magic_formula(force_.force())) {
      for (std::size_t k = 0; k < 2; ++k) shares[k] = -magic(f, k, slides[k]);
      return shares;
    }
    std::array<Recorded, 2> scaled;
    for (std::size_t k = 0; k < 2; ++k)
      if (f.says(keys_of_directions[k][0]))
        scaled[k] = slides[k] / f.positive(keys_of_directions[k][1]);
    const bool is_ellipse = force_.text("combined") == "ellipse";
    const Recorded size =
        sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + kLeastSlip * kLeastSlip);
    for (std::size_t k = 0; k < 2; ++k)
      if (f.says(keys_of_directions[k][0]))
        shares[k] = -f.not_negative(keys_of_directions[k][0]) *
                    (is_ellipse ? saturated(size) * scaled[k] / size : saturated(scaled[k]));
    return shares;
  }

  Recorded3 friction(const ForceFormula& f) const {
    const WheelFrame wheel = wheel_.frame(f);
    const std::array<Recorded, 2> share = shares(f);
    return normal_force(f) * (share[0] * wheel.forward + share[1] * wheel.left);
  }

  void write() {
    wheel_.surface().press([&](const ForceFormula& f) { return gap(f); },
                           [&](const ForceFormula& f) { return normal_force(f); });
    force_.store([&](const ForceFormula& f) { return elastic_energy(f, gap(f), kLinear); });
    if (!force_.says("longitudinal_friction") && !force_.says("lateral_friction")) return;
    wheel_.surface().push([&](const ForceFormula& f) { return wheel_.frame(f).touching; },
                          [&](const ForceFormula& f) { return friction(f); });
  }

  void touch_and_part() const {
    forces::touch_and_part(force_, wheel_.surface(), [&](const ForceFormula& f) { return gap(f); });
  }

  void show() {
    if (force_.is_shown("normal_force"))
      force_.show("normal_force", [&](const ForceFormula& f) { return normal_force(f); });
    if (force_.is_shown("sliding_speed"))
      force_.show("sliding_speed", [&](const ForceFormula& f) { return sliding_speed(f); });
    if (force_.is_shown("gap")) force_.show("gap", [&](const ForceFormula& f) { return gap(f); });
    if (force_.is_shown("slip")) {
      force_.show("slip", [&](const ForceFormula& f) { return slips(f).longitudinal; });
      force_.show("slip", [&](const ForceFormula& f) { return slips(f).angle; });
    }
  }

 private:
  static constexpr double kLeastSlip = 1e-9;  // beside the critical ones

  Recorded saturated(const Recorded& x) const {
    return is_smooth_ ? tanh(x) : max(-1.0, min(1.0, x));
  }

  // Pacejka's: mu sin(C atan(B x - E (B x - atan(B x)))).
  Recorded magic(const ForceFormula& f, std::size_t direction, const Recorded& slip) const {
    const auto& [friction, scale, shape] = keys_of_directions[direction];
    if (!f.says(friction)) return 0.0;
    const Recorded3 numbers = f.vector(shape);  // B, C, E
    const Recorded x = numbers[0] * slip;
    return f.not_negative(friction) * sin(numbers[1] * atan(x - numbers[2] * (x - atan(x))));
  }

  Recorded sliding_speed(const ForceFormula& f) const {
    const Recorded3 normal = wheel_.frame(f).normal;
    const Recorded3 velocity = wheel_.velocity_at_ground(f);
    return length(velocity - dot(velocity, normal) * normal);
  }

  ForceDraft& force_;
  Wheel wheel_;
  bool is_smooth_;
};

void write_tyre(ForceDraft& force) {
  Tyre tyre(force);
  tyre.write();
  if (touches_by_events(force.force())) tyre.touch_and_part();
  tyre.show();
}

}  // namespace

extern const ForceKind tyre{.type = "tyre",
                            .acts_on = ActsOn::surface,
                            .keys = tyre_keys,
                            .write = write_tyre,
                            .check = check_tyre,
                            .states = touch_states};

}  // namespace gradus::forces
