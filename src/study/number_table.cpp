// Cells -> numbers, and the errors in them.
#include "src/study/number_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "src/model/message.hpp"

namespace gradus {
namespace {

void check_names(const std::vector<std::string>& names, const std::string& where) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty())
      reject(where, "column " + std::to_string(k + 1) + " has no name",
             "the first line names all columns", "name it");
    const auto here = names.begin() + static_cast<std::ptrdiff_t>(k);
    if (std::find(names.begin(), here, names[k]) != here)
      reject(where, "found the column " + in_quotes(names[k]) + " twice",
             "each column has a name of its own", "rename or remove one of them");
  }
}

double number_of(const std::string& cell, const std::string& where) {
  if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::string_view digits = cell;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    reject(where, "found " + in_quotes(cell), "it is beyond double precision", "rescale it");
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    reject(where, "found " + in_quotes(cell), "it is not a finite number",
           "write one, such as 1.5e-3");
  return value;
}

}  // namespace

std::string NumberTable::cell(std::size_t row, std::size_t column) const {
  return file + ": line " + std::to_string(text.lines[row]) + ", column " +
         in_quotes(text.columns[column]);
}

NumberTable read_numbers(std::string_view content, const std::string& file) {
  NumberTable table{file, results::read_csv(content), {}};
  const std::size_t width = table.text.columns.size();
  if (width == 0)
    reject(file, "found no header", "the first line names the columns", "write names and numbers");
  check_names(table.text.columns, file + ": line " + std::to_string(table.text.header));
  for (std::size_t row = 0; row < table.text.rows.size(); ++row) {
    const std::vector<std::string>& cells = table.text.rows[row];
    if (cells.size() != width)
      reject(file + ": line " + std::to_string(table.text.lines[row]),
             "found " + std::to_string(cells.size()) + " cells",
             "the header names " + std::to_string(width) + " columns",
             "separate cells by commas and write numbers with a decimal point");
    std::vector<double>& numbers = table.rows.emplace_back();
    for (std::size_t k = 0; k < width; ++k)
      numbers.push_back(number_of(cells[k], table.cell(row, k)));
  }
  return table;
}

}  // namespace gradus
