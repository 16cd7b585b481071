// Closure equations of cut joints, the laws that users keep, and where cut joints begin.
#include <algorithm>
#include <initializer_list>
#include <memory>

#include "src/model/constraint_kind.hpp"
#include "src/plan/constraint_draft.hpp"
#include "src/plan/joint_draft.hpp"

namespace gradus {
namespace {

using expression::Node;

class ConstraintWriter {
 public:
  explicit ConstraintWriter(Draft& draft) : draft_(draft) {
    if (!draft.model.constraints.empty()) readers_ = std::make_unique<ConstraintReaders>(draft);
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
    if (is({cardan})) close(ConstraintKind::perpendicular, {parent_axis, child_axis, -1});
    // As many rows as there are independent ones, where bodies have coordinates of their own: those
    // by which the components of a vector depend on each other would be others after a turn.
    const auto is_free = [&](int feature) {
      return draft_.plan.has_own_coordinates(draft_.plan.features[index(feature)].body);
    };
    const bool is_even = is_free(parent_point) && is_free(child_point);
    const auto across = [&](std::size_t column) {
      return direction(parent_point, frames.parent, column);
    };
    if (is({revolute, cylindrical, prismatic, planar, fixed})) {
      if (is_even) {
        draft_.plan.same_directions.push_back(
            {draft_.plan.constraint_rows, 2, parent_axis, child_axis});
        for (const std::size_t column : {1u, 2u})
          close(ConstraintKind::perpendicular, {across(column), child_axis, -1});
      } else {
        close(ConstraintKind::difference, {child_axis, parent_axis, -1});
      }
    }
    if (is({cylindrical, prismatic})) {
      if (is_even)
        for (const std::size_t column : {1u, 2u})
          close(ConstraintKind::in_plane, {across(column), child_point, parent_point});
      else
        close(ConstraintKind::alignment, {child_axis, child_point, parent_point});
    }
    if (is({planar})) close(ConstraintKind::in_plane, {child_axis, child_point, parent_point});
    if (!is({prismatic, fixed})) return;
    const int child_zero = direction(child_point, frames.child, 1);
    const int parent_zero = across(1);
    if (is_even) {
      draft_.plan.same_directions.push_back(
          {draft_.plan.constraint_rows, 1, parent_zero, child_zero});
      close(ConstraintKind::perpendicular, {across(2), child_zero, -1});
    } else {
      close(ConstraintKind::difference, {child_zero, parent_zero, -1});
    }
  }

  void add(const Constraint& constraint) {
    const ConstraintKind& kind = kind_of(constraint);
    if (kind.formula == nullptr) {
      const int first = point_of(draft_, constraint, 0);
      const int second = point_of(draft_, constraint, 1);
      return draft_.add_constraint(kernels::ConstraintKind::difference, {first, second, -1},
                                   constraint.name);
    }
    LawWriter law(draft_);
    const ConstraintFormula formula(draft_, *readers_, constraint, law);
    Recorded kept = kind.formula(formula);
    if (has_value(kind)) kept = kept - formula.value();
    keep(law, kept, constraint.name);
  }

  // At time 0 the coordinate is where it begins, and goes at its velocity.
  void add(const JointStart& start) {
    LawWriter law(draft_);
    const std::string path = "/joints/" + start.joint + "/initial/";
    std::vector<Node> position;
    for (const Number& number : start.position)
      position.push_back(law.slot(draft_.node(number, path + "position")));
    const Recorded velocity(law, law.slot(draft_.node(start.velocity, path + "velocity")));
    const Recorded way = velocity * Recorded(law, law.input(kernels::LawInputKind::time, 0));
    if (start.turn >= 0) {
      const JointDraft joint(draft_, start.joint, path);
      return keep(law, joint.turned_beyond(law, start.turn, position) - way, start.joint);
    }
    const CoordinateDraft coordinate(draft_, start.joint, start.coordinate, path);
    keep(law, coordinate.beyond(law, Recorded(law, position[0]) + way), start.joint);
  }

 private:
  void keep(LawWriter& law, const Recorded& kept, const std::string& name) {
    const int number = law.finish(kept.in(law), name);
    draft_.add_constraint(kernels::ConstraintKind::law, {number, -1, -1}, name);
  }

  Draft& draft_;
  std::unique_ptr<ConstraintReaders> readers_;
};

std::string path_of(const Constraint& constraint, std::string_view key) {
  return "/constraints/" + constraint.name + "/" + std::string(key);
}

}  // namespace

int point_of(Draft& draft, const Constraint& constraint, int k) {
  return draft.point_feature(k == 0 ? constraint.first : constraint.second,
                             path_of(constraint, constraint.type) + "/" + std::to_string(k));
}

Recorded ConstraintFormula::length() const {
  const int from = point_of(draft_, constraint_, 0);
  const int to = point_of(draft_, constraint_, 1);
  return {law_, law_.input(kernels::LawInputKind::length, draft_.line(from, to))};
}

Recorded3 ConstraintFormula::vector(int k) const {
  const std::string path = path_of(constraint_, constraint_.type) + "/" + std::to_string(k);
  const int feature = draft_.vector_feature(k == 0 ? constraint_.first : constraint_.second, path);
  const Nodes3 v = law_.position(feature);
  return {Recorded(law_, v[0]), Recorded(law_, v[1]), Recorded(law_, v[2])};
}

Recorded ConstraintFormula::coordinate() const {
  const std::string path = path_of(constraint_, constraint_.type);
  const CoordinateDraft coordinate(draft_, constraint_.first, path);
  if (!is_of_cut_joint(draft_, constraint_.first, path)) return coordinate.value(law_);
  return value() + coordinate.beyond(law_, value());
}

Recorded ConstraintFormula::expression() const {
  const std::string path = path_of(constraint_, constraint_.type);
  return {law_, readers_.expressions.read(law_, constraint_.value, path)};
}

Recorded ConstraintFormula::value() const {
  return {law_, readers_.values.read(law_, constraint_.value, path_of(constraint_, "value"))};
}

// How a result answers to the coordinate that its law reads.
enum class Answer { none, to_time, evenly, unevenly };

// By the same slope at all times: only then can it not pass zero, where a constraint determines its
// coordinate no more.
Answer answer_of(const kernels::Instruction& i, const std::vector<Answer>& results,
                 const std::vector<Answer>& inputs) {
  using kernels::Operation;
  if (i.operation == Operation::constant) return Answer::none;
  if (i.operation == Operation::input) return inputs[index(i.a)];
  const Answer a = results[index(i.a)];
  if (!kernels::is_binary(i)) {
    const bool keeps = a != Answer::evenly || i.operation == Operation::negate;
    return keeps ? a : Answer::unevenly;
  }
  const Answer b = results[index(i.b)];
  const Answer larger = std::max(a, b);
  if (larger != Answer::evenly) return larger;
  switch (i.operation) {
    case Operation::add:
    case Operation::subtract:
      return Answer::evenly;
    case Operation::multiply:
      return std::min(a, b) == Answer::none ? Answer::evenly : Answer::unevenly;
    case Operation::divide:
      return b == Answer::none ? Answer::evenly : Answer::unevenly;
    default:
      return Answer::unevenly;
  }
}

bool answers_evenly(const Plan& plan, const kernels::LawEntry& law) {
  std::vector<Answer> inputs, results;
  for (int i = law.input_begin; i < law.input_end; ++i) {
    const kernels::LawInputKind kind = plan.law_inputs[index(i)].kind;
    inputs.push_back(kind == kernels::LawInputKind::coordinate ? Answer::evenly
                     : kind == kernels::LawInputKind::time     ? Answer::to_time
                                                               : Answer::none);
  }
  for (int k = law.instruction_begin; k < law.instruction_end; ++k)
    results.push_back(answer_of(plan.law_instructions[index(k)], results, inputs));
  return results.empty() ? inputs.front() == Answer::evenly : results.back() == Answer::evenly;
}

// The coordinate that a constraint prescribes, -1 if it reads anything else but numbers and time.
// Euler parameters are tied to each other.
int prescribed_coordinate(const Plan& plan, const kernels::ConstraintEntry& e) {
  if (e.kind != kernels::ConstraintKind::law) return -1;
  const kernels::LawEntry& law = plan.laws[index(e.feature[0])];
  if (!answers_evenly(plan, law)) return -1;
  int found = -1;
  for (int i = law.input_begin; i < law.input_end; ++i) {
    const kernels::LawInputEntry& in = plan.law_inputs[index(i)];
    if (in.kind == kernels::LawInputKind::slot || in.kind == kernels::LawInputKind::time) continue;
    if (in.kind != kernels::LawInputKind::coordinate || (found >= 0 && in.index != found))
      return -1;
    found = in.index;
  }
  return found >= 0 && plan.coordinates[index(found)].euler < 0 ? found : -1;
}

// Which constraints prescribe a coordinate, and which tie the tree.
void sort_constraints(Plan& plan) {
  const std::size_t lasting = plan.constraints.size() - index(plan.start_constraints);
  for (std::size_t k = 0; k < plan.constraints.size(); ++k) {
    kernels::ConstraintEntry& e = plan.constraints[k];
    e.tie = -1;
    if (k >= lasting) continue;
    const int prescribed = prescribed_coordinate(plan, e);
    const bool prescribes =
        prescribed >= 0 && plan.coordinates[index(prescribed)].prescribed_by < 0;
    if (prescribes) plan.coordinates[index(prescribed)].prescribed_by = static_cast<int>(k);
    if (prescribes || e.kind == kernels::ConstraintKind::normalisation) {
      plan.plain_rows += e.rows;
    } else {
      e.tie = plan.tie_rows;
      plan.tie_rows += e.rows;
    }
  }
}

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
      if (kind_of(draft.model.constraints[k]).of == ConstraintOf::rates) continue;
      draft.constraint_places[k] = static_cast<int>(draft.plan.constraints.size());
      writer.add(draft.model.constraints[k]);
    }
  };
  draft.constraint_places.resize(draft.model.constraints.size());
  add(false);
  constrain_by_forces(draft);
  const int lasting = draft.plan.constraint_rows;
  const std::size_t first = draft.plan.constraints.size();
  add(true);
  const std::size_t stated = draft.plan.constraints.size();
  for (const JointStart& start : draft.joint_starts) writer.add(start);
  draft.plan.joint_starts = draft.plan.constraints.size() - stated;
  draft.plan.start_constraints = static_cast<int>(draft.plan.constraints.size() - first);
  draft.plan.start_rows = draft.plan.constraint_rows - lasting;
  sort_constraints(draft.plan);
}

}  // namespace gradus
