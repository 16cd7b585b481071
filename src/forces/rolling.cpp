// A wheel or a ball that stays on a surface and does not slip on it: one constraint of positions
// and up to two nonholonomic ones, with the forces that these need. docs/theory.md, section 24.
#include "src/forces/contact_laws.hpp"
#include "src/forces/kinds.hpp"
#include "src/forces/wheel.hpp"

namespace gradus::forces {
namespace {

constexpr std::array<std::string_view, 2> shapes{"wheel", "ball"};
constexpr std::array<std::string_view, 2> ways{"held", "free"};
constexpr std::array rolling_keys{
    normal_key,
    height_key,
    ForceKey{.name = "axis", .unit = "", .size = 3},
    positive_key("radius", "m", true),
    choice_key("shape", shapes),
    choice_key("sideways", ways),
};

bool is_ball(const Force& force) {
  return text_of(force, "shape") == "ball";
}

void check_rolling(const Force& force, const std::string& where) {
  check_surface(force, where);
  check_direction(force, "axis", where);
  for (const std::string key : {"axis", "sideways"})
    if (is_ball(force) && force.find(key) != nullptr)
      reject(where + "/" + key, "found the key " + in_quotes(key),
             "a ball has no axis and no sides", "remove it, or say \"shape\": \"wheel\"");
}

// Whose surface stays on the other one.
class Ball {
 public:
  explicit Ball(ForceDraft& draft) : surface_(draft) {}

  const SurfaceDraft& surface() const { return surface_; }

  Recorded gap(const ForceFormula& f) const {
    return surface_.view(f.law()).above - f.positive("radius");
  }
  Recorded3 velocity_at_ground(const ForceFormula& f) const {
    return surface_.velocity(f.law(), -f.positive("radius") * surface_.view(f.law()).normal);
  }
  // Direction k in the tangent plane, of no particular length.
  Recorded3 along(const ForceFormula& f, int k) const {
    const Recorded3 normal = surface_.view(f.law()).normal;
    const Recorded3 across = cross(surface_.beside_normal(f.law()), normal);
    return k == 0 ? across : cross(normal, across);
  }

 private:
  SurfaceDraft surface_;
};

Recorded3 direction(const Wheel& wheel, const ForceFormula& f, int k) {
  const WheelFrame frame = wheel.frame(f);
  return k == 0 ? frame.forward : frame.left;
}
Recorded3 direction(const Ball& ball, const ForceFormula& f, int k) {
  return ball.along(f, k);
}

// A surface that moves by itself works on what it carries by the force that presses, too, which is
// no law of the motion.
void require_still_surface(ForceDraft& force, const SurfaceDraft& surface) {
  if (!surface.moves() || !force.is_shown("power")) return;
  reject(force.draft().where(force.path("height")),
         "found the time t in it, and a sensor of its power",
         "the power of the force that presses is not known to that sensor",
         "let a body carry the surface, or remove the sensor");
}

template <class Body>
void roll(ForceDraft& force, int directions) {
  const Body body(force);
  require_still_surface(force, body.surface());
  for (int k = 0; k < directions; ++k)
    force.keep_rate([&](const ForceFormula& f) {
      return dot(body.velocity_at_ground(f), direction(body, f, k));
    });
  if (force.is_shown("gap")) force.show("gap", [&](const ForceFormula& f) { return body.gap(f); });
  if (force.is_shown("sliding_speed"))
    force.show("sliding_speed", [&](const ForceFormula& f) {
      Recorded squares = 0.0;
      for (int k = 0; k < 2; ++k) {
        const Recorded3 along = direction(body, f, k);
        const Recorded speed = dot(body.velocity_at_ground(f), along);
        squares = squares + speed * speed / dot(along, along);
      }
      return norm(squares);
    });
}

void write_rolling(ForceDraft& force) {
  if (is_ball(force.force()))
    roll<Ball>(force, 2);
  else
    roll<Wheel>(force, force.text("sideways") == "free" ? 1 : 2);
}

void constrain_rolling(ForceDraft& force) {
  if (is_ball(force.force())) {
    const Ball ball(force);
    return force.keep([&](const ForceFormula& f) { return ball.gap(f); });
  }
  const Wheel wheel(force);
  force.keep([&](const ForceFormula& f) { return wheel.gap(f); });
}

}  // namespace

extern const ForceKind rolling{.type = "rolling",
                               .acts_on = ActsOn::surface,
                               .keys = rolling_keys,
                               .write = write_rolling,
                               .check = check_rolling,
                               .constrain = constrain_rolling};

}  // namespace gradus::forces
