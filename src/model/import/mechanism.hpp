// What a robot's file says, before it is written as a model of gradus.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "src/model/import/rotation.hpp"
#include "src/model/mesh.hpp"

namespace gradus::importing {

using Json = nlohmann::ordered_json;

constexpr int kGround = -1;

// A shape as the model states it; of a mesh without its triangles.
struct ImportedShape {
  Json json;
  std::shared_ptr<const Mesh> mesh = nullptr;
};

struct ImportedBody {
  std::string name;
  double mass = 0.0;
  Vector com = Vector::Zero();
  Matrix inertia = Matrix::Zero();  // about the centre of mass, in the axes of the body
  std::vector<std::pair<std::string, Vector>> points;
  std::vector<ImportedShape> shapes = {};
  bool is_frame = false;  // between two joints of one body: no numbers of its own
  Json number = nullptr;  // of armature: its mass and all its moments of inertia about its origin
};

struct ImportedJoint {
  std::string name;
  std::string type;  // as gradus calls it
  int parent = kGround, child = 0;
  Vector place = Vector::Zero();           // in the axes of the parent
  Matrix rotation = Matrix::Identity();    // axes of the child in those of the parent at zero
  Vector child_place = Vector::Zero();     // in the axes of the child
  Vector axis = Vector::UnitZ();           // in the axes of the child, of length 1
  double reference = 0.0;                  // its coordinate in the position that the file describes
  bool is_cut = false;                     // closes a loop
  std::vector<double> position, velocity;  // at the start; empty: as described, at rest
  bool is_guess = false;                   // its position at the start is a guess
  std::optional<Pose> start;  // of one that turns about a point or floats, in the parent

  bool has_axis() const {
    return type == "revolute" || type == "prismatic" || type == "planar" || type == "cylindrical";
  }
  bool has_coordinate() const { return type == "revolute" || type == "prismatic"; }
};

// "left-arm.1" as a name in expressions: left_arm_1.
std::string identifier(const std::string& name);

// Names that bodies, points and joints may have, each once, also as identifiers.
class Names {
 public:
  // The name itself if it can be used, or else one like it.
  std::string usable(const std::string& name);

 private:
  std::unordered_set<std::string> taken_;             // identifiers
  std::unordered_map<std::string, int> repetitions_;  // of names that were taken
};

struct ImportedMechanism {
  std::string name;
  Vector gravity{0.0, 0.0, -9.81};
  std::vector<ImportedBody> bodies;
  std::vector<ImportedJoint> joints;
  bool has_loops = false;  // positions at the start are guesses
  std::vector<std::pair<std::string, Vector>> ground_points;
  std::vector<ImportedShape> ground_shapes;
  // Parameters, definitions, states and sensors share one name space: entries go by add().
  Json parameters = Json::object(), definitions = Json::object(), constraints = Json::object(),
       forces = Json::object(), states = Json::object(), sensors = Json::object();
  Names force_names;
  std::vector<std::string> patterns;  // of the parameters that are asked for
  std::vector<std::string> remarks;

  // Writes an entry into one of these sections, under its name, or one like it if something in
  // another section bears that; returns the name.
  std::string add(Json& section, const std::string& wanted, const Json& entry);

  // A number as the model states it: itself, or the name of a new parameter where one is asked for.
  Json number(const std::string& parameter, double value, const std::string& unit);
  // The same as it is written within an expression.
  std::string factor(const std::string& parameter, double value, const std::string& unit);
  // Always a parameter.
  std::string new_parameter(const std::string& parameter, double value, const std::string& unit,
                            const Json& bounds = nullptr);
  // The sensor that shows the coordinate, its rate or its acceleration of a joint that has one.
  std::string coordinate_of(const std::string& joint);
  std::string rate_of(const std::string& joint);
  std::string acceleration_of(const std::string& joint);

  // Dry friction of this size in a joint that turns or slides, N m or N.
  void add_dry_friction(const ImportedJoint& joint, double size);

  bool wants(const std::string& parameter) const;  // whether a pattern asks for it
  // Patterns that no number bears the name of.
  std::vector<std::string> unmet_patterns() const;
  const ImportedBody* body(int i) const { return i == kGround ? nullptr : &bodies[std::size_t(i)]; }

 private:
  mutable std::unordered_set<std::string> met_;  // patterns
  std::string friction_speed_;                   // the definition; empty: none yet
  std::unordered_map<std::string, int> owners_;  // which of the sections has a name

  std::string sensor(const char* kind, const char* prefix, const std::string& joint);
};

// The model as JSON text.
std::string model_text(ImportedMechanism& mechanism);

}  // namespace gradus::importing
