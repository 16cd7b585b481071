// Plane linkages of bars with sensors on all that is to be judged.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "tests/verification/tied_models.hpp"

namespace gradus::test {

Instant::Instant(const Result& result, const Trajectory& trajectory, std::size_t row)
    : result_(result),
      numbers_(trajectory.sensors.data() + row * result.sensor_components.size()),
      time_(trajectory.time[row]) {}

const double* Instant::at(const std::string& sensor) const {
  std::size_t place = 0;
  for (std::size_t k = 0; k < result_.sensors.size(); ++k) {
    if (result_.sensors[k] == sensor) return numbers_ + place;
    place += result_.sensor_sizes[k];
  }
  throw std::runtime_error("no sensor " + sensor);
}

namespace {

std::string number_text(double number) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "(%.17g)", number);
  return digits;
}

std::string sensor_name(const std::string& what, std::string place) {
  for (char& c : place)
    if (c == '.') c = '_';
  return what + "_" + place;
}

double largest(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

double length(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

Linkage::Linkage(std::string name, std::mt19937_64& generator) : generator_(generator) {
  Model& model = tied_.model;
  model.name = std::move(name);
  Parameter mass;
  mass.name = "m";
  mass.value = 1.0;
  model.parameters = {mass};
  model.analysis.duration = 0.5;
  model.analysis.step = 0.002;
}

void Linkage::set_size(double size) {
  tied_.size = size;
  const double direction = draw(-M_PI, M_PI);
  tied_.model.gravity = {9.81 * size * std::cos(direction), 9.81 * size * std::sin(direction), 0};
}

double Linkage::draw(double low, double high) {
  const double share = std::ldexp(static_cast<double>(generator_() >> 11), -53);
  return low + (high - low) * share;
}

void Linkage::add_ground(const std::string& point, double x, double y, double z) {
  tied_.model.ground.points[point] = {x, y, z};
}

void Linkage::add_bar(const std::string& name, const std::string& at, double length, double start,
                      bool is_guess, double rate) {
  Body bar;
  bar.name = name;
  const double mass = draw(0.2, 2.0);
  const double inertia = mass * length * length * draw(0.05, 0.2);
  bar.mass = number_text(mass) + "*m";
  bar.com = {0.5 * length, 0, 0};
  bar.inertia = {number_text(inertia) + "*m",
                 number_text(inertia) + "*m",
                 number_text(inertia) + "*m",
                 0,
                 0,
                 0};
  bar.points = {{"tip", {length, 0, 0}}, {"middle", {0.5 * length, 0, 0}}, {"origin", {0, 0, 0}}};
  tied_.model.bodies.push_back(bar);
  tied_.size = std::max(tied_.size, length);
  Joint hinge;
  hinge.name = "h" + name;
  hinge.parent = at;
  hinge.child = name;
  hinge.axis = Vector3{0, 0, 1};
  hinge.start = {{start, rate, is_guess, is_guess}};
  tied_.model.joints.push_back(hinge);
  watch_energy(name, mass, inertia);
}

void Linkage::make_planar(double angle) {
  Joint& joint = tied_.model.joints.back();
  joint.type = JointType::planar;
  joint.start = {{0, 0, true, true}, {0, 0, true, true}, {angle, 0, true, true}};
}

void Linkage::make_ball() {
  Joint& joint = tied_.model.joints.back();
  joint.type = JointType::spherical;
  joint.axis.reset();
  joint.start.clear();
}

void Linkage::watch_energy(const std::string& body, double mass, double inertia) {
  const std::string place = watch_point(body + ".middle");
  const std::string motion = sensor_name("v", body);
  const std::string turning = sensor_name("w", body);
  tied_.model.sensors.push_back({motion, "velocity", body + ".middle"});
  tied_.model.sensors.push_back({turning, "angular_velocity", body});
  const double x = tied_.model.gravity[0].value();
  const double y = tied_.model.gravity[1].value();
  tied_.kinetic.push_back([=](const Instant& instant) {
    const double speed = length(instant.vector(motion), {0, 0, 0});
    const double rate = length(instant.vector(turning), {0, 0, 0});
    return 0.5 * (mass * speed * speed + inertia * rate * rate);
  });
  tied_.potential.push_back([=](const Instant& instant) {
    const auto r = instant.vector(place);
    return -mass * (x * r[0] + y * r[1]);
  });
}

std::string Linkage::watch_point(const std::string& point) {
  std::string& sensor = watched_[point];
  if (sensor.empty()) {
    sensor = sensor_name("r", point);
    tied_.model.sensors.push_back({sensor, "position", point});
  }
  return sensor;
}

std::string Linkage::watch_turn(const std::string& hinge) {
  std::string& sensor = watched_[hinge];
  if (sensor.empty()) {
    sensor = sensor_name("turn", hinge);
    tied_.model.sensors.push_back({sensor, "coordinate", hinge});
  }
  return sensor;
}

void Linkage::pin(const std::string& name, const std::string& first, const std::string& second) {
  pin_as(choose(5), name, first, second);
}

void Linkage::pin_as(int kind, const std::string& name, const std::string& first,
                     const std::string& second) {
  const std::string a = watch_point(first);
  const std::string b = watch_point(second);
  const double size = tied_.size;
  tied_.violations.push_back(
      [=](const Instant& instant) { return largest(instant.vector(a), instant.vector(b)) / size; });
  Model& model = tied_.model;
  if (kind < 3) {
    Joint joint;
    joint.name = name;
    joint.type = kind == 0   ? JointType::revolute
                 : kind == 1 ? JointType::spherical
                             : JointType::cylindrical;
    joint.parent = first;
    joint.child = second;
    if (kind != 1) joint.axis = Vector3{0, 0, 1};
    model.loops.push_back(joint);
    return;
  }
  Constraint constraint;
  constraint.name = name;
  if (kind == 3) {
    constraint.type = "coincident";
    constraint.first = first;
    constraint.second = second;
    model.constraints.push_back(constraint);
    return;
  }
  constraint.type = "expression";
  for (const char* axis : {"x", "y"}) {
    constraint.name = name + axis;
    constraint.value = a + "." + axis + " - " + b + "." + axis;
    model.constraints.push_back(constraint);
  }
}

void Linkage::demand(const std::string& name, const std::string& expression,
                     std::function<double(const Instant&)> expected) {
  Constraint constraint;
  constraint.name = name;
  constraint.type = "expression";
  constraint.value = expression;
  tied_.model.constraints.push_back(constraint);
  tied_.violations.push_back(std::move(expected));
}

void Linkage::keep_distance(const std::string& name, const std::string& first,
                            const std::string& second, const std::string& value,
                            std::function<double(double)> expected) {
  Constraint constraint;
  constraint.name = name;
  constraint.type = "distance";
  constraint.first = first;
  constraint.second = second;
  constraint.value = value;
  tied_.model.constraints.push_back(constraint);
  const std::string a = watch_point(first);
  const std::string b = watch_point(second);
  const double size = tied_.size;
  tied_.violations.push_back([=](const Instant& instant) {
    return (length(instant.vector(a), instant.vector(b)) - expected(instant.time())) / size;
  });
}

void Linkage::drive(const std::string& name, const std::string& hinge, const std::string& law,
                    std::function<double(double)> expected) {
  const std::string turn = watch_turn(hinge);
  demand(name, turn + " - (" + law + ")",
         [=](const Instant& instant) { return instant.number(turn) - expected(instant.time()); });
}

TiedModel Linkage::finish(Demand demand, bool keeps_energy) {
  tied_.demand = demand;
  tied_.keeps_energy = keeps_energy;
  Objective objective;
  objective.name = "travel";
  objective.expression = tied_.model.sensors.front().name + ".x^2";
  tied_.model.objectives = {objective};
  return tied_;
}

}  // namespace gradus::test
