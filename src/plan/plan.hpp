// The plan: a model compiled once to flat arrays, the same for all designs.
#pragma once

#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/result.hpp"
#include "kernels/core/plan_view.hpp"
#include "src/model/graph.hpp"
#include "src/model/scope.hpp"

namespace gradus {

enum class Reference { rtdyn0, rtdyn1 };

// A row of what is held at the start: a coordinate, or the turn about one axis of the Euler
// parameters that begin at it.
struct HeldRow {
  int coordinate;
  int turn;  // -1 for a coordinate alone
};

// Owns what a PlanView shows, and the names behind the numbers.
struct Plan {
  std::vector<kernels::BodyEntry> bodies;
  std::vector<kernels::CoordinateEntry> coordinates;
  std::vector<kernels::FeatureEntry> features;
  std::vector<kernels::TouchEntry> touches;
  std::vector<kernels::SpringEntry> springs;
  std::vector<kernels::ConstraintEntry> constraints;
  std::vector<kernels::TorsionalEntry> torsionals;
  std::vector<kernels::LawEntry> laws;
  std::vector<kernels::LawInputEntry> law_inputs;
  std::vector<kernels::Instruction> law_instructions;
  std::vector<kernels::ActionEntry> actions;
  std::vector<kernels::SensorEntry> sensors;
  std::vector<kernels::ObjectiveEntry> objectives;
  std::vector<int> objective_sensors;
  std::vector<int> residual_outputs;  // of the objectives that are sums of squares
  std::vector<kernels::PartialEntry> partials;
  std::vector<int> partial_begin;
  std::vector<kernels::ElementEntry> elements;
  std::vector<kernels::DirectionEntry> directions;
  std::vector<int> direction_order;  // those of a slot one after another
  expression::Program slot_program;
  expression::Program objective_program;
  std::vector<int> explicit_parameters;  // which objectives read

  std::vector<HeldRow> held;      // at the start
  std::vector<HeldRow> guesses;   // what may be held besides, if the constraints leave it free
  std::vector<double> guess;      // [coordinate] better start of what is not held, NaN if unknown
  std::vector<int> held_numbers;  // [held] for kernels

  int constraint_rows = 0;
  int start_constraints = 0;  // the last of them, which hold at the start only
  int start_rows = 0;         // theirs
  int signal_count = 0;
  int slot_count = 0;
  int gravity_slot = 0;
  int least_squares_count = 0;  // objectives that are sums of squares
  bool uses_energy = false;
  bool uses_reactions = false;
  Reference reference = Reference::rtdyn0;

  std::vector<double> nominal;           // [parameter] values the model states
  std::vector<std::string> body_names;   // in tree order
  std::vector<std::string> joint_names;  // joint i carries body i
  std::vector<NamedUnit> coordinate_names;
  std::vector<NamedUnit> signal_names;
  std::vector<std::string> sensor_names;
  std::vector<NamedUnit> objective_names;
  std::vector<std::string> spring_names;
  std::vector<std::string> torsional_names;
  std::vector<std::string> law_names;         // [law] the force or constraint it belongs to
  std::vector<std::string> constraint_names;  // [constraint] loops, constraints, joints
  std::vector<std::string> partial_names;     // [partial] what it changes, for people

  int coordinate_count() const { return static_cast<int>(coordinates.size()); }
  int parameter_count() const { return static_cast<int>(nominal.size()); }
  // Degrees of freedom of the motion, and the rank of what ties it.
  int independent_count() const { return static_cast<int>(held.size()) + start_rows; }
  int constraint_rank() const { return coordinate_count() - independent_count(); }
  // Holds these rows as well.
  void hold(const std::vector<HeldRow>& rows);
  // With what holds at the start only; kernels::after_start() makes that of the motion.
  kernels::PlanView view() const;
};

// Compiles a valid model. Along a direction, the plan has the parameters of the model, then those
// of the direction and one more, at zero, whose derivatives are along it. Throws InputError if held
// coordinates and loops cannot fit together.
Plan build_plan(const Model& model, Reference reference, const std::string& origin = "model",
                ParameterInputs inputs = ParameterInputs::themselves);

}  // namespace gradus
