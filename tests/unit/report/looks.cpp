// Shapes as triangles: closed, turned outwards, where they belong.
#include "src/report/looks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "src/report/tessellation.hpp"
#include "tests/support/mesh_volume.hpp"

namespace gradus::report {
namespace {

using test::volume;

TEST(Tessellation, FillsTheVolumesOfSolids) {
  constexpr double pi = std::numbers::pi;
  EXPECT_NEAR(volume(box({1, 2, 6})), 12.0, 1e-12);
  EXPECT_NEAR(volume(ellipsoid({2, 4, 6}, 40)), pi / 6.0 * 48.0, 0.02 * 48.0);
  EXPECT_NEAR(volume(cylinder(2, 3, 40)), pi * 12.0, 0.02 * 36.0);
  EXPECT_NEAR(volume(capsule(1, 3, 40)), pi * (3.0 + 4.0 / 3.0), 0.3);
}

TEST(Tessellation, IsClosedWhereItShouldBe) {
  for (const std::size_t corners : {8u, 12u, 20u}) {
    EXPECT_TRUE(is_closed(ellipsoid({1, 1, 1}, corners)));
    EXPECT_TRUE(is_closed(cylinder(0.1, 3, corners)));
    EXPECT_TRUE(is_closed(capsule(1, 0.5, corners)));
  }
  Mesh open = cylinder(1, 1, 8);
  open.triangles.pop_back();
  EXPECT_FALSE(is_closed(open));
}

Json drawn(const std::string& features, const std::map<std::string, double>& set = {}) {
  const Model model = parse_model(
      R"({"schema": "gradus-model/1", "name": "m", "parameters": {"L": 1}, )" + features +
      R"(, "joints": {"hinge": {"type": "revolute", "parent": "ground", "child": "rod"}}})");
  Json drawing;
  Looks(model, set).describe(drawing);
  return drawing;
}

constexpr const char* rod =
    R"("bodies": {"rod": {"mass": 1, "com": [0, 0, 0], "inertia": {"xx": 1, "yy": 1, "zz": 1}, "shapes": [)";

TEST(Looks, LieInTheAxesOfTheBodyAndFollowParameters) {
  for (const double length : {1.0, 3.0}) {
    const Json shape = drawn(
        std::string(rod) +
            R"({"type": "box", "size": [0.1, 0.2, "L"], "axis": [1, 0, 0], "at": ["L/2", 0, 5]}]}})",
        {{"L", length}})["shapes"][0];
    EXPECT_EQ(shape["carrier"], 0);
    EXPECT_EQ(shape["closed"], true);
    const std::vector<double> low = shape["low"];
    EXPECT_NEAR(low[0], 0.0, 1e-9);
    double high = 0.0;
    for (std::size_t k = 0; k < shape["vertices"].size(); k += 3)
      high = std::max(high,
                      low[0] + shape["vertices"][k].get<double>() * shape["grain"].get<double>());
    EXPECT_NEAR(high, length, 1e-3);
    EXPECT_NEAR(low[2], 5.0 - 0.1, 0.051);
  }
}

TEST(Looks, OfTheGroundHaveNoCarrierAndMissingOnesAreNamed) {
  const Json drawing = drawn(
      std::string(
          R"("ground": {"shapes": [{"type": "sphere", "radius": 1, "color": "#112233"}]}, )") +
      rod + R"({"type": "mesh", "file": "lost.stl"}]}})");
  ASSERT_EQ(drawing["shapes"].size(), 1u);
  EXPECT_EQ(drawing["shapes"][0]["carrier"], -1);
  EXPECT_EQ(drawing["shapes"][0]["body"], -1);
  EXPECT_EQ(drawing["shapes"][0]["color"], "#112233");
  EXPECT_EQ(drawing["missing"], Json({"the mesh \"lost.stl\" of rod"}));
}

TEST(Looks, FramesAreEulerParameters) {
  const double c = std::cos(0.6), s = std::sin(0.6);
  Json frames = Json::array();
  Looks::add_frames(std::vector<double>{1, 2, 3, c, s, 0, -s, c, 0}, frames);
  ASSERT_EQ(frames.size(), 7u);
  EXPECT_EQ(frames[2], 3);
  EXPECT_NEAR(std::abs(frames[3].get<double>()), std::cos(0.3), 1e-4);
  EXPECT_NEAR(std::abs(frames[6].get<double>()), std::sin(0.3), 1e-4);
}

// Where a parameter leaves a shape without a size, the others are drawn.
TEST(Looks, WithoutASizeAreMissing) {
  for (const double length : {1.0, 0.0, -1.0}) {
    const Json drawing =
        drawn(std::string(rod) +
                  R"({"type": "sphere", "radius": 2}, {"type": "sphere", "radius": "L"}]}})",
              {{"L", length}});
    EXPECT_EQ(drawing["shapes"].size(), length > 0.0 ? 2u : 1u) << length;
    EXPECT_EQ(drawing["missing"].size(), length > 0.0 ? 0u : 1u) << length;
  }
}

}  // namespace
}  // namespace gradus::report
