// A plug-in with a force for everything that plug-ins can act on and compute.
#include <array>

#include "gradus/plugin.hpp"

namespace {

struct Muscle : gradus::plugin::ForceAlongLine {
  static void describe(Description& force) {
    force.number("stiffness", "N/m").required().positive();
    force.number("rest", "m");
    force.law("command", "N");
  }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    const Scalar x = in.length() - in["rest"];
    const Scalar v = in.rate();
    const Scalar circular =
        asin(0.3 * sin(x)) + acos(0.3 * cos(x)) + atan(x) + atan2(v, 1 + x * x) + tan(0.1 * x);
    const Scalar growing = sinh(0.1 * v) + cosh(0.1 * v) + exp(-x) + log(1 + x * x) + sqrt(2 + x) +
                           pow(1 + x * x, 1.5);
    const Scalar kinked = abs(v) + min(x, 0.7) + max(v, 0);
    return in["stiffness"] * x + tanh(v) + circular + growing - kinked / 4 + in["command"];
  }
};

struct Brake : gradus::plugin::ForceOnJoint {
  static void describe(Description& force) {
    force.number("forwards", "N m s/rad").required();
    force.number("backwards", "N m s/rad").required();
    force.number("lag", "s").positive();
    force.number("start", "N m");
    force.choice("kind", {"jump", "fade"});
    force.state("warmth", "K").starts_at("start");
    force.state("turns", "");
  }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    const Scalar v = in.rate();
    const Scalar damping = select(at_least(v, 0), in["forwards"], in["backwards"]);
    const Scalar torque = -damping * v - 0.3 * in.coordinate();
    if (in.choice("kind") == "jump") return torque;
    return torque * exp(-in.state("warmth")) + 0.1 * in.state("turns");
  }

  template <class Scalar>
  std::array<Scalar, 2> rates(const Inputs<Scalar>& in) const {
    const Scalar warmth = in.says("lag") ? in.state("warmth") / in["lag"] : Scalar(0);
    return {in.rate() * in.rate() - warmth, in.rate()};
  }
};

struct Wind : gradus::plugin::ForceAtPoint {
  static void describe(Description& force) {
    force.vector("drag", "N s/m").required();
    force.law_vector("wind", "m/s");
  }

  template <class Scalar>
  Vector<Scalar> force(const Inputs<Scalar>& in) const {
    Vector<Scalar> f{};
    for (std::size_t k = 0; k < 3; ++k)
      f[k] = in.vector("drag")[k] * (in.vector("wind")[k] - in.velocity()[k]) *
             (1 + 0.5 * in.position()[1]);
    return f;
  }
};

struct Gyro : gradus::plugin::TorqueOnBody {
  static void describe(Description& force) {
    force.number("size", "N m s").required();
    force.number("beat", "rad/s").required();
  }

  template <class Scalar>
  Vector<Scalar> force(const Inputs<Scalar>& in) const {
    const Vector<Scalar>& w = in.angular_velocity();
    const Scalar size = in["size"] * sin(in["beat"] * in.time());
    return {-size * w[1], size * w[0], -0.1 * norm(w)};
  }
};

// A bushing whose elastic part has an energy, and one that is stiffer the further it gives way.
struct Rubber : gradus::plugin::ForceBetweenBodies {
  static void describe(Description& force) {
    force.vector("stiffness", "N/m").required();
    force.vector("damping", "N s/m");
    force.vector("torsional_stiffness", "N m/rad");
    force.vector("torsional_damping", "N m s/rad");
    force.number("progression", "1/m^2");
    force.law("preload", "N m");
  }

  template <class Scalar>
  Wrench<Scalar> force(const Inputs<Scalar>& in) const {
    Wrench<Scalar> w;
    Vector<Scalar> moments;
    const Scalar harder = 1 + in["progression"] * dot(in.displacement(), in.displacement());
    for (std::size_t k = 0; k < 3; ++k) {
      w.force[k] = in.vector("stiffness")[k] * in.displacement()[k] * harder +
                   in.vector("damping")[k] * in.velocity()[k];
      moments[k] = in.vector("torsional_stiffness")[k] * in.rotation()[k];
    }
    w.torque = in.torque_of(moments);
    for (std::size_t k = 0; k < 3; ++k)
      w.torque[k] += in.vector("torsional_damping")[k] * in.angular_velocity()[k];
    // Twists as it is pushed: neither has an energy.
    w.torque[0] += in["preload"] * in.displacement()[1] * in.velocity()[2];
    w.force[2] += in["preload"] * in.rotation()[0] * in.angular_velocity()[1];
    return w;
  }
};

// Its time is seen by nobody else.
struct Blow : gradus::plugin::ForceOnJoint {
  static void describe(Description& force) {
    force.number("size", "N m").required();
    force.number("at", "s").required();
    force.law("signal", "1");
  }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    const Scalar from = (in.time() - in["at"]) / 0.002;
    return in["size"] * max(0, 1 - from * from) + max(0, in["signal"]);
  }
};

}  // namespace

GRADUS_PLUGIN_FORCE("muscle", Muscle)
GRADUS_PLUGIN_FORCE("brake", Brake)
GRADUS_PLUGIN_FORCE("wind", Wind)
GRADUS_PLUGIN_FORCE("gyro", Gyro)
GRADUS_PLUGIN_FORCE("rubber", Rubber)
GRADUS_PLUGIN_FORCE("blow", Blow)
