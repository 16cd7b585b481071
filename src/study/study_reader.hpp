// Reads the sections of a study file, each in a source of its own, and what they share: parameters,
// variables, and tables of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/study.hpp"
#include "src/model/json_element.hpp"
#include "src/results/csv.hpp"

namespace gradus {

// What readers of sections need of the rest of the study.
struct StudyContext {
  const Study& study;           // name, model and options are there
  std::vector<double> nominal;  // values of the model's parameters, with those the study sets
  // The content of a file the study names; keeps it among the files of the study. Throws FileError.
  std::function<std::string(const std::string& reference)> read_file;
};

Sweep read_sweep(const JsonElement& element, const StudyContext& context);
Optimization read_optimization(const JsonElement& element, const StudyContext& context);
Fit read_fit(const JsonElement& element, const StudyContext& context);

// A table that a study names: a CSV file with a header of column names.
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

// The designs of a file whose name ends in .csv or .npy. A CSV file names its columns: given
// parameters are matched to them, otherwise the parameters are taken from there. `where` opens
// messages about the file. Throws InputError and FileError.
std::vector<double> read_design_list(const std::string& content, const std::string& where,
                                     std::vector<SweepParameter>& parameters);

// Reads the key "data" of a fit: the name of a table, an object about one, or a list of these.
// Throws InputError with file, line and column of the table, and FileError.
std::vector<Measurement> read_measurements(const JsonElement& data, const StudyContext& context);

// A whole number in this range, by default all that a double holds exactly.
inline constexpr std::uint64_t largest_whole_number = std::uint64_t{1} << 53;
std::uint64_t whole_number(const JsonElement& element, std::uint64_t smallest,
                           std::uint64_t largest = largest_whole_number);

// Index of a parameter of the model. Throws InputError with the nearest name; `where` opens it.
std::size_t parameter_index(const Model& model, const std::string& name, const std::string& where);

// The "parameters" of optimisations and fits: a list of names, or an object of names with "start",
// "lower" and "upper". Defaults are those of the model: its value, its bounds.
std::vector<Variable> read_variables(const JsonElement& element, const StudyContext& context);

// All starts run at the same time, each on a thread that mostly waits.
inline constexpr std::size_t most_starts = 4096;

// Throws InputError if there are none, for names that are repeated or not in the model, bounds out
// of order, starts outside them, and infinite bounds with several starts. `where` opens messages
// and stands for the object of variables.
void check_variables(const std::vector<Variable>& variables, const Model& model, std::size_t starts,
                     const std::string& where);

// Throw InputError for settings that are not strictly between 0 and 1, or not from 1 to `most`.
// `where` stands for the object that holds the setting.
void check_fraction(double value, const std::string& where, const std::string& name);
void check_count(std::size_t value, std::size_t most, const std::string& where,
                 const std::string& name);

// Throws InputError for settings of statistics out of range and sensors that cannot be recorded.
void check_sweep(const Sweep& sweep, const Model& model, const std::string& where);

// Their parameters, by index in the model.
std::vector<std::size_t> variable_indices(const std::vector<Variable>& variables,
                                          const Model& model);

// [starts][n_variable]: the first as the variables say, the others a Latin hypercube between the
// bounds.
std::vector<std::vector<double>> start_points(const std::vector<Variable>& variables,
                                              std::size_t starts, std::uint64_t seed);

}  // namespace gradus
