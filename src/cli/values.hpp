// Values of options: text -> number or name, with messages that say what was found and what is
// allowed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gradus::cli {

// All throw InputError; `option` is its name in the message ("--step").
std::string parse_text(const std::string& option, const std::string& text);  // takes anything
double parse_number(const std::string& option, const std::string& text);
double parse_positive(const std::string& option, const std::string& text);
std::uint64_t parse_count(const std::string& option, const std::string& text,
                          std::uint64_t smallest);

// Bytes: a whole number above 0, perhaps followed by k, M or G, each 1024 times the one before.
std::size_t parse_bytes(const std::string& option, const std::string& text);

// "NAME=VALUE"
std::pair<std::string, double> parse_assignment(const std::string& option, const std::string& text);

// Returns `text` if it is one of `allowed`.
std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& allowed);

// Returns `text` unless it is empty; `what` is what it names ("a file").
std::string parse_path(const std::string& option, const std::string& text, const char* what);

// cpu[:threads], debug, cuda[:device], auto
std::string parse_backend(const std::string& option, const std::string& text);

// auto (as 0), 1, 2, 4, 8
int parse_lanes(const std::string& option, const std::string& text);

// "; did you mean 'direct'?", or nothing if no name resembles `text`.
std::string suggestion(const std::string& text, const std::vector<std::string>& allowed);

}  // namespace gradus::cli
