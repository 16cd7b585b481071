// What bodies have of a drawing.
#include "src/model/drawing/drawn_features.hpp"

#include <algorithm>
#include <set>

#include "src/model/message.hpp"
#include "src/model/reference.hpp"
#include "src/model/suggestion.hpp"

namespace gradus {
namespace {

// All that is drawn, by name; each name once.
std::vector<std::string> names_of_drawing(const Drawing& drawing, const std::string& origin) {
  std::vector<std::string> names;
  const auto add = [&](const auto& elements, const std::string& key) {
    for (const auto& element : elements) {
      const std::string& name = element.first;
      if (std::find(names.begin(), names.end(), name) != names.end())
        reject(origin + ": /drawing/" + key + "/" + name,
               "the name " + in_quotes(name) + " is taken",
               "something else of the drawing bears it", "rename one of them");
      names.push_back(name);
    }
  };
  add(drawing.points, "points");
  add(drawing.vectors, "vectors");
  add(drawing.lines, "lines");
  add(drawing.planes, "planes");
  return names;
}

void add_feature(std::map<std::string, Vector3>& features, const std::string& name,
                 const Vector3& value, const std::string& where) {
  if (!features.emplace(name, value).second)
    reject(where, "the name " + in_quotes(name) + " is taken", "the drawing has it as well",
           "rename one of them");
}

}  // namespace

DrawnNames drawn_names(const Drawing& drawing, const Model& model, const std::string& origin) {
  const std::vector<std::string> known = names_of_drawing(drawing, origin);
  const References references(model);
  DrawnNames all(model.bodies.size() + 1);
  for (const auto& [body, names] : drawing.bodies) {
    const std::size_t place = place_of(references.body(body, origin + ": /bodies"));
    const std::string where =
        origin + ": " + (body == "ground" ? "/ground" : "/bodies/" + body) + "/drawn";
    std::set<std::string> said;
    for (const std::string& name : names) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        reject(where, "found " + in_quotes(name), "the drawing has nothing of that name",
               suggestion(name, known));
      if (!said.insert(name).second)
        reject(where, "found " + in_quotes(name) + " twice", "once is enough",
               "remove one of them");
    }
    all[place] = names;
  }
  return all;
}

void add_drawn_definitions(const Drawing& drawing, Model& model) {
  for (const auto* const vectors : {&drawing.points, &drawing.vectors})
    for (const auto& [name, vector] : *vectors)
      model.definitions.push_back({name, text_of(vector)});
}

void add_drawn_features(const Drawing& drawing, const DrawnNames& names, Model& model,
                        const std::string& origin) {
  for (std::size_t body = 0; body < names.size(); ++body) {
    const std::string where =
        origin + ": " + (body == 0 ? "/ground" : "/bodies/" + name_of_body(model, body));
    Features& features = features_of(model, body);
    const auto add_point = [&](const std::string& name, const Vector3& place) {
      add_feature(features.points, name, place, where + "/points/" + name);
    };
    const auto add_vector = [&](const std::string& name, const Vector3& along) {
      add_feature(features.vectors, name, along, where + "/vectors/" + name);
    };
    for (const std::string& name : names[body]) {
      if (drawing.points.count(name) > 0) add_point(name, components_of(name));
      if (drawing.vectors.count(name) > 0) add_vector(name, components_of(name));
      for (const auto* const surfaces : {&drawing.lines, &drawing.planes})
        if (const auto found = surfaces->find(name); found != surfaces->end()) {
          add_point(name, found->second.through);
          add_vector(name, found->second.along);
        }
    }
  }
}

Features& features_of(Model& model, std::size_t body) {
  if (body == 0) return model.ground;
  return model.bodies[body - 1];
}

std::string name_of_body(const Model& model, std::size_t body) {
  return body == 0 ? "ground" : model.bodies[body - 1].name;
}

Vector3 components_of(std::string_view expression) {
  const std::string text(expression);
  return {text + ".x", text + ".y", text + ".z"};
}

std::string text_of(const Vector3& vector) {
  std::string text = "[";
  for (std::size_t k = 0; k < 3; ++k) {
    const Number& number = vector[k];
    text += (k > 0 ? ", " : "") +
            (number.is_expression() ? number.expression() : to_text(number.value()));
  }
  return text + "]";
}

}  // namespace gradus
