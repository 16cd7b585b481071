// NPY bytes -> arrays and their elements. The header is a Python dictionary of three members,
// written by anybody.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "gradus/error.hpp"
#include "src/results/json_text.hpp"
#include "src/results/npy.hpp"
#include "src/results/utf8.hpp"

namespace gradus::results {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

// Nothing if no number is large enough.
std::optional<std::size_t> product(const Shape& factors) {
  std::size_t result = 1;
  if (std::find(factors.begin(), factors.end(), 0u) != factors.end()) return 0;
  for (const std::size_t factor : factors)
    if (__builtin_mul_overflow(result, factor, &result)) return std::nullopt;
  return result;
}

// The number that digits and nothing else say.
std::optional<std::size_t> decimal(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

// Up to 8 bytes as a number without sign.
std::uint64_t unsigned_at(std::span<const std::byte> bytes, bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::byte byte = bytes[big_endian ? i : bytes.size() - 1 - i];
    value = (value << 8) | std::to_integer<std::uint64_t>(byte);
  }
  return value;
}

// Kind and size of elements, as in "<f8".
struct ElementType {
  bool big_endian = false;
  char kind = 'f';
  std::size_t size = 0;  // bytes
};

// Nothing for what has no elements of a fixed size: structures, Python objects, dates.
std::optional<ElementType> element_type(std::string_view text) {
  ElementType type;
  if (!text.empty() && std::string_view("<>|=").find(text.front()) != std::string_view::npos) {
    type.big_endian = text.front() == '>';
    text.remove_prefix(1);
  }
  if (text.size() < 2 || std::string_view("fiubcSU").find(text.front()) == std::string_view::npos)
    return std::nullopt;
  type.kind = text.front();
  const std::size_t unit = type.kind == 'U' ? sizeof(char32_t) : 1;
  type.size = product({unit, decimal(text.substr(1)).value_or(0)}).value_or(0);
  return type.size == 0 ? std::nullopt : std::optional(type);
}

bool is_number(const ElementType& type) {
  const std::string_view kinds = "fiu";
  if (type.kind == 'b') return type.size == 1;
  return kinds.find(type.kind) != std::string_view::npos && std::has_single_bit(type.size) &&
         type.size <= 8 && (type.kind != 'f' || type.size > 1);
}

double half_precision(std::uint64_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 0x1F);
  const auto fraction = static_cast<double>(bits & 0x3FF);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent < 31) return sign * std::ldexp(1024.0 + fraction, exponent - 25);
  return fraction == 0.0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
}

double decoded(std::span<const std::byte> bytes, const ElementType& type) {
  const std::uint64_t bits = unsigned_at(bytes, type.big_endian);
  if (type.kind == 'f' && type.size == 8) return std::bit_cast<double>(bits);
  if (type.kind == 'f' && type.size == 4)
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (type.kind == 'f') return half_precision(bits);
  if (type.kind != 'i') return static_cast<double>(bits);
  const int unused = 64 - 8 * static_cast<int>(type.size);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::string string_at(std::span<const std::byte> bytes, const ElementType& type) {
  const std::size_t width = type.kind == 'U' ? sizeof(char32_t) : 1;
  std::u32string characters;
  for (; !bytes.empty(); bytes = bytes.subspan(width))
    characters += static_cast<char32_t>(unsigned_at(bytes.first(width), type.big_endian));
  characters.erase(characters.find_last_not_of(U'\0') + 1);  // shorter ones are filled up
  return width == 1 ? std::string(characters.begin(), characters.end()) : to_utf8(characters);
}

// Calls visit(bytes) for the elements in C order.
template <typename Visit>
void for_each_element(const ArrayView& array, std::size_t size, const Visit& visit) {
  const std::size_t count = array.count();
  if (!array.fortran_order) {
    for (std::size_t i = 0; i < count; ++i) visit(array.bytes.subspan(i * size, size));
    return;
  }
  std::vector<std::size_t> index(array.shape.size(), 0), stride(array.shape.size(), 1);
  for (std::size_t d = 1; d < stride.size() && count > 0; ++d)
    stride[d] = stride[d - 1] * array.shape[d - 1];
  std::size_t offset = 0;
  for (std::size_t i = 0; i < count; ++i) {
    visit(array.bytes.subspan(offset * size, size));
    for (std::size_t d = index.size(); d-- > 0;) {
      offset += stride[d];
      if (++index[d] < array.shape[d]) break;
      offset -= index[d] * stride[d];
      index[d] = 0;
    }
  }
}

// Reads "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", which is JSON but for
// quotes, brackets, capitals and last commas. False if it says something else.
bool read_header(std::string_view text, ArrayView& array) try {
  constexpr std::string_view python = "'()TF", json = "\"[]tf";
  std::string document;
  bool in_string = false;
  for (const char c : text) {
    const std::size_t sign = python.find(c);
    if (sign == 0 || c == '"') in_string = !in_string;
    if (!in_string && (c == ')' || c == '}')) document.erase(document.find_last_not_of(" \n,") + 1);
    document += sign == std::string_view::npos || (in_string && sign > 0) ? c : json[sign];
  }
  std::size_t members = 0;  // equal ones too
  const Json header = Json::parse(document, [&](int, Json::parse_event_t event, Json&) {
    members += event == Json::parse_event_t::key ? 1 : 0;
    return true;
  });
  const Json& shape = header.at("shape");
  array.type = header.at("descr").get<std::string>();
  array.fortran_order = header.at("fortran_order").get<bool>();
  if (members != 3 || !shape.is_array() || shape.size() > 32 ||
      !std::all_of(shape.begin(), shape.end(),
                   [](const Json& extent) { return extent.is_number_unsigned(); }))
    return false;
  array.shape = shape.get<Shape>();
  return true;
} catch (const Json::exception&) {
  return false;
}

}  // namespace

ArrayView read_npy(std::span<const std::byte> bytes, const std::string& where) {
  const auto text = [&bytes](std::size_t offset, std::size_t size) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()) + offset, size);
  };
  if (bytes.size() < magic.size() || text(0, magic.size()) != magic)
    throw FileError(where + ": is no NPY array (it does not begin as one)");
  const auto cut_short = [&where] { return FileError(where + ": is cut short"); };
  if (bytes.size() < magic.size() + 2) throw cut_short();
  const auto version = std::to_integer<int>(bytes[magic.size()]);
  if (version < 1 || version > 3)
    throw FileError(where + ": has version " + std::to_string(version) +
                    " of the NPY format; allowed: 1, 2 and 3");
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t prefix = magic.size() + 2 + length_size;
  if (bytes.size() < prefix) throw cut_short();
  const std::uint64_t length = unsigned_at(bytes.subspan(magic.size() + 2, length_size), false);
  if (length > bytes.size() - prefix) throw cut_short();

  ArrayView array;
  if (!read_header(text(prefix, length), array))
    throw FileError(where +
                    ": its header cannot be read (allowed: arrays of numbers or strings as "
                    "numpy.save writes them)");
  array.bytes = bytes.subspan(prefix + length);
  const std::optional<ElementType> element = element_type(array.type);
  if (!element)
    throw FileError(where + ": holds elements of type '" + array.type +
                    "'; allowed: numbers and strings");
  Shape factors = array.shape;
  factors.push_back(element->size);
  if (product(factors) != array.bytes.size())
    throw FileError(where + ": holds " + std::to_string(array.bytes.size()) +
                    " bytes of elements, which its shape does not need (the file is damaged)");
  return array;
}

std::size_t ArrayView::count() const {
  return product(shape).value_or(0);
}

std::vector<double> ArrayView::numbers() const {
  const std::optional<ElementType> element = element_type(type);
  if (!element || !is_number(*element))
    throw FileError("an array of type '" + type + "' holds no real numbers of up to 8 bytes");
  std::vector<double> values;
  values.reserve(count());
  for_each_element(*this, element->size, [&](std::span<const std::byte> element_bytes) {
    values.push_back(decoded(element_bytes, *element));
  });
  return values;
}

std::vector<std::string> ArrayView::strings() const {
  const std::optional<ElementType> element = element_type(type);
  if (!element || (element->kind != 'U' && element->kind != 'S'))
    throw FileError("an array of type '" + type + "' holds no strings");
  std::vector<std::string> values;
  for_each_element(*this, element->size, [&](std::span<const std::byte> element_bytes) {
    values.push_back(string_at(element_bytes, *element));
  });
  return values;
}

}  // namespace gradus::results
