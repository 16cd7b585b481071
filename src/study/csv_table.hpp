// Tables of numbers as text: a header with the names of the columns, then rows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

struct CsvTable {
  std::vector<std::string> columns;
  std::vector<std::size_t> lines;         // [n_row] of the file, counted from 1, for messages
  std::vector<std::vector<double>> rows;  // [n_row][n_column]; NaN for an empty cell
};

// Separated by commas. Lines that begin with # and blank ones are left out, spaces around cells and
// quotes around names too. Throws InputError, opened by `where` (the name of the file), with line
// and column: no header, a column without name or twice, a row of another length, text that is no
// finite number.
CsvTable read_csv(std::string_view text, const std::string& where);

// "where: line 3, column "L_A1"", which opens messages about a cell.
std::string csv_cell(const std::string& where, const CsvTable& table, std::size_t row,
                     std::size_t column);

}  // namespace gradus
