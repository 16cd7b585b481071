// NPY bytes -> arrays: the header is a Python dictionary of three members, written by anybody.
#include <optional>

#include "gradus/error.hpp"
#include "src/results/npy_elements.hpp"
#include "src/results/npz_reader.hpp"

namespace gradus::results {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

// Reads "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }" in any order of members.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  void read(ArrayView& array) {
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!take('}')) {
      const std::string member = string();
      expect(':');
      if (member == "descr" && !has_type) {
        array.type = string();
        has_type = true;
      } else if (member == "fortran_order" && !has_order) {
        array.fortran_order = truth();
        has_order = true;
      } else if (member == "shape" && !has_shape) {
        array.shape = shape();
        has_shape = true;
      } else {
        fail();
      }
      if (take('}')) break;
      expect(',');
    }
    skip_space();
    if (!has_type || !has_order || !has_shape || !text_.empty()) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw FileError(where_ +
                    ": its header cannot be read (allowed: arrays of numbers or strings as "
                    "numpy.save writes them)");
  }
  void skip_space() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
  }
  bool take(char wanted) {
    skip_space();
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail();
  }
  std::string string() {
    const char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
    const std::size_t end = quote == '\0' ? std::string_view::npos : text_.find(quote);
    if (end == std::string_view::npos) fail();
    const std::string value(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return value;
  }
  bool truth() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    fail();
  }
  Shape shape() {
    Shape extents;
    expect('(');
    while (!take(')')) {
      skip_space();
      const std::size_t end = text_.find_first_not_of("0123456789");
      const std::optional<std::size_t> extent = decimal(text_.substr(0, end));
      if (!extent || extents.size() == 32) fail();
      extents.push_back(*extent);
      text_.remove_prefix(end);
      if (take(')')) break;
      expect(',');
    }
    return extents;
  }

  std::string_view text_;
  const std::string& where_;
};

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
  HeaderReader(text(prefix, length), where).read(array);
  array.bytes = bytes.subspan(prefix + length);
  const std::optional<ElementType> element = element_type(array.type);
  if (!element)
    throw FileError(where + ": holds elements of type '" + array.type +
                    "'; allowed: numbers and strings");
  const std::optional<std::size_t> count = element_count(array.shape);
  const std::optional<std::size_t> needed =
      count ? product(*count, element->size) : std::optional<std::size_t>();
  if (!needed || *needed != array.bytes.size())
    throw FileError(where + ": holds " + std::to_string(array.bytes.size()) +
                    " bytes of elements, which its shape does not need (the file is damaged)");
  return array;
}

}  // namespace gradus::results
