// What stands below a table of starts.
#pragma once

#include <cstddef>
#include <string>

namespace gradus::cli {

constexpr std::size_t shown_starts = 20;

// How many are not shown, and which of several is the best.
inline std::string starts_footer(std::size_t starts, std::size_t best) {
  std::string text;
  if (starts > shown_starts)
    text += "  ... and " + std::to_string(starts - shown_starts) + " more\n";
  if (starts > 1) text += "  the best is start " + std::to_string(best) + "\n";
  return text;
}

}  // namespace gradus::cli
