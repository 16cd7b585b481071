// Accepts the whole text or nothing, where std::stod would take "1e-3x" and CLI11 "nan".
#include "src/cli/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "gradus/error.hpp"
#include "src/cli/text.hpp"
#include "src/model/suggestion.hpp"

namespace gradus::cli {
namespace {

[[noreturn]] void reject(const std::string& option, const std::string& text,
                         const std::string& allowed) {
  throw InputError(option + ": found '" + text + "'; allowed: " + allowed);
}

// True if all of `text` is one number of type Value.
template <typename Value>
bool convert(std::string_view text, Value& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string parse_text(const std::string&, const std::string& text) {
  return text;
}

double parse_number(const std::string& option, const std::string& text) {
  double value = 0.0;
  if (!convert(text, value) || !std::isfinite(value))
    reject(option, text, "a finite number, e.g. 0.5 or 1e-3");
  return value;
}

double parse_positive(const std::string& option, const std::string& text) {
  double value = 0.0;
  if (!convert(text, value) || !std::isfinite(value) || !(value > 0.0))
    reject(option, text, "a finite number greater than 0, e.g. 0.5 or 1e-3");
  return value;
}

std::uint64_t parse_count(const std::string& option, const std::string& text,
                          std::uint64_t smallest) {
  std::uint64_t value = 0;
  if (!convert(text, value) || value < smallest)
    reject(option, text, "a whole number of at least " + std::to_string(smallest));
  return value;
}

std::size_t parse_bytes(const std::string& option, const std::string& text) {
  const std::size_t unit = text.empty() ? std::string::npos : std::string("kMG").find(text.back());
  const bool has_unit = unit != std::string::npos;
  const std::size_t shift = has_unit ? 10 * (unit + 1) : 0;
  std::uint64_t value = 0;
  if (!convert(std::string_view(text).substr(0, text.size() - (has_unit ? 1 : 0)), value) ||
      value < 1 || value > std::numeric_limits<std::uint64_t>::max() >> shift)
    reject(option, text, "a whole number of bytes above 0, perhaps with k, M or G, e.g. 512M");
  return static_cast<std::size_t>(value << shift);
}

std::pair<std::string, double> parse_assignment(const std::string& option,
                                                const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    reject(option, text, "NAME=VALUE, e.g. --set mass=1.5");
  const std::string name = text.substr(0, equals);
  return {name, parse_number(option + " " + name, text.substr(equals + 1))};
}

std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& allowed) {
  if (!contains(allowed, text)) reject(option, text, join(allowed) + suggestion(text, allowed));
  return text;
}

std::string parse_path(const std::string& option, const std::string& text, const char* what) {
  if (text.empty()) reject(option, text, "the name of " + std::string(what));
  return text;
}

std::string parse_backend(const std::string& option, const std::string& text) {
  const std::vector<std::string> kinds = {"auto", "cpu", "cuda", "debug"};
  const std::string allowed = "auto, cpu, cpu:THREADS, debug, cuda, cuda:DEVICE";
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (!contains(kinds, kind)) reject(option, text, allowed + suggestion(kind, kinds));
  if (colon == std::string::npos) return text;

  std::uint32_t number = 0;
  const bool takes_number = kind == "cpu" || kind == "cuda";
  if (!takes_number || !convert(text.substr(colon + 1), number) || (kind == "cpu" && number == 0))
    reject(option, text, allowed);
  return text;
}

int parse_lanes(const std::string& option, const std::string& text) {
  if (parse_choice(option, text, {"auto", "1", "2", "4", "8"}) == "auto") return 0;
  return std::stoi(text);
}

std::string suggestion(const std::string& text, const std::vector<std::string>& allowed) {
  const std::string near = nearest(text, allowed);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

}  // namespace gradus::cli
