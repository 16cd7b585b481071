// Slender rods from end to end; their inertia is in gradus/model.hpp.
#pragma once

#include "gradus/model.hpp"

namespace gradus {

Vector3 middle_of(const Vector3& from, const Vector3& to);

}  // namespace gradus
