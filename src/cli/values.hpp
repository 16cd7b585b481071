// Values of options: text -> number or name, with messages that say what was found and what is
// allowed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gradus::cli {

// All throw InputError; `option` is its name in the message ("--step").
double parse_number(const std::string& option, const std::string& text);
double parse_positive(const std::string& option, const std::string& text);
std::uint64_t parse_count(const std::string& option, const std::string& text,
                          std::uint64_t smallest);

// Bytes: a whole number above 0, perhaps followed by k, M or G, each 1024 of the one before.
std::size_t parse_bytes(const std::string& option, const std::string& text);

// "NAME=VALUE"
std::pair<std::string, double> parse_assignment(const std::string& option, const std::string& text);

// Returns `text` if it is one of `allowed`.
std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& allowed);

// cpu[:threads], debug, cuda[:device], auto
std::string parse_backend(const std::string& option, const std::string& text);

// The allowed name with the smallest edit distance; empty if none resembles `text`.
std::string nearest_name(const std::string& text, const std::vector<std::string>& allowed);

// "; did you mean 'direct'?", or nothing
std::string suggestion(const std::string& text, const std::vector<std::string>& allowed);

// "a, b, c"
std::string join(const std::vector<std::string>& names, const std::string& separator = ", ");

}  // namespace gradus::cli
