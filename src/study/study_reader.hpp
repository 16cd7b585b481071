// Reads the sections of a study file, each in a source of its own, and what they share.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gradus/study.hpp"
#include "src/model/json_element.hpp"

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

// A number strictly between 0 and 1.
double fraction(const JsonElement& element);

// Index of a parameter of the model. Throws InputError with the nearest name; `where` opens it.
std::size_t parameter_index(const Model& model, const std::string& name, const std::string& where);

// The "parameters" of optimisations and fits: a list of names, or an object of names with "start",
// "lower" and "upper". Defaults are those of the model: its value, its bounds.
std::vector<Variable> read_variables(const JsonElement& element, const StudyContext& context);

}  // namespace gradus
