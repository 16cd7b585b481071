// Which plug-ins are loaded, and what is said of the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gradus/gradus.hpp"
#include "src/plugins/plugins.hpp"

namespace gradus::test {
namespace {

std::string file_of(const std::string& name) {
  return std::string(GRADUS_TEST_PLUGINS) + "/libgradus_plugin_" + name + ".so";
}

std::string plugin_of(const std::string& type) {
  for (const auto& [known, plugin] : force_types())
    if (known == type) return plugin.empty() ? "gradus" : plugin;
  return "none";
}

template <class Refusal = InputError>
std::string refusal(const std::string& file) {
  try {
    load_plugin(file);
  } catch (const Refusal& error) {
    return error.what();
  }
  return "no refusal";
}

// A bead on a rail, pulled by a force from the ground.
Model bead(const std::string& type, const std::map<std::string, ForceValue, std::less<>>& values) {
  Model m;
  m.name = "bead";
  Body body;
  body.name = "bead";
  body.mass = 1;
  m.bodies = {body};
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::prismatic;
  rail.parent = "ground";
  rail.child = "bead";
  rail.axis = Vector3{1, 0, 0};
  rail.start = {{2, 0, false, false}};
  m.joints = {rail};
  m.forces = {{"pull", type, values}};
  m.sensors = {{"a", "coordinate_acceleration", "rail"}};
  m.objectives = {{"end", ObjectiveKind::terminal, "a", "", ""}};
  m.analysis.duration = 1e-6;
  m.analysis.step = 1e-6;
  return m;
}

double acceleration(const std::string& type,
                    std::map<std::string, ForceValue, std::less<>> values) {
  values["from"] = "ground";
  values["to"] = "bead";
  Options options;
  options.backend = "cpu:1";
  return simulate(bead(type, values), options).objective_values[0];
}

TEST(Plugins, AreLoadedBesideEachOther) {
  EXPECT_EQ(plugin_of("first-spring"), "none");
  load_plugin(file_of("first"));
  load_plugin(file_of("second"));
  load_plugin(file_of("hand_written"));
  EXPECT_EQ(plugin_of("first-spring"), std::filesystem::canonical(file_of("first")).string());
  EXPECT_EQ(plugin_of("second-spring"), std::filesystem::canonical(file_of("second")).string());
  EXPECT_EQ(plugin_of("torque"), "gradus");
  // Both call their structs alike.
  EXPECT_NEAR(acceleration("first-spring", {{"stiffness", 3}, {"length", 0.5}}), -4.5, 1e-9);
  EXPECT_NEAR(acceleration("second-spring", {{"hardness", 0.25}}), -2.0, 1e-9);
  EXPECT_NEAR(acceleration("by-hand", {{"k", 0.7}}), -1.4, 1e-9);
}

TEST(Plugins, AreLoadedOnce) {
  load_plugin(file_of("first"));
  const std::size_t types = force_types().size();
  load_plugin(file_of("first"));
  const std::filesystem::path copy =
      std::filesystem::path(testing::TempDir()) / "gradus_plugin_copy.so";
  std::filesystem::copy_file(file_of("first"), copy,
                             std::filesystem::copy_options::overwrite_existing);
  load_plugin(copy);  // wherever it lies
  EXPECT_EQ(force_types().size(), types);
  std::filesystem::remove(copy);
}

TEST(Plugins, AreKnownOfModels) {
  load_plugin(file_of("first"));
  load_plugin(file_of("second"));
  EXPECT_TRUE(plugins_of(bead("torque", {})).empty());
  const auto used = plugins_of(bead("second-spring", {}));
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(used[0]->file, std::filesystem::canonical(file_of("second")).string());
  EXPECT_EQ(used[0]->content.size(), std::filesystem::file_size(file_of("second")));
}

TEST(Plugins, ThatAreNoneAreRefused) {
  const auto expect = [](const std::string& found, const std::string& says) {
    EXPECT_NE(found.find(says), std::string::npos) << found << "\nexpected: " << says;
  };
  const std::string folder = GRADUS_TEST_PLUGINS;
  expect(refusal<FileError>(folder + "/libnone.so"),
         "libnone.so (No such file or directory), check the path");
  expect(refusal<FileError>(folder), "it is no regular file");
  expect(refusal<FileError>(""), "cannot load");
  expect(refusal(folder + "/libdamaged.so"), "it is no library that can be loaded");
  expect(refusal(file_of("no_entry")),
         "it is no plug-in of gradus (it exports no gradus_plugin_ent");
  expect(refusal(file_of("other_interface")),
         "it was built for interface 3 of plug-ins (this gradus has interface 2), build it again");
  expect(refusal(file_of("nothing")), "it describes nothing");
  expect(refusal(file_of("empty")), "it has no forces");
  expect(refusal(file_of("problem")), "it cannot describe its forces (it says \"out of");
  expect(refusal(file_of("restless")), "(it says \"no licence\")");
}

// As far as gradus' own forces go.
TEST(Plugins, DoNotTakeTypesFromGradus) {
  const std::string found = refusal(file_of("taken_type"));
  EXPECT_NE(found.find("found a force of the type \"torque\" (gradus has one of that type)"),
            std::string::npos)
      << found;
}

TEST(Plugins, HaveOneForceOfATypeEach) {
  EXPECT_NE(refusal(file_of("twice")).find("(it has two of that type)"), std::string::npos);
  EXPECT_EQ(plugin_of("twice"), "none");
}

// A type is taken by the first that brings it, and nothing stays of the other.
TEST(Plugins, DoNotTakeTypesFromEachOther) {
  load_plugin(file_of("hand_written"));
  const std::size_t types = force_types().size();
  const std::string found = refusal(file_of("twin"));
  EXPECT_NE(
      found.find("the plug-in " + std::filesystem::canonical(file_of("hand_written")).string() +
                 " has one of that type"),
      std::string::npos)
      << found;
  EXPECT_EQ(force_types().size(), types);
}

TEST(Plugins, ThatHaveChangedAreRefused) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "gradus_plugin_changed.so";
  const auto put = [&](const std::string& name) {
    std::filesystem::remove(file);
    std::filesystem::copy_file(file_of(name), file);
  };
  put("faulty");
  load_plugin(file);
  put("restless");
  EXPECT_NE(refusal(file.string()).find("it has changed since it was loaded"), std::string::npos);
  std::filesystem::remove(file);
}

// While plug-ins are loaded, other threads read models.
TEST(Plugins, AreLoadedWhileModelsAreRead) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      for (int k = 0; k < 50; ++k) {
        if (i == 0) load_plugin(file_of(k % 2 == 0 ? "first" : "second"));
        if (i > 0) validate(bead("joint-force", {{"joint", "rail"}, {"value", 1}}));
        if (i > 0) static_cast<void>(plugin_of("second-spring"));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_NE(plugin_of("second-spring"), "none");
}

}  // namespace
}  // namespace gradus::test
