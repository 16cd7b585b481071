// A force on its way into a plan: its values, and the words in which the kinds of forces say what
// they exert.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "src/model/force_kind.hpp"
#include "src/plan/joint_draft.hpp"

namespace gradus {

// Reads the laws of all forces of a model; made when the first needs it.
class ForceLaws {
 public:
  explicit ForceLaws(Draft& draft) : draft_(draft) {}
  // `locals` are those of a key, which live as long as the process.
  const LawReader& of(std::span<const std::string_view> locals);

 private:
  Draft& draft_;
  std::map<const std::string_view*, LawReader> readers_;  // by the first of the locals
};

class ForceDraft;

// A force and a torque.
struct RecordedWrench {
  Recorded3 force, torque;
};

// What the formula of a force reads: the values of its keys, the coordinate, the length or the
// relative pose that it works on, and how fast that changes.
class ForceFormula {
 public:
  ForceFormula(const ForceDraft& force, LawWriter& law, Recorded extent, Recorded rate,
               int pose = -1)
      : force_(force), law_(law), extent_(extent), rate_(rate), pose_(pose) {}

  Recorded operator[](std::string_view key) const;  // 0 if it is not said
  Recorded3 vector(std::string_view key) const;
  const Recorded& coordinate() const { return extent_; }
  const Recorded& length() const { return extent_; }
  const Recorded& rate() const { return rate_; }
  // Of a force between two bodies, in the axes of the first: where the second place is, seen from
  // the first; the rotation vector of the second body, 0 to 180 degrees; the rate of the one, and
  // the relative angular velocity.
  Recorded3 displacement() const { return of_pose(kernels::LawInputKind::pose, 0); }
  Recorded3 rotation() const { return of_pose(kernels::LawInputKind::pose, 3); }
  Recorded3 velocity() const { return of_pose(kernels::LawInputKind::pose_rate, 0); }
  Recorded3 angular_velocity() const { return of_pose(kernels::LawInputKind::pose_rate, 3); }
  // The torque that does the work of moments on the rotation vector, such as what an energy grows
  // by with its components.
  Recorded3 torque_of(const Recorded3& moments) const;
  // Of a key that is positive: no number for a design in which it is negative, which then fails.
  Recorded positive(std::string_view key) const;
  // The same of a key that may be 0, of one that is 1 or above, and of one above 0 that is 1 or
  // below.
  Recorded not_negative(std::string_view key) const;
  Recorded at_least_one(std::string_view key) const;
  Recorded share(std::string_view key) const;
  Recorded share_or_nothing(std::string_view key) const;  // 0 to 1
  Recorded state(std::string_view name) const;
  // What ForceDraft::determine() gave the number.
  Recorded unknown(int number) const {
    return {law_, law_.input(kernels::LawInputKind::algebraic, number)};
  }
  bool says(std::string_view key) const;
  LawWriter& law() const { return law_; }
  Recorded time() const { return {law_, law_.input(kernels::LawInputKind::time, 0)}; }

 private:
  const ForceDraft& force_;
  LawWriter& law_;
  Recorded extent_, rate_;
  int pose_;

  Recorded3 of_pose(kernels::LawInputKind kind, int first) const;
  Recorded nothing_where_at_most_one(std::string_view key) const;
  // The value, and no number where the margin is below 0.
  Recorded where_not_negative(expression::Node value, expression::Node margin) const;
};

class ForceDraft {
 public:
  ForceDraft(Draft& draft, ForceLaws& laws, const Force& force);

  Draft& draft() { return draft_; }
  const ForceKind& kind() const { return kind_; }
  const Force& force() const { return force_; }
  expression::Graph& graph() const { return draft_.graph; }
  const LawReader& laws() { return laws_.of({}); }
  const std::string& name() const { return force_.name; }
  bool says(std::string_view key) const { return force_.find(key) != nullptr; }
  std::string path(std::string_view key) const {
    return "/forces/" + force_.name + "/" + std::string(key);
  }
  int coordinate_of_state(std::string_view name) const {
    return draft_.coordinate_of_state(force_.name + "." + std::string(name));
  }
  const std::string& text(std::string_view key) const { return text_of(force_, key); }

  // Values that depend on parameters alone, as nodes of the draft; 0 of keys that are not said.
  expression::Node constant(std::string_view key) const;
  Nodes3 constants(std::string_view key);
  // The value of a key, of component k of a vector, in a law. `locals` are what the names of the
  // force itself stand for.
  expression::Node value(LawWriter& law, std::string_view key, int component = 0,
                         std::span<const expression::Node> locals = {}) const;

  // A law of parameters, time and the names of the force itself alone, as a node of the draft: its
  // value in another law, and its slope by one of these names. Made of operations, splines too, so
  // that the law has derivatives as an expression.
  expression::Node place_law(std::string_view key) const;
  bool reads_time(expression::Node node) const;
  Recorded value_of(LawWriter& law, std::string_view key, expression::Node node,
                    std::span<const expression::Node> locals) const;
  Recorded slope_of(LawWriter& law, std::string_view key, expression::Node node, std::size_t local,
                    std::span<const expression::Node> locals) const;

  // Where the force acts: a feature, a body of the plan (-1: the ground), a coordinate, a line.
  int point(std::string_view key) { return draft_.point_feature(text(key), path(key)); }
  int body(std::string_view key);
  CoordinateDraft coordinate() { return {draft_, text("joint"), path("joint")}; }
  int line();
  int pose();

  // Of a force on a coordinate: what the formula says, positive in its direction.
  using Formula = std::function<Recorded(const ForceFormula&)>;
  void push(const Formula& formula);
  // Of a force along a line: what the formula says is its tension.
  void pull(const Formula& formula);
  // Of a force between two bodies, in the axes of the first: what the formula says pulls and turns
  // the second body back, at its place, and acts against that on the first.
  void resist(const std::function<RecordedWrench(const ForceFormula&)>& formula);
  // One component of that alone: of the force, 0 to 2, or of the torque, 3 to 5.
  void resist(int k, const Formula& formula);
  // Of any of these: what the formula says is the energy that it stores, a function of positions,
  // which sensors of energies show; the force is stated besides.
  void store(const Formula& formula);
  // On what a law of positions says, such as a slip of a joint: what the formula says pushes along.
  void push_along(const std::function<expression::Node(LawWriter&)>& way, const Formula& formula);
  // A torque on a body of the plan about global axis k.
  void turn(int body, int k, const Formula& formula);
  // What the formula says, of accelerations and reactions, is an unknown of the force, which its
  // other formulas may be linear in (each in one); returns its number.
  int determine(const Formula& formula);
  // What the formula says of positions is kept at 0, by a force that the sensor "normal_force"
  // shows: for ForceKind::constrain.
  void keep(const Formula& formula);
  // What it says of velocities, see add_rate_constraint().
  void keep_rate(const Formula& formula);
  // Whether the model has a sensor of the kind of the force, which then shows what the formulas
  // say, one for each of its numbers; nothing else is written between these.
  bool is_shown(std::string_view sensor) const;
  void show(std::string_view sensor, const Formula& formula);
  // What the formula says is the rate of a state of the force.
  void drive(std::string_view state, const Formula& formula);
  // An event of the force: where what `when` says passes zero (-1: falling, 1: rising) and the
  // condition is above 0, a state of the force that nothing drives becomes `next`. What is zero at
  // the start and moves on has not passed.
  void on(const Formula& when, int direction, const Formula& condition, std::string_view state,
          double next);
  // What the formula says of positions is what such a state begins with.
  void begin(std::string_view state, const Formula& formula);
  // An impact where the distance falls through zero; the state is the size of its impulse.
  void strike(std::string_view impulse, const Formula& distance, const Formula& restitution);
  // One component of a force at a point or of a torque on a body, in global axes or in those of the
  // body: what the formula says, or the key of the same place.
  void add_component(int k, bool in_body_axes, const Formula& formula);
  void add_component(std::string_view key, int k, bool in_body_axes);

 private:
  const ForceKey& key_of(std::string_view name) const;
  std::function<expression::Node(LawWriter&)> law_of(const Formula& formula);
  // What a formula reads in a law: the coordinate, the length or the pose that the force acts on,
  // if any.
  ForceFormula inputs_in(LawWriter& law);

  Draft& draft_;
  ForceLaws& laws_;
  const Force& force_;
  const ForceKind& kind_;
};

}  // namespace gradus
