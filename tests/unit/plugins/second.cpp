// Another plug-in, whose spring differs.
#include <gradus/plugin.hpp>

struct Spring : gradus::plugin::ForceAlongLine {
  static void describe(Description& force) { force.number("hardness", "N/m^3").required(); }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    return in["hardness"] * pow(in.length(), 3);
  }
};

GRADUS_PLUGIN_FORCE("second-spring", Spring)
