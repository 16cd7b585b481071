// What the page of a sweep draws: slopes where their designs are, bands around medians.
#include <gtest/gtest.h>

#include "src/report/pages.hpp"
#include "src/results/npz.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus::report {
namespace {

using results::npy_numbers;
using results::npy_strings;
using results::NpzWriter;
using SweepPage = test::TemporaryFolder;

void add_name(NpzWriter& writer, const std::string& what, const std::string& name) {
  writer.add(what + "_names", npy_strings({name}));
  writer.add(what + "_units", npy_strings({""}));
}

// x^2 / 2 of so many designs, whose derivatives are x = 0, 1, ...
void write_designs(const std::filesystem::path& file, std::size_t count) {
  std::vector<double> x, y;
  for (std::size_t d = 0; d < count; ++d) {
    x.push_back(static_cast<double>(d));
    y.push_back(0.5 * x.back() * x.back());
  }
  NpzWriter writer(file);
  add_name(writer, "parameter", "x");
  add_name(writer, "objective", "y");
  writer.add("parameter_values", npy_numbers({count, 1}, x));
  writer.add("objective_values", npy_numbers({count, 1}, y));
  writer.add("gradient", npy_numbers({count, 1, 1}, x));
  writer.finish();
}

Json block_of(const std::vector<Json>& blocks, const std::string& kind) {
  for (const Json& block : blocks)
    if (text_of(block, "kind") == kind) return block;
  return nullptr;
}

TEST_F(SweepPage, DrawsSlopesAtTheDesignsTheyBelongTo) {
  for (const std::size_t count : {100U, 12345U}) {  // all of them, and some
    write_designs(path("designs.npz"), count);
    const Json summary = {{"parameters", {{{"name", "x"}, {"varies", true}}}}};
    const Json block = block_of(sweep_blocks({path("."), summary}), "scatter");
    ASSERT_FALSE(block.is_null());
    const std::vector<std::size_t> points = block["slope_points"];
    ASSERT_GT(points.size(), 10U);
    for (std::size_t k = 0; k < points.size(); ++k)
      EXPECT_EQ(block["slopes"][0][0][k], block["x"][0]["values"][points[k]]) << count;
  }
}

// 21 designs whose sensor is 0, 1, ..., 20 at any time.
TEST_F(SweepPage, HasBandsFromFiveToNinetyFivePercent) {
  std::vector<double> sensors;
  for (int d = 0; d < 21; ++d) sensors.insert(sensors.end(), 2, d);
  NpzWriter writer(path("trajectories.npz"));
  add_name(writer, "sensor", "s");
  writer.add("time", npy_numbers({2}, std::vector{0.0, 0.5}));
  writer.add("sensors", npy_numbers({21, 2, 1}, sensors));
  writer.finish();
  const Json band = sensor_plots(path("trajectories.npz"))["signals"][0];
  EXPECT_EQ(band["low"], Json({1, 1}));
  EXPECT_EQ(band["y"], Json({10, 10}));
  EXPECT_EQ(band["high"], Json({19, 19}));
}

}  // namespace
}  // namespace gradus::report
