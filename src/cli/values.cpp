// Parsing that accepts the whole text or nothing: std::stod would take "1e-3x" and CLI11 "nan".
#include "src/cli/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "gradus/error.hpp"

namespace gradus::cli {
namespace {

[[noreturn]] void reject(const std::string& option, const std::string& text,
                         const std::string& allowed) {
  throw InputError(option + ": found '" + text + "'; allowed: " + allowed);
}

std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// True if all of `text` is one number of type Value.
template <typename Value>
bool convert(const std::string& text, Value& value) {
  const std::string_view digits = without_plus(text);
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  return error == std::errc() && stop == end;
}

double parse_number_in(const std::string& option, const std::string& text,
                       const std::string& allowed) {
  double value = 0.0;
  if (!convert(text, value) || !std::isfinite(value)) reject(option, text, allowed);
  return value;
}

// Insertions, deletions, replacements and exchanges of neighbours that turn `a` into `b`.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> distances((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return distances[i * width + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      const std::size_t replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({replaced, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return distances.back();
}

}  // namespace

double parse_number(const std::string& option, const std::string& text) {
  return parse_number_in(option, text, "a finite number, e.g. 0.5 or 1e-3");
}

double parse_positive(const std::string& option, const std::string& text) {
  const std::string allowed = "a finite number greater than 0, e.g. 0.5 or 1e-3";
  const double value = parse_number_in(option, text, allowed);
  if (!(value > 0.0)) reject(option, text, allowed);
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
  const std::string units = "kMG";
  const std::size_t unit = text.empty() ? std::string::npos : units.find(text.back());
  const std::string digits = unit == std::string::npos ? text : text.substr(0, text.size() - 1);
  const std::size_t shift = unit == std::string::npos ? 0 : 10 * (unit + 1);
  std::uint64_t value = 0;
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() >> shift;
  if (!convert(digits, value) || value < 1 || value > most)
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
  if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
    reject(option, text, join(allowed) + suggestion(text, allowed));
  return text;
}

std::string parse_backend(const std::string& option, const std::string& text) {
  const std::vector<std::string> kinds = {"auto", "cpu", "cuda", "debug"};
  const std::string allowed = "auto, cpu, cpu:THREADS, debug, cuda, cuda:DEVICE";
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
    reject(option, text, allowed + suggestion(kind, kinds));
  if (colon == std::string::npos) return text;

  std::uint32_t number = 0;
  const bool takes_number = kind == "cpu" || kind == "cuda";
  if (!takes_number || !convert(text.substr(colon + 1), number) || (kind == "cpu" && number == 0))
    reject(option, text, allowed);
  return text;
}

std::string nearest_name(const std::string& text, const std::vector<std::string>& allowed) {
  std::string nearest;
  // Beyond a third of its letters a name no longer resembles what was typed.
  std::size_t smallest = std::max<std::size_t>(1, text.size() / 3) + 1;
  for (const std::string& name : allowed) {
    const std::size_t distance = edit_distance(text, name);
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = name;
  }
  return nearest;
}

std::string suggestion(const std::string& text, const std::vector<std::string>& allowed) {
  const std::string nearest = nearest_name(text, allowed);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

std::string join(const std::vector<std::string>& names, const std::string& separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

}  // namespace gradus::cli
