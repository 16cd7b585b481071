// The parts of `validate`, each with one subject. They throw InputError and are called in this
// order, since later ones rely on earlier ones.
#pragma once

#include <string>

#include "gradus/model.hpp"
#include "src/model/nominal.hpp"
#include "src/model/reference.hpp"

namespace gradus {

// Names are usable, unique and not taken.
void check_names(const Model& model, const std::string& origin);

// Types and kinds are among those that there are.
void check_kinds(const Model& model, const std::string& origin);

// Everything that is referred to exists.
void check_references(const Model& model, const References& references, const std::string& origin);

// Masses, inertias and features of bodies make physical sense at the nominal parameters. The joints
// of the model are a tree.
void check_bodies(const Model& model, const References& references, NominalValues& nominal,
                  const std::string& origin);

// Axes and start values; gravity and forces; values of constraints.
void check_joints(const Model& model, NominalValues& nominal, const std::string& origin);
void check_forces(const Model& model, NominalValues& nominal, const std::string& origin);
void check_constraints(const Model& model, const References& references, NominalValues& nominal,
                       const std::string& origin);

// Parameter bounds.
void check_parameters(const Model& model, const NominalValues& nominal, const std::string& origin);

// Objectives are scalar expressions of what objectives may use.
void check_objectives(const Model& model, const std::string& origin);

void check_analysis(const Analysis& analysis, const std::string& origin);

}  // namespace gradus
