// Machines with joint friction, control and design parameters: objectives and gradients that an
// independent program computed by complex steps and differences of whole motions
// (models/*/README.md).
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gradus/gradus.hpp"
#include "gradus/optimize.hpp"
#include "gradus/study.hpp"
#include "tests/support/source_path.hpp"

namespace gradus {
namespace {

struct Row {
  const char* name;
  std::map<std::string, double> set;
  double value;
  std::vector<double> gradient;  // by the first parameters
};

const std::map<std::string, double> frictionless{{"mu_s", 0}, {"mu_d", 0}};

std::map<std::string, double> both(std::map<std::string, double> a,
                                   const std::map<std::string, double>& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Model machine(const std::string& name, const Row& row) {
  Model model = read_model(source_path("models/" + name + "/" + name + ".json"));
  for (Parameter& p : model.parameters)
    if (const auto set = row.set.find(p.name); set != row.set.end()) p.value = set->second;
  return model;
}

Result gradient_of(const std::string& name, const Row& row, const std::string& method) {
  Options options;
  options.method = method;
  options.backend = "cpu:1";
  Result result = gradient(machine(name, row), options);
  EXPECT_TRUE(result.all_ok()) << result.status[0].message;
  return result;
}

void expect_row(const std::string& name, const Row& row, double tolerance) {
  SCOPED_TRACE(name + ", " + row.name);
  const Result r = gradient_of(name, row, "direct");
  EXPECT_NEAR(r.objective_values[0], row.value, tolerance * row.value);
  double largest = 0;
  for (const double entry : row.gradient) largest = std::max(largest, std::abs(entry));
  for (std::size_t k = 0; k < row.gradient.size(); ++k)
    EXPECT_NEAR(r.gradient[k], row.gradient[k], tolerance * largest) << r.parameters[k].name;
}

// Direct, adjoint and dual numbers.
void expect_same_by_every_method(const std::string& name, const Row& row) {
  SCOPED_TRACE(name);
  const Result direct = gradient_of(name, row, "direct");
  for (const char* method : {"adjoint", "dual"}) {
    const Result other = gradient_of(name, row, method);
    double largest = 0, deviation = 0;
    for (std::size_t k = 0; k < direct.gradient.size(); ++k) {
      largest = std::max(largest, std::abs(direct.gradient[k]));
      deviation = std::max(deviation, std::abs(direct.gradient[k] - other.gradient[k]));
    }
    EXPECT_LT(deviation, 1e-9 * largest) << method;
  }
}

const std::map<std::string, double> gains_by_friction{
    {"Kp", 563.11}, {"Ki", 626.57}, {"Kd", 90.68}};
const std::map<std::string, double> gains_without{{"Kp", 419.42}, {"Ki", 30.30}, {"Kd", 65.95}};

const std::vector<Row> pendulum_rows{
    {"first gains", {}, 3232.26622, {5.83700874, 0.885447070, -116.382029}},
    {"gains found with friction",
     gains_by_friction,
     1186.76988,
     {0.122678276, 5.444e-4, -0.257461731}},
    {"gains found without", gains_without, 1709.18063, {-3.20360231, -4.85640256, 3.76392336}},
    {"first gains, no friction", frictionless, 6598.92182, {12.8479041, 6.00528195, -711.820451}},
    {"gains found with friction, no friction",
     both(gains_by_friction, frictionless),
     844.846973,
     {0.246228745, 0.158582549, -1.67601572}},
    {"gains found without, no friction",
     both(gains_without, frictionless),
     731.371548,
     {0.0747254, 0.1674055, -0.4668918}}};

TEST(FrictionModels, PendulumHasTheGradientsOfAnIndependentProgram) {
  for (const Row& row : pendulum_rows) expect_row("inverted-pendulum", row, 1e-6);
}

const std::map<std::string, double> governor_optimum{
    {"arm", 0.1247},         {"link", 0.0853}, {"overhang", 0.20},   {"offset", 0.02},
    {"collar_radius", 0.02}, {"height", 0.2},  {"flyweight", 0.0242}};

const std::vector<Row> governor_rows{
    {"first design",
     {},
     27.4851268,
     {187.16099, -141.08824, 33.375302, 475.25705, -8.1596668, 201.48798, 572.72985}},
    {"reported optimum",
     governor_optimum,
     17.9843236,
     {189.291293, 27.888697, -18.032051, 181.605945, -19.052505, -109.817854, 153.970237}},
    {"first design, no friction",
     frictionless,
     27.3390639,
     {191.637557, -142.322413, 32.421108, 479.737974, -11.787216, 199.190599, 570.305322}},
    {"reported optimum, no friction",
     both(governor_optimum, frictionless),
     17.9074257,
     {193.216997, 25.112592, -18.667949, 185.770808, -22.732090, -111.093961, 152.816706}}};

TEST(FrictionModels, GovernorHasTheGradientsOfAnIndependentProgram) {
  for (const Row& row : governor_rows) expect_row("flyball-governor", row, 1e-6);
}

// At its steady speed the spring is relaxed and the torque is zero: virtual work of the rest over
// the angle of the arms from the vertical.
double steady_speed(double arm, double link, double overhang, double offset, double radius,
                    double height, double flyweight) {
  const double inner = (1 - overhang) * arm, g = 9.81, h = 1e-6;
  const auto collar = [&](double angle) {
    const double across = offset + inner * std::sin(angle) - radius;
    return height - inner * std::cos(angle) - std::sqrt(link * link - across * across);
  };
  double low = 0.3, high = 1.4;  // where the collar is at 0.1 m
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high);
    (collar(middle) < 0.1 ? low : high) = middle;
  }
  const double angle = 0.5 * (low + high);
  // Height and moment of inertia about the axis of one side, by the angle.
  struct Side {
    double weight, inertia;
  };
  const auto side = [&](double a) {
    const double s = std::sin(a), z = std::cos(a);
    const double x = offset + arm * s;
    Side sum{flyweight * (height - arm * z), flyweight * x * x};
    sum.weight += 0.002 * (height - arm * z / 2);
    sum.inertia += 0.002 * (offset * offset + offset * arm * s + arm * arm * s * s / 3);
    const double top = offset + inner * s, foot = radius;
    sum.weight += 0.002 * (height - inner * z + collar(a)) / 2;
    sum.inertia += 0.002 * (top * top + top * foot + foot * foot) / 3;
    sum.weight += 0.0253 * collar(a) / 2;
    return sum;
  };
  const Side up = side(angle + h), down = side(angle - h);
  return std::sqrt(2 * g * (up.weight - down.weight) / (up.inertia - down.inertia));
}

TEST(FrictionModels, GovernorReachesItsSteadySpeed) {
  const Row first{"first design", frictionless, 0, {}};
  const Row best{"reported optimum", both(governor_optimum, frictionless), 0, {}};
  const double first_speed = steady_speed(0.135, 0.08, 0.3, 0.025, 0.025, 0.225, 0.03);
  const double best_speed = steady_speed(0.1247, 0.0853, 0.2, 0.02, 0.02, 0.2, 0.0242);
  // What the thickness of arms and links adds to their inertia does not depend on the angle.
  EXPECT_NEAR(first_speed, 11.32722, 1e-5);
  EXPECT_NEAR(best_speed, 15.00640, 1e-5);
  for (const auto& [row, expected] : {std::pair{first, first_speed}, {best, best_speed}}) {
    Model m = machine("flyball-governor", row);
    m.analysis.duration = 2;
    m.objectives = {{"speed", ObjectiveKind::terminal, "speed", "", ""}};
    Options options;
    options.backend = "cpu:1";
    const Result r = simulate(m, options);
    ASSERT_TRUE(r.all_ok()) << r.status[0].message;
    EXPECT_NEAR(r.objective_values[0], expected, 1e-5) << row.name;
  }
}

const std::vector<Row> crank_rows{
    {"first design",
     {},
     0.109886772,
     {2.8542505, -0.3947766, -0.0030078013, -0.035090288, -0.126445507}},
    {"reported optimum",
     {{"crank", 0.06},
      {"rod", 0.2},
      {"slider_length", 0.0467},
      {"slider_width", 0.02},
      {"Kp", 1.0495}},
     0.11701908,
     {5.107457, -1.811517, -0.0162639, -0.1404452, -0.1263800}},
    {"first design, no friction",
     frictionless,
     0.103414336,
     {2.5916696, -0.24689778, 0, 0, -0.119596634}}};

TEST(FrictionModels, SliderCrankHasTheGradientsOfAnIndependentProgram) {
  for (const Row& row : crank_rows) expect_row("co-design-slider-crank", row, 1e-6);
}

// The published optimum with friction lies within 0.13 % of what an independent program reaches.
TEST(FrictionModels, PendulumHasTheOptimaOfAnIndependentProgram) {
  for (const auto& [study, psi] :
       {std::pair{"gains", 1185.309}, {"gains-without-friction", 728.228}}) {
    const OptimizationResult found = optimize(read_study(
        source_path(std::string("models/inverted-pendulum/studies/") + study + ".json")));
    ASSERT_TRUE(found.succeeded) << study;
    EXPECT_NEAR(found.objective_values[0], psi, 1e-4 * psi) << study;
    EXPECT_LE(found.starts[0].evaluations, 30U) << study;
  }
}

// With bristles and dwell time: gains found without friction leave the rod behind, those found with
// another law of friction do not.
TEST(FrictionModels, PendulumStaysBehindByGainsFoundWithoutFriction) {
  const auto left = [](double kp, double ki, double kd) {
    Model m = read_model(source_path("models/inverted-pendulum/inverted-pendulum-gonthier.json"));
    for (Parameter& p : m.parameters) {
      if (p.name == "Kp") p.value = kp;
      if (p.name == "Ki") p.value = ki;
      if (p.name == "Kd") p.value = kd;
    }
    m.objectives = {{"left", ObjectiveKind::terminal, "ex", "", ""}};
    Options options;
    options.backend = "cpu:1";
    const Result r = simulate(m, options);
    EXPECT_TRUE(r.all_ok()) << r.status[0].message;
    return r.all_ok() ? std::abs(r.objective_values[0]) : 0.0;
  };
  const double with = left(531.29, 601.05, 86.43), without = left(415.60, 0.59, 66.87);
  EXPECT_LT(with, 1e-3);
  EXPECT_GT(without, 0.03);
}

TEST(FrictionModels, HaveTheSameGradientsByEveryMethod) {
  expect_same_by_every_method("inverted-pendulum", pendulum_rows[0]);
  expect_same_by_every_method("flyball-governor", governor_rows[0]);
  expect_same_by_every_method("co-design-slider-crank", crank_rows[0]);
}

}  // namespace
}  // namespace gradus
