// Names, parameters on request, and the model as JSON.
#include "src/model/import/mechanism.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "src/model/mesh_shapes.hpp"
#include "src/model/message.hpp"

namespace gradus::importing {
namespace {

// Slides and turns slower than this many rad/s or m/s rub with less than full friction.
constexpr double kFrictionSpeed = 1e-2;
constexpr std::size_t kLine = 110;  // characters of JSON that stand on one line

// Whether the text is one that the pattern describes, in which * stands for any characters.
bool matches(const std::string& text, const std::string& pattern) {
  std::size_t t = 0, p = 0, star = std::string::npos, after = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Json array_of(const Vector& v) {
  return {v[0], v[1], v[2]};
}

// Objects over several lines, unless they are short.
std::string laid_out(const Json& json, std::size_t indent) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!json.is_object() || (indent > 0 && indent + text.size() < kLine)) return text;
  const std::string margin(indent + 2, ' ');
  std::string lines = "{";
  for (auto entry = json.begin(); entry != json.end(); ++entry)
    lines += (lines.size() == 1 ? "\n" : ",\n") + margin +
             Json(entry.key()).dump(-1, ' ', false, Json::error_handler_t::replace) + ": " +
             laid_out(entry.value(), indent + 2);
  return lines + "\n" + std::string(indent, ' ') + "}";
}

// An array of parameters, or its values: what to write for each.
std::vector<Json> array(ImportedMechanism& m, const std::string& name,
                        const std::vector<double>& values, const std::string& unit) {
  if (!m.wants(name)) return {values.begin(), values.end()};
  const std::string added =
      m.add(m.parameters, name, {{"value", values}, {"size", values.size()}, {"unit", unit}});
  std::vector<Json> elements;
  for (std::size_t k = 0; k < values.size(); ++k)
    elements.emplace_back(added + "[" + std::to_string(k) + "]");
  return elements;
}

// M v, where v may be parameters.
Json product(const Matrix& matrix, const std::vector<Json>& v) {
  Json result = Json::array();
  for (Eigen::Index row = 0; row < 3; ++row) {
    double value = 0.0;
    std::string text;
    for (Eigen::Index k = 0; k < 3; ++k) {
      const double factor = matrix(row, k);
      const Json& entry = v[static_cast<std::size_t>(k)];
      if (factor == 0.0) continue;
      if (entry.is_number()) {
        value += factor * entry.get<double>();
      } else {
        text += (text.empty() ? "" : " + ") + (factor == 1.0 ? "" : "(" + to_text(factor) + ")*") +
                entry.get<std::string>();
      }
    }
    if (text.empty())
      result.push_back(value);
    else
      result.push_back(text);
  }
  return result;
}

class Writer {
 public:
  explicit Writer(ImportedMechanism& mechanism) : m_(mechanism) {}

  std::string write() {
    Json bodies = Json::object(), joints = Json::object();
    for (const ImportedBody& body : m_.bodies) bodies[body.name] = body_json(body);
    Json ground = Json::object();
    for (const auto& [name, place] : m_.ground_points) ground[name] = array_of(place);
    for (const ImportedJoint& joint : m_.joints) {
      Json& owner =
          joint.parent == kGround ? ground : bodies[m_.body(joint.parent)->name]["points"];
      joints[joint.name] = joint_json(joint, owner, bodies[m_.body(joint.child)->name]["points"]);
    }
    for (auto& [name, body] : bodies.items())
      if (body["points"].empty()) body.erase("points");
    for (const ImportedBody& body : m_.bodies) add_shapes(body.shapes, bodies[body.name]);
    Json json = model(bodies, joints, ground);
    write_meshes(json);
    return laid_out(json, 0) + "\n";
  }

 private:
  static void add_shapes(const std::vector<ImportedShape>& shapes, Json& owner) {
    for (const ImportedShape& shape : shapes) owner["shapes"].push_back(shape.json);
  }

  // When nothing of the model moves any more.
  void write_meshes(Json& json) const {
    MeshShapes meshes;
    const auto add = [&meshes](const std::vector<ImportedShape>& shapes, Json& owner) {
      for (std::size_t k = 0; k < shapes.size(); ++k)
        if (shapes[k].mesh) meshes.add(owner["shapes"][k], *shapes[k].mesh);
    };
    add(m_.ground_shapes, json["ground"]);
    for (const ImportedBody& body : m_.bodies) add(body.shapes, json["bodies"][body.name]);
    meshes.write();
    if (json["ground"].is_null()) json.erase("ground");
  }

  Json model(const Json& bodies, const Json& joints, const Json& ground) const {
    Json json = {{"schema", "gradus-model/1"}, {"name", m_.name}};
    json["gravity"] = array_of(m_.gravity);
    const auto add = [&json](const char* key, const Json& value) {
      if (!value.empty()) json[key] = value;
    };
    add("parameters", m_.parameters);
    add("definitions", m_.definitions);
    if (!ground.empty()) json["ground"] = {{"points", ground}};
    if (!m_.ground_shapes.empty()) add_shapes(m_.ground_shapes, json["ground"]);
    json["bodies"] = bodies;
    json["joints"] = joints;
    add("constraints", m_.constraints);
    add("forces", m_.forces);
    add("states", m_.states);
    add("sensors", m_.sensors);
    return json;
  }

  Json body_json(const ImportedBody& body) {
    Json json = Json::object(), points = Json::object();
    for (const auto& [name, place] : body.points) points[name] = array_of(place);
    if (body.is_frame) {
      json = {{"mass", 0}, {"com", {0, 0, 0}}, {"inertia", {{"xx", 0}, {"yy", 0}, {"zz", 0}}}};
    } else if (!body.number.is_null()) {
      const Json& n = body.number;
      json = {{"mass", n}, {"com", {0, 0, 0}}, {"inertia", {{"xx", n}, {"yy", n}, {"zz", n}}}};
    } else {
      const std::string of = "_" + identifier(body.name);
      const Matrix& i = body.inertia;
      json["mass"] = m_.number("mass" + of, body.mass, "kg");
      json["com"] = array(m_, "com" + of, {body.com[0], body.com[1], body.com[2]}, "m");
      const std::vector<Json> entries = array(
          m_, "inertia" + of, {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)}, "kg m^2");
      constexpr const char* kKeys[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
      for (std::size_t k = 0; k < 6; ++k)
        if (k < 3 || entries[k] != 0.0) json["inertia"][kKeys[k]] = entries[k];
    }
    json["points"] = points;
    return json;
  }

  // The place of a joint on a body: a point that bears its name, or the origin.
  static std::string place(const ImportedBody* body, const std::string& joint, const Json& at,
                           Json& points) {
    const std::string name = body ? body->name : "ground";
    if (at == Json{0.0, 0.0, 0.0}) return name;
    std::string point = joint;
    while (points.contains(point)) point += "_";
    points[point] = at;
    return name + "." + point;
  }

  Json joint_json(const ImportedJoint& joint, Json& parent_points, Json& child_points) {
    const std::string of = "_" + identifier(joint.name);
    Json json = {{"type", joint.type}};
    // Along the axis of a slide the reference is a way.
    const Vector shift = joint.type == "prismatic"
                             ? Vector(joint.rotation * joint.axis * joint.reference)
                             : Vector::Zero();
    const Vector origin = joint.place - shift;
    if (joint.type == "floating")
      json["parent"] = joint.parent == kGround ? "ground" : m_.body(joint.parent)->name;
    else
      json["parent"] =
          place(m_.body(joint.parent), joint.name,
                array(m_, "origin" + of, {origin[0], origin[1], origin[2]}, "m"), parent_points);
    json["child"] =
        place(m_.body(joint.child), joint.name, array_of(joint.child_place), child_points);
    if (joint.has_axis() || joint.type == "fixed") write_axes(joint, of, json);
    if (joint.is_cut)
      json["cut"] = true;
    else
      write_start(joint, json);
    return json;
  }

  void write_start(const ImportedJoint& joint, Json& json) const {
    std::vector<double> position = joint.position;
    if (joint.type == "floating" || joint.type == "spherical") {
      const Pose pose = joint.start.value_or(Pose{joint.place, joint.rotation});
      const Eigen::Quaterniond turned(pose.rotation);
      if (joint.type == "floating") position.assign(pose.place.begin(), pose.place.end());
      position.insert(position.end(), {turned.w(), turned.x(), turned.y(), turned.z()});
    }
    const auto stated = [&](const std::vector<double>& values) {
      Json json_values = Json::array();
      for (const double value : values)
        json_values.push_back(m_.has_loops || joint.is_guess ? Json{{"guess", value}}
                                                             : Json(value));
      return json_values;
    };
    if (!position.empty()) json["initial"]["position"] = stated(position);
    if (!joint.velocity.empty()) json["initial"]["velocity"] = stated(joint.velocity);
  }

  void write_axes(const ImportedJoint& joint, const std::string& of, Json& json) {
    const bool is_fixed = joint.type == "fixed";
    const Vector& axis = joint.axis;
    if (is_fixed && joint.rotation.isIdentity(0.0)) return;
    const std::vector<Json> numbers =
        is_fixed ? std::vector<Json>{axis[0], axis[1], axis[2]}
                 : array(m_, "axis" + of, {axis[0], axis[1], axis[2]}, "1");
    const Vector zero = across(axis);
    const Matrix back = joint.type == "revolute"
                            ? Eigen::AngleAxisd(-joint.reference, axis).toRotationMatrix()
                            : Matrix(Matrix::Identity());
    json["axis"] = product(joint.rotation, numbers);
    json["child_axis"] = numbers;
    json["zero"] = array_of(joint.rotation * (back * zero));
    json["child_zero"] = array_of(zero);
  }

  ImportedMechanism& m_;
};

}  // namespace

bool ImportedMechanism::wants(const std::string& parameter) const {
  const auto begins = [&](std::initializer_list<const char*> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](const char* beginning) { return parameter.rfind(beginning, 0) == 0; });
  };
  const auto meets = [&](const std::string& pattern) {
    if (pattern == "all") return true;
    if (pattern == "inertial") return begins({"mass_", "com_", "inertia_"});
    if (pattern == "geometry") return begins({"origin_", "axis_"});
    if (pattern == "dynamics")
      return begins({"damping_", "friction_", "stiffness_", "armature_", "tendon_"});
    return matches(parameter, pattern);
  };
  bool is_wanted = false;
  for (const std::string& pattern : patterns)
    if (meets(pattern)) {
      met_.insert(pattern);
      is_wanted = true;
    }
  return is_wanted;
}

std::vector<std::string> ImportedMechanism::unmet_patterns() const {
  std::vector<std::string> unmet;
  for (const std::string& pattern : patterns)
    if (met_.count(pattern) == 0) unmet.push_back(pattern);
  return unmet;
}

std::string ImportedMechanism::add(Json& section, const std::string& wanted, const Json& entry) {
  const int owner = &section == &parameters    ? 0
                    : &section == &definitions ? 1
                    : &section == &states      ? 2
                                               : 3;
  std::string free = wanted;
  while (owners_.try_emplace(free, owner).first->second != owner) free += "_";
  section[free] = entry;
  return free;
}

std::string ImportedMechanism::new_parameter(const std::string& parameter, double value,
                                             const std::string& unit, const Json& bounds) {
  wants(parameter);  // so that a pattern that asks for it is met
  Json entry = {{"value", value}};
  if (!unit.empty()) entry["unit"] = unit;
  if (!bounds.is_null()) entry["bounds"] = bounds;
  return add(parameters, parameter, entry);
}

Json ImportedMechanism::number(const std::string& parameter, double value,
                               const std::string& unit) {
  if (!wants(parameter)) return value;
  return new_parameter(parameter, value, unit);
}

std::string ImportedMechanism::factor(const std::string& parameter, double value,
                                      const std::string& unit) {
  const Json written = number(parameter, value, unit);
  return written.is_string() ? written.get<std::string>() : "(" + to_text(value) + ")";
}

std::string ImportedMechanism::sensor(const char* kind, const char* prefix,
                                      const std::string& joint) {
  return add(sensors, prefix + identifier(joint), {{kind, joint}});
}

std::string ImportedMechanism::coordinate_of(const std::string& joint) {
  return sensor("coordinate", "q_", joint);
}

std::string ImportedMechanism::rate_of(const std::string& joint) {
  return sensor("rate", "rate_", joint);
}

std::string ImportedMechanism::acceleration_of(const std::string& joint) {
  return sensor("coordinate_acceleration", "acceleration_", joint);
}

void ImportedMechanism::add_dry_friction(const ImportedJoint& joint, double size) {
  if (friction_speed_.empty()) {
    friction_speed_ = add(definitions, "friction_speed", kFrictionSpeed);
    remarks.push_back("dry friction begins to act in full above the speed " +
                      in_quotes(friction_speed_) + " (" + to_text(kFrictionSpeed) +
                      " rad/s or m/s), a definition");
  }
  const std::string factor_of_rate =
      factor("friction_" + identifier(joint.name), size, joint.type == "revolute" ? "N m" : "N");
  forces[force_names.usable(joint.name + " friction")] = {
      {"type", "joint-force"},
      {"joint", joint.name},
      {"value",
       "-" + factor_of_rate + "*tanh(" + rate_of(joint.name) + "/" + friction_speed_ + ")"}};
}

std::string identifier(const std::string& name) {
  std::string text = name;
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return text;
}

std::string Names::usable(const std::string& name) {
  std::string text = name.empty() ? "unnamed" : name;
  for (char& c : text)
    if (c == '.' || static_cast<unsigned char>(c) < 0x20) c = '_';
  if (text == "ground" || text == "com") text += "_";  // these have meanings of their own
  const std::string base = text;
  while (!taken_.insert(identifier(text)).second)
    text = base + "_" + std::to_string(++repetitions_[base] + 1);
  return text;
}

std::string model_text(ImportedMechanism& mechanism) {
  return Writer(mechanism).write();
}

}  // namespace gradus::importing
