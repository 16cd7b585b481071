// Finds the name that was probably meant, for error messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

// The candidate with the smallest edit distance to `name`, or "" if none is near enough to be a
// likely misspelling.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// "did you mean "X"?" if a candidate is near, otherwise "known are "A", "B", ..." (the first few),
// or "there are none".
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

// The text in double quotes, fit for one line of a message: control characters replaced, long text
// shortened.
std::string in_quotes(std::string_view text);

// "A", "B", "C" - all of them, quoted.
std::string quoted_list(const std::vector<std::string>& names, std::size_t limit = 12);

}  // namespace gradus
