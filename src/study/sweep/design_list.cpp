// Designs that are given one by one, as text or as an array of NumPy.
#include <algorithm>
#include <cmath>
#include <span>

#include "src/model/message.hpp"
#include "src/model/suggestion.hpp"
#include "src/results/npz_reader.hpp"
#include "src/study/number_table.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

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
