// Elements of NPY arrays -> numbers and strings.
#include "src/results/npy_elements.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gradus/error.hpp"
#include "src/results/npz_reader.hpp"

namespace gradus::results {
namespace {

double half_precision(std::uint64_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 0x1F);
  const auto fraction = static_cast<double>(bits & 0x3FF);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent < 31) return sign * std::ldexp(1024.0 + fraction, exponent - 25);
  return fraction == 0.0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
}

double number_at(std::span<const std::byte> bytes, const ElementType& type) {
  const std::uint64_t bits = unsigned_at(bytes, type.big_endian);
  if (type.kind == 'f' && type.size == 8) return std::bit_cast<double>(bits);
  if (type.kind == 'f' && type.size == 4)
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (type.kind == 'f') return half_precision(bits);
  if (type.kind != 'i') return static_cast<double>(bits);
  const int unused = 64 - 8 * static_cast<int>(type.size);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

bool is_number(const ElementType& type) {
  const std::size_t size = type.size;
  if (type.kind == 'b') return size == 1;
  if (type.kind == 'f') return size == 2 || size == 4 || size == 8;
  if (type.kind == 'i' || type.kind == 'u') return size == 1 || size == 2 || size == 4 || size == 8;
  return false;
}

void append_utf8(std::string& text, std::uint64_t character) {
  if (character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF)) character = 0xFFFD;
  const auto put = [&text](std::uint64_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) return put(character);
  const int further = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
  put((0xFF00u >> (further + 1) & 0xFFu) | (character >> (6 * further)));
  for (int i = further - 1; i >= 0; --i) put(0x80 | (character >> (6 * i) & 0x3F));
}

std::string string_at(std::span<const std::byte> bytes, const ElementType& type) {
  const std::size_t width = type.kind == 'U' ? 4 : 1;
  std::size_t length = bytes.size() / width;
  const auto character = [&](std::size_t i) {
    return unsigned_at(bytes.subspan(i * width, width), type.big_endian);
  };
  while (length > 0 && character(length - 1) == 0) --length;  // shorter ones are filled up
  std::string text;
  for (std::size_t i = 0; i < length; ++i)
    if (width == 4)
      append_utf8(text, character(i));
    else
      text += static_cast<char>(character(i));
  return text;
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

}  // namespace

std::optional<std::size_t> product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<std::size_t> decimal(std::string_view text) {
  if (text.empty() || text.size() > 19) return std::nullopt;
  std::size_t value = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = 10 * value + static_cast<std::size_t>(digit - '0');
  }
  return value;
}

std::optional<ElementType> element_type(std::string_view text) {
  ElementType type;
  if (!text.empty() && std::string_view("<>|=").find(text.front()) != std::string_view::npos) {
    type.big_endian = text.front() == '>';
    text.remove_prefix(1);
  }
  if (text.size() < 2) return std::nullopt;
  type.kind = text.front();
  const std::optional<std::size_t> size = decimal(text.substr(1));
  const std::string_view kinds = "fiubcSU";
  if (!size || *size == 0 || kinds.find(type.kind) == std::string_view::npos) return std::nullopt;
  const std::optional<std::size_t> bytes = product(*size, type.kind == 'U' ? 4 : 1);
  if (!bytes) return std::nullopt;
  type.size = *bytes;
  return type;
}

std::optional<std::size_t> element_count(const Shape& shape) {
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return 0;
  std::optional<std::size_t> count = 1;
  for (const std::size_t extent : shape) {
    count = product(*count, extent);
    if (!count) break;
  }
  return count;
}

std::uint64_t unsigned_at(std::span<const std::byte> bytes, bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::byte byte = bytes[big_endian ? i : bytes.size() - 1 - i];
    value = (value << 8) | std::to_integer<std::uint64_t>(byte);
  }
  return value;
}

std::size_t ArrayView::count() const {
  return element_count(shape).value_or(0);
}

std::vector<double> ArrayView::numbers() const {
  const std::optional<ElementType> element = element_type(type);
  if (!element || !is_number(*element))
    throw FileError("an array of type '" + type + "' holds no real numbers of up to 8 bytes");
  std::vector<double> values;
  values.reserve(count());
  for_each_element(*this, element->size, [&](std::span<const std::byte> element_bytes) {
    values.push_back(number_at(element_bytes, *element));
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
