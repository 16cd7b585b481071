// What URDF and MJCF become: names, numbers, parameters on request, and messages about the rest.
#include <gtest/gtest.h>

#include <unistd.h>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>
#include <string>

#include "gradus/error.hpp"
#include "gradus/import.hpp"
#include "gradus/model.hpp"

namespace gradus {
namespace {

using ModelJson = nlohmann::json;

class Imports : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("gradus-import-" + std::to_string(::getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  ImportedModel urdf(const std::string& content, const ImportOptions& options = {}) const {
    return import_model(
        write("r.urdf", R"(<?xml version="1.0"?><robot name="r">)" + content + "</robot>"),
        options);
  }
  ImportedModel mjcf(const std::string& content, const ImportOptions& options = {}) const {
    return import_model(write("m.xml", "<mujoco>" + content + "</mujoco>"), options);
  }
  // The message of the error, without the folder.
  template <class Call>
  std::string error_of(Call&& call) const {
    try {
      call();
    } catch (const Error& error) {
      std::string message = error.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = message.find(prefix)) != std::string::npos;)
        message.erase(at, prefix.size());
      return message;
    }
    return "no error";
  }
  std::string urdf_error(const std::string& content) const {
    return error_of([&] { urdf(content); });
  }
  std::string mjcf_error(const std::string& content) const {
    return error_of([&] { mjcf(content); });
  }

  std::filesystem::path folder_;
};

ModelJson json_of(const ImportedModel& imported) {
  EXPECT_NO_THROW(parse_model(imported.text, "imported")) << imported.text;
  return ModelJson::parse(imported.text);
}

bool remarks_contain(const ImportedModel& imported, const std::string& text) {
  for (const std::string& remark : imported.remarks)
    if (remark.find(text) != std::string::npos) return true;
  return false;
}

const std::string kArm = R"(<link name="base"/>
  <link name="upper.arm"><inertial><origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.3" izz="0.4" ixy="0.02"/></inertial><visual/><visual/></link>
  <link name="fore"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper.arm"/><origin xyz="1 2 3"/><axis xyz="0 2 0"/>
    <limit lower="-1" upper="2" effort="10" velocity="3"/><dynamics damping="0.5" friction="0.1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper.arm"/><child link="fore"/><mimic joint="shoulder" multiplier="-2" offset="0.3"/></joint>)";

TEST_F(Imports, AnEmptyWorldIsTheGround) {
  const std::string arm =
      R"(<link name="arm"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
    <joint name="shoulder" type="revolute"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/></joint>)";
  const ModelJson empty = json_of(urdf(R"(<link name="world"/>)" + arm));
  EXPECT_EQ(empty["bodies"].size(), 1u);
  EXPECT_EQ(empty["joints"].size(), 1u);
  EXPECT_EQ(empty["joints"]["shoulder"]["parent"], "ground");
  const ModelJson heavy = json_of(urdf(
      R"(<link name="world"><inertial><mass value="9"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>)" +
      arm));
  EXPECT_EQ(heavy["bodies"].size(), 2u);
  ImportOptions floats;
  floats.floating_base = true;
  EXPECT_EQ(json_of(urdf(R"(<link name="world"/>)" + arm, floats))["bodies"].size(), 2u);
  // What hangs on something else is a link like others.
  EXPECT_EQ(
      json_of(urdf(
          R"(<link name="world"/><link name="base"/>)" + arm +
          R"(<joint name="foot" type="fixed"><parent link="base"/><child link="world"/></joint>)"))
          ["bodies"]
              .size(),
      3u);
  EXPECT_NE(urdf_error(R"(<link name="world"/><link name="world"/>)" + arm).find("two links"),
            std::string::npos);
}

TEST_F(Imports, LinksAndJointsOfUrdf) {
  const ImportedModel imported = urdf(kArm);
  const ModelJson model = json_of(imported);
  const ModelJson& body = model["bodies"]["upper_arm"];
  EXPECT_EQ(body["mass"], 2.0);
  EXPECT_EQ(body["com"], (ModelJson{0.1, 0.0, 0.0}));
  EXPECT_NEAR(body["inertia"]["xx"].get<double>(), 0.3, 1e-15);
  EXPECT_NEAR(body["inertia"]["yy"].get<double>(), 0.1, 1e-15);
  EXPECT_NEAR(body["inertia"]["xy"].get<double>(), -0.02, 1e-15);
  EXPECT_EQ(model["bodies"]["base"]["points"]["shoulder"], (ModelJson{1.0, 2.0, 3.0}));
  EXPECT_EQ(model["joints"]["shoulder"]["axis"], (ModelJson{0.0, 1.0, 0.0}));
  EXPECT_EQ(model["joints"]["base of base"]["type"], "fixed");
  EXPECT_EQ(model["definitions"]["lower_shoulder"], -1.0);
  EXPECT_EQ(model["definitions"]["effort_shoulder"], 10.0);
  EXPECT_EQ(model["forces"]["shoulder damping"]["linear"], 0.5);
  EXPECT_NE(model["forces"]["shoulder friction"]["value"].get<std::string>().find("tanh"),
            std::string::npos);
  EXPECT_EQ(model["constraints"]["elbow follows shoulder"]["expression"],
            "q_elbow - (-2)*q_shoulder - (0.3)");
  EXPECT_FALSE(model.contains("parameters"));
  EXPECT_TRUE(remarks_contain(imported, "left out: visual without geometry (2)"))
      << imported.remarks.back();
  EXPECT_TRUE(remarks_contain(imported, "the limits of 1 joint are definitions"));
}

TEST_F(Imports, ParametersOnRequest) {
  const auto names = [](const ImportedModel& imported) {
    std::string list;
    const ModelJson model = json_of(imported);
    for (const auto& [name, value] : model["parameters"].items()) list += name + " ";
    return list;
  };
  EXPECT_EQ(names(urdf(kArm, {{"mass_*"}, false, true, ""})),
            "mass_base mass_fore mass_upper_arm ");
  EXPECT_EQ(names(urdf(kArm, {{"com_fore", "dynamics"}, false, true, ""})),
            "com_fore damping_shoulder friction_shoulder ");
  EXPECT_EQ(names(urdf(kArm, {{"geometry"}, false, true, ""})),
            "axis_elbow axis_shoulder origin_base_of_base origin_elbow origin_shoulder ");
  EXPECT_EQ(parse_model(urdf(kArm, {{"all"}, false, true, ""}).text, "all").parameters.size(),
            3 * 10 + 2 * 3 + 3 * 3 + 2u);
}

TEST_F(Imports, FloatingBaseAndFreeMimics) {
  const ModelJson model = json_of(urdf(kArm, {{}, true, false, ""}));
  EXPECT_EQ(model["joints"]["base of base"]["type"], "floating");
  EXPECT_FALSE(model.contains("constraints"));
}

TEST_F(Imports, ErrorsOfUrdfNameThePlace) {
  EXPECT_NE(
      urdf_error(R"(<link name="arm"><inertial><mass value="zero"/><inertia/></inertial></link>)")
          .find("link \"arm\": mass: found value = \"zero\""),
      std::string::npos);
  EXPECT_NE(urdf_error("").find("r.urdf: robot \"r\": found no link"), std::string::npos);
  EXPECT_NE(
      urdf_error(
          R"(<link name="a"/><joint name="j" type="fixed"><parent link="b"/><child link="a"/></joint>)")
          .find(R"(joint "j": parent: found link = "b" (there is no such link))"),
      std::string::npos);
  EXPECT_NE(urdf_error(R"(<link name="a"/><xacro:macro name="m"/>)").find("run xacro"),
            std::string::npos);
  EXPECT_NE(
      urdf_error(R"(<link name="a"><inertial><mass value="1 2"/><inertia/></inertial></link>)")
          .find(R"(found value = "1 2")"),
      std::string::npos);
  EXPECT_NE(urdf_error(R"(<link name="a"/><link name="a"/>)").find("two links of this name"),
            std::string::npos);
  EXPECT_NE(urdf_error(R"(<link name="a"/><link name="b"/><joint name="j" type="hinge"/>)")
                .find(R"(found type = "hinge")"),
            std::string::npos);
}

TEST_F(Imports, RefusesWhatIsNoRobot) {
  EXPECT_NE(
      error_of([&] { import_model(write("a.xml", "<svg/>")); }).find("found the element \"svg\""),
      std::string::npos);
  EXPECT_NE(
      error_of([&] { import_model(write("a.xml", "<robot>")); }).find("not valid XML at line 1"),
      std::string::npos);
  EXPECT_NE(error_of([&] { import_model(write("a.xml", "")); }).find("a.xml: "), std::string::npos);
  std::string deep = "<robot>";
  for (int k = 0; k < 100'000; ++k) deep += "<a>";
  EXPECT_NE(error_of([&] { import_model(write("a.xml", deep)); }).find("nested more than 200"),
            std::string::npos);
  EXPECT_NE(error_of([&] { import_model(folder_ / "none.urdf"); }), "no error");
  EXPECT_FALSE(is_importable("model.json"));
  EXPECT_TRUE(is_importable("ROBOT.URDF"));
}

// What hides nested elements from whoever counts them does not hide them from the parser.
TEST_F(Imports, DepthIsThatOfTheParser) {
  std::string nested;
  for (int k = 0; k < 30'000; ++k) nested += "<a>";
  for (int k = 0; k < 30'000; ++k) nested += "</a>";
  for (const std::string& text : {"<mujoco><!x '>" + nested + "'></mujoco>",
                                  "<!DOCTYPE x [\"]><mujoco>" + nested + "</mujoco><!-- \" -->"})
    EXPECT_NE(error_of([&] { import_model(write("a.xml", text)); }).find("nested more than 200"),
              std::string::npos);
}

// Followers begin where their leader puts them.
TEST_F(Imports, StartsOfMimicJoints) {
  const std::string more =
      R"(<link name="tool"/><joint name="wrist" type="revolute"><parent link="fore"/><child link="tool"/>
    <mimic joint="elbow" multiplier="0.5" offset="-0.2"/></joint>)";
  const ModelJson joints = json_of(urdf(kArm + more))["joints"];
  EXPECT_EQ(joints["shoulder"]["initial"]["position"][0], 0.0);
  EXPECT_EQ(joints["elbow"]["initial"]["position"][0]["guess"], 0.3);
  EXPECT_NEAR(joints["wrist"]["initial"]["position"][0]["guess"].get<double>(), -0.05, 1e-15);
  EXPECT_NE(
      urdf_error(
          kArm +
          R"(<link name="b"/><joint name="j" type="revolute"><parent link="fore"/><child link="b"/><mimic joint="j"/></joint>)")
          .find("follow each other in a ring"),
      std::string::npos);
}

TEST_F(Imports, OptionsFitTheFormat) {
  ImportOptions options;
  options.keyframe = "up";
  EXPECT_NE(error_of([&] { urdf(kArm, options); }).find("URDF has none"), std::string::npos);
  options = {};
  options.parameters = {"mas_*"};
  EXPECT_TRUE(remarks_contain(urdf(kArm, options), "no number is called \"mas_*\""));
}

TEST_F(Imports, ReadModelImports) {
  urdf(kArm);
  EXPECT_EQ(read_model(folder_ / "r.urdf").bodies.size(), 3u);
}

TEST_F(Imports, BodiesOfMjcf) {
  const ImportedModel imported = mjcf(
      R"(<default><geom density="500"/><default class="light"><geom density="100"/></default></default>
    <worldbody><geom type="plane" size="1 1 1"/><light/><site name="corner" pos="1 2 3"/>
      <body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" ref="90" range="-90 90" frictionloss="0.2"/>
        <joint name="slide" type="slide" stiffness="5"/><geom size="0.1"/><geom class="light" size="0.1" pos="1 0 0"/>
        <body><geom type="box" size="0.5 0.5 0.5" mass="3"/></body></body></worldbody>
    <sensor><gyro site="corner"/></sensor>)");
  const ModelJson model = json_of(imported);
  const double volume = 4.0 / 3.0 * 3.14159265358979323846 * 1e-3;
  EXPECT_NEAR(model["bodies"]["a"]["mass"].get<double>(), 600 * volume, 1e-12);
  EXPECT_NEAR(model["bodies"]["a"]["com"][0].get<double>(), 1.0 / 6.0, 1e-12);
  EXPECT_EQ(model["bodies"]["a frame 1"]["mass"], 0);
  EXPECT_NEAR(model["bodies"]["body"]["inertia"]["xx"].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(model["joints"]["j"]["initial"]["position"][0].get<double>(), std::acos(0.0), 1e-15);
  EXPECT_EQ(model["joints"]["base of body"]["type"], "fixed");
  EXPECT_EQ(model["ground"]["points"]["corner"], (ModelJson{1.0, 2.0, 3.0}));
  EXPECT_EQ(model["forces"]["slide spring"]["stiffness"], 5.0);
  EXPECT_TRUE(remarks_contain(imported, "the contact of 4 geoms is left out"));
  EXPECT_TRUE(remarks_contain(imported, "light (1), sensor gyro (1)")) << imported.remarks.back();
}

TEST_F(Imports, IncludesOfMjcf) {
  write("part.xml",
        R"(<mujocoinclude><body name="b"><joint/><geom size="0.1"/></body></mujocoinclude>)");
  EXPECT_TRUE(
      json_of(mjcf(R"(<worldbody><include file="part.xml"/></worldbody>)"))["bodies"].contains(
          "b"));
  EXPECT_NE(
      mjcf_error(R"(<worldbody><include file="m.xml"/></worldbody>)").find("for the second time"),
      std::string::npos);
  EXPECT_NE(mjcf_error(R"(<include file="/etc/passwd"/>)").find("make it relative"),
            std::string::npos);
  EXPECT_NE(mjcf_error(R"(<include file="none.xml"/>)"), "no error");
}

// The anchor of the second body is held at the place that `relpose` says, of which MuJoCo 4.0.0
// makes the same.
TEST_F(Imports, WeldsOfMjcf) {
  const std::string bodies =
      R"(<worldbody><body name="b"><joint/><geom size="0.1"/></body><body name="c" pos="1 2 3"><freejoint/><geom size="0.1"/></body></worldbody>)";
  const auto place_of = [&](const std::string& weld) {
    const ModelJson model = json_of(
        mjcf(bodies + R"(<equality><weld name="w" body1="b" body2="c" )" + weld + "/></equality>"));
    return model["bodies"]["b"]["points"]["w"];
  };
  const auto expect_at = [&](const std::string& weld, std::array<double, 3> expected) {
    const ModelJson place = place_of(weld);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(place[k].get<double>(), expected[k], 1e-15) << weld;
  };
  expect_at("", {1, 2, 3});
  expect_at(R"(anchor="0.1 0 0.2")", {1, 2, 3});
  expect_at(R"(relpose="0.3 0.1 0 1 0 0 0")", {0.3, 0.1, 0});
  expect_at(R"(anchor="0.1 0 0" relpose="0.3 0.1 0 1 0 0 0")", {0.2, 0.1, 0});
  expect_at(R"(anchor="0.1 0 0.2" relpose="0.3 0.1 0 1 0 0 1")", {0.3, 0, -0.2});
}

// That of a free joint is a body of its own, which weighs nothing and follows no mass of another.
TEST_F(Imports, ArmatureOfMjcf) {
  const ModelJson model = json_of(mjcf(
      R"(<option gravity="0 0 -10"/><worldbody><body name="b" gravcomp="0.5"><joint name="f" type="free" armature="0.2"/>
    <inertial pos="0.3 0 0" mass="0.3" diaginertia="0.05 0.05 0.05"/></body></worldbody>)",
      {{"all"}, false, true, ""}));
  EXPECT_EQ(model["parameters"]["mass_b"]["value"], 0.3);
  EXPECT_EQ(model["parameters"]["armature_f"]["value"], 0.2);
  EXPECT_EQ(model["bodies"]["b armature"]["mass"], "armature_f");
  EXPECT_EQ(model["bodies"]["b armature"]["inertia"]["yy"], "armature_f");
  EXPECT_EQ(model["joints"]["b armature"]["type"], "fixed");
  EXPECT_EQ(model["forces"]["b armature"]["components"][2], "(10)*armature_f");
  EXPECT_EQ(model["forces"]["b gravity compensation"]["components"][2], "-(-5)*mass_b");
}

// Controls are parameters always, and no mistake where they are asked for.
TEST_F(Imports, ControlsThatAreAskedFor) {
  const ImportedModel imported = mjcf(
      R"(<worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody><actuator><motor name="m" joint="j"/></actuator>)",
      {{"ctrl_*"}, false, true, ""});
  EXPECT_FALSE(remarks_contain(imported, "no number is called"));
}

// Parameters, definitions, states and sensors share one name space.
TEST_F(Imports, NamesDoNotMeet) {
  const std::string tendon =
      R"(<worldbody><body><joint name="x"/><joint name="speed" frictionloss="1"/><geom size="0.1"/></body></worldbody>
    <tendon><fixed name="x"><joint joint="x" coef="2"/></fixed></tendon><actuator><motor tendon="x"/><motor joint="x" name="x"/></actuator>)";
  const ModelJson model = json_of(mjcf(tendon, {{"all"}, false, true, ""}));
  EXPECT_TRUE(model["sensors"].contains("rate_x"));
  EXPECT_EQ(model["definitions"]["rate_x_"], "(2)*rate_x");
  EXPECT_TRUE(model["definitions"].contains("friction_speed"));
  EXPECT_TRUE(model["parameters"].contains("friction_speed_"));
}

// A cube of 1 m, with two corners for each edge of its faces as squares.
TEST_F(Imports, MassesOfMeshes) {
  const std::string cube =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const std::string model =
      R"(<compiler meshdir="meshes"/><asset><mesh file="cube.obj" scale="2 1 1"/></asset>
    <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="cube" density="6" pos="0 0 1"/></body></worldbody>)";
  EXPECT_NE(mjcf_error(model).find(R"(cube.obj" cannot be read: there is no such file)"),
            std::string::npos)
      << mjcf_error(model);
  std::filesystem::create_directories(folder_ / "meshes");
  write("meshes/cube.obj", cube);
  const ModelJson body = json_of(mjcf(model))["bodies"]["b"];
  EXPECT_NEAR(body["mass"].get<double>(), 12.0, 1e-12);
  EXPECT_NEAR(body["com"][0].get<double>(), 1.0, 1e-12);
  EXPECT_NEAR(body["com"][2].get<double>(), 1.5, 1e-12);
  EXPECT_NEAR(body["inertia"]["xx"].get<double>(), 2.0, 1e-12);
  EXPECT_NEAR(body["inertia"]["zz"].get<double>(), 5.0, 1e-12);
  // A triangle that the reader leaves out is missed.
  write("meshes/cube.obj", cube + "v 1e300 0 0\nf 1 2 9\n");
  EXPECT_NE(mjcf_error(model).find("within 1e12 of their origin"), std::string::npos);
}

TEST_F(Imports, NamesWithMeaningsOfTheirOwn) {
  const ModelJson model = json_of(mjcf(
      R"(<worldbody><body name="ground"><joint name="com" pos="1 0 0"/><geom size="0.1"/><site name="com"/></body></worldbody>)"));
  EXPECT_TRUE(model["bodies"]["ground_"]["points"].contains("com_"));
  EXPECT_TRUE(model["joints"].contains("com_"));
}

TEST_F(Imports, WhatIsWrittenAsTextIsNamed) {
  const std::string text =
      R"(<link name="a"/><link name="b"/><joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin>1 2 3</origin></joint>)";
  EXPECT_TRUE(remarks_contain(urdf(text), "text within origin (1)"));
}

// A class has what its parent had when the class was read.
TEST_F(Imports, DefaultsStandBeforeTheirClasses) {
  const std::string body =
      R"(<worldbody><body><joint class="c"/><geom size="0.1"/></body></worldbody>)";
  const std::string classes =
      R"(<default><default class="c"><joint damping="1"/></default></default>)";
  const std::string main = R"(<default><joint stiffness="5"/></default>)";
  EXPECT_EQ(json_of(mjcf(main + classes + body))["forces"].size(), 2u);
  EXPECT_NE(mjcf_error(classes + main + body).find("put the outermost defaults first"),
            std::string::npos);
}

TEST_F(Imports, KeyframesOfMjcf) {
  const std::string content =
      R"(<worldbody><body><freejoint name="f"/><geom size="0.1"/></body></worldbody>
    <keyframe><key name="up" qpos="1 2 3 0 0 0 2" qvel="1 0 0 1 0 0"/></keyframe>)";
  ImportOptions options;
  options.keyframe = "up";
  const ModelJson initial = json_of(mjcf(content, options))["joints"]["f"]["initial"];
  EXPECT_EQ(initial["position"], (ModelJson{1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0}));
  // Half a turn about z, and a turning about the x axis of the body.
  EXPECT_EQ(initial["velocity"], (ModelJson{1.0, 0.0, 0.0, -1.0, 0.0, 0.0}));
  options.keyframe = "down";
  EXPECT_NE(error_of([&] { mjcf(content, options); }).find(R"(found no keyframe "down")"),
            std::string::npos);
  EXPECT_TRUE(remarks_contain(mjcf(content), "keyframe (1)"));
}

TEST_F(Imports, ErrorsOfMjcfNameThePlace) {
  const auto body = [](const std::string& content) {
    return "<worldbody><body name=\"b\"><joint/>" + content + "</body></worldbody>";
  };
  EXPECT_NE(
      mjcf_error(body(R"(<geom type="box" size="1 1"/>)")).find("3 numbers above 0 for a box"),
      std::string::npos);
  EXPECT_NE(mjcf_error(body(R"(<geom class="c" size="1"/>)")).find("found the class \"c\""),
            std::string::npos);
  EXPECT_NE(mjcf_error(body(R"(<geom quat="0 0 0 0" size="1"/>)")).find("a length above 0"),
            std::string::npos);
  EXPECT_NE(mjcf_error(body(R"(<replicate count="3"/><geom size="1"/>)")).find("mj_saveLastXML"),
            std::string::npos);
  EXPECT_NE(mjcf_error(body(R"(<geom type="mesh" mesh="m"/>)")).find("mesh"), std::string::npos);
  EXPECT_NE(mjcf_error(body(R"(<geom size="1"/><body><freejoint/><geom size="1"/></body>)"))
                .find("only bodies of the world float"),
            std::string::npos);
  EXPECT_NE(mjcf_error(body(R"(<geom size="1"/>)") + R"(<actuator><motor joint="k"/></actuator>)")
                .find(R"(found joint = "k")"),
            std::string::npos);
}

}  // namespace
}  // namespace gradus
