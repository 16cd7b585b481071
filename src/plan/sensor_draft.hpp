// A sensor on its way into a plan: what its formula reads, and the words in which the kinds of
// sensors say what they show.
#pragma once

#include <string>

#include "src/model/sensor_kind.hpp"
#include "src/plan/joint_draft.hpp"

namespace gradus {

// Which of the two that a sensor names, or the only one.
enum class Named { first, second };

// Turns a sensor into an entry of the plan.
class SensorDraft {
 public:
  SensorDraft(Draft& draft, const Sensor& sensor);

  Draft& draft() const { return draft_; }
  const SensorKind& kind() const { return kind_; }
  const std::string& target() const { return sensor_.target; }

  // What the sensor names, in the plan: features, a body, coordinates, a constraint.
  int point(Named named = Named::first) const { return draft_.point_feature(text(named), path_); }
  int line() const {
    const int from = point(Named::first);
    return draft_.line(from, point(Named::second));
  }
  int axis(int k) const;  // of the body of the first point; -1 on the ground
  int vector(Named named = Named::first) const { return draft_.vector_feature(text(named), path_); }
  int body() const { return draft_.position_of(draft_.references.body(target(), where())); }
  int first_coordinate() const {
    return draft_.first_coordinate(draft_.references.joint(target(), where()));
  }
  // Of a joint that is cut no signal shows the coordinates: its formula does.
  bool is_of_cut_joint() const {
    return draft_.references.joint_or_loop(target(), where()).is_loop;
  }
  CoordinateDraft coordinate(int k) const { return {draft_, target(), k, path_}; }
  int coordinate_of_state() const { return draft_.coordinate_of_state(target()); }
  bool is_of_followed_state() const { return draft_.is_followed(target()); }
  int constraint() const { return draft_.constraint_places[constraint_of_model()]; }
  // And in the model.
  const Constraint& stated_constraint() const {
    return draft_.model.constraints[constraint_of_model()];
  }

  // The unit if it is not that of the kind.
  void measure_in(std::string unit) { unit_ = std::move(unit); }

  // The sensor shows a signal that kernels have: see SensorEntry.
  void show(kernels::SignalKind kind, int index = 0, int second = 0, int factor = 0);
  // It shows what the formula of its kind says.
  void show_formula();
  // It shows what the joint or the loop that it names does to its child.
  void show_reaction(kernels::SignalKind of_joint, kernels::SignalKind of_loop);
  // It shows what the force that it names says of itself: see ForceDraft::show().
  void show_of_force();
  // It shows what the force that it names exerts: see src/plan/exerted_force.hpp.
  void show_exerted(std::vector<expression::Node> (*exerted)(Draft&, LawWriter&,
                                                             const std::string& force));

  // Has the kind write the sensor, and adds it to the plan.
  void finish();

 private:
  const std::string& text(Named named) const {
    return named == Named::first ? sensor_.target : sensor_.second;
  }
  std::string where() const { return draft_.where(path_); }
  std::size_t constraint_of_model() const;
  // The sensor shows nodes of a law that belongs to `name`, one for each component.
  void show(LawWriter& law, std::span<const expression::Node> components, const std::string& name);

  Draft& draft_;
  const Sensor& sensor_;
  const SensorKind& kind_;
  std::string path_;
  std::string unit_;
  kernels::SensorEntry entry_{};
};

// What the formula of a sensor reads of the motion, in a law. A sensor of positions reads no
// velocities.
class SensorFormula {
 public:
  SensorFormula(const SensorDraft& sensor, LawWriter& law) : sensor_(sensor), law_(law) {}

  // Of a point that the sensor names.
  Recorded3 position(Named named = Named::first) const {
    return inputs(kernels::LawInputKind::feature, sensor_.point(named));
  }
  Recorded3 velocity(Named named = Named::first) const {
    return inputs(kernels::LawInputKind::feature_velocity, sensor_.point(named));
  }
  // From its first point to its second, and the rate of that.
  Recorded3 line() const;
  Recorded3 line_rate() const;
  // The length of that line, and its rate.
  Recorded length() const { return input(kernels::LawInputKind::length, sensor_.line()); }
  Recorded length_rate() const { return input(kernels::LawInputKind::length_rate, sensor_.line()); }
  // Axis k of the body of the first point, and its rate.
  Recorded3 axis(int k) const;
  Recorded3 axis_rate(int k) const;
  // A vector that it names.
  Recorded3 vector(Named named = Named::first) const {
    return inputs(kernels::LawInputKind::feature, sensor_.vector(named));
  }
  // Component k of the angular velocity of the body that it names.
  Recorded angular_velocity(int k) const {
    return input(kernels::LawInputKind::angular_velocity, sensor_.body(), k);
  }
  // Of coordinate k of the joint that it names.
  Recorded coordinate(int k) const { return sensor_.coordinate(k).value(law_); }
  Recorded rate(int k) const {
    require_velocities();
    return sensor_.coordinate(k).rate(law_);
  }
  // The state that it names.
  Recorded state() const;

 private:
  void require_velocities() const;
  Recorded input(kernels::LawInputKind kind, int index, int component = 0) const;
  Recorded3 inputs(kernels::LawInputKind kind, int index) const;

  const SensorDraft& sensor_;
  LawWriter& law_;
};

}  // namespace gradus
