// Wording shared by all error messages.
#include "src/model/message.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "gradus/error.hpp"

namespace gradus {

void reject(const std::string& where, const std::string& problem, const std::string& why,
            const std::string& hint) {
  throw InputError(where + ": " + problem + " (" + why + "), " + hint);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string result = "\"";
  for (const char c : text.substr(0, longest)) {
    const bool printable = static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
    result += printable ? c : '?';
  }
  // A character of several bytes is not cut in two: its first bytes go as well.
  if (text.size() > longest) {
    const auto is_continuation = [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    };
    if (is_continuation(text[longest])) {
      while (result.size() > 1 && is_continuation(result.back())) result.pop_back();
      if (result.size() > 1) result.pop_back();
    }
    result += "...";
  }
  return result + "\"";
}

std::string quoted_list(const std::vector<std::string>& names, std::size_t limit) {
  std::string result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == limit) return result + ", ... (" + std::to_string(names.size()) + " in all)";
    result += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  }
  return result;
}

std::string to_text(double value) {
  if (std::isnan(value)) return "nan";  // without its sign, which says nothing
  std::array<char, 32> text;
  const std::to_chars_result end = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), end.ptr);
}

std::string rounded_text(double value, int digits) {
  std::array<char, 32> text;
  const std::to_chars_result end = std::to_chars(text.data(), text.data() + text.size(), value,
                                                 std::chars_format::general, digits);
  return std::string(text.data(), end.ptr);
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string percent_text(double share) {
  const double percent = 100.0 * share;
  const bool is_whole = percent >= 10.0 && percent < 1e6;
  return (is_whole ? to_text(std::round(percent)) : rounded_text(percent, 2)) + " %";
}

}  // namespace gradus
