// The blocks of the kinds of folders, each in a file of its own.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/run.hpp"
#include "src/report/blocks.hpp"

namespace gradus::report {

struct Folder {
  std::filesystem::path path;
  Json summary;
};

// Throw FileError where a file of the folder is missing or does not fit the summary.
std::vector<Json> result_blocks(const Folder& folder);
std::vector<Json> sweep_blocks(const Folder& folder);
std::vector<Json> optimization_blocks(const Folder& folder);
std::vector<Json> fit_blocks(const Folder& folder);

// Plots of what is known of the "drivers" of statistics of a sweep, the largest first.
std::vector<Json> driver_blocks(const Json& parameters, const Json& statistics);

// "4.2 s, 2000 steps of 0.001 s"
std::string duration_text(const Json& summary);

// What all kinds say at the head of the page.
Facts common_facts(const Folder& folder, const std::string& title);

// The motion of the model in inputs/ of a study at these values of parameters.
struct Point {
  std::string label;
  std::map<std::string, double> values;
};
// Units of the components of the sensors of the study in inputs/; empty where it cannot be read.
std::map<std::string, std::string> sensor_units(const Folder& folder);

Json study_animation(const Folder& folder, const std::vector<Point>& points);

// The rows of a CSV file by the names of its first line; numbers that are none are NaN.
class CsvTable {
 public:
  explicit CsvTable(const std::filesystem::path& file);
  std::size_t rows() const { return rows_.size(); }
  std::vector<std::string> texts(const std::string& column) const;  // throws FileError
  std::vector<double> numbers(const std::string& column) const;     // throws FileError

 private:
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Columns of history.csv over the column `count`, a line per start, the best one emphasised. Null
// if there is no row.
struct HistoryColumn {
  std::string name, label, unit;
};
Json history_plot(const CsvTable& history, const std::string& count, std::size_t best,
                  const std::vector<HistoryColumn>& columns);

}  // namespace gradus::report
