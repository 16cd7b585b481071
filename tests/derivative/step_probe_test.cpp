// The error of sensitivities decides on the steps of adaptive methods, whichever method computes
// the gradient: stiff contacts, whose motion is smooth enough for long steps where its derivatives
// are not.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gradus/gradus.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::derivative {
namespace {

constexpr double kGravity = 9.81;

// A ball that falls from the height h and bounces twice on ground of the stiffness k.
Model bouncing_ball() {
  Model model =
      test::one_body("ball", "m", "slide", JointType::prismatic, {0, 1, 0}, "h", 0.0, "y");
  model.gravity = {0, -kGravity, 0};
  model.parameters = {{"m", 1.0, "kg", {}, ""}, {"h", 0.5, "m", {}, ""}, {"k", 1e5, "N/m", {}, ""}};
  model.forces = {make_joint_force("contact", "slide", "max(0, -k*y)")};
  model.objectives = {{"end", ObjectiveKind::terminal, "y", "m", ""},
                      {"mean", ObjectiveKind::integral, "y", "m s", ""}};
  model.analysis.formulation = "semi-recursive";
  model.analysis.integrator = "dop853";
  model.analysis.duration = 1.0;
  return model;
}

// The same in closed form, as [end, mean].
std::array<long double, 2> closed_form(long double m, long double h, long double k) {
  const long double pi = 3.14159265358979323846264338327950288L, g = 9.81L;
  const long double w = std::sqrt(k / m), fall = std::sqrt(2 * h / g), v = g * fall;
  const long double contact = 2 * (pi - std::atan(v * w / g)) / w;
  const auto height = [&](long double t) {
    return -g / (w * w) + g / (w * w) * std::cos(w * t) - v / w * std::sin(w * t);
  };
  const auto area = [&](long double t) {
    return -g / (w * w) * t + g / (w * w * w) * std::sin(w * t) +
           v / (w * w) * (std::cos(w * t) - 1);
  };
  const long double flight = 2 * v / g;
  const long double last = 1 - fall - 2 * contact - flight;  // of the third flight
  EXPECT_GT(last, 0.0L);
  EXPECT_LT(last, flight);
  const auto flown = [&](long double t) { return v * t * t / 2 - g * t * t * t / 6; };
  const long double mean =
      h * fall - g * fall * fall * fall / 6 + 2 * area(contact) + flown(flight) + flown(last);
  EXPECT_NEAR(static_cast<double>(height(contact)), 0.0, 1e-15);
  return {v * last - g * last * last / 2, mean};
}

// [objective, parameter], by differences in extended precision.
std::vector<double> closed_gradient() {
  std::vector<double> gradient(6);
  const std::array<long double, 3> at = {1.0L, 0.5L, 1e5L};
  for (std::size_t p = 0; p < 3; ++p) {
    const long double step = 1e-5L * at[p];
    auto up = at, down = at;
    up[p] += step;
    down[p] -= step;
    const auto above = closed_form(up[0], up[1], up[2]);
    const auto below = closed_form(down[0], down[1], down[2]);
    for (std::size_t o = 0; o < 2; ++o)
      gradient[o * 3 + p] = static_cast<double>((above[o] - below[o]) / (2 * step));
  }
  return gradient;
}

Options by(const std::string& method) {
  Options options;
  options.backend = "cpu:1";
  options.method = method;
  return options;
}

double largest_error(const std::vector<double>& gradient) {
  const std::vector<double> exact = closed_gradient();
  double largest = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    largest = std::max(largest, std::abs(gradient[i] / exact[i] - 1.0));
  return largest;
}

TEST(StepProbe, MakesGradientsOfContactsRight) {
  Options alone = by("direct");
  alone.columns_in_error = false;
  EXPECT_GT(largest_error(gradient(bouncing_ball(), alone).gradient), 0.01);
  const Result direct = gradient(bouncing_ball(), by("direct"));
  EXPECT_LT(largest_error(direct.gradient), 5e-6);
  for (const char* method : {"adjoint", "dual"}) {
    const Result other = gradient(bouncing_ball(), by(method));
    EXPECT_EQ(other.step_count, direct.step_count) << method;
    EXPECT_LT(largest_deviation(other.gradient, direct.gradient, 3), 1e-10) << method;
  }
}

// A kink cannot be met by any step that is accurate: the shortest ones step across it.
TEST(StepProbe, PassesKinksAtTightTolerances) {
  Options options = by("direct");
  options.rtol = 1e-12;
  options.atol = 1e-14;
  const Result tight = gradient(bouncing_ball(), options);
  ASSERT_TRUE(tight.all_ok()) << tight.status[0].message;
  EXPECT_LT(largest_error(tight.gradient), 1e-6);
}

// What a parameter is counted in does not matter to the steps.
TEST(StepProbe, KnowsNoUnits) {
  Model other = bouncing_ball();
  other.parameters[2] = {"k", 1e-4, "GN/m", {}, ""};
  other.forces[0]["value"] = "max(0, -1e9*k*y)";
  const Result one = gradient(bouncing_ball(), by("direct"));
  const Result same = gradient(other, by("direct"));
  EXPECT_NEAR(same.step_count[0], one.step_count[0], 0.05 * one.step_count[0]);
  EXPECT_NEAR(same.gradient[2] * 1e-9 / one.gradient[2], 1.0, 1e-6);
}

// So many that a combination of them decides, and that they travel in blocks.
Model ball_with(std::size_t count) {
  Model model = bouncing_ball();
  std::string sum = "0";
  for (std::size_t p = 0; p < count; ++p) {
    const std::string name = "c" + std::to_string(p);
    model.parameters.push_back({name, 1.0, "", {}, ""});
    sum += " + " + name;
  }
  model.forces[0]["value"] = "max(0, -k*y)*(" + sum + ")/" + std::to_string(count);
  return model;
}

TEST(StepProbe, ServesManyParameters) {
  const Model model = ball_with(400);
  const Result direct = gradient(model, by("direct"));
  const double by_stiffness = direct.gradient[2] * 1e5;  // = sum over all c
  EXPECT_NEAR(by_stiffness / (closed_gradient()[2] * 1e5), 1.0, 1e-5);
  EXPECT_NEAR(direct.gradient[3 + 399] * 400 / by_stiffness, 1.0, 1e-9);
  const Result adjoint = gradient(model, by("adjoint"));
  EXPECT_EQ(adjoint.step_count, direct.step_count);
  EXPECT_LT(largest_deviation(adjoint.gradient, direct.gradient, 403), 1e-10);
  Options threads = by("direct");
  threads.backend = "cpu:3";
  EXPECT_EQ(gradient(model, threads).gradient, direct.gradient);
}

// Sensitivities that are a million times larger, of another body by other parameters, hide none.
TEST(StepProbe, SeesSmallSensitivitiesAmongManyLargeOnes) {
  Model model = bouncing_ball();
  const Model cart =
      test::one_body("cart", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 0.0, 0.0, "x");
  model.bodies.push_back(cart.bodies[0]);
  model.joints.push_back(cart.joints[0]);
  std::string sum = "0";
  for (int p = 0; p < 77; ++p) {
    model.parameters.push_back({"c" + std::to_string(p), 1.0, "", {}, ""});
    sum += " + c" + std::to_string(p);
  }
  model.forces.push_back(make_joint_force("push", "rail", "1e6*(" + sum + ")"));
  for (const char* method : {"direct", "adjoint", "dual"}) {
    const Result result = gradient(model, by(method));
    ASSERT_TRUE(result.all_ok()) << result.status[0].message;
    const std::vector<double> exact = closed_gradient();
    for (std::size_t o = 0; o < 2; ++o)
      for (std::size_t p = 0; p < 3; ++p)
        EXPECT_NEAR(result.gradient[o * 80 + p] / exact[o * 3 + p], 1.0, 5e-6) << method << o << p;
  }
}

// Each design of a batch by steps of its own, and the same as alone.
TEST(StepProbe, ProbesEachDesign) {
  Options batch = by("adjoint");
  batch.designs = {5, 0.1, 7, {}};
  const Result all = gradient(bouncing_ball(), batch);
  ASSERT_TRUE(all.all_ok());
  Options one = by("adjoint");
  for (std::size_t p = 0; p < 3; ++p)
    one.set[all.parameters[p].name] = all.parameter_values[4 * 3 + p];
  const Result last = gradient(bouncing_ball(), one);
  EXPECT_TRUE(std::equal(last.gradient.begin(), last.gradient.end(), all.gradient.begin() + 4 * 6));
  EXPECT_EQ(last.step_count[0], all.step_count[4]);
}

// A force that changes its sign with the side: the gradient knows nothing of when that is.
TEST(StepProbe, NamesJumps) {
  Model model = bouncing_ball();
  model.parameters[2] = {"k", 15.0, "N", {}, ""};
  model.forces[0]["value"] = "-k*y/abs(y)";
  Options options = by("direct");
  std::string remarks;
  options.log = [&](const std::string& line) { remarks += line + "\n"; };
  for (const char* formulation : {"semi-recursive", "fully-recursive", "matrix-r"}) {
    model.analysis.formulation = formulation;
    const Result jumping = gradient(model, options);
    ASSERT_TRUE(jumping.all_ok()) << jumping.status[0].message;
    EXPECT_NEAR(jumping.jump[0], std::sqrt(2.0 * 0.5 / (kGravity + 15.0)), 1e-6);
    EXPECT_NE(remarks.find("jump: accelerations jump in 1 of 1 motions"), std::string::npos);
    // As by methods that take the steps of a probe.
    for (const char* method : {"adjoint", "dual"}) {
      options.method = method;
      EXPECT_EQ(gradient(model, options).jump, jumping.jump) << method;
    }
    options.method = "direct";
  }
  EXPECT_EQ(gradient(bouncing_ball(), options).jump[0], 0.0) << "a kink is none";
}

// However narrow tolerances are, for which sensitivities may decide on steps across it, and however
// stiff what follows: the damper of a contact begins at once.
TEST(StepProbe, NamesJumpsAtAllTolerances) {
  const Model model = parse_model(
      R"json({"schema": "gradus-model/1", "name": "landing", "gravity": [0, 0, -9.81],
    "parameters": {"k": 1.3e5, "c": 50, "h": 0.3},
    "bodies": {"b": {"mass": 1.2, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
    "joints": {"z": {"type": "prismatic", "parent": "ground", "child": "b", "initial": {"position": "h"}}},
    "forces": {"floor": {"type": "contact", "law": "kelvin-voigt", "from": "ground", "to": "b",
                         "stiffness": "k", "damping": "c"}},
    "sensors": {"z": {"coordinate": "z"}}, "objectives": {"z": {"terminal": "z"}},
    "analysis": {"duration": 0.5}})json",
      "landing");
  for (const char* integrator : {"dop853", "dopri5", "radau9"})
    for (const double rtol : {1e-6, 1e-8, 1e-10, 1e-12})
      for (const double stiffness : {1e3, 1.3e5, 1e6}) {
        Options options = by("direct");
        options.integrator = integrator;
        options.rtol = rtol;
        options.atol = 0.01 * rtol;
        options.set["k"] = stiffness;
        const Result r = gradient(model, options);
        ASSERT_TRUE(r.all_ok()) << r.status[0].message;
        EXPECT_NEAR(r.jump[0], std::sqrt(2.0 * 0.3 / 9.81), 1e-5)
            << integrator << " " << rtol << " " << stiffness;
      }
}

// Devices take the steps that probes find on the host.
TEST(StepProbe, ServesDevices) {
  for (const char* method : {"direct", "adjoint"})
    for (const std::size_t more : {0U, 100U}) {
      Options options = by(method);
      options.designs = {3, 0.05, 3, {}};
      const Model model = more == 0 ? bouncing_ball() : ball_with(more);
      const Result host = gradient(model, options);
      options.backend = "debug";
      const Result device = gradient(model, options);
      ASSERT_TRUE(device.all_ok()) << device.status[0].message;
      EXPECT_EQ(device.step_count, host.step_count) << method << more;
      EXPECT_EQ(device.gradient, host.gradient) << method << more;
    }
}

}  // namespace
}  // namespace gradus::derivative
