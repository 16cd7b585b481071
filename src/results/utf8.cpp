// UTF-8 <-> characters, strictly: no surrogates, no forms longer than needed.
#include "src/results/utf8.hpp"

#include <cstddef>

namespace gradus::results {
namespace {

bool is_character(char32_t code) {
  return code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

}  // namespace

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
  valid = valid && character >= smallest[length] && is_character(character);
  text.remove_prefix(valid ? length : 1);
  return valid ? character : replacement;
}

std::u32string from_utf8(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) characters += take_character(text);
  return characters;
}

std::string to_utf8(std::u32string_view characters) {
  std::string text;
  const auto put = [&text](char32_t byte) { text += static_cast<char>(byte); };
  for (char32_t character : characters) {
    if (!is_character(character)) character = 0xFFFD;
    const int further = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    put(further == 0 ? character : (0xFF00u >> (further + 1) & 0xFFu) | (character >> 6 * further));
    for (int i = further - 1; i >= 0; --i) put(0x80 | (character >> (6 * i) & 0x3F));
  }
  return text;
}

}  // namespace gradus::results
