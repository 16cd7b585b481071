// The angle between two vectors, from 0 to pi; no derivative at these. Undefined if one is zero.
#include "src/plan/sensor_draft.hpp"

namespace gradus::sensors {
namespace {

Recorded3 direction(const Recorded3& a) {
  const Recorded size = length(a);
  return {a[0] / size, a[1] / size, a[2] / size};
}

}  // namespace

extern const SensorKind angle{
    .key = "angle",
    .of = SensorOf::two_vectors,
    .level = MotionLevel::position,
    .size = 1,
    .unit = "rad",
    .formula =
        [](const SensorFormula& f, int) {
          const Recorded3 a = direction(f.vector(Named::first));
          const Recorded3 b = direction(f.vector(Named::second));
          return atan2(length(cross(a, b)), dot(a, b));
        },
};

}  // namespace gradus::sensors
