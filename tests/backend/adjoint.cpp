// Discrete adjoints on the host: the same numbers whatever memory they have, on any number of
// threads, and with designs beside them that fail.
#include <algorithm>
#include <cmath>
#include <map>

#include "gradus/error.hpp"
#include "src/motion/tape.hpp"
#include "tests/backend/five_bar.hpp"

namespace gradus::test {
namespace {

Options adjoint(std::size_t designs = 1) {
  Options options = short_run("cpu:1", designs);
  options.method = "adjoint";
  return options;
}

struct Way {
  const char* formulation;
  const char* integrator;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.formulation << " " << way.integrator;
}

class AdjointMemory : public testing::TestWithParam<Way> {};

TEST_P(AdjointMemory, ChangesNoBit) {
  Options options = adjoint();
  options.duration = 0.3;
  options.formulation = GetParam().formulation;
  options.integrator = GetParam().integrator;
  const Result all = gradient(five_bar(), options);
  ASSERT_TRUE(all.all_ok());
  EXPECT_EQ(all.recomputation, 0.0);
  double last = 0.0;
  for (const std::size_t kilobytes : {60U, 40U, 30U}) {
    options.memory = kilobytes * 1024U;
    const Result within = gradient(five_bar(), options);
    expect_same_bits(within, all);
    std::cout << kilobytes << " kB: recomputation " << within.recomputation << "\n";
    EXPECT_GE(within.recomputation, last);
    last = within.recomputation;
  }
  EXPECT_GT(last, 0.9);
}

INSTANTIATE_TEST_SUITE_P(Ways, AdjointMemory,
                         testing::Values(Way{"ali3p", "newmark"}, Way{"ali3p", "generalised-alpha"},
                                         Way{"index1", "rk4"}, Way{"matrix-r", "trapezoidal"},
                                         Way{"matrix-r", "generalised-alpha"}));

// Adaptive steps: how many there are is not known before. The larger budget holds the first
// thousand of them and is tried in vain.
TEST(AdjointMemory, ServesAdaptiveSteps) {
  Options options = adjoint();
  options.duration = 5.0;
  options.formulation = "matrix-r";
  options.integrator = "dopri5";
  options.rtol = 1e-12;
  options.atol = 1e-12;
  options.record = true;
  const Result all = gradient(five_bar(), options);
  ASSERT_GT(all.step_count[0], 1024.0);
  for (const std::size_t kilobytes : {400U, 100U}) {
    options.memory = kilobytes * 1024U;
    const Result within = gradient(five_bar(), options);
    expect_same_bits(within, all);
    EXPECT_GT(within.recomputation, 0.5);
  }
}

// Values at times, wherever blocks of steps begin and end.
TEST(AdjointMemory, ServesValuesAtTimes) {
  const Model model = with_values({0.0, 0.001, 0.05, 0.111, 0.299, 0.3});
  for (const Way way :
       {Way{"ali3p", "newmark"}, Way{"index1", "radau5"}, Way{"matrix-r", "dop853"}}) {
    Options options = adjoint();
    options.duration = 0.3;
    options.formulation = way.formulation;
    options.integrator = way.integrator;
    options.rtol = 1e-13;
    const Result all = gradient(model, options);
    ASSERT_TRUE(all.all_ok());
    ASSERT_EQ(all.objectives.size(), 9U);
    for (const std::size_t kilobytes : {58U, 50U}) {
      options.memory = kilobytes * 1024U;
      const Result within = gradient(model, options);
      expect_same_bits(within, all);
      std::cout << way.formulation << " " << kilobytes << " kB: recomputation "
                << within.recomputation << "\n";
      EXPECT_GT(within.recomputation, 0.0);
    }
  }
}

TEST(AdjointMemory, SaysHowLittleIsTooLittle) {
  Options options = adjoint();
  options.backend = "cpu:2";
  options.designs.count = 16;
  for (const std::size_t memory : {1, 1000}) {
    options.memory = memory;
    try {
      gradient(five_bar(), options);
      FAIL() << memory << " bytes were enough";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("memory: found"), std::string::npos) << error.what();
    }
  }
}

TEST(Adjoint, IsThatOfTheDirectMethod) {
  Options options = adjoint();
  const Result backwards = gradient(five_bar(), options);
  options.method = "direct";
  const Result forwards = gradient(five_bar(), options);
  expect_same_bits(backwards.objective_values, forwards.objective_values, "objective_values");
  ASSERT_EQ(backwards.gradient.size(), forwards.gradient.size());
  for (std::size_t k = 0; k < forwards.gradient.size(); ++k)
    EXPECT_NEAR(backwards.gradient[k], forwards.gradient[k],
                1e-11 * std::max(1.0, std::abs(forwards.gradient[k])));
}

TEST(Adjoint, DesignsGiveTheSameBitsInAnyBatch) {
  Options options = adjoint(5);
  const Result one_thread = gradient(five_bar(), options);
  options.backend = "cpu:2";
  const Result two_threads = gradient(five_bar(), options);
  expect_same_bits(one_thread, two_threads);
  options.designs = Designs();
  options.designs.values.assign(one_thread.parameter_values.begin() + 3 * 5,
                                one_thread.parameter_values.begin() + 4 * 5);
  expect_same_design(gradient(five_bar(), options), 0, one_thread, 3);
}

TEST(Adjoint, AFailingDesignLeavesOthersAlone) {
  Options options = adjoint(3);
  const Result without = gradient(five_bar(), options);
  options.designs.values = without.parameter_values;
  options.designs.values[5 + 4] = 10.0;  // L_A1 of design 1
  const Result with = gradient(five_bar(), options);
  EXPECT_FALSE(with.status[1].ok);
  for (const double value : row(with.gradient, 1, with.n_design)) EXPECT_TRUE(std::isnan(value));
  expect_same_design(with, 0, without, 0);
  expect_same_design(with, 2, without, 2);
}

TEST(Adjoint, RecordsTheMotionOnTheWay) {
  for (const char* formulation : {"ali3p", "index1"}) {
    Options options = adjoint();
    options.formulation = formulation;
    options.record = true;
    const Result backwards = gradient(five_bar(), options);
    options.method = "direct";
    const Result forwards = gradient(five_bar(), options);
    ASSERT_EQ(backwards.trajectories.size(), 1U);
    expect_same_bits(backwards.trajectories[0].sensors, forwards.trajectories[0].sensors,
                     "sensors");
  }
}

TEST(Adjoint, AutoTakesItForManyParameters) {
  std::vector<std::string> remarks;
  Options options = adjoint();
  options.method = "auto";
  options.log = [&](const std::string& remark) { remarks.push_back(remark); };
  EXPECT_EQ(gradient(five_bar(), options).method, "direct");
  Model many = five_bar();
  for (int k = 0; k < 100; ++k) {
    Parameter parameter = many.parameters.front();
    parameter.name = "spare" + std::to_string(k);
    many.parameters.push_back(parameter);
    many.objectives.front().expression += " + 1e-9*" + parameter.name;
  }
  EXPECT_EQ(gradient(many, options).method, "adjoint");
  EXPECT_TRUE(std::any_of(remarks.begin(), remarks.end(), [](const std::string& remark) {
    return remark.rfind("method: auto chose adjoint (105 parameters and 3 objectives", 0) == 0;
  })) << remarks.back();
}

// Blocks walked through once more when `count` of them are reversed from the first with `free`
// states to spare, as adjoint runs do it.
std::size_t cost(std::size_t count, std::size_t free, bool best) {
  if (count <= 1) return 0;
  if (free == 0) return count * (count - 1) / 2;
  static std::map<std::pair<std::size_t, std::size_t>, std::size_t> known;
  const auto with = [&](std::size_t split) {
    return split + cost(count - split, free - 1, best) + cost(split, free, best);
  };
  if (!best) return with(best_split(count, free));
  const auto found = known.find({count, free});
  if (found != known.end()) return found->second;
  std::size_t least = with(1);
  for (std::size_t split = 2; split < count; ++split) least = std::min(least, with(split));
  return known[{count, free}] = least;
}

TEST(Checkpoints, AreNearlyOptimal) {
  for (std::size_t free = 1; free <= 6; ++free)
    for (std::size_t count = 2; count <= 60; ++count) {
      EXPECT_LE(static_cast<double>(cost(count, free, false)),
                1.1 * static_cast<double>(cost(count, free, true)))
          << count << " blocks, " << free << " states";
    }
}

}  // namespace
}  // namespace gradus::test
