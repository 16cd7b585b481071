// A link is a body with its axes moved to the point where its joint holds it, so that the axes of
// the joint, as URDF has them, are those of the link at zero.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "gradus/error.hpp"
#include "gradus/export.hpp"
#include "src/model/import/mechanism.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/nominal.hpp"
#include "src/model/reference.hpp"
#include "src/model/shapes.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\t':
      case '\n':
      case '\r':  // which readers make blanks of
        out += "&#" + std::to_string(static_cast<int>(c)) + ";";
        break;
      default:
        out += c;
    }
  return out;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + escaped(value) + "\"";
}
std::string attribute(const char* name, const Vector& v) {
  const auto text = [](double number) { return to_text(number == 0.0 ? 0.0 : number); };
  return attribute(name, text(v[0]) + " " + text(v[1]) + " " + text(v[2]));
}
std::string attribute(const char* name, double number) {
  return attribute(name, to_text(number == 0.0 ? 0.0 : number));
}

// Turns about the fixed axes x, y and z, one after the other. That about z is free where the one
// about y is a right angle; the others are taken behind it, so that the three are exact there too.
Vector roll_pitch_yaw(const Matrix& rotation) {
  const double yaw = std::atan2(rotation(1, 0), rotation(0, 0));
  const Matrix rest = Eigen::AngleAxisd(-yaw, Vector::UnitZ()).toRotationMatrix() * rotation;
  return {std::atan2(-rest(1, 2), rest(1, 1)), std::atan2(-rest(2, 0), rest(0, 0)), yaw};
}

std::string origin(const Vector& place, const Matrix& rotation) {
  return "<origin" + attribute("xyz", place) + attribute("rpy", roll_pitch_yaw(rotation)) + "/>";
}

// [axis, zero, axis x zero], docs/conventions.md.
Matrix frame(const Vector& direction, const std::optional<Vector>& zero) {
  const Vector axis = direction.normalized();
  Eigen::Index least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Vector start = zero.value_or(Vector::Unit(least));
  const Vector normal = (start - start.dot(axis) * axis).normalized();
  Matrix columns;
  columns << axis, normal, axis.cross(normal);
  return columns;
}

struct Frames {
  Matrix parent, child;
};

class Writer {
 public:
  explicit Writer(const Model& stated)
      : tree_(spanning_tree(stated)),
        model_(tree_.model),
        references_(model_),
        nominal_(model_, model_.name) {}

  ExportedModel write() {
    for (const Body& body : model_.bodies) names_.insert(body.name);
    for (const Joint& joint : model_.joints) names_.insert(joint.name);
    ground_ = usable("world");
    read_damping();
    for (const Joint& joint : model_.joints)
      shifts_[body_of(joint.child, joint)] = place(joint.child, joint);
    text_ << "<?xml version=\"1.0\"?>\n<robot" << attribute("name", model_.name) << ">\n";
    text_ << "  <link" << attribute("name", ground_) << ">\n";
    write_looks(model_.ground, ground_body);
    text_ << "  </link>\n";
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) write_link(i);
    for (const Joint& joint : model_.joints) write_joint(joint);
    text_ << "</robot>\n";
    note_what_is_left_out();
    return {text_.str(), remarks_};
  }

 private:
  std::string usable(const std::string& wanted) {
    std::string name = wanted;
    for (int k = 2; !names_.insert(name).second; ++k) name = wanted + " " + std::to_string(k);
    return name;
  }

  double number(const Number& value, const std::string& where) {
    return nominal_.value(value, model_.name + ": " + where);
  }
  Vector vector(const Vector3& value, const std::string& where) {
    const auto v = nominal_.value(value, model_.name + ": " + where);
    return {v[0], v[1], v[2]};
  }
  static std::string place_of(const Joint& joint) { return "/joints/" + joint.name; }

  int body_of(const std::string& point, const Joint& joint) const {
    return references_.point(point, place_of(joint)).body;
  }
  Vector place(const std::string& point, const Joint& joint) {
    const PointReference found = references_.point(point, place_of(joint));
    return found.place ? vector(*found.place, place_of(joint)) : Vector(Vector::Zero());
  }
  Vector shift(int body) const {
    const auto found = shifts_.find(body);
    return found == shifts_.end() ? Vector(Vector::Zero()) : found->second;
  }
  const std::string& link(int body) const {
    return body == ground_body ? ground_ : model_.bodies[static_cast<std::size_t>(body)].name;
  }

  void write_link(std::size_t i) {
    const Body& body = model_.bodies[i];
    const std::string where = "/bodies/" + body.name;
    const double mass = number(body.mass, where + "/mass");
    const Vector com = vector(body.com, where + "/com");
    const Matrix inertia = inertia_about_com(body, mass, com, where);
    text_ << "  <link" << attribute("name", body.name) << ">\n";
    if (mass != 0.0 || !inertia.isZero(0.0))
      text_ << "    <inertial>\n      "
            << origin(com - shift(static_cast<int>(i)), Matrix::Identity()) << "\n      <mass"
            << attribute("value", mass) << "/>\n      <inertia" << attribute("ixx", inertia(0, 0))
            << attribute("ixy", inertia(0, 1)) << attribute("ixz", inertia(0, 2))
            << attribute("iyy", inertia(1, 1)) << attribute("iyz", inertia(1, 2))
            << attribute("izz", inertia(2, 2)) << "/>\n    </inertial>\n";
    write_looks(body, static_cast<int>(i));
    text_ << "  </link>\n";
  }

  // Shapes that URDF has without files.
  void write_looks(const Features& features, int body) {
    const std::string where = "a shape of " + link(body);
    for (const Shape& shape : features.shapes) {
      const ShapePlace place = place_of_shape(shape, nominal_, model_.name + ": " + where);
      std::string geometry;
      if (shape.type == "box")
        geometry = "<box" + attribute("size", vector(shape.size, where));
      else if (shape.type == "sphere")
        geometry = "<sphere" + attribute("radius", number(shape.radius, where));
      else if (shape.type == "cylinder")
        geometry = "<cylinder" + attribute("radius", number(shape.radius, where)) +
                   attribute("length", place.length);
      else {
        ++left_out_["shape of type " + shape.type];
        continue;
      }
      text_ << "    <visual>\n      " << origin(place.middle - shift(body), place.rotation)
            << "\n      <geometry>" << geometry << "/></geometry>\n"
            << material(shape.color) << "    </visual>\n";
    }
  }

  static std::string material(const std::string& color) {
    if (color.empty()) return "";
    std::string rgba;
    for (const double part : parts_of_color(color)) rgba += rounded_text(part, 4) + " ";
    return "      <material" + attribute("name", color) + "><color" +
           attribute("rgba", rgba + "1") + "/></material>\n";
  }

  Matrix inertia_about_com(const Body& body, double mass, const Vector& com,
                           const std::string& where) {
    const auto entry = [&](const Number& value, const char* key) {
      return number(value, where + "/inertia/" + key);
    };
    const Inertia& j = body.inertia;
    const double xx = entry(j.xx, "xx"), yy = entry(j.yy, "yy"), zz = entry(j.zz, "zz"),
                 xy = entry(j.xy, "xy"), xz = entry(j.xz, "xz"), yz = entry(j.yz, "yz");
    Matrix inertia;
    inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    if (j.about == "com") return inertia;
    const Vector arm = com - vector(body.points.at(j.about), where + "/points/" + j.about);
    return inertia - mass * (arm.squaredNorm() * Matrix::Identity() - arm * arm.transpose());
  }

  Frames frames(const Joint& joint) {
    const auto direction = [&](const std::optional<Vector3>& v) {
      return v ? std::optional(vector(*v, place_of(joint))) : std::nullopt;
    };
    const bool compares_axes = joint.type == JointType::spherical ||
                               joint.type == JointType::floating ||
                               (joint.type == JointType::fixed && !joint.axis && !joint.zero &&
                                !joint.child_axis && !joint.child_zero);
    if (compares_axes) return {Matrix::Identity(), Matrix::Identity()};
    const Vector axis = direction(joint.axis).value_or(Vector::UnitZ());
    const std::optional<Vector> zero = direction(joint.zero);
    const Matrix parent = frame(axis, zero);
    const bool crossed = joint.type == JointType::cardan;
    const std::optional<Vector> child_zero = direction(joint.child_zero);
    return {parent,
            frame(direction(joint.child_axis).value_or(crossed ? Vector(parent.col(1)) : axis),
                  child_zero ? child_zero : (crossed ? std::optional(axis) : zero))};
  }

  // The child's axes at zero, in those of the parent.
  static Matrix turned(const Joint& joint, const Frames& f) {
    if (joint.type != JointType::cardan) return f.parent * f.child.transpose();
    Matrix crossed;
    crossed << f.parent.col(1), f.parent.col(0), -f.parent.col(2);
    return crossed * f.child.transpose();
  }

  void write_joint(const Joint& joint) {
    const int parent = body_of(joint.parent, joint);
    const std::string& child = link(body_of(joint.child, joint));
    const Frames f = frames(joint);
    const Matrix rotation = turned(joint, f);
    const Vector at = place(joint.parent, joint) - shift(parent);
    const Vector axis = f.child.col(0);
    switch (joint.type) {
      case JointType::revolute:
      case JointType::prismatic:
        open_joint(joint.name, has_range(joint) ? "revolute" : type_of(joint.type), link(parent),
                   child, at, rotation);
        return close_joint(joint, 0, axis, joint.type == JointType::revolute);
      case JointType::cylindrical:
      case JointType::cardan: {
        const bool crossed = joint.type == JointType::cardan;
        const std::string between = usable(joint.name + " between");
        text_ << "  <link" << attribute("name", between) << "/>\n";
        open_joint(usable(joint.name + (crossed ? " first" : " slide")),
                   crossed ? "continuous" : "prismatic", link(parent), between, at, rotation);
        const Vector first = crossed ? Vector(rotation.transpose() * f.parent.col(0)) : axis;
        close_joint(joint, 0, first, crossed);
        open_joint(usable(joint.name + (crossed ? " second" : " turn")), "continuous", between,
                   child, Vector::Zero(), Matrix::Identity());
        return close_joint(joint, 1, axis, true);
      }
      case JointType::spherical:
        reject(model_.name + ": " + place_of(joint), "found a spherical joint",
               "URDF has none in its trees", "replace it by three revolute joints");
      case JointType::floating:
      case JointType::planar:
      case JointType::fixed:
        open_joint(joint.name, type_of(joint.type), link(parent), child, at, rotation);
        has_planar_ = has_planar_ || joint.type == JointType::planar;
        if (joint.type == JointType::planar)
          text_ << "    <axis" << attribute("xyz", axis) << "/>\n";
        text_ << "  </joint>\n";
    }
  }

  static const char* type_of(JointType type) {
    switch (type) {
      case JointType::revolute:
        return "continuous";
      case JointType::prismatic:
        return "prismatic";
      case JointType::floating:
        return "floating";
      case JointType::planar:
        return "planar";
      default:
        return "fixed";
    }
  }

  void open_joint(const std::string& name, const char* type, const std::string& parent,
                  const std::string& child, const Vector& at, const Matrix& rotation) {
    text_ << "  <joint" << attribute("name", name) << attribute("type", type) << ">\n    <parent"
          << attribute("link", parent) << "/>\n    <child" << attribute("link", child) << "/>\n    "
          << origin(at, rotation) << "\n";
  }

  // A limit that import made a definition of: "lower_NAME".
  std::optional<double> limit(const Joint& joint, const char* key) {
    const std::string name = std::string(key) + "_" + importing::identifier(joint.name);
    for (const Definition& definition : model_.definitions)
      if (definition.name == name) return constant(Number(definition.expression));
    return std::nullopt;
  }
  bool has_range(const Joint& joint) {
    return joint.type == JointType::revolute && limit(joint, "lower") && limit(joint, "upper");
  }

  // Of a joint with one coordinate. URDF wants them of what slides, and all where there are some:
  // wide ones if none are stated. A lower or upper limit alone is none of a joint that turns.
  std::string limits(const Joint& joint, bool turns) {
    const bool is_whole = joint.type == JointType::revolute || joint.type == JointType::prismatic;
    const bool has_both = has_range(joint);
    std::string text;
    bool states_any = false, lacks_any = false;
    const auto add = [&](const char* key, double otherwise) {
      const std::optional<double> stated = is_whole ? limit(joint, key) : std::nullopt;
      if (stated) ++limits_written_;
      (stated ? states_any : lacks_any) = true;
      text += attribute(key, stated.value_or(otherwise));
    };
    if (!turns || has_both) {
      add("lower", -1e6);
      add("upper", 1e6);
    }
    add("effort", 1e9);
    add("velocity", 1e9);
    if (turns && !states_any) return "";
    has_wide_limits_ = has_wide_limits_ || lacks_any;
    return "    <limit" + text + "/>\n";
  }

  // With what belongs to this coordinate of a joint.
  void close_joint(const Joint& joint, int coordinate, const Vector& axis, bool turns) {
    text_ << "    <axis" << attribute("xyz", axis) << "/>\n" << limits(joint, turns);
    if (const auto found = damping_.find({joint.name, coordinate}); found != damping_.end())
      text_ << "    <dynamics" << attribute("damping", found->second) << "/>\n";
    text_ << "  </joint>\n";
  }

  // Forces that damp a coordinate with a constant, and nothing else.
  void read_damping() {
    for (const Force& force : model_.forces) {
      const char* const key = force.type == "rotary-damper"             ? "linear"
                              : force.type == "torsional-spring-damper" ? "damping"
                                                                        : nullptr;
      const ForceValue* const coefficient = key ? force.find(key) : nullptr;
      const std::optional<double> damping =
          coefficient && force.values.size() == 2 ? constant(coefficient->number()) : std::nullopt;
      const ForceValue* const joint = damping ? force.find("joint") : nullptr;
      if (!joint) {
        ++left_out_["force of type " + force.type];
        continue;
      }
      const CoordinateReference at = references_.coordinate(joint->text(), "/forces/" + force.name);
      const Joint& damped = model_.joints[static_cast<std::size_t>(at.joint)];
      if (has_axes(damped.type))
        damping_[{damped.name, at.coordinate}] += *damping;
      else
        ++left_out_["force of type " + force.type];
    }
  }

  // Of an expression of parameters; nothing if it depends on more.
  std::optional<double> constant(const Number& value) {
    try {
      return number(value, "/forces");
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  static bool has_axes(JointType type) {
    return type == JointType::revolute || type == JointType::prismatic ||
           type == JointType::cylindrical || type == JointType::cardan;
  }

  void note_what_is_left_out() {
    const auto count = [&](const char* what, std::size_t n) {
      if (n > 0) left_out_[what] = n;
    };
    for (const Joint& loop : model_.loops)
      remarks_.push_back("the " + type_name(loop) + " joint " + in_quotes(loop.name) +
                         ", which closes a loop, is left out: links of URDF form a tree");
    const auto starts = [](const Joint& joint) { return !joint.start.empty(); };
    count("start of a joint", static_cast<std::size_t>(std::count_if(model_.joints.begin(),
                                                                     model_.joints.end(), starts)));
    std::size_t points = model_.ground.points.size(), vectors = model_.ground.vectors.size();
    for (const Body& body : model_.bodies) {
      points += body.points.size();
      vectors += body.vectors.size();
    }
    count("named point", points);
    count("named vector", vectors);
    count("definition", model_.definitions.size() - limits_written_);
    count("constraint", model_.constraints.size());
    count("state", model_.states.size());
    count("event", model_.events.size());
    count("sensor", model_.sensors.size());
    count("objective", model_.objectives.size());
    std::string listed;
    for (const auto& [what, n] : left_out_)
      listed += (listed.empty() ? "" : ", ") + what + " (" + std::to_string(n) + ")";
    if (!listed.empty()) remarks_.push_back("left out: " + listed);
    if (model_.start == "equilibrium")
      remarks_.push_back("left out: that the motion starts from an equilibrium");
    if (has_planar_)
      remarks_.push_back(
          "planar joints state the normal of their plane, of which some programs take no notice");
    if (!model_.parameters.empty())
      remarks_.push_back("parameters are numbers: the values that the model states");
    if (has_wide_limits_)
      remarks_.push_back(
          "URDF wants limits; where the model states none they are wide (1e6 m, efforts and "
          "velocities 1e9)");
    const Vector gravity = vector(model_.gravity, "/gravity");
    if ((gravity - Vector(0, 0, -9.81)).norm() > 1e-12)
      remarks_.push_back("URDF does not state gravity, which is [" + to_text(gravity[0]) + ", " +
                         to_text(gravity[1]) + ", " + to_text(gravity[2]) + "] in the model");
  }

  static std::string type_name(const Joint& joint) {
    return std::string(keys::joint_types[static_cast<std::size_t>(joint.type)]);
  }

  const SpanningTree tree_;
  const Model& model_;
  const References references_;
  NominalValues nominal_;
  std::ostringstream text_;
  std::vector<std::string> remarks_;
  std::set<std::string> names_;
  std::string ground_;
  std::map<int, Vector> shifts_;  // of bodies
  std::map<std::pair<std::string, int>, double> damping_;
  std::map<std::string, std::size_t> left_out_;
  std::size_t limits_written_ = 0;
  bool has_wide_limits_ = false;
  bool has_planar_ = false;
};

}  // namespace

ExportedModel to_urdf(const Model& model) {
  validate(model);
  return Writer(model).write();
}

}  // namespace gradus
