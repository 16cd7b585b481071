// Programs that the cache folder keeps from one start to the next.
#include "src/specialise/program_cache.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/source_path.hpp"
#include "tests/verification/specialised_runs.hpp"

namespace gradus::specialise {
namespace {

namespace fs = std::filesystem;

// With a cache folder of its own.
class ProgramCaches : public testing::Test {
 protected:
  ProgramCaches()
      : home_(testing::TempDir() + "/caches_" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
              std::to_string(getpid())),
        on_("GRADUS_KERNEL_CACHE", ""),
        cache_("XDG_CACHE_HOME", home_.string()) {
    fs::remove_all(home_);
  }
  ~ProgramCaches() override { fs::remove_all(home_); }

  fs::path folder() const { return home_ / "gradus" / "kernels"; }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> all;
    if (fs::exists(folder()))
      for (const auto& entry : fs::directory_iterator(folder())) all.push_back(entry.path());
    return all;
  }
  // A start of the program: some runs of the slider-crank, each with the numbers of general
  // kernels.
  StepCounts start(const std::string& formulation = "index1") const {
    Options options;
    options.formulation = formulation;
    options.duration = 0.3;
    return expect_same_numbers(
        read_model(source_path("models/slider-crank/slider-crank-spring.json")), options,
        Sensitivity::direct, 1, 4);
  }

  fs::path home_;
  Setting on_, cache_;
  QuickCompiler compiler_;
};

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(ProgramCaches, SaveTheCompiler) {
  for (const char* formulation : {"index1", "ali3p"}) {
    const StepCounts cold = start(formulation);
    EXPECT_GT(cold.compilations, 0u);
    EXPECT_EQ(cold.found, 0u);
    EXPECT_FALSE(entries().empty());
    StepCounts warm = start(formulation);  // ways may be left that no run has shown yet
    EXPECT_GT(warm.found, 0u);
    EXPECT_GT(warm.programmed, cold.programmed);
    for (int k = 0; k < 3 && warm.compilations > 0; ++k) warm = start(formulation);
    EXPECT_EQ(warm.compilations, 0u);
  }
}

// Where programs are made if they are worth it.
TEST_F(ProgramCaches, AreWhatShortRunsNeed) {
  Model model = read_model(source_path("models/slider-crank/slider-crank-spring.json"));
  Options options;
  options.kernels = "auto";
  options.formulation = "index1";
  options.duration = 0.3;
  {
    Specialised brief(model, options, Sensitivity::direct);
    for (int k = 0; k < 3; ++k) brief.go();
    EXPECT_EQ(brief.steps()->counts().compilations, 0u);
    Specialised lasting(model, options, Sensitivity::direct);
    while (lasting.steps_made() == 0) lasting.go();
  }
  Specialised brief(model, options, Sensitivity::direct);
  for (int k = 0; k < 50 && brief.steps_made() == 0; ++k) brief.go();
  EXPECT_GT(brief.steps()->counts().found, 0u);
  EXPECT_EQ(brief.steps()->counts().compilations, 0u);
}

// A run that ends before the compiler has done with what it met leaves that to the next.
TEST_F(ProgramCaches, KeepWhatWasLearntLast) {
  const std::string script = testing::TempDir() + "/patient_" + std::to_string(getpid());
  const std::string waits = script + ".waits";
  std::ofstream(script) << "#!/bin/sh\n[ -e '" << waits << "' ] && sleep 1000\nexec cc \"$@\"\n";
  fs::permissions(script, fs::perms::owner_all);
  const NamedCompiler named(script);
  const Model model = read_model(source_path("models/slider-crank/slider-crank-spring.json"));
  Options options;
  options.formulation = "ali3p";
  options.duration = 0.3;
  const auto settled = [&] {
    Specialised same(model, options, Sensitivity::direct);
    for (int k = 0; k < 4; ++k) {
      same.go();
      same.steps()->settle({});
    }
    return same.steps()->counts();
  };
  ASSERT_GT(settled().compilations, 0u);
  settled();
  ASSERT_EQ(settled().compilations, 0u);
  {
    std::ofstream(waits) << "";
    Options others = options;
    others.designs.count = 20;
    others.designs.spread = 0.3;
    others.lanes = 1;
    Specialised ending(model, others, Sensitivity::direct);
    for (int k = 0; k < 40; ++k) {
      ending.go();
      if (ending.steps()->counts().missed > 200) break;
    }
    EXPECT_GT(ending.steps()->counts().missed, 0u);
    EXPECT_EQ(ending.steps()->counts().compilations, 0u);
  }
  fs::remove(waits);
  EXPECT_GT(settled().compilations, 0u);
  fs::remove(script);
}

TEST_F(ProgramCaches, KnowMechanismsApart) {
  start("index1");
  EXPECT_EQ(start("matrix-r").found, 0u);
  const QuickCompiler other;
  EXPECT_EQ(start("index1").found, 0u);
}

TEST_F(ProgramCaches, MakeDamagedEntriesAgain) {
  start();
  for (const int damage : {0, 1, 2}) {
    for (const fs::path& entry : entries()) {
      std::string bytes = content(entry);
      if (damage == 0) bytes[bytes.size() / 2] ^= 1;
      if (damage == 1) bytes.resize(bytes.size() / 3);
      if (damage == 2) bytes.clear();
      std::ofstream(entry, std::ios::binary) << bytes;
    }
    const StepCounts counts = start();
    EXPECT_EQ(counts.found, 0u);
    EXPECT_GT(counts.compilations, 0u);
  }
}

StepSetup some_setup() {
  StepSetup setup{};
  setup.lanes = 3;
  return setup;
}

// A program of accelerations where one of their columns was to be.
TEST_F(ProgramCaches, KnowPartsApart) {
  const ProgramCache cache(some_setup(), "cc");
  cache.store(0, {"programs", "library"});
  const std::string accelerations = entries().at(0).string();
  ASSERT_TRUE(accelerations.ends_with("-0"));
  const std::string columns = accelerations.substr(0, accelerations.size() - 1) + "2";
  fs::copy_file(accelerations, columns);
  EXPECT_FALSE(cache.load(2));
  EXPECT_FALSE(fs::exists(columns));
  EXPECT_TRUE(cache.load(0));
}

TEST_F(ProgramCaches, HaveNoHalfEntries) {
  const ProgramCache cache(some_setup(), "cc");
  ASSERT_EQ(cache.folder(), folder());
  const std::string a(300'000, 'a'), b(200'000, 'b');
  const auto write = [&](const std::string& text) {
    for (int k = 0; k < 40; ++k) cache.store(0, {text, text});
  };
  write(a);
  std::thread first(write, a), second(write, b);
  for (int k = 0; k < 100; ++k) {
    const std::optional<ProgramCache::Entry> entry = cache.load(0);
    ASSERT_TRUE(entry);
    EXPECT_TRUE((entry->programs == a || entry->programs == b) &&
                entry->library == entry->programs);
  }
  first.join();
  second.join();
  EXPECT_EQ(entries().size(), 1u);
}

// As on a disk that is full.
TEST_F(ProgramCaches, LeaveNothingThatIsNotWhole) {
  const ProgramCache cache(some_setup(), "cc");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  cache.store(0, {std::string(3000, 'x'), ""});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_FALSE(cache.load(0));
  EXPECT_TRUE(entries().empty());
}

TEST_F(ProgramCaches, ForgetWhatWasUsedLongestAgo) {
  const ProgramCache cache(some_setup(), "cc", 4000);
  for (int part = 0; part < 3; ++part) cache.store(part, {std::string(1000, 'x'), ""});
  const auto hour = std::chrono::hours(1);
  for (const fs::path& entry : entries())
    fs::last_write_time(entry, fs::last_write_time(entry) - hour);
  EXPECT_TRUE(cache.load(0));  // of use just now
  cache.store(3, {std::string(2000, 'y'), ""});
  EXPECT_TRUE(cache.load(0));
  EXPECT_TRUE(cache.load(3));
  EXPECT_FALSE(cache.load(1) && cache.load(2));
}

TEST_F(ProgramCaches, AreNotKeptWhereOthersMayWrite) {
  fs::create_directories(folder());
  fs::permissions(folder(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_TRUE(ProgramCache(some_setup(), "cc").folder().empty());
  EXPECT_EQ(start().found, 0u);
  EXPECT_TRUE(entries().empty());
}

TEST_F(ProgramCaches, AreNotNeeded) {
  for (const char* place : {"/dev/null", "/proc", "relative"}) {
    const Setting nowhere("XDG_CACHE_HOME", place);
    const Setting no_home("HOME", "");
    const ProgramCache cache(some_setup(), "cc");
    EXPECT_TRUE(cache.folder().empty()) << place;
    cache.store(0, {"a", "b"});
    EXPECT_FALSE(cache.load(0));
  }
}

}  // namespace
}  // namespace gradus::specialise
