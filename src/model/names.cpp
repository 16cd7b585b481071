// Names of a model: usable, unique and not taken.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "src/model/expression.hpp"
#include "src/model/keys.hpp"
#include "src/model/lexer.hpp"
#include "src/model/message.hpp"
#include "src/model/objective_rows.hpp"
#include "src/model/parameter_array.hpp"
#include "src/model/states.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

constexpr std::size_t longest_name = 200;

std::string where_of(const std::string& origin, const std::string& list, const std::string& name) {
  return origin + ": /" + list + "/" + name;
}

// Names in results and messages stand on one line.
void check_readable(const std::string& name, const std::string& list, const std::string& origin) {
  const std::string where = origin + ": /" + list;
  if (name.empty()) reject(where, "found an empty name", "names identify", "choose a name");
  if (name.size() > longest_name)
    reject(where, "found the name " + in_quotes(name),
           "it has " + std::to_string(name.size()) + " characters",
           "at most " + std::to_string(longest_name) + " are possible");
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
  };
  if (std::any_of(name.begin(), name.end(), is_control))
    reject(where, "found the name " + in_quotes(name), "it contains a control character",
           "use letters, digits, spaces and signs");
}

void check_no_point(
    const std::string& name, const std::string& where,
    const std::string& why = "the point separates a body from its points, as in \"body.point\"") {
  if (name.find('.') == std::string::npos) return;
  reject(where, "found the name " + in_quotes(name), why, "use another sign");
}

// Remembers which names are taken, and by what.
class Taken {
 public:
  explicit Taken(const std::string& origin) : origin_(origin) {}

  void add(const std::string& name, const std::string& list) {
    check_readable(name, list, origin_);
    const auto [entry, is_new] = lists_.emplace(name, list);
    if (is_new) return;
    const bool same_list = entry->second == list;
    reject(
        where_of(origin_, list, name), "the name " + in_quotes(name) + " is taken",
        same_list ? "two of the " + list + " bear it" : "one of the " + entry->second + " bears it",
        "rename one of them");
  }

 private:
  const std::string& origin_;
  std::unordered_map<std::string, std::string> lists_;
};

void check_identifier(const std::string& name, const std::string& list, const std::string& origin) {
  const std::string where = where_of(origin, list, name);
  if (!expression::is_identifier(name))
    reject(where, "found the name " + in_quotes(name), "expressions cannot use it",
           "write a letter or _, then letters, digits and _");
  const std::vector<std::string>& reserved = expression::reserved_names();
  if (name == "t" || std::find(reserved.begin(), reserved.end(), name) != reserved.end())
    reject(where, "found the name " + in_quotes(name),
           name == "t" ? "it stands for the time"
                       : "it stands for a function or constant of expressions",
           "choose another name");
}

// The elements of an array stand together, and its name is taken as well.
void check_parameter_names(const std::vector<Parameter>& parameters, Taken& taken,
                           const std::string& origin) {
  const std::string list = "parameters";
  std::string_view array;
  std::size_t next = 0;
  for (const Parameter& parameter : parameters) {
    const std::optional<ArrayElement> element = array_element(parameter.name);
    if (!element) {
      array = {};
      taken.add(parameter.name, list);
      check_identifier(parameter.name, list, origin);
      continue;
    }
    if (element->index == 0) {
      array = element->array;
      next = 0;
      taken.add(std::string(array), list);
      check_identifier(std::string(array), list, origin);
    } else if (element->array != array || element->index != next) {
      reject(where_of(origin, list, parameter.name), "found the name " + in_quotes(parameter.name),
             "the elements of an array follow each other, counted from 0",
             "expected " + in_quotes(element->array == array ? element_name(array, next)
                                                             : element_name(element->array, 0)));
    }
    ++next;
  }
}

void check_features(const Features& features, const std::string& owner, const std::string& origin) {
  for (const auto& [name, place] : features.points) {
    const std::string where = where_of(origin, owner + "/points", name);
    check_readable(name, owner + "/points", origin);
    check_no_point(name, where);
    if (name == "com")
      reject(where, "the name \"com\" is taken", "it stands for the centre of mass",
             "choose another name");
  }
  for (const auto& [name, components] : features.vectors) {
    check_readable(name, owner + "/vectors", origin);
    check_no_point(name, where_of(origin, owner + "/vectors", name));
  }
}

}  // namespace

void check_names(const Model& model, const std::string& origin) {
  if (!model.name.empty()) check_readable(model.name, "name", origin);

  Taken in_expressions(origin);
  const auto check_all = [&](const auto& elements, const std::string& list) {
    for (const auto& element : elements) {
      in_expressions.add(element.name, list);
      check_identifier(element.name, list, origin);
    }
  };
  check_parameter_names(model.parameters, in_expressions, origin);
  check_all(model.definitions, "definitions");
  check_all(model.sensors, "sensors");
  for (const State& state : model.states) {
    if (state.has_disc) continue;  // there is a sensor of that name
    in_expressions.add(state.name, "states");
    check_identifier(state.name, "states", origin);
  }

  Taken events(origin);
  for (const Event& event : model.events) {
    events.add(event.name, "events");
    check_identifier(event.name, "events", origin);
  }

  check_features(model.ground, "ground", origin);
  Taken bodies(origin);
  for (const Body& body : model.bodies) {
    bodies.add(body.name, "bodies");
    const std::string where = where_of(origin, "bodies", body.name);
    check_no_point(body.name, where);
    if (body.name == "ground")
      reject(where, "a body called \"ground\"", "it stands for the fixed body", "rename it");
    check_features(body, "bodies/" + body.name, origin);
  }
  std::unordered_set<std::string> discs;
  for (const std::string& state : states_of(model))
    if (!discs.insert(disc_of_state(state)).second)
      reject(origin + ": /forces", "found two states " + in_quotes(state),
             "of forces whose names differ in points and blanks only", "rename one of them");
  const auto check_no_disc = [&](const std::string& name, const std::string& list) {
    if (discs.count(name) > 0 && !has_discs(model))
      reject(where_of(origin, list, name), "the name " + in_quotes(name) + " is taken",
             "it stands for a state", "rename it");
  };
  for (const Body& body : model.bodies) check_no_disc(body.name, "bodies");
  Taken joints(origin);
  const auto add_joints = [&](const std::vector<Joint>& list, const std::string& key) {
    for (const Joint& joint : list) {
      joints.add(joint.name, key);
      check_no_disc(joint.name, key);
      check_no_point(joint.name, where_of(origin, key, joint.name),
                     "the point separates a joint from its coordinates, as in \"joint.0\"");
    }
  };
  add_joints(model.joints, "joints");
  add_joints(model.loops, "loops");
  Taken constraints(origin);
  for (const Constraint& constraint : model.constraints)
    constraints.add(constraint.name, "constraints");
  Taken forces(origin);
  for (const Force& force : model.forces) {
    forces.add(force.name, "forces");
    check_no_disc(force.name, "forces");
  }
  Taken objectives(origin);
  for (const Objective& objective : model.objectives) {
    objectives.add(objective.name, "objectives");
    if (objective.kind != ObjectiveKind::value) continue;
    std::vector<std::string> rows = objective_rows(objective);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());  // said better of its times
    for (const std::string& row : rows) objectives.add(row, "objectives");
  }
}

}  // namespace gradus
