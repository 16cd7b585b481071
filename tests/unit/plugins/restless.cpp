// A plug-in that cannot say what it has.
#include <stdexcept>

#include <gradus/plugin.hpp>

namespace {

struct Restless : gradus::plugin::ForceAlongLine {
  static void describe(Description&) { throw std::runtime_error("no licence"); }

  template <class Scalar>
  Scalar force(const Inputs<Scalar>& in) const {
    return in.length();
  }
};

}  // namespace

GRADUS_PLUGIN_FORCE("restless", Restless)
