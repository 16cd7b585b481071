// A joint of the tree, or one that closes a loop, as forces between its two bodies see it: how
// these slide and turn on each other, and what the joint carries.
#pragma once

#include <string>

#include "src/plan/recorded.hpp"

namespace gradus {

class JointDraft {
 public:
  // Of the joint or loop `name`, as the model states it; `path` is what errors name.
  JointDraft(Draft& draft, const std::string& name, const std::string& path);

  JointType type() const { return joint_.type; }

  // Slip k of slips_of(type): what a force on it works on, and how fast it changes, m/s or rad/s.
  expression::Node way(LawWriter& law, int k) const;
  Recorded rate(LawWriter& law, int k) const;

  // Columns of the joint frame in the parent or the child, in global axes: the axis, the zero
  // direction, and the direction across both.
  Recorded3 parent_direction(LawWriter& law, std::size_t column) const;
  Recorded3 child_direction(LawWriter& law, std::size_t column) const;

  // What the joint puts on its child, in global axes, the moment about the child's point of the
  // joint; or about the parent's.
  Recorded3 force(LawWriter& law) const { return reaction(law, "reaction_force"); }
  Recorded3 moment(LawWriter& law) const { return reaction(law, "reaction_moment"); }
  Recorded3 moment_at_parent(LawWriter& law) const;

 private:
  Recorded3 reaction(LawWriter& law, std::string_view kind) const;
  Recorded3 direction(LawWriter& law, int body, const FrameNodes& frame, std::size_t column) const;
  Recorded3 direction_rate(LawWriter& law, int body, const FrameNodes& frame,
                           std::size_t column) const;
  Recorded3 point(LawWriter& law, int feature) const;
  Recorded3 angular_velocity(LawWriter& law, int body) const;
  // Of the cut joint, where no coordinate says how its bodies lie: from the parent's point to the
  // child's, and what turned.
  Recorded3 gap(LawWriter& law) const;
  Recorded3 relative_turning(LawWriter& law) const;
  Recorded angle(LawWriter& law, int k) const;
  bool is_slide(int k) const;
  // The axis along or about which slip k goes.
  Recorded3 axis_of(LawWriter& law, int k) const;
  int pose() const { return draft_.pose(parent_point_, child_point_); }

  Draft& draft_;
  std::string name_;
  Joint joint_;
  bool is_cut_ = false;
  int first_coordinate_ = -1;
  JointFrames frames_{};
  int parent_point_ = -1, child_point_ = -1;  // features
  int parent_body_ = -1, child_body_ = -1;    // of the plan, -1: the ground
};

}  // namespace gradus
