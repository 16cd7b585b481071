// What bodies look like: what is read, what is refused, and meshes in the text of a model.
#include <filesystem>
#include <fstream>

#include "gradus/error.hpp"
#include "src/model/mesh_shapes.hpp"
#include "tests/unit/model/mistakes.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus {
namespace {

using ShapeFiles = test::TemporaryFolder;

std::string of_arm(const std::string& shapes) {
  return small_model_with(R"({"bodies": {"arm": {"shapes": [)" + shapes + "]}}}");
}

constexpr const char* tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST(Shapes, AreRead) {
  const Model model = parse_model(of_arm(
      R"({"type": "box", "size": ["length", 0.1, 0.2], "at": "com", "axis": [1, 0, 0], "color": "#12ab9F"},
         {"type": "capsule", "radius": "length/10", "from": [0, 0, 0], "to": "tip", "color": "red"},
         {"type": "mesh", "vertices": [0,0,0, 1,0,0, 0,1,0], "triangles": [0, 1, 2], "scale": 0.5})"));
  const std::vector<Shape>& shapes = model.bodies[0].shapes;
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0].size[0].expression(), "length");
  EXPECT_EQ(shapes[0].at[0].expression(), "half");
  EXPECT_EQ(shapes[0].color, "#12ab9F");
  ASSERT_TRUE(shapes[1].ends);
  EXPECT_EQ((*shapes[1].ends)[1][0].expression(), "tip.x");
  EXPECT_EQ(shapes[1].color[0], '#');
  EXPECT_EQ(shapes[2].triangles, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(shapes[2].scale[2].value(), 0.5);
}

TEST(Shapes, OfTheGroundAreRead) {
  const Model model = parse_model(small_model_with(
      R"({"ground": {"shapes": [{"type": "sphere", "radius": 1, "at": "wall"}]}})"));
  ASSERT_EQ(model.ground.shapes.size(), 1u);
  EXPECT_EQ(model.ground.shapes[0].at[0].value(), 4.0);
}

TEST(Shapes, OfModelsBuiltInCodeAreChecked) {
  Model model = parse_model(of_arm(R"({"type": "sphere", "radius": 1})"));
  EXPECT_NO_THROW(validate(model));
  for (const char* color : {"orange", "#12345", "#12345g"}) {
    model.bodies[0].shapes[0].color = color;
    EXPECT_THROW(validate(model), InputError) << color;
  }
}

TEST(Shapes, ThatAreWrongAreRefused) {
  expect_all(
      {
          {R"({"type": "cube"})", "/bodies/arm/shapes/0/type: found \"cube\" (string), expected"},
          {R"({"type": "box", "siz": [1, 1, 1]})", "did you mean \"size\"?"},
          {R"({"type": "box"})", "/bodies/arm/shapes/0: the key \"size\" is missing"},
          {R"({"type": "sphere", "radius": 1, "size": [1, 1, 1]})", "found the key \"size\""},
          {R"({"type": "box", "size": [1, 0, 1]})", "/bodies/arm/shapes/0/size: found 0"},
          {R"({"type": "sphere", "radius": "2 - length"})", "/shapes/0/radius: found 0"},
          {R"({"type": "sphere", "radius": "lenth"})", "did you mean \"length\"?"},
          {R"({"type": "sphere", "radius": 1, "at": "tap"})",
           "/shapes/0/at: found \"tap\" (string), expected a vector [x, y, z] or a point of the "
           "same body, one of \"tip\", \"com\""},
          {R"({"type": "sphere", "radius": 1, "color": "pink"})",
           "/shapes/0/color: found \"pink\""},
          {R"({"type": "sphere", "radius": 1, "color": "#12345"})", "expected one of \"#rrggbb\""},
          {R"({"type": "sphere", "radius": 1, "axis": [0, 0, 0]})", "/shapes/0/axis: found"},
          {R"({"type": "sphere", "radius": 1, "zero": [0, 0, 3]})", "/shapes/0/zero: found"},
          {R"({"type": "cylinder", "radius": 1})", "the key \"length\" is missing"},
          {R"({"type": "cylinder", "radius": 1, "from": "tip"})", "the key \"to\" is missing"},
          {R"({"type": "cylinder", "radius": 1, "from": "tip", "to": "tip"})",
           "/shapes/0/to: found the place"},
          {R"({"type": "cylinder", "radius": 1, "from": [0, 0, 0], "to": "tip", "length": 1})",
           "/shapes/0/length: found it beside"},
          {R"({"type": "mesh"})", "found neither \"file\" nor \"vertices\""},
          {R"({"type": "mesh", "file": "../arm.stl"})", "/shapes/0/file: found \"../arm.stl\""},
          {R"({"type": "mesh", "file": "a/../../arm.stl"})", "which it does not leave"},
          {R"({"type": "mesh", "file": "/arm.stl"})", "which it does not leave"},
          {R"({"type": "mesh", "file": "arm.stl", "scale": 0})", "/shapes/0/scale: found 0"},
          {R"({"type": "mesh", "vertices": [0, 0, 0, 1], "triangles": [0, 0, 0]})",
           "/shapes/0/vertices: found 4 numbers"},
          {R"({"type": "mesh", "vertices": [0,0,0, 1,0,0, 0,1,0], "triangles": [0, 1, 3]})",
           "/shapes/0/triangles/2: found 3 (number), expected a vertex, from 0 to 2"},
          {R"({"type": "mesh", "vertices": [0,0,0, 1,0,0, 0,1,0], "triangles": [0, 1]})",
           "/shapes/0/triangles: found 2 numbers"},
          {R"("box")", "/bodies/arm/shapes/0: found \"box\" (string)"},
      },
      [](const char* patch) { return of_arm(patch); });
  EXPECT_NE(error_of(small_model_with(R"({"bodies": {"arm": {"shapes": {}}}})")).find("an array"),
            std::string::npos);
  // Those that are built, not read.
  Model model = parse_model(small_model);
  model.bodies[0].shapes.push_back({.type = "cone"});
  EXPECT_THROW(validate(model), InputError);
  model.bodies[0].shapes[0] = {
      .type = "mesh", .vertices = std::vector(9, 1.0), .triangles = {0, 1, 9}};
  EXPECT_THROW(validate(model), InputError);
}

TEST_F(ShapeFiles, MeshesOfFilesAreWrittenIntoTheModel) {
  std::filesystem::create_directory(path("meshes"));
  std::ofstream(path("meshes/arm.obj")) << tetrahedron;
  const std::string text = of_arm(
      R"({"type": "mesh", "file": "meshes/arm.obj", "scale": 2}, {"type": "mesh", "file": "lost.stl"})");
  std::vector<std::string> remarks;
  const Model model = parse_model(with_meshes(text, "small.json", path(""), remarks), "small.json");
  const std::vector<Shape>& shapes = model.bodies[0].shapes;
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].file, "");
  EXPECT_EQ(shapes[0].triangles.size(), 12u);
  EXPECT_EQ(shapes[0].scale[0].value(), 2.0);
  EXPECT_EQ(shapes[1].file, "lost.stl");
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0],
            "/bodies/arm/shapes/1: the mesh \"lost.stl\" is not drawn: there is no such "
            "file in the folder of the model");
}

TEST_F(ShapeFiles, LinksDoNotLeadOutOfTheFolder) {
  std::filesystem::create_directory(path("model"));
  std::ofstream(path("arm.obj")) << tetrahedron;
  std::filesystem::create_symlink(path("arm.obj"), path("model/arm.obj"));
  std::vector<std::string> remarks;
  const std::string text = of_arm(R"({"type": "mesh", "file": "arm.obj"})");
  EXPECT_EQ(with_meshes(text, "small.json", path("model"), remarks), text);
  EXPECT_EQ(remarks.size(), 1u);
}

TEST_F(ShapeFiles, TextWithoutMeshesStaysAsItIs) {
  std::vector<std::string> remarks;
  const std::string text = R"(// "file"
{ "file": [ ] })";
  EXPECT_EQ(with_meshes(text, "small.json", path(""), remarks), text);
  EXPECT_THROW(with_meshes("{ \"file\": ", "small.json", path(""), remarks), InputError);
  EXPECT_TRUE(remarks.empty());
}

TEST_F(ShapeFiles, ReadingAModelReadsItsMeshes) {
  std::ofstream(path("arm.obj")) << tetrahedron;
  std::ofstream(path("small.json")) << of_arm(R"({"type": "mesh", "file": "arm.obj"})");
  EXPECT_EQ(read_model(path("small.json")).bodies[0].shapes[0].triangles.size(), 12u);
}

}  // namespace
}  // namespace gradus
