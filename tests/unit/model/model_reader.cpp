// Models are read as they are written.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "src/model/reference.hpp"
#include "tests/support/source_path.hpp"
#include "tests/unit/model/model_texts.hpp"

namespace gradus {
namespace {

TEST(ModelReader, ReadsTheFiveBar) {
  const Model model = read_model(source_path("models/five-bar/five-bar.json"));
  EXPECT_EQ(model.name, "five-bar");
  EXPECT_EQ(model.gravity[1].value(), -9.81);
  ASSERT_EQ(model.parameters.size(), 5u);
  EXPECT_EQ(model.parameters[0].name, "L_s1");  // in the order of the file
  EXPECT_EQ(model.parameters[0].value.expression(), "sqrt(5)");
  EXPECT_EQ(model.parameters[0].unit, "m");
  EXPECT_EQ((*model.parameters[0].bounds)[1], 3.0);
  EXPECT_EQ(model.definitions.size(), 3u);
  ASSERT_EQ(model.bodies.size(), 4u);
  EXPECT_EQ(model.bodies[0].mass.expression(), "m_A1");
  EXPECT_EQ(model.bodies[0].inertia.zz.expression(), "1/6");
  EXPECT_EQ(model.bodies[1].points.at("tip")[0].expression(), "L_12");
  ASSERT_EQ(model.joints.size(), 4u);
  EXPECT_EQ(model.joints[1].parent, "A1.tip");
  ASSERT_EQ(model.joints[1].start.size(), 1u);
  EXPECT_FALSE(model.joints[1].start[0].position_is_guess);
  EXPECT_TRUE(model.joints[3].start[0].position_is_guess);
  EXPECT_TRUE(model.joints[3].start[0].velocity_is_guess);
  EXPECT_EQ(model.joints[3].start[0].position.value(), 1.8);
  ASSERT_EQ(model.loops.size(), 1u);
  EXPECT_EQ(model.loops[0].child, "3B.tip");
  ASSERT_EQ(model.forces.size(), 2u);
  EXPECT_EQ(model.forces[1].find("to")->text(), "12.tip");
  ASSERT_EQ(model.sensors.size(), 6u);
  EXPECT_EQ(model.sensors[2].type, "acceleration");
  EXPECT_EQ(model.sensors[5].target, "total");
  ASSERT_EQ(model.objectives.size(), 3u);
  EXPECT_EQ(model.objectives[1].kind, ObjectiveKind::integral);
  EXPECT_EQ(model.objectives[1].expression, "dot(v2, v2)");
  EXPECT_EQ(model.analysis.duration, 5.0);
  EXPECT_EQ(model.analysis.tolerance, 1e-10);
}

TEST(ModelReader, ReadsTheSmallModel) {
  const Model model = parse_model(small_model);
  EXPECT_EQ(model.joints[1].type, JointType::prismatic);
  EXPECT_EQ(model.definitions[1].expression, "[length, 0, 0]");
  EXPECT_EQ(model.parameters[1].value.value(), 100.0);
  EXPECT_EQ(model.analysis.formulation, "ali3p");
}

TEST(ModelReader, StartValuesMayBeListsAndGuesses) {
  const auto start = [](const std::string& initial) {
    return parse_model(small_model_with(R"({"joints": {"hinge": {"initial": )" + initial + "}}}"))
        .joints[0]
        .start[0];
  };
  EXPECT_EQ(start(R"({"position": [0.3], "velocity": ["2*pi"]})").velocity.expression(), "2*pi");
  const CoordinateStart guessed = start(R"({"position": 0.3, "velocity": {"guess": 4}})");
  EXPECT_FALSE(guessed.position_is_guess);
  EXPECT_TRUE(guessed.velocity_is_guess);
  EXPECT_EQ(guessed.velocity.value(), 4.0);
  EXPECT_TRUE(start(R"({"position": [{"guess": 1}]})").position_is_guess);
}

TEST(ModelReader, AcceptsCommentsAndByteOrderMark) {
  const std::string text = small_model;
  EXPECT_EQ(parse_model("\xEF\xBB\xBF// first\n/* second */" + text).name, "small");
}

TEST(ModelReader, SaysWhyAFileCannotBeRead) {
  const auto message = [](const std::filesystem::path& file) -> std::string {
    try {
      read_model(file);
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("no/such/file.json"),
            "no/such/file.json: cannot open it (No such file or directory), check the path");
  EXPECT_NE(message(source_path("")).find("it is a folder"), std::string::npos);
}

TEST(ModelReader, HugeFilesAreRefusedUnread) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("gradus-huge-model-" + std::to_string(getpid()) + ".json");
  std::ofstream(file).close();
  std::filesystem::resize_file(file, std::uintmax_t{100} << 20);  // a hole, not 100 MB of disk
  std::string message = "no error";
  try {
    read_model(file);
  } catch (const InputError& error) {
    message = error.what();
  }
  std::filesystem::remove(file);
  EXPECT_NE(message.find("larger than 16 MiB"), std::string::npos) << message;
}

TEST(References, ResolvePoints) {
  const Model model = parse_model(small_model);
  const References references(model);
  EXPECT_EQ(references.point("ground", "test").body, ground_body);
  EXPECT_EQ(references.point("ground", "test").place, nullptr);
  EXPECT_EQ(references.point("ground.wall", "test").place, &model.ground.points.at("wall"));
  EXPECT_EQ(references.point("slider", "test").body, 1);
  EXPECT_EQ(references.point("arm.tip", "test").place, &model.bodies[0].points.at("tip"));
  EXPECT_EQ(references.point("arm.com", "test").place, &model.bodies[0].com);
  EXPECT_EQ(references.joint("rail", "test"), 1);
}

TEST(References, ResolveVectorsBodiesLoopsAndCoordinates) {
  const Model model = parse_model(everything_with("{}"));
  const References references(model);
  EXPECT_EQ(references.vector("crank.up", "test").body, 0);
  EXPECT_EQ(references.vector("crank.up", "test").components, &model.bodies[0].vectors.at("up"));
  EXPECT_EQ(references.vector("ground.up", "test").body, ground_body);
  EXPECT_EQ(references.body("slider", "test"), 2);
  EXPECT_EQ(references.body("ground", "test"), ground_body);
  EXPECT_FALSE(references.joint_or_loop("ball", "test").is_loop);
  EXPECT_EQ(references.joint_or_loop("ball", "test").place, 1);
  EXPECT_TRUE(references.joint_or_loop("touch", "test").is_loop);
  EXPECT_EQ(references.coordinate("hinge", "test").coordinate, 0);
  EXPECT_EQ(references.coordinate("hinge.0", "test").joint, 0);
  EXPECT_EQ(references.coordinate("free.6", "test").coordinate, 6);
  EXPECT_EQ(references.coordinate("free.6", "test").joint, 8);
}

}  // namespace
}  // namespace gradus
