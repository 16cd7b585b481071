// examples/plugin/magnets.cpp: magnets that attract each other, and a motor whose torque lags
// behind its command.
#include <array>

#include <gradus/plugin.hpp>

namespace {

// Tension strength / (length + offset)^2, in place of which the force may fade with the length.
struct Magnets : gradus::plugin::ForceAlongLine {
  static void describe(Description& force) {
    force.number("strength", "N m^2").required().positive();
    force.number("offset", "m").required().positive();
    force.law("current", "1");  // of an electromagnet; without one the strength is that of magnets
    force.choice("shield", {"none", "exponential"});
    force.number("depth", "m").positive();
  }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    const Scalar gap = in.length() + in["offset"];
    Scalar pull = in["strength"] / (gap * gap);
    if (in.says("current")) pull *= in["current"];
    if (in.choice("shield") == "none") return pull;
    if (!in.says("depth")) throw std::invalid_argument("a shield needs a \"depth\"");
    return pull * exp(-in.length() / in["depth"]);
  }
};

// A torque T with dT/dt = (command - T) / lag, which a brake limits from below.
struct LaggingMotor : gradus::plugin::ForceOnJoint {
  static void describe(Description& force) {
    force.law("command", "N m").required();
    force.number("lag", "s").required().positive();
    force.number("brake", "N m s/rad");
    force.number("start", "N m");
    force.state("torque", "N m").starts_at("start");
  }

  // The brake acts on what turns backwards only.
  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    return in.state("torque") - in["brake"] * min(in.rate(), 0.0);
  }

  template <class Scalar>
  std::array<Scalar, 1> rates(const Inputs<Scalar>& in) const {
    return {(in["command"] - in.state("torque")) / in["lag"]};
  }
};

}  // namespace

GRADUS_PLUGIN_FORCE("magnets", Magnets)
GRADUS_PLUGIN_FORCE("lagging-motor", LaggingMotor)
