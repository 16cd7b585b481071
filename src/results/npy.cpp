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
  dictionary.append(63 - (prefix + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  if (dictionary.size() > 0xFFFF) throw std::logic_error("an array has too many dimensions");
  std::string header("\x93NUMPY\x01\x00", 8);
  for (const std::size_t byte : {dictionary.size() & 0xFF, dictionary.size() >> 8})
    header += static_cast<char>(byte);
  return header + dictionary;
}

template <typename Values>
std::string text_of(const Values& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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
  std::size_t bytes = 0, count = 1;
  for (const auto& piece : pieces) bytes += piece.size();
  for (const std::size_t extent : shape) count *= extent;
  if (bytes != count * sizeof(double))
    throw std::logic_error("an array of " + std::to_string(count) + " numbers was given " +
                           std::to_string(bytes) + " bytes");
  return array;
}

NpyArray npy_integers(const std::vector<std::int64_t>& values) {
  return {make_header("<i8", {values.size()}), {}, text_of(values)};
}

NpyArray npy_strings(const std::vector<std::string>& values) {
  std::vector<std::u32string> decoded;
  std::size_t width = 1;  // NumPy knows no strings of width zero in files
  for (const std::string& value : values) {
    decoded.push_back(from_utf8(value));
    width = std::max(width, decoded.back().size());
  }
  NpyArray array{make_header("<U" + std::to_string(width), {values.size()}), {}, {}};
  array.owned.reserve(sizeof(char32_t) * width * values.size());
  for (std::u32string& value : decoded) {
    value.resize(width, U'\0');
    array.owned += text_of(value);
  }
  return array;
}

}  // namespace gradus::results
