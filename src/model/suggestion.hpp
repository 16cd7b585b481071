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

}  // namespace gradus
