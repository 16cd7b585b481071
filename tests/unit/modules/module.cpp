// Which modules are opened, and what is said of the others.
#include "src/modules/module.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "gradus/error.hpp"
#include "gradus/mechanism.hpp"
#include "tests/support/source_path.hpp"
#include "tests/unit/modules/small_module.hpp"

namespace gradus::test {
namespace {

constexpr int interface = SmallModule::interface;

class ModuleTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(setenv("GRADUS_MODULES", GRADUS_TEST_MODULES, 1), 0); }
  void TearDown() override { unsetenv("GRADUS_MODULES"); }
};

struct GoodModule : SmallModule {
  static constexpr const char* file = "libgradus_test_good.so";
};

TEST_F(ModuleTest, IsOpenedOnce) {
  EXPECT_EQ(Module<GoodModule>::obstacle(), "");
  EXPECT_EQ(Module<GoodModule>::functions().twice(21), 42);
  ASSERT_EQ(setenv("GRADUS_MODULES", "/nowhere", 1), 0);
  EXPECT_EQ(Module<GoodModule>::obstacle(), "");
}

TEST_F(ModuleTest, IsLookedForNowhereElseThanAsked) {
  ASSERT_EQ(setenv("GRADUS_MODULES", "/nowhere", 1), 0);
  const OpenedModule found = open_module(GoodModule::file, interface);
  EXPECT_EQ(found.functions, nullptr);
  EXPECT_EQ(
      found.obstacle,
      "libgradus_test_good.so was not found in /nowhere, which GRADUS_MODULES names: it was not "
      "built, or not installed");
}

TEST_F(ModuleTest, IsMissedWhereTheLoaderLooksToo) {
  unsetenv("GRADUS_MODULES");
  const std::string obstacle = open_module("libgradus_test_none.so", interface).obstacle;
  // Beside the program, or beside the library where that is a shared one.
  const auto program = std::filesystem::canonical("/proc/self/exe").parent_path();
  const std::string build = program.parent_path().string();
  EXPECT_TRUE(obstacle.starts_with("libgradus_test_none.so was not found in " + build + "/"))
      << obstacle;
  EXPECT_TRUE(obstacle.ends_with(
      " and where the loader looks: it was not built, or not installed; GRADUS_MODULES may name "
      "another folder"))
      << obstacle;
}

TEST_F(ModuleTest, OfAnotherVersionIsRefused) {
  const OpenedModule found = open_module("libgradus_test_old.so", interface);
  EXPECT_EQ(found.functions, nullptr);
  EXPECT_EQ(found.obstacle,
            "libgradus_test_old.so belongs to another build of gradus: found version 0.0.1, "
            "interface 3, expected " +
                version() + ", 3");
}

TEST_F(ModuleTest, OfAnotherInterfaceIsRefused) {
  const OpenedModule found = open_module(GoodModule::file, interface + 1);
  EXPECT_EQ(found.functions, nullptr);
  EXPECT_NE(found.obstacle.find("interface 3, expected " + version() + ", 4"), std::string::npos)
      << found.obstacle;
}

TEST_F(ModuleTest, WithoutAnEntryIsRefused) {
  const OpenedModule found = open_module("libgradus_test_empty.so", interface);
  EXPECT_EQ(found.functions, nullptr);
  EXPECT_EQ(found.obstacle, "libgradus_test_empty.so is no module of this gradus");
}

TEST_F(ModuleTest, SaysWhatItLacks) {
  const std::string obstacle = open_module("libgradus_test_needy.so", interface).obstacle;
  EXPECT_EQ(obstacle.rfind("libgradus_test_needy.so does not load: libgradus_test_lost.so", 0), 0U)
      << obstacle;
}

TEST_F(ModuleTest, IsHelpedByWhatItsFaultNeeds) {
  constexpr ModuleLibrary library{"Good", "libgood-dev", "libgood1"};
  const auto hint = [&](const std::string& file, int expected) {
    return module_hint(open_module(file, expected), file, library);
  };
  EXPECT_EQ(hint(GoodModule::file, interface), "");
  EXPECT_EQ(hint("libgradus_test_none.so", interface),
            "build the target gradus_test_none (if there is none, install Good, Debian: "
            "libgood-dev, and configure again)");
  EXPECT_EQ(hint("libgradus_test_needy.so", interface), "install Good (Debian: libgood1)");
  for (const char* file : {"libgradus_test_old.so", "libgradus_test_empty.so"})
    EXPECT_EQ(hint(file, interface).rfind("build the program and the target gradus_test_", 0), 0U);
}

TEST_F(ModuleTest, ThatIsNoLibraryIsRefused) {
  const std::string obstacle = open_module("libgradus_test_damaged.so", interface).obstacle;
  EXPECT_EQ(obstacle.rfind("libgradus_test_damaged.so does not load: ", 0), 0U) << obstacle;
}

// As one that asks for a GPU where there is none.
TEST(MechanismWithoutModules, IsRefusedWhereItsBackendIsNotThere) {
  const Model model = read_model(source_path("models/five-bar/five-bar.json"));
  ASSERT_EQ(setenv("GRADUS_MODULES", "/nowhere", 1), 0);
  Options options;
  for (const char* backend : {"debug", "cuda"}) {
    options.backend = backend;
    EXPECT_THROW(Mechanism(model, options), BackendError) << backend;
  }
  unsetenv("GRADUS_MODULES");
  EXPECT_EQ(describe_backends()[1].rfind("debug: not available (", 0), 0U);
}

}  // namespace
}  // namespace gradus::test
