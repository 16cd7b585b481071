// Extrema and passages that are hard to find: beside the begin of a search, and from a start at
// zero.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

constexpr double kFrequency = 3.1;

// A body of 1 kg on a rail.
Model slider(const std::string& force, double position, double speed) {
  Model model;
  model.gravity = {0, 0, 0};
  model.parameters = {make_parameter("w", kFrequency)};
  model.bodies = {make_body("slider", 1.0, {0, 0, 0}, {1, 1, 1, 0, 0, 0}, {})};
  model.joints = {
      make_joint("rail", JointType::prismatic, "ground", "slider", {1, 0, 0}, position, speed)};
  model.sensors = {{"x", "coordinate", "rail"}, {"v", "rate", "rail"}};
  model.forces.push_back(make_joint_force("spring", "rail", force));
  model.analysis.formulation = "semi-recursive";
  model.analysis.integrator = "dop853";
  model.analysis.duration = 1.7;
  return model;
}

Objective sought(ObjectiveKind kind, const std::string& expression, double from = 0.0) {
  Objective objective;
  objective.name = "instant";
  objective.kind = kind;
  objective.expression = expression;
  objective.from = from;
  return objective;
}

// Peaks, and two passages, that follow at once on the begin of the search, within a step that the
// motion would take: -x has its only peak at 1.1503 s.
TEST(Extrema, AreFoundSoonAfterTheBeginOfTheSearch) {
  const double amplitude = std::sqrt(0.25 + 0.49 / (kFrequency * kFrequency));
  const double by_frequency = -0.49 / std::pow(kFrequency, 3) / amplitude;
  const double peak = 1.1503, half = 1.0 / 30;
  for (const char* integrator : {"dop853", "dopri5"})
    for (const double tolerance : {1e-5, 1e-8})
      for (double from = 1.0; from < 1.15; from += 0.01) {
        SCOPED_TRACE(std::string(integrator) + " from " + std::to_string(from));
        Model model = slider("-w^2*x", 0.5, 0.7);
        model.analysis.integrator = integrator;
        model.analysis.rtol = tolerance;
        model.analysis.atol = 0.01 * tolerance;
        model.objectives = {sought(ObjectiveKind::maximum, "-x", from)};
        const double level = amplitude * std::cos(kFrequency * half);
        if (from < peak - half - 0.003) {
          model.objectives.push_back(
              sought(ObjectiveKind::time_when, "-x - " + std::to_string(level), from));
          model.objectives[1].name = "behind it";
          model.objectives[1].passage = 2;
        }
        for (const char* method : {"direct", "adjoint", "dual"}) {
          const Result result = run_gradient(model, method);
          EXPECT_NEAR(result.objective_values[0], amplitude, 10 * tolerance);
          EXPECT_NEAR(result.gradient[0], by_frequency, 100 * tolerance);
          if (model.objectives.size() > 1) {
            EXPECT_NEAR(result.objective_values[1], peak + half, 1e-4);
          }
        }
      }
}

// Of x = 0.3 cos(w t) + 1/w sin(w t), which is 0.3 again at 2/w atan(1/(0.3 w)), whatever is added
// up to the zero at the start.
TEST(Extrema, AStartAtZeroIsNoPassageHoweverItIsRounded) {
  const double w = kFrequency;
  const double again = 2 / w * std::atan(1 / (0.3 * w));
  const double by_frequency = -again / w - 2 / w * 0.3 / (1 + 0.09 * w * w);
  for (const char* integrator : {"dop853", "rk4"})
    for (const char* expression : {"x - 0.3", "3*x - 0.9", "x/3 - 0.1", "x - (0.1 + 0.2)",
                                   "1e6*(0.9 - 3*x)", "(3*x - 0.9)*exp(x)"}) {
      SCOPED_TRACE(std::string(integrator) + " " + expression);
      Model model = slider("-w^2*x", 0.3, 1.0);
      model.analysis.integrator = integrator;
      model.objectives = {sought(ObjectiveKind::time_when, expression)};
      for (const char* method : {"direct", "adjoint", "dual"}) {
        const Result result = run_gradient(model, method);
        EXPECT_NEAR(result.objective_values[0], again, 1e-9);
        EXPECT_NEAR(result.gradient[0], by_frequency, 1e-8);
      }
    }
}

// What a pendulum begins with: cos(pi/2), and forces that cancel, as long as steps of whatever
// length make nothing else of them.
TEST(Extrema, AStartAtZeroOfSensorsIsNoPassage) {
  for (const double step : {1e-2, 1e-3, 1e-4}) {
    SCOPED_TRACE(step);
    Model model = slider("0", 0.0, 0.0);
    model.bodies[0].points = {{"tip", {1, 0, 0}}};
    model.joints[0].type = JointType::revolute;
    model.joints[0].axis = {0, 0, 1};
    model.joints[0].start[0].position = 1.5707963267948966;
    model.forces[0]["value"] = "0.7*w - 0.1*w*7 + sin(5*t)";
    model.sensors.push_back({"tip", "position", "slider.tip"});
    model.sensors.push_back({"a", "coordinate_acceleration", "rail"});
    model.objectives = {sought(ObjectiveKind::time_when, "tip.x"),
                        sought(ObjectiveKind::time_when, "a")};
    for (std::size_t o = 0; o < 2; ++o) {
      model.objectives[o].name = "zero " + std::to_string(o);
      model.objectives[o].otherwise = 9.0;
    }
    model.analysis.integrator = "rk4";
    model.analysis.step = step;
    model.analysis.duration = 30 * step;
    for (const char* method : {"direct", "adjoint"}) {
      const Result result = run_gradient(model, method);
      EXPECT_EQ(result.objective_values[0], 9.0);
      EXPECT_EQ(result.objective_values[1], 9.0);
    }
  }
}

// The passage of a motion that begins near zero counts.
TEST(Extrema, AStartNearZeroIsAPassage) {
  for (const double distance : {1e-3, 1e-6, 1e-9}) {
    Model model = slider("-w^2*x", 0.3 - distance, 1.0);
    model.objectives = {sought(ObjectiveKind::time_when, "3*x - 0.9")};
    const Result result = run_gradient(model, "direct");
    EXPECT_NEAR(result.objective_values[0], distance, 2e-3 * distance + 1e-15);
  }
}

struct CornerCase {
  const char* name;
  ObjectiveKind kind;
  const char* expression;
  double sign;
};

// x = 0.5 cos(w t) and q t meet where the expression has a corner: dV = (t + q dt/dq) dq.
std::vector<double> exact_corner(double sign) {
  const double w = kFrequency, q = 0.3;
  double t = 0.4;
  for (int i = 0; i < 50; ++i)
    t -= (q * t - 0.5 * std::cos(w * t)) / (q + 0.5 * w * std::sin(w * t));
  const double slope = q + 0.5 * w * std::sin(w * t);
  const double by_w = -0.5 * t * std::sin(w * t) / slope, by_q = -t / slope;
  return {sign * q * t, sign * q * by_w, sign * (t + q * by_q)};
}

Model corner_of_courses(const CornerCase& corner, const std::string& integrator) {
  Model model = slider("-w^2*x", 0.5, 0.0);
  model.parameters.push_back(make_parameter("q", 0.3));
  model.objectives = {sought(corner.kind, corner.expression)};
  model.analysis.integrator = integrator;
  model.analysis.step = 0.01;
  model.analysis.duration = 0.7;
  return model;
}

const CornerCase kCorners[] = {
    {"trough", ObjectiveKind::minimum, "max(x, q*t)", 1.0},
    {"peak", ObjectiveKind::maximum, "min(-x, -q*t)", -1.0},
    {"split", ObjectiveKind::minimum, "0.5*(x + q*t + abs(x - q*t))", 1.0}};

// The gradient of an extremum at a kink of its expression is that of where both courses meet.
TEST(Extrema, AtCornersAreDifferentiatedAsTheirMeetingPoints) {
  for (const CornerCase& corner : kCorners)
    for (const char* integrator : {"dop853", "dopri5", "rk4", "radau5"}) {
      const Model model = corner_of_courses(corner, integrator);
      const std::vector<double> exact = exact_corner(corner.sign);
      const bool is_fixed = !model.analysis.integrator.starts_with("dop");
      for (const char* method : {"direct", "adjoint", "dual"}) {
        SCOPED_TRACE(std::string(corner.name) + " " + integrator + " " + method);
        const Result result = run_gradient(model, method);
        EXPECT_NEAR(result.objective_values[0], exact[0], is_fixed ? 1e-5 : 1e-9);
        EXPECT_NEAR(result.gradient[0], exact[1], is_fixed ? 1e-4 : 1e-6);
        EXPECT_NEAR(result.gradient[1], exact[2], is_fixed ? 1e-4 : 1e-6);
      }
    }
}

// x = 0.5 cos(w t) + 0.7/w sin(w t) less twice the distance from an instant, at which steps end:
// the peak is x there. If the instant is a parameter, the peak answers by the speed.
TEST(Extrema, AtKinksOfTimeAreExact) {
  const double w = kFrequency;
  for (const char* integrator : {"dop853", "dopri5", "radau9"})
    for (const double at : {0.3, 0.45, 0.6, 0.85, 1.05, 1.2, 1.4})
      for (const bool moves : {false, true}) {
        Model model = slider("-w^2*x", 0.5, 0.7);
        model.parameters.push_back(make_parameter("p", at));
        model.objectives = {sought(
            ObjectiveKind::maximum,
            "x - 2*abs(t - " + (moves ? std::string("p") : std::to_string(at)) + ")", at - 0.25)};
        model.analysis.integrator = integrator;
        model.analysis.controls_error = true;
        const double value = 0.5 * std::cos(w * at) + 0.7 / w * std::sin(w * at);
        const double speed = -0.5 * w * std::sin(w * at) + 0.7 * std::cos(w * at);
        const double by_frequency =
            -0.5 * at * std::sin(w * at) + 0.7 / w * (at * std::cos(w * at) - std::sin(w * at) / w);
        for (const char* method : {"direct", "adjoint", "dual"}) {
          SCOPED_TRACE(std::string(integrator) + " " + method + " at " + std::to_string(at));
          const Result result = run_gradient(model, method);
          EXPECT_NEAR(result.objective_values[0], value, 1e-8);
          EXPECT_NEAR(result.gradient[0], by_frequency, 1e-7);
          EXPECT_NEAR(result.gradient[1], moves ? speed : 0.0, moves ? 2e-4 : 1e-9);
        }
      }
}

// So where steps of equal length end there, or beside it.
TEST(Extrema, AtKinksOfTimeAtTheEndsOfSteps) {
  const double w = kFrequency;
  for (const char* integrator : {"rk4", "radau9", "newmark"})
    for (const double at : {0.3, 0.5, 0.85, 1.1})
      for (const char* distance : {"abs(t - p)", "abs(p - t)", "max(t - p, p - t)"}) {
        Model model = slider("-w^2*x", 0.5, 0.7);
        model.parameters.push_back(make_parameter("p", at));
        model.objectives = {
            sought(ObjectiveKind::maximum, std::string("x - 2*") + distance, at - 0.25)};
        model.analysis.integrator = integrator;
        model.analysis.step = 0.005;
        const double speed = -0.5 * w * std::sin(w * at) + 0.7 * std::cos(w * at);
        for (const char* method : {"direct", "adjoint", "dual"}) {
          SCOPED_TRACE(std::string(integrator) + " " + method + " " + distance +
                       std::to_string(at));
          const Result result = run_gradient(model, method);
          EXPECT_NEAR(result.gradient[1], speed, 1e-3);
        }
      }
}

// The kinks of an expression are its own: those of others before it choose nothing for it.
TEST(Extrema, AtCornersTakeNoNoticeOfOtherObjectives) {
  for (const char* integrator : {"dop853", "rk4"}) {
    Model model = corner_of_courses(kCorners[0], integrator);
    const Result alone = run_gradient(model, "direct");
    for (const char* other : {"abs(x - q*t - 0.05)", "max(x, 0.1)"}) {
      Objective first = sought(ObjectiveKind::terminal, other);
      first.name = "other";
      model.objectives = {first, model.objectives.back()};
      const Result both = run_gradient(model, "direct");
      EXPECT_NEAR(both.objective_values[1], alone.objective_values[0], 1e-9);
      EXPECT_NEAR(both.gradient[2], alone.gradient[0], 1e-7);
      EXPECT_NEAR(both.gradient[3], alone.gradient[1], 1e-7);
    }
  }
}

// A smooth peak is one wherever it lies between the ends of steps, of which 33 make a period.
TEST(Extrema, OfSmoothCoursesAreSoBesideTheEndsOfSteps) {
  const double amplitude = std::sqrt(0.25 + 0.49 / (kFrequency * kFrequency));
  const double by_frequency = -0.49 / std::pow(kFrequency, 3) / amplitude;
  const double peak =
      std::atan2(0.7 / kFrequency, 0.5) / kFrequency + 3.141592653589793 / kFrequency;
  for (const double share :
       {-0.4, -0.1, -0.03, -0.01, -1e-3, -1e-5, 0.0, 1e-5, 1e-3, 0.01, 0.03, 0.1})
    for (const char* method : {"direct", "adjoint", "dual"}) {
      SCOPED_TRACE(std::string(method) + " " + std::to_string(share));
      Model model = slider("-w^2*x", 0.5, 0.7);
      model.objectives = {sought(ObjectiveKind::maximum, "-x")};
      model.analysis.integrator = "rk4";
      model.analysis.step = peak / (18.0 + share);
      model.analysis.duration = 28 * model.analysis.step;
      const Result result = run_gradient(model, method);
      EXPECT_NEAR(result.objective_values[0], amplitude, 2e-5);
      EXPECT_NEAR(result.gradient[0], by_frequency, 1e-3 * std::abs(by_frequency));
    }
}

// What is looked for is looked for until the end, even if a kink of time lies there.
TEST(Extrema, AreFoundWhereAKinkOfTimeEndsTheMotion) {
  for (const char* force : {"-w^2*x + abs(t - 1.4)", "-w^2*x + min(t, 1.4)"})
    for (const char* integrator : {"dop853", "radau9"}) {
      SCOPED_TRACE(std::string(integrator) + " " + force);
      Model model = slider(force, 0.5, 0.7);
      model.objectives = {sought(ObjectiveKind::maximum, "-x"),
                          sought(ObjectiveKind::time_when, "x - 0.1"),
                          sought(ObjectiveKind::maximum, "w*t")};
      for (std::size_t o = 0; o < 3; ++o) model.objectives[o].name = "instant" + std::to_string(o);
      model.analysis.integrator = integrator;
      model.analysis.duration = 1.4;
      const Result direct = run_gradient(model, "direct");
      EXPECT_EQ(direct.objective_values[2], kFrequency * direct.duration);
      EXPECT_EQ(direct.gradient[2], direct.duration);
      for (const char* method : {"adjoint", "dual"}) {
        const Result other = run_gradient(model, method);
        for (std::size_t o = 0; o < 3; ++o) {
          EXPECT_GT(std::abs(direct.gradient[o]), 1e-3);
          EXPECT_NEAR(other.gradient[o], direct.gradient[o], 1e-10) << method << o;
        }
      }
    }
}

// However many steps are kept at a time, the last of which is as short as a kink is wide.
TEST(Extrema, AreFoundAtSuchAnEndWithLittleMemory) {
  Model model = slider("-w^2*x + abs(t - 1.4)", 0.5, 0.7);
  model.objectives = {sought(ObjectiveKind::maximum, "-x")};
  model.analysis.duration = 1.4;
  model.analysis.controls_error = true;
  int tried = 0;
  for (const double tolerance : {1e-4, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, 1e-9}) {
    model.analysis.rtol = tolerance;
    model.analysis.atol = 0.01 * tolerance;
    const Result whole = run_gradient(model, "adjoint");
    EXPECT_GT(std::abs(whole.gradient[0]), 1e-3);
    for (std::size_t memory = 7'000; memory <= 48'000; memory += 500) {
      Options options;
      options.memory = memory;
      const Result little = run_gradient(model, "adjoint", options);
      EXPECT_EQ(little.gradient, whole.gradient) << memory;
      tried += little.recomputation > 0.0;
    }
  }
  EXPECT_GT(tried, 100);
}

TEST(Extrema, AtCornersAreThoseOfEveryLaneAndDevice) {
  Options options;
  options.designs.count = 5;
  options.designs.spread = 0.05;
  options.method = "direct";
  expect_same_bits_everywhere(corner_of_courses(kCorners[0], "rk4"), options);
}

// What bends as much as it turns is left to its samples: no value lies above the expression's.
TEST(Extrema, AreNoCornersWhereTheExpressionIsRound) {
  for (const double step : {0.2, 0.25, 0.3, 0.34, 0.4}) {
    Model model = slider("-w^2*x", 0.5, 0.7);
    model.objectives = {sought(ObjectiveKind::maximum, "max(x, -5)")};
    model.analysis.integrator = "radau5";
    model.analysis.step = step;
    model.analysis.duration = 10 * step;
    const double amplitude = std::sqrt(0.25 + 0.49 / (kFrequency * kFrequency));
    EXPECT_LT(run_gradient(model, "direct").objective_values[0], 1.1 * amplitude) << step;
  }
}

// No step is short enough for a root where it begins: the objective is named.
// Or are right, where the least step is short enough.
TEST(Extrema, OfWhatIsTooSteepFailByName) {
  const double amplitude = std::sqrt(0.25 + 0.49 / (kFrequency * kFrequency));
  const double by_frequency = -0.49 / std::pow(kFrequency, 3) / amplitude;
  int failed = 0;
  for (const char* integrator : {"dop853", "dopri5"})
    for (const char* method : {"direct", "adjoint", "dual"}) {
      Model model = slider("-w^2*x", -0.5, 0.7);
      model.analysis.integrator = integrator;
      model.objectives = {{"end", ObjectiveKind::integral, "x", "", ""},
                          sought(ObjectiveKind::maximum, "sqrt(max(0, x))")};
      Options options;
      options.backend = "cpu:1";
      options.method = method;
      const Result r = gradient(model, options);
      const std::string message = r.status[0].message;
      if (r.all_ok()) {
        EXPECT_NEAR(r.objective_values[1], std::sqrt(amplitude), 1e-8);
        EXPECT_NEAR(r.gradient[1], 0.5 / std::sqrt(amplitude) * by_frequency, 1e-8);
      } else {
        ++failed;
        EXPECT_NE(message.find("the objective \"instant\" changes too abruptly"), std::string::npos)
            << message;
      }
      model.objectives[1].expression = "sqrt(max(0, x) + 1e-6)";
      run_gradient(model, method);
    }
  EXPECT_GT(failed, 0);
}

// The least of x^2 + 1 has no derivative but zero: that is judged on the scale of the value.
TEST(Extrema, OfNoDerivativeReachAnAccuracy) {
  for (const double accuracy : {1e-5, 1e-6, 1e-8}) {
    Model model = slider("-w^2*x", 0.5, 0.7);
    model.objectives = {sought(ObjectiveKind::minimum, "x^2 + 1")};
    Options options;
    options.accuracy = accuracy;
    const Result result = run_gradient(model, "direct", options);
    EXPECT_NEAR(result.objective_values[0], 1.0, accuracy);
    EXPECT_NEAR(result.gradient[0], 0.0, 1e-9);
    EXPECT_LE(result.gradient_errors[0], accuracy);
  }
}

// Where they need none, first steps are not taken in parts.
TEST(Extrema, LeaveShortFirstStepsAlone) {
  Model model = slider("-w^2*x", 0.5, -0.7);
  model.objectives = {sought(ObjectiveKind::maximum, "x")};
  const double with = run_gradient(model, "direct").step_count[0];
  model.objectives = {{"end", ObjectiveKind::terminal, "x", "", ""}};
  EXPECT_LT(with, run_gradient(model, "direct").step_count[0] + 25);
}

// A wheel that leaves the ground: its load bends at zero, and stays there.
TEST(Extrema, MayBeFlat) {
  Model model =
      parse_model(R"json({"schema": "gradus-model/1", "name": "lift", "gravity": [0, 0, -9.81],
    "parameters": {"k": 180000, "c": 300, "lift": 0.06},
    "bodies": {"wheel": {"mass": 40, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}}},
    "joints": {"z": {"type": "prismatic", "parent": "ground", "child": "wheel", "axis": [0, 0, 1],
                     "initial": {"position": 0.297, "velocity": 0}}},
    "forces": {"tyre": {"type": "contact", "law": "kelvin-voigt", "from": "ground", "to": "wheel",
                        "radius": 0.3, "stiffness": "k"},
               "pull": {"type": "joint-force", "joint": "z", "value": "-c*v + 9000*lift*sin(20*t)"}},
    "sensors": {"load": {"normal_force": "tyre"}, "v": {"rate": "z"}, "height": {"coordinate": "z"}},
    "objectives": {"light": {"minimum": "load"}, "height": {"terminal": "height"}},
    "analysis": {"duration": 1.0}})json",
                  "lift");
  for (const char* integrator : {"dop853", "dopri5", "radau9"}) {
    SCOPED_TRACE(integrator);
    model.analysis.integrator = integrator;
    const Result direct = run_gradient(model, "direct");
    EXPECT_NEAR(direct.objective_values[0], 0.0, 1e-12);
    for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(direct.gradient[p], 0.0, 1e-9);
    Model plain = model;
    plain.objectives.erase(plain.objectives.begin());
    const Result expected = run_gradient(plain, "direct");
    EXPECT_NEAR(direct.objective_values[1], expected.objective_values[0], 1e-6);
    for (std::size_t p = 0; p < 3; ++p)
      EXPECT_NEAR(direct.gradient[3 + p], expected.gradient[p],
                  1e-5 * (std::abs(expected.gradient[p]) + 1e-6));
  }
}

// What an expression has been, before the search or within it, does not make it less exact later.
TEST(Extrema, BesidePeaksThatAreFarHigher) {
  for (const char* integrator : {"dop853", "dopri5"})
    for (const char* tolerance : {"1e-4", "1e-6", "1e-8"})
      for (const double spike_at : {0.2, 0.75}) {
        SCOPED_TRACE(std::string(integrator) + " " + tolerance + " " + std::to_string(spike_at));
        const auto least_beside = [&](const std::string& size) {
          Model model = slider("-w^2*x - 0.3*v", -0.5, 0.7);
          model.parameters[0].value = 5.0;
          model.analysis.integrator = integrator;
          model.analysis.rtol = std::stod(tolerance);
          model.analysis.atol = 0.01 * model.analysis.rtol;
          model.objectives = {
              sought(ObjectiveKind::minimum,
                     size + "*exp(-((t - " + std::to_string(spike_at) + ")/0.02)^2) + x", 0.6)};
          return run_gradient(model, "direct");
        };
        const Result plain = least_beside("0");
        for (const char* size : {"1e4", "1e9"}) {
          const Result r = least_beside(size);
          const double allowed = 10.0 * std::stod(tolerance);
          EXPECT_NEAR(r.objective_values[0], plain.objective_values[0], allowed) << size;
          EXPECT_NEAR(r.gradient[0], plain.gradient[0], allowed) << size;
        }
      }
}

}  // namespace
}  // namespace gradus::derivative
