// Joints whose motion no inertia resists and nothing determines are refused.
#include <vector>

#include "src/model/constraint_kind.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/message.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

std::size_t numbered(int i) {
  return static_cast<std::size_t>(i);
}

class MasslessJoints {
 public:
  MasslessJoints(const Model& model, const References& references, const std::string& origin)
      : model_(model),
        references_(references),
        origin_(origin),
        parents_(model.bodies.size(), ground_body),
        children_(model.bodies.size()) {
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      const Ends ends = ends_of(model.joints[j], "/joints/");
      children_of_joints_.push_back(ends.child);
      parents_[numbered(ends.child)] = ends.parent;
      if (ends.parent != ground_body) children_[numbered(ends.parent)].push_back(ends.child);
    }
  }

  void reject_undetermined(const std::vector<char>& has_mass) const {
    const std::vector<char> carries = carries_mass(has_mass);
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const Joint& joint = model_.joints[j];
      const int child = children_of_joints_[j];
      if (joint.type == JointType::fixed || carries[numbered(child)] != 0 || is_determined(j))
        continue;
      const std::string& name = model_.bodies[numbered(child)].name;
      reject(origin_ + ": /bodies/" + name + "/mass", "massless free body " + in_quotes(name),
             "neither it nor any body it carries has mass or inertia, so that nothing determines "
             "the motion of its joint " +
                 in_quotes(joint.name),
             "give it a mass, fix it to another body, or remove it");
    }
  }

 private:
  struct Ends {
    int parent, child;  // bodies
  };

  Ends ends_of(const Joint& joint, const std::string& kind) const {
    const std::string where = origin_ + ": " + kind + joint.name;
    return {references_.point(joint.parent, where).body,
            references_.point(joint.child, where).body};
  }

  // Whether anything on the body, or on bodies it carries, has inertia.
  std::vector<char> carries_mass(const std::vector<char>& has_mass) const {
    std::vector<char> carries(has_mass.size(), 0);
    for (std::size_t i = 0; i < has_mass.size(); ++i) {
      if (has_mass[i] == 0) continue;
      for (int body = static_cast<int>(i); body != ground_body && carries[numbered(body)] == 0;
           body = parents_[numbered(body)])
        carries[numbered(body)] = 1;
    }
    return carries;
  }

  std::vector<char> carried_by(int body) const {
    std::vector<char> carried(model_.bodies.size(), 0);
    std::vector<int> way{body};
    while (!way.empty()) {
      const int next = way.back();
      way.pop_back();
      carried[numbered(next)] = 1;
      way.insert(way.end(), children_[numbered(next)].begin(), children_[numbered(next)].end());
    }
    return carried;
  }

  // Whether something ties what the joint moves to anything else: then it depends on the
  // constraints whether the motion is determined, which is seen when they are solved.
  bool is_determined(std::size_t joint) const {
    const std::vector<char> carried = carried_by(children_of_joints_[joint]);
    const auto crosses = [&](int first, int second) {
      const auto is_carried = [&](int body) {
        return body != ground_body && carried[numbered(body)];
      };
      return is_carried(first) != is_carried(second);
    };
    for (const Joint& loop : model_.loops) {
      const Ends ends = ends_of(loop, "/loops/");
      if (crosses(ends.parent, ends.child)) return true;
    }
    for (const Force& force : model_.forces) {
      if (kind_of(force).constrain == nullptr) continue;
      const std::string where = origin_ + ": /forces/" + force.name;
      if (crosses(references_.point(text_of(force, "from"), where).body,
                  references_.point(text_of(force, "to"), where).body))
        return true;
    }
    for (const Constraint& constraint : model_.constraints) {
      if (constraint.at_start) continue;
      const std::string where = origin_ + ": /constraints/" + constraint.name;
      const ConstraintOf of = kind_of(constraint).of;
      if (is_expression(of)) return true;  // it may use any sensor
      if (of == ConstraintOf::coordinate) {
        if (numbered(references_.coordinate(constraint.first, where).joint) == joint) return true;
        continue;
      }
      const auto body_of = [&](const std::string& place) {
        return of == ConstraintOf::two_points ? references_.point(place, where).body
                                              : references_.vector(place, where).body;
      };
      if (crosses(body_of(constraint.first), body_of(constraint.second))) return true;
    }
    return false;
  }

  const Model& model_;
  const References& references_;
  const std::string& origin_;
  std::vector<int> parents_;                // [body] ground_body where the ground carries it
  std::vector<std::vector<int>> children_;  // [body]
  std::vector<int> children_of_joints_;     // [joint]
};

}  // namespace

void check_massless(const Model& model, const References& references,
                    const std::vector<char>& has_mass, const std::string& origin) {
  MasslessJoints(model, references, origin).reject_undetermined(has_mass);
}

}  // namespace gradus
