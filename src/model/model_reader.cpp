// From a JSON document to a Model. What the names and numbers mean is checked by `validate`.
#include "gradus/model.hpp"
#include "src/model/json_document.hpp"
#include "src/model/json_element.hpp"
#include "src/model/message.hpp"
#include "src/model/readers.hpp"

namespace gradus {

std::string as_expression(const Number& number) {
  return number.is_expression() ? number.expression() : to_text(number.value());
}

std::string text_or_nothing(const JsonElement& object, std::string_view key) {
  const std::optional<JsonElement> text = object.find(key);
  return text ? text->text() : "";
}

namespace {

Definition read_definition(const std::string& name, const JsonElement& element) {
  if (!element.is_array()) return {name, as_expression(element.number())};
  std::string list;
  for (const JsonElement& component : element.elements(element.json().elements.size()))
    list += (list.empty() ? "" : ", ") + as_expression(component.number());
  return {name, "[" + list + "]"};
}

void read_features(const JsonElement& element, Features& features) {
  if (const auto points = element.find("points"))
    for (const auto& [name, place] : points->named()) features.points[name] = place.vector();
  if (const auto vectors = element.find("vectors"))
    for (const auto& [name, direction] : vectors->named())
      features.vectors[name] = direction.vector();
}

Inertia read_inertia(const JsonElement& element) {
  element.require_keys(keys::inertia);
  Inertia inertia;
  inertia.xx = element.at("xx").number();
  inertia.yy = element.at("yy").number();
  inertia.zz = element.at("zz").number();
  if (const auto xy = element.find("xy")) inertia.xy = xy->number();
  if (const auto xz = element.find("xz")) inertia.xz = xz->number();
  if (const auto yz = element.find("yz")) inertia.yz = yz->number();
  if (const auto about = element.find("about")) inertia.about = about->text();
  return inertia;
}

Body read_body(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::body);
  Body body;
  body.name = name;
  body.mass = element.at("mass").number();
  body.com = element.at("com").vector();
  body.inertia = read_inertia(element.at("inertia"));
  read_features(element, body);
  return body;
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
  for (const JsonElement& time : element.elements(element.json().elements.size()))
    times.push_back(time.constant());
  return times;
}

Objective read_objective(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::objective);
  Objective objective;
  objective.name = name;
  const std::string kind = element.one_of(std::span(keys::objective).first(5));
  const bool at_end = kind == "terminal" || kind == "terminal_residuals";
  objective.kind = kind == "value" ? ObjectiveKind::value
                   : at_end        ? ObjectiveKind::terminal
                                   : ObjectiveKind::integral;
  if (kind == "value") objective.at = read_times(element.at("at"));
  if (const auto at = element.find("at"); at && kind != "value")
    reject(at->where(), "found times of an objective of kind " + in_quotes(kind),
           "only a \"value\" is taken at times", "write \"value\", or leave \"at\" out");
  if (kind == "residuals" || kind == "terminal_residuals")
    objective.residuals = read_residuals(element.at(kind));
  else
    objective.expression = as_expression(element.at(kind).number());
  objective.unit = text_or_nothing(element, "unit");
  objective.description = text_or_nothing(element, "description");
  return objective;
}

void read_name(const JsonElement& object, std::string_view key,
               std::span<const std::string_view> names, std::string& name) {
  if (const auto element = object.find(key)) name = element->name_among(names);
}

void read_constant(const JsonElement& object, std::string_view key, double& value) {
  if (const auto element = object.find(key)) value = element->constant();
}

Analysis read_analysis(const JsonElement& element) {
  element.require_keys(keys::analysis);
  Analysis analysis;
  read_name(element, "formulation", keys::formulations, analysis.formulation);
  read_name(element, "integrator", keys::integrators, analysis.integrator);
  read_name(element, "reference", keys::references, analysis.reference);
  read_name(element, "projections", keys::projections, analysis.projections);
  read_name(element, "stabilisation", keys::stabilisations, analysis.stabilisation);
  read_name(element, "iteration", keys::iterations, analysis.iteration);
  read_constant(element, "duration", analysis.duration);
  read_constant(element, "step", analysis.step);
  read_constant(element, "tolerance", analysis.tolerance);
  read_constant(element, "rtol", analysis.rtol);
  read_constant(element, "atol", analysis.atol);
  read_constant(element, "penalty", analysis.penalty);
  read_constant(element, "frequency", analysis.frequency);
  read_constant(element, "damping_ratio", analysis.damping_ratio);
  read_constant(element, "spectral_radius", analysis.spectral_radius);
  read_constant(element, "projection_tolerance", analysis.projection_tolerance);
  if (const auto penalties = element.find("penalties"))
    for (const auto& [name, penalty] : penalties->named())
      analysis.penalties[name] = penalty.constant();
  if (const auto columns = element.find("columns_in_error"))
    analysis.columns_in_error = columns->boolean();
  return analysis;
}

// Reads every element of one of the model's lists, e.g. all bodies.
template <class Element, class Read>
void read_all(const JsonElement& document, std::string_view key, std::vector<Element>& elements,
              Read read) {
  const std::optional<JsonElement> list = document.find(key);
  if (!list) return;
  for (const auto& [name, element] : list->named()) elements.push_back(read(name, element));
}

Model read_document_tree(const JsonElement& document) {
  if (!document.is_object())
    document.reject_value("a model, which begins with { \"schema\": \"gradus-model/1\"");
  // The schema comes first: nothing can be said about the keys of another format.
  document.at("schema").name_among(std::array{keys::schema_name});
  document.require_keys(keys::model);

  Model model;
  model.name = document.at("name").text();
  model.description = text_or_nothing(document, "description");
  if (const auto gravity = document.find("gravity")) model.gravity = gravity->vector();
  if (const auto parameters = document.find("parameters"))
    for (const auto& [name, parameter] : parameters->named())
      read_parameter(name, parameter, model.parameters);
  read_all(document, "definitions", model.definitions, read_definition);
  if (const auto ground = document.find("ground")) {
    ground->require_keys(keys::ground);
    read_features(*ground, model.ground);
  }
  read_all(document, "bodies", model.bodies, read_body);
  read_all(document, "joints", model.joints, read_joint);
  read_all(document, "loops", model.loops, read_loop);
  read_all(document, "constraints", model.constraints, read_constraint);
  if (const auto forces = document.find("forces"))
    for (const auto& [name, force] : forces->named()) read_force(name, force, model);
  read_all(document, "sensors", model.sensors, read_sensor);
  read_all(document, "objectives", model.objectives, read_objective);
  if (const auto analysis = document.find("analysis")) model.analysis = read_analysis(*analysis);
  return model;
}

}  // namespace

Model parse_model(std::string_view text, const std::string& origin) {
  const JsonValue document = parse_document(text, origin);
  Model model = read_document_tree(JsonElement(document, origin));
  validate(model, origin);
  return model;
}

Model read_model(const std::filesystem::path& file) {
  return parse_model(read_document(file), file.string());
}

}  // namespace gradus
