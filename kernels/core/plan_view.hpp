// The plan as kernels see it: the model compiled to flat arrays, the same for all designs,
// immutable.
#pragma once

#include "kernels/core/plan_entries.hpp"
#include "kernels/expressions/program.hpp"

// The arrays of a plan, said once: apply(type of an entry, name, its number of entries). Of these
// are made what kernels see, what Plan owns, and the copy on a device.
//   guess            [coordinate] start of those not held by the model; NaN: as the model says
//   held             [independent coordinate] what is held at the start, see stages/held_rows.hpp
//   start_shift      [coordinate] what start positions are changed by where they would be singular
//   row_weights      [row of the constraints] what a violation counts for, 1 at least: rows of
//   small
//                    mechanisms, or that are stated small, must hold better than others; none: 1
//   row_lengths      [row of the constraints] its largest entry if no terms cancelled in it, where
//                    coordinates count in their units; none: 1
//   coordinate_units [coordinate] what it counts in: 1 rad, or the longest arm [m]; none: 1
//   split_steps      [row of the constraints] their order in sparse factors; none: these are dense
//   split_free       coordinates that head none of them
//   group_members    [row group, row of the constraints] 1: belongs to it
//   group_columns    of the row groups one after another
//   algebraic_laws   the laws of the algebraic unknowns, see stages/algebraic.hpp
//   rate_laws        laws of velocities that nonholonomic constraints keep at 0
//   independents     [independent coordinate] what matrix-r holds throughout; none: it chooses
//   released         [rate law] number of the held row whose rate it determines at the start
//   sample_times     instants at which states are sampled, ascending; ends of steps to the last bit
//   samples_due      [instant, sample] 1: it is taken then
//   resets           of the events one after another
//   kept_states      coordinates of the states that do not come to rest at an equilibrium
//   spline_numbers   of all splines, see SplineEntry
//   spline_calls     of the laws one after another
//   watched_calls    among objective_splines, of the objectives one after another
//   objective_kinks  instructions of the objective program that choose, likewise
//   residual_outputs outputs of the objective program that sums of squares are made of
//   partial_begin    [parameter + 1] the first of its partials
//   direction_order  the directions of a slot one after another
// clang-format off
#define GRADUS_PLAN_ARRAYS(apply) \
  apply(BodyEntry, bodies, body_count) \
  apply(CoordinateEntry, coordinates, coordinate_count) \
  apply(FeatureEntry, features, feature_count) \
  apply(TouchEntry, touches, touch_count) \
  apply(double, guess, guess_count) \
  apply(int, held, held_count) \
  apply(double, start_shift, start_shift_count) \
  apply(double, row_weights, row_weight_count) \
  apply(double, row_lengths, row_length_count) \
  apply(double, coordinate_units, coordinate_unit_count) \
  apply(SameDirectionEntry, same_directions, same_direction_count) \
  apply(SplitStepEntry, split_steps, split_step_count) \
  apply(int, split_places, split_place_count) \
  apply(SplitRunEntry, split_runs, split_run_count) \
  apply(int, split_free, split_free_count) \
  apply(RowGroupEntry, row_groups, row_group_count) \
  apply(int, group_members, group_member_count) \
  apply(int, group_columns, group_column_count) \
  apply(LineEntry, lines, line_count) \
  apply(PoseEntry, poses, pose_count) \
  apply(ConstraintEntry, constraints, constraint_count) \
  apply(LawEntry, laws, law_count) \
  apply(LawInputEntry, law_inputs, law_input_count) \
  apply(Instruction, law_instructions, law_instruction_count) \
  apply(SplineEntry, splines, spline_count) \
  apply(double, spline_numbers, spline_number_count) \
  apply(SplineCallEntry, spline_calls, spline_call_count) \
  apply(SplineCallEntry, objective_splines, objective_spline_count) \
  apply(int, watched_calls, watched_call_count) \
  apply(int, objective_kinks, objective_kink_count) \
  apply(ActionEntry, actions, action_count) \
  apply(int, potentials, potential_count) \
  apply(int, algebraic_laws, algebraic_count) \
  apply(int, rate_laws, rate_law_count) \
  apply(int, independents, given_independent_count) \
  apply(int, released, released_count) \
  apply(SampleEntry, samples, sample_count) \
  apply(double, sample_times, sample_time_count) \
  apply(int, samples_due, sample_due_count) \
  apply(EventEntry, events, event_count) \
  apply(ResetEntry, resets, reset_count) \
  apply(int, kept_states, kept_state_count) \
  apply(SensorEntry, sensors, sensor_count) \
  apply(ObjectiveEntry, objectives, objective_count) \
  apply(int, objective_sensors, objective_sensor_count) \
  apply(int, residual_outputs, residual_count) \
  apply(PartialEntry, partials, partial_count) \
  apply(int, changed_actions, changed_action_count) \
  apply(int, changed_constraints, changed_constraint_count) \
  apply(int, partial_begin, partial_begin_count) \
  apply(ElementEntry, elements, element_count) \
  apply(int, explicit_parameters, explicit_count) \
  apply(DirectionEntry, directions, direction_count) \
  apply(int, direction_order, direction_order_count)

// Its programs: of the slots, with parameters as inputs, and of the objectives, with parameters,
// time and signals.
#define GRADUS_PLAN_PROGRAMS(apply) \
  apply(slot_program) \
  apply(objective_program)
// clang-format on

namespace gradus::kernels {

// Numbers that belong to no array.
struct PlanNumbers {
  int constraint_rows = 0;
  int start_constraints = 0;  // the last of the constraints, which hold at the start only
  int start_rows = 0;         // theirs, which are independent
  int dropped_rows = 0;       // of these, in the plan of the motion
  int tie_rows = 0;           // rows that tie the tree, see ConstraintEntry::tie
  int plain_rows = 0;         // rows that normalise Euler parameters or prescribe a coordinate
  int signal_count = 0;
  int slot_count = 0;
  int gravity_slot = 0;
  int least_squares_count = 0;  // objectives that are sums of squares
  int search_count = 0;         // objectives whose instant is looked for
  int from_equilibrium = 0;     // 1: start positions are those of a static equilibrium
  int uses_energy = 0;          // 1: some objective depends on an energy or a momentum
  int uses_reactions = 0;       // 1: some objective or algebraic unknown depends on a reaction
  // Length of the longest row of the constraint Jacobian if no terms cancelled in it: beside this,
  // rows that hold whatever the coordinates are nothing.
  double constraint_scale = 0.0;
  int lasting_rates = 0;   // of the rate laws, the first, which hold all the time
  int state_count = 0;     // the last bodies, which are states and no part of the mechanism
  int states_act = 0;      // 1: forces read a state that comes to rest at the equilibrium
  int singular_start = 0;  // the row of the constraints, from 1 on, that depends on others at the
                           // start and not beside it; 0: none does
  double largest_weight = 1.0;  // of the rows of the constraints
  // How much smaller than the first pivot of the constraints others are by their units alone.
  double pivot_spread = 1.0;
  // The share of the first pivot to which the others may fall in the order of the sparse split.
  double least_split_pivot = 0.0;
};

struct PlanView : PlanNumbers {
#define GRADUS_ARRAY(TYPE, NAME, COUNT) \
  const TYPE* NAME;                     \
  int COUNT;
  GRADUS_PLAN_ARRAYS(GRADUS_ARRAY)
#undef GRADUS_ARRAY
#define GRADUS_PROGRAM(NAME) ProgramView NAME;
  GRADUS_PLAN_PROGRAMS(GRADUS_PROGRAM)
#undef GRADUS_PROGRAM

  int independent_count;  // coordinates that are held at the start
  int constraint_rank;    // coordinate_count - independent_count
  int parameter_count;
  int column_begin;      // the first of the parameters that have columns in this run
  int column_count;      // of them, one after another
  int element_size;      // numbers of all elements
  int sensors_touched;   // 1: some element touches a sensor
  int moves_elements;    // 1: some element is the geometry of a joint
  int loads_elements;    // 1: some element moves features or is read by laws
  int moment_at_origin;  // 1: reference points at the global origin (RTdyn1), 0: at the centres of
                         // mass (RTdyn0)
  int longest_law;       // instructions
  int widest_law;        // inputs
  int polynomial_numbers;     // of all splines
  int most_polynomials;       // of one spline
  int extrapolating_splines;  // of these
};

// Whether some sensor shows a reaction.
GRADUS_ALWAYS_INLINE bool shows_reactions(const PlanView& plan) {
  for (int s = 0; s < plan.sensor_count; ++s)
    if (is_reaction(plan.sensors[s].kind)) return true;
  return false;
}

GRADUS_ALWAYS_INLINE double row_weight(const PlanView& plan, int row) {
  return row < plan.row_weight_count ? plan.row_weights[row] : 1.0;
}

// Length by which a row of the constraints counts in units of its own.
GRADUS_ALWAYS_INLINE double row_length(const PlanView& plan, int row) {
  return row < plan.row_length_count ? plan.row_lengths[row] : 1.0;
}
GRADUS_ALWAYS_INLINE double coordinate_unit(const PlanView& plan, int coordinate) {
  return coordinate < plan.coordinate_unit_count ? plan.coordinate_units[coordinate] : 1.0;
}

// How many of the rows that tie the tree are independent. In the plan of the motion.
GRADUS_ALWAYS_INLINE int tie_rank(const PlanView& plan) {
  const int rank = plan.constraint_rank - plan.start_rows - plan.plain_rows;
  return rank > 0 ? rank : 0;
}

// The plan of the motion, without what holds at the start only.
GRADUS_ALWAYS_INLINE PlanView after_start(PlanView plan) {
  plan.constraint_count -= plan.start_constraints;
  plan.constraint_rows -= plan.start_rows;
  plan.constraint_rank -= plan.start_rows;
  plan.independent_count += plan.start_rows;
  plan.dropped_rows += plan.start_rows;
  plan.start_constraints = 0;
  plan.start_rows = 0;
  return plan;
}

}  // namespace gradus::kernels
