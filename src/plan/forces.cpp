// Springs with constants are elements of their own; every other force is made of actions, whose
// sizes are laws.
#include "src/plan/draft.hpp"

#include <memory>

#include "src/model/keys.hpp"

namespace gradus {
namespace {

using expression::Node;
using kernels::ActionKind;

class ForceWriter {
 public:
  explicit ForceWriter(Draft& draft) : draft_(draft) {
    const Model& model = draft.model;
    if (!model.loads.empty() || !model.joint_forces.empty())
      laws_ = std::make_unique<LawReader>(draft, LawPlace::force);
    for (const SpringDamper& spring : model.springs)
      if (!spring.law.empty() && !spring_laws_)
        spring_laws_ = std::make_unique<LawReader>(draft, LawPlace::force, keys::law_names);
  }

  void add_spring(const SpringDamper& spring) {
    const std::string path = "/forces/" + spring.name;
    const int from = draft_.point_feature(spring.from, path + "/from");
    const int to = draft_.point_feature(spring.to, path + "/to");
    if (!spring.law.empty()) return add_spring_law(spring, from, to);
    kernels::SpringEntry entry{};
    entry.from = from;
    entry.to = to;
    entry.slot = add_constants(spring, spring.length, path, "/length");
    const int ends[2] = {from, to};
    add_touches(draft_.plan, ends, 2, entry.touch_begin, entry.touch_end);
    draft_.plan.springs.push_back(entry);
    draft_.plan.spring_names.push_back(spring.name);
  }

  void add_torsional_spring(const TorsionalSpringDamper& spring) {
    const std::string path = "/forces/" + spring.name;
    const int coordinate = draft_.coordinate(spring.joint, path + "/joint");
    const int slot = add_constants(spring, spring.angle, path, "/angle");
    draft_.plan.torsionals.push_back({coordinate, slot});
    draft_.plan.torsional_names.push_back(spring.name);
  }

  // Loads on the ground move nothing.
  void add_load(const Load& load) {
    const std::string path = "/forces/" + load.name;
    const PointReference at = draft_.references.point(load.at, draft_.where(path + "/at"));
    if (at.body == ground_body) return;
    const int body = draft_.position_of(at.body);
    const int point = load.is_torque ? -1 : draft_.point_feature(load.at, path + "/at");
    for (int k = 0; k < 3; ++k) {
      LawWriter size(draft_);
      const Node value =
          laws_->read(size, load.components[index(k)], path + "/components/" + std::to_string(k));
      const bool follows = load.axes == Axes::body;
      if (load.is_torque) {
        add_action(follows ? ActionKind::follower_torque : ActionKind::fixed_torque, size, value,
                   {body, k, -1}, load.name);
      } else if (follows) {
        add_action(ActionKind::follower_force, size, value, {body, k, point}, load.name);
      } else {
        LawWriter work(draft_);
        add_effort(work, work.position(point)[index(k)], size, value, load.name);
      }
    }
  }

  void add_joint_force(const JointForce& force) {
    const std::string path = "/forces/" + force.name;
    LawWriter work(draft_);
    LawWriter size(draft_);
    const int coordinate = draft_.coordinate(force.joint, path + "/joint");
    add_effort(work, work.coordinate(coordinate), size,
               laws_->read(size, force.value, path + "/value"), force.name);
  }

 private:
  struct Place {
    int body, axis, feature;
  };

  template <class Spring>
  int add_constants(const Spring& spring, const Number& rest, const std::string& path,
                    const char* key) {
    return draft_.slots.add(Nodes3{draft_.node(spring.stiffness, path + "/stiffness"),
                                   draft_.node(spring.damping, path + "/damping"),
                                   draft_.node(rest, path + key)});
  }

  void add_action(ActionKind kind, LawWriter& size, Node value, const Place& place,
                  const std::string& name) {
    if (is_zero(size, value)) return;
    draft_.plan.actions.push_back(
        {kind, size.finish(value, name), -1, place.body, place.axis, place.feature, 0});
  }

  void add_effort(LawWriter& work, Node scalar, LawWriter& size, Node value,
                  const std::string& name) {
    gradus::add_effort(draft_, work, scalar, size, value, name);
  }

  // The tension works against the length.
  void add_spring_law(const SpringDamper& spring, int from, int to) {
    LawWriter work(draft_);
    LawWriter size(draft_);
    const Nodes3 line = size.difference(size.position(to), size.position(from));
    const Nodes3 relative = size.difference(size.velocity(to), size.velocity(from));
    const Node length = size.length(line);
    const std::array<Node, 2> locals{length, size.divide(size.dot(line, relative), length)};
    const Node tension =
        spring_laws_->read(size, spring.law, "/forces/" + spring.name + "/law", locals);
    add_effort(work, work.length(work.difference(work.position(to), work.position(from))), size,
               size.negate(tension), spring.name);
  }

  Draft& draft_;
  std::unique_ptr<LawReader> laws_;
  std::unique_ptr<LawReader> spring_laws_;
};

}  // namespace

bool is_zero(const LawWriter& law, Node value) {
  return law.is_constant(value) && law.constant_value(value) == 0.0;
}

void add_effort(Draft& draft, LawWriter& work, Node scalar, LawWriter& size, Node value,
                const std::string& name) {
  if (is_zero(size, value)) return;
  const int size_law = size.finish(value, name);
  draft.plan.actions.push_back(
      {ActionKind::effort, size_law, work.finish(scalar, name), -1, -1, -1, 0});
}

void add_forces(Draft& draft) {
  ForceWriter writer(draft);
  const Model& model = draft.model;
  for (const SpringDamper& spring : model.springs) writer.add_spring(spring);
  for (const TorsionalSpringDamper& spring : model.torsional_springs)
    writer.add_torsional_spring(spring);
  for (const Load& load : model.loads) writer.add_load(load);
  for (const JointForce& force : model.joint_forces) writer.add_joint_force(force);
  for (const Bushing& bushing : model.bushings) add_bushing(draft, bushing);
}

}  // namespace gradus
