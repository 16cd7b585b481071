// What a force element exerts, as nodes of a law: the sum of what its springs and actions in the
// plan do to points, directions, bodies and coordinates.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "src/model/force_kind.hpp"
#include "src/plan/draft.hpp"

namespace gradus {

class ExertedForce {
 public:
  ExertedForce(Draft& draft, const std::string& name);

  // On a coordinate: along or about it. Else a vector at the place where the force acts, or the
  // moment on the body beyond that of forces at its points.
  std::vector<expression::Node> force();
  std::vector<expression::Node> torque();
  // Of one between two points.
  expression::Node tension() const { return tension_; }
  // What it delivers to the mechanism.
  expression::Node power();

  LawWriter& law() { return law_; }

 private:
  Nodes3 torque_on(int body);
  Nodes3 torque_on_ground(int from, int to);
  std::vector<expression::Node> on_coordinate();

  void add_spring(const kernels::SpringEntry& spring);
  void add_torsional(const kernels::TorsionalEntry& spring);
  void add_action(const kernels::ActionEntry& action);
  void add_effort(expression::Node size, expression::Node work);
  void add_moment(Nodes3& sum, const Nodes3& arm, const Nodes3& load);
  void add_to(std::map<int, Nodes3>& loads, int place, std::size_t k, expression::Node share);
  void add_to_coordinate(int c, expression::Node share);

  Nodes3 found(const std::map<int, Nodes3>& loads, int place) const;
  expression::Node pull(int slot, expression::Node value, expression::Node rate);
  expression::Node copied(int number);

  Draft& draft_;
  LawWriter law_;
  const Force& force_;
  ActsOn acts_on_;
  std::string path_;
  expression::Node zero_ = law_.constant(0.0);
  expression::Node tension_ = zero_;
  std::map<int, Nodes3> at_features_;  // what acts on points and directions
  std::map<int, Nodes3> on_bodies_;    // moments
  std::map<int, expression::Node> on_coordinates_;
};

}  // namespace gradus
