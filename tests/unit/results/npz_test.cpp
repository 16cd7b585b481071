// ZIP archives: structure, checksums, Zip64, and one look by somebody else's reader.
#include "src/results/npz.hpp"

#include <cstdlib>

#include "gradus/error.hpp"
#include "src/results/crc32.hpp"
#include "tests/unit/results/read_npz.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus::results {
namespace {

using NpzTest = test::TemporaryFolder;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string flat(const NpyArray& array) {
  std::string bytes = array.header;
  for (const auto& piece : array.pieces)
    for (const std::byte byte : piece) bytes += std::to_integer<char>(byte);
  return bytes + array.owned;
}

TEST(Crc32, GivesThePublishedCheckValue) {
  EXPECT_EQ(crc32(bytes_of("123456789")), 0xCBF43926u);
  EXPECT_EQ(crc32({}), 0u);
}

TEST(Crc32, MatchesTheDefinitionForAllLengthsAndCuts) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      const std::uint32_t start = crc32(bytes_of(text).first(cut));
      ASSERT_EQ(crc32(bytes_of(text).subspan(cut), start), test::slow_crc32(text));
    }
    text += static_cast<char>(37 * i + 200);
  }
}

class NpzArrays : public NpzTest {
 protected:
  void write(std::uint64_t zip64_limit) {
    NpzWriter writer(path("a.npz"), zip64_limit);
    writer.add("numbers", numbers_);
    writer.add("names", names_);
    writer.add("empty", empty_);
    writer.finish();
  }
  void expect_members(const test::NpzFile& file) {
    ASSERT_EQ(file.members.size(), 3u);
    EXPECT_EQ(file.members.at("numbers.npy"), flat(numbers_));
    EXPECT_EQ(file.members.at("names.npy"), flat(names_));
    EXPECT_EQ(file.members.at("empty.npy"), flat(empty_));
  }

  std::vector<double> values_ = std::vector<double>(100, 0.1);
  NpyArray numbers_ = npy_numbers({20, 5}, values_);
  NpyArray names_ = npy_strings({"α", "beta"});
  NpyArray empty_ = npy_numbers({0, 5}, std::vector<double>{});
};

TEST_F(NpzArrays, HoldsItsMembers) {
  write(0xFFFFFFFF);
  const test::NpzFile file = test::read_npz(content(path("a.npz")));
  expect_members(file);
  EXPECT_FALSE(file.zip64_end);
  EXPECT_EQ(file.zip64_members, 0);
}

TEST_F(NpzArrays, StoresLargeSizesIn64Bits) {
  write(500);  // only "numbers" is larger; the other members lie beyond it
  const test::NpzFile file = test::read_npz(content(path("a.npz")));
  expect_members(file);
  EXPECT_TRUE(file.zip64_end);
  EXPECT_EQ(file.zip64_members, 1);
}

TEST_F(NpzArrays, StoresEverythingIn64BitsIfAsked) {
  write(0);
  const test::NpzFile file = test::read_npz(content(path("a.npz")));
  expect_members(file);
  EXPECT_EQ(file.zip64_members, 3);
}

TEST_F(NpzArrays, PythonAcceptsAllForms) {
  if (std::system("python3 -c 'import zipfile' 2> /dev/null") != 0)
    GTEST_SKIP() << "python3 is not installed";
  for (const std::uint64_t limit : {0xFFFFFFFFu, 500u, 0u}) {
    write(limit);
    const std::string script =
        "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); "
        "sys.exit(z.testzip() is not None or len(z.namelist()) != 3)";
    const std::string command = "python3 -c '" + script + "' " + path("a.npz").string();
    EXPECT_EQ(std::system(command.c_str()), 0) << limit;
  }
}

TEST_F(NpzArrays, EqualArraysGiveEqualBytes) {
  write(0xFFFFFFFF);
  const std::string first = content(path("a.npz"));
  write(0xFFFFFFFF);
  EXPECT_EQ(content(path("a.npz")), first);
}

TEST_F(NpzTest, IsNotThereWithoutFinish) {
  const std::vector<double> values(3, 1.0);
  {
    NpzWriter writer(path("a.npz"));
    writer.add("numbers", npy_numbers({3}, values));
  }
  EXPECT_TRUE(names().empty());
}

TEST_F(NpzTest, ReportsAFolderThatIsMissing) {
  EXPECT_THROW(NpzWriter(path("missing") / "a.npz"), FileError);
}

}  // namespace
}  // namespace gradus::results
