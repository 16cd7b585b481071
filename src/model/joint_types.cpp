// The table of joint types.
#include "src/model/joint_types.hpp"

#include <algorithm>
#include <array>

#include "src/model/keys.hpp"

namespace gradus {
namespace {

constexpr std::array revolute{CoordinateName{"angle", "rad"}};
constexpr std::array prismatic{CoordinateName{"displacement", "m"}};
constexpr std::array cardan{CoordinateName{"first angle", "rad"},
                            CoordinateName{"second angle", "rad"}};
constexpr std::array cylindrical{CoordinateName{"displacement", "m"},
                                 CoordinateName{"angle", "rad"}};
constexpr std::array spherical{CoordinateName{"e0", "1"}, CoordinateName{"e1", "1"},
                               CoordinateName{"e2", "1"}, CoordinateName{"e3", "1"}};
constexpr std::array floating{CoordinateName{"x", "m"},  CoordinateName{"y", "m"},
                              CoordinateName{"z", "m"},  CoordinateName{"e0", "1"},
                              CoordinateName{"e1", "1"}, CoordinateName{"e2", "1"},
                              CoordinateName{"e3", "1"}};
constexpr std::array planar{CoordinateName{"first displacement", "m"},
                            CoordinateName{"second displacement", "m"},
                            CoordinateName{"angle", "rad"}};

constexpr std::array ball{CoordinateName{"turn about x", "rad"},
                          CoordinateName{"turn about y", "rad"},
                          CoordinateName{"turn about z", "rad"}};

struct TypeEntry {
  std::span<const CoordinateName> coordinates;
  int first_euler_parameter;
  bool is_reversible;
  int closure_equations;
};

// In the order of JointType.
const TypeEntry& entry_of(JointType type) {
  static const std::array<TypeEntry, 8> entries{{
      {revolute, -1, true, 6},
      {prismatic, -1, true, 9},
      {cardan, -1, false, 4},
      {cylindrical, -1, true, 6},
      {spherical, 0, false, 3},
      {floating, 3, false, 0},
      {planar, -1, false, 4},
      {{}, -1, true, 9},
  }};
  static_assert(keys::joint_types.size() == 8);
  return entries[static_cast<std::size_t>(type)];
}

}  // namespace

std::string_view name_of(JointType type) {
  return keys::joint_types[static_cast<std::size_t>(type)];
}

std::span<const CoordinateName> coordinates_of(JointType type) {
  return entry_of(type).coordinates;
}

int coordinate_count(JointType type) {
  return static_cast<int>(coordinates_of(type).size());
}

std::span<const CoordinateName> slips_of(JointType type) {
  if (type == JointType::spherical) return ball;
  if (type == JointType::floating) return {};
  return coordinates_of(type);
}

int slide_count(JointType type) {
  const auto slips = slips_of(type);
  return static_cast<int>(std::count_if(slips.begin(), slips.end(), is_slide));
}

int turn_count(JointType type) {
  return static_cast<int>(slips_of(type).size()) - slide_count(type);
}

int first_euler_parameter(JointType type) {
  return entry_of(type).first_euler_parameter;
}

bool is_euler_parameter(JointType type, int coordinate) {
  const int first = first_euler_parameter(type);
  return first >= 0 && coordinate >= first;
}

int velocity_count(JointType type) {
  return coordinate_count(type) - (first_euler_parameter(type) >= 0 ? 1 : 0);
}

int coordinate_of_velocity(JointType type, int velocity) {
  return velocity + (is_euler_parameter(type, velocity) ? 1 : 0);
}

bool compares_orientations(JointType type) {
  return type == JointType::spherical || type == JointType::floating || type == JointType::fixed;
}

bool is_reversible(JointType type) {
  return entry_of(type).is_reversible;
}

int closure_equation_count(JointType type) {
  return entry_of(type).closure_equations;
}

std::vector<CoordinateStart> guessed_start(JointType type) {
  std::vector<CoordinateStart> start(coordinates_of(type).size());
  for (CoordinateStart& coordinate : start) {
    coordinate.position_is_guess = true;
    coordinate.velocity_is_guess = true;
  }
  if (const int first = first_euler_parameter(type); first >= 0)
    start[static_cast<std::size_t>(first)].position = 1.0;
  return start;
}

std::vector<CoordinateStart> start_of(const Joint& joint) {
  return joint.start.empty() ? guessed_start(joint.type) : joint.start;
}

}  // namespace gradus
