// Splits lines into cells, and turns cells into numbers.
#include "src/study/csv_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "src/model/message.hpp"

namespace gradus {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\f\v";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

std::string at_line(const std::string& where, std::size_t line) {
  return where + ": line " + std::to_string(line);
}

std::string at_cell(const std::string& where, std::size_t line, const std::string& column) {
  return at_line(where, line) + ", column " + in_quotes(column);
}

std::vector<std::string> names_of(std::string_view line, const std::string& where) {
  std::vector<std::string> names;
  for (std::string_view cell : cells_of(line)) {
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
      cell = trimmed(cell.substr(1, cell.size() - 2));
    if (cell.empty()) {
      reject(where, "column " + std::to_string(names.size() + 1) + " has no name",
             "the first line names all columns", "name it");
    }
    if (std::find(names.begin(), names.end(), cell) != names.end()) {
      reject(where, "found the column " + in_quotes(cell) + " twice",
             "each column has a name of its own", "rename or remove one of them");
    }
    names.emplace_back(cell);
  }
  return names;
}

double number_of(std::string_view cell, const std::string& where) {
  if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::string_view digits = cell;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    reject(where, "found " + in_quotes(cell), "its size is beyond double precision", "rescale it");
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    reject(where, "found " + in_quotes(cell), "it is no finite number",
           "write one, such as 1.5e-3");
  return value;
}

void add_row(std::string_view line, std::size_t number, const std::string& where, CsvTable& table) {
  const std::vector<std::string_view> cells = cells_of(line);
  if (cells.size() != table.columns.size()) {
    reject(at_line(where, number), "found " + std::to_string(cells.size()) + " cells",
           "the header names " + std::to_string(table.columns.size()) + " columns",
           "separate cells by commas and write numbers with a decimal point");
  }
  std::vector<double> row;
  for (std::size_t k = 0; k < cells.size(); ++k)
    row.push_back(number_of(cells[k], at_cell(where, number, table.columns[k])));
  table.lines.push_back(number);
  table.rows.push_back(std::move(row));
}

}  // namespace

CsvTable read_csv(std::string_view text, const std::string& where) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  CsvTable table;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line[0] == '#') continue;
    if (table.columns.empty())
      table.columns = names_of(line, at_line(where, number));
    else
      add_row(line, number, where, table);
  }
  if (table.columns.empty())
    reject(where, "found no line", "the first names the columns", "write names and numbers");
  return table;
}

std::string csv_cell(const std::string& where, const CsvTable& table, std::size_t row,
                     std::size_t column) {
  return at_cell(where, table.lines[row], table.columns[column]);
}

}  // namespace gradus
