// Friction in joints: what its laws and normal forces say, in the tree and in cut joints, and the
// derivatives by all that it is made of.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "src/model/spanning_tree.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::failure_of;

void use_exact_steps(Model& m, double duration) {
  m.analysis.duration = duration;
  m.analysis.formulation = "index1";
  m.analysis.integrator = "dop853";
  m.analysis.rtol = 1e-11;
  m.analysis.atol = 1e-13;
}

Force friction(const std::string& joint, const std::map<std::string, ForceValue>& more,
               const std::string& name = "friction") {
  Force force{name, "joint-friction", {{"joint", joint}}};
  for (const auto& [key, value] : more) force[key] = value;
  return force;
}

const std::vector<std::pair<std::string, double>> kNumbers{
    {"st", 0.5},    {"dy", 0.35}, {"vt", 0.2},   {"vs", 0.3},    {"visc", 0.7},
    {"r", 0.06},    {"len", 0.4}, {"off", -0.1}, {"wide", 0.15}, {"eps", 0.3},
    {"epsv", 0.01}, {"pre", 0.8}, {"pf", 1.2}};

// Two bodies one after the other on joints of a type, with friction in the outer one, or the same
// two bodies tied by a joint that is cut. The outer body is pulled by a spring and a torque.
enum class Tie { tree, swapped };

Model two_bodies(JointType type, Tie tie) {
  Model m;
  m.name = "two bodies";
  m.gravity = {1.1, -9.4, 2.3};
  for (const auto& [name, value] : kNumbers) m.parameters.push_back(make_parameter(name, value));
  m.parameters.push_back(make_parameter("mass", 1.7));
  Body carrier;
  carrier.name = "carrier";
  carrier.mass = 2.1;
  carrier.com = {0.1, 0.05, -0.03};
  carrier.inertia = {0.05, 0.06, 0.07, 0.003, -0.002, 0.004, "com"};
  carrier.points["seat"] = {0.3, 0.1, -0.2};
  Body slider;
  slider.name = "slider";
  slider.mass = "mass";
  slider.com = {0.12, -0.07, 0.09};
  slider.inertia = {0.03, 0.02, 0.04, 0.001, 0.002, -0.001, "com"};
  slider.points["seat"] = {-0.02, 0.03, 0.01};
  slider.points["tip"] = {0.2, 0.1, 0.15};
  m.bodies = {carrier, slider};
  m.ground.points["hook"] = {0.8, 0.6, -0.3};
  Joint base;
  base.name = "base";
  base.type = JointType::revolute;
  base.parent = "ground";
  base.child = "carrier";
  base.axis = Vector3{0.2, 1, 0.3};
  base.start = {{0.2, 1.1, false, false}};
  Joint seat;
  seat.name = "seat";
  seat.type = type;
  seat.parent = "carrier.seat";
  seat.child = "slider.seat";
  seat.axis = Vector3{1, 0.3, -0.2};
  seat.zero = Vector3{0.1, 1, 0.4};
  if (type == JointType::cardan) {
    seat.child_axis = Vector3{0.2, 0.9, 0.3};
    seat.child_zero = Vector3{1, 0.1, 0.2};
  } else {
    seat.child_axis = Vector3{0.9, 0.4, 0.1};
    seat.child_zero = Vector3{0.2, 0.8, -0.5};
  }
  if (type == JointType::spherical) {
    seat.axis = seat.zero = seat.child_axis = seat.child_zero = std::nullopt;
  }
  m.joints = {base, seat};
  m.forces = {make_spring("hold", "ground.hook", "slider.tip", 40.0, 1.5, 0.4),
              make_torque("twist", "slider", {0.4, "0.6*sin(3*t)", -0.5})};
  m.sensors = {{"at", "position", "slider.tip"},
               {"how_fast", "velocity", "slider.tip"},
               {"taken", "power", "friction"}};
  m.objectives = {
      {"end", ObjectiveKind::terminal, "dot(at, [1, 2, 3]) + 0.1*dot(how_fast, at)", "", ""},
      {"lost", ObjectiveKind::integral, "taken", "", ""}};
  use_exact_steps(m, 0.25);
  if (tie == Tie::swapped) m.joints[1] = reversed(seat);
  return m;
}

CoordinateStart at(double position, double velocity) {
  return {position, velocity, false, false};
}

std::vector<CoordinateStart> start_of_seat(JointType type) {
  switch (type) {
    case JointType::cardan:
      return {at(0.3, 1.2), at(-0.4, -0.9)};
    case JointType::cylindrical:
      return {at(0.05, 0.4), at(0.3, 1.5)};
    case JointType::planar:
      return {at(0.05, 0.4), at(-0.03, 0.3), at(0.3, -1.5)};
    case JointType::spherical:
      return {at(0.9, 1.1), at(0.3, -0.8), at(-0.2, 0.5), at(0.1, 0.0)};
    case JointType::prismatic:
      return {at(0.05, 0.4)};
    default:
      return {at(0.3, 1.5)};
  }
}

const std::vector<JointType> kRubbing{JointType::revolute,    JointType::prismatic,
                                      JointType::cylindrical, JointType::cardan,
                                      JointType::planar,      JointType::spherical};

std::string name_of_type(JointType type) {
  static const std::map<JointType, std::string> names{
      {JointType::revolute, "revolute"},       {JointType::prismatic, "prismatic"},
      {JointType::cylindrical, "cylindrical"}, {JointType::cardan, "cardan"},
      {JointType::planar, "planar"},           {JointType::spherical, "spherical"}};
  return names.at(type);
}

bool has_pins(JointType type) {
  return type == JointType::revolute || type == JointType::cylindrical || type == JointType::cardan;
}

// With every key that the joint takes, all of them parameters.
std::map<std::string, ForceValue> keys_for(JointType type, const std::string& law) {
  std::map<std::string, ForceValue> keys{{"law", law}, {"viscous", "visc"}};
  if (type != JointType::prismatic) keys["radius"] = "r";
  if (law == "viscous") return keys;
  keys["dynamic"] = "dy";
  keys["static"] = "st";
  if (type == JointType::planar || type == JointType::spherical || law == "lugre" ||
      law == "gonthier")
    keys["speed_smoothing"] = "epsv";
  keys["smoothing"] = "eps";
  keys["preload"] = "pre";
  if (law == "brown-mcphee" || law == "coulomb") keys["transition_speed"] = "vt";
  if (law != "brown-mcphee") keys["stribeck_speed"] = "vs";
  if (law == "lugre") {
    keys["bristle_stiffness"] = "200*vs";
    keys["bristle_damping"] = "2*vs";
  }
  if (law == "gonthier") {
    // So stiff that surfaces stick at first and slide in the end, at speeds below that which has a
    // direction.
    keys["speed_smoothing"] = "50*epsv";
    keys["bristle_stiffness"] = "9000*vs";
    keys["bristle_damping"] = "20*vs";
    keys["dwell_time"] = "vt";
  }
  if (has_pins(type) || type == JointType::spherical) keys["pressure_factor"] = "pf";
  if (has_pins(type) || type == JointType::prismatic) keys["length"] = "len";
  if (type == JointType::revolute || type == JointType::cylindrical || type == JointType::prismatic)
    keys["offset"] = "off";
  if (type == JointType::prismatic) keys["width"] = "wide";
  return keys;
}

Model rubbing(JointType type, const std::string& law, Tie tie = Tie::tree) {
  Model m = two_bodies(type, tie);
  m.joints[1].start = start_of_seat(type);
  m.forces.push_back(friction("seat", keys_for(type, law)));
  // The bearing of swapped bodies is carried by the other, and begins at its other end.
  if (tie == Tie::swapped && m.forces.back().find("offset") != nullptr) {
    m.forces.back()["offset"] = "-(off + len)";
    if (type != JointType::revolute) m.forces.back()["bearing"] = "parent";
  }
  return m;
}

std::vector<double> sensors_at_start(const Model& model, const std::string& name) {
  Model m = model;
  m.analysis.duration = 1e-6;
  m.analysis.step = 1e-6;
  Options options;
  options.record = true;
  options.backend = "cpu:1";
  const Result r = simulate(m, options);
  EXPECT_TRUE(r.all_ok()) << r.status[0].message;
  std::vector<double> shown(r.all_ok() ? 0 : 3, 0.0);
  for (std::size_t k = 0; r.all_ok() && k < r.sensor_components.size(); ++k) {
    const std::string& component = r.sensor_components[k].name;
    if (component == name || component.rfind(name + ".", 0) == 0)
      shown.push_back(r.trajectories[0].sensors[k]);
  }
  EXPECT_FALSE(shown.empty()) << name;
  return shown;
}

// The same mechanism with its seat cut: the slider floats, and begins where it is in the tree.
Model with_cut_seat(const Model& tree) {
  Model m = tree;
  Model seen = tree;
  for (const char axis : {'x', 'y', 'z'}) {
    const std::string name(1, axis);
    for (Body& body : seen.bodies)
      if (body.name == "slider")
        body.vectors[name] = {axis == 'x' ? 1 : 0, axis == 'y' ? 1 : 0, axis == 'z' ? 1 : 0};
    seen.sensors.push_back({"axis_" + name, "vector", "slider." + name});
  }
  seen.sensors.push_back({"where", "position", "slider"});
  seen.sensors.push_back({"moves", "velocity", "slider"});
  seen.sensors.push_back({"turns", "angular_velocity", "slider"});
  const auto x = sensors_at_start(seen, "axis_x"), y = sensors_at_start(seen, "axis_y"),
             z = sensors_at_start(seen, "axis_z"), r = sensors_at_start(seen, "where"),
             v = sensors_at_start(seen, "moves"), w = sensors_at_start(seen, "turns");
  const double e0 = 0.5 * std::sqrt(1.0 + x[0] + y[1] + z[2]);
  const std::vector<double> position{r[0],
                                     r[1],
                                     r[2],
                                     e0,
                                     (y[2] - z[1]) / (4 * e0),
                                     (z[0] - x[2]) / (4 * e0),
                                     (x[1] - y[0]) / (4 * e0)};
  const std::vector<double> velocity{v[0], v[1], v[2], w[0], w[1], w[2]};
  Joint& seat = m.joints[1];
  seat.cut = true;
  seat.start.clear();
  Joint loose;
  loose.name = "loose";
  loose.type = JointType::floating;
  loose.parent = "ground";
  loose.child = "slider";
  for (std::size_t k = 0; k < 7; ++k) {
    const std::size_t rate = k < 3 ? k : k - 1;  // of the entries after e0
    loose.start.push_back({position[k], k == 3 ? Number(0) : Number(velocity[rate]), true, true});
  }
  m.joints.push_back(loose);
  return m;
}

// ------------------------------------------------------------------------------ normal forces

struct Vector {
  double x, y, z;
};
double dot(const Vector& a, const Vector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vector as_vector(const std::vector<double>& v) {
  return {v[0], v[1], v[2]};
}

// Component by component, as equations (7) print it.
struct Bearing {
  double length, offset, width, epsilon, factor;
};
double size(double f, const Bearing& b) {
  return std::sqrt(f * f + b.epsilon * b.epsilon);
}
double pin_force(Vector f, Vector t, bool with_thrust, const Bearing& b) {
  const double tx = t.x + b.offset * f.y;
  const double ty = t.y - b.offset * f.x;
  const double x1 = -f.x + ty / b.length, y1 = -f.y - tx / b.length;
  const double x2 = -ty / b.length, y2 = tx / b.length;
  const double e = b.epsilon * b.epsilon;
  const double radial =
      b.factor * (std::sqrt(x1 * x1 + y1 * y1 + e) + std::sqrt(x2 * x2 + y2 * y2 + e));
  return radial + (with_thrust ? size(f.z, b) : 0.0);
}
double slide_force(Vector f, Vector t, const Bearing& b) {
  const double tx = t.x + b.offset * f.y;
  const double ty = t.y - b.offset * f.x;
  return size(-f.x + ty / b.length, b) + size(-f.y - tx / b.length, b) + size(ty / b.length, b) +
         size(tx / b.length, b) + 2 * size(t.z / (2 * b.width), b);
}
double brown_mcphee(double v) {
  const double x = v / 0.2;
  const double d = x * x / 4 + 0.75;
  return 0.35 * std::tanh(4 * x) + (0.5 - 0.35) * x / (d * d);
}

// What the friction is at the start, by the reactions that the sensors show.
TEST(JointFriction, IsWhatTheReactionsAndTheLawSay) {
  for (const JointType type : kRubbing) {
    SCOPED_TRACE(name_of_type(type));
    Model m = rubbing(type, "brown-mcphee");
    // The joint frame, fixed in the slider and, of planar and cardan joints, in the carrier.
    const bool is_ball = type == JointType::spherical;
    const double a[3] = {1, 0.3, -0.2}, zero[3] = {0.1, 1, 0.4};
    const double child_axis[3] = {0.9, 0.4, 0.1}, child_zero[3] = {0.2, 0.8, -0.5};
    const auto add_frame = [&](const char* body, const char* axis, const char* zeros,
                               const double* along, const double* across) {
      const double length =
          std::sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
      double unit[3], normal[3], share = 0;
      for (int k = 0; k < 3; ++k) unit[k] = along[k] / length;
      for (int k = 0; k < 3; ++k) share += across[k] * unit[k];
      for (int k = 0; k < 3; ++k) normal[k] = across[k] - share * unit[k];
      const double size_of =
          std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
      for (double& n : normal) n /= size_of;
      for (Body& b : m.bodies)
        if (b.name == body) {
          b.vectors[axis] = {unit[0], unit[1], unit[2]};
          b.vectors[zeros] = {normal[0], normal[1], normal[2]};
        }
      m.sensors.push_back({axis, "vector", std::string(body) + "." + axis});
      m.sensors.push_back({zeros, "vector", std::string(body) + "." + zeros});
    };
    add_frame("carrier", "pa", "pz", a, zero);
    const double second[3] = {0.2, 0.9, 0.3}, second_zero[3] = {1, 0.1, 0.2};
    if (type == JointType::cardan)
      add_frame("slider", "ca", "cz", second, second_zero);
    else
      add_frame("slider", "ca", "cz", child_axis, child_zero);
    if (!is_ball) m.sensors.push_back({"rates", "rate", "seat"});
    const bool slides =
        type == JointType::prismatic || type == JointType::cylindrical || type == JointType::planar;
    if (slides) m.sensors.push_back({"pushed", "applied_force", "friction"});
    if (type != JointType::prismatic) m.sensors.push_back({"turned", "applied_torque", "friction"});
    m.sensors.push_back({"spin_c", "angular_velocity", "slider"});
    m.sensors.push_back({"spin_p", "angular_velocity", "carrier"});
    const auto shown = [&](const char* name) { return sensors_at_start(m, name); };
    const Vector force = as_vector(shown("reaction_force_of_seat"));
    const bool moments = has_pins(type) || type == JointType::prismatic;
    const Vector moment = moments ? as_vector(shown("reaction_moment_of_seat")) : Vector{0, 0, 0};
    const Vector pa = as_vector(shown("pa")), pz = as_vector(shown("pz"));
    const Vector ca = as_vector(shown("ca")), cz = as_vector(shown("cz"));
    const auto across = [](const Vector& u, const Vector& w) {
      return Vector{u.y * w.z - u.z * w.y, u.z * w.x - u.x * w.z, u.x * w.y - u.y * w.x};
    };
    const auto in_frame = [&](const Vector& axis, const Vector& x, const Vector& v) {
      return Vector{dot(v, x), dot(v, across(axis, x)), dot(v, axis)};
    };
    const Bearing b{0.4, -0.1, 0.15, 0.3, 1.2};
    const double pre = 0.8, r = 0.06, c = 0.7;
    const auto expect = [&](double is, double should) {
      EXPECT_NEAR(is, should, 1e-9 * (1 + std::abs(should)));
      EXPECT_GT(std::abs(should), 1e-3);
    };
    if (type == JointType::revolute || type == JointType::cylindrical) {
      const double n = pin_force(in_frame(pa, pz, force), in_frame(pa, pz, moment),
                                 type == JointType::revolute, b) +
                       pre;
      const auto rates = shown("rates");
      const double w = rates.back();
      expect(shown("turned")[0], -r * (n * brown_mcphee(r * w) + c * r * w));
      if (type == JointType::cylindrical)
        expect(shown("pushed")[0], -(n * brown_mcphee(rates[0]) + c * rates[0]));
    } else if (type == JointType::cardan) {
      const Bearing centred{0.4, -0.2, 0.15, 0.3, 1.2};
      const auto rates = shown("rates");
      const Vector normal = across(pa, ca);
      const double about = dot(moment, normal);
      const Vector handed{about * normal.x, about * normal.y, about * normal.z};
      const double first =
          pin_force(in_frame(pa, pz, force), in_frame(pa, pz, handed), true, centred) + pre;
      const double other =
          pin_force(in_frame(ca, cz, force), in_frame(ca, cz, handed), true, centred) + pre;
      expect(shown("turned")[0], -r * (first * brown_mcphee(r * rates[0]) + c * r * rates[0]));
      expect(shown("turned")[1], -r * (other * brown_mcphee(r * rates[1]) + c * r * rates[1]));
    } else if (type == JointType::prismatic) {
      const double n = slide_force(in_frame(pa, pz, force), in_frame(pa, pz, moment), b) + pre;
      const double v = shown("rates")[0];
      expect(shown("pushed")[0], -(n * brown_mcphee(v) + c * v));
    } else if (type == JointType::planar) {
      const double n = size(dot(force, pa), b) + pre;
      const auto rates = shown("rates");
      const double v = std::sqrt(rates[0] * rates[0] + rates[1] * rates[1] + 1e-4);
      for (std::size_t k = 0; k < 2; ++k)
        expect(shown("pushed")[k], -(n * brown_mcphee(v) / v + c) * rates[k]);
      const double w = r * rates[2];
      expect(shown("turned")[0], -r * (n * brown_mcphee(w) + c * w));
    } else {
      const double n = 1.2 * std::sqrt(dot(force, force) + 0.09) + pre;
      const Vector wc = as_vector(shown("spin_c")), wp = as_vector(shown("spin_p"));
      const Vector w{wc.x - wp.x, wc.y - wp.y, wc.z - wp.z};
      const double v = std::sqrt(r * r * dot(w, w) + 1e-4);
      const auto turned = shown("turned");
      const double all =
          std::sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]);
      expect(all, r * (n * brown_mcphee(v) / v + c) * r * std::sqrt(dot(w, w)));
    }
    // Friction only takes.
    EXPECT_LT(shown("taken")[0], -1e-3);
  }
}

// ------------------------------------------------------------------------- cut, swapped, exact

TEST(JointFriction, IsTheSameInTheTreeAndInCutAndSwappedJoints) {
  for (const JointType type : kRubbing)
    for (const char* law : {"brown-mcphee", "viscous", "lugre"}) {
      SCOPED_TRACE(name_of_type(type) + ", " + law);
      const Model tree = rubbing(type, law);
      const Result in_tree = run_gradient(tree, "direct");
      const Result in_cut = run_gradient(with_cut_seat(tree), "direct");
      expect_equal_values(in_tree, in_cut, 2e-9);
      EXPECT_LT(largest_deviation(in_tree.gradient, in_cut.gradient, tree.parameters.size()), 1e-7);
      if (type != JointType::revolute && type != JointType::prismatic &&
          type != JointType::cylindrical)
        continue;
      const Result swapped = run_gradient(rubbing(type, law, Tie::swapped), "direct");
      expect_equal_values(in_tree, swapped, 2e-9);
      EXPECT_LT(largest_deviation(in_tree.gradient, swapped.gradient, tree.parameters.size()),
                1e-7);
    }
}

bool matters(const Model& m, const std::string& parameter) {
  for (const auto& [key, value] : m.forces.back().values)
    if (key != "joint" && key != "law" && !value.is_vector() && value.number().is_expression() &&
        std::regex_search(value.text(), std::regex("\\b" + parameter + "\\b")))
      return true;
  return parameter == "mass";
}

class JointFrictionIn : public testing::TestWithParam<JointType> {};

TEST_P(JointFrictionIn, HasExactGradients) {
  for (const char* law : {"brown-mcphee", "coulomb", "viscous", "lugre", "gonthier"})
    for (const bool cut : {false, true}) {
      SCOPED_TRACE(std::string(law) + (cut ? ", cut" : ", in the tree"));
      Model m = rubbing(GetParam(), law);
      if (cut) m = with_cut_seat(m);
      std::erase_if(m.parameters, [&](const Parameter& p) { return !matters(m, p.name); });
      m.analysis.duration = 0.04;
      m.analysis.rtol = 1e-6;
      m.analysis.atol = 1e-8;
      Tolerances tolerances;
      tolerances.dual = 1e-8;
      tolerances.differences = false;
      tolerances.smallest_entry = 1e-10;
      expect_exact_gradient(m, tolerances);
    }
}

TEST_P(JointFrictionIn, HasTheSameBitsEverywhere) {
  for (const char* law : {"brown-mcphee", "lugre"})
    for (const bool cut : {false, true}) {
      SCOPED_TRACE(std::string(law) + (cut ? ", cut" : ", in the tree"));
      Model m = rubbing(GetParam(), law);
      if (cut) m = with_cut_seat(m);
      std::erase_if(m.parameters, [&](const Parameter& p) { return !matters(m, p.name); });
      m.analysis.duration = 0.03;
      m.analysis.rtol = 1e-5;
      Options options;
      options.designs.count = 9;
      options.designs.spread = 0.02;
      expect_same_bits_everywhere(m, options);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryType, JointFrictionIn, testing::ValuesIn(kRubbing),
                         [](const auto& type) { return name_of_type(type.param); });

// --------------------------------------------------------------------------- what is known of it

Model with_steps(Model m, double duration) {
  use_exact_steps(m, duration);
  return m;
}

// A block that slides on a plane, in a direction of its own, against Coulomb friction: with the law
// d tanh(v / v_t) its speed follows sinh(v / v_t) = sinh(v_0 / v_t) exp(-d g t / v_t).
Model block_on_plane(double transition_speed) {
  Model m;
  m.gravity = {0, 0, -9.81};
  Body block;
  block.name = "block";
  block.mass = 1.3;
  block.com = {0, 0, 0};
  block.inertia = {0.01, 0.01, 0.01, 0, 0, 0, "com"};
  m.bodies = {block};
  Joint plane;
  plane.name = "plane";
  plane.type = JointType::planar;
  plane.parent = "ground";
  plane.child = "block";
  plane.axis = Vector3{0, 0, 1};
  plane.start = {at(0.1, 0.6), at(-0.2, 0.8), at(0, 0)};
  m.joints = {plane};
  m.parameters = {make_parameter("mu", 0.3)};
  m.forces = {friction("plane", {{"law", "coulomb"},
                                 {"dynamic", "mu"},
                                 {"transition_speed", transition_speed},
                                 {"smoothing", 1e-6},
                                 {"speed_smoothing", 1e-9}})};
  m.sensors = {{"place", "coordinate", "plane"}, {"pace", "rate", "plane"}};
  m.objectives = {{"x", ObjectiveKind::terminal, "place.0", "", ""},
                  {"y", ObjectiveKind::terminal, "place.1", "", ""},
                  {"v", ObjectiveKind::terminal, "norm([pace.0, pace.1, 0])", "", ""}};
  return m;
}

TEST(JointFriction, StopsABlockWhereItShould) {
  const double vt = 0.02, mu = 0.3, g = 9.81;
  // While it slides, at the end of it, and creeping.
  for (const double t : {0.2, 0.33, 0.36}) {
    const Result r = run_gradient(with_steps(block_on_plane(vt), t), "direct");
    const double v = vt * std::asinh(std::sinh(1.0 / vt) * std::exp(-mu * g * t / vt));
    EXPECT_NEAR(r.objective_values[2], v, 1e-8);
  }
  // Where it comes to rest: the integral of v / (mu g tanh(v / v_t)) from 0 to v_0, which is the
  // distance of dry friction and pi^2 / 12 v_t^2 / (mu g) more.
  const Result r = run_gradient(with_steps(block_on_plane(vt), 0.6), "direct");
  const double distance = (0.5 + std::acos(-1.0) * std::acos(-1.0) / 12 * vt * vt) / (mu * g);
  EXPECT_NEAR(r.objective_values[0], 0.1 + 0.6 * distance, 1e-8);
  EXPECT_NEAR(r.objective_values[1], -0.2 + 0.8 * distance, 1e-8);
  EXPECT_NEAR(r.gradient[0], -0.6 * distance / mu, 1e-7);
  EXPECT_NEAR(r.gradient[1], -0.8 * distance / mu, 1e-7);
}

// A block on a belt, held by a spring: it sticks and slips in turn. `belt` moves under it at a
// constant speed; the friction is that of the joint between both.
constexpr double kBeltSpeed = 0.3, kBeltStiffness = 90.0, kBeltStatic = 0.6, kBeltDynamic = 0.35,
                 kBeltTransition = 0.02;

Model block_on_belt() {
  Model m;
  m.gravity = {0, 0, -9.81};
  Body belt;
  belt.name = "belt";
  belt.mass = 5;
  belt.com = {0, 0, 0};
  belt.inertia = {0.1, 0.1, 0.1, 0, 0, 0, "com"};
  Body block = belt;
  block.name = "block";
  block.mass = 1.5;
  m.bodies = {belt, block};
  Joint roll = make_joint("roll", JointType::prismatic, "ground", "belt", {1, 0, 0}, 0, kBeltSpeed);
  roll.start[0].position_is_guess = true;
  Joint contact = make_joint("contact", JointType::prismatic, "belt", "block", {1, 0, 0}, 0, 0);
  contact.zero = Vector3{0, 1, 0};
  m.joints = {roll, contact};
  m.constraints = {{"drive", "coordinate", "roll", "", std::to_string(kBeltSpeed) + "*t"}};
  m.parameters = {make_parameter("static", kBeltStatic), make_parameter("k", kBeltStiffness)};
  m.sensors = {{"at", "position", "block"}, {"rate", "velocity", "block"}};
  m.forces = {make_force("spring", "block", {"-k*at.x", 0, 0}),
              friction("contact", {{"law", "brown-mcphee"},
                                   {"static", "static"},
                                   {"dynamic", kBeltDynamic},
                                   {"transition_speed", kBeltTransition},
                                   {"load", "force"},
                                   {"smoothing", 1e-9}})};
  for (const int passage : {2, 3, 4}) {
    Objective o{"passage " + std::to_string(passage), ObjectiveKind::time_when, "at.x - 0.05", "",
                ""};
    o.direction = Passages::rising;
    o.passage = passage;
    m.objectives.push_back(o);
  }
  use_exact_steps(m, 3.0);
  return m;
}

// Times at which x passes 0.05 m upwards, by an equation of motion of its own.
std::vector<double> passages_of_block(double stiffness, double mu_s) {
  using Long = long double;
  const Long h = 2e-5L, m = 1.5L, g = 9.81L;
  const auto slope = [&](Long x, Long v) {
    const Long s = (v - kBeltSpeed) / kBeltTransition;
    const Long d = s * s / 4 + 0.75L;
    const Long mu = kBeltDynamic * std::tanh(4 * s) + (mu_s - kBeltDynamic) * s / (d * d);
    return (-stiffness * x - mu * m * g) / m;
  };
  std::vector<double> times;
  Long x = 0, v = kBeltSpeed;
  for (int k = 0; k < 150000; ++k) {
    const Long a1 = slope(x, v), v2 = v + h / 2 * a1;
    const Long a2 = slope(x + h / 2 * v, v2), v3 = v + h / 2 * a2;
    const Long a3 = slope(x + h / 2 * v2, v3), v4 = v + h * a3;
    const Long a4 = slope(x + h * v3, v4);
    const Long next = x + h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    const Long pace = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (x < 0.05L && next >= 0.05L) {
      // A cubic through both ends.
      Long share = (0.05L - x) / (next - x);
      for (int i = 0; i < 20; ++i) {
        const Long u = share, w = 1 - u;
        const Long value = w * w * (1 + 2 * u) * x + u * u * (3 - 2 * u) * next +
                           h * (u * w * w * v - u * u * w * pace);
        const Long rate =
            6 * u * w * (next - x) + h * (w * (1 - 3 * u) * v + u * (3 * u - 2) * pace);
        share -= (value - 0.05L) / rate;
      }
      times.push_back(static_cast<double>((k + share) * h));
    }
    x = next;
    v = pace;
  }
  return times;
}

TEST(JointFriction, MakesABlockOnABeltStickAndSlipWithTheRightPeriod) {
  const std::vector<double> expected = passages_of_block(kBeltStiffness, kBeltStatic);
  ASSERT_GE(expected.size(), 4U);
  const Result r = run_gradient(block_on_belt(), "direct");
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(r.objective_values[k], expected[k + 1], 2e-7) << k;
  // The period is that of sticking and slipping, not of the spring: 2 pi sqrt(m / k).
  const double period = expected[3] - expected[2];
  EXPECT_NEAR(r.objective_values[2] - r.objective_values[1], period, 1e-7);
  EXPECT_GT(std::abs(period - 2 * std::acos(-1.0) * std::sqrt(1.5 / kBeltStiffness)), 0.05);
  const double step = 1e-4;
  const auto up = passages_of_block(kBeltStiffness, kBeltStatic + step),
             down = passages_of_block(kBeltStiffness, kBeltStatic - step);
  for (std::size_t k = 0; k < 3; ++k) {
    const double slope = (up[k + 1] - down[k + 1]) / (2 * step);
    EXPECT_NEAR(r.gradient[2 * k], slope, 1e-4 * std::abs(slope)) << k;
  }
}

// A pendulum loses by the friction in its pin what the friction takes, and moves as the law says
// that a user would write.
TEST(JointFriction, TakesFromAPendulumWhatItLoses) {
  Model m = test::one_body("rod", 2.0, "pin", JointType::revolute, {0, 0, 1}, 0.3, 1.5, "q");
  m.gravity = {0, -9.81, 0};
  m.bodies[0].com = {0.8, 0, 0};
  m.bodies[0].inertia = {0.01, 0.05, 0.05, 0, 0, 0, "com"};
  m.parameters = {make_parameter("mu", 0.9), make_parameter("r", 0.1), make_parameter("slip", 0.5)};
  m.sensors.push_back({"w", "rate", "pin"});
  m.sensors.push_back({"load", "reaction_force", "pin"});
  m.sensors.push_back({"all", "energy", "total"});
  Model by_law = m;
  m.forces = {friction("pin", {{"law", "coulomb"},
                               {"dynamic", "mu"},
                               {"transition_speed", "r*slip"},
                               {"radius", "r"},
                               {"load", "force"},
                               {"pressure_factor", 1},
                               {"smoothing", 0.1}})};
  by_law.forces = {
      make_joint_force("friction", "pin", "-mu*r*sqrt(load.x^2 + load.y^2 + 0.01)*tanh(w/slip)")};
  Result results[2];
  for (Model* const model : {&m, &by_law}) {
    model->sensors.push_back({"taken", "power", "friction"});
    model->objectives = {{"energy", ObjectiveKind::terminal, "all", "", ""},
                         {"lost", ObjectiveKind::integral, "taken", "", ""},
                         {"q", ObjectiveKind::terminal, "q", "", ""}};
    use_exact_steps(*model, 1.5);
    results[model == &m ? 0 : 1] = run_gradient(*model, "direct");
  }
  expect_equal_values(results[0], results[1], 1e-11);
  EXPECT_LT(largest_deviation(results[0].gradient, results[1].gradient, 3), 1e-9);
  const double before = 0.5 * (0.05 + 2 * 0.64) * 1.5 * 1.5 + 2 * 9.81 * 0.8 * std::sin(0.3);
  EXPECT_NEAR(results[0].objective_values[0] - before, results[0].objective_values[1], 1e-9);
  EXPECT_LT(results[0].objective_values[1], -1.0);
}

// A plane loop leaves open what its hinges and slides carry across its plane. Friction in hinges
// that reads the forces in the plane alone is the same wherever the loop is cut.
Model rough_slider_crank(JointType cut, const char* load) {
  Model m = slider_crank(cut);
  m.parameters = {make_parameter("mu", 0.4), make_parameter("r", 0.03)};
  std::vector<Joint> all = m.joints;
  all.insert(all.end(), m.loops.begin(), m.loops.end());
  for (const Joint& joint : all) {
    if (joint.type != JointType::revolute) continue;
    std::map<std::string, ForceValue> keys{{"static", "mu"},
                                           {"dynamic", "0.8*mu"},
                                           {"transition_speed", 0.1},
                                           {"smoothing", 0.1},
                                           {"radius", "r"}};
    keys["load"] = load;
    if (std::string(load) == "full") keys["length"] = 0.1;
    m.forces.push_back(friction(joint.name, keys, "friction in " + joint.name));
  }
  m.sensors = {{"tip", "position", "rod.tip"}, {"tip_rate", "velocity", "rod.tip"}};
  m.objectives = {{"end", ObjectiveKind::terminal, "tip.x + tip.y", "", ""},
                  {"all", ObjectiveKind::integral, "dot(tip_rate, tip_rate)", "", ""}};
  use_exact_steps(m, 0.5);
  return m;
}

TEST(JointFriction, InPlaneLoopsReadsTheForcesInThePlane) {
  const Result one = run_gradient(rough_slider_crank(JointType::revolute, "force"), "direct");
  const Result other = run_gradient(rough_slider_crank(JointType::prismatic, "force"), "direct");
  expect_equal_values(one, other, 1e-9);
  EXPECT_LT(largest_deviation(one.gradient, other.gradient, 2), 1e-8);
  EXPECT_GT(std::abs(one.gradient[0]), 1e-3);
  expect_part(failure_of(rough_slider_crank(JointType::revolute, "full")),
              "which these share in more than one way");
}

// -------------------------------------------------------------------------------- what is refused

std::string refusal(JointType type, const std::map<std::string, ForceValue>& keys,
                    const char* without = "") {
  Model m = rubbing(type, "brown-mcphee");
  for (const auto& [key, value] : keys) m.forces.back()[key] = value;
  m.forces.back().values.erase(without);
  return failure_of(m);
}

// A design whose friction would drive fails; one without any does not, and has its derivatives.
TEST(JointFriction, FailsWhereADesignHasANegativeOne) {
  Model m = rubbing(JointType::prismatic, "brown-mcphee");
  Options options;
  options.backend = "cpu:1";
  const auto at_dynamic = [&](double coefficient) {
    for (Parameter& p : m.parameters)
      if (p.name == "dy" || p.name == "st") p.value = coefficient;
    return m;
  };
  m.parameters.push_back(make_parameter("sign", 1.0));
  m.forces.back()["dynamic"] = "sign*dy";
  for (const double sign : {1.0, -1.0})
    for (const Parameter& p : m.parameters)
      options.designs.values.push_back(p.name == "sign" ? sign : p.value.value());
  const Result r = simulate(m, options);
  EXPECT_TRUE(r.status[0].ok);
  EXPECT_FALSE(r.status[1].ok);
  const Result smooth = run_gradient(at_dynamic(0.0), "direct");
  const Result adjoint = run_gradient(at_dynamic(0.0), "adjoint");
  EXPECT_LT(largest_deviation(smooth.gradient, adjoint.gradient, m.parameters.size()), 1e-10);
}

TEST(JointFriction, RefusesWhatMeansNothing) {
  using enum JointType;
  expect_part(refusal(revolute, {}, "radius"), "/forces/friction: the key \"radius\" is missing");
  expect_part(refusal(revolute, {}, "length"), "the key \"length\" is missing");
  expect_part(refusal(prismatic, {}, "width"), "the key \"width\" is missing");
  expect_part(refusal(prismatic, {{"radius", 1}}), "turns nothing");
  expect_part(refusal(revolute, {{"width", 1}}), "knows no width");
  expect_part(refusal(revolute, {{"bearing", "parent"}}), "meet at the point");
  expect_part(refusal(cardan, {{"offset", 1}}), "lie about its centre");
  expect_part(refusal(planar, {{"length", 1}}), "knows no bearing length");
  expect_part(refusal(planar, {{"pressure_factor", 1}}), "flat surfaces");
  expect_part(refusal(revolute, {{"slip", "combined"}}), "only a cylindrical joint");
  expect_part(refusal(revolute, {{"speed_smoothing", 1}}), "no size to smooth");
  expect_part(refusal(revolute, {{"load", "force"}}), "moments of the joint do not count");
  expect_part(refusal(revolute, {{"dwell_time", 1}}), "\"brown-mcphee\" does not have it");
  expect_part(refusal(revolute, {}, "static"), "\"brown-mcphee\" needs it");
  expect_part(refusal(revolute, {{"law", "viscous"}}), "does not have it");
  expect_part(refusal(revolute, {{"law", "coulumb"}}), "did you mean \"coulomb\"");
  expect_part(refusal(revolute, {{"joint", "seta"}}), "seta");
  expect_part(refusal(revolute, {{"radius", 0}}), "above 0");
  expect_part(refusal(revolute, {{"dynamic", -0.1}}), "0 or above");
  expect_part(refusal(revolute, {{"preload", -1}}), "0 or above");
  Model stiff = rubbing(revolute, "viscous");
  stiff.joints[1].type = fixed;
  stiff.joints[1].start.clear();
  expect_part(failure_of(stiff), "in a fixed joint nothing slides or turns");
}

}  // namespace
}  // namespace gradus::derivative
