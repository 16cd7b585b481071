// Building models and making parameters of their numbers.
#include "tests/derivative/build.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "src/model/joint_types.hpp"

namespace gradus::derivative {

Body make_body(const std::string& name, Number mass, Vector3 com, Inertia inertia,
               std::map<std::string, Vector3> points) {
  Body body;
  body.name = name;
  body.mass = std::move(mass);
  body.com = std::move(com);
  body.inertia = std::move(inertia);
  body.points = std::move(points);
  return body;
}

Joint make_joint(const std::string& name, JointType type, const std::string& parent,
                 const std::string& child, Vector3 axis, Number position, Number velocity) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.axis = std::move(axis);
  joint.start = {CoordinateStart{std::move(position), std::move(velocity), false, false}};
  return joint;
}

Joint make_guess(const std::string& name, JointType type, const std::string& parent,
                 const std::string& child, Vector3 axis, double guess) {
  Joint joint = make_joint(name, type, parent, child, std::move(axis), guess);
  joint.start[0].position_is_guess = true;
  joint.start[0].velocity_is_guess = true;
  return joint;
}

Parameter make_parameter(const std::string& name, Number value) {
  return {name, std::move(value), "", std::nullopt, ""};
}

void add_array(Model& model, const std::string& name, const std::vector<double>& values) {
  Parameter common;
  common.name = name;
  std::vector<Parameter> elements = parameter_array(common, values.size());
  for (std::size_t k = 0; k < values.size(); ++k) elements[k].value = values[k];
  model.parameters.insert(model.parameters.end(), elements.begin(), elements.end());
}

void add_objectives(Model& model, const std::string& point, const std::string& joint) {
  model.sensors = {{"r", "position", point},
                   {"v", "velocity", point},
                   {"a", "acceleration", point},
                   {"q", "coordinate", joint},
                   {"qd", "rate", joint},
                   {"qdd", "coordinate_acceleration", joint},
                   {"kinetic", "energy", "kinetic"},
                   {"potential", "energy", "potential"},
                   {"total", "energy", "total"}};
  const auto integral = [&](const std::string& name, const std::string& expression) {
    model.objectives.push_back({name, ObjectiveKind::integral, expression, "", ""});
  };
  const auto terminal = [&](const std::string& name, const std::string& expression) {
    model.objectives.push_back({name, ObjectiveKind::terminal, expression, "", ""});
  };
  integral("position", "dot(r - [0.3, 0.2, -0.1], r) + t*r.x*q");
  integral("velocity", "dot(v, v) + sin(t)*qd");
  integral("acceleration", "dot(a, a) + qdd*qdd*(1 + t)");
  integral("energy", "kinetic*(1 + t) + 0.1*potential^2");
  terminal("end position", "dot(r, [1, 2, -0.5]) + q^2");
  terminal("end velocity", "dot(v, [0.7, -1, 0.4]) + cos(qd)");
  terminal("end acceleration", "dot(cross(a, r), [1, 0.5, 2]) + qdd");
  terminal("end energy", "total + 0.5*kinetic");
}

namespace {

class Visitor {
 public:
  Visitor(Model& model, const NumberFilter& wanted) : model_(model), wanted_(wanted) {}

  void visit() {
    for (Body& body : model_.bodies) visit_body(body);
    points(model_.ground, "ground");
    for (Joint& joint : model_.joints) visit_joint(joint);
    for (Joint& loop : model_.loops) visit_joint(loop);
    for (Force& force : model_.forces) visit_force(force);
    for (Constraint& constraint : model_.constraints)
      if (constraint.type != "coincident") one(constraint.value, "value " + constraint.name);
    three(model_.gravity, "gravity");
  }

 private:
  // Components of loads and values of joint forces go by the kind of force.
  void visit_force(Force& force) {
    for (auto& [key, value] : force.values) {
      const std::string path = (key == "components" ? "load"
                                : key == "value"    ? "force"
                                                    : key) +
                               " " + force.name;
      if (value.is_vector()) {
        Vector3 components = value.vector();
        three(components, path);
        value = components;
      } else {
        Number number = value.number();
        one(number, path);
        value = number;
      }
    }
  }

  void one(Number& number, const std::string& path) {
    if (number.is_expression() || !wanted_(path)) return;
    std::string name = path;
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    model_.parameters.push_back(make_parameter(name, number.value()));
    number = Number(name);
  }
  void three(Vector3& vector, const std::string& path) {
    for (std::size_t k = 0; k < 3; ++k) one(vector[k], path + "." + "xyz"[k]);
  }
  void three(std::optional<Vector3>& vector, const std::string& path) {
    if (vector) three(*vector, path);
  }
  void points(Features& features, const std::string& owner) {
    for (auto& [name, place] : features.points) three(place, "point " + owner + "." + name);
    for (auto& [name, vector] : features.vectors) three(vector, "vector " + owner + "." + name);
  }
  void visit_body(Body& body) {
    one(body.mass, "mass " + body.name);
    three(body.com, "com " + body.name);
    Inertia& in = body.inertia;
    const std::pair<Number*, const char*> entries[] = {{&in.xx, "xx"}, {&in.yy, "yy"},
                                                       {&in.zz, "zz"}, {&in.xy, "xy"},
                                                       {&in.xz, "xz"}, {&in.yz, "yz"}};
    for (const auto& [number, key] : entries) one(*number, "inertia " + body.name + "." + key);
    points(body, body.name);
  }
  void visit_joint(Joint& joint) {
    three(joint.axis, "axis " + joint.name);
    three(joint.child_axis, "child_axis " + joint.name);
    three(joint.zero, "zero " + joint.name);
    three(joint.child_zero, "child_zero " + joint.name);
    const int euler = first_euler_parameter(joint.type);
    for (std::size_t k = 0; k < joint.start.size(); ++k) {
      CoordinateStart& start = joint.start[k];
      const std::string name =
          joint.start.size() == 1 ? joint.name : joint.name + "." + std::to_string(k);
      one(start.position, (start.position_is_guess ? "guess " : "position ") + name);
      const bool used = !start.position_is_guess && static_cast<int>(k) != euler;
      if (used) one(start.velocity, "velocity " + name);
    }
  }

  Model& model_;
  const NumberFilter& wanted_;
};

bool begins(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.rfind(beginning, 0) == 0; });
}

bool ends(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Model parametrise(Model model, const NumberFilter& wanted) {
  Visitor(model, wanted).visit();
  return model;
}

Model parametrise_all(Model model, const std::vector<std::string>& except) {
  return parametrise(std::move(model), [&](const std::string& path) {
    return !begins(path, {"guess"}) && !begins(path, except);
  });
}

Model parametrise_plane(Model model, const std::vector<std::string>& except) {
  return parametrise(std::move(model), [&](const std::string& path) {
    const bool tilts =
        begins(path, {"axis", "child_axis", "zero", "child_zero"}) || ends(path, ".z");
    const bool about_other_axis = begins(path, {"inertia"}) && !ends(path, ".zz");
    return !begins(path, {"guess"}) && !begins(path, except) && !tilts && !about_other_axis;
  });
}

Model ended_after(int steps, Model model) {
  model.analysis.duration = steps * model.analysis.step;
  return model;
}

}  // namespace gradus::derivative
