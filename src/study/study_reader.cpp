// Study files: everything but the sections of the verbs.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/message.hpp"
#include "src/model/nominal.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/suggestion.hpp"
#include "src/study/input_copies.hpp"
#include "src/study/study_keys.hpp"
#include "src/study/study_reader.hpp"

namespace gradus {
namespace {

using ReadFile = std::function<std::string(const std::string& reference)>;

void read_name(const JsonElement& object, std::string_view key,
               std::span<const std::string_view> names, std::optional<std::string>& name) {
  if (const auto element = object.find(key)) name = element->name_among(names);
}

void read_constant(const JsonElement& object, std::string_view key, std::optional<double>& value) {
  if (const auto element = object.find(key)) value = element->constant();
}

Options read_options(const JsonElement& element) {
  element.require_keys(keys::study_options);
  Options options;
  if (const auto backend = element.find("backend")) options.backend = backend->text();
  if (const auto method = element.find("method"))
    options.method = method->name_among(keys::study_methods);
  read_name(element, "formulation", keys::formulations, options.formulation);
  read_name(element, "integrator", keys::integrators, options.integrator);
  read_name(element, "reference", keys::references, options.reference);
  read_name(element, "projections", keys::projections, options.projections);
  read_name(element, "stabilisation", keys::stabilisations, options.stabilisation);
  read_name(element, "iteration", keys::iterations, options.iteration);
  read_constant(element, "step", options.step);
  read_constant(element, "duration", options.duration);
  read_constant(element, "tolerance", options.tolerance);
  read_constant(element, "rtol", options.rtol);
  read_constant(element, "atol", options.atol);
  read_constant(element, "penalty", options.penalty);
  if (const auto columns = element.find("columns_in_error"))
    options.columns_in_error = columns->boolean();
  return options;
}

void read_set(const JsonElement& element, Study& study) {
  for (const auto& [name, value] : element.named()) {
    parameter_index(study.model, name, element.where());
    const double number = value.constant();
    if (!std::isfinite(number)) value.reject_value("a finite number");
    study.options.set[name] = number;
  }
}

std::vector<double> nominal_of(const Study& study) {
  std::vector<double> nominal = nominal_parameters(study.model, study.model.name);
  for (const auto& [name, value] : study.options.set)
    nominal[parameter_index(study.model, name, "set")] = value;
  return nominal;
}

// Messages name the model by its path relative to the study.
Model read_study_model(const JsonElement& element, const ReadFile& read_file) {
  const std::string reference = element.text();
  if (reference.empty()) element.reject_value("the name of a model file");
  return parse_model(read_file(reference), reference);
}

void read_sections(const JsonElement& document, const ReadFile& read_file, Study& study) {
  const StudyContext context{study, nominal_of(study), read_file};
  std::optional<Sweep> sweep;
  std::optional<Optimization> optimization;
  std::optional<Fit> fit;
  if (const auto element = document.find("sweep")) sweep = read_sweep(*element, context);
  if (const auto element = document.find("optimize"))
    optimization = read_optimization(*element, context);
  if (const auto element = document.find("fit")) fit = read_fit(*element, context);
  if (!sweep && !optimization && !fit)
    reject(document.where(), "the study has nothing to compute", "it has no section for a command",
           R"(add "sweep", "optimize" or "fit")");
  study.sweep = std::move(sweep);
  study.optimization = std::move(optimization);
  study.fit = std::move(fit);
}

Study read_study_text(const std::string& text, const std::string& origin, const ReadFile& read) {
  const JsonValue tree = parse_document(text, origin);
  const JsonElement document(tree, origin);
  if (!document.is_object())
    document.reject_value("a study, which begins with { \"schema\": \"gradus-study/1\"");
  document.at("schema").name_among(std::array{keys::study_schema_name});
  document.require_keys(keys::study);

  Study study;
  study.files.push_back({"study", text});
  const ReadFile read_and_keep = [&](const std::string& reference) {
    try {
      study.files.push_back({reference, read(reference)});
    } catch (const FileError& error) {
      throw FileError(origin + ": " + error.what());
    }
    return study.files.back().content;
  };
  study.name = document.at("name").text();
  if (const auto description = document.find("description"))
    study.description = description->text();
  study.model = read_study_model(document.at("model"), read_and_keep);
  if (const auto options = document.find("options")) study.options = read_options(*options);
  if (const auto set = document.find("set")) read_set(*set, study);
  read_sections(document, read_and_keep, study);
  return study;
}

}  // namespace

Study read_study(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  return read_study_text(read_document(file), file.string(), [&](const std::string& reference) {
    return file_content(folder / reference);
  });
}

Study read_study_of(const std::filesystem::path& folder) {
  const std::vector<StudyFile> files = read_input_copies(folder);
  return read_study_text(files.front().content, input_copy(folder, 0, files.front()).string(),
                         [&](const std::string& reference) {
                           for (const StudyFile& file : files)
                             if (file.reference == reference) return file.content;
                           throw FileError("cannot read " + in_quotes(reference) +
                                           " (its copy is not in " + folder.string() + ")");
                         });
}

std::uint64_t whole_number(const JsonElement& element, std::uint64_t smallest,
                           std::uint64_t largest) {
  const double value = element.constant();
  if (!(value >= static_cast<double>(smallest) && value <= static_cast<double>(largest)) ||
      value != std::floor(value))
    element.reject_value("a whole number from " + std::to_string(smallest) + " to " +
                         std::to_string(largest));
  return static_cast<std::uint64_t>(value);
}

double fraction(const JsonElement& element) {
  const double value = element.constant();
  if (!(value > 0.0 && value < 1.0)) element.reject_value("a number between 0 and 1");
  return value;
}

std::size_t parameter_index(const Model& model, const std::string& name, const std::string& where) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
  const auto found = std::find(names.begin(), names.end(), name);
  for (const std::string& known : names)
    if (found == names.end() && known != name && name_in_expressions(known) == name)
      reject(where, "found the parameter " + in_quotes(name), "it is an array",
             "name its elements one by one: " + in_quotes(known) + " and so on");
  if (found == names.end())
    throw InputError(where + ": found the parameter " + in_quotes(name) +
                     ", which the model does not have; " + suggestion(name, names));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace gradus
