// Bushings: the elastic forces and torques of each are one effort apiece, minus the derivative of a
// potential energy; dampers are efforts on displacements and torques against the relative angular
// velocity. docs/theory.md, section 4.
#include "src/model/message.hpp"
#include "src/plan/force_draft.hpp"

namespace gradus::forces {
namespace {

using expression::Node;
using kernels::ActionKind;
using kernels::LawInputKind;
using kernels::Operation;

class BushingWriter {
 public:
  explicit BushingWriter(ForceDraft& force) : force_(force), draft_(force.draft()) {
    from_ = force.point("from");
    to_ = force.point("to");
    for (int k = 0; k < 3; ++k) {
      first_[index(k)] = draft_.axis_feature(body_of(from_), k);
      second_[index(k)] = draft_.axis_feature(body_of(to_), k);
    }
  }

  void add() {
    const Nodes3 stiffness = force_.constants("stiffness");
    const Nodes3 damping = force_.constants("damping");
    const Nodes3 torsional_stiffness = force_.constants("torsional_stiffness");
    const Nodes3 torsional_damping = force_.constants("torsional_damping");
    LawWriter shift(draft_);
    Nodes3 squares;
    for (std::size_t k = 0; k < 3; ++k) {
      const Node d = displacement(shift, k);
      squares[k] = shift.multiply(d, d);
    }
    add_potential(shift, shift.multiply(shift.constant(0.5), weighted(shift, stiffness, squares)));
    for (std::size_t k = 0; k < 3; ++k) add_damper(damping[k], k);
    LawWriter turn(draft_);
    add_potential(turn, turn_energy(turn, torsional_stiffness));
    add_turn_dampers(torsional_damping);
  }

 private:
  int body_of(int feature) const { return draft_.plan.features[index(feature)].body; }

  // Sum of three constants times three scalars.
  static Node weighted(LawWriter& law, const Nodes3& constants, const Nodes3& scalars) {
    Nodes3 slots;
    for (std::size_t k = 0; k < 3; ++k) slots[k] = law.slot(constants[k]);
    return law.dot(slots, scalars);
  }

  // An axis of a body, in global axes, and its velocity.
  Nodes3 axis(LawWriter& law, const std::array<int, 3>& axes, std::size_t k) const {
    if (body_of(axes[k]) >= 0) return law.position(axes[k]);
    Nodes3 unit;
    for (std::size_t i = 0; i < 3; ++i) unit[i] = law.constant(i == k ? 1.0 : 0.0);
    return unit;
  }
  Nodes3 axis_velocity(LawWriter& law, std::size_t k) const {
    if (body_of(first_[k]) >= 0) return law.velocity(first_[k]);
    return {law.constant(0.0), law.constant(0.0), law.constant(0.0)};
  }

  Nodes3 line(LawWriter& law) const {
    return law.difference(law.position(to_), law.position(from_));
  }

  // Of `to` from `from` along axis k of the first body, and its rate.
  Node displacement(LawWriter& law, std::size_t k) const {
    return law.dot(axis(law, first_, k), line(law));
  }
  Node displacement_rate(LawWriter& law, std::size_t k) const {
    const Nodes3 relative = law.difference(law.velocity(to_), law.velocity(from_));
    return law.add(law.dot(axis_velocity(law, k), line(law)),
                   law.dot(axis(law, first_, k), relative));
  }

  // The effort -1 times what the energy grows by.
  void add_potential(LawWriter& energy, Node value) {
    if (is_zero(energy, value)) return;
    const int law = energy.finish(value, force_.name());
    LawWriter size(draft_);
    const int size_law = size.finish(size.constant(-1.0), force_.name());
    draft_.plan.actions.push_back({ActionKind::effort, size_law, law, -1, -1, -1});
    draft_.plan.potentials.push_back(law);
  }

  void add_damper(Node damping, std::size_t k) {
    LawWriter work(draft_);
    LawWriter size(draft_);
    const Node pull = size.multiply(size.slot(damping), displacement_rate(size, k));
    add_effort(draft_, work, displacement(work, k), size, size.negate(pull), force_.name());
  }

  // What turns the axes of the first body into those of the second has Euler parameters p, up to a
  // common factor: any column of the matrix 4 p p^T, whose entries are sums and differences of
  // those of the rotation matrix. The column that is taken is large, up to half a turn and there,
  // so that no digits are lost; which it is changes nothing, and so counts as a constant.
  std::array<Node, 4> euler_parameters(LawWriter& law) const {
    std::array<std::array<Node, 3>, 3> r;  // rotation matrix
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        r[i][j] = law.dot(axis(law, first_, i), axis(law, second_, j));
    const Node one = law.constant(1.0);
    std::array<std::array<Node, 4>, 4> column;
    const Node trace = law.add(law.add(r[0][0], r[1][1]), r[2][2]);
    column[0][0] = law.add(one, trace);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const std::size_t k = (i + 2) % 3;
      column[i + 1][i + 1] =
          law.add(law.subtract(one, trace), law.multiply(law.constant(2.0), r[i][i]));
      column[0][i + 1] = column[i + 1][0] = law.subtract(r[k][j], r[j][k]);
      column[j + 1][k + 1] = column[k + 1][j + 1] = law.add(r[j][k], r[k][j]);
    }
    // Which column: the first up to 120 degrees, or else the one with the largest diagonal entry.
    const auto at_least = [&](Node a, Node b) { return law.apply(Operation::at_least, a, b); };
    const auto no = [&](Node is) { return law.subtract(one, is); };
    std::array<Node, 4> is;
    is[0] = at_least(trace, law.constant(0.0));
    is[1] = law.multiply(no(is[0]),
                         law.multiply(at_least(r[0][0], r[1][1]), at_least(r[0][0], r[2][2])));
    is[2] = law.multiply(law.subtract(no(is[0]), is[1]), at_least(r[1][1], r[2][2]));
    is[3] = law.subtract(law.subtract(no(is[0]), is[1]), is[2]);
    std::array<Node, 4> p;
    for (std::size_t i = 0; i < 4; ++i) {
      p[i] = law.constant(0.0);
      for (std::size_t j = 0; j < 4; ++j) p[i] = law.add(p[i], law.multiply(is[j], column[j][i]));
    }
    return p;
  }

  // sum of k_i phi_i^2 / 2 with the rotation vector phi, the angle of 0 to 180 degrees times the
  // axis: phi_i = 2 p_i atan2(|v|, |p_0|) / |v|, v = (p_1, p_2, p_3) with the sign of p_0.
  Node turn_energy(LawWriter& law, const Nodes3& stiffness) const {
    const std::array<Node, 4> p = euler_parameters(law);
    Nodes3 squares;
    for (std::size_t i = 0; i < 3; ++i) squares[i] = law.multiply(p[i + 1], p[i + 1]);
    const Node length2 = law.add(law.add(squares[0], squares[1]), squares[2]);
    const Node ratio =
        law.apply(Operation::arc_ratio, length2, law.apply(Operation::absolute, p[0]));
    return law.multiply(law.multiply(law.constant(2.0), law.multiply(ratio, ratio)),
                        weighted(law, stiffness, squares));
  }

  Nodes3 angular_velocity(LawWriter& law, int body) const {
    if (body >= 0) return law.vector(LawInputKind::angular_velocity, body);
    return {law.constant(0.0), law.constant(0.0), law.constant(0.0)};
  }

  // Component i, in global axes, of the torque of the dampers on the second body.
  Node damper_torque(LawWriter& law, const Nodes3& damping, std::size_t i) const {
    const Nodes3 spin =
        law.difference(angular_velocity(law, body_of(to_)), angular_velocity(law, body_of(from_)));
    if (damping[0] == damping[1] && damping[0] == damping[2])
      return law.negate(law.multiply(law.slot(damping[0]), spin[i]));
    Nodes3 shares;
    for (std::size_t k = 0; k < 3; ++k) {
      const Nodes3 about = axis(law, first_, k);
      shares[k] = law.multiply(about[i], law.dot(about, spin));
    }
    return law.negate(weighted(law, damping, shares));
  }

  void add_turn_dampers(const Nodes3& damping) {
    for (const int end : {to_, from_}) {
      if (body_of(end) < 0) continue;
      for (int i = 0; i < 3; ++i) {
        LawWriter size(draft_);
        const Node on_second = damper_torque(size, damping, index(i));
        const Node torque = end == to_ ? on_second : size.negate(on_second);
        if (is_zero(size, torque)) continue;
        draft_.plan.actions.push_back({ActionKind::fixed_torque, size.finish(torque, force_.name()),
                                       -1, body_of(end), i, -1});
      }
    }
  }

  ForceDraft& force_;
  Draft& draft_;
  int from_, to_;                      // points
  std::array<int, 3> first_, second_;  // axes of the bodies
};

constexpr std::array bushing_keys{
    ForceKey{.name = "stiffness", .unit = "N/m", .size = 3},
    ForceKey{.name = "damping", .unit = "N s/m", .size = 3},
    ForceKey{.name = "torsional_stiffness", .unit = "N m/rad", .size = 3},
    ForceKey{.name = "torsional_damping", .unit = "N m s/rad", .size = 3},
};

void check_bushing(const Force& force, const std::string& where) {
  for (const ForceKey& key : bushing_keys)
    if (force.find(key.name) != nullptr) return;
  reject(where, "no stiffness and no damping", "there is no force without",
         "add \"stiffness\", \"damping\", \"torsional_stiffness\" or \"torsional_damping\"");
}

void write_bushing(ForceDraft& force) {
  BushingWriter(force).add();
}

}  // namespace

extern const ForceKind bushing{"bushing", ActsOn::bodies, bushing_keys, write_bushing,
                               check_bushing};

}  // namespace gradus::forces
