// The table that decides which solver serves: choosing, measuring, storing, reading.
#include "src/backend/stored_tables.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "gradus/error.hpp"
#include "tests/backend/linear/solver_run.hpp"

namespace gradus::test {
namespace {

namespace files = std::filesystem;

SolverChoice choice(int size, int columns, std::ptrdiff_t systems, const std::string& solver,
                    bool definite = false) {
  return {size, columns, systems, definite, solver, {}};
}

SolverKind chosen(const SolverTable& table, int size, int columns, std::ptrdiff_t count,
                  bool definite = false) {
  LinearBatch batch{size, count};
  batch.definite = definite;
  return choose_solver(table, batch, columns);
}

TEST(SolverTable, TakesTheNearestShape) {
  const SolverTable table{
      "x",
      "",
      "",
      {choice(8, 1, 1, "native"), choice(8, 100, 1, "eigen"), choice(64, 1, 1, "cublas-trsm"),
       choice(64, 1, 10'000, "cusolver"), choice(8, 1, 1, "cublas-getrs", true)}};
  EXPECT_EQ(chosen(table, 8, 1, 1), SolverKind::native);
  EXPECT_EQ(chosen(table, 22, 9, 1'000'000), SolverKind::native);  // by ratio: sqrt(8 64) = 22.6
  EXPECT_EQ(chosen(table, 23, 9, 1), SolverKind::cublas_trsm);
  EXPECT_EQ(chosen(table, 8, 11, 1), SolverKind::eigen);
  EXPECT_EQ(chosen(table, 500, 4096, 99), SolverKind::cublas_trsm);
  EXPECT_EQ(chosen(table, 500, 4096, 101), SolverKind::cusolver);
  EXPECT_EQ(chosen(table, 500, 1, 1, true), SolverKind::cublas_getrs);
  EXPECT_EQ(chosen(table, 0, 0, 0), SolverKind::native);
  EXPECT_EQ(chosen({}, 8, 1, 1), SolverKind::native);
}

TEST(SolverTable, BuiltInGivesLargeMatricesToLibraries) {
  const std::unique_ptr<Device> host = make_host_device();
  const SolverTable table = built_in_table(*host);
  EXPECT_EQ(table.origin, "built in");
  EXPECT_EQ(table.measured, "");
  for (const bool definite : {false, true}) {
    EXPECT_EQ(chosen(table, 16, 32, 1, definite), SolverKind::native);
    EXPECT_EQ(chosen(table, 300, 32, 1, definite), SolverKind::eigen);
  }
}

TEST(SolverTable, MakesTheSolverItNames) {
  const std::unique_ptr<Device> host = make_host_device();
  const SolverTable table = built_in_table(*host);
  EXPECT_EQ(make_fastest_solver(*host, table, {8, 1}, 4)->kind(), SolverKind::native);
  EXPECT_EQ(make_fastest_solver(*host, table, {200, 1}, 4)->kind(), SolverKind::eigen);
  // only native refines, and what does not run here is replaced
  EXPECT_EQ(make_fastest_solver(*host, table, {200, 1, {}, {}, false, true}, 4)->kind(),
            SolverKind::native);
  const SolverTable foreign{"x", "", "", {choice(8, 1, 1, "cusolver")}};
  EXPECT_EQ(make_fastest_solver(*host, foreign, {8, 1}, 4)->kind(), SolverKind::native);
}

TEST(SolverTable, IsMeasured) {
  const std::unique_ptr<Device> host = make_host_device();
  Tuning tuning;
  tuning.sizes = {2, 9};
  tuning.columns = {1, 5};
  tuning.systems = {3, 1'000'000'000};  // of these too many
  tuning.seconds = 0.0;
  std::vector<std::string> lines;
  const SolverTable table =
      measure_table(*host, tuning, [&](const std::string& line) { lines.push_back(line); });
  EXPECT_EQ(table.device, hardware_name(*host));
  EXPECT_EQ(table.measured.size(), 10U);
  ASSERT_EQ(table.choices.size(), 8U);
  EXPECT_EQ(lines.size(), 8U);
  for (const SolverChoice& row : table.choices) {
    EXPECT_EQ(row.systems, 3);
    ASSERT_EQ(row.seconds.size(), 2U) << "native and eigen run on the host";
    for (const auto& [name, seconds] : row.seconds) {
      EXPECT_GT(seconds, 0.0) << name;
      EXPECT_LE(row.seconds.at(row.solver), seconds);
    }
  }
  EXPECT_EQ(lines[0], "3 systems of size 2, 1 columns: " + table.choices[0].solver);
}

// A cache folder of its own, which is gone afterwards.
class StoredTable : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = files::temp_directory_path() /
              ("gradus-table-" + std::to_string(getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    files::create_directories(folder_);
    set("XDG_CACHE_HOME", folder_.string());
  }
  void TearDown() override {
    set("XDG_CACHE_HOME", old_cache_);
    set("HOME", old_home_);
    files::remove_all(folder_);
  }

  static void set(const char* name, const std::string& value) {
    if (value.empty())
      unsetenv(name);
    else
      setenv(name, value.c_str(), 1);
  }
  static std::string value_of(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
  }

  files::path folder_;

 private:
  std::string old_cache_ = value_of("XDG_CACHE_HOME");
  std::string old_home_ = value_of("HOME");
};

TEST_F(StoredTable, LiesInTheCacheFolder) {
  EXPECT_EQ(table_file("NVIDIA H100 80GB HBM3 (x)"),
            folder_ / "gradus" / "solvers-nvidia-h100-80gb-hbm3-x.json");
  set("XDG_CACHE_HOME", "relative");
  set("HOME", "/homes/someone");
  EXPECT_EQ(table_file("x"), "/homes/someone/.cache/gradus/solvers-x.json");
  set("XDG_CACHE_HOME", "");
  EXPECT_EQ(table_file("x"), "/homes/someone/.cache/gradus/solvers-x.json");
  set("HOME", "");
  EXPECT_EQ(table_file("x"), "");
  EXPECT_THROW(store_table({}, table_file("x")), FileError);
}

TEST_F(StoredTable, IsReadAgain) {
  const std::unique_ptr<Device> host = make_host_device();
  EXPECT_EQ(table_of(*host).origin, "built in");
  SolverTable table{hardware_name(*host), "2026-01-31", "", {choice(8, 2, 3, "eigen", true)}};
  table.choices[0].seconds = {{"native", 0.25}, {"eigen", 0.125}};
  const files::path file = table_file(table.device);
  store_table(table, file);
  const SolverTable read = table_of(*host);
  EXPECT_EQ(read.origin, file.string());
  EXPECT_EQ(read.device, table.device);
  EXPECT_EQ(read.measured, "2026-01-31");
  ASSERT_EQ(read.choices.size(), 1U);
  EXPECT_EQ(read.choices[0].size, 8);
  EXPECT_EQ(read.choices[0].columns, 2);
  EXPECT_EQ(read.choices[0].systems, 3);
  EXPECT_TRUE(read.choices[0].definite);
  EXPECT_EQ(read.choices[0].solver, "eigen");
  EXPECT_EQ(read.choices[0].seconds, table.choices[0].seconds);
  EXPECT_EQ(std::distance(files::directory_iterator(file.parent_path()), {}), 1) << "no drafts";
}

TEST_F(StoredTable, IsLeftAsideWhereItIsDamaged) {
  const std::unique_ptr<Device> host = make_host_device();
  const files::path file = table_file(hardware_name(*host));
  store_table({hardware_name(*host), "2026-01-31", "", {choice(8, 2, 3, "eigen")}}, file);
  std::stringstream whole;
  whole << std::ifstream(file).rdbuf();
  const std::string text = whole.str();
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    EXPECT_NE(other.find(from), std::string::npos) << from;
    return other.replace(other.find(from), from.size(), to);
  };
  for (const std::string& content :
       {std::string(), std::string("["), text.substr(0, text.size() / 2),
        damaged("gradus-solvers/1", "gradus-solvers/2"), damaged("eigen", "lapack"),
        damaged("\"size\": 8", "\"size\": 0"), damaged("\"size\": 8", "\"size\": 4294967304"),
        damaged("\"size\": 8", "\"size\": \"8\""), damaged("\"columns\"", "\"colums\"")}) {
    std::ofstream(file) << content;
    const SolverTable table = table_of(*host);
    EXPECT_EQ(table.choices.size(), built_in_table(*host).choices.size()) << content;
    EXPECT_EQ(table.origin.rfind("built in; " + file.string(), 0), 0U) << table.origin;
    EXPECT_THROW(read_table(file), FileError);
  }
  files::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_THROW(read_table(file), FileError);
}

TEST_F(StoredTable, SaysWhyItCannotBeWritten) {
  std::ofstream(folder_ / "gradus") << "a file where the folder should be";
  try {
    store_table({}, table_file("x"));
    FAIL() << "nothing was thrown";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("solvers-x.json: cannot be written"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(StoredTable, IsDescribed) {
  const std::vector<SolverTable> tables = describe_solvers();
  ASSERT_GE(tables.size(), 1U);
  EXPECT_EQ(tables[0].device, hardware_name(*make_host_device()));
  EXPECT_EQ(tables[0].origin, "built in");
  EXPECT_FALSE(tables[0].choices.empty());
  EXPECT_THROW(tune_solvers("debug", {}), BackendError);
  EXPECT_THROW(tune_solvers("nonsense", {}), InputError);
}

}  // namespace
}  // namespace gradus::test
