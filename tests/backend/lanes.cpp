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
#include "tests/support/methods.hpp"

namespace gradus::test {
namespace {

struct Mechanism {
  const char* name;
  bool loops;
  std::function<Model()> make;
};

const std::vector<Mechanism>& mechanisms() {
  using namespace derivative;
  static const std::vector<Mechanism> all{
      {"skew_chain", false, [] { return parametrise_all(skew_chain()); }},
      {"every_force", false, [] { return parametrise_all(every_force()); }},
      {"five_bar", true, [] { return parametrise_all(derivative::five_bar(false)); }},
      {"double_loop", true, [] { return parametrise_all(double_general_loop()); }},
      {"guided_loop", true, [] { return parametrise_all(guided_loop()); }},
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

std::vector<LaneCase> lane_cases() {
  std::vector<LaneCase> cases;
  for (const Mechanism& mechanism : mechanisms())
    for (const Method& method : tested_methods(mechanism.loops))
      if (!method.integrator.adaptive) cases.push_back({mechanism, method});
  return cases;
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
  Model model = GetParam().mechanism.make();
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

INSTANTIATE_TEST_SUITE_P(Mechanisms, Lanes, testing::ValuesIn(lane_cases()),
                         [](const auto& lane_case) {
                           return std::string(lane_case.param.mechanism.name) + "_" +
                                  lane_case.param.method.label();
                         });

// Integrators that choose their steps, whatever is asked for.
TEST(LanesOfAPack, TakeNoDesignsWithStepsOfTheirOwn) {
  for (const Method& method : tested_methods(true)) {
    if (!method.integrator.adaptive) continue;
    Model model = five_bar();
    method.use_in(model);
    for (const char* verb : {"direct", "adjoint"}) {
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
