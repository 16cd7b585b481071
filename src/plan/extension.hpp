// What a plan has besides what its model states, for products with the Jacobian: start states that
// are parameters, and further objectives for what is handed over of the motion.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/scope.hpp"

namespace gradus {

// A row of what is held at the start: a coordinate, or the turn about one axis of the Euler
// parameters that begin at it.
struct HeldRow {
  int coordinate;
  int turn;  // -1 for a coordinate alone
};

struct Extension {
  ParameterInputs inputs;
  // All coordinates of the plan, then their rates: the nominal values of parameters that follow
  // those of the model and take the place of its start values and of what holds at the start only.
  // Empty: the start is that of the model.
  std::vector<double> start_state;
  std::vector<HeldRow> held;         // of such a start
  std::vector<HeldRow> released;     // of these, whose rates follow from nonholonomic constraints
  std::vector<double> times;         // s, at which sensors have values
  std::vector<std::string> sensors;  // these, or all if there are none
  bool final_state = false;          // coordinates and rates at the end
  // Objectives are summed with weights, which are parameters, one for each row and after all
  // others: one objective for all integrals, one for the end and one for each other time.
  bool weighted = false;
};

// Writes an extension into a model with tree. Objectives that it adds follow those of the model:
// sensor components at all times each, coordinates, rates. Throws InputError.
void extend(Model& model_with_tree, const Extension& extension);

// How many rows the objectives have in results.
std::size_t row_count(const std::vector<Objective>& objectives);

}  // namespace gradus
