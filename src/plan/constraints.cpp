// Closure equations of cut joints, and the laws that users keep.
#include <algorithm>
#include <initializer_list>
#include <memory>

#include "src/plan/draft.hpp"

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
    using kernels::ConstraintKind;
    using enum JointType;
    const std::string path = "/loops/" + loop.name;
    const int parent_point = draft_.point_feature(loop.parent, path + "/parent");
    const int child_point = draft_.point_feature(loop.child, path + "/child");
    const JointFrames frames = joint_frames(draft_, loop, path);
    const auto direction = [&](int point, const FrameNodes& frame, std::size_t column) {
      return draft_.feature(draft_.plan.features[index(point)].body,
                            draft_.slots.add(frame_column(frame, column)), false);
    };
    const int parent_axis = direction(parent_point, frames.parent, 0);
    const int child_axis = direction(child_point, frames.child, 0);
    const auto is = [&](std::initializer_list<JointType> types) {
      return std::find(types.begin(), types.end(), loop.type) != types.end();
    };
    const auto close = [&](ConstraintKind kind, std::array<int, 3> features) {
      draft_.add_constraint(kind, features, loop.name);
    };
    if (is({revolute, spherical, cardan, fixed}))
      close(ConstraintKind::difference, {child_point, parent_point, -1});
    if (is({revolute, cylindrical, prismatic, planar, fixed}))
      close(ConstraintKind::difference, {child_axis, parent_axis, -1});
    if (is({cardan})) close(ConstraintKind::perpendicular, {parent_axis, child_axis, -1});
    if (is({cylindrical, prismatic}))
      close(ConstraintKind::alignment, {child_axis, child_point, parent_point});
    if (is({planar})) close(ConstraintKind::in_plane, {child_axis, child_point, parent_point});
    if (!is({prismatic, fixed})) return;
    const int child_zero = direction(child_point, frames.child, 1);
    const int parent_zero = direction(parent_point, frames.parent, 1);
    close(ConstraintKind::difference, {child_zero, parent_zero, -1});
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
    return law.subtract(kept, values_->read(law, constraint.value, path + "/value"));
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
  const auto add = [&](bool at_start) {
    for (std::size_t k = 0; k < draft.model.constraints.size(); ++k) {
      if (draft.model.constraints[k].at_start != at_start) continue;
      draft.constraint_places[k] = static_cast<int>(draft.plan.constraints.size());
      writer.add(draft.model.constraints[k]);
    }
  };
  draft.constraint_places.resize(draft.model.constraints.size());
  add(false);
  const int lasting = draft.plan.constraint_rows;
  const std::size_t first = draft.plan.constraints.size();
  add(true);
  draft.plan.start_constraints = static_cast<int>(draft.plan.constraints.size() - first);
  draft.plan.start_rows = draft.plan.constraint_rows - lasting;
}

}  // namespace gradus
