// Which parameters leave a physical number without a value, or without a derivative, or a mass or
// a moment of inertia negative.
#pragma once

#include <span>
#include <string>

#include "src/plan/plan.hpp"

namespace gradus {

// The parameters on which the first such number depends, as "mu = -0.1, r = 0.02": infinite or
// undefined at these values or, if none is, with such a derivative. Empty if there is none, or if
// it depends on no parameter of the model.
std::string parameters_of_undefined_number(const Plan& plan, std::span<const double> parameters);

// The first body whose mass is negative, and the parameters on which it depends, as
// `: that of "rod" is -4 kg (m = -2)`. Empty if there is none.
std::string negative_mass(const Plan& plan, std::span<const double> parameters);

// Of the first body with such a principal moment, the smallest, and the parameters on which its
// inertia depends, as `: the smallest of "rod" is -0.1 kg m^2 (J = -0.1)`. Empty if there is none.
std::string negative_inertia(const Plan& plan, std::span<const double> parameters);

}  // namespace gradus
