// The pages of each kind of folder, and what they share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/run.hpp"
#include "src/report/blocks.hpp"
#include "src/results/csv.hpp"
#include "src/results/npz_reader.hpp"

namespace gradus::report {

// One HTML page that needs nothing else: template, style and script are part of the program.
// `data`:
// {"title", "subtitle", "description", "blocks": [{"kind", ...}]}, as src/report/page reads it. No
// text of it can become markup.
std::string html_page(const Json& data);

// The files of src/report/page, which the build puts into the program.
namespace page_files {
extern const std::string_view html, css, script;
}

struct Folder {
  std::filesystem::path path;
  Json summary;
};

// The blocks of a page. Throw FileError where a file of the folder is missing or does not fit the
// summary.
std::vector<Json> result_blocks(const Folder& folder);
std::vector<Json> sweep_blocks(const Folder& folder);
std::vector<Json> optimization_blocks(const Folder& folder);
std::vector<Json> fit_blocks(const Folder& folder);

// The head of the page: what all kinds say.
Facts common_facts(const Folder& folder, const std::string& title);
// The "failures" of a summary, which may be the first of "failed" ones; null if there are none.
Json failure_table(const Json& summary, std::size_t total);

// Of a run with friction in joints, null without: what their surfaces do, as the program prints it;
// and by how much objectives change where a threshold that is a parameter is halved, beside what
// their derivative by it says.
struct Designs;
Json friction_table(const Json& summary);
Json halved_table(const Json& summary, const Designs& designs);

// Arrays of folders. ------------------------------------------------------------------------------
// Names and units of an archive: "parameter_names", "parameter_units".
std::vector<NamedUnit> named_units(const results::NpzReader& archive, const std::string& what);
// Checked to have this shape. Throws FileError.
const results::ArrayView& array_of(const results::NpzReader& archive, const std::string& name,
                                   const results::Shape& shape);
// The designs of designs.npz and gradient.npz.
struct Designs {
  explicit Designs(const std::filesystem::path& file);  // throws FileError

  std::vector<NamedUnit> parameters, objectives;
  std::size_t count = 0;
  std::vector<double> parameter_values;  // [count, n_parameter]
  std::vector<double> objective_values;  // [count, n_objective]
  std::vector<double> gradient;          // [count, n_objective, n_parameter]; may be empty
  // [count, n_objective] estimated, NaN where they were not; empty if none was
  std::vector<double> objective_errors, gradient_errors;
};

// A CSV file by the names of its columns; cells that are not numbers are NaN. Throws FileError.
class TextTable {
 public:
  explicit TextTable(const std::filesystem::path& file);
  std::vector<std::string> texts(const std::string& column) const;
  std::vector<double> numbers(const std::string& column) const;
  bool has(const std::string& column) const { return table_.find(column).has_value(); }

 private:
  std::string name_;
  results::CsvTable table_;
};

// Optimisations and fits. -------------------------------------------------------------------------
std::size_t best_start(const Json& summary);
// The first of the "starts" of a summary; `columns` lie between their number and how they ended.
Json start_table(const Json& summary, std::vector<Column> columns);
// Columns of history.csv over the column `count`, a line per start, the best one emphasised. Null
// if there is no row.
struct HistoryColumn {
  std::string name, label;
};
Json history_plot(const Folder& folder, const std::string& count,
                  const std::vector<HistoryColumn>& columns);

// How an evaluation, or a design of a sweep, went: what the page draws it as.
enum class Outcome : std::uint8_t { fine, infeasible, failed };
// A line per design across an axis for every parameter and result: of so many designs in `total`
// those that are drawn, at most as many as here. Null without designs.
constexpr std::size_t most_lines_across = 1000;
struct ParallelAxis {
  NamedUnit thing;
  std::vector<double> values;  // [drawn design]
  bool is_parameter = false;
};
Json parallel_plot(const std::string& title, const std::vector<ParallelAxis>& axes,
                   const std::vector<Outcome>& states, const std::vector<std::string>& labels,
                   std::size_t total);
// Of a sweep, by the indices of its parameters that vary; null without those or objectives.
struct Designs;
Json scatter_plot(const Designs& designs, const std::vector<std::size_t>& varied);
Json parallel_designs(const Designs& designs, const std::vector<std::size_t>& varied);
// That of the evaluations in history.csv: variables, objective, violation.
Json evaluation_plot(const Folder& folder);

// Gradients. --------------------------------------------------------------------------------------
// A parameter, and the change of it that is comparable with those of others.
struct ScaledParameter {
  NamedUnit parameter;
  double scale = missing;
  std::string scale_name;  // "standard deviation"
};
// By the first of these that is known and not zero: a standard deviation, a width between bounds,
// the size of the value.
ScaledParameter scaled_parameter(const NamedUnit& parameter, double deviation, double width,
                                 double value);
struct Slopes {
  NamedUnit objective;
  std::string what;                       // "change of psi1"
  std::vector<double> values, low, high;  // [parameter]; the ends of intervals may be empty
};
// The derivatives of each objective, the largest first, times the scales of parameters or by
// themselves. Null if none is finite.
Json gradient_plot(const std::string& title, const std::vector<ScaledParameter>& parameters,
                   const std::vector<Slopes>& objectives, const std::string& note = "");

// Motions. ----------------------------------------------------------------------------------------
// The motion of one design: where joints, points, springs and centres of mass are at a few hundred
// times. Runs the model once with these options (backend, recording and designs are chosen here).
// Where that fails, the member "error" says why, and there is nothing else.
Json run_motion(const Model& model, const Options& options);  // throws InputError
// The same under a name, and without exceptions: an error is an error of the motion.
Json motion(const std::string& label, const Model& model, const Options& options);
// The block of some motions, of which the page shows one at a time. The first block of a page
// begins to play, unless the reader wants no motion.
Json animation(std::vector<Json> motions);

// The motions of the model in inputs/ of a study, where parameters have the values that a list of
// the summary, "parameters" or "variables", holds in the members of these names.
struct Point {
  std::string label, member;
};
Json study_animation(const Folder& folder, const char* list, const std::vector<Point>& points);
// Units of the components of the sensors of the study in inputs/; empty where it cannot be read.
std::map<std::string, std::string> sensor_units(const Folder& folder);

// Recorded sensors over time, of which the page draws any set: a signal per component; of several
// designs their median and what lies between 5 and 95 %. Null if the file is not there. Throws
// FileError.
Json sensor_plots(const std::filesystem::path& file);
// Likewise what objectives have come to, and of the first design, whose parameters have these
// values, their gradients. Null if the file has none of that.
Json objective_plots(const std::filesystem::path& file);
Json gradient_plots(const std::filesystem::path& file, const std::vector<double>& values);

}  // namespace gradus::report
