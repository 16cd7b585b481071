// The surfaces on which the bodies of a joint slide on each other, as friction sees them: how fast,
// and what presses them together. docs/theory.md, section 20.
#pragma once

#include <array>
#include <numbers>
#include <span>
#include <string_view>
#include <vector>

#include "src/model/joint_types.hpp"
#include "src/plan/force_draft.hpp"
#include "src/plan/joint_draft.hpp"

namespace gradus::forces::friction {

// What a key may choose, the first if it says nothing.
inline constexpr std::array<std::string_view, 5> laws{"brown-mcphee", "coulomb", "viscous", "lugre",
                                                      "gonthier"};
inline constexpr std::array<std::string_view, 2> loads{"full", "force"};
inline constexpr std::array<std::string_view, 2> bearings{"child", "parent"};
inline constexpr std::array<std::string_view, 2> slips{"separate", "combined"};

inline bool says(const Force& force, std::string_view key) {
  return force.find(key) != nullptr;
}

inline std::string_view chosen(const Force& force, std::string_view key,
                               std::span<const std::string_view> choices) {
  const std::string& text = text_of(force, key);
  return text.empty() ? choices.front() : std::string_view(text);
}
inline std::string_view law_of(const Force& force) {
  return chosen(force, "law", laws);
}

// Slips that share one normal force and, if they are several, one direction of sliding.
using Surface = std::vector<int>;

inline std::vector<Surface> surfaces_of(const Force& force, JointType type) {
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

inline bool has_pins(JointType type) {
  return type == JointType::revolute || type == JointType::cylindrical || type == JointType::cardan;
}

inline bool counts_moments(const Force& force, JointType type) {
  return (has_pins(type) || type == JointType::prismatic) && chosen(force, "load", loads) == "full";
}

// Parabolic pressure over half the circumference: the sum of the pressure over its resultant.
inline constexpr double kParabolicPressure =
    std::numbers::pi * std::numbers::pi * std::numbers::pi / 24.0;
inline constexpr double kSmoothing = 1e-3;  // N

inline Recorded positive_or(const ForceFormula& f, std::string_view key, double otherwise) {
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
inline Recorded3 SurfaceFormula::moment_on_bearing() const {
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
inline Recorded SurfaceFormula::normal_force_of_pin(const Recorded3& axis) const {
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

inline Recorded SurfaceFormula::normal_force_of_slide() const {
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

inline Recorded SurfaceFormula::bearing_force() const {
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

}  // namespace gradus::forces::friction
