// The user's description of a mechanism: names and expressions, SI units, never changed after it is
// handed over. All that a model file can say can be built here, member by member; docs/model.md
// describes both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gradus {

// A number of the model: a constant, or an expression of parameters and definitions ("2*L_A1"). A
// text that is empty or null is an expression still, which `validate` refuses.
class Number {
 public:
  Number(double value = 0.0) : value_(value) {}
  Number(int value) : value_(value) {}
  Number(std::string expression) : expression_(std::move(expression)), is_expression_(true) {}
  Number(const char* expression) : Number(std::string(expression != nullptr ? expression : "")) {}

  bool is_expression() const { return is_expression_; }
  double value() const { return value_; }  // meaningful for constants only
  const std::string& expression() const { return expression_; }

 private:
  double value_ = 0.0;
  std::string expression_;
  bool is_expression_ = false;
};

using Vector3 = std::array<Number, 3>;

// A number the user differentiates with respect to. Its value may be a constant expression
// ("sqrt(5)"). Parameters called "k[0]", "k[1]", ... that follow each other are the array "k" of
// expressions; `parameter_array` makes them.
struct Parameter {
  std::string name;
  Number value;
  std::string unit;
  std::optional<std::array<double, 2>> bounds;  // smallest and largest sensible value
  std::string description;
};

// The `size` parameters of an array: `common`, called common.name + "[0]", "[1]" and so on.
std::vector<Parameter> parameter_array(const Parameter& common, std::size_t size);

// A named expression of parameters, sensors, the time t and other definitions, for use in other
// expressions: one that depends on a sensor or the time, where these can be used. Scalar, vector
// "[a,b,c]", or a list of any other length.
struct Definition {
  std::string name;
  std::string expression;
};

// Inertia in body axes [kg m^2], about the centre of mass or about a named point of the body.
struct Inertia {
  Number xx, yy, zz, xy, xz, yz;  // xy is the matrix entry, i.e. minus the integral of x y dm
  std::string about = "com";
};

// What a body, or the ground, looks like on pages, where the triangles of a mesh are
// counter-clockwise from outside. It has no mass, and nothing touches it.
struct Shape {
  std::string type;       // "box", "sphere", "cylinder", "capsule", "ellipsoid" or "mesh"
  Vector3 size{0, 0, 0};  // of boxes and ellipsoids: along the axes of the shape [m]
  Number radius = 0;      // of spheres, cylinders and capsules [m]
  Number length = 0;      // of cylinders and capsules: between the middles of their ends [m]
  Vector3 at{0, 0, 0};    // where its middle is, or the origin of a mesh [m], body axes
  Vector3 axis{0, 0, 1};  // its z axis, body axes
  std::optional<Vector3> zero = {};  // what its x axis points to; if absent, the x axis of the body
                                     // or, where `axis` lies along that, its y axis
  std::optional<std::array<Vector3, 2>> ends = {};  // of cylinders and capsules, in the place of
                                                    // `length`, `at`, `axis`: the middles [m]
  std::string color = "";                           // "#rrggbb"; empty: that of the body
  std::string file = "";                      // of a mesh: STL or OBJ, beside the file of the model
  Vector3 scale{1, 1, 1};                     // of a mesh
  std::vector<double> vertices = {};          // of a mesh without a file: x, y, z, x, y, z, ...
  std::vector<std::uint32_t> triangles = {};  // and three vertices each, counted from 0
};

// Points [m] and direction vectors fixed in a body, in body axes, and what it looks like.
struct Features {
  std::map<std::string, Vector3> points;
  std::map<std::string, Vector3> vectors;
  std::vector<Shape> shapes = {};
};

struct Body : Features {
  std::string name;
  Number mass;  // kg
  Vector3 com;  // centre of mass [m], body axes
  Inertia inertia;
};

// Centre of mass and inertia of a thin uniform rod of the body's mass between two places [m], body
// axes.
void make_slender(Body& body, const Vector3& from, const Vector3& to);

// What a joint leaves free; docs/conventions.md gives coordinates, units and signs.
enum class JointType {
  revolute,     // 1: angle
  prismatic,    // 1: displacement
  cardan,       // 2: angles about two perpendicular axes, the first in the parent
  cylindrical,  // 2: displacement along the axis, angle about it
  spherical,    // 4: Euler parameters
  floating,     // 7: displacement, Euler parameters
  planar,       // 3: displacements along `zero` and `axis` x `zero`, angle about the axis
  fixed,        // none
};

// Start of one joint coordinate: a value that is kept, or a guess that the constraints may correct.
// For the Euler parameters e0, e1, e2, e3 of a spherical or floating joint the positions are these
// four (normalised when used; all values or all guesses), and the velocities of e1, e2, e3 are the
// components of the angular velocity relative to the parent, in its joint axes; that of e0 is not
// used.
struct CoordinateStart {
  Number position;  // rad, m or 1
  Number velocity;  // rad/s or m/s; used where the coordinate is held
  bool position_is_guess = false;
  bool velocity_is_guess = false;  // implied where the position is a guess
};

// Connects a child body to its parent. `parent` and `child` name a body, or a point of it as
// "body.point"; a body alone means the origin of its axes; "ground" is the fixed body. Spherical,
// floating and fixed joints compare whole orientations: without directions, joint axes are body
// axes.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::string parent;
  std::string child;
  std::optional<Vector3> axis;        // in parent axes; [0, 0, 1] if absent
  std::optional<Vector3> child_axis;  // in child axes; equal to `axis` if absent. Of a cardan
                                      // joint: its second axis; equal to `zero` if absent
  std::optional<Vector3> zero;        // direction in the parent from which the angle is counted
  std::optional<Vector3> child_zero;  // direction in the child to which the angle is counted; equal
                                      // to `zero` if absent. Of a cardan joint: `axis` if absent
  std::vector<CoordinateStart> start;       // one entry per coordinate; if empty, guesses of zero
                                            // (no rotation). Not used by cut joints
  std::optional<bool> cut = std::nullopt;   // among the joints: whether to close a loop with it; if
                                            // absent, the plan decides
  std::vector<std::string> in_common = {};  // kept by gradus: what of a drawing its bodies have in
                                            // common
};

// What a force says under a key: a text (a place, a body, a coordinate, a name), a number or a
// vector.
class ForceValue {
 public:
  ForceValue() = default;
  template <class Value, class = std::enable_if_t<std::is_constructible_v<Number, const Value&>>>
  ForceValue(const Value& value) : numbers_{Number(value), 0, 0} {}
  ForceValue(Vector3 vector) : numbers_(std::move(vector)), is_vector_(true) {}
  ForceValue(Number x, Number y, Number z)
      : ForceValue(Vector3{std::move(x), std::move(y), std::move(z)}) {}

  bool is_vector() const { return is_vector_; }
  const Number& number() const { return numbers_[0]; }
  const std::string& text() const { return number().expression(); }
  const Vector3& vector() const { return numbers_; }

 private:
  Vector3 numbers_;
  bool is_vector_ = false;
};

// A force of a type that docs/model.md describes, with the keys that it has there:
// Force{"coil", "spring-damper", {{"from", "ground"}, {"to", "rod.tip"}, {"stiffness", "k"},
// {"length", 0.5}}}. Keys that are not said have the values that the page gives.
struct Force {
  std::string name;
  std::string type;
  std::map<std::string, ForceValue, std::less<>> values;
  bool has_discs = false;  // kept by gradus: the model has what stands for the states of the force

  ForceValue& operator[](std::string_view key) {
    return values.try_emplace(std::string(key)).first->second;
  }
  // Null if the key is not said.
  const ForceValue* find(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : &found->second;
  }
};

// A constraint beyond the loop closures, of a type that docs/model.md describes, which is the key
// that makes it there: Constraint{"rod", "distance", "crank.tip", "slider.pin", 0.3}. `value` is an
// expression of parameters and the time t; of type "expression" it is what is kept at 0, also of
// sensors of positions, vectors and coordinates.
struct Constraint {
  std::string name;
  std::string type;
  std::string first, second;  // points, vectors "body.vector", or a joint coordinate
  Number value;
  bool at_start = false;  // of the position and velocity at time 0 only: what is a start value, be
                          // it of a point or any other quantity
};

// A sensor of a type that docs/model.md describes, which is the key that makes it there:
// Sensor{"tip", "position", "rod.tip"}, Sensor{"gap", "distance", "rod.tip", "ground"}.
struct Sensor {
  std::string name;
  std::string type;
  std::string target;  // "body.point", "body.vector", a body, joint, force, constraint or state; of
                       // energies and momenta which one
  std::string second = "";  // of a sensor of two points or vectors: the other one
  bool is_added = false;    // kept by gradus: forces read it and the model does not state it
};

// A number y with dy/dt = rate, y = initial at time 0: what a controller integrates, what a filter
// or an actuator holds. Its name can be used wherever a sensor of velocities can: in rates of
// states, forces, objectives.
//
// Or a sampled one, with `every` above 0 and no rate: it becomes `next` at the times offset + k *
// every, k = 0, 1, ..., and keeps that between them, as what a digital controller puts out. All
// that are sampled at one time are made of what was before. Or one with neither, which events set.
struct State {
  std::string name;
  Number rate = 0;     // an expression of states, sensors, parameters and the time t [unit/s]
  Number initial = 0;  // of parameters
  std::string unit = "";
  std::string description = "";
  Number next = 0;           // what a rate may be [unit]
  double every = 0;          // s; 0: the state is not sampled
  double offset = 0;         // s, when it is sampled first
  bool has_disc = false;     // kept by gradus: the model has what stands for the state
  bool is_followed = false;  // kept by gradus: a constraint reads it
  std::string turn = "";     // kept by gradus: the coordinate of a cut joint whose turns it counts
  std::string impulse = "";  // kept by gradus: the event in which it is the size of the impulse
};

// Which passages through zero count.
enum class Passages { either, rising, falling };

// A passage of the motion through an instant at which something changes at once: states become
// something else, or velocities do by an impact. It takes an integrator that chooses its steps.
struct Event {
  std::string name;
  Number when = 0;  // an expression of sensors of positions and velocities, states, parameters and
                    // the time t; the event is where it passes zero
  Passages direction = Passages::either;
  std::optional<Number> condition = {};  // `while` in files: above 0 where passages count
  std::map<std::string, Number, std::less<>> set = {};  // states, and what they become: expressions
                                                        // of the motion before the event
  // An impact has one of these: what is left of the rate of `when`, whose sign turns; or the size
  // of its impulse [N s, N m s]. It acts along the derivatives of `when`, or else of `along`, an
  // expression of positions and the time, whose rate it is that turns then.
  std::optional<Number> restitution = {};
  std::optional<Number> impulse = {};
  std::optional<Number> along = {};
  std::string description = "";
  bool has_disc = false;  // kept by gradus: the model has what stands for the impulse
};

enum class ObjectiveKind {
  integral,   // of the expression over the motion
  terminal,   // the expression at the end of the motion
  value,      // the expression at given times
  maximum,    // the largest value of the expression
  minimum,    // the smallest
  time_when,  // the time when it passes zero [s]
};

// A scalar functional of the motion: an expression of sensors, parameters, definitions and the time
// t; or the sum of squares of `residuals`, which are such expressions, scalars or vectors. Of kind
// `value` it is one objective of the results per time, named "name@time".
struct Objective {
  std::string name;
  ObjectiveKind kind = ObjectiveKind::integral;
  std::string expression;
  std::string unit;
  std::string description;
  std::vector<std::string> residuals = {};  // if not empty, the expression is
  std::vector<double> at = {};              // of kind `value`: the times, ascending [s]
  // Of the kinds maximum, minimum and time_when: where they look [s], by itself to the end
  double from = 0.0;
  std::optional<double> to = {};
  double smooth = 0.0;  // of extrema: > 0 smooths them, in the unit of the expression
  Passages direction = Passages::either;  // of time_when: the passages that count,
  int passage = 1;                        // which of them, from 1 on,
  std::optional<double> otherwise = {};   // and the value if there are fewer; none: a failure [s]
};

struct Analysis {
  std::string formulation = "ali3p";  // files that say nothing of steps have "auto"
  bool formulation_is_stated = true;  // false for files that name none: Options choose it as the
                                      // file could, by their step, tolerance, ... or integrator
  std::string integrator;             // the formulation's own if empty
  std::string reference = "rtdyn0";
  std::string coordinates = "joint";  // or "reference-point": positions and Euler parameters of all
                                      // bodies, tied by all joints
  double duration = 1.0;              // s
  double step = 1e-3;                 // s; first step of adaptive integrators
  double tolerance = 1e-10;           // on the 2-norm of the Newton increment
  bool controls_error = false;   // radau5 and radau9 choose their steps: of files that state rtol
                                 // or atol, or no step; Options decide by what they give of these
  double rtol = 1e-8;            // adaptive integrators: relative error of a step, 1e-14 to 0.1,
  double atol = 1e-10;           // and absolute error, above 0, up to 1e6
  double max_steps = 1e6;        // of a design, tried ones included: 1 to 1e9
  bool columns_in_error = true;  // of gradients: whether it includes that of the sensitivities
  double penalty = 1e9;          // alpha of penalty methods
  std::map<std::string, double> penalties;  // other alphas, by the name of a constraint or joint
  double frequency = 10.0;                  // Omega of penalty and Baumgarte stabilisation [rad/s]
  double damping_ratio = 1.0;               // xi of these
  std::string projections = "exact";        // of ali3p: exact, iterative, penalty or none
  double projection_tolerance = 0.0;  // of ali3p: violation below which a step does not project
  std::string stabilisation = "projection";  // of index1: projection, baumgarte or none
  double beta = 0.25, gamma = 0.5;           // of newmark: 2 beta >= gamma >= 1/2
  double spectral_radius = 0.8;              // of generalised-alpha (0 to 1) and hht (1/2 to 1) at
                                             // infinite frequency
  std::vector<std::string> independent;      // of matrix-r: expressions of positions that it
                                             // integrates, as many as motions are free; none:
                                             // coordinates that it chooses
  std::string iteration = "newton";          // of implicit integrators: newton or fixed-point
  std::string singular = "fail";  // what a passage through a singular configuration is: fail, warn
                                  // or continue
};

struct Model {
  std::string name;
  std::string description;
  Vector3 gravity{0, 0, 0};  // m/s^2
  std::vector<Parameter> parameters;
  std::vector<Definition> definitions;
  Features ground;
  std::vector<Body> bodies;
  std::vector<Joint> joints;  // of any topology: the plan finds a spanning tree
  std::vector<Joint> loops;   // joints that are cut: closed by constraints
  std::vector<Constraint> constraints;
  std::vector<Force> forces;
  std::vector<State> states;
  std::vector<Event> events;
  std::vector<Sensor> sensors;
  std::vector<Objective> objectives;
  Analysis analysis;
  // Start positions: "stated", or "equilibrium", where the stated ones are guesses and forces are
  // balanced.
  std::string start = "stated";
};

// Loads the forces of a plug-in (docs/api.md, gradus/plugin.hpp), for all models of this process
// that are read from then on; other threads may go on reading models. A plug-in that is loaded
// already is left alone, and none is ever unloaded. Throws FileError if the file cannot be read,
// InputError if it is no plug-in, one for another interface, or one that describes its forces
// wrongly or brings a type that there is already; then none of its forces is added.
void load_plugin(const std::filesystem::path& file);

// The types that forces of models may have.
struct ForceType {
  std::string type;
  std::string plugin;  // the file that brought it; empty: gradus itself
};
std::vector<ForceType> force_types();

// Reads and validates a model file (docs/model.md; schema/gradus-model-1.json), or imports one that
// ends in .urdf, .xml or .mjcf (gradus/import.hpp says what is left out).
// Throws FileError if it cannot be read, InputError (file, element, value found, what is allowed)
// if it is wrong.
Model read_model(const std::filesystem::path& file);

// The same for text in memory; `origin` stands for the file name in messages.
Model parse_model(std::string_view text, const std::string& origin = "model");

// Checks names, references and values of a model; `read_model` has done so already. Throws
// InputError.
void validate(const Model& model, const std::string& origin = "model");

}  // namespace gradus
