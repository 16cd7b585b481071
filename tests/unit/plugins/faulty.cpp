// Formulas that cannot be used.
#include <array>
#include <cmath>
#include <stdexcept>

#include <gradus/plugin.hpp>

namespace {

struct Faulty : gradus::plugin::ForceAlongLine {
  static void describe(Description& force) {
    force.number("k", "N/m");
    force.vector("v", "N");
    force.choice("fault", {"typo", "vector", "choice", "exception", "number", "constant", "endless",
                           "coordinate", "infinite", "state"});
    force.choice("letter", {"a", "b"});
  }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    const auto fault = in.choice("fault");
    if (fault == "typo") return in["stifness"] * in.length();
    if (fault == "vector") return in["v"] * in.length();
    if (fault == "choice") return in["letter"] * in.length();
    if (fault == "exception") throw std::invalid_argument("this and\nthat do not fit together");
    if (fault == "number") throw 3;
    if (fault == "coordinate") return in.coordinate();
    if (fault == "infinite") return in.length() * std::sqrt(-1.0);
    if (fault == "state") return in.state("s") * in.length();
    Scalar sum = 1.5;
    for (int i = 0; fault == "endless" && i >= 0; ++i) sum += in.length();
    return sum;
  }
};

// It has a state, and no rate for it.
struct Stateful : gradus::plugin::ForceOnJoint {
  static void describe(Description& force) { force.state("s", "m"); }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    return in.state("s");
  }
};

}  // namespace

GRADUS_PLUGIN_FORCE("faulty", Faulty)
GRADUS_PLUGIN_FORCE("stateful", Stateful)
