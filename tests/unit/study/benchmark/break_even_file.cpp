// The user's table: what was written is read again, and nothing else is believed.
#include "src/backend/stored_tables.hpp"

#include <sys/stat.h>

#include <cstdlib>

#include "gradus/run.hpp"
#include "src/backend/choice.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus::test {
namespace {

const BreakEvenTable sample{
    "Pretender", 2, {{"direct", 4, 5, 796, 1, 131072}, {"none", 32, 0, {}, 16, 4096}}};

class BreakEvenFile : public TemporaryFolder {
 protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", path("").c_str(), 1);
    std::filesystem::create_directories(path("gradus"));
  }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  void write(const std::string& text) const { std::ofstream(break_even_file()) << text; }
  StoredBreakEven read(const std::string& text, std::size_t threads = 2) const {
    write(text);
    return read_break_even(break_even_file(), threads);
  }
  void expect_refused(const std::string& text, const std::string& why) const {
    const StoredBreakEven stored = read(text);
    EXPECT_FALSE(stored.table.has_value()) << text;
    EXPECT_NE(stored.remark.find("(" + why), std::string::npos) << stored.remark;
    EXPECT_NE(stored.remark.find(break_even_file()), std::string::npos) << stored.remark;
  }
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST_F(BreakEvenFile, IsReadAsItWasWritten) {
  const StoredBreakEven stored = read(break_even_text(sample));
  EXPECT_EQ(stored.remark, "");
  ASSERT_TRUE(stored.table.has_value());
  EXPECT_EQ(stored.table->gpu, "Pretender");
  EXPECT_EQ(stored.table->threads, 2U);
  ASSERT_EQ(stored.table->points.size(), 2U);
  const BreakEven& point = stored.table->points[0];
  EXPECT_EQ(point.method, "direct");
  EXPECT_EQ(point.bodies, 4U);
  EXPECT_EQ(point.parameters, 5U);
  EXPECT_EQ(point.designs, 796U);
  EXPECT_EQ(point.fewest, 1U);
  EXPECT_EQ(point.most, 131072U);
  EXPECT_FALSE(stored.table->points[1].designs.has_value());
}

TEST_F(BreakEvenFile, MayBeMissing) {
  const StoredBreakEven stored = read_break_even(break_even_file(), 2);
  EXPECT_FALSE(stored.table.has_value());
  EXPECT_EQ(stored.remark, "");
  EXPECT_EQ(read_break_even("", 2).remark, "");
}

TEST_F(BreakEvenFile, OfAnotherMachineOrVersionIsNotBelieved) {
  const std::string text = break_even_text(sample);
  expect_refused(replaced(text, "\"threads\": 2", "\"threads\": 16"),
                 "it was measured with 16 threads, here are 2");
  expect_refused(replaced(text, "\"" + version() + "\"", "\"9.9.9\""),
                 "it is of version 9.9.9 of gradus");
  expect_refused(replaced(text, "gradus-break-even/1", "gradus-break-even/2"),
                 "it has another schema");
}

TEST_F(BreakEvenFile, ThatIsDamagedIsNotBelieved) {
  const std::string text = break_even_text(sample);
  for (std::size_t length = 0; length + 2 < text.size(); length += 7)
    expect_refused(text.substr(0, length), "it is not JSON");
  expect_refused("[]", "it is damaged");
  expect_refused("null", "it is damaged");
  expect_refused(replaced(text, "\"bodies\": 4", "\"bodies\": -4"), "it is damaged");
  expect_refused(replaced(text, "\"bodies\": 4", "\"bodies\": 4.5"), "it is damaged");
  expect_refused(replaced(text, "\"designs\": 796", "\"designs\": \"many\""), "it is damaged");
  expect_refused(replaced(text, "\"method\": \"direct\"", "\"method\": 3"), "it is damaged");
  expect_refused(replaced(text, "\"gpu\": \"Pretender\"", "\"gpu\": null"), "it is damaged");
  BreakEvenTable empty = sample;
  empty.points.clear();
  expect_refused(break_even_text(empty), "it holds no points");
  expect_refused(std::string(3 << 20, ' '), "it cannot be read");
}

TEST_F(BreakEvenFile, ThatIsNoFileIsNotRead) {
  ASSERT_EQ(mkfifo(break_even_file().c_str(), 0600), 0);
  EXPECT_NE(read_break_even(break_even_file(), 2).remark.find("cannot be read"), std::string::npos);
  std::filesystem::remove(break_even_file());
  std::filesystem::create_directory(break_even_file());
  EXPECT_NE(read_break_even(break_even_file(), 2).remark.find("cannot be read"), std::string::npos);
}

TEST_F(BreakEvenFile, LiesInTheCacheOfTheUser) {
  EXPECT_EQ(break_even_file(), (path("gradus") / "break-even.json").string());
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/somewhere", 1);
  EXPECT_EQ(break_even_file(), "/somewhere/.cache/gradus/break-even.json");
  unsetenv("HOME");
  EXPECT_EQ(break_even_file(), "");
}

std::vector<std::string> remarks_of_auto(const Work& work) {
  std::vector<std::string> lines;
  choose_backend("auto", work, [&](const std::string& line) { lines.push_back(line); });
  return lines;
}

TEST_F(BreakEvenFile, TellsAutoWhatTheMachineIsGoodFor) {
  BreakEvenTable own = sample;
  own.threads = static_cast<std::size_t>(choose_backend("cpu", {}, {}).threads);
  own.points[0].designs = 5000;
  write(break_even_text(own));
  std::vector<std::string> lines = remarks_of_auto({10, 4, 5, "direct"});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("(10 designs are too few for a GPU to pay; as measured here: 4 bodies, 5 "
                          "parameters, direct: from 5000 designs on)"),
            std::string::npos)
      << lines[0];
  lines = remarks_of_auto({1, 4, 5, "direct"});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("(1 design is too few"), std::string::npos) << lines[0];

  write("{");
  lines = remarks_of_auto({10, 4, 5, "direct"});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("is not used (it is not JSON); gradus bench --store"), std::string::npos)
      << lines[0];
}

}  // namespace
}  // namespace gradus::test
