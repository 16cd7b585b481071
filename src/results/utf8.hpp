// Text as characters: names and messages may hold any bytes, since they come from files and command
// lines.
#pragma once

#include <string>
#include <string_view>

namespace gradus::results {

// Takes the first character off `text`, which is not empty. What is not UTF-8 is taken byte by byte
// as U+FFFD.
char32_t take_character(std::string_view& text);

std::u32string from_utf8(std::string_view text);

// What is no character becomes U+FFFD.
std::string to_utf8(std::u32string_view characters);

}  // namespace gradus::results
