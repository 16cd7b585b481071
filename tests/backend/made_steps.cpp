// Steps on the debug device by kernels made for the mechanism: the bits of general kernels there.
#include "tests/backend/made_steps.hpp"

#include <string>
#include <vector>

#include "tests/backend/five_bar.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/verification/specialised_runs.hpp"

namespace gradus::test {
namespace {

Options on_debug(std::size_t designs) {
  Options options;
  options.backend = "debug";
  options.formulation = "ali3p";
  options.method = "direct";
  options.designs.count = designs;
  options.designs.spread = 0.01;
  return options;
}

// Returns how many percent of the steps the kernels made for the mechanism took.
int expect_same_numbers(const Model& model, const Options& options, bool with_columns = true) {
  const specialise::QuickCompiler quick;
  const Result general = with_columns ? gradient(model, options) : simulate(model, options);
  const MadeRun made = run_made(model, options, with_columns);
  EXPECT_EQ(made.result.n_design, general.n_design);
  for (std::size_t d = 0; d < general.n_design; ++d) expect_same_design(made.result, d, general, d);
  EXPECT_GT(made.percent, 0) << made.log;
  EXPECT_FALSE(general.objective_values.empty());
  return made.percent;
}

// More than a tile of designs; an objective takes a value where a step ends; steps are recorded.
TEST(MadeSteps, HaveTheBitsOfGeneralKernels) {
  Options options = on_debug(37);
  options.duration = 0.3;
  EXPECT_GE(expect_same_numbers(with_values({0.15, 0.2}), options), 90);
  options.record = true;
  options.record_every = 7;
  EXPECT_GE(expect_same_numbers(five_bar(), options, false), 70);
}

TEST(MadeSteps, HaveThemInEveryKindOfMechanism) {
  const struct {
    const char* name;
    Model model;
  } mechanisms[] = {
      {"branched tree", derivative::branched_tree()},
      {"driven loop", derivative::driven_loop()},
      {"Bennett linkage", derivative::bennett_linkage()},
      {"slider-crank", read_model(source_path("models/slider-crank/slider-crank-spring.json"))}};
  for (const auto& mechanism : mechanisms) {
    SCOPED_TRACE(mechanism.name);
    Options options = on_debug(3);
    options.designs.spread = 1e-4;
    options.duration = 60 * mechanism.model.analysis.step;
    EXPECT_GE(expect_same_numbers(mechanism.model, options), 80);
  }
}

// A sledge with a bob against a spring whose table has more pieces than programs provide for: each
// is a way of its own, and so is what lies behind the last.
Model sledge() {
  using namespace derivative;
  Model m;
  m.name = "sledge";
  m.gravity = {0, -9.81, 0};
  m.parameters = {make_parameter("push", 0.0), make_parameter("gap", 5.0)};
  m.bodies = {make_body("sledge", 1.3, {0.1, 0.02, 0}, {0.01, 0.02, 0.03, 0, 0, 0, "com"},
                        {{"pivot", {0.1, 0.1, 0}}}),
              make_body("bob", 0.4, {0.05, -0.2, 0}, {0.001, 0.001, 0.002, 0, 0, 0, "com"}, {})};
  m.joints = {make_joint("slide", JointType::prismatic, "ground", "sledge", {1, -0.4, 0}, 0, 0.0),
              make_joint("swing", JointType::revolute, "sledge.pivot", "bob", {0, 0, 1}, 0.2, 0.3)};
  m.sensors = {{"p", "coordinate", "slide"}};
  std::string knots, forces;
  for (int k = 0; k < 40; ++k) {
    knots += (k == 0 ? "" : ", ") + std::to_string(0.004 * (k - 1));
    forces += (k == 0 ? "" : ", ") + std::to_string(-0.1 * k);
  }
  m.forces.push_back(make_joint_force(
      "spring", "slide", "push + spline(p, [" + knots + "], [" + forces + "], 'linear', 'hold')"));
  m.objectives = {{"way", ObjectiveKind::integral, "p^2", "", ""},
                  {"end", ObjectiveKind::terminal, "p", "", ""}};
  m.analysis.duration = 0.3;
  m.analysis.step = 2e-3;
  return m;
}

// Some designs are pushed the other way, unlike those that teach.
TEST(MadeSteps, LeaveToGeneralKernelsWhatNobodyTaught) {
  Options options = on_debug(40);
  options.designs.spread = 0.0;
  for (std::size_t d = 0; d < 40; ++d)
    options.designs.values.insert(
        options.designs.values.end(),
        {d > 20 && d % 7 == 4 ? -20.0 - static_cast<double>(d) : 0.0, 5.0});
  const int percent = expect_same_numbers(sledge(), options);
  EXPECT_GE(percent, 60);
  EXPECT_LT(percent, 99);
}

// Where a design fails, it says the same at the same time, and the others go on.
TEST(MadeSteps, FailAsGeneralKernelsDo) {
  Model model = sledge();
  model.objectives.push_back({"root", ObjectiveKind::integral, "sqrt(gap - p)", "", ""});
  Options options = on_debug(36);
  options.designs.spread = 0.0;
  for (std::size_t d = 0; d < 36; ++d)
    options.designs.values.insert(options.designs.values.end(), {0.0, d == 33 ? 0.05 : 5.0});
  const specialise::QuickCompiler quick;
  const Result general = gradient(model, options);
  const MadeRun made = run_made(model, options);
  EXPECT_FALSE(general.status[33].ok);
  EXPECT_GT(general.status[33].time, 0.0);
  for (std::size_t d = 0; d < 36; ++d) {
    EXPECT_EQ(made.result.status[d].time, general.status[d].time);
    expect_same_design(made.result, d, general, d);
  }
  EXPECT_GE(made.percent, 90);
}

// Said where there are none.
TEST(MadeSteps, AreNotThereForOtherFormulations) {
  Options options = on_debug(2);
  options.formulation = "matrix-r";
  const MadeRun run = run_made(five_bar(), options);
  EXPECT_EQ(run.percent, 0);
  EXPECT_NE(run.log.find("on devices there are those of ali3p only"), std::string::npos) << run.log;
}

}  // namespace
}  // namespace gradus::test
