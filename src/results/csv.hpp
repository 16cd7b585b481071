// Comma-separated values: the one reader and the one writer.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/results/sink.hpp"

namespace gradus::results {

// Fields of rows; of numbers the shortest text that reads back as the same number, nothing for what
// is not finite.
std::string csv_field(double value);
inline std::string csv_field(std::size_t value) {
  return std::to_string(value);
}
inline std::string csv_field(std::string text) {
  return text;
}

// Fields with commas between them and a line end; quoted where they hold commas, quotes or ends of
// lines (RFC 4180, but for the line end, which is that of Unix).
std::string csv_row(const std::vector<std::string>& fields);

template <typename... Fields>
std::string csv_row_of(const Fields&... fields) {
  return csv_row({csv_field(fields)...});
}

// Rows that are too many to be kept: handed to the sink as they come, a megabyte at a time.
class CsvStream {
 public:
  explicit CsvStream(Sink sink) : sink_(std::move(sink)) {}

  void row(const std::vector<std::string>& fields) { text_ += csv_row(fields); }
  // Cells of a row that is made one by one.
  void cell(std::size_t value);
  void cells(std::span<const double> values);
  void end_row();
  void finish();  // hands over what is left

 private:
  void separate();

  Sink sink_;
  std::string text_;  // whole rows, and the one that is being made
  bool row_has_cell_ = false;
};

struct CsvTable {
  std::vector<std::string> columns;            // the cells of the header
  std::size_t header = 0;                      // its line in the text, counted from 1
  std::vector<std::vector<std::string>> rows;  // [n_row], each with the cells of its line
  std::vector<std::size_t> lines;              // [n_row] in the text

  // Index of the column of this name, if there is one.
  std::optional<std::size_t> find(std::string_view column) const;
};

// Skips blank lines, lines that begin with #, a byte order mark, and blanks around cells. Quoted
// cells may hold commas and doubled quotes, but no line end. No columns if there is no line.
CsvTable read_csv(std::string_view text);

}  // namespace gradus::results
