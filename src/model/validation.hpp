// The parts of `validate`, each with one subject. They throw InputError and are called in this
// order, since later ones rely on earlier ones.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/nominal.hpp"
#include "src/model/reference.hpp"

namespace gradus {

// Names are usable, unique and not taken.
void check_names(const Model& model, const std::string& origin);

// Types and kinds are among those that there are.
void check_kinds(const Model& model, const std::string& origin);

// Two ends that must not be the same; `why` is said of those that are.
void require_two_points(const PointReference& first, const PointReference& second,
                        const std::string& text, const std::string& why, const std::string& where);
void require_two_bodies(int first, int second, const std::string& why, const std::string& where);

// Everything that is referred to exists.
void check_references(const Model& model, const References& references, const std::string& origin);

// Throws InputError unless the name is among those that there are.
void require_among(const std::vector<std::string>& names, const std::string& name,
                   const std::string& where, const std::string& why);

// Of these: the type of a constraint, the type of a sensor and what it names, the type and the keys
// of a force, and where it acts.
void check_constraint_type(const Constraint& constraint, const std::string& where);
void check_sensor_type(const Sensor& sensor, const std::string& where);
void check_sensor(const Model& model, const Sensor& sensor, const References& references,
                  const std::string& where);
void check_force_keys(const Force& force, const std::string& where);
void check_force_places(const Model& model, const Force& force, const References& references,
                        const std::string& where);

// What is added to the inertia of a body of which printed digits left negative principal moments.
struct InertiaChange {
  std::size_t body = 0;           // place in Model::bodies
  std::array<double, 6> added{};  // to xx, yy, zz, xy, xz, yz [kg m^2]
};

// What validation finds that is no mistake.
struct Findings {
  std::vector<InertiaChange> changes;  // without which the model is not used
  std::vector<std::string> remarks;    // for people
};

void apply(const std::vector<InertiaChange>& changes, Model& model);

// Masses, inertias and features of bodies make physical sense at the nominal parameters. The joints
// of the model are a tree.
Findings check_bodies(const Model& model, const References& references, NominalValues& nominal,
                      const std::string& origin);

// Of these: shapes have types, sizes and directions, and meshes vertices that are there.
void check_shapes(const std::vector<Shape>& shapes, NominalValues& nominal,
                  const std::string& where);

// Of these: inertias have no negative principal moments but by round-off.
Findings check_inertias(const Model& model, const References& references, NominalValues& nominal,
                        const std::string& origin);

// Of these: every joint moves some inertia, unless other ties may determine its motion. `has_mass`
// tells which bodies have mass or inertia.
void check_massless(const Model& model, const References& references,
                    const std::vector<char>& has_mass, const std::string& origin);

// Axes and start values; gravity and forces; values of constraints.
void check_joints(const Model& model, NominalValues& nominal, const std::string& origin);
void check_events(const Model& model, NominalValues& nominal, const std::string& origin);
void check_forces(const Model& model, NominalValues& nominal, const std::string& origin);
void check_constraints(const Model& model, const References& references, NominalValues& nominal,
                       const std::string& origin);

// Parameter bounds.
void check_parameters(const Model& model, const NominalValues& nominal, const std::string& origin);

// Objectives are scalar expressions of what objectives may use.
void check_objectives(const Model& model, const std::string& origin);

void check_analysis(const Analysis& analysis, const std::string& origin);

// Of the errors of a step: round-off is hardly less than the first, and few coordinates and rates
// are as large as the last, whatever their unit.
inline constexpr double least_rtol = 1e-14, most_rtol = 0.1, most_atol = 1e6;
inline const char* const allowed_rtol = "from 1e-14 to 0.1";
inline const char* const allowed_atol = "above 0 and up to 1e6";
inline const char* const allowed_max_steps = "a whole number from 1 to 1e9";
bool is_step_count(double number);  // such a number

// `where` is the place of both, "" or a path that ends in "/".
void check_number_of_steps(double duration, double step, const std::string& where);

// All of them: `validate`, with what it finds.
Findings examine(const Model& model, const std::string& origin);

}  // namespace gradus
