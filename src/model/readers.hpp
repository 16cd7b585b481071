// Reads the elements of a model file; each subject has a file of its own.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/drawing.hpp"
#include "gradus/model.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/json_element.hpp"
#include "src/model/keys.hpp"

namespace gradus {

// What a document draws, and which of that its bodies have.
Drawing read_drawing(const JsonElement& document);
// With the points of the drawing that are fixed in `body`, for places of it that name them.
Features with_drawn_points(Features features, const JsonElement& body, const Drawing& drawing);
Body read_body(const std::string& name, const JsonElement& element, const Drawing& drawing);
Features read_ground(const JsonElement& element, const Drawing& drawing);
// The joints of a document and of its drawing, in the order of the document, which may name joints
// of the drawing; those that it does not name come last. All but the joints is in the model.
void read_joints(const JsonElement& document, Drawing drawing, const std::string& origin,
                 Model& model);
Joint read_joint(const std::string& name, const JsonElement& element);
// What is said of a joint whose type the drawing says.
void read_drawn_joint(const JsonElement& element, Joint& joint);
Joint read_loop(const std::string& name, const JsonElement& element);
Constraint read_constraint(const std::string& name, const JsonElement& element);
Sensor read_sensor(const std::string& name, const JsonElement& element);
Force read_force(const std::string& name, const JsonElement& element);
// A place of a body: a vector, an expression of one, a point of `features` by its name, or "com"
// where there is one.
Vector3 read_place(const JsonElement& element, const Features& features,
                   const Vector3* com = nullptr);
// What a body or the ground looks like; `features` has the points that shapes name.
std::vector<Shape> read_shapes(const JsonElement& list, const Features& features,
                               const Vector3* com);
// All keys that shapes of a type have.
std::vector<keys::Key> keys_of_shape(std::string_view type);
// All keys that forces of a kind have in files.
std::vector<keys::Key> keys_of_force(const ForceKind& kind);
// One for each kind: a sensor has exactly one of them.
std::vector<keys::Key> keys_of_constraints();
std::vector<keys::Key> keys_of_sensors();

// The schema of a file comes first: nothing can be said about the keys of another format. Of one
// that is `other`, `who` says what takes it.
inline void require_schema(const JsonElement& document, std::string_view own,
                           std::string_view other, const std::string& who) {
  const JsonElement schema = document.at("schema");
  if (schema.is(other)) schema.reject_value("\"" + std::string(own) + "\"; " + who);
  schema.name_among(std::array{own});
}

// What a model says in its Analysis, and Options in its place.
template <class Settings>
void read_settings(const JsonElement& element, Settings& settings) {
  element.read("formulation", keys::formulations, settings.formulation);
  element.read("integrator", keys::integrators, settings.integrator);
  element.read("coordinates", keys::coordinates, settings.coordinates);
  element.read("reference", keys::references, settings.reference);
  element.read("projections", keys::projections, settings.projections);
  element.read("stabilisation", keys::stabilisations, settings.stabilisation);
  element.read("iteration", keys::iterations, settings.iteration);
  element.read("singular", keys::singular, settings.singular);
  element.read("duration", settings.duration);
  element.read("step", settings.step);
  element.read("tolerance", settings.tolerance);
  element.read("rtol", settings.rtol);
  element.read("atol", settings.atol);
  element.read("max_steps", settings.max_steps);
  element.read("penalty", settings.penalty);
  element.read("columns_in_error", settings.columns_in_error);
}

}  // namespace gradus
