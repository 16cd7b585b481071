// The oscillator of van der Pol.
#pragma once

#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::test {

// x'' = mu (1 - x^2) x' - x from x0 = 2 at rest, as a mass of 1 kg; where it ends, how fast, and
// the integral of x^2. Steps are to be chosen.
inline Model van_der_pol(double mu) {
  Model m = one_body("mass", 1.0, "rail", JointType::prismatic, {1, 0, 0}, "x0", 0.0, "x");
  m.parameters = {{"mu", mu, "", {}, ""}, {"x0", 2.0, "", {}, ""}};
  m.sensors.push_back({"v", "rate", "rail"});
  m.forces = {make_joint_force("pull", "rail", "mu*(1 - x^2)*v - x")};
  m.objectives = {{"x", ObjectiveKind::terminal, "x", "", ""},
                  {"v", ObjectiveKind::terminal, "v", "", ""},
                  {"area", ObjectiveKind::integral, "x^2", "", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.controls_error = true;
  return m;
}

}  // namespace gradus::test
