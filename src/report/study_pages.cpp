// What the pages of several kinds of folders share.
#include <cmath>
#include <cstdlib>

#include "gradus/error.hpp"
#include "gradus/study.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/report/pages.hpp"
#include "src/study/run_folder.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t shown_starts = 50;
constexpr std::size_t shown_failures = 50;

// "4.2 s, 2000 steps of 0.001 s"
std::string duration_text(const Json& summary) {
  const double duration = number_of(summary, "duration"), steps = number_of(summary, "steps");
  const double step = number_of(summary, "step");
  if (!std::isfinite(duration)) return "";
  std::string text = rounded_text(duration, 6) + " s";
  if (std::isfinite(steps)) text += ", " + rounded_text(steps, 6) + " steps";
  if (summary.contains("steps_taken")) return text;  // as long as the integrator chose
  if (summary.contains("adaptive") && summary["adaptive"].get<bool>())
    return text + ", by adaptive steps";
  if (std::isfinite(step))
    text += (std::isfinite(steps) ? " of " : ", step ") + rounded_text(step, 6) + " s";
  return text;
}

// What the steps of a study make some of its designs wrong by.
std::string step_errors_text(const Json& errors) {
  const double designs = number_of(errors, "designs");
  if (!(designs > 0.0)) return "";
  const double largest = number_of(errors, "largest");
  if (!std::isfinite(largest)) return "unknown: motions by other steps fail";
  const bool of_gradient = errors.contains("of_gradient") && errors["of_gradient"].get<bool>();
  return percent_text(largest) + " at most, of " + (of_gradient ? "the gradient of " : "") +
         in_quotes(text_of(errors, "objective")) +
         (designs > 1.0 ? ", in " + rounded_text(designs, 6) + " designs looked at" : "");
}

// "3, by radau9", or of designs that another integrator ran all the same "3".
std::string stiff_text(const Json& stiff) {
  const double count = number_of(stiff, "count");
  if (!(count > 0.0)) return "";
  const std::string integrator = text_of(stiff, "integrator");
  return rounded_text(count, 9) + (integrator.empty() ? "" : ", by " + integrator);
}

}  // namespace

Facts common_facts(const Folder& folder, const std::string& title) {
  const Json& summary = folder.summary;
  const std::string method = text_of(summary, "method");
  const std::string coordinates = text_of(summary, "coordinates");
  return Facts(title)
      .add("model", text_of(summary, "model"))
      .add("backend", text_of(summary, "backend"))
      .add("formulation", text_of(summary, "formulation"))
      .add("integrator", text_of(summary, "integrator"))
      .add("stiff motions", stiff_text(member(summary, "stiff")))
      .add("coordinates", coordinates == keys::of_joints ? "" : coordinates)
      .add("reference point", text_of(summary, "reference"))
      .add("sensitivities", method == "none" ? "" : method)
      .add("motion", duration_text(summary))
      .add("largest constraint violation",
           number_of(member(summary, "constraint_violation"), "position"))
      .add("motions through singular configurations",
           number_of(member(summary, "singular_passages"), "count"))
      .add("estimated errors", step_errors_text(member(summary, "step_errors")))
      .add("gradus", text_of(summary, "version"));
}

Json failure_table(const Json& summary, std::size_t total) {
  const Json& failures = member(summary, "failures");
  if (!failures.is_array() || failures.empty()) return nullptr;
  const std::vector<Column> columns{
      {"design", "", false, [](const Json& entry) { return member(entry, "design"); }},
      number_column("time", "time", "s"),
      text_column("reason", "message")};
  Json rows = rows_of(failures, columns, shown_failures);
  const double failed = number_of(summary, "failed");
  const std::size_t count =
      failed >= 0.0 && failed < 1e15 ? static_cast<std::size_t>(failed) : failures.size();
  std::string note = std::to_string(count) + " of " + std::to_string(total) + " designs";
  if (count > rows.size()) note += "; the first " + std::to_string(rows.size()) + " are shown";
  return table("Failed designs", columns, std::move(rows), note);
}

std::vector<NamedUnit> named_units(const results::NpzReader& archive, const std::string& what) {
  const std::vector<std::string> names = archive.at(what + "_names").strings();
  std::vector<std::string> units;
  if (archive.has(what + "_units")) units = archive.at(what + "_units").strings();
  std::vector<NamedUnit> things;
  for (std::size_t i = 0; i < names.size(); ++i)
    things.push_back({names[i], i < units.size() ? units[i] : ""});
  return things;
}

const results::ArrayView& array_of(const results::NpzReader& archive, const std::string& name,
                                   const results::Shape& shape) {
  const results::ArrayView& array = archive.at(name);
  if (array.shape == shape) return array;
  throw FileError("array '" + name + "' has the shape " + results::shape_text(array.shape) +
                  ", expected " + results::shape_text(shape) +
                  " (the files of the folder do not belong together)");
}

Designs::Designs(const std::filesystem::path& file) {
  const results::NpzReader archive(file);
  parameters = named_units(archive, "parameter");
  objectives = named_units(archive, "objective");
  const results::Shape& shape = archive.at("objective_values").shape;
  count = shape.empty() ? 0 : shape[0];
  const std::size_t p = parameters.size(), o = objectives.size();
  parameter_values = array_of(archive, "parameter_values", {count, p}).numbers();
  objective_values = array_of(archive, "objective_values", {count, o}).numbers();
  if (archive.has("gradient")) gradient = array_of(archive, "gradient", {count, o, p}).numbers();
  if (archive.has("objective_errors"))
    objective_errors = array_of(archive, "objective_errors", {count, o}).numbers();
  if (archive.has("gradient_errors"))
    gradient_errors = array_of(archive, "gradient_errors", {count, o}).numbers();
}

TextTable::TextTable(const std::filesystem::path& file)
    : name_(file.string()), table_(results::read_csv(file_content(file))) {}

std::vector<std::string> TextTable::texts(const std::string& column) const {
  const std::optional<std::size_t> index = table_.find(column);
  if (!index) throw FileError(name_ + ": has no column " + in_quotes(column));
  std::vector<std::string> cells;
  for (const std::vector<std::string>& row : table_.rows)
    cells.push_back(*index < row.size() ? row[*index] : "");
  return cells;
}

std::vector<double> TextTable::numbers(const std::string& column) const {
  std::vector<double> values;
  for (const std::string& cell : texts(column)) {
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    values.push_back(end == cell.c_str() || *end != '\0' ? missing : value);
  }
  return values;
}

std::size_t best_start(const Json& summary) {
  const double best = number_of(summary, "best");
  return best >= 0.0 && best < 1e9 ? static_cast<std::size_t>(best) : 0;
}

Json start_table(const Json& summary, std::vector<Column> columns) {
  const Json& starts = member(summary, "starts");
  columns.push_back({"converged", "", true, [](const Json& start) {
                       return start.value("converged", false) ? "yes" : "no";
                     }});
  columns.push_back(text_column("ended because", "reason"));
  Json rows = rows_of(starts, columns, shown_starts);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].insert(rows[i].begin(), i);
  columns.insert(columns.begin(), Column{"start", ""});
  const std::string note = first_shown(rows.size(), starts.size(), "starts");
  return table("Starts", columns, std::move(rows), note);
}

Json study_animation(const Folder& folder, const char* list, const std::vector<Point>& points) {
  std::vector<Json> motions;
  try {
    const Study study = read_study_of(folder.path);
    for (const Point& point : points) {
      Options options = study.options;
      for (const Json& entry : member(folder.summary, list))
        options.set[text_of(entry, "name")] = number_of(entry, point.member);
      motions.push_back(motion(point.label, study.model, options));
    }
  } catch (const Error& error) {
    return notice("warning", std::string("The motion is not shown: ") + error.what());
  }
  return animation(std::move(motions));
}

// Taken from a motion of one step.
std::map<std::string, std::string> sensor_units(const Folder& folder) try {
  const Study study = read_study_of(folder.path);
  Options options = study.options;
  options.backend = "cpu:1";
  options.duration = options.step.value_or(study.model.analysis.step);
  std::map<std::string, std::string> units;
  for (const NamedUnit& component : simulate(study.model, options).sensor_components)
    units[component.name] = component.unit;
  return units;
} catch (const Error&) {
  return {};
}

}  // namespace gradus::report
