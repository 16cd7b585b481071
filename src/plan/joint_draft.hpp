// A joint of the tree, or one that is cut, as forces, sensors and constraints see it: how its
// bodies slide and turn on each other, its coordinates, and what it carries.
#pragma once

#include <optional>
#include <span>
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

  // Of a joint that is cut: coordinate k, counted as in the tree, and its rate. An angle whose
  // turns no state counts is within half a turn.
  Recorded coordinate(LawWriter& law, int k) const;
  Recorded coordinate_rate(LawWriter& law, int k) const;
  // By how much coordinate k is beyond a value, of an angle the shortest way.
  Recorded beyond(LawWriter& law, int k, const Recorded& value) const;
  // About axis k of the parent, how far a joint with Euler parameters has turned beyond these: half
  // of what rotation and inverse differ by, which is the angle where it is small.
  Recorded turned_beyond(LawWriter& law, int k, std::span<const expression::Node> euler) const;

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
  Recorded3 gap_rate(LawWriter& law) const;
  Recorded3 relative_turning(LawWriter& law) const;
  Recorded angle(LawWriter& law, int k) const;
  // Of that angle, multiplied by the same positive number.
  struct SineCosine {
    Recorded sine, cosine;
  };
  SineCosine sine_cosine(LawWriter& law, int k) const;
  // Component k of the Euler parameters of the child relative to the parent, or of their rates.
  Recorded relative_euler(LawWriter& law, int k, bool rates) const;
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

// A coordinate "joint" or "joint.k", which joints of the tree have and cut joints can be asked for.
class CoordinateDraft {
 public:
  CoordinateDraft(Draft& draft, const std::string& text, const std::string& path);
  CoordinateDraft(Draft& draft, const std::string& joint, int place, const std::string& path);

  Recorded value(LawWriter& law) const;
  Recorded rate(LawWriter& law) const;
  // By how much it is beyond a value, of an angle of a cut joint the shortest way.
  Recorded beyond(LawWriter& law, const Recorded& value) const;
  // What forces on it work on, whose value means nothing.
  expression::Node work(LawWriter& law) const;

 private:
  int coordinate_ = -1;              // of the plan
  std::optional<JointDraft> joint_;  // that is cut
  int place_ = 0;                    // of the coordinate in it
};

// The unit of a coordinate, of "joint" that of the first.
std::string unit_of_coordinate(const Draft& draft, const std::string& text,
                               const std::string& path);
// Whether the joint that the coordinate names is cut.
bool is_of_cut_joint(const Draft& draft, const std::string& text, const std::string& path);

}  // namespace gradus
