// Studies with an optimisation, run in a folder of their own.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "gradus/gradus.hpp"
#include "tests/unit/study/optimization/suspension.hpp"

namespace gradus::test {

class OptimizeStudies : public testing::Test {
 protected:
  void SetUp() override {
    if (optimization_methods().size() < 4) GTEST_SKIP() << "the module of NLopt was not built";
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("optimize-" + std::string(info->name()) + "-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  StudySettings settings(const char* name = "a") const {
    StudySettings result;
    result.folder = folder_ / name;
    return result;
  }

  std::filesystem::path folder_;
};

// All that must not differ between runs.
inline std::map<std::string, std::string> results_in(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().filename() == "run.json") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files[entry.path().filename()] =
        std::string(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return files;
}

inline nlohmann::json summary_in(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "summary.json");
  return nlohmann::json::parse(stream);
}

inline Study many_starts(const std::string& method, std::size_t starts) {
  Study study = suspension_study(method);
  study.optimization->starts = starts;
  study.optimization->seed = 3;
  return study;
}

}  // namespace gradus::test
