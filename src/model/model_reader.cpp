// From a JSON document to a Model. What the names and numbers mean is checked by `validate`.
#include "gradus/model.hpp"
#include "src/model/json_document.hpp"
#include "src/model/json_element.hpp"
#include "src/model/message.hpp"
#include "src/model/scope.hpp"

namespace gradus {
namespace {

std::string text_or_nothing(const JsonElement& object, std::string_view key) {
  const std::optional<JsonElement> text = object.find(key);
  return text ? text->text() : "";
}

Parameter read_parameter(const std::string& name, const JsonElement& element) {
  Parameter parameter;
  parameter.name = name;
  if (!element.is_object()) {
    parameter.value = element.number();
    return parameter;
  }
  element.require_keys(keys::parameter);
  parameter.value = element.at("value").number();
  parameter.unit = text_or_nothing(element, "unit");
  parameter.description = text_or_nothing(element, "description");
  if (const auto bounds = element.find("bounds")) {
    const std::vector<JsonElement> ends = bounds->elements(2);
    parameter.bounds = {ends[0].constant(), ends[1].constant()};
  }
  return parameter;
}

std::string as_expression(const Number& number) {
  return number.is_expression() ? number.expression() : to_text(number.value());
}

Definition read_definition(const std::string& name, const JsonElement& element) {
  if (!element.is_array()) return {name, as_expression(element.number())};
  const Vector3 vector = element.vector();
  return {name, "[" + as_expression(vector[0]) + ", " + as_expression(vector[1]) + ", " +
                    as_expression(vector[2]) + "]"};
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

// One number per coordinate: a value, {"guess": value}, or an array of these.
struct StartNumber {
  Number value;
  bool is_guess = false;
};

StartNumber read_start_number(const JsonElement& element) {
  if (!element.is_object()) return {element.number(), false};
  element.require_keys(keys::guess);
  return {element.at("guess").number(), true};
}

std::vector<StartNumber> read_start_numbers(const JsonElement& initial, std::string_view key,
                                            std::size_t count) {
  const std::optional<JsonElement> element = initial.find(key);
  if (!element) return std::vector<StartNumber>(count);
  std::vector<StartNumber> numbers;
  if (element->is_array()) {
    for (const JsonElement& entry : element->elements(count))
      numbers.push_back(read_start_number(entry));
  } else {
    if (count != 1) element->reject_value("an array of " + std::to_string(count));
    numbers.push_back(read_start_number(*element));
  }
  return numbers;
}

std::vector<CoordinateStart> read_start(const JsonElement& initial, JointType type) {
  initial.require_keys(keys::initial);
  const auto count = static_cast<std::size_t>(coordinate_count(type));
  const std::vector<StartNumber> positions = read_start_numbers(initial, "position", count);
  const std::vector<StartNumber> velocities = read_start_numbers(initial, "velocity", count);
  std::vector<CoordinateStart> start(count);
  for (std::size_t i = 0; i < count; ++i) {
    start[i].position = positions[i].value;
    start[i].position_is_guess = positions[i].is_guess;
    start[i].velocity = velocities[i].value;
    start[i].velocity_is_guess = velocities[i].is_guess || positions[i].is_guess;
  }
  return start;
}

// A joint of the tree, or a loop, which has no coordinates to start.
Joint read_joint(const std::string& name, const JsonElement& element, bool is_loop) {
  if (is_loop) {
    element.require_keys(keys::loop);
  } else {
    element.require_keys(keys::joint);
  }
  Joint joint;
  joint.name = name;
  const std::string type = element.at("type").name_among(keys::joint_types);
  joint.type = type == "revolute" ? JointType::revolute : JointType::prismatic;
  joint.parent = element.at("parent").text();
  joint.child = element.at("child").text();
  if (const auto axis = element.find("axis")) joint.axis = axis->vector();
  if (const auto axis = element.find("child_axis")) joint.child_axis = axis->vector();
  if (const auto zero = element.find("zero")) joint.zero = zero->vector();
  if (const auto zero = element.find("child_zero")) joint.child_zero = zero->vector();
  if (const auto initial = element.find("initial"); initial && !is_loop)
    joint.start = read_start(*initial, joint.type);
  return joint;
}

SpringDamper read_spring(const std::string& name, const JsonElement& element) {
  element.at("type").name_among(keys::force_types);
  element.require_keys(keys::spring_damper);
  SpringDamper spring;
  spring.name = name;
  spring.from = element.at("from").text();
  spring.to = element.at("to").text();
  const auto stiffness = element.find("stiffness");
  const auto damping = element.find("damping");
  const auto length = element.find("length");
  if (!stiffness && !damping) {
    reject(element.where(), "neither \"stiffness\" nor \"damping\"", "there is no force without",
           "add one of them");
  }
  if (stiffness && !length) {
    reject(element.where(), "the key \"length\" is missing",
           "a spring needs its natural length in metres", "add it");
  }
  if (stiffness) spring.stiffness = stiffness->number();
  if (damping) spring.damping = damping->number();
  if (length) spring.length = length->number();
  return spring;
}

Sensor read_sensor(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::sensor);
  const std::string kind = element.one_of(keys::sensor);
  constexpr std::array kinds{
      SensorKind::position,   SensorKind::velocity, SensorKind::acceleration,
      SensorKind::coordinate, SensorKind::rate,     SensorKind::coordinate_acceleration,
      SensorKind::energy,
  };
  static_assert(kinds.size() == keys::sensor.size());
  Sensor sensor;
  sensor.name = name;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (keys::sensor[i].name == kind) sensor.kind = kinds[i];
  const JsonElement target = element.at(kind);
  const bool is_energy = sensor.kind == SensorKind::energy;
  sensor.target = is_energy ? target.name_among(keys::energies) : target.text();
  return sensor;
}

Objective read_objective(const std::string& name, const JsonElement& element) {
  element.require_keys(keys::objective);
  Objective objective;
  objective.name = name;
  const std::string kind = element.one_of(std::span(keys::objective).first(2));
  objective.kind = kind == "integral" ? ObjectiveKind::integral : ObjectiveKind::terminal;
  objective.expression = as_expression(element.at(kind).number());
  objective.unit = text_or_nothing(element, "unit");
  objective.description = text_or_nothing(element, "description");
  return objective;
}

Analysis read_analysis(const JsonElement& element) {
  element.require_keys(keys::analysis);
  Analysis analysis;
  if (const auto formulation = element.find("formulation"))
    analysis.formulation = formulation->name_among(keys::formulations);
  if (const auto reference = element.find("reference"))
    analysis.reference = reference->name_among(keys::references);
  if (const auto duration = element.find("duration")) analysis.duration = duration->constant();
  if (const auto step = element.find("step")) analysis.step = step->constant();
  if (const auto tolerance = element.find("tolerance")) analysis.tolerance = tolerance->constant();
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
  read_all(document, "parameters", model.parameters, read_parameter);
  read_all(document, "definitions", model.definitions, read_definition);
  if (const auto ground = document.find("ground")) {
    ground->require_keys(keys::ground);
    read_features(*ground, model.ground);
  }
  read_all(document, "bodies", model.bodies, read_body);
  const auto read_tree_joint = [](const std::string& name, const JsonElement& element) {
    return read_joint(name, element, false);
  };
  const auto read_loop = [](const std::string& name, const JsonElement& element) {
    return read_joint(name, element, true);
  };
  read_all(document, "joints", model.joints, read_tree_joint);
  read_all(document, "loops", model.loops, read_loop);
  read_all(document, "forces", model.springs, read_spring);
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
