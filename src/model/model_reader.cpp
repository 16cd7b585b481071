// From a JSON document to a Model. What the names and numbers mean is checked by `validate`.
#include "gradus/model.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "gradus/error.hpp"
#include "gradus/import.hpp"
#include "src/model/json_document.hpp"
#include "src/model/json_element.hpp"
#include "src/model/mesh_shapes.hpp"
#include "src/model/message.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/readers.hpp"

namespace gradus {
namespace {

// The text of a number, constants included.
std::string as_expression(const Number& number) {
  return number.is_expression() ? number.expression() : to_text(number.value());
}

using Bounds = std::array<double, 2>;

Bounds read_bounds(const JsonElement& element) {
  const std::vector<JsonElement> ends = element.elements(2);
  return {ends[0].constant(), ends[1].constant()};
}

std::size_t read_size(const JsonElement& element, std::size_t taken) {
  const double size = element.constant();
  if (!(size >= 1.0 && size <= static_cast<double>(longest_array)) || size != std::floor(size))
    element.reject_value("a whole number from 1 to " + std::to_string(longest_array));
  if (taken + static_cast<std::size_t>(size) > most_values)
    element.reject_value("at most " + std::to_string(most_values) + " parameters in all");
  return static_cast<std::size_t>(size);
}

bool is_list_of_arrays(const JsonElement& element) {
  const std::vector<JsonValue>& entries = element.json().elements;
  return element.is_array() && !entries.empty() && entries[0].kind == JsonValue::Kind::array;
}

// One value for all, or a list of them.
template <class Read>
void read_each(const JsonElement& element, bool is_list, std::vector<Parameter>& array,
               const Read& read) {
  const std::vector<JsonElement> list =
      is_list ? element.elements(array.size()) : std::vector(array.size(), element);
  for (std::size_t k = 0; k < array.size(); ++k) read(list[k], array[k]);
}

// Adds the parameter, or the elements of an array.
void read_parameter(const std::string& name, const JsonElement& element,
                    std::vector<Parameter>& parameters) {
  Parameter parameter;
  parameter.name = name;
  if (array_element(name))
    reject(element.where(), "found the name " + in_quotes(name),
           "it is that of an element of an array", "write the array once, with a \"size\"");
  std::vector<Parameter> array{parameter};
  if (element.is_object()) {
    element.require_keys(keys::parameter);
    element.read("unit", parameter.unit);
    element.read("description", parameter.description);
    const JsonElement value = element.at("value");
    const auto bounds = element.find("bounds"), size = element.find("size");
    if (!size && value.is_array())
      value.reject_value("a number; an array of parameters has a \"size\"");
    array = size ? parameter_array(parameter, read_size(*size, parameters.size()))
                 : std::vector{parameter};
    read_each(value, value.is_array(), array,
              [](const JsonElement& one, Parameter& entry) { entry.value = one.number(); });
    if (bounds)
      read_each(*bounds, size && is_list_of_arrays(*bounds), array,
                [](const JsonElement& one, Parameter& entry) { entry.bounds = read_bounds(one); });
  } else {
    array[0].value = element.number();
  }
  parameters.insert(parameters.end(), array.begin(), array.end());
}

Definition read_definition(const std::string& name, const JsonElement& element) {
  if (!element.is_array()) return {name, as_expression(element.number())};
  std::string list;
  for (const JsonElement& component : element.elements())
    list += (list.empty() ? "" : ", ") + as_expression(component.number());
  return {name, "[" + list + "]"};
}

// When a state is sampled: steps end there in all designs alike.
double read_sampling_time(const JsonElement& element) {
  try {
    return element.constant();
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) +
                     " (times of sampling are constants, nothing is differentiated by them)");
  }
}

// One kind has a rate, another is sampled, and a third is set by events.
void check_kind_of_state(const JsonElement& element) {
  const bool is_sampled = element.find("next").has_value();
  if (is_sampled && element.find("rate").has_value())
    reject(element.where(), "found the keys \"rate\" and \"next\"",
           "a state has a \"rate\", or is sampled and has \"next\" and \"every\"",
           "remove one of them");
  for (const char* const key : {"every", "offset"})
    if (const auto found = element.find(key); found && !is_sampled)
      reject(found->where(), "found " + in_quotes(key) + " beside a \"rate\"",
             "only a state with \"next\" is sampled", "remove it, or write \"next\"");
}

State read_state(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::state);
  check_kind_of_state(element);
  State state;
  state.name = name;
  element.read("rate", state.rate);
  if (element.read("next", state.next)) {
    const JsonElement every = element.at("every");
    state.every = read_sampling_time(every);
    if (!(state.every > 0.0)) every.reject_value("a time above 0");
  }
  if (const auto offset = element.find("offset")) state.offset = read_sampling_time(*offset);
  element.read("initial", state.initial);
  element.read("unit", state.unit);
  element.read("description", state.description);
  return state;
}

Event read_event(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::event);
  Event event;
  event.name = name;
  element.read("when", event.when);
  element.read("while", event.condition);
  for (const auto& [state, next] : element.named("set")) event.set[state] = next.number();
  if (const auto impact = element.find("impact")) {
    impact->require_keys(keys::impact);
    for (const auto& [key, number] :
         {std::pair{"restitution", &event.restitution}, std::pair{"impulse", &event.impulse},
          std::pair{"along", &event.along}})
      impact->read(key, *number);
    if (event.restitution.has_value() == event.impulse.has_value())
      reject(impact->where(),
             event.impulse ? "found both \"restitution\" and \"impulse\""
                           : "found neither \"restitution\" nor \"impulse\"",
             "one of them says how large the impulse is",
             event.impulse ? "remove one of them" : "add one of them");
    if (event.restitution && !event.along) event.direction = Passages::falling;
  }
  if (const auto direction = element.find("direction"))
    event.direction = static_cast<Passages>(direction->place_among(keys::passages));
  element.read("description", event.description);
  return event;
}

// What has neither a rate nor samples is set by events.
void check_held_states(const JsonElement& document, const Model& model) {
  for (const auto& entry : document.named("states")) {
    const auto sets = [&](const Event& event) { return event.set.count(entry.first) > 0; };
    const JsonElement& element = entry.second;
    if (element.find("rate") || element.find("next") ||
        std::any_of(model.events.begin(), model.events.end(), sets))
      continue;
    reject(element.where(), "found neither \"rate\" nor \"next\"",
           "a state has a \"rate\", or is sampled and has \"next\" and \"every\", or is set by "
           "an event",
           "add one of them");
  }
}

std::vector<std::string> read_residuals(const JsonElement& element) {
  std::vector<std::string> residuals;
  for (const JsonElement& residual : element.elements())
    residuals.push_back(as_expression(residual.number()));
  if (residuals.empty()) element.reject_value("at least one expression");
  return residuals;
}

// A time or several.
std::vector<double> read_times(const JsonElement& element) {
  if (!element.is_array()) return {element.constant()};
  std::vector<double> times;
  for (const JsonElement& time : element.elements()) times.push_back(time.constant());
  return times;
}

// Keys that go with some kinds only.
void require_kind(const JsonElement& element, std::string_view key, const std::string& kind,
                  std::initializer_list<std::string_view> kinds) {
  const auto found = element.find(key);
  if (!found || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return;
  reject(found->where(), "found it in an objective of kind " + in_quotes(kind),
         "it belongs to " + quoted_list({kinds.begin(), kinds.end()}), "leave it out");
}

// Of objectives at an instant that only the motion tells.
void read_search(const JsonElement& element, const std::string& kind, Objective& objective) {
  for (const std::string_view key : {"from", "to"})
    require_kind(element, key, kind, {"maximum", "minimum", "time_when"});
  require_kind(element, "smooth", kind, {"maximum", "minimum"});
  for (const std::string_view key : {"direction", "passage", "otherwise"})
    require_kind(element, key, kind, {"time_when"});
  element.read("from", objective.from);
  element.read("to", objective.to);
  if (element.read("smooth", objective.smooth) && !(objective.smooth > 0.0))
    element.at("smooth").reject_value("a width above 0, in the unit of the expression");
  if (const auto direction = element.find("direction"))
    objective.direction = static_cast<Passages>(direction->place_among(keys::passages));
  if (const auto passage = element.find("passage")) {
    const double number = passage->constant();
    if (!(number >= 1.0 && number <= 1e6) || number != std::floor(number))
      passage->reject_value("a whole number from 1 to 1000000");
    objective.passage = static_cast<int>(number);
  }
  element.read("otherwise", objective.otherwise);
}

Objective read_objective(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::objective);
  Objective objective;
  objective.name = name;
  const std::string kind = element.one_of(std::span(keys::objective).first(keys::objective_kinds));
  if (kind == "residuals")
    objective.kind = ObjectiveKind::integral;
  else if (kind == "terminal_residuals")
    objective.kind = ObjectiveKind::terminal;
  else
    for (std::size_t k = 0; k < keys::objective_kinds; ++k)
      if (keys::objective[k].name == kind) objective.kind = static_cast<ObjectiveKind>(k);
  if (kind == "value") objective.at = read_times(element.at("at"));
  if (const auto at = element.find("at"); at && kind != "value")
    reject(at->where(), "found times of an objective of kind " + in_quotes(kind),
           "only a \"value\" is taken at times", "write \"value\", or leave \"at\" out");
  read_search(element, kind, objective);
  if (kind == "residuals" || kind == "terminal_residuals")
    objective.residuals = read_residuals(element.at(kind));
  else
    objective.expression = as_expression(element.at(kind).number());
  element.read("unit", objective.unit);
  element.read("description", objective.description);
  return objective;
}

// Where nothing is said: who says how long steps are, or how they are solved for, asks for those.
std::string automatic_formulation(const JsonElement& analysis) {
  for (const char* key : {"step", "tolerance", "projections", "projection_tolerance"})
    if (analysis.find(key) && !analysis.find("integrator")) return "ali3p";
  return std::string(keys::automatic);
}

Analysis read_analysis(const JsonElement& element) {
  if (const auto accuracy = element.find("accuracy"))
    reject(accuracy->where(), "found an accuracy", "it is asked for when a model runs",
           R"(use --accuracy of simulate and gradient, or give "rtol" and "atol")");
  element.require_keys(keys::analysis);
  Analysis analysis;
  analysis.formulation = automatic_formulation(element);
  analysis.formulation_is_stated = element.find("formulation").has_value();
  analysis.controls_error = element.find("rtol") || element.find("atol") || !element.find("step");
  read_settings(element, analysis);
  element.read("frequency", analysis.frequency);
  element.read("damping_ratio", analysis.damping_ratio);
  element.read("beta", analysis.beta);
  element.read("gamma", analysis.gamma);
  element.read("spectral_radius", analysis.spectral_radius);
  element.read("projection_tolerance", analysis.projection_tolerance);
  if (const auto independent = element.find("independent"))
    for (const JsonElement& expression : independent->elements())
      analysis.independent.push_back(as_expression(expression.number()));
  for (const auto& [name, penalty] : element.named("penalties"))
    analysis.penalties[name] = penalty.constant();
  return analysis;
}

// Reads every element of one of the model's lists, e.g. all bodies.
template <class Element, class Read>
void read_all(const JsonElement& document, std::string_view key, std::vector<Element>& elements,
              Read read) {
  for (const auto& [name, element] : document.named(key)) elements.push_back(read(name, element));
}

Model read_document_tree(const JsonElement& document, const std::string& origin) {
  if (!document.is_object())
    document.reject_value("a model, which begins with { \"schema\": \"gradus-model/1\"");
  require_schema(document, keys::schema_name, keys::study_schema_name,
                 "this is a study, which gradus sweep, optimize or fit runs");
  document.require_keys(keys::model);

  Model model;
  document.read("name", model.name);
  document.read("description", model.description);
  document.read("gravity", model.gravity);
  for (const auto& [name, parameter] : document.named("parameters"))
    read_parameter(name, parameter, model.parameters);
  read_all(document, "definitions", model.definitions, read_definition);
  const Drawing drawing = read_drawing(document);
  if (const auto ground = document.find("ground")) model.ground = read_ground(*ground, drawing);
  for (const auto& [name, body] : document.named("bodies"))
    model.bodies.push_back(read_body(name, body, drawing));
  read_all(document, "loops", model.loops, read_loop);
  read_all(document, "constraints", model.constraints, read_constraint);
  for (const auto& [name, force] : document.named("forces"))
    model.forces.push_back(read_force(name, force));
  read_all(document, "states", model.states, read_state);
  read_all(document, "events", model.events, read_event);
  check_held_states(document, model);
  if (const auto start = document.find("start")) model.start = start->name_among(keys::starts);
  read_all(document, "sensors", model.sensors, read_sensor);
  read_all(document, "objectives", model.objectives, read_objective);
  model.analysis.formulation = keys::automatic;
  model.analysis.formulation_is_stated = false;
  model.analysis.controls_error = true;
  if (const auto analysis = document.find("analysis")) model.analysis = read_analysis(*analysis);
  read_joints(document, drawing, origin, model);
  return model;
}

}  // namespace

Model parse_model(std::string_view text, const std::string& origin) {
  const JsonValue document = parse_document(text, origin);
  Model model = read_document_tree(JsonElement(document, origin), origin);
  validate(model, origin);
  return model;
}

Model read_model(const std::filesystem::path& file) {
  if (is_importable(file)) return parse_model(import_model(file).text, file.string());
  std::vector<std::string> unread;  // a page says which meshes it does not draw
  return parse_model(with_meshes(read_document(file), file.string(), file.parent_path(), unread),
                     file.string());
}

}  // namespace gradus
