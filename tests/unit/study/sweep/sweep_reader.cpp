// Sections "sweep" of study files: what is read from right ones.
#include <gtest/gtest.h>

#include <cmath>

#include "src/results/npy.hpp"
#include "tests/unit/study/sweep/sweep_texts.hpp"

namespace gradus::test {
namespace {

TEST(SweepReader, ReadsGrids) {
  const Sweep sweep = sweep_of_text(R"({
    "sampling": "grid",
    "parameters": {
      "m": { "from": 1, "to": 2, "count": 3 },
      "k[0]": { "from": 0.1, "to": 1000, "count": 5, "spacing": "logarithmic" },
      "L": { "values": [3, "2*pi", 3] },
      "k[1]": { "from": 5, "to": 6, "count": 1, "spacing": "linear" } },
    "gradients": false })");
  EXPECT_EQ(sweep.sampling, Sampling::grid);
  EXPECT_FALSE(sweep.gradients);
  ASSERT_EQ(sweep.parameters.size(), 4U);
  EXPECT_EQ(sweep.parameters[0].name, "m");
  EXPECT_EQ(sweep.parameters[0].values, (std::vector<double>{1, 1.5, 2}));
  EXPECT_EQ(sweep.parameters[1].name, "k[0]");
  ASSERT_EQ(sweep.parameters[1].values.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_NEAR(sweep.parameters[1].values[k], std::pow(10.0, static_cast<double>(k) - 1.0), 1e-12);
  EXPECT_EQ(sweep.parameters[1].values.back(), 1000.0);
  EXPECT_EQ(sweep.parameters[2].values, (std::vector<double>{3, 2 * M_PI, 3}));
  EXPECT_EQ(sweep.parameters[3].values, (std::vector<double>{5}));
}

TEST(SweepReader, ReadsSamples) {
  const Sweep sweep = sweep_of_text(R"({
    "sampling": "latin-hypercube", "designs": 1000, "seed": 42,
    "parameters": {
      "m": { "from": 1, "to": 2 },
      "L": { "distribution": "normal", "mean": 3, "standard_deviation": 0.1, "truncated": [2, 4] },
      "k[1]": { "distribution": "log-normal", "median": 5, "log_standard_deviation": 0.2 } },
    "correlation": { "parameters": ["k[1]", "m"], "matrix": [[1, 0.5], [0.5, 1]] },
    "record": { "sensors": ["q", "r"], "every": 10 },
    "statistics": { "confidence": 0.9, "quantiles": [0.1, 0.9], "bins": 20 } })");
  EXPECT_EQ(sweep.sampling, Sampling::latin_hypercube);
  EXPECT_EQ(sweep.designs, 1000U);
  EXPECT_EQ(sweep.seed, 42U);
  EXPECT_TRUE(sweep.gradients);
  ASSERT_EQ(sweep.parameters.size(), 3U);
  EXPECT_EQ(sweep.parameters[0].distribution.kind, Distribution::Kind::uniform);
  EXPECT_EQ(sweep.parameters[0].distribution.from, 1.0);
  EXPECT_EQ(sweep.parameters[0].distribution.to, 2.0);
  EXPECT_EQ(sweep.parameters[1].distribution.kind, Distribution::Kind::normal);
  EXPECT_EQ(sweep.parameters[1].distribution.mean, 3.0);
  EXPECT_EQ(sweep.parameters[1].distribution.standard_deviation, 0.1);
  EXPECT_EQ(sweep.parameters[1].distribution.truncated, (std::array{2.0, 4.0}));
  EXPECT_EQ(sweep.parameters[2].distribution.kind, Distribution::Kind::log_normal);
  EXPECT_EQ(sweep.parameters[2].distribution.median, 5.0);
  EXPECT_EQ(sweep.parameters[2].distribution.standard_deviation, 0.2);
  ASSERT_TRUE(sweep.dependence.has_value());
  EXPECT_FALSE(sweep.dependence->is_covariance);
  EXPECT_EQ(sweep.dependence->parameters, (std::vector<std::string>{"k[1]", "m"}));
  EXPECT_EQ(sweep.dependence->matrix, (std::vector<double>{1, 0.5, 0.5, 1}));
  EXPECT_EQ(sweep.record, (std::vector<std::string>{"q", "r"}));
  EXPECT_EQ(sweep.record_every, 10U);
  EXPECT_EQ(sweep.statistics.confidence, 0.9);
  EXPECT_EQ(sweep.statistics.quantiles, (std::vector<double>{0.1, 0.9}));
  EXPECT_EQ(sweep.statistics.bins, 20U);
}

TEST(SweepReader, ReadsCovariancesAndDefaults) {
  const Sweep sweep = sweep_of_text(R"({
    "sampling": "sobol", "designs": 8,
    "parameters": { "m": { "distribution": "normal", "mean": 1 },
                    "L": { "distribution": "uniform", "from": 0, "to": 1 },
                    "k[0]": { "distribution": "normal", "mean": 2 } },
    "covariance": { "parameters": ["m", "k[0]"], "matrix": [[4, 1], [1, 2]] } })");
  EXPECT_EQ(sweep.sampling, Sampling::sobol);
  EXPECT_TRUE(sweep.dependence->is_covariance);
  EXPECT_EQ(sweep.dependence->matrix, (std::vector<double>{4, 1, 1, 2}));
  EXPECT_EQ(sweep.seed, 1U);
  EXPECT_EQ(sweep.record_every, 1U);
  EXPECT_EQ(sweep.statistics.confidence, 0.95);
  EXPECT_EQ(sweep.statistics.quantiles.size(), 5U);
  EXPECT_EQ(sweep_of_text(R"({ "sampling": "random", "designs": 1,
    "parameters": { "m": { "from": 0, "to": 1 } } })")
                .sampling,
            Sampling::random);
}

TEST(SweepReader, ReadsListsOfCsv) {
  const Files files{{"designs.csv", "L,k[0]\n1,2\n3,4\n5,6\n"}};
  const Sweep all = sweep_of_text(R"({ "sampling": "list", "list": "designs.csv" })", files);
  EXPECT_EQ(all.sampling, Sampling::list);
  ASSERT_EQ(all.parameters.size(), 2U);
  EXPECT_EQ(all.parameters[0].name, "L");
  EXPECT_EQ(all.parameters[1].name, "k[0]");
  EXPECT_EQ(all.list, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  const Sweep ordered = sweep_of_text(
      R"({ "sampling": "list", "list": "designs.csv", "parameters": ["k[0]", "L"] })", files);
  EXPECT_EQ(ordered.parameters[0].name, "k[0]");
  EXPECT_EQ(ordered.list, (std::vector<double>{2, 1, 4, 3, 6, 5}));
}

std::string npy(const results::Shape& shape, const std::vector<double>& values) {
  const results::NpyArray array = results::npy_numbers(shape, values);
  std::string text = array.header;
  for (const std::span<const std::byte> piece : array.pieces)
    text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  return text + array.owned;
}

TEST(SweepReader, ReadsListsOfNpy) {
  const std::string text =
      R"({ "sampling": "list", "list": "d.npy", "parameters": ["k[0]", "L"] })";
  const Sweep sweep = sweep_of_text(text, {{"d.npy", npy({3, 2}, {1, 2, 3, 4, 5, 6})}});
  EXPECT_EQ(sweep.parameters[0].name, "k[0]");
  EXPECT_EQ(sweep.list, (std::vector<double>{1, 2, 3, 4, 5, 6}));

  const auto complaint = [&](const std::string& content) {
    return complaint_about(text, {{"d.npy", content}});
  };
  EXPECT_EQ(complaint(npy({2, 3}, {1, 2, 3, 4, 5, 6})),
            "study.json: /list: d.npy: found an array of shape [2, 3] (it has one row for each "
            "design and one column for each of 2 parameters), write a two-dimensional array of "
            "numbers");
  EXPECT_NE(complaint(npy({6}, {1, 2, 3, 4, 5, 6})).find("shape [6]"), std::string::npos);
  EXPECT_EQ(complaint(npy({2, 2}, {1, 2, 3, std::nan("")})),
            "study.json: /list: d.npy: row 1, column \"L\": found nan (it is not a finite number), "
            "correct the value (rows are counted from 0)");
  EXPECT_NE(complaint(npy({0, 2}, {})).find("found no designs"), std::string::npos);
  EXPECT_THROW(complaint("1,2"), FileError);
  EXPECT_EQ(complaint_about(R"({ "sampling": "list", "list": "d.npy" })",
                            {{"d.npy", npy({1, 2}, {1, 2})}}),
            "study.json: /list: d.npy: found an array without names (its columns are those of "
            "\"parameters\"), add \"parameters\", a list of names");
}

}  // namespace
}  // namespace gradus::test
