// Poses of the nominal design, and what is held.
#include "src/motion/tree_start.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
#include "src/motion/start_constraints.hpp"
#include "src/motion/started_design.hpp"

namespace gradus {
namespace {

constexpr double kOpen = 1e-6;  // m or 1

class StartReader {
 public:
  StartReader(const SpanningTree& tree, const MotionRequest& request, const std::string& origin)
      : tree_(tree), plan_(*request.plan), origin_(origin), constraints_(plan_) {
    if (plan_.from_equilibrium != 0) balance(request);
    constraints_.evaluate();
    if (plan_.from_equilibrium == 0) require_closed();
  }

  TreeStart read() {
    start_.poses.resize(tree_.model.bodies.size());
    start_.coordinates.resize(tree_.model.joints.size());
    for (std::size_t i = 0; i < plan_.bodies.size(); ++i) read_body(i);
    if (plan_.from_equilibrium == 0) {
      for (const HeldRow& row : plan_.held_rows) add(row);
      require_whole_turns();
    } else {
      require_rest();
    }
    return std::move(start_);
  }

 private:
  // Angles and their turns are taken from this start: one that is not closed has others.
  void require_closed() {
    const Eigen::VectorXd values = constraints_.value();
    for (Eigen::Index row = 0; row < values.size(); ++row) {
      const auto place = static_cast<std::size_t>(row);
      const double weight = place < plan_.row_weights.size() ? plan_.row_weights[place] : 1.0;
      if (weight * std::abs(values(row)) < kOpen) continue;
      reject(origin_, "the loops cannot be closed where the model's own start is looked for",
             "reference-point coordinates begin where those of joints do",
             "state start values or guesses that are nearer");
    }
  }

  // To the equilibrium of the nominal design, where there is one.
  void balance(const MotionRequest& request) {
    using kernels::KernelId;
    StartedDesign design(request, plan_.nominal);
    for (const KernelId kernel :
         {KernelId::prepare_numbers, KernelId::start_position, KernelId::find_equilibrium})
      design.chunk.launch(kernel, Instant{0.0, 0.0, false}, no_stage());
    if (!design.chunk.fails())
      constraints_.position() =
          design.matrix(design.setup.layout.position, constraints_.position().size(), 1);
  }

  template <class Named>
  static std::size_t place_of(const std::vector<Named>& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const Named& element) { return element.name == name; });
    return static_cast<std::size_t>(found - list.begin());
  }

  const Joint& joint_of_body(std::size_t i) const {
    return tree_.model.joints[place_of(tree_.model.joints, plan_.joint_names[i])];
  }

  // Bodies come after their parents. A rotation has two quadruples of Euler parameters: the one is
  // taken that continues those of the joint.
  void read_body(std::size_t i) {
    const kernels::BodyEntry& body = plan_.bodies[i];
    std::vector<double>& own =
        start_.coordinates[place_of(tree_.model.joints, plan_.joint_names[i])];
    for (int k = 0; k < body.coordinate_count; ++k)
      own.push_back(constraints_.position()(body.first_coordinate + k));
    const Eigen::Quaterniond turn(constraints_.rotation(static_cast<int>(i)));
    Eigen::Vector4d euler(turn.w(), turn.x(), turn.y(), turn.z());
    if (body.euler >= 0) {
      const Eigen::Vector4d stated = constraints_.position().segment<4>(body.euler);
      const Eigen::Quaterniond relative(stated(0), stated(1), stated(2), stated(3));
      const Eigen::Quaterniond parent = body.parent < 0
                                            ? Eigen::Quaterniond::Identity()
                                            : euler_[static_cast<std::size_t>(body.parent)];
      const Eigen::Quaterniond whole = parent * relative;
      if (euler.dot(Eigen::Vector4d(whole.w(), whole.x(), whole.y(), whole.z())) < 0.0)
        euler = -euler;
    }
    euler_.emplace_back(euler(0), euler(1), euler(2), euler(3));
    const Eigen::Vector3d origin = constraints_.origin(static_cast<int>(i));
    std::array<double, 7>& pose = start_.poses[place_of(tree_.model.bodies, plan_.body_names[i])];
    for (int k = 0; k < 3; ++k) pose[static_cast<std::size_t>(k)] = origin(k);
    for (int k = 0; k < 4; ++k) pose[static_cast<std::size_t>(3 + k)] = euler(k);
  }

  // What a guess became is held as a number.
  void add(const HeldRow& row) {
    const auto body =
        static_cast<std::size_t>(plan_.coordinates[static_cast<std::size_t>(row.coordinate)].body);
    if (body + static_cast<std::size_t>(plan_.state_count) >= plan_.bodies.size()) return;
    const Joint& joint = joint_of_body(body);
    const std::vector<CoordinateStart> stated = gradus::start_of(joint);
    JointStart held;
    held.joint = joint.name;
    held.coordinate = row.coordinate - plan_.bodies[body].first_coordinate;
    held.turn = row.turn;
    const int count = row.turn < 0 ? 1 : 4;
    for (int k = 0; k < count; ++k) {
      const double guess = plan_.guess[static_cast<std::size_t>(row.coordinate + k)];
      const Number& number = stated[static_cast<std::size_t>(held.coordinate + k)].position;
      held.position.push_back(std::isnan(guess) ? number : Number(guess));
      held.is_stated = held.is_stated && std::isnan(guess);
    }
    const int velocity = row.turn < 0 ? held.coordinate : held.coordinate + 1 + row.turn;
    held.velocity = stated[static_cast<std::size_t>(velocity)].velocity;
    start_.held.push_back(std::move(held));
  }

  // Of turns that are held in part, the others would begin at other rates than in the tree, unless
  // nothing moves.
  void require_whole_turns() const {
    if (begins_at_rest()) return;
    for (const JointStart& held : start_.held) {
      if (held.turn < 0) continue;
      const auto turns = std::count_if(
          start_.held.begin(), start_.held.end(),
          [&](const JointStart& other) { return other.joint == held.joint && other.turn >= 0; });
      if (turns < 3)
        reject(origin_ + ": /joints/" + held.joint,
               "the constraints determine a part of the orientation that the joint begins with",
               "reference-point coordinates begin where the start is stated",
               "state the \"initial\" position of coordinates, or use joint coordinates");
    }
  }

  bool begins_at_rest() const {
    const auto is_still = [](const CoordinateStart& start) {
      return !start.velocity.is_expression() && start.velocity.value() == 0.0;
    };
    return tree_.model.constraints.empty() &&
           std::all_of(tree_.model.joints.begin(), tree_.model.joints.end(),
                       [&](const Joint& joint) {
                         return std::all_of(joint.start.begin(), joint.start.end(), is_still);
                       });
  }

  // A mechanism that starts from an equilibrium starts at rest.
  void require_rest() const {
    for (const Joint& joint : tree_.model.joints)
      for (const CoordinateStart& start : joint.start) {
        const Number& velocity = start.velocity;
        if (!velocity.is_expression() && velocity.value() == 0.0) continue;
        reject(origin_ + ": /joints/" + joint.name + "/initial/velocity",
               "the motion starts from an equilibrium",
               "in reference-point coordinates it then starts at rest",
               "remove the velocity, or use joint coordinates");
      }
  }

  const SpanningTree& tree_;
  const Plan& plan_;
  const std::string& origin_;
  StartConstraints constraints_;
  std::vector<Eigen::Quaterniond> euler_;  // [body of the plan]
  TreeStart start_;
};

}  // namespace

TreeStart start_of_tree(const SpanningTree& tree, const MotionRequest& request,
                        const std::string& origin) {
  if (request.plan->singular_start > 0)
    reject(origin, "the motion starts in a singular configuration",
           "reference-point coordinates cannot start beside it",
           "start elsewhere, or use joint coordinates");
  return StartReader(tree, request, origin).read();
}

}  // namespace gradus
