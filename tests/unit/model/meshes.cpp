// Files of meshes: what they hold is read, and what is damaged is refused.
#include "src/model/mesh.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "gradus/error.hpp"

namespace gradus {
namespace {

constexpr const char* one_facet =
    "solid corner\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1e0 0 0\r\n"
    "\tvertex +0 2.5 0\n  endloop\n endfacet\nendsolid\n";

// A binary file of so many triangles that says it holds `stated`.
std::string binary_stl(std::uint32_t stated, std::uint32_t count, const std::string& header) {
  std::string content = header + std::string(80 - header.size(), ' ');
  content.append(reinterpret_cast<const char*>(&stated), sizeof stated);
  for (std::uint32_t k = 0; k < count; ++k) {
    const float x = static_cast<float>(k);
    const float numbers[12]{0, 0, 1, x, 0, 0, x + 1, 0, 0, x, 1, 0};
    content.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
    content.append(2, '\0');
  }
  return content;
}

std::string refusal(const std::string& content, MeshFormat format) {
  try {
    parse_mesh(content, format);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(Meshes, OfTextArrive) {
  const Mesh mesh = parse_mesh(one_facet, MeshFormat::stl);
  ASSERT_EQ(mesh.triangles.size(), 1u);
  EXPECT_EQ(mesh.vertices.at(2), (std::array<double, 3>{0, 2.5, 0}));
}

TEST(Meshes, OfBinaryFilesArriveWhateverTheirHeaderSays) {
  for (const char* header : {"", "solid of a program that writes binary"}) {
    const Mesh mesh = parse_mesh(binary_stl(3, 3, header), MeshFormat::stl);
    ASSERT_EQ(mesh.triangles.size(), 3u);
    EXPECT_EQ(mesh.vertices.at(mesh.triangles[2][1])[0], 3.0);
  }
}

TEST(Meshes, OfObjMakeFansOfFaces) {
  const Mesh mesh = parse_mesh(
      "# a square\nv 0 0 0\nv 1 0 0 1\nv 1 1 0\nvn 0 0 1\nv 0 1 0\nf 1/1 2/2/2 3//1 4\nf -4 -3 "
      "-1\n",
      MeshFormat::obj);
  ASSERT_EQ(mesh.triangles.size(), 3u);
  EXPECT_EQ(mesh.triangles[1], (std::array<std::uint32_t, 3>{0, 2, 3}));
  EXPECT_EQ(mesh.triangles[2], (std::array<std::uint32_t, 3>{0, 1, 3}));
}

TEST(Meshes, OfObjMayHaveCommentsAnywhereAndAMarkOfUtf8) {
  const Mesh mesh =
      parse_mesh("\xef\xbb\xbfv 0 0 0 # a corner\nv 1 0 0\nv 0 1 0#and another\nf 1 2 3 # all\n",
                 MeshFormat::obj);
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(Meshes, OfStlMayHaveTheirWordsInCapitals) {
  const Mesh mesh = parse_mesh(
      "  SOLID part\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\n"
      "VERTEX 0 1 0\nENDLOOP\nENDFACET\nENDSOLID\n",
      MeshFormat::stl);
  EXPECT_EQ(mesh.vertices.size(), 3u);
  EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(Meshes, OfObjMayHaveLinesThatGoOn) {
  const Mesh mesh =
      parse_mesh("v 0 0 \\\n0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 \\\r\n4 3\n", MeshFormat::obj);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST(Meshes, ThatAreDamagedAreRefused) {
  const auto says = [](const std::string& content, MeshFormat format, const char* expected) {
    EXPECT_NE(refusal(content, format).find(expected), std::string::npos)
        << refusal(content, format);
  };
  says("", MeshFormat::stl, "it is damaged");
  says("hello", MeshFormat::stl, "no STL");
  says(binary_stl(5, 3, ""), MeshFormat::stl, "shorter than it says");
  says("solid nothing\nendsolid\n", MeshFormat::stl, "it holds no triangles");
  says("solid x\nvertex 0 0 zero\n", MeshFormat::stl, "a coordinate is no number");
  says("v 0 0 0\nv 1 0 0\nf 1 2 3\n", MeshFormat::obj, "a vertex that is not there");
  says("v 0 0 0\nf 0 0 0\n", MeshFormat::obj, "a vertex that is not there");
  says("v 0 0\n", MeshFormat::obj, "a coordinate is no number");
  // A triangle whose corner is nowhere is left out, and here none is left.
  says("v 0 0 0\nv 1 0 0\nv nan 0 0\nf 1 2 3\n", MeshFormat::obj, "it holds no triangles");
  says("v 0 0 0\nv 1 0 0\nv 1e300 0 0\nf 1 2 3\n", MeshFormat::obj, "it holds no triangles");
}

TEST(Meshes, AreToldByTheirEnding) {
  const auto says = [](const char* file, const std::string& expected) {
    try {
      read_mesh(file);
      FAIL() << file;
    } catch (const FileError& error) {
      EXPECT_EQ(error.what(), expected);
    }
  };
  says("part.step", "it is neither .stl nor .obj");
  says("no-such-file.STL", "there is no such file");
  says("no-such-file.obj", "there is no such file");
}

}  // namespace
}  // namespace gradus
