// NPY headers and elements, byte by byte.
#include "src/results/npy.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>

namespace gradus::results {
namespace {

std::string dictionary(const NpyArray& array) {
  return array.header.substr(10, array.header.find('}') - 9);
}

// Strings of an array, its UTF-32 read back character by character.
std::u32string characters(const NpyArray& array) {
  std::u32string text(array.owned.size() / 4, U'\0');
  std::memcpy(text.data(), array.owned.data(), array.owned.size());
  return text;
}

TEST(Npy, HeaderTellsTypeAndShape) {
  const std::vector<double> values(6, 1.0);
  const std::string start = "{'descr': '<f8', 'fortran_order': False, 'shape': ";
  EXPECT_EQ(dictionary(npy_numbers({2, 3}, values)), start + "(2, 3), }");
  EXPECT_EQ(dictionary(npy_numbers({6}, values)), start + "(6,), }");
  EXPECT_EQ(dictionary(npy_numbers({1, 2, 3}, values)), start + "(1, 2, 3), }");
  EXPECT_EQ(dictionary(npy_numbers({0, 3}, std::vector<double>{})), start + "(0, 3), }");
}

TEST(Npy, HeaderIsAlignedAndStatesItsLength) {
  for (const std::size_t count : {1u, 10u, 1000u, 1000000u}) {
    const std::vector<double> values(count, 1.0);
    const std::string header = npy_numbers({count}, values).header;
    EXPECT_EQ(header.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    EXPECT_EQ(header.size() % 64, 0u);
    EXPECT_EQ(static_cast<unsigned char>(header[8]) + 256 * static_cast<unsigned char>(header[9]),
              static_cast<int>(header.size()) - 10);
    EXPECT_EQ(header.back(), '\n');
  }
}

TEST(Npy, NumbersKeepTheirOrderOverPieces) {
  const std::vector<double> first = {1.0, 2.0};
  const std::vector<double> second = {-0.0, 1e-300, 4.0, 5.0};
  const NpyArray array =
      npy_numbers({3, 2}, {std::as_bytes(std::span(first)), std::as_bytes(std::span(second))});
  ASSERT_EQ(array.pieces.size(), 2u);
  EXPECT_EQ(array.pieces[0].size() + array.pieces[1].size(), 6 * sizeof(double));
  EXPECT_EQ(std::memcmp(array.pieces[1].data(), second.data(), 4 * sizeof(double)), 0);
  EXPECT_EQ(array.size(), array.header.size() + 48);
}

TEST(Npy, RefusesNumbersThatDoNotFillTheShape) {
  const std::vector<double> values(5, 1.0);
  EXPECT_THROW(npy_numbers({2, 3}, values), std::logic_error);
  EXPECT_THROW(npy_numbers({4}, values), std::logic_error);
}

TEST(Npy, IntegersAreLittleEndian) {
  const NpyArray array = npy_integers({1, -2, 0x0102030405060708});
  EXPECT_NE(dictionary(array).find("'<i8'"), std::string::npos);
  EXPECT_EQ(array.owned.substr(0, 8), std::string("\x01\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(array.owned.substr(8, 8), "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
  EXPECT_EQ(array.owned.substr(16, 8), "\x08\x07\x06\x05\x04\x03\x02\x01");
}

TEST(Npy, StringsAreAsWideAsTheLongest) {
  const NpyArray array = npy_strings({"psi1", "", "α2"});
  EXPECT_NE(dictionary(array).find("'<U4'"), std::string::npos);
  EXPECT_NE(dictionary(array).find("(3,)"), std::string::npos);
  EXPECT_EQ(characters(array), std::u32string(U"psi1\0\0\0\0α2\0\0", 12));
}

TEST(Npy, StringsWithoutCharactersHaveWidthOne) {
  EXPECT_NE(dictionary(npy_strings({"", ""})).find("'<U1'"), std::string::npos);
  EXPECT_NE(dictionary(npy_strings({})).find("'<U1'"), std::string::npos);
}

// The smallest and the largest character of each length.
TEST(Npy, DecodesAllLengthsOfUtf8) {
  EXPECT_EQ(characters(npy_strings({"\u007F\u0080\u07FF\u0800\uFFFD\U00010000\U0010FFFF"})),
            U"\u007F\u0080\u07FF\u0800\uFFFD\U00010000\U0010FFFF");
}

TEST(Npy, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(characters(npy_strings({"a\xFF"
                                    "b"})),
            U"a\uFFFDb");
  EXPECT_EQ(characters(npy_strings({"\xC3"})), U"\uFFFD");            // ends too early
  EXPECT_EQ(characters(npy_strings({"\xC0\xAF"})), U"\uFFFD\uFFFD");  // longer than needed
  EXPECT_EQ(characters(npy_strings({"\xED\xA0\x80"})), U"\uFFFD\uFFFD\uFFFD");  // surrogate
}

}  // namespace
}  // namespace gradus::results
