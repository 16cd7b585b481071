// Visuals of URDF and geoms of MJCF become shapes; what cannot is named with counts.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gradus/import.hpp"
#include "gradus/model.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus {
namespace {

using ModelJson = nlohmann::json;

constexpr const char* solid_in_obj =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

class ImportedLooks : public test::TemporaryFolder {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(path(name).parent_path());
    std::ofstream(path(name)) << text;
  }
  ImportedModel read(const std::string& name, const ImportOptions& options = {}) const {
    ImportedModel imported = import_model(path(name), options);
    EXPECT_NO_THROW(parse_model(imported.text, name)) << imported.text;
    return imported;
  }
  ImportedModel urdf(const std::string& visuals, const std::string& more = "",
                     const ImportOptions& options = {}) const {
    write("robots/arm/urdf/r.urdf", R"(<robot name="r">)" + more +
                                        R"(<link name="a"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1"/></inertial>)" +
                                        visuals + R"(</link></robot>)");
    return read("robots/arm/urdf/r.urdf", options);
  }
};

ModelJson shapes_of(const ImportedModel& imported, const std::string& body) {
  return ModelJson::parse(imported.text)["bodies"][body].value("shapes", ModelJson::array());
}

bool says(const ImportedModel& imported, const std::string& text) {
  return std::any_of(imported.remarks.begin(), imported.remarks.end(),
                     [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

std::string visual(const std::string& geometry, const std::string& more = "") {
  return "<visual>" + more + "<geometry>" + geometry + "</geometry></visual>";
}

TEST_F(ImportedLooks, SolidsOfUrdfWithTheirColours) {
  const ImportedModel imported = urdf(
      visual(R"(<box size="1 2 3"/>)", R"(<origin xyz="0 0 1"/><material name="paint"/>)") +
          visual(
              R"(<cylinder radius="0.5" length="2"/>)",
              R"(<origin rpy="0 1.5707963267948966 0"/><material><color rgba="1 0.5 0 1"/></material>)") +
          visual(R"(<sphere radius="3"/>)"),
      R"(<material name="paint"><color rgba="0 0 1 1"/></material>)");
  const ModelJson shapes = shapes_of(imported, "a");
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[0]["size"], (ModelJson{1.0, 2.0, 3.0}));
  EXPECT_EQ(shapes[0]["at"], (ModelJson{0.0, 0.0, 1.0}));
  EXPECT_EQ(shapes[0]["color"], "#0000ff");
  EXPECT_FALSE(shapes[0].contains("axis"));
  EXPECT_EQ(shapes[1]["type"], "cylinder");
  EXPECT_NEAR(shapes[1]["axis"][0].get<double>(), 1.0, 1e-12);
  EXPECT_EQ(shapes[1]["color"], "#ff8000");
  EXPECT_EQ(shapes[2], (ModelJson{{"type", "sphere"}, {"radius", 3.0}}));
  EXPECT_TRUE(imported.remarks.empty()) << imported.remarks[0];
}

TEST_F(ImportedLooks, WhatOfUrdfIsNotDrawnIsNamed) {
  const std::string ball = R"(<sphere radius="1"/>)";
  const ImportedModel imported =
      urdf(visual(ball, R"(<material name="paint"><texture filename="a.png"/></material>)") +
           visual(ball, R"(<material name="unknown"/>)") +
           visual(ball + ball, R"(<material><color rgba="1 0 0 0.3"/></material>)") +
           visual(ball, R"(<material><color rgba="red"/></material>)") +
           visual(R"(<sphere radius="1e20"/>)"));
  EXPECT_EQ(shapes_of(imported, "a").size(), 4u);
  for (const char* text : {"texture of a visual (1)", "material that is not defined (1)",
                           "second geometry of a visual (1)", "transparency (1)",
                           "colour that is none (1)", "visual that is no shape (1)"})
    EXPECT_TRUE(says(imported, text)) << text;
}

TEST_F(ImportedLooks, GeomsOfMjcfThatAreFittedToMeshes) {
  write("m.xml", R"(<mujoco><asset><mesh name="g" file="g.obj"/></asset><worldbody><body name="b">
    <freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="sphere" mesh="g"/>
    </body></worldbody></mujoco>)");
  write("g.obj", solid_in_obj);
  const ImportedModel imported = read("m.xml");
  EXPECT_TRUE(shapes_of(imported, "b").empty());
  EXPECT_TRUE(says(imported, "what is fitted to meshes")) << imported.remarks.size();
}

TEST_F(ImportedLooks, MeshesOfPackagesThatTheFileLiesIn) {
  write("robots/arm/meshes/a.obj", solid_in_obj);
  EXPECT_EQ(
      shapes_of(urdf(visual(R"(<mesh filename="package:///arm/meshes/a.obj"/>)")), "a").size(), 1u);
  const ImportedModel imported =
      urdf(visual(R"(<mesh filename="package://arm/meshes/a.obj" scale="0.1 0.1 0.1"/>)"));
  const ModelJson shapes = shapes_of(imported, "a");
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[0]["triangles"].size(), 12u);
  EXPECT_EQ(shapes[0]["scale"], (ModelJson{0.1, 0.1, 0.1}));
}

TEST_F(ImportedLooks, MeshesOfFoldersThatAreGiven) {
  write("elsewhere/hand/a.obj", solid_in_obj);
  const std::string mesh = visual(R"(<mesh filename="package://hand/a.obj"/>)");
  const ImportedModel without = urdf(mesh);
  EXPECT_TRUE(shapes_of(without, "a").empty());
  EXPECT_TRUE(says(without,
                   "1 shape left out, whose mesh cannot be read: "
                   "\"package://hand/a.obj\" (it is not in the folders"));
  for (const char* folder : {"elsewhere", "elsewhere/hand"}) {
    ImportOptions options;
    options.packages = {path(folder)};
    EXPECT_EQ(shapes_of(urdf(mesh, "", options), "a").size(), 1u) << folder;
  }
}

TEST_F(ImportedLooks, MeshesOutsideAreNotRead) {
  write("robots/secret.obj", solid_in_obj);
  write("robots/arm/urdf/near.obj", solid_in_obj);
  for (const std::string& name :
       {std::string("../../secret.obj"), std::string("package://arm/../secret.obj"),
        std::string("package://../secret.obj"), path("robots/secret.obj").string(),
        "file://" + path("robots/secret.obj").string()})
    EXPECT_TRUE(shapes_of(urdf(visual("<mesh filename=\"" + name + "\"/>")), "a").empty()) << name;
  for (const std::string& name :
       {std::string("near.obj"), "file://" + path("robots/arm/urdf/near.obj").string()})
    EXPECT_EQ(shapes_of(urdf(visual("<mesh filename=\"" + name + "\"/>")), "a").size(), 1u) << name;
}

TEST_F(ImportedLooks, ThatCannotBeReadAreCounted) {
  write("robots/arm/urdf/broken.stl", "solid nothing\nendsolid\n");
  const ImportedModel imported =
      urdf("<visual/>" + visual(R"(<mesh filename="a.dae"/>)") +
           visual(R"(<mesh filename="b.DAE"/>)") + visual(R"(<cone radius="1"/>)") +
           visual(R"(<box size="1 0 1"/>)") + visual(R"(<sphere radius="x"/>)") +
           visual(R"(<mesh filename="broken.stl"/>)") + visual(R"(<mesh filename="broken.stl"/>)") +
           visual(R"(<box size="1 1 1"/>)", R"(<material><color rgba="1 1 1 0"/></material>)"));
  EXPECT_TRUE(shapes_of(imported, "a").empty());
  EXPECT_TRUE(says(imported, "visual cone (1)"));
  EXPECT_TRUE(says(imported, "visual mesh .dae (2)"));
  EXPECT_TRUE(says(imported, "visual that is no shape (2)"));
  EXPECT_TRUE(says(imported, "visual that is invisible (1)"));
  EXPECT_TRUE(says(imported, "visual without geometry (1)"));
  EXPECT_TRUE(says(imported,
                   "2 shapes left out, whose meshes cannot be read: \"broken.stl\" (it "
                   "holds no triangles) and 1 more"));
}

TEST_F(ImportedLooks, VisibleGeomsOfMjcf) {
  write("m.obj", solid_in_obj);
  write(
      "m.xml",
      R"(<mujoco><asset><material name="steel" rgba="0 1 0 1"/><mesh name="m" file="m.obj" scale="2 2 2"/>
      <mesh name="lost" file="lost.stl"/></asset>
    <worldbody><geom type="plane" size="1 1 1"/><geom type="box" size="1 1 1"/>
      <body name="b" pos="0 0 1"><freejoint/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <geom type="sphere" size="0.5" material="steel"/>
        <frame pos="1 0 0"><geom type="capsule" size="0.1 0.4" pos="0 1 0" rgba="1 0 0 1"/></frame>
        <geom type="sphere" size="0.5" group="3"/><geom type="sphere" size="0.5" rgba="1 1 1 0"/>
        <geom type="mesh" mesh="m"/><geom type="mesh" mesh="lost"/></body></worldbody></mujoco>)");
  const ImportedModel imported = read("m.xml");
  const ModelJson shapes = shapes_of(imported, "b");
  ASSERT_EQ(shapes.size(), 3u) << shapes.dump();
  EXPECT_EQ(shapes[0], (ModelJson{{"type", "sphere"}, {"color", "#00ff00"}, {"radius", 0.5}}));
  EXPECT_EQ(shapes[1]["at"], (ModelJson{1.0, 1.0, 0.0}));
  EXPECT_EQ(shapes[1]["length"], 0.8);
  EXPECT_EQ(shapes[1]["color"], "#ff0000");
  EXPECT_EQ(shapes[2]["vertices"].size(), 12u);
  EXPECT_EQ(*std::max_element(shapes[2]["vertices"].begin(), shapes[2]["vertices"].end()), 2.0);
  EXPECT_EQ(ModelJson::parse(imported.text)["ground"]["shapes"][0]["size"],
            (ModelJson{2.0, 2.0, 2.0}));
  EXPECT_TRUE(says(imported, "1 geom not drawn: planes"));
  EXPECT_TRUE(says(imported, "1 shape left out, whose mesh cannot be read: \"lost\""));
}

TEST_F(ImportedLooks, ChangeNoMotion) {
  const ImportedModel with = urdf(visual(R"(<box size="1 2 3"/>)")), without = urdf("");
  ModelJson model = ModelJson::parse(with.text);
  model["bodies"]["a"].erase("shapes");
  EXPECT_EQ(model, ModelJson::parse(without.text));
}

}  // namespace
}  // namespace gradus
