// Tables of numbers, lists of designs among them: cells -> numbers, and the errors in them.
#include "src/study/study_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/results/npz_reader.hpp"

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

// Column of the table for each parameter.
std::vector<std::size_t> columns_of(const NumberTable& table,
                                    const std::vector<SweepParameter>& parameters) {
  const std::vector<std::string>& known = table.text.columns;
  std::vector<std::string> names;
  std::vector<std::size_t> columns;
  for (const SweepParameter& parameter : parameters) {
    names.push_back(parameter.name);
    const std::optional<std::size_t> column = table.text.find(parameter.name);
    if (!column)
      reject(table.file, "found no column " + in_quotes(parameter.name),
             "each parameter of the sweep has one", suggestion(parameter.name, known));
    columns.push_back(*column);
  }
  for (const std::string& column : known)
    if (std::find(names.begin(), names.end(), column) == names.end())
      reject(table.file, "found the column " + in_quotes(column),
             "it is not among the parameters of the sweep", suggestion(column, names));
  return columns;
}

std::vector<double> from_csv(const std::string& content, const std::string& where,
                             std::vector<SweepParameter>& parameters) {
  const NumberTable table = read_numbers(content, where);
  if (parameters.empty())
    for (const std::string& name : table.text.columns) parameters.push_back({name, {}, {}});
  const std::vector<std::size_t> columns = columns_of(table, parameters);
  std::vector<double> list;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (const std::size_t column : columns) {
      if (std::isnan(table.rows[row][column]))
        reject(table.cell(row, column), "found an empty cell",
               "a design has values of all its parameters", "fill it");
      list.push_back(table.rows[row][column]);
    }
  return list;
}

std::vector<double> from_npy(const std::string& content, const std::string& where,
                             const std::vector<SweepParameter>& parameters) {
  if (parameters.empty())
    reject(where, "found an array without names", "its columns are those of \"parameters\"",
           "add \"parameters\", a list of names");
  const results::ArrayView array =
      results::read_npy(std::as_bytes(std::span<const char>(content)), where);
  if (array.shape.size() != 2 || array.shape[1] != parameters.size())
    reject(where, "found an array of shape " + results::shape_text(array.shape),
           "it has one row for each design and one column for each of " +
               std::to_string(parameters.size()) + " parameters",
           "write a two-dimensional array of numbers");
  std::vector<double> list = array.numbers();
  for (std::size_t k = 0; k < list.size(); ++k)
    if (!std::isfinite(list[k]))
      reject(where + ": row " + std::to_string(k / parameters.size()) + ", column " +
                 in_quotes(parameters[k % parameters.size()].name),
             "found " + to_text(list[k]), "it is not a finite number",
             "correct the value (rows are counted from 0)");
  return list;
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

std::vector<double> read_design_list(const std::string& content, const std::string& where,
                                     std::vector<SweepParameter>& parameters) {
  const bool is_array = where.ends_with(".npy");
  if (!is_array && !where.ends_with(".csv"))
    reject(where, "cannot tell what the file holds", "lists of designs are CSV or NPY files",
           "name it *.csv or *.npy");
  std::vector<double> list =
      is_array ? from_npy(content, where, parameters) : from_csv(content, where, parameters);
  if (list.empty())
    reject(where, "found no designs", "a list has at least one row", "add rows of numbers");
  return list;
}

}  // namespace gradus
