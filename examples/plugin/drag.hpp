// examples/plugin/drag.hpp: the drag of a point in moving air. In a header, so that test.cpp can
// try it with plain numbers.
#pragma once

#include <gradus/plugin.hpp>

// -coefficient |v| v with the velocity v against the wind.
struct Drag : gradus::plugin::ForceAtPoint {
  static void describe(Description& force) {
    force.number("coefficient", "N s^2/m^2").required().positive();
    force.law_vector("wind", "m/s");
  }

  template <class Scalar>
  Vector<Scalar> force(const Inputs<Scalar>& in) const {
    Vector<Scalar> v = in.velocity();
    for (std::size_t k = 0; k < 3; ++k) v[k] -= in.vector("wind")[k];
    // A root has no derivative at 0.
    const Scalar factor = -(in["coefficient"] * sqrt(dot(v, v) + 1e-12));
    for (Scalar& component : v) component *= factor;
    return v;
  }
};
