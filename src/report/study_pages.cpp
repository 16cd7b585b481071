// What the pages of all kinds of folders share.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "gradus/error.hpp"
#include "gradus/study.hpp"
#include "src/model/message.hpp"
#include "src/report/motion.hpp"
#include "src/report/pages.hpp"
#include "src/study/input_copies.hpp"

namespace gradus::report {
namespace {

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// The cells of a line; quoted ones may hold commas and doubled quotes.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

}  // namespace

std::string duration_text(const Json& summary) {
  const double duration = number_of(summary, "duration"), steps = number_of(summary, "steps");
  const double step = number_of(summary, "step");
  if (!std::isfinite(duration)) return "";
  std::string text = short_text(duration) + " s";
  if (std::isfinite(steps)) text += ", " + short_text(steps) + " steps";
  if (std::isfinite(step))
    text += (std::isfinite(steps) ? " of " : ", step ") + short_text(step) + " s";
  return text;
}

Facts common_facts(const Folder& folder, const std::string& title) {
  const Json& summary = folder.summary;
  const std::string method = text_of(summary, "method");
  Facts facts(title);
  facts.add("model", text_of(summary, "model"))
      .add("backend", text_of(summary, "backend"))
      .add("formulation", text_of(summary, "formulation"))
      .add("integrator", text_of(summary, "integrator"))
      .add("reference point", text_of(summary, "reference"))
      .add("sensitivities", method == "none" ? "" : method)
      .add("motion", duration_text(summary))
      .add("gradus", text_of(summary, "version"));
  return facts;
}

Json study_animation(const Folder& folder, const std::vector<Point>& points) {
  std::vector<Json> motions;
  try {
    const Study study = read_study_of(folder.path);
    for (const Point& point : points) {
      Options options = study.options;
      for (const auto& [name, value] : point.values) options.set[name] = value;
      motions.push_back(motion(point.label, study.model, options));
    }
  } catch (const Error& error) {
    return notice("warning", std::string("The motion is not shown: ") + error.what());
  }
  return animation(std::move(motions));
}

// The shortest of motions tells them.
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

CsvTable::CsvTable(const std::filesystem::path& file) : name_(file.string()) {
  const std::string content = file_content(file);
  for (std::size_t start = 0; start < content.size();) {
    const std::size_t end = std::min(content.find('\n', start), content.size());
    if (end > start) {
      std::vector<std::string> cells = cells_of(content.substr(start, end - start));
      if (columns_.empty())
        columns_ = std::move(cells);
      else
        rows_.push_back(std::move(cells));
    }
    start = end + 1;
  }
}

std::vector<std::string> CsvTable::texts(const std::string& column) const {
  std::size_t index = 0;
  while (index < columns_.size() && columns_[index] != column) ++index;
  if (index == columns_.size()) throw FileError(name_ + ": has no column " + in_quotes(column));
  std::vector<std::string> cells;
  for (const std::vector<std::string>& row : rows_)
    cells.push_back(index < row.size() ? row[index] : "");
  return cells;
}

std::vector<double> CsvTable::numbers(const std::string& column) const {
  std::vector<double> values;
  for (const std::string& cell : texts(column)) {
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    values.push_back(end == cell.c_str() || *end != '\0' ? missing : value);
  }
  return values;
}

}  // namespace gradus::report
