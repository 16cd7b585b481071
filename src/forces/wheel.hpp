// A circle about the axis of a body, and where it is nearest to a surface: what tyres and wheels
// that roll share. docs/theory.md, section 22.
#pragma once

#include "src/plan/surface_draft.hpp"

namespace gradus::forces {

// The frame of a wheel where it touches, in global axes.
struct WheelFrame {
  Recorded3 normal, forward, left;  // of length 1
  Recorded3 touching;               // the lowest point, from the centre
};

class Wheel {
 public:
  // `axis` is that of the body of "to" unless the force states another.
  explicit Wheel(ForceDraft& draft)
      : surface_(draft), axis_(surface_.direction("axis", unit_y(draft.graph()))) {}

  const SurfaceDraft& surface() const { return surface_; }

  Recorded gap(const ForceFormula& f) const {
    const SurfaceView view = surface_.view(f.law());
    const Recorded lean = dot(view.normal, axis(f.law()));
    return view.above - f.positive("radius") * sqrt(1.0 - lean * lean);
  }

  WheelFrame frame(const ForceFormula& f) const {
    const Recorded3 normal = surface_.view(f.law()).normal;
    const Recorded3 turning = axis(f.law());
    const Recorded lean = dot(normal, turning);
    const Recorded upright = sqrt(1.0 - lean * lean);
    const Recorded3 forward = (1.0 / upright) * cross(turning, normal);
    return {normal, forward, cross(normal, forward),
            (-f.positive("radius") / upright) * (normal - lean * turning)};
  }

  // Of what is where the wheel touches and moves with it, seen from the body of the surface.
  Recorded3 velocity_at_ground(const ForceFormula& f) const {
    return surface_.velocity(f.law(), frame(f).touching);
  }

 private:
  static Nodes3 unit_y(expression::Graph& g) {
    return {g.constant(0.0), g.constant(1.0), g.constant(0.0)};
  }

  Recorded3 axis(LawWriter& law) const {
    const Nodes3 axis = law.position(axis_);
    return {Recorded(law, axis[0]), Recorded(law, axis[1]), Recorded(law, axis[2])};
  }

  SurfaceDraft surface_;
  int axis_;  // a direction of the wheel
};

}  // namespace gradus::forces
