// Widths count characters, not bytes: names of models may be in any language.
#include "src/cli/tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "src/cli/printable.hpp"

namespace gradus::cli {
namespace {

// Characters of UTF-8 text: bytes that do not continue one.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string format(const char* pattern, double value) {
  if (std::isnan(value)) return "failed";
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, pattern, value);
  return buffer;
}

}  // namespace

void Table::column(const std::string& heading, Align align) {
  if (rows_.empty()) rows_.emplace_back();
  rows_.front().push_back(printable(heading));
  aligns_.push_back(align);
}

void Table::row(const std::vector<std::string>& cells) {
  rows_.push_back(cells);
}

std::string Table::text(std::size_t indent) const {
  std::vector<std::size_t> widths(aligns_.size(), 0);
  for (const auto& cells : rows_)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width(cells[i]));

  std::string lines;
  for (const auto& cells : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string fill(widths[i] - width(cells[i]), ' ');
      if (i > 0) line += "  ";
      line += aligns_[i] == Align::left ? cells[i] + fill : fill + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}

std::string number_text(double value) {
  return format("%.10g", value);
}

std::string short_text(double value) {
  return format("%.4g", value);
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

}  // namespace gradus::cli
