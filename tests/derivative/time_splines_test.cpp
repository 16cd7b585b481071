// Forces that splines of time make, of any number of knots and inside any function: steps of
// adaptive methods end at what is rough in them, and at the kinks that they cause.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

using Function = std::function<double(double)>;

// A spline through random values at even knots of [0, 1], as gradus reads it and by itself.
struct RandomSpline {
  std::string knots, values, kind;
  std::vector<double> y, bend;  // bend: second derivatives at the knots

  std::string of(const std::string& argument) const {
    return "spline(" + argument + ", [" + knots + "], [" + values + "], '" + kind + "')";
  }
  double at(double x) const {
    const auto segments = static_cast<double>(y.size() - 1);
    const auto k = std::min(static_cast<std::size_t>(std::max(0.0, x * segments)), y.size() - 2);
    const double h = 1.0 / segments;
    const double b = x * segments - static_cast<double>(k);
    const double a = 1.0 - b;
    return a * y[k] + b * y[k + 1] +
           h * h / 6.0 * ((a * a * a - a) * bend[k] + (b * b * b - b) * bend[k + 1]);
  }
};

// Half of the random ones are flat but for a few spikes.
RandomSpline random_spline(int count, const std::string& kind, unsigned seed) {
  RandomSpline spline;
  spline.kind = kind;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  for (int k = 0; k < count; ++k) {
    const double y = std::round(1e4 * value(random)) / 1e4;
    const bool is_flat = seed % 2 == 1 && value(random) < 0.9;
    spline.y.push_back(is_flat ? -0.5 : y);
    spline.knots += (k > 0 ? ", " : "") + std::to_string(k) + "/" + std::to_string(count - 1);
    spline.values += (k > 0 ? ", " : "") + std::to_string(spline.y.back());
  }
  // Of natural splines: b(k-1) + 4 b(k) + b(k+1) = 6 (y(k-1) - 2 y(k) + y(k+1)) / h^2.
  const std::size_t n = spline.y.size();
  spline.bend.assign(n, 0.0);
  if (kind == "linear") return spline;
  const double per_square = static_cast<double>((count - 1) * (count - 1));
  std::vector<double> pivot(n, 4.0);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double right = spline.y[k - 1] - 2.0 * spline.y[k] + spline.y[k + 1];
    const double factor = k > 1 ? 1.0 / pivot[k - 1] : 0.0;
    if (k > 1) pivot[k] -= factor;
    spline.bend[k] = 6.0 * per_square * right - factor * spline.bend[k - 1];
  }
  for (std::size_t k = n - 2; k > 0; --k)
    spline.bend[k] = (spline.bend[k] - spline.bend[k + 1]) / pivot[k];
  return spline;
}

// Of 1 kg on a rail from rest: speed and way after 1 s.
struct Pushed {
  double speed = 0.0, way = 0.0;
};
Pushed pushed_by(const Function& force) {
  constexpr int kParts = 200000;
  Pushed sum;
  for (int k = 0; k < kParts; ++k) {
    const double t = (k + 0.5) / kParts;
    const double f = force(t) / kParts;
    sum.speed += f;
    sum.way += f * (1.0 - t);
  }
  return sum;
}

Model rail(const std::string& force) {
  Model m;
  m.gravity = {0, 0, 0};
  m.parameters = {make_parameter("p", 1.0)};
  m.bodies = {make_body("car", 1.0, {0, 0, 0}, {1, 1, 1, 0, 0, 0, "com"}, {})};
  m.joints = {make_joint("rail", JointType::prismatic, "ground", "car", {1, 0, 0}, 0.0, 0.0)};
  m.sensors = {{"x", "coordinate", "rail"}, {"v", "rate", "rail"}};
  m.forces.push_back(make_joint_force("push", "rail", force));
  m.objectives = {{"speed", ObjectiveKind::terminal, "v", "", ""},
                  {"way", ObjectiveKind::terminal, "x", "", ""}};
  m.analysis.formulation = "semi-recursive";
  m.analysis.integrator = "dop853";
  m.analysis.duration = 1.0;
  return m;
}

// All are of degree 1 in p, which is 1, so that the gradient is the value.
struct Law {
  std::string text;
  Function value;
};
std::vector<Law> laws_of(const RandomSpline& a, const RandomSpline& b) {
  const Function f = [&](double t) { return a.at(t); };
  const auto positive = [](double x) { return std::max(0.0, x); };
  return {
      {"max(0, p*" + a.of("t") + ")", [=](double t) { return positive(f(t)); }},
      {"p*sqrt(max(0, " + a.of("t") + "))", [=](double t) { return std::sqrt(positive(f(t))); }},
      {"p*abs(" + a.of("t") + "*" + b.of("t^2") + " - 0.1)",
       [=, &b](double t) { return std::abs(f(t) * b.at(t * t) - 0.1); }},
      {"max(p*" + b.of("abs(sin(5*t))") + ", p*" + a.of("t") + ")",
       [=, &b](double t) { return std::max(b.at(std::abs(std::sin(5.0 * t))), f(t)); }}};
}

TEST(TimeSplines, ForcesOfAnyNumberOfKnots) {
  unsigned seed = 0;
  for (const int knots : {65, 300})
    for (const std::string kind : {"linear", "natural"}) {
      const RandomSpline a = random_spline(knots, kind, seed++);
      const RandomSpline b = random_spline(knots / 2 + 50, "linear", seed++);
      for (const Law& law : laws_of(a, b)) {
        SCOPED_TRACE(std::to_string(knots) + " " + kind + " " + law.text.substr(0, 30));
        const Pushed expected = pushed_by(law.value);
        for (const char* method : {"direct", "adjoint"}) {
          const Result r = run_gradient(rail(law.text), method);
          EXPECT_NEAR(r.objective_values[0], expected.speed, 2e-6);
          EXPECT_NEAR(r.objective_values[1], expected.way, 2e-6);
          EXPECT_NEAR(r.gradient[0], expected.speed, 2e-6);
          EXPECT_NEAR(r.gradient[1], expected.way, 2e-6);
        }
      }
    }
}

// Many kinks between two of the instants that everything is looked at.
TEST(TimeSplines, KinksThatFollowEachOtherClosely) {
  const double rate = 2e4;
  const double turns = std::floor(rate / 3.141592653589793);
  const double rest = std::cos(rate - turns * 3.141592653589793);
  const Result r = run_gradient(rail("p*abs(sin(20000*t))"), "direct");
  EXPECT_NEAR(r.gradient[0], (2.0 * turns + 1.0 - rest) / rate, 3e-6);
}

// A table that is smooth takes no more steps than the function that it is of.
TEST(TimeSplines, SmoothTablesEndNoSteps) {
  std::string knots, values;
  for (int k = 0; k <= 1000; ++k) {
    knots += (k > 0 ? ", " : "") + std::to_string(1e-3 * k);
    values += (k > 0 ? ", " : "") + std::to_string(std::sin(6e-3 * k));
  }
  Options options;
  options.backend = "cpu:1";
  EXPECT_LT(simulate(rail("p*spline(t, [" + knots + "], [" + values + "])"), options).step_count[0],
            400.0);
}

// Kinks of what moves are not known before, those of the part of time alone are.
TEST(TimeSplines, KinksOfMotionsAndTime) {
  const RandomSpline a = random_spline(101, "linear", 2);
  Model m = rail("max(0, p*" + a.of("t") + " - 10*x - v)");
  const Deviations d = expect_exact_gradient(m, {1e-6, 1e-4, 1e-9});
  EXPECT_GT(d.smallest_entry, 1e-3);
}

// The derivative by time is infinite at the begin, or on the way, and nobody needs it.
// Laws of degree 1/2 in p have half the gradient.
TEST(TimeSplines, RootsOfTime) {
  struct Root {
    Law law;
    double degree;
  };
  const Function root = [](double t) { return std::sqrt(t); };
  const Root roots[] = {
      {{"p*sqrt(t)", root}, 1.0},
      {{"p*t^0.5", root}, 1.0},
      {{"p*abs(t - 0.5)^0.5", [](double t) { return std::sqrt(std::abs(t - 0.5)); }}, 1.0},
      {{"p*sqrt(t*(1 - t))", [](double t) { return std::sqrt(t * (1.0 - t)); }}, 1.0},
      {{"sqrt(2*p*t - p*t)", root}, 0.5},
      {{"(p*t*(1 - t))^0.5", [](double t) { return std::sqrt(t * (1.0 - t)); }}, 0.5},
      {{"sqrt(t/p)", root}, -0.5}};
  for (const Root& of : roots) {
    const Pushed expected = pushed_by(of.law.value);
    for (const char* integrator : {"dop853", "rk4"})
      for (const char* method : {"direct", "adjoint", "dual"}) {
        SCOPED_TRACE(of.law.text + " " + integrator + " " + method);
        Model m = rail(of.law.text);
        m.analysis.integrator = integrator;
        if (m.analysis.integrator == "rk4") m.analysis.step = 1e-3;
        const double bound = m.analysis.integrator == "rk4" ? 2e-5 : 5e-8;
        const Result r = run_gradient(m, method);
        EXPECT_NEAR(r.gradient[0], of.degree * expected.speed, bound);
        EXPECT_NEAR(r.gradient[1], of.degree * expected.way, bound);
      }
  }
}

}  // namespace
}  // namespace gradus::derivative
