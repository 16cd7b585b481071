// Recorded sensitivities of sensors: against dual numbers through the same run and central
// differences of what is recorded, for sensors of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/gradient_check.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::derivative {
namespace {

struct Way {
  std::string label, formulation, integrator;
  bool adaptive = false;
  bool implicit = false;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.label;
}

std::string label(const testing::TestParamInfo<Way>& info) {
  return info.param.label;
}

Model by(Model m, const Way& way) {
  m.analysis.formulation = way.formulation;
  m.analysis.integrator = way.integrator;
  m.analysis.duration = 0.02;
  m.analysis.step = 1e-3;
  m.analysis.rtol = 1e-9;
  m.analysis.atol = 1e-11;
  return m;
}

// Open, and closed by a cut joint, with sensors of every kind; what every kind of entry of a
// parameter does to them.
Model open_tree(const Way& way) {
  const std::vector<std::string> some{
      "mass ball",         "com rod.y",        "inertia plate.xy",  "point raft.tip.x",
      "point rod.tip.z",   "axis sleeve.x",    "child_axis pin.y",  "point plate.grip.y",
      "vector rod.mark.z", "point arm.tip.x",  "stiffness s1",      "damping s2",
      "length s3",         "gravity.y",        "position socket.1", "velocity socket.2",
      "stiffness hinge",   "angle turntable",  "load wind.y",       "stiffness rubber.x",
      "point yoke.grip.z", "point plate.tip.x"};
  return by(parametrise(every_force(),
                        [&](const std::string& path) {
                          return std::find(some.begin(), some.end(), path) != some.end();
                        }),
            way);
}

Model closed_loop(const Way& way) {
  const std::vector<std::string> some{
      "mass ball",        "com rod.y",  "inertia plate.xy",   "point raft.tip.x", "axis sleeve.x",
      "child_axis pin.y", "axis cut.x", "point ground.end.y", "stiffness s1",     "damping s2",
      "length s3",        "gravity.y",  "position socket.1",  "velocity socket.2"};
  Model m = closed_by(JointType::revolute);
  m.sensors.push_back({"spin", "angular_velocity", "rod"});
  m.sensors.push_back({"gap", "distance", "ground.base", "rod.tip"});
  m.sensors.push_back({"p", "momentum", "linear"});
  m.sensors.push_back({"h", "momentum", "angular"});
  m.sensors.push_back({"pull", "reaction_force", "sleeve"});
  m.sensors.push_back({"twist", "reaction_moment", "sleeve"});
  m.sensors.push_back({"grip", "reaction_force", "cut"});
  return by(parametrise(m,
                        [&](const std::string& path) {
                          return std::find(some.begin(), some.end(), path) != some.end();
                        }),
            way);
}

Result recorded(const Model& model, const std::string& method, std::size_t every = 3) {
  Options options;
  options.columns = true;
  options.record_every = every;
  Result r = run_gradient(model, method, options);
  const Trajectory& run = r.trajectories[0];
  EXPECT_EQ(run.time.size(), (20 + every - 1) / every + 1);
  EXPECT_EQ(run.sensor_columns.size(), run.sensors.size() * r.parameters.size());
  return r;
}

// Largest entry of each component over all times and parameters.
std::vector<double> scales(const Result& r) {
  const std::size_t components = r.sensor_components.size();
  const std::size_t parameters = r.parameters.size();
  const std::vector<double>& columns = r.trajectories[0].sensor_columns;
  std::vector<double> scale(components, 0.0);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    double& s = scale[k / parameters % components];
    s = std::max(s, std::abs(columns[k]));
  }
  return scale;
}

// Every entry agrees within the tolerance of the largest of its component.
void expect_same_columns(const Result& a, const std::vector<double>& b, double tolerance) {
  const std::vector<double>& columns = a.trajectories[0].sensor_columns;
  ASSERT_EQ(columns.size(), b.size());
  const std::vector<double> scale = scales(a);
  const std::size_t parameters = a.parameters.size();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t component = k / parameters % scale.size();
    EXPECT_LE(std::abs(columns[k] - b[k]), tolerance * scale[component])
        << a.model << ": d(" << a.sensor_components[component].name << ")/d("
        << a.parameters[k % parameters].name << ") at row " << k / parameters / scale.size() << ": "
        << columns[k] << " and " << b[k];
  }
}

// No sensor and no parameter is left out: each has an entry that the comparison would miss.
void expect_full(const Result& r, double smallest) {
  const std::vector<double> scale = scales(r);
  for (std::size_t c = 0; c < scale.size(); ++c)
    EXPECT_GT(scale[c], 0.0) << r.sensor_components[c].name;
  std::vector<double> reach(r.parameters.size(), 0.0);
  const std::vector<double>& columns = r.trajectories[0].sensor_columns;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    double& most = reach[k % reach.size()];
    most = std::max(most, std::abs(columns[k]) / scale[k / reach.size() % scale.size()]);
  }
  for (std::size_t p = 0; p < reach.size(); ++p)
    EXPECT_GT(reach[p], smallest) << r.parameters[p].name;
}

class SensorColumns : public testing::TestWithParam<Way> {
 protected:
  // Rounding of both, and what iterations on implicit stages leave, as of gradients.
  double tolerance() const { return GetParam().implicit ? 1e-9 : 1e-10; }

  void expect_exact(const Model& model) const {
    const Result direct = recorded(model, "direct");
    const Result dual = recorded(model, "dual");
    ASSERT_FALSE(HasFailure());
    expect_full(direct, 1e-6);
    expect_same_columns(direct, dual.trajectories[0].sensor_columns, tolerance());
    // Recorded times of an adaptive run lie within its steps.
    if (GetParam().adaptive) {
      EXPECT_LT(2 * direct.step_count[0], direct.steps);
    }
  }
};

TEST_P(SensorColumns, OfAnOpenTree) {
  expect_exact(open_tree(GetParam()));
}

class SensorColumnsOfLoops : public SensorColumns {};

TEST_P(SensorColumnsOfLoops, OfAClosedLoop) {
  expect_exact(closed_loop(GetParam()));
}

TEST_P(SensorColumns, EndWithTheMotionHoweverFewAreKept) {
  const Model model = open_tree(GetParam());
  const Trajectory last = recorded(model, "direct", 20).trajectories[0];
  Options options;
  options.record = true;
  for (const std::size_t every : {std::size_t{21}, static_cast<std::size_t>(-1)}) {
    options.record_every = every;
    EXPECT_EQ(run_gradient(model, "direct", options).trajectories[0].sensors, last.sensors);
  }
}

// Recording them leaves the gradient as it is.
TEST_P(SensorColumns, ChangeNoGradient) {
  const Model model = open_tree(GetParam());
  Options options;
  options.record = true;
  options.record_every = 3;
  const Result without = run_gradient(model, "direct", options);
  const Result with = recorded(model, "direct");
  EXPECT_TRUE(without.trajectories[0].sensor_columns.empty());
  EXPECT_EQ(with.trajectories[0].sensors, without.trajectories[0].sensors);
  EXPECT_EQ(with.objective_values, without.objective_values);
  const std::size_t count = model.parameters.size();
  for (std::size_t o = 0; o < model.objectives.size(); ++o)
    for (std::size_t k = o * count; k < (o + 1) * count; ++k) {
      // At the end columns are projected once more, as the motion is.
      if (model.objectives[o].kind == ObjectiveKind::terminal && GetParam().formulation != "ali3p")
        EXPECT_NEAR(with.gradient[k], without.gradient[k], 1e-11 * (1 + std::abs(with.gradient[k])))
            << model.objectives[o].name;
      else
        EXPECT_EQ(with.gradient[k], without.gradient[k]) << model.objectives[o].name;
    }
}

std::vector<Way> ways(bool loops) {
  std::vector<Way> all{{"ali3p", "ali3p", "newmark"},
                       {"ali3p_alpha", "ali3p", "generalised-alpha"},
                       {"index1_rk4", "index1", "rk4"},
                       {"index1_dop853", "index1", "dop853", true},
                       {"matrix_r_dopri5", "matrix-r", "dopri5"},
                       {"index1_radau5", "index1", "radau5", false, true},
                       {"index1_alpha", "index1", "generalised-alpha", false, true}};
  if (!loops) all.push_back({"recursive_dop853", "fully-recursive", "dop853", true});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Ways, SensorColumns, testing::ValuesIn(ways(false)), label);
INSTANTIATE_TEST_SUITE_P(Ways, SensorColumnsOfLoops, testing::ValuesIn(ways(true)), label);

// Columns of positions by central differences of recorded positions and so on; steps of fixed
// length, since those of adaptive methods answer to the parameters as well.
TEST(SensorColumnsDifferences, OfRecordedSensors) {
  for (const Way& way : {Way{"ali3p", "ali3p", "newmark"}, Way{"rk4", "index1", "rk4"},
                         Way{"radau5", "index1", "radau5"}}) {
    SCOPED_TRACE(way.label);
    Model model = closed_loop(way);
    model.analysis.tolerance = 1e-12;
    const Result direct = recorded(model, "direct");
    const std::size_t count = model.parameters.size();
    std::vector<double> best(direct.trajectories[0].sensor_columns.size(), 1e300);
    for (const double step : {1e-4, 1e-5, 1e-6})
      for (std::size_t p = 0; p < count; ++p) {
        std::vector<double> sensors[2];
        for (const int side : {0, 1}) {
          Options options;
          options.backend = "cpu:1";
          options.record = true;
          options.record_every = 3;
          const double centre = direct.parameter_values[p];
          options.set[model.parameters[p].name] = centre + (side == 0 ? -step : step);
          sensors[side] = simulate(model, options).trajectories[0].sensors;
        }
        ASSERT_EQ(sensors[0].size() * count, best.size());
        for (std::size_t k = 0; k < sensors[0].size(); ++k) {
          const double value = direct.trajectories[0].sensor_columns[k * count + p];
          const double difference = (sensors[1][k] - sensors[0][k]) / (2 * step);
          double& kept = best[k * count + p];
          if (std::abs(difference - value) < std::abs(kept - value)) kept = difference;
        }
      }
    expect_same_columns(direct, best, 1e-6);
  }
}

// However many parameters travel together, and on however many threads.
TEST(SensorColumnsBlocks, GiveTheSameBits) {
  for (const Way& way : {Way{"ali3p", "ali3p", "newmark"}, Way{"dop853", "index1", "dop853"}}) {
    SCOPED_TRACE(way.label);
    Model model = by(parametrise_all(every_force()), way);
    model.analysis.duration = 5e-3;
    ASSERT_GT(model.parameters.size(), 3U * 64U);  // blocks of 64 at least
    Options options;
    options.columns = true;
    std::vector<double> first;
    for (const char* backend : {"cpu:1", "cpu:2", "cpu:3", "debug"}) {
      options.backend = backend;
      const Result r = gradient(model, options);
      ASSERT_TRUE(r.all_ok()) << r.status[0].message;
      const std::vector<double>& columns = r.trajectories[0].sensor_columns;
      if (first.empty()) first = columns;
      ASSERT_EQ(columns.size(), first.size());
      EXPECT_EQ(std::memcmp(columns.data(), first.data(), first.size() * sizeof(double)), 0)
          << backend;
    }
    for (const double entry : first) EXPECT_TRUE(std::isfinite(entry));
  }
}

void expect_refused(const Model& model, const std::string& method,
                    const std::vector<const char*>& parts) {
  Options options;
  options.columns = true;
  options.method = method;
  try {
    gradient(model, options);
    FAIL() << method << " accepted";
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(SensorColumnsErrors, NameWhatHasNone) {
  const Way way{"ali3p", "ali3p", "newmark"};
  const Model model = open_tree(way);
  expect_refused(model, "adjoint", {"columns", "adjoint", "direct"});
  expect_refused(model, "finite-difference", {"columns", "finite-difference", "direct", "dual"});
  Options options;
  options.columns = true;
  EXPECT_THROW(simulate(model, options), InputError);
}

TEST(SensorColumnsErrors, AutoChoosesDirect) {
  Options options;
  options.columns = true;
  options.method = "auto";
  options.backend = "cpu:1";
  std::string said;
  options.log = [&](const std::string& line) { said += line + "\n"; };
  const Result r = gradient(open_tree({"ali3p", "ali3p", "newmark"}), options);
  EXPECT_EQ(r.method, "direct");
  EXPECT_NE(said.find("auto chose direct"), std::string::npos) << said;
}

// A distance has no derivative at zero.
TEST(SensorColumnsErrors, WithoutDerivativeFail) {
  Model m = parametrise(four_bar(2), [](const std::string& path) { return path == "mass crank"; });
  m.sensors.push_back({"gap", "distance", "ground.A", "crank.root"});
  Options options;
  options.columns = true;
  for (const char* backend : {"cpu:1", "debug"}) {
    options.backend = backend;
    const Result r = gradient(m, options);
    ASSERT_FALSE(r.all_ok());
    EXPECT_NE(r.status[0].message.find("sensitivity of a sensor"), std::string::npos);
    EXPECT_TRUE(r.trajectories[0].time.empty());
    EXPECT_TRUE(r.trajectories[0].sensor_columns.empty());
    EXPECT_TRUE(std::isnan(r.gradient[0]));
  }
  options.columns = false;
  EXPECT_TRUE(gradient(m, options).all_ok());
}

}  // namespace
}  // namespace gradus::derivative
