// Tables of numbers that studies name: CSV files with a header of column names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/results/csv.hpp"

namespace gradus {

struct NumberTable {
  std::string file;                       // its name, for messages
  results::CsvTable text;                 // columns, cells and lines
  std::vector<std::vector<double>> rows;  // [n_row][n_column]; NaN for an empty cell

  // "table.csv: line 3, column "L_A1"", which opens messages about a cell.
  std::string cell(std::size_t row, std::size_t column) const;
};

// Throws InputError with file, line and column: no header, a column without name or twice, a row of
// another length, a cell that is not a finite number.
NumberTable read_numbers(std::string_view content, const std::string& file);

}  // namespace gradus
