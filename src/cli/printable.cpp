// The bytes of valid characters are kept as they are.
#include "src/cli/printable.hpp"

#include "src/results/utf8.hpp"

namespace gradus::cli {

std::string printable(std::string_view text) {
  constexpr char32_t replacement = 0xFFFD;
  std::string line;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t character = results::take_character(text);
    const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0);
    if (character == U'\n' || character == U'\t' || character == U'\r')
      line += ' ';
    else if (control || character == replacement)
      line += "\uFFFD";
    else
      line += before.substr(0, before.size() - text.size());
  }
  return line;
}

}  // namespace gradus::cli
