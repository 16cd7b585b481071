// Designs of every sampling: where they lie, and that each depends on its number alone.
#include "src/study/sampling/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>

#include "gradus/error.hpp"
#include "tests/unit/study/sweep/sweeps.hpp"

namespace gradus::test {
namespace {

std::string complaint(const Sweep& sweep) {
  try {
    const Sampler sampler(sweep);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Sampler, LatinHypercubesHaveOneDesignInEverySlice) {
  for (const std::size_t n : {1, 2, 3, 64, 1000, 1023}) {
    const Sweep sweep = sweep_of(Sampling::latin_hypercube, n, {uniform(0, 1), uniform(0, 1)});
    for (const std::size_t parameter : {0, 1}) {
      std::vector<int> counts(n, 0);
      for (const double value : column(sweep, parameter)) {
        ASSERT_GT(value, 0.0);
        ASSERT_LT(value, 1.0);
        ++counts[static_cast<std::size_t>(value * static_cast<double>(n))];
      }
      for (const int count : counts) EXPECT_EQ(count, 1) << n;
    }
  }
}

TEST(Sampler, LatinHypercubesDifferByParameterAndSeed) {
  const auto slices = [](std::uint64_t seed, std::size_t parameter) {
    std::vector<double> values = column(
        sweep_of(Sampling::latin_hypercube, 100, {uniform(0, 1), uniform(0, 1)}, seed), parameter);
    for (double& value : values) value = std::floor(100.0 * value);
    return values;
  };
  EXPECT_EQ(slices(1, 0), slices(1, 0));
  EXPECT_NE(slices(1, 0), slices(1, 1));
  EXPECT_NE(slices(1, 0), slices(2, 0));
}

// Inside a slice designs lie anywhere: with one slice there are as many places as with none.
TEST(Sampler, LatinHypercubesJitter) {
  double mean = 0.0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    mean += column(sweep_of(Sampling::latin_hypercube, 1, {uniform(0, 1)}, seed), 0)[0] / 1000.0;
  EXPECT_NEAR(mean, 0.5, 0.04);
}

TEST(Sampler, SobolIsThatOfBoostButForTheShift) {
  constexpr std::size_t dimensions = 5, designs = 300;
  const Sweep sweep =
      sweep_of(Sampling::sobol, designs, std::vector<Distribution>(dimensions, uniform(0, 1)), 9);
  const Sampler sampler(sweep);
  const auto bits = [](double value) { return static_cast<std::uint64_t>(value * 0x1p52); };
  const std::vector<double> shift = design(sampler, sweep, 0);  // that of the origin
  boost::random::sobol engine(dimensions);
  for (std::size_t index = 1; index < designs; ++index) {
    const std::vector<double> values = design(sampler, sweep, index);
    for (std::size_t k = 0; k < dimensions; ++k)
      EXPECT_EQ(bits(values[k]) ^ bits(shift[k]), engine() >> 12) << index << " " << k;
  }
  EXPECT_NE(bits(shift[0]), bits(shift[1]));
  const Sweep other = sweep_of(Sampling::sobol, designs, {uniform(0, 1)}, 10);
  EXPECT_NE(design(Sampler(other), other, 0)[0], shift[0]);
}

TEST(Sampler, SobolFillsSlicesEvenly) {
  const Sweep sweep =
      sweep_of(Sampling::sobol, 1024, std::vector<Distribution>(20, uniform(0, 1)), 4);
  for (std::size_t parameter = 0; parameter < 20; ++parameter) {
    std::vector<int> counts(1024, 0);
    for (const double value : column(sweep, parameter))
      ++counts[static_cast<std::size_t>(value * 1024.0)];
    EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), 1024);
  }
}

TEST(Sampler, SobolSaysHowManyDimensionsThereAre) {
  const std::vector<Distribution> many(3668, uniform(0, 1));
  EXPECT_EQ(complaint(sweep_of(Sampling::sobol, 4, many)),
            "sweep: there are 3668 parameters (Sobol's sequence has at most 3667 dimensions), use "
            "\"latin-hypercube\" or \"random\"");
  EXPECT_EQ(complaint(sweep_of(Sampling::sobol, 4, {many.begin(), many.end() - 1})), "");
}

TEST(Sampler, GridsHaveTheLastAxisFastest) {
  Sweep sweep = sweep_of(Sampling::grid, 0, {{}, {}, {}});
  sweep.parameters[0].values = {1, 2};
  sweep.parameters[1].values = {5};
  sweep.parameters[2].values = {7, 8, 9};
  const Sampler sampler(sweep);
  EXPECT_EQ(sampler.designs(), 6U);
  EXPECT_EQ(column(sweep, 0), (std::vector<double>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(column(sweep, 1), std::vector<double>(6, 5.0));
  EXPECT_EQ(column(sweep, 2), (std::vector<double>{7, 8, 9, 7, 8, 9}));
}

TEST(Sampler, ListsAreTheirRows) {
  Sweep sweep = sweep_of(Sampling::list, 0, {{}, {}});
  sweep.list = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(column(sweep, 0), (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(column(sweep, 1), (std::vector<double>{2, 4, 6}));
}

TEST(Sampler, DesignsDependOnTheirNumberAlone) {
  for (const Sampling sampling : {Sampling::latin_hypercube, Sampling::sobol, Sampling::random}) {
    Sweep sweep = sweep_of(sampling, 50, {uniform(0, 1), normal(1, 2), log_normal(3, 0.2)});
    sweep.dependence = Dependence{false, {"x1", "x2"}, {1, 0.5, 0.5, 1}};
    const Sampler forwards(sweep);
    std::vector<std::vector<double>> designs;
    for (std::size_t k = 0; k < 50; ++k) designs.push_back(design(forwards, sweep, k));
    for (std::size_t k = 50; k-- > 0;) EXPECT_EQ(design(Sampler(sweep), sweep, k), designs[k]);
    EXPECT_NE(designs[0], designs[1]);
  }
}

TEST(Sampler, RandomDesignsDoNotDependOnHowManyThereAre) {
  const Sweep few = sweep_of(Sampling::random, 10, {normal(0, 1)});
  const Sweep many = sweep_of(Sampling::random, 1000, {normal(0, 1)});
  for (std::size_t k = 0; k < 10; ++k)
    EXPECT_EQ(design(Sampler(few), few, k), design(Sampler(many), many, k));
}

TEST(Sampler, RefusesWhatHasNoDesignsOrTooMany) {
  EXPECT_EQ(complaint(sweep_of(Sampling::random, 0, {uniform(0, 1)})),
            "sweep: there are no designs (a sweep has at least one), ask for some");
  EXPECT_EQ(complaint(sweep_of(Sampling::random, 100000001, {uniform(0, 1)})),
            "sweep: there are 100000001 designs (a sweep has at most 1e+08), ask for fewer");
  EXPECT_EQ(complaint(sweep_of(Sampling::sobol, 100000000, {uniform(0, 1)})), "");
  EXPECT_EQ(complaint(sweep_of(Sampling::random, 5, {})),
            "sweep: it varies nothing (a sweep has parameters), name one");
  Sweep grid = sweep_of(Sampling::grid, 0, std::vector<Distribution>(200));
  for (SweepParameter& parameter : grid.parameters) parameter.values.assign(10000, 1.0);
  EXPECT_NE(complaint(grid).find("designs (a sweep has at most 1e+08)"), std::string::npos);
  grid.parameters[7].values.clear();
  EXPECT_NE(complaint(grid).find("no designs"), std::string::npos);
  grid.parameters[7].values = {std::nan("")};
  EXPECT_EQ(complaint(grid),
            "sweep: parameter \"x7\": found the value nan (it is not finite), give numbers");
  Sweep list = sweep_of(Sampling::list, 0, {{}, {}});
  list.list = {1, 2, 3};
  EXPECT_NE(complaint(list).find("found a list of 3 numbers"), std::string::npos);
  list.list = {1, INFINITY};
  EXPECT_NE(complaint(list).find("found inf in the list"), std::string::npos);
  list.list = {1, 2};
  list.dependence = Dependence{};
  EXPECT_NE(complaint(list).find("depend on each other"), std::string::npos);
}

}  // namespace
}  // namespace gradus::test
