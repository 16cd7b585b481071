// Laws of friction: forces against the slip of a surface by its speed, its normal force and the
// bristles on it. docs/theory.md, section 20.
#pragma once

#include <array>
#include <string_view>

#include "src/forces/friction_surface.hpp"

namespace gradus::forces::friction {

inline constexpr double kSpeedSmoothing = 1e-6;  // of the transition speed

// The names of states, by slip and by surface.
inline std::string_view bristle_name(int k) {
  static constexpr std::array<std::string_view, 3> names{"bristle_0", "bristle_1", "bristle_2"};
  return names[index(k)];
}
inline std::string_view dwell_name(std::size_t surface) {
  static constexpr std::array<std::string_view, 2> names{"dwell_0", "dwell_1"};
  return names[surface];
}

// Forces against the slip, N, before the lever; component i of the surface.

inline Recorded stribeck(const SurfaceFormula& s, const Recorded& dynamic, const Recorded& at_rest,
                         const Recorded& squared_speed) {
  const Recorded width = s.keys().positive("stribeck_speed");
  return dynamic + (at_rest - dynamic) * exp(-(squared_speed / (width * width)));
}

// The coefficient of friction at a speed with a sign.
inline Recorded coefficient(const SurfaceFormula& s, std::string_view law, const Recorded& speed) {
  const ForceFormula& f = s.keys();
  const Recorded x = speed / f.positive("transition_speed");
  if (law == "coulomb")
    return (f.says("static")
                ? stribeck(s, f.not_negative("dynamic"), f.not_negative("static"), speed * speed)
                : f.not_negative("dynamic")) *
           tanh(x);
  const Recorded d = 0.25 * (x * x) + 0.75;
  return f.not_negative("dynamic") * tanh(4.0 * x) +
         (f.not_negative("static") - f.not_negative("dynamic")) * x / (d * d);
}

// The size of the velocity on a surface, which does not vanish.
inline Recorded smooth_speed(const SurfaceFormula& s, std::string_view scale) {
  const ForceFormula& f = s.keys();
  const Recorded least = f.says("speed_smoothing") ? f.positive("speed_smoothing")
                                                   : kSpeedSmoothing * f.positive(scale);
  return sqrt(s.squared_speed() + least * least);
}

inline Recorded sliding(const SurfaceFormula& s, std::string_view law, int i) {
  if (s.size() == 1) return s.normal_force() * coefficient(s, law, s.speed(0));
  const Recorded speed = smooth_speed(s, "transition_speed");
  return s.normal_force() * coefficient(s, law, speed) * (s.speed(i) / speed);
}

// LuGre with bristles per unit of load: z' = v - stiffness |v| z / g(|v|), so that g is above 0.
inline Recorded lugre_rate(const SurfaceFormula& s, int i) {
  const ForceFormula& f = s.keys();
  const Recorded speed = smooth_speed(s, "stribeck_speed");
  const Recorded z = f.state(bristle_name(s.slip(i)));
  const Recorded most = stribeck(s, f.positive("dynamic"), f.positive("static"), s.squared_speed());
  return s.speed(i) - f.positive("bristle_stiffness") * speed * z / most;
}
inline Recorded lugre(const SurfaceFormula& s, int i) {
  const ForceFormula& f = s.keys();
  const Recorded bent = f.positive("bristle_stiffness") * f.state(bristle_name(s.slip(i)));
  if (!f.says("bristle_damping")) return s.normal_force() * bent;
  return s.normal_force() * (bent + f.positive("bristle_damping") * lugre_rate(s, i));
}

// Gonthier, McPhee, Lange and Piedboeuf 2004: how much the surfaces stick, 1 at rest.
inline Recorded sticking(const SurfaceFormula& s) {
  const Recorded width = s.keys().positive("stribeck_speed");
  return exp(-(s.squared_speed() / (width * width)));
}
// The direction of sliding over the speed: smooth below `speed_smoothing`.
inline Recorded direction_share(const SurfaceFormula& s) {
  const ForceFormula& f = s.keys();
  const Recorded edge = f.says("speed_smoothing") ? f.positive("speed_smoothing")
                                                  : 0.1 * f.positive("stribeck_speed");
  const Recorded squares = s.squared_speed();
  const Recorded ratio = squares / (edge * edge);
  const Recorded beyond = at_least(ratio, 1.0);
  return beyond / sqrt(max(squares, edge * edge)) + (1.0 - beyond) * (1.5 - 0.5 * ratio) / edge;
}
inline Recorded gonthier_rate(const SurfaceFormula& s, int i) {
  const ForceFormula& f = s.keys();
  const Recorded stiffness = f.positive("bristle_stiffness");
  const Recorded damping = f.positive("bristle_damping");
  const Recorded sticks = sticking(s);
  const Recorded slides =
      f.not_negative("dynamic") * s.normal_force() * direction_share(s) * s.speed(i) / damping -
      stiffness / damping * f.state(bristle_name(s.slip(i)));
  return sticks * s.speed(i) + (1.0 - sticks) * slides;
}
inline Recorded gonthier_dwell_rate(const SurfaceFormula& s, std::string_view dwell) {
  const ForceFormula& f = s.keys();
  const Recorded missing = sticking(s) - f.state(dwell);
  const Recorded grows = at_least(missing, 0.0);
  return missing *
         (grows / f.positive("dwell_time") +
          (1.0 - grows) * f.positive("bristle_stiffness") / f.positive("bristle_damping"));
}
inline Recorded gonthier(const SurfaceFormula& s, std::string_view dwell, int i) {
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

}  // namespace gradus::forces::friction
