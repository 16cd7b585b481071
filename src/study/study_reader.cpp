// Study files: everything but the sections of the verbs.
#include "src/study/study_reader.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/mesh_shapes.hpp"
#include "src/model/message.hpp"
#include "src/model/nominal.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/readers.hpp"
#include "src/model/suggestion.hpp"
#include "src/plugins/plugins.hpp"
#include "src/study/run_folder.hpp"
#include "src/study/sampling/sampler.hpp"
#include "src/study/study_keys.hpp"

namespace gradus {
namespace {

using ReadFile = std::function<std::string(const std::string& reference)>;
using LoadPlugin = std::function<void(const std::string& reference)>;

Options read_options(const JsonElement& element) {
  if (const auto accuracy = element.find("accuracy"))
    reject(accuracy->where(), "found an accuracy",
           "the designs of a study run by the same steps or tolerances",
           R"(give "rtol" and "atol", or a "step" of which the summary estimates the errors)");
  element.require_keys(keys::study_options);
  Options options;
  element.read("backend", options.backend);
  element.read("method", keys::study_methods, options.method);
  read_settings(element, options);
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

void read_sections(const JsonElement& document, const ReadFile& read_file, Study& study) {
  StudyContext context{study, nominal_parameters(study.model, study.model.name), read_file};
  for (const auto& [name, value] : study.options.set)
    context.nominal[parameter_index(study.model, name, "set")] = value;
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

void load_plugins(const JsonElement& list, const LoadPlugin& load) {
  for (const JsonElement& element : list.elements()) {
    const std::string reference = element.text();
    if (reference.empty()) element.reject_value("the name of a plug-in");
    try {
      load(reference);
    } catch (const FileError& error) {
      throw FileError(element.where() + ": " + error.what());
    } catch (const InputError& error) {
      throw InputError(element.where() + ": " + error.what());
    }
  }
}

// Under what name a study keeps a copy of it, wherever it lies.
std::string name_of(const LoadedPlugin& plugin) {
  return std::filesystem::path(plugin.file).filename().string();
}

// Meshes that shapes of the model name are sought from `folder`.
Study read_study_text(const std::string& text, const std::string& origin,
                      const std::filesystem::path& folder, const ReadFile& read,
                      const LoadPlugin& load) {
  const JsonValue tree = parse_document(text, origin);
  const JsonElement document(tree, origin);
  if (!document.is_object())
    document.reject_value("a study, which begins with { \"schema\": \"gradus-study/1\"");
  require_schema(document, keys::study_schema_name, keys::schema_name,
                 "this is a model, which gradus simulate or gradient runs, and studies name");
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
  document.read("description", study.description);
  // Messages name the model by its path relative to the study.
  const std::string model = document.at("model").text();
  if (model.empty()) document.at("model").reject_value("the name of a model file");
  if (const auto plugins = document.find("plugins")) load_plugins(*plugins, load);
  const std::string as_written = read_and_keep(model);
  std::string& kept = study.files.back().content;
  std::vector<std::string> unread;  // a page says which meshes it does not draw
  kept = with_meshes(as_written, model, (folder / model).parent_path(), unread);
  study.model = parse_model(kept, model);
  if (const auto options = document.find("options")) study.options = read_options(*options);
  if (const auto set = document.find("set")) read_set(*set, study);
  read_sections(document, read_and_keep, study);
  for (const LoadedPlugin* const plugin : plugins_of(study.model))
    study.files.push_back({name_of(*plugin), plugin->content});
  return study;
}

void check_variable(const Variable& variable, std::size_t starts, const std::string& where) {
  const double lower = variable.lower;
  const double upper = variable.upper;
  if (std::isnan(lower) || std::isnan(upper) || !std::isfinite(variable.start))
    reject(where, "start and bounds are not numbers",
           "found " + to_text(variable.start) + " between " + to_text(lower) + " and " +
               to_text(upper),
           "only bounds may be infinite, and only outwards");
  const std::string bounds = "[" + to_text(lower) + ", " + to_text(upper) + "]";
  if (!(lower < upper))
    reject(where, "the bounds " + bounds + " leave nothing to vary",
           "the lower one must be below the upper one",
           "remove the parameter if it should not vary");
  if (variable.start < lower || variable.start > upper)
    reject(where, "the start " + to_text(variable.start) + " is not allowed",
           "it lies outside the bounds " + bounds, R"(change "start" or the bounds)");
  if (starts > 1 && (!std::isfinite(lower) || !std::isfinite(upper)))
    reject(where, "the bounds " + bounds + " are not finite",
           std::to_string(starts) + " starts are spread between bounds",
           R"(give "lower" and "upper", or use one start)");
}

// The variable as the model and "set" define it.
Variable variable_of(const std::string& name, const JsonElement& element,
                     const StudyContext& context) {
  const std::size_t index = parameter_index(context.study.model, name, element.where());
  Variable variable;
  variable.name = name;
  variable.start = context.nominal[index];
  if (const auto& bounds = context.study.model.parameters[index].bounds) {
    variable.lower = (*bounds)[0];
    variable.upper = (*bounds)[1];
  }
  return variable;
}

}  // namespace

Study read_study(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  return read_study_text(
      read_document(file), file.string(), folder,
      [&](const std::string& reference) { return file_content(folder / reference); },
      [&](const std::string& reference) { load_plugin(folder / reference); });
}

Study read_study_of(const std::filesystem::path& folder) {
  const std::vector<StudyFile> files = read_input_copies(folder);
  const auto read = [&](const std::string& reference) {
    // A file may be called "study": the study itself is not looked at.
    for (std::size_t k = 1; k < files.size(); ++k)
      if (files[k].reference == reference) return files[k].content;
    throw FileError("cannot read " + in_quotes(reference) + " (its copy is not in " +
                    folder.string() + ")");
  };
  // Nothing that lies in a folder of results is run: plug-ins must have been loaded before.
  Study study =
      read_study_text(files.front().content, input_copy(folder, 0, files.front()).string(),
                      folder / "inputs", read, [](const std::string&) {});
  for (const LoadedPlugin* const plugin : plugins_of(study.model))
    if (std::none_of(files.begin(), files.end(), [&](const StudyFile& file) {
          return file.reference == name_of(*plugin) && file.content == plugin->content;
        }))
      reject(plugin->file, "it is not the plug-in with which the results were made",
             "the copy in " + (folder / "inputs").string() + " differs from it",
             "load that one, or run the study again");
  return study;
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

void check_variables(const std::vector<Variable>& variables, const Model& model, std::size_t starts,
                     const std::string& where) {
  if (variables.empty())
    reject(where, "there are no parameters", "nothing could vary", "name one at least");
  std::set<std::string> names;
  for (const Variable& variable : variables) {
    parameter_index(model, variable.name, where);
    const std::string inner = where + "/" + variable.name;
    if (!names.insert(variable.name).second)
      reject(inner, "the parameter is named twice", "it has one start and one pair of bounds",
             "name it once");
    check_variable(variable, starts, inner);
  }
}

void check_fraction(double value, const std::string& where, const std::string& name) {
  if (!(value > 0.0 && value < 1.0))
    throw InputError(where + "/" + name + ": found " + to_text(value) +
                     ", expected a number between 0 and 1");
}

void check_count(std::size_t value, std::size_t most, const std::string& where,
                 const std::string& name) {
  if (value == 0 || value > most)
    throw InputError(where + "/" + name + ": found " + std::to_string(value) +
                     ", expected a whole number from 1 to " + std::to_string(most));
}

std::vector<std::size_t> variable_indices(const std::vector<Variable>& variables,
                                          const Model& model) {
  std::vector<std::size_t> indices;
  for (const Variable& variable : variables)
    indices.push_back(parameter_index(model, variable.name, model.name));
  return indices;
}

std::vector<std::vector<double>> start_points(const std::vector<Variable>& variables,
                                              std::size_t starts, std::uint64_t seed) {
  std::vector<double> first;
  for (const Variable& variable : variables) first.push_back(variable.start);
  std::vector<std::vector<double>> points = {first};
  if (starts < 2) return points;
  Sweep sweep;
  sweep.sampling = Sampling::latin_hypercube;
  sweep.designs = starts - 1;
  sweep.seed = seed;
  for (const Variable& variable : variables) {
    SweepParameter parameter;
    parameter.name = variable.name;
    parameter.distribution.from = variable.lower;
    parameter.distribution.to = variable.upper;
    sweep.parameters.push_back(parameter);
  }
  const Sampler sampler(sweep, "starts");
  for (std::size_t index = 0; index + 1 < starts; ++index) {
    points.push_back(first);
    sampler.sample(index, points.back());
  }
  return points;
}

namespace {

// The parameter of that name, or all elements of the array.
std::vector<std::string> parameters_named(const std::string& name, const Model& model) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters)
    if (const auto part = array_element(parameter.name); part && part->array == name)
      names.push_back(parameter.name);
  return names.empty() ? std::vector{name} : names;
}

// Starts of all `count` variables: one number for all, or a list.
void read_starts(const JsonElement& object, std::span<Variable> variables) {
  const auto start = object.find("start");
  if (!start) return;
  if (!start->is_array()) {
    for (Variable& variable : variables) variable.start = start->constant();
    return;
  }
  const std::vector<JsonElement> starts = start->elements(variables.size());
  for (std::size_t k = 0; k < starts.size(); ++k) variables[k].start = starts[k].constant();
}

}  // namespace

std::vector<Variable> read_variables(const JsonElement& element, const StudyContext& context) {
  std::vector<Variable> variables;
  if (element.is_array()) {
    for (const JsonElement& item : element.elements())
      for (const std::string& name : parameters_named(item.text(), context.study.model))
        variables.push_back(variable_of(name, item, context));
  } else if (element.is_object()) {
    for (const auto& [named, object] : element.named()) {
      object.require_keys(keys::variable);
      const std::size_t first = variables.size();
      for (const std::string& name : parameters_named(named, context.study.model)) {
        Variable variable = variable_of(name, element, context);
        object.read("lower", variable.lower);
        object.read("upper", variable.upper);
        variables.push_back(std::move(variable));
      }
      read_starts(object, std::span(variables).subspan(first));
    }
  } else {
    element.reject_value(
        R"(a list of parameters, or an object of them with "start", "lower" and "upper")");
  }
  check_variables(variables, context.study.model, 1, element.where());
  return variables;
}

}  // namespace gradus
