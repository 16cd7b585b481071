// A five-bar mechanism built in C++, its gradient with units, and a comparison with the published
// one. What the mechanism is, and the same as a file: models/five-bar.
#include <gradus/gradus.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

namespace {

// A. Lopez Varela, doctoral thesis, Universidade da Coruna, 2022, tables 7.4-7.6, rows "Reference":
// derivatives of psi1, psi2, psi3 by L_s1, L_s2, m_A1, r_G, L_A1.
constexpr double kPublished[3][5] = {{-4.228, 3.212, 0.3186, 0.4423, 3.360},
                                     {-15.45, 50.32, 0.9700, 0.7454, -27.37},
                                     {221.8, 2437, -32.51, -85.70, -2547}};
// Relative. Four digits are printed, and the natural lengths behind them seem to have been rounded;
// see models/five-bar/README.md.
constexpr double kTolerance = 1e-3;

gradus::Parameter parameter(const std::string& name, const gradus::Number& value,
                            const std::string& unit) {
  gradus::Parameter p;
  p.name = name;
  p.value = value;
  p.unit = unit;
  return p;
}

// A bar along its x axis, its origin at one end. The inertia about the centre of mass is given for
// zz; a planar motion meets no other.
gradus::Body bar(const std::string& name, const gradus::Number& length, const gradus::Number& mass,
                 const gradus::Number& centre, const gradus::Number& inertia) {
  gradus::Body b;
  b.name = name;
  b.mass = mass;
  b.com = {centre, 0, 0};
  b.inertia.yy = inertia;
  b.inertia.zz = inertia;
  b.points["tip"] = {length, 0, 0};
  return b;
}

gradus::Joint hinge(const std::string& name, const std::string& parent, const std::string& child) {
  gradus::Joint j;
  j.name = name;
  j.parent = parent;
  j.child = child;
  j.axis = {0, 0, 1};
  return j;
}

gradus::Joint hinge(const std::string& name, const std::string& parent, const std::string& child,
                    const gradus::Number& angle, bool is_guess) {
  gradus::Joint j = hinge(name, parent, child);
  gradus::CoordinateStart start;
  start.position = angle;
  start.position_is_guess = is_guess;
  j.start = {start};
  return j;
}

gradus::Force spring(const std::string& name, const std::string& to, const gradus::Number& length) {
  return {name,
          "spring-damper",
          {{"from", "ground.B"}, {"to", to}, {"stiffness", 100}, {"length", length}}};
}

gradus::Objective integral(const std::string& name, const std::string& expression,
                           const std::string& unit) {
  gradus::Objective o;
  o.name = name;
  o.expression = expression;
  o.unit = unit;
  return o;
}

gradus::Model five_bar() {
  gradus::Model model;
  model.name = "five-bar";
  model.gravity = {0, -9.81, 0};
  model.parameters = {parameter("L_s1", "sqrt(5)", "m"), parameter("L_s2", "sqrt(17)/2", "m"),
                      parameter("m_A1", 1, "kg"), parameter("r_G", "sqrt(2)/2", "m"),
                      parameter("L_A1", "sqrt(2)", "m")};
  model.ground.points["A"] = {0, 0, 0};
  model.ground.points["B"] = {1, 0, 0};
  model.bodies = {bar("A1", "L_A1", "m_A1", "r_G", "1/6"),
                  bar("12", "sqrt(13)/2", 1.5, "sqrt(13)/4", 0.40625),
                  bar("23", "sqrt(13)/2", 1.5, "sqrt(13)/4", 0.40625),
                  bar("3B", "sqrt(2)", 1, "sqrt(2)/2", "1/6")};
  // Two angles are given, closing the loop determines the other two.
  model.joints = {hinge("A", "ground.A", "A1", "-3*pi/4", false),
                  hinge("1", "A1.tip", "12", "pi/4 + atan(1.5)", false),
                  hinge("2", "12.tip", "23", 1.2, true), hinge("3", "23.tip", "3B", 1.8, true)};
  model.loops = {hinge("B", "ground.B", "3B.tip")};
  model.forces = {spring("spring 1", "A1.tip", "L_s1"), spring("spring 2", "12.tip", "L_s2")};
  model.sensors = {
      {"r2", "position", "12.tip"}, {"v2", "velocity", "12.tip"}, {"a2", "acceleration", "12.tip"}};
  model.objectives = {integral("psi1", "dot(r2 - [0.5, -2, 0], r2 - [0.5, -2, 0])", "m^2 s"),
                      integral("psi2", "dot(v2, v2)", "m^2/s"),
                      integral("psi3", "dot(a2, a2)", "m^2/s^3")};
  model.analysis.duration = 5;  // s
  model.analysis.step = 1e-3;
  return model;
}

// Prints the gradient; returns the largest relative difference from the published one.
double compare(const gradus::Result& result) {
  double largest = 0.0;
  const std::size_t parameters = result.parameters.size();
  for (std::size_t o = 0; o < result.objectives.size(); ++o) {
    std::printf("%s = %.9g %s\n", result.objectives[o].name.c_str(), result.objective_values[o],
                result.objectives[o].unit.c_str());
    for (std::size_t p = 0; p < parameters; ++p) {
      const double value = result.gradient[o * parameters + p];
      const double published = kPublished[o][p];
      const double difference = std::fabs(value - published) / std::fabs(published);
      const std::string unit = "(" + result.objectives[o].unit + ")/" + result.parameters[p].unit;
      std::printf("  d %s / d %-4s = %14.9g %-12s published %.4g\n",
                  result.objectives[o].name.c_str(), result.parameters[p].name.c_str(), value,
                  unit.c_str(), published);
      largest = difference <= largest ? largest : difference;  // NaN counts as largest
    }
  }
  return largest;
}

}  // namespace

int main() {
  try {
    const gradus::Result result = gradus::gradient(five_bar());
    if (!result.all_ok()) {
      std::fprintf(stderr, "the motion failed: %s\n", result.status.front().message.c_str());
      return 1;
    }
    const double difference = compare(result);
    std::printf("largest difference from the published gradient: %.2g (accepted: %.2g)\n",
                difference, kTolerance);
    return difference <= kTolerance ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
