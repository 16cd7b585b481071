// The user's description of a mechanism: names and expressions, SI units, never changed after it is
// handed over. All that a model file can say can be built here, member by member; docs/model.md
// describes both.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gradus {

// A number of the model: a constant, or an expression of parameters and definitions ("2*L_A1").
class Number {
 public:
  Number(double value = 0.0) : value_(value) {}
  Number(int value) : value_(value) {}
  Number(std::string expression) : expression_(std::move(expression)) {}
  Number(const char* expression) : expression_(expression) {}

  bool is_expression() const { return !expression_.empty(); }
  double value() const { return value_; }  // meaningful for constants only
  const std::string& expression() const { return expression_; }

 private:
  double value_ = 0.0;
  std::string expression_;
};

using Vector3 = std::array<Number, 3>;

// A number the user differentiates with respect to. Its value may be a constant expression
// ("sqrt(5)").
struct Parameter {
  std::string name;
  Number value;
  std::string unit;
  std::optional<std::array<double, 2>> bounds;  // smallest and largest sensible value
  std::string description;
};

// A named expression of parameters (and other definitions), for use in other expressions. Scalar,
// or vector "[a,b,c]".
struct Definition {
  std::string name;
  std::string expression;
};

// Inertia in body axes [kg m^2], about the centre of mass or about a named point of the body.
struct Inertia {
  Number xx, yy, zz, xy, xz, yz;  // xy is the matrix entry, i.e. minus the integral of x y dm
  std::string about = "com";
};

// Points [m] and direction vectors fixed in a body, in body axes.
struct Features {
  std::map<std::string, Vector3> points;
  std::map<std::string, Vector3> vectors;
};

struct Body : Features {
  std::string name;
  Number mass;  // kg
  Vector3 com;  // centre of mass [m], body axes
  Inertia inertia;
};

enum class JointType { revolute, prismatic };

// Start of one joint coordinate: a value that is kept, or a guess that the loop closures may
// correct.
struct CoordinateStart {
  Number position;  // rad or m
  Number velocity;  // rad/s or m/s; ignored where the position is a guess
  bool position_is_guess = false;
  bool velocity_is_guess = false;  // implied where the position is a guess
};

// Connects a child body to its parent. `parent` and `child` name a body, or a point of it as
// "body.point"; a body alone means the origin of its axes; "ground" is the fixed body.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::string parent;
  std::string child;
  Vector3 axis{0, 0, 1};              // in parent axes
  std::optional<Vector3> child_axis;  // in child axes; equal to `axis` if absent
  std::optional<Vector3> zero;        // direction in the parent from which the angle is counted
  std::optional<Vector3> child_zero;  // direction in the child to which the angle is counted; equal
                                      // to `zero` if absent
  std::vector<CoordinateStart>
      start;  // one entry per coordinate; zeros if empty. Not used by loops
};

// Linear spring and damper between two points: force k (l - length) + c dl/dt along the line.
struct SpringDamper {
  std::string name;
  std::string from, to;  // "body.point"
  Number stiffness;      // N/m
  Number damping;        // N s/m
  Number length;         // natural length [m]
};

enum class SensorKind {
  position,                 // of a point, 3 components [m]
  velocity,                 // of a point, 3 components [m/s]
  acceleration,             // of a point, 3 components [m/s^2]
  coordinate,               // joint coordinates [rad or m]
  rate,                     // their first time derivatives
  coordinate_acceleration,  // their second time derivatives
  energy,                   // "kinetic", "potential" or "total" [J]
};

struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::position;
  std::string target;  // "body.point", a joint, or a kind of energy
};

enum class ObjectiveKind {
  integral,  // of the expression over the motion
  terminal,  // the expression at the end of the motion
};

// A scalar functional of the motion: an expression of sensors, parameters, definitions and the time
// t.
struct Objective {
  std::string name;
  ObjectiveKind kind = ObjectiveKind::integral;
  std::string expression;
  std::string unit;
  std::string description;
};

struct Analysis {
  std::string formulation = "ali3p";
  std::string reference = "rtdyn0";
  double duration = 1.0;     // s
  double step = 1e-3;        // s
  double tolerance = 1e-10;  // on the 2-norm of the Newton increment
};

struct Model {
  std::string name;
  std::string description;
  Vector3 gravity{0, 0, 0};  // m/s^2
  std::vector<Parameter> parameters;
  std::vector<Definition> definitions;
  Features ground;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Joint> loops;  // cut joints: closed by constraints
  std::vector<SpringDamper> springs;
  std::vector<Sensor> sensors;
  std::vector<Objective> objectives;
  Analysis analysis;
};

// Reads and validates a model file (docs/model.md; schema/gradus-model-1.json).
// Throws FileError if it cannot be read, InputError (file, element, value found, what is allowed)
// if it is wrong.
Model read_model(const std::filesystem::path& file);

// The same for text in memory; `origin` stands for the file name in messages.
Model parse_model(std::string_view text, const std::string& origin = "model");

// Checks names, references and values of a model; `read_model` has done so already. Throws
// InputError.
void validate(const Model& model, const std::string& origin = "model");

}  // namespace gradus
