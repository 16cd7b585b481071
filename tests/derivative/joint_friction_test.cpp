// Friction in joints: what its laws and normal forces say, in the tree and in cut joints, and the
// derivatives by all that it is made of.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/model/spanning_tree.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/joint_friction.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/messages.hpp"

namespace gradus::derivative {
namespace {

using test::expect_part;
using test::failure_of;

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

class JointFrictionIn : public testing::TestWithParam<JointType> {
 protected:
  // Of a tree and of a cut joint, by the parameters that friction reads, a short while each.
  template <class Check>
  void for_laws(std::initializer_list<const char*> laws, double duration, const Check& check) {
    for (const char* law : laws)
      for (const bool cut : {false, true}) {
        SCOPED_TRACE(std::string(law) + (cut ? ", cut" : ", in the tree"));
        Model m = rubbing(GetParam(), law);
        if (cut) m = with_cut_seat(m);
        std::erase_if(m.parameters, [&](const Parameter& p) { return !matters(m, p.name); });
        m.analysis.duration = duration;
        check(m);
      }
  }
};

TEST_P(JointFrictionIn, HasExactGradients) {
  for_laws({"brown-mcphee", "coulomb", "viscous", "lugre", "gonthier"}, 0.04, [](Model& m) {
    m.analysis.rtol = 1e-6;
    m.analysis.atol = 1e-8;
    Tolerances tolerances;
    tolerances.dual = 1e-8;
    tolerances.differences = false;
    tolerances.smallest_entry = 1e-10;
    expect_exact_gradient(m, tolerances);
  });
}

TEST_P(JointFrictionIn, HasTheSameBitsEverywhere) {
  for_laws({"brown-mcphee", "lugre"}, 0.03, [](Model& m) {
    m.analysis.rtol = 1e-5;
    Options options;
    options.designs.count = 9;
    options.designs.spread = 0.02;
    expect_same_bits_everywhere(m, options);
  });
}

INSTANTIATE_TEST_SUITE_P(EveryType, JointFrictionIn, testing::ValuesIn(kRubbing),
                         [](const auto& type) { return name_of_type(type.param); });

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
  for (const JointType type : {prismatic, cylindrical}) {
    Model m = rubbing(type, "brown-mcphee");
    for (const char* key : {"length", "offset", "width"}) m.forces.back().values.erase(key);
    m.forces.back()["load"] = "force";
    EXPECT_EQ(failure_of(m), "no failure");
    m.forces.back()["bearing"] = "parent";
    expect_part(failure_of(m), "moments of the joint do not count");
  }
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
