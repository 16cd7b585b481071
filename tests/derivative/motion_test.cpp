// The motion that is differentiated: constraints at all three levels, time derivatives that belong
// together, second order in the step, energy, and independence of the reference points and of the
// joint that is cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"

namespace gradus::derivative {
namespace {

std::vector<Model> loops() {
  return {four_bar(0),
          four_bar(2),
          five_bar(false),
          five_bar(true),
          slider_crank(JointType::prismatic),
          slider_crank(JointType::revolute),
          two_four_bars(),
          tilted_four_bar(),
          bennett_linkage(),
          general_loop(JointType::revolute),
          general_loop(JointType::prismatic),
          double_general_loop()};
}

Result run(const Model& model, double step, double duration, bool record = false) {
  Options options;
  options.backend = "cpu:1";
  options.step = step;
  options.duration = duration;
  options.record = record;
  Result result = simulate(model, options);
  EXPECT_TRUE(result.all_ok()) << model.name << ": " << result.status[0].message << " at "
                               << result.status[0].time;
  return result;
}

std::vector<double> end_of(const std::vector<double>& rows, std::size_t width) {
  return {rows.end() - static_cast<std::ptrdiff_t>(width), rows.end()};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

TEST(Motion, ConstraintsHoldAtAllLevelsInLongRuns) {
  for (Model model : loops()) {
    const bool spatial = model.name.find("general") != std::string::npos;
    model.analysis.tolerance = 1e-10;
    const Result r = run(model, model.analysis.step, spatial ? 0.6 : 5.0);
    for (std::size_t level = 0; level < 3; ++level) {
      EXPECT_LT(r.constraint_violation[level], 1e-9) << model.name << " level " << level;
      EXPECT_GT(r.constraint_violation[level], 0.0) << model.name;
    }
  }
}

// Central differences of recorded positions and rates approach the recorded rates and accelerations
// as h^2.
TEST(Motion, RatesAreTimeDerivatives) {
  for (const Model& model :
       {skew_chain(), four_bar(3), tilted_four_bar(), general_loop(JointType::prismatic)}) {
    double errors[2][2];
    for (int fine = 0; fine < 2; ++fine) {
      const double h = fine == 0 ? 1e-3 : 5e-4;
      const Result r = run(model, h, 0.05, true);
      const Trajectory& t = r.trajectories[0];
      const std::size_t n = r.coordinates.size();
      double* error = errors[fine];
      error[0] = error[1] = 0.0;
      for (std::size_t k = 1; k + 1 < t.time.size(); ++k)
        for (std::size_t c = 0; c < n; ++c) {
          const auto slope = [&](const std::vector<double>& x) {
            return (x[(k + 1) * n + c] - x[(k - 1) * n + c]) / (2 * h);
          };
          error[0] = std::max(error[0], std::abs(slope(t.coordinates) - t.rates[k * n + c]));
          error[1] = std::max(error[1], std::abs(slope(t.rates) - t.accelerations[k * n + c]));
        }
    }
    for (int level = 0; level < 2; ++level) {
      EXPECT_GT(errors[1][level], 1e-9);
      EXPECT_GT(errors[0][level] / errors[1][level], 3.0) << model.name << " level " << level;
      EXPECT_LT(errors[0][level] / errors[1][level], 5.0) << model.name << " level " << level;
    }
  }
}

TEST(Motion, PositionsConvergeWithSecondOrder) {
  for (const Model& model : {skew_chain(), branched_tree(), four_bar(1), five_bar(true),
                             slider_crank(JointType::prismatic), tilted_four_bar(),
                             bennett_linkage(), general_loop(JointType::revolute)}) {
    std::vector<std::vector<double>> ends;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      const Result r = run(model, h, 0.2, true);
      ends.push_back(end_of(r.trajectories[0].coordinates, r.coordinates.size()));
    }
    const double ratio = distance(ends[0], ends[1]) / distance(ends[1], ends[2]);
    EXPECT_GT(ratio, 3.6) << model.name;
    EXPECT_LT(ratio, 4.4) << model.name;
  }
}

// Without dampers the total energy drifts by h^2 only.
TEST(Motion, EnergyIsConservedToSecondOrder) {
  for (Model model :
       {skew_chain(), four_bar(3), slider_crank(JointType::prismatic), bennett_linkage()}) {
    set_damping_of_springs(model, 0);
    double drift[2];
    for (int fine = 0; fine < 2; ++fine) {
      const Result r = run(model, fine == 0 ? 4e-3 : 2e-3, 1.0, true);
      const std::size_t width = r.sensor_components.size();
      const std::vector<double>& s = r.trajectories[0].sensors;
      drift[fine] = 0.0;
      for (std::size_t row = 0; row < s.size(); row += width)
        drift[fine] = std::max(drift[fine], std::abs(s[row + width - 1] - s[width - 1]));
      EXPECT_LT(drift[fine], 0.2) << model.name;
    }
    EXPECT_GT(drift[0] / drift[1], 3.0) << model.name << " " << drift[0] << " " << drift[1];
    EXPECT_LT(drift[0] / drift[1], 5.0) << model.name << " " << drift[0] << " " << drift[1];
  }
}

// Rows of closure equations that repeat others leave the multipliers a part without force, which
// must not pile up over thousands of steps.
TEST(Motion, RedundantLoopsRunOn) {
  for (Model model : {bennett_linkage(), tilted_four_bar(), slider_crank(JointType::prismatic)}) {
    set_damping_of_springs(model, 0);
    model.analysis.tolerance = Analysis().tolerance;
    const Result r = run(model, 4e-3, 20.0, true);
    ASSERT_TRUE(r.all_ok());
    const std::vector<double>& sensors = r.trajectories[0].sensors;
    const double start = sensors[r.sensor_components.size() - 1];
    EXPECT_NEAR(sensors.back(), start, 2e-2) << model.name;
    EXPECT_LT(r.newton_iterations[0] / static_cast<double>(r.steps), 6.0) << model.name;
  }
}

// Fixed-point iteration would need dozens of evaluations a step, and fail.
TEST(Motion, ImplicitStepsOfTheMotionAloneAreNewtonSteps) {
  Model open = skew_chain();
  set_damping_of_springs(open, 300);
  Model closed = five_bar(false);
  set_damping_of_springs(closed, 300);
  for (const Model& model : {parametrise_plane(closed), parametrise(open, [](const std::string& p) {
                               return p == "mass b2";
                             })})
    for (const char* formulation : {"matrix-r", "index1"})
      for (const char* integrator : {"newmark", "trapezoidal", "implicit-euler", "radau5"}) {
        SCOPED_TRACE(model.name + ", " + formulation + ", " + integrator);
        Options options;
        options.backend = "cpu:1";
        options.formulation = formulation;
        options.integrator = integrator;
        options.step = 0.01;
        options.duration = 0.2;
        const Result with = gradient(model, options);
        const Result alone = simulate(model, options);
        ASSERT_TRUE(with.all_ok() && alone.all_ok()) << alone.status[0].message;
        expect_equal_values(alone, with, 1e-9);
        EXPECT_LT(alone.newton_iterations[0], 2.5 * with.newton_iterations[0]);
      }
}

TEST(Motion, ReferencePointsDoNotMatter) {
  std::vector<Model> models{parametrise_all(skew_chain()),
                            parametrise_all(branched_tree()),
                            parametrise_all(general_loop(JointType::prismatic)),
                            parametrise_plane(four_bar(1)),
                            parametrise_plane(slider_crank(JointType::prismatic)),
                            tilted_four_bar(),
                            bennett_linkage()};
  for (Model& model : models) {
    Options at_centres;
    at_centres.reference = "rtdyn0";
    Options at_origin;
    at_origin.reference = "rtdyn1";
    const Result a = run_gradient(model, "direct", at_centres);
    const Result b = run_gradient(model, "direct", at_origin);
    ASSERT_EQ(a.reference, "rtdyn0");
    ASSERT_EQ(b.reference, "rtdyn1");
    expect_equal_values(a, b, 1e-11);
    EXPECT_LT(largest_deviation(a.gradient, b.gradient, a.parameters.size()), 1e-9) << model.name;
  }
}

// The joint that is cut changes the coordinates, and so the truncation error, but not what it
// converges to.
TEST(Motion, CutJointsDoNotMatter) {
  const std::function<Model(int)> families[] = {
      [](int k) { return four_bar(k == 0 ? 1 : 3); },
      [](int k) { return slider_crank(k == 0 ? JointType::prismatic : JointType::revolute); }};
  for (const auto& family : families) {
    double gap[2];
    for (int fine = 0; fine < 2; ++fine) {
      std::vector<std::vector<double>> ends;
      for (int k = 0; k < 2; ++k) {
        const Result r = run(family(k), fine == 0 ? 4e-3 : 2e-3, 0.4);
        ends.push_back(
            {r.final_sensors[0], r.final_sensors[1], r.final_sensors[3], r.final_sensors[4]});
      }
      gap[fine] = distance(ends[0], ends[1]);
      EXPECT_LT(gap[fine], 1e-2);
    }
    EXPECT_GT(gap[0] / gap[1], 3.5);
    EXPECT_LT(gap[0] / gap[1], 4.5);
  }
}

}  // namespace
}  // namespace gradus::derivative
