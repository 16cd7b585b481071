// Designs that travel in lanes have the bits that they have alone: every mechanism, formulation and
// integrator, with a design among them that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "src/motion/host_run.hpp"
#include "src/sensitivity/gradient.hpp"
#include "tests/backend/five_bar.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"
#include "tests/support/forces.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/one_body.hpp"

namespace gradus::test {
namespace {

struct Mechanism {
  const char* name;
  bool loops;
  std::function<Model()> make;
  double duration;  // s, after which designs have taken different numbers of steps
};

const std::vector<Mechanism>& mechanisms() {
  using namespace derivative;
  static const std::vector<Mechanism> all{
      {"skew_chain", false, skew_chain, 1.0},
      {"every_force", false, [] { return every_force(); }, 0.1},
      {"five_bar", true, [] { return derivative::five_bar(false); }, 1.0},
      {"double_loop", true, double_general_loop, 0.1},
      {"guided_loop", true, guided_loop, 0.1},
  };
  return all;
}

struct LaneCase {
  Mechanism mechanism;
  Method method;
};

void PrintTo(const LaneCase& c, std::ostream* out) {
  *out << c.mechanism.name << ", " << c.method.label();
}

bool chooses_explicit_steps(const Method& method) {
  return method.integrator.adaptive && !method.integrator.implicit &&
         method.integrator.name != "auto";
}

std::vector<LaneCase> lane_cases(bool (*has)(const Method&)) {
  std::vector<LaneCase> cases;
  for (const Mechanism& mechanism : mechanisms())
    for (const Method& method : tested_methods(mechanism.loops))
      if (has(method)) cases.push_back({mechanism, method});
  return cases;
}

std::string name_of(const testing::TestParamInfo<LaneCase>& lane_case) {
  return std::string(lane_case.param.mechanism.name) + "_" + lane_case.param.method.label();
}

// More designs than the widest pack, so that the last is not full; far enough apart that lanes
// iterate differently and exchange other rows.
Options batch(std::size_t count, double spread) {
  Options options;
  options.backend = "cpu:1";
  options.lanes = 1;
  options.designs.count = count;
  options.designs.spread = spread;
  options.step = 1e-3;
  options.duration = 0.002;  // a step from the start, and one from a step
  return options;
}

// How designs fared as well.
void expect_same_runs(const Result& a, const Result& b) {
  expect_same_bits(a, b);
  expect_same_bits(a.step_count, b.step_count, "step_count");
  for (std::size_t d = 0; d < a.n_design; ++d) {
    EXPECT_EQ(a.status[d].message, b.status[d].message) << "design " << d;
    EXPECT_EQ(a.status[d].time, b.status[d].time) << "design " << d;
  }
}

class Lanes : public testing::TestWithParam<LaneCase> {};

TEST_P(Lanes, HaveTheBitsOfDesignsAlone) {
  Model model = derivative::parametrise_all(GetParam().mechanism.make());
  GetParam().method.use_in(model);
  for (const char* method : {"direct", "adjoint"}) {
    Options options = batch(9, 0.03);
    options.method = method;
    options.record = true;
    options.record_every = 2;
    // With penalties the rows of reactions, which this tree shows, are those of one design.
    const bool alone_by_penalty =
        GetParam().method.formulation.name == "penalty" && model.name.rfind("every force", 0) == 0;
    options.columns = options.method == "direct" && !alone_by_penalty;
    const Result alone = gradient(model, options);
    EXPECT_EQ(alone.lanes, 1);
    for (const int lanes : possible_lanes()) {
      if (lanes == 1) continue;
      options.lanes = lanes;
      const Result together = gradient(model, options);
      EXPECT_EQ(together.lanes, lanes);
      expect_same_runs(alone, together);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Lanes, testing::ValuesIn(lane_cases([](const Method& method) {
                           return !method.integrator.adaptive;
                         })),
                         name_of);

// Every tenth number, so that the columns of all travel with the motion.
Model parametrise_some(Model model) {
  int count = 0;
  return derivative::parametrise(std::move(model), [&](const std::string& path) {
    return path.rfind("guess", 0) != 0 && count++ % 10 == 0;
  });
}

// Of integrators that choose their steps each lane has steps of its own.
class LanesWithOwnSteps : public testing::TestWithParam<LaneCase> {};

TEST_P(LanesWithOwnSteps, HaveTheBitsOfDesignsAlone) {
  Model model = parametrise_some(GetParam().mechanism.make());
  GetParam().method.use_in(model);
  for (const bool with_gradient : {true, false}) {
    Options options = batch(9, 0.1);
    options.step.reset();
    options.duration = GetParam().mechanism.duration;
    options.rtol = 1e-8;
    const auto run = [&] {
      return with_gradient ? gradient(model, options) : simulate(model, options);
    };
    const Result alone = run();
    EXPECT_EQ(alone.lanes, 1);
    const auto [least, most] =
        std::minmax_element(alone.step_count.begin(), alone.step_count.end());
    EXPECT_LT(*least, *most) << "no lane waits for others";
    for (const int lanes : possible_lanes()) {
      if (lanes == 1) continue;
      options.lanes = lanes;
      const Result together = run();
      EXPECT_EQ(together.lanes, lanes);
      expect_same_runs(alone, together);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, LanesWithOwnSteps,
                         testing::ValuesIn(lane_cases(chooses_explicit_steps)), name_of);

// A slider that is pushed from an instant on that a parameter moves, damped by another, and looked
// at on its way.
Model pushed_slider() {
  Model m = test::one_body("slider", 1.0, "rail", JointType::prismatic, {1, 0, 0}, 0.5, 0.1, "x");
  m.parameters = {
      {"instant", 0.5, "", {}, ""}, {"push", 2.0, "", {}, ""}, {"damping", 0.1, "", {}, ""}};
  m.forces = {make_joint_force("push", "rail", "push*max(0, t - instant) - 3*x - damping*v")};
  m.sensors.push_back({"v", "rate", "rail"});
  m.objectives = {{"way", ObjectiveKind::integral, "x^2", "", ""},
                  {"end", ObjectiveKind::terminal, "x*t", "", ""}};
  Objective seen{"seen", ObjectiveKind::value, "x + t*v", "", ""};
  seen.at = {0.25, 1.0};
  m.objectives.push_back(seen);
  return m;
}

void expect_the_bits_of_designs_alone(const Model& model, Options options) {
  options.lanes = 1;
  const Result alone = gradient(model, options);
  for (const int lanes : possible_lanes()) {
    options.lanes = lanes;
    const Result together = gradient(model, options);
    EXPECT_EQ(together.lanes, lanes);
    expect_same_runs(alone, together);
    expect_same_bits(alone.switched, together.switched, "switched");
  }
}

Options slider_runs(const std::string& integrator) {
  Options options = batch(19, 0.5);
  options.step.reset();
  options.duration = 2.0;
  options.rtol = 1e-8;
  options.formulation = "semi-recursive";
  options.integrator = integrator;
  return options;
}

// Steps end at the kinks of each design, and where values are due.
TEST(OwnStepsInLanes, EndWhereEachDesignHasTo) {
  for (const char* integrator : {"dopri5", "dop853"})
    expect_the_bits_of_designs_alone(pushed_slider(), slider_runs(integrator));
}

// Designs that fail, or go on by another integrator, leave their pack.
TEST(OwnStepsInLanes, LeaveDesignsThatTheyCannotCarry) {
  Options options = slider_runs("auto");
  options.designs.spread = 0.0;
  const Result plain = gradient(pushed_slider(), options);
  options.designs.values = plain.parameter_values;
  options.designs.values[3 * 2 + 2] = 1e5;     // stiff
  options.designs.values[3 * 9 + 2] = -400.0;  // it explodes
  expect_the_bits_of_designs_alone(pushed_slider(), options);
  options.lanes = possible_lanes().back();
  const Result together = gradient(pushed_slider(), options);
  EXPECT_EQ(together.switched[2], 1.0);
  EXPECT_TRUE(together.status[2].ok);
  EXPECT_FALSE(together.status[9].ok);
  EXPECT_TRUE(together.status[10].ok);
}

// Where few designs take far more steps than the others, they go on alone.
TEST(OwnStepsInLanes, GoOnAloneWhereFewAreLeft) {
  Options options = slider_runs("dopri5");
  options.designs.spread = 0.01;
  options.designs.values = gradient(pushed_slider(), options).parameter_values;
  options.designs.values[3 * 2 + 2] = 500.0;
  options.designs.values[3 * 12 + 2] = 300.0;
  expect_the_bits_of_designs_alone(pushed_slider(), options);
  options.lanes = possible_lanes().back();
  const Result together = gradient(pushed_slider(), options);
  EXPECT_GT(together.step_count[2], 5.0 * together.step_count[3]);
  EXPECT_TRUE(together.status[2].ok);
}

// What goes back by the steps of each design, and what iterates.
TEST(LanesOfAPack, TakeNoAdjointsOrImplicitStepsOfDesignsThatChooseThem) {
  for (const Method& method : tested_methods(true)) {
    if (!method.integrator.adaptive) continue;
    Model model = five_bar();
    method.use_in(model);
    for (const char* verb : {"direct", "adjoint"}) {
      if (verb == std::string("direct") && !method.integrator.implicit) continue;
      Options options = batch(possible_lanes().back(), 0.03);
      options.method = verb;
      options.lanes = possible_lanes().back();
      options.rtol = model.analysis.rtol;  // or the step would be what some are asked for
      EXPECT_EQ(gradient(model, options).lanes, 1) << method.label();
    }
  }
}

// Every count of designs, and recorded motions.
TEST(LanesOfAPack, NeedNotBeFull) {
  for (std::size_t count = 1; count <= 9; ++count) {
    Options options = short_run("cpu:2", count);
    options.record = true;
    options.lanes = 1;
    const Result alone = gradient(five_bar(), options);
    for (const int lanes : possible_lanes()) {
      options.lanes = lanes;
      expect_same_runs(alone, gradient(five_bar(), options));
    }
  }
}

// Wherever in the pack it travels, and whenever it fails.
TEST(LanesOfAPack, DoNotFeelAFailure) {
  constexpr std::size_t kDesigns = 8;
  Options options = short_run("cpu:1", kDesigns);
  options.lanes = 1;
  const std::vector<double> good = simulate(five_bar(), options).parameter_values;
  // Past the verbs, which refuse numbers that are none.
  const auto run = [&] {
    return compute_gradient(std::make_shared<const CompiledMechanism>(five_bar(), options),
                            options);
  };
  struct Bad {
    std::size_t parameter;
    double value;
  };
  // A number that is none, a negative mass, a loop that cannot close, and a spring so stiff that
  // the motion explodes on the way.
  for (const Bad bad :
       {Bad{0, std::numeric_limits<double>::quiet_NaN()}, Bad{2, -1.0}, Bad{4, 40.0}, Bad{0, 1e12}})
    for (std::size_t place = 0; place < kDesigns; place += 3) {
      options.designs.values = good;
      options.designs.values[place * 5 + bad.parameter] = bad.value;
      options.record = true;
      options.lanes = 1;
      const Result alone = run();
      EXPECT_FALSE(alone.status[place].ok);
      for (const int lanes : possible_lanes()) {
        options.lanes = lanes;
        expect_same_runs(alone, run());
      }
    }
}

// Projections that some designs need and others do not.
TEST(LanesOfAPack, ProjectEachForItself) {
  Model model = five_bar();
  model.analysis.projection_tolerance = 3e-9;
  Options options = short_run("cpu:1", 16);
  options.lanes = 1;
  const Result alone = gradient(model, options);
  ASSERT_TRUE(alone.all_ok());
  for (const int lanes : possible_lanes()) {
    options.lanes = lanes;
    expect_same_runs(alone, gradient(model, options));
  }
}

TEST(LanesOfAPack, AreThoseOfTheProcessor) {
  Options options = short_run("cpu:1", 3);
  options.lanes = 3;
  try {
    simulate(five_bar(), options);
    FAIL() << "3 lanes were accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("lanes: found 3, expected auto, 1", 0), 0U)
        << error.what();
  }
}

}  // namespace
}  // namespace gradus::test
