// Quoting and its reverse.
#include "src/results/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gradus::results {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";
constexpr std::size_t csv_piece_size = 1 << 20;  // bytes

// Nothing for what is not finite.
void append_number(double value, std::string& text) {
  if (!std::isfinite(value)) return;
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The length of the cell at the front of a line: up to the first comma outside quotes.
std::size_t cell_length(std::string_view line) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_quoted = !is_quoted;
    if (line[i] == ',' && !is_quoted) return i;
  }
  return line.size();
}

std::string cell_of(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string cell;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '"' && text[i + 1] == '"' && i + 2 < text.size()) ++i;
    cell += text[i];
  }
  return cell;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t length = cell_length(line);
    cells.push_back(cell_of(line.substr(0, length)));
    if (length == line.size()) return cells;
    line.remove_prefix(length + 1);
  }
}

}  // namespace

std::string csv_field(double value) {
  std::string text;
  append_number(value, text);
  return text;
}

void CsvStream::separate() {
  if (row_has_cell_) text_ += ',';
  row_has_cell_ = true;
}

void CsvStream::cell(std::size_t value) {
  separate();
  text_ += std::to_string(value);
}

void CsvStream::cells(std::span<const double> values) {
  for (const double value : values) {
    separate();
    append_number(value, text_);
  }
}

void CsvStream::end_row() {
  text_ += '\n';
  row_has_cell_ = false;
  if (text_.size() < csv_piece_size) return;
  sink_(text_);
  text_.clear();
}

void CsvStream::finish() {
  if (!text_.empty()) sink_(text_);
  text_.clear();
}

std::string csv_row(const std::vector<std::string>& fields) {
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) row += (i == 0 ? "" : ",") + quoted(fields[i]);
  return row + "\n";
}

std::optional<std::size_t> CsvTable::find(std::string_view column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

CsvTable read_csv(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  CsvTable table;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line[0] == '#') continue;
    if (table.columns.empty()) {
      table.columns = cells_of(line);
      table.header = number;
    } else {
      table.rows.push_back(cells_of(line));
      table.lines.push_back(number);
    }
  }
  return table;
}

}  // namespace gradus::results
