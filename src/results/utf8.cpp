// UTF-8 -> characters, strictly: no surrogates, no forms longer than needed.
#include "src/results/utf8.hpp"

#include <cstddef>

namespace gradus::results {

char32_t take_character(std::string_view& text) {
  constexpr char32_t replacement = 0xFFFD;
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80             ? 1
                             : (first & 0xE0) == 0xC0 ? 2
                             : (first & 0xF0) == 0xE0 ? 3
                             : (first & 0xF8) == 0xF0 ? 4
                                                      : 0;
  char32_t character = length == 1 ? first : length == 0 ? replacement : first & (0x7Fu >> length);
  bool valid = length != 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0) == 0x80;
    character = (character << 6) | (byte(i) & 0x3Fu);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms exist below
  valid = valid && character >= smallest[length] && character <= 0x10FFFF &&
          (character < 0xD800 || character > 0xDFFF);
  text.remove_prefix(valid ? length : 1);
  return valid ? character : replacement;
}

}  // namespace gradus::results
