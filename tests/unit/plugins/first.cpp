// A plug-in with a spring of its own.
#include <gradus/plugin.hpp>

// As another plug-in calls one, too.
struct Spring : gradus::plugin::ForceAlongLine {
  static void describe(Description& force) {
    force.number("stiffness", "N/m").required();
    force.number("length", "m");
  }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    return in["stiffness"] * (in.length() - in["length"]);
  }
};

GRADUS_PLUGIN_FORCE("first-spring", Spring)
