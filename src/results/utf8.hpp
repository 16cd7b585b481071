// Text as characters: names and messages may hold any bytes, since they come from files and command
// lines.
#pragma once

#include <string_view>

namespace gradus::results {

// Takes the first character off `text`, which is not empty. What is not UTF-8 is taken byte by byte
// as U+FFFD.
char32_t take_character(std::string_view& text);

}  // namespace gradus::results
