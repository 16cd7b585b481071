// The wording of error messages: where, problem (why), hint.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

// Throws InputError `where: problem (why), hint`.
[[noreturn]] void reject(const std::string& where, const std::string& problem,
                         const std::string& why, const std::string& hint);

// The text in double quotes, fit for one line of a message: control characters replaced, long text
// shortened.
std::string in_quotes(std::string_view text);

// "A", "B", "C": all of them, or the first `limit` and how many there are.
std::string quoted_list(const std::vector<std::string>& names, std::size_t limit = 12);

// The shortest decimal text that reads back as the same number.
std::string to_text(double value);

// A number with so many significant digits, where the others are round-off.
std::string rounded_text(double value, int digits);

// "1 step", "2 steps".
std::string counted(std::size_t count, const std::string& one, const std::string& many);
inline std::string counted(std::size_t count, const std::string& one) {
  return counted(count, one, one + "s");
}

// A share as "0.12 %", "12 %", "120 %".
std::string percent_text(double share);

}  // namespace gradus
