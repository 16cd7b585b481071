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

  // Six springs: along the axes of the first body, and by the turns about them.
  void add_bushing(const Bushing& bushing) {
    const std::string path = "/forces/" + bushing.name;
    BushingFeatures f;
    f.from = draft_.point_feature(bushing.from, path + "/from");
    f.to = draft_.point_feature(bushing.to, path + "/to");
    for (int k = 0; k < 3; ++k) {
      f.first[index(k)] = draft_.axis_feature(draft_.plan.features[index(f.from)].body, k);
      f.second[index(k)] = draft_.axis_feature(draft_.plan.features[index(f.to)].body, k);
    }
    for (int k = 0; k < 3; ++k) {
      const auto at = [&](const Vector3& numbers, const char* key) {
        return draft_.node(numbers[index(k)], path + "/" + key + "/" + std::to_string(k));
      };
      add_bushing_spring(bushing, at(bushing.stiffness, "stiffness"),
                         at(bushing.damping, "damping"),
                         [&](LawWriter& law) { return displacement(law, f, k); });
      add_bushing_spring(bushing, at(bushing.torsional_stiffness, "torsional_stiffness"),
                         at(bushing.torsional_damping, "torsional_damping"),
                         [&](LawWriter& law) { return turn(law, f, k); });
    }
  }

 private:
  struct Place {
    int body, axis, feature;
  };
  struct BushingFeatures {
    int from, to;
    std::array<int, 3> first, second;  // axes of the bodies
  };
  // A scalar and its rate.
  struct Measure {
    Node value, rate;
  };

  template <class Spring>
  int add_constants(const Spring& spring, const Number& rest, const std::string& path,
                    const char* key) {
    return draft_.slots.add(Nodes3{draft_.node(spring.stiffness, path + "/stiffness"),
                                   draft_.node(spring.damping, path + "/damping"),
                                   draft_.node(rest, path + key)});
  }

  static bool is_zero(LawWriter& law, Node value) {
    return law.is_constant(value) && law.constant_value(value) == 0.0;
  }

  void add_action(ActionKind kind, LawWriter& size, Node value, const Place& place,
                  const std::string& name) {
    if (is_zero(size, value)) return;
    draft_.plan.actions.push_back(
        {kind, size.finish(value, name), -1, place.body, place.axis, place.feature});
  }

  // The force `value` that works on the scalar `scalar`.
  void add_effort(LawWriter& work, Node scalar, LawWriter& size, Node value,
                  const std::string& name) {
    if (is_zero(size, value)) return;
    const int size_law = size.finish(value, name);
    draft_.plan.actions.push_back(
        {ActionKind::effort, size_law, work.finish(scalar, name), -1, -1, -1});
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

  template <class Measured>
  void add_bushing_spring(const Bushing& bushing, Node stiffness, Node damping,
                          const Measured& measured) {
    LawWriter work(draft_);
    LawWriter size(draft_);
    const Measure m = measured(size);
    const Node pull = size.add(size.multiply(size.slot(stiffness), m.value),
                               size.multiply(size.slot(damping), m.rate));
    add_effort(work, measured(work).value, size, size.negate(pull), bushing.name);
  }

  // Of `to` from `from` along axis k of the first body.
  static Measure displacement(LawWriter& law, const BushingFeatures& f, int k) {
    const Nodes3 line = law.difference(law.position(f.to), law.position(f.from));
    const Nodes3 relative = law.difference(law.velocity(f.to), law.velocity(f.from));
    const int axis = f.first[index(k)];
    return {law.dot(law.position(axis), line),
            law.add(law.dot(law.velocity(axis), line), law.dot(law.position(axis), relative))};
  }

  // a . b of two directions.
  static Measure product(LawWriter& law, int a, int b) {
    return {law.dot(law.position(a), law.position(b)),
            law.add(law.dot(law.velocity(a), law.position(b)),
                    law.dot(law.position(a), law.velocity(b)))};
  }

  // About axis k of the first body: (second[i] . first[j] - second[j] . first[i]) / 2, with k, i, j
  // in cyclic order.
  static Measure turn(LawWriter& law, const BushingFeatures& f, int k) {
    const auto i = index((k + 1) % 3);
    const auto j = index((k + 2) % 3);
    const Measure a = product(law, f.second[i], f.first[j]);
    const Measure b = product(law, f.second[j], f.first[i]);
    const Node half = law.constant(0.5);
    return {law.multiply(half, law.subtract(a.value, b.value)),
            law.multiply(half, law.subtract(a.rate, b.rate))};
  }

  Draft& draft_;
  std::unique_ptr<LawReader> laws_;
  std::unique_ptr<LawReader> spring_laws_;
};

}  // namespace

void add_forces(Draft& draft) {
  ForceWriter writer(draft);
  const Model& model = draft.model;
  for (const SpringDamper& spring : model.springs) writer.add_spring(spring);
  for (const TorsionalSpringDamper& spring : model.torsional_springs)
    writer.add_torsional_spring(spring);
  for (const Load& load : model.loads) writer.add_load(load);
  for (const JointForce& force : model.joint_forces) writer.add_joint_force(force);
  for (const Bushing& bushing : model.bushings) writer.add_bushing(bushing);
}

}  // namespace gradus
