// Rows of comma-separated values.
#include "src/results/csv.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace gradus::results {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

}  // namespace

std::string csv_number(double value) {
  if (!std::isfinite(value)) return "";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) row += (i == 0 ? "" : ",") + quoted(fields[i]);
  return row + "\n";
}

}  // namespace gradus::results
