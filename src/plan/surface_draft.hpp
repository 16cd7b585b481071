// The surface that a force of kind ActsOn::surface is about, on its way into a plan: how it lies to
// the place of the other body, what presses them apart, and forces along it. docs/theory.md,
// section 22.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string_view>

#include "src/plan/force_draft.hpp"

namespace gradus {

// How the surface lies to the place "to", in global axes.
struct SurfaceView {
  Recorded3 normal;  // of the tangent plane below the place, of length 1
  Recorded above;    // the distance of the place from that plane
};

// The surface through the place "from" of a force, in its laws.
class SurfaceDraft {
 public:
  using Formula = ForceDraft::Formula;
  using Formula3 = std::function<Recorded3(const ForceFormula&)>;

  explicit SurfaceDraft(ForceDraft& force);

  SurfaceView view(LawWriter& law) const;
  // Whether the surface moves on its body with time.
  bool moves() const { return height_ && force_.reads_time(*height_); }
  // A direction of the surface that is never along its normal.
  Recorded3 beside_normal(LawWriter& law) const;
  // What moves with the body of "to" at `beside` from the place: its velocity seen from the body
  // of "from".
  Recorded3 velocity(LawWriter& law, const Recorded3& beside) const;
  // The time derivative of a function of positions.
  Recorded rate(LawWriter& law, const Recorded& value) const;
  // A direction of the body of "to", by a key of the force.
  int direction(std::string_view key, const Nodes3& otherwise) const;

  // The force `size` widens the gap, a function of positions that grows as the bodies part.
  void press(const Formula& gap, const Formula& size) const;
  // A force acts on the body of "to" at `beside` from the place, and its opposite at the same point
  // on the body of "from".
  void push(const Formula3& beside, const Formula3& force) const;

 private:
  Recorded3 constants(LawWriter& law, const Nodes3& nodes) const;
  Recorded3 axis(LawWriter& law, std::size_t k) const;
  // Of the place "to" from the place "from".
  Recorded3 arm(LawWriter& law) const;
  SurfaceView view_of_height(LawWriter& law) const;

  ForceDraft& force_;
  int to_ = -1, to_body_ = -1;              // a feature; the body in the plan
  int from_ = -1, from_body_ = -1;          // likewise, -1 of the ground
  Nodes3 ground_{};                         // where "from" is on the ground
  std::array<Nodes3, 3> axes_{};            // of the surface, the last one its normal or its height
  std::optional<expression::Node> height_;  // of the draft
};

}  // namespace gradus
