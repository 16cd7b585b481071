// NPY 1.0: magic string, version, length of the header, header as a Python dictionary padded to a
// multiple of 64 bytes.
#include "src/results/npy.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "src/results/utf8.hpp"

namespace gradus::results {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little endian");

std::string list_of(const Shape& shape) {
  std::string list;
  for (const std::size_t extent : shape)
    list += (list.empty() ? "" : ", ") + std::to_string(extent);
  return list;
}

std::string make_header(const std::string& type, const Shape& shape) {
  std::string dictionary = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
  dictionary += list_of(shape) + (shape.size() == 1 ? ",), }" : "), }");

  constexpr std::size_t prefix = 10;  // magic string 6, version 2, length 2
  while ((prefix + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  if (dictionary.size() > 0xFFFF) throw std::logic_error("an array has too many dimensions");

  std::string header = "\x93NUMPY";
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

std::size_t element_count(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  return count;
}

std::u32string decode(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) characters += take_character(text);
  return characters;
}

}  // namespace

std::string shape_text(const Shape& shape) {
  return "[" + list_of(shape) + "]";
}

std::uint64_t NpyArray::size() const {
  std::uint64_t bytes = header.size() + owned.size();
  for (const auto& piece : pieces) bytes += piece.size();
  return bytes;
}

NpyArray npy_numbers(const Shape& shape, const std::vector<std::span<const std::byte>>& pieces) {
  NpyArray array{make_header("<f8", shape), pieces, {}};
  std::size_t bytes = 0;
  for (const auto& piece : pieces) bytes += piece.size();
  if (bytes != element_count(shape) * sizeof(double))
    throw std::logic_error("an array of " + std::to_string(element_count(shape)) +
                           " numbers was given " + std::to_string(bytes) + " bytes");
  return array;
}

NpyArray npy_numbers(const Shape& shape, const std::vector<std::span<const double>>& pieces) {
  std::vector<std::span<const std::byte>> bytes;
  for (const auto& piece : pieces) bytes.push_back(std::as_bytes(piece));
  return npy_numbers(shape, bytes);
}

NpyArray npy_numbers(const Shape& shape, std::span<const double> values) {
  return npy_numbers(shape, std::vector<std::span<const double>>{values});
}

NpyArray npy_integers(const std::vector<std::int64_t>& values) {
  NpyArray array{make_header("<i8", {values.size()}), {}, {}};
  const auto bytes = std::as_bytes(std::span(values));
  for (const std::byte byte : bytes) array.owned += std::to_integer<char>(byte);
  return array;
}

NpyArray npy_strings(const std::vector<std::string>& values) {
  std::vector<std::u32string> decoded;
  std::size_t width = 1;  // NumPy knows no strings of width zero in files
  for (const std::string& value : values) {
    decoded.push_back(decode(value));
    width = std::max(width, decoded.back().size());
  }
  NpyArray array{make_header("<U" + std::to_string(width), {values.size()}), {}, {}};
  array.owned.reserve(4 * width * values.size());
  for (std::u32string& value : decoded) {
    value.resize(width, U'\0');
    for (const char32_t character : value)
      for (int shift = 0; shift < 32; shift += 8)
        array.owned += static_cast<char>((character >> shift) & 0xFF);
  }
  return array;
}

}  // namespace gradus::results
