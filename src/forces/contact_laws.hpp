// What contacts and tyres share: the keys of their surface, and what presses bodies apart where
// they touch, laws of the indentation and its rate. docs/theory.md, section 22.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "src/forces/kinds.hpp"
#include "src/model/message.hpp"
#include "src/plan/surface_draft.hpp"

namespace gradus::forces {

// What the height of a surface may depend on beside parameters and time: where it is.
inline constexpr std::array<std::string_view, 2> surface_locals{"surface_x", "surface_y"};

inline constexpr ForceKey normal_key{.name = "normal", .unit = "", .size = 3};
inline constexpr ForceKey height_key{
    .name = "height", .unit = "m", .content = ForceContent::law, .locals = surface_locals};

// Of a direction that is stated by numbers.
inline void check_direction(const Force& force, std::string_view key, const std::string& where) {
  const ForceValue* const value = force.find(key);
  if (value == nullptr || !value->is_vector()) return;
  for (const Number& component : value->vector())
    if (component.is_expression() || component.value() != 0.0) return;
  reject(where + "/" + std::string(key), "found [0, 0, 0]", "it has no direction",
         "state a vector that is not zero");
}

inline void check_surface(const Force& force, const std::string& where) {
  if (force.find("normal") != nullptr && force.find("height") != nullptr)
    reject(where + "/height", "found the keys \"normal\" and \"height\"",
           "heights are along the z axis of the body of \"from\"", "remove one of them");
  check_direction(force, "normal", where);
}

// Whatever the exponent, its derivative by it is that of no indentation.
inline constexpr double kLeastIndentation = 1e-100;
inline constexpr double kLinear = 1.0, kHertz = 1.5;  // exponents

// Who finds the instants at which a spring and a damper begin and end; if it is not said, steps do.
inline constexpr std::array<std::string_view, 1> touch_choices{"event"};
inline constexpr ForceKey touch_key = choice_key("touch", touch_choices);
inline constexpr std::array touch_states{
    ForceState{.name = "touching", .key = "touch", .initial = "", .unit = "1", .is_held = true}};

inline bool touches_by_events(const Force& force) {
  return force.find("touch") != nullptr;
}

inline void check_touch(const Force& force, const std::string& where) {
  for (const char* key : {"exponent", "damping_depth"})
    if (touches_by_events(force) && force.find(key) != nullptr)
      reject(where + "/" + key, "found the key " + in_quotes(key) + " beside \"touch\"",
             "the force begins and ends by a spring and a damper that are linear", "remove one");
}

// Above 0: how far the bodies are into each other.
inline Recorded indentation(const Recorded& gap) {
  return max(-gap, kLeastIndentation);
}

inline bool is_linear(const ForceFormula& f, double exponent) {
  return !f.says("exponent") && exponent == kLinear;
}

inline Recorded exponent_of(const ForceFormula& f, double exponent) {
  return f.says("exponent") ? f.at_least_one("exponent") : Recorded(exponent);
}

// `exponent` is that of the law where the force states none.
inline Recorded elastic_force(const ForceFormula& f, const Recorded& gap, double exponent) {
  const Recorded depth = indentation(gap);
  const Recorded power = is_linear(f, exponent) ? depth : pow(depth, exponent_of(f, exponent));
  return f.not_negative("stiffness") * power;
}

inline Recorded elastic_energy(const ForceFormula& f, const Recorded& gap, double exponent) {
  return elastic_force(f, gap, exponent) * indentation(gap) / (exponent_of(f, exponent) + 1.0);
}

inline Recorded damping_of(const ForceFormula& f, const Recorded& rate) {
  const Recorded damping = f.not_negative("damping");
  if (!f.says("restitution_damping")) return damping;
  const Recorded goes_in = at_least(-rate, 0.0);
  return goes_in * damping + (1.0 - goes_in) * f.not_negative("restitution_damping");
}

// A spring and a damper wherever the surface is, and whether they press or pull.
inline Recorded spring_and_damper(const ForceFormula& f, const Recorded& gap,
                                  const Recorded& rate) {
  return -(f.not_negative("stiffness") * gap) - damping_of(f, rate) * rate;
}

// A damper beside the spring, another one on the way out; it fades in over the damping depth.
inline Recorded kelvin_voigt(const ForceFormula& f, const Recorded& gap, const Recorded& rate) {
  if (f.says("touch")) return f.state("touching") * max(spring_and_damper(f, gap, rate), 0.0);
  const Recorded touches = at_least(-gap, 0.0);
  Recorded damping = damping_of(f, rate);
  if (f.says("damping_depth")) {
    const Recorded share = min(indentation(gap) / f.positive("damping_depth"), 1.0);
    damping = share * share * (3.0 - 2.0 * share) * damping;
  }
  return touches * max(elastic_force(f, gap, kLinear) - damping * rate, 0.0);
}

// It touches as the gap closes, and lets go as the force is about to pull, or, where it did at the
// start, as the gap opens; if it is pressed again before that, it touches again.
template <class Gap>
void touch_and_part(ForceDraft& draft, const SurfaceDraft& surface, const Gap& gap) {
  const auto force = [&](const ForceFormula& f) {
    const Recorded gap_now = gap(f);
    return spring_and_damper(f, gap_now, surface.rate(f.law(), gap_now));
  };
  const auto touching = [](const ForceFormula& f) { return f.state("touching") - 0.5; };
  const auto apart = [](const ForceFormula& f) { return 0.5 - f.state("touching"); };
  draft.begin("touching", [&](const ForceFormula& f) { return 1.0 - at_least(gap(f), 0.0); });
  draft.on(gap, -1, apart, "touching", 1.0);
  draft.on(
      force, 1, [&](const ForceFormula& f) { return -gap(f); }, "touching", 1.0);
  draft.on(force, -1, touching, "touching", 0.0);
  draft.on(gap, 1, touching, "touching", 0.0);
}

// Bodies that part faster than the law allows do not pull.
inline Recorded with_hysteresis(const ForceFormula& f, const Recorded& gap, const Recorded& rate,
                                const Recorded& damping) {
  return at_least(-gap, 0.0) * elastic_force(f, gap, kHertz) * max(1.0 - damping * rate, 0.0);
}

}  // namespace gradus::forces
