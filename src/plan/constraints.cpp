// Closure equations of cut joints, and the laws that users keep.
#include <memory>
#include <utility>

#include "src/plan/draft.hpp"
#include "src/plan/joint_frame.hpp"
#include "src/plan/law_writer.hpp"

namespace gradus {
namespace {

using expression::Node;

class ConstraintWriter {
 public:
  explicit ConstraintWriter(Draft& draft) : draft_(draft) {
    if (draft.model.constraints.empty()) return;
    values_ = std::make_unique<LawReader>(draft, LawPlace::constraint_value);
    expressions_ = std::make_unique<LawReader>(draft, LawPlace::constraint);
  }

  // Closure equations of a cut joint: docs/theory.md, section 6.
  void add_loop(const Joint& loop) {
    const std::string path = "/loops/" + loop.name;
    const int parent = draft_.position_of(
        draft_.references.point(loop.parent, draft_.where(path + "/parent")).body);
    const int child =
        draft_.position_of(draft_.references.point(loop.child, draft_.where(path + "/child")).body);
    const int parent_point = draft_.point_feature(loop.parent, path + "/parent");
    const int child_point = draft_.point_feature(loop.child, path + "/child");
    const JointFrames frames =
        joint_frames(draft_.graph, loop, draft_.scope, draft_.plan.nominal, draft_.where(path));
    const auto direction = [&](int body, const FrameNodes& frame, int column) {
      return draft_.feature(body, draft_.slots.add(frame_column(frame, column)), false);
    };
    const int parent_axis = direction(parent, frames.parent, 0);
    const int child_axis = direction(child, frames.child, 0);
    close_loop(loop, child_point, parent_point, child_axis, parent_axis, [&] {
      return std::pair{direction(child, frames.child, 1), direction(parent, frames.parent, 1)};
    });
  }

  void add(const Constraint& constraint) {
    const std::string path = "/constraints/" + constraint.name;
    if (constraint.kind == ConstraintKind::coincident) {
      const int first = draft_.point_feature(constraint.first, path + "/coincident/0");
      const int second = draft_.point_feature(constraint.second, path + "/coincident/1");
      return draft_.add_constraint(kernels::ConstraintKind::difference, {first, second, -1},
                                   constraint.name);
    }
    LawWriter law(draft_);
    const Node kept = law_of(law, constraint, path);
    const int number = law.finish(kept, constraint.name);
    draft_.add_constraint(kernels::ConstraintKind::law, {number, -1, -1}, constraint.name);
  }

 private:
  // What is kept at zero.
  Node law_of(LawWriter& law, const Constraint& constraint, const std::string& path) const {
    if (constraint.kind == ConstraintKind::expression)
      return expressions_->read(law, constraint.value, path + "/expression");
    const Node kept = measured(law, constraint, path);
    return law.graph().subtract(kept, values_->read(law, constraint.value, path + "/value"));
  }

  Node measured(LawWriter& law, const Constraint& constraint, const std::string& path) const {
    if (constraint.kind == ConstraintKind::coordinate)
      return law.coordinate(draft_.coordinate(constraint.first, path + "/coordinate"));
    if (constraint.kind == ConstraintKind::dot) {
      const Nodes3 first = law.position(draft_.vector_feature(constraint.first, path + "/dot/0"));
      const Nodes3 second = law.position(draft_.vector_feature(constraint.second, path + "/dot/1"));
      return law.dot(first, second);
    }
    const Nodes3 from = law.position(draft_.point_feature(constraint.first, path + "/distance/0"));
    const Nodes3 to = law.position(draft_.point_feature(constraint.second, path + "/distance/1"));
    return law.length(law.difference(to, from));
  }

  template <class ZeroDirections>
  void close_loop(const Joint& loop, int child_point, int parent_point, int child_axis,
                  int parent_axis, const ZeroDirections& zero_directions) {
    using kernels::ConstraintKind;
    const auto equal = [&](int a, int b) {
      draft_.add_constraint(ConstraintKind::difference, {a, b, -1}, loop.name);
    };
    const auto equal_zeros = [&] {
      const auto [child, parent] = zero_directions();
      equal(child, parent);
    };
    switch (loop.type) {
      case JointType::revolute:
        equal(child_point, parent_point);
        return equal(child_axis, parent_axis);
      case JointType::spherical:
        return equal(child_point, parent_point);
      case JointType::cardan:
        equal(child_point, parent_point);
        return draft_.add_constraint(ConstraintKind::perpendicular, {parent_axis, child_axis, -1},
                                     loop.name);
      case JointType::cylindrical:
      case JointType::prismatic:
        equal(child_axis, parent_axis);
        draft_.add_constraint(ConstraintKind::alignment, {child_axis, child_point, parent_point},
                              loop.name);
        if (loop.type == JointType::prismatic) equal_zeros();
        return;
      case JointType::planar:
        equal(child_axis, parent_axis);
        return draft_.add_constraint(ConstraintKind::in_plane,
                                     {child_axis, child_point, parent_point}, loop.name);
      case JointType::fixed:
        equal(child_point, parent_point);
        equal(child_axis, parent_axis);
        return equal_zeros();
      case JointType::floating:
        return;
    }
  }

  Draft& draft_;
  std::unique_ptr<LawReader> values_;
  std::unique_ptr<LawReader> expressions_;
};

}  // namespace

void add_constraints(Draft& draft) {
  ConstraintWriter writer(draft);
  for (const Joint& loop : draft.model.loops) {
    const int first = static_cast<int>(draft.plan.constraints.size());
    writer.add_loop(loop);
    draft.loop_constraints.push_back({first, static_cast<int>(draft.plan.constraints.size())});
  }
  for (const Constraint& constraint : draft.model.constraints)
    if (!constraint.at_start) writer.add(constraint);
  const int lasting = draft.plan.constraint_rows;
  const std::size_t first = draft.plan.constraints.size();
  for (const Constraint& constraint : draft.model.constraints)
    if (constraint.at_start) writer.add(constraint);
  draft.plan.start_constraints = static_cast<int>(draft.plan.constraints.size() - first);
  draft.plan.start_rows = draft.plan.constraint_rows - lasting;
}

}  // namespace gradus
