// Joints and loops from JSON.
#include "src/model/joint_types.hpp"
#include "src/model/readers.hpp"

namespace gradus {
namespace {

struct StartNumber {
  Number value;
  bool is_guess = false;
};

// A value, or {"guess": value}.
StartNumber read_start_number(const JsonElement& element) {
  if (!element.is_object()) return {element.number(), false};
  element.require_keys(keys::guess);
  return {element.at("guess").number(), true};
}

// `count` of them in an array; a single one may stand without brackets.
std::vector<StartNumber> read_start_numbers(const JsonElement& element, int count) {
  if (element.is_array()) {
    std::vector<StartNumber> numbers;
    for (const JsonElement& entry : element.elements(static_cast<std::size_t>(count)))
      numbers.push_back(read_start_number(entry));
    return numbers;
  }
  if (count == 0) element.reject_value("nothing: the joint has no coordinates");
  if (count != 1) element.reject_value("an array of " + std::to_string(count));
  return {read_start_number(element)};
}

std::vector<CoordinateStart> read_start(const JsonElement& initial, JointType type) {
  initial.require_keys(keys::initial);
  std::vector<CoordinateStart> start = guessed_start(type);
  if (const auto element = initial.find("position")) {
    const auto positions = read_start_numbers(*element, coordinate_count(type));
    for (std::size_t i = 0; i < start.size(); ++i) {
      start[i].position = positions[i].value;
      start[i].position_is_guess = positions[i].is_guess;
      start[i].velocity_is_guess = positions[i].is_guess;
    }
  }
  if (const auto element = initial.find("velocity")) {
    const int count = velocity_count(type);
    const auto velocities = read_start_numbers(*element, count);
    for (int i = 0; i < count; ++i) {
      const StartNumber& velocity = velocities[static_cast<std::size_t>(i)];
      CoordinateStart& entry = start[static_cast<std::size_t>(coordinate_of_velocity(type, i))];
      entry.velocity = velocity.value;
      entry.velocity_is_guess = velocity.is_guess || entry.position_is_guess;
    }
  }
  return start;
}

// What joints and loops have in common.
Joint read_connection(const std::string& name, const JsonElement& element) {
  Joint joint;
  joint.name = name;
  const std::string type = element.at("type").name_among(keys::joint_types);
  for (std::size_t i = 0; i < keys::joint_types.size(); ++i)
    if (keys::joint_types[i] == type) joint.type = static_cast<JointType>(i);
  joint.parent = element.at("parent").text();
  joint.child = element.at("child").text();
  if (const auto axis = element.find("axis")) joint.axis = axis->vector();
  if (const auto axis = element.find("child_axis")) joint.child_axis = axis->vector();
  if (const auto zero = element.find("zero")) joint.zero = zero->vector();
  if (const auto zero = element.find("child_zero")) joint.child_zero = zero->vector();
  return joint;
}

}  // namespace

Joint read_joint(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::joint);
  Joint joint = read_connection(name, element);
  if (const auto cut = element.find("cut")) joint.cut = cut->boolean();
  if (const auto initial = element.find("initial")) joint.start = read_start(*initial, joint.type);
  return joint;
}

Joint read_loop(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::loop);
  return read_connection(name, element);
}

}  // namespace gradus
