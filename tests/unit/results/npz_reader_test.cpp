// Reads back what NpzWriter and NumPy write; nothing a file may hold makes it fail in other ways
// than by FileError.
#include "src/results/npz_reader.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "gradus/error.hpp"
#include "src/results/npz.hpp"
#include "tests/unit/results/temporary_folder.hpp"

namespace gradus::results {
namespace {

// numpy.savez(file, a=numpy.asfortranarray([[1.5, 2, 3], [4, 5, 6.25]])) of NumPy 1.24.
constexpr const char* numpy_archive =
    "504b030414000000000000002100fd22e0cbb0000000b000000005001400612e6e707901001000b000000000"
    "000000b000000000000000934e554d5059010076007b276465736372273a20273c6638272c2027666f727472"
    "616e5f6f72646572273a20547275652c20277368617065273a2028322c2033292c207d202020202020202020"
    "2020202020202020202020202020202020202020202020202020202020202020202020202020202020202020"
    "2020202020200a000000000000f83f0000000000001040000000000000004000000000000014400000000000"
    "0008400000000000001940504b0102140314000000000000002100fd22e0cbb0000000b00000000500000000"
    "00000000000000800100000000612e6e7079504b0506000000000100010033000000e70000000000";

std::string from_hex(std::string_view text) {
  std::string bytes;
  for (; text.size() >= 2; text.remove_prefix(2))
    bytes += static_cast<char>(std::stoi(std::string(text.substr(0, 2)), nullptr, 16));
  return bytes;
}

// NPY bytes of version `version` with this dictionary.
std::string npy(const std::string& dictionary, const std::string& elements, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2u : 4u); ++i)
    bytes += static_cast<char>((dictionary.size() >> (8 * i)) & 0xFF);
  return bytes + dictionary + elements;
}

ArrayView view(const std::string& bytes) {
  return read_npy(std::as_bytes(std::span(bytes)), "here");
}

std::vector<double> numbers(const std::string& type, const std::string& elements) {
  const std::string bytes =
      npy("{'shape': (1,), 'descr': '" + type + "', 'fortran_order': False}", elements);
  return view(bytes).numbers();
}

class NpzReading : public test::TemporaryFolder {
 protected:
  void write(const std::string& bytes) { std::ofstream(path("a.npz"), std::ios::binary) << bytes; }
  void set_byte(std::size_t offset, char byte) {
    std::fstream file(path("a.npz"), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put(byte);
  }
  std::string written(std::uint64_t zip64_limit) {
    NpzWriter writer(path("a.npz"), zip64_limit);
    writer.add("numbers", npy_numbers({2, 2}, values_));
    writer.add("names", npy_strings({"α", "", "\U0001F600b"}));
    writer.add("whole", npy_integers({-3, 1LL << 40}));
    writer.add("none", npy_numbers({0, 7}, std::vector<double>{}));
    writer.finish();
    return content(path("a.npz"));
  }
  void expect_written() {
    const NpzReader reader(path("a.npz"));
    ASSERT_EQ(reader.arrays().size(), 4u);
    EXPECT_EQ(reader.at("numbers").shape, (Shape{2, 2}));
    EXPECT_EQ(reader.at("numbers").numbers(), values_);
    EXPECT_EQ(reader.at("names").strings(), (std::vector<std::string>{"α", "", "\U0001F600b"}));
    EXPECT_EQ(reader.at("whole").numbers(), (std::vector<double>{-3.0, std::ldexp(1.0, 40)}));
    EXPECT_EQ(reader.at("none").shape, (Shape{0, 7}));
    EXPECT_TRUE(reader.at("none").numbers().empty());
  }
  std::string message() {
    try {
      NpzReader reader(path("a.npz"));
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  std::vector<double> values_ = {0.1, -1e300, std::numeric_limits<double>::infinity(), 5e-324};
};

TEST_F(NpzReading, GivesBackWhatWasWritten) {
  for (const std::uint64_t limit : {0xFFFFFFFFu, 300u, 0u}) {
    written(limit);
    expect_written();
  }
}

TEST_F(NpzReading, ReadsWhatNumpyWrites) {
  write(from_hex(numpy_archive));
  const NpzReader reader(path("a.npz"));
  const ArrayView& array = reader.at("a");
  EXPECT_TRUE(array.fortran_order);
  EXPECT_EQ(array.shape, (Shape{2, 3}));
  EXPECT_EQ(array.numbers(), (std::vector<double>{1.5, 2, 3, 4, 5, 6.25}));
}

TEST_F(NpzReading, ReadsWhatNumpyOfThisMachineWrites) {
  const std::string script =
      "import sys, numpy as n\n"
      "a = n.arange(24.0).reshape(2, 3, 4)\n"
      "n.savez(sys.argv[1], a=n.asfortranarray(a), b=a.astype(\">i2\"), c=a.astype(\"f2\"), "
      "d=n.array([\"x\", \"\\u00e9\\U0001f600\"]), e=n.array(7), f=a > 3)\n";
  const std::string command =
      "python3 -c '" + script + "' " + path("a.npz").string() + " 2> /dev/null";
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "python3 has no numpy";
  std::vector<double> expected;
  for (int i = 0; i < 24; ++i) expected.push_back(i);
  const NpzReader reader(path("a.npz"));
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(reader.at(name).numbers(), expected) << name;
  EXPECT_EQ(reader.at("d").strings(), (std::vector<std::string>{"x", "é\U0001F600"}));
  EXPECT_EQ(reader.at("e").numbers(), std::vector<double>{7.0});
  EXPECT_EQ(reader.at("f").numbers()[3], 0.0);
  EXPECT_EQ(reader.at("f").numbers()[4], 1.0);
}

TEST_F(NpzReading, RefusesEveryTruncation) {
  for (const std::uint64_t limit : {0xFFFFFFFFu, 0u}) {
    const std::string whole = written(limit);
    for (std::size_t length = whole.size(); length-- > 0;) {
      std::filesystem::resize_file(path("a.npz"), length);
      ASSERT_NE(message(), "") << length;
    }
  }
}

// A byte that says nothing about arrays (a date, a mode) may be any.
TEST_F(NpzReading, NoFlippedByteGivesOtherArrays) {
  for (const std::uint64_t limit : {0xFFFFFFFFu, 0u}) {
    const std::string whole = written(limit);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
      for (const int flip : {0x01, 0x80, 0xFF}) {
        set_byte(i, static_cast<char>(whole[i] ^ flip));
        if (message().empty())
          expect_written();
        else
          ++refused;
        set_byte(i, whole[i]);
        if (HasFailure()) FAIL() << "byte " << i << " flipped by " << flip;
      }
    EXPECT_GT(refused, 2 * whole.size());
  }
}

TEST_F(NpzReading, SaysWhatIsWrong) {
  EXPECT_NE(message().find("cannot be read"), std::string::npos);
  write("");
  EXPECT_NE(message().find("no NPZ archive"), std::string::npos);
  std::string bytes = written(0xFFFFFFFF);
  write(bytes);
  try {
    NpzReader(path("a.npz")).at("name");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("names, none, numbers, whole"), std::string::npos);
  }
  const std::size_t number = bytes.find("(2, 2), }") + 200;
  bytes[bytes.find('\n', number - 200) + 3] ^= 1;
  write(bytes);
  EXPECT_NE(message().find("'numbers.npy' is damaged (its checksum"), std::string::npos);
  bytes = written(0xFFFFFFFF);
  bytes[bytes.find("PK\x01\x02") + 10] = 8;
  write(bytes);
  EXPECT_NE(message().find("is compressed"), std::string::npos);
  EXPECT_THROW(MappedFile(path("")), FileError);  // a folder
}

TEST(NpyReading, KnowsAllVersionsAndTypes) {
  const std::string dictionary = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n";
  for (const char version : {1, 2, 3})
    EXPECT_EQ(view(npy(dictionary, std::string("\x01\x00\xFF\xFF", 4), version)).numbers(),
              (std::vector<double>{1, -1}));
  EXPECT_EQ(numbers("|u1", "\xFF"), std::vector<double>{255});
  EXPECT_EQ(numbers(">f4", std::string("\x3F\x80\x00\x00", 4)), std::vector<double>{1});
  EXPECT_EQ(numbers("<f2", std::string("\x00\xBC", 2)), std::vector<double>{-1});
  EXPECT_EQ(numbers("<f2", std::string("\x01\x00", 2)), std::vector<double>{std::ldexp(1.0, -24)});
  EXPECT_TRUE(std::isnan(numbers("<f2", std::string("\x01\x7C", 2))[0]));
  EXPECT_THROW(numbers("<f8", "1234567"), FileError);
  EXPECT_THROW(numbers("<U1", "abcd"), FileError);
  EXPECT_THROW(numbers("<c8", "abcdefgh"), FileError);
  EXPECT_THROW(numbers("|O", ""), FileError);
  EXPECT_THROW(numbers("<f0", ""), FileError);
}

TEST(NpyReading, CharactersThatAreNoneAreReplaced) {
  const std::string bytes = npy("{'descr': '<U2', 'fortran_order': False, 'shape': (1,)}",
                                std::string("\x00\xD8\x00\x00\xFF\xFF\xFF\xFF", 8));
  EXPECT_EQ(view(bytes).strings(), std::vector<std::string>{"\uFFFD\uFFFD"});
}

TEST(NpyReading, RefusesHostileHeaders) {
  const std::string rest = "'descr': '<f8', 'fortran_order': False, ";
  const std::string good = "{" + rest + "'shape': ()}";
  EXPECT_EQ(view(npy(good, "12345678")).count(), 1u);
  for (const std::string& dictionary :
       {std::string(""), std::string("{"), std::string("{}"), "{" + rest + "}",
        "{" + rest + "'shape': (}", "{" + rest + "'shape': (-1,)}", "{" + rest + "'shape': (1",
        "{" + rest + "'shape': (1 1)}", "{" + rest + "'shape': (1,), 'shape': (1,)}",
        "{" + rest + "'shape': (1,)} x", "{" + rest + "'shape': (99999999999999999999999999,)}",
        "{" + rest + "'shape': (4611686018427387904, 4)}",  // 2^64 elements
        "{" + rest + "'shape': (2305843009213693953,)}",    // 2^64 + 8 bytes
        "{" + rest + "'shape': (1,), 'more': 'x'}",
        std::string("{'descr': [('x', '<f8')], 'shape': (1,)}"),
        std::string("{'descr': '<f8', 'fortran_order': Perhaps, 'shape': (1,)}")})
    EXPECT_THROW(view(npy(dictionary, "12345678")), FileError) << dictionary;
}

TEST(NpyReading, RefusesEveryTruncation) {
  const std::string whole =
      npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", "12345678");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THROW(view(whole.substr(0, length)), FileError) << length;
}

}  // namespace
}  // namespace gradus::results
