// Where each array of a design lies in its block of memory: offsets in scalars, the same for all
// designs.
#pragma once

namespace gradus::kernels {

// Rates of the motion at one (velocity, acceleration) of the current position.
struct MotionLayout {
  int velocity;              // [body] motion at the reference point
  int acceleration;          // [body] Pluecker rate of the above
  int axis_rate;             // [coordinate] first Pluecker rate of the axis
  int axis_acceleration;     // [coordinate] second
  int feature_velocity;      // [feature] 3
  int feature_acceleration;  // [feature] 3
};

// Generalised forces of one acceleration-like vector and one set of multipliers.
struct LoadLayout {
  int wrench;   // [body] inertial force of the sub-tree at the reference point
  int force;    // [body] 3, applied and constraint force of the sub-tree, with the sign of inertia
  int virial;   // [body] 9, sum of force times arm
  int turning;  // [coordinate] 3, derivative of the generalised load by a turn of everything
                // upstream
  int direct;   // [coordinate] forces on the coordinate itself, with the sign of inertia
};

// The sets of columns a step carries: derivatives of ... by the parameters.
enum ColumnSet : int {
  kNoColumns = -1,
  kPosition,
  kVelocity,
  kAcceleration,
  kAlgorithmic,
  kFreeVelocity,
  kFreeAcceleration,
  kUnknown,  // of the stage being solved
  kColumnSets,
};

// Equations whose residuals depend on the parameters directly.
enum ResidualSet : int {
  kNoResidual = -1,
  kDynamics,
  kVelocityProjection,
  kAccelerationProjection,
  kStartPosition,  // what is held at the start
  kStartVelocity,
  kResidualSets,
};

// The constraints and their two rates.
enum ConstraintLevel : int {
  kConstraint,
  kConstraintRate,
  kConstraintAcceleration,
  kConstraintLevels,
};

// What a one-step method of an acceleration formulation keeps of a design.
struct IntegratorLayout {
  int time, step, error;  // [1] where the design is, its next step, the error of its last [s]
  int last_time;          // [1] of the step before
  int mark;               // [1] where the progress of an adaptive method was last looked at [s]
  int whole;              // [1] whole steps that a method of fixed steps has done
  int part, parts_done;   // [1] of the next: what is taken at a time, and what is done of it
  int sampled;            // [1] 1: states have been sampled where the design is, if they are due
  int recorded;           // [1] steps kept for the adjoint
  int taken;              // [1] steps of the whole motion, for the adjoint
  int pending;            // [1] weight in the integrals of the adjoint's next instant [s]
  int position, velocity, acceleration;                 // [n] at the start of the step
  int last_position, last_velocity, last_acceleration;  // [n] at the start of the one before
  int position_columns, velocity_columns;               // [n, parameter]
  // Where columns are recorded: of the accelerations, and at the start of the step before
  int acceleration_columns;                                                     // [n, parameter]
  int last_position_columns, last_velocity_columns, last_acceleration_columns;  // [n, parameter]
  int stages;                                 // [stage, n] accelerations
  int stage_columns;                          // [stage, n, parameter]
  int integrand, integral;                    // [objective] at the start; of the step
  int integrand_gradient, integral_gradient;  // [objective, parameter]
  // Of methods that control their error: what the objectives integrate or look at, at the start of
  // the step; its size in the step, and where steps have begun so far; the errors of its integral
  // by both estimates, over the step's length [2, objective].
  int course, course_size, course_reach, course_error;
  int stage_weights;                    // [4] of the stage at hand, see weigh_stage()
  int gradient_before, gradient_error;  // [objective, parameter], [2, objective, parameter]
  // Implicit methods: unknown are the accelerations of N stages
  int newton_matrix, newton_pivot, newton_residual;  // [N n, N n], [N n], [N n]
  int newton_columns;                                // [N n, parameter]
  int stage_jacobian;                                // [N, n, 2 n] by position and velocity
  int has_jacobian;                                  // [1] whether factors of a step are at hand
  // Where they control their error: the accelerations of the stages of the last step and its
  // length; the Jacobian at the start of the step, and whether it is there; the factors of the
  // blocks that it makes of the iteration (n, then 2 n by 2 n each), what they solve for; the
  // error, and the length of the step from which the next was learned.
  int last_stages, last_length;                        // [N, n], [1]
  int base_jacobian, has_base_jacobian;                // [n, 2 n], [1]
  int block_matrix, block_pivot, block_residual;       // [(2 N - 1) n n], [N n], [N n]
  int position_error, velocity_error;                  // [n]
  int position_error_columns, velocity_error_columns;  // [n, parameter]
  int learned_length;                                  // [1]
  // Rosenbrock methods: derivatives of the accelerations at the start of the step by time; the
  // accelerations at the stages; what the stages so far make of the increment of a position.
  int time_slope;                    // [n]
  int evaluations;                   // [stage, n]
  int increment, increment_columns;  // [n], [n, parameter]
  // Explicit methods that control their error: the stretch of steps that is looked at for
  // stiffness, with times and states at its beginning and after each quarter; steps of it that are
  // done; stiff stretches so far, less those that were not.
  int stretch_time, stretch_state;     // [5], [5, 2 n]
  int stretch_steps, stiff_stretches;  // [1]
};

// What the fully recursive formulation keeps of a design. docs/theory.md, section 14.
struct ArticulatedLayout {
  int inertia;         // [body] 21, of what hangs on it, joints giving way
  int answer;          // [coordinate] 6, of its acceleration to the acceleration before it
  int alone;           // [coordinate] its acceleration without that one
  int pivot;           // [coordinate] inertia that it moves
  int length, growth;  // [body] of Euler parameters, before they were normalised
};

// What features, and what goes with them, is worth to one objective; those of the next begin `size`
// further on.
struct FeatureLayout {
  int begin, size;
  int free_feature[2];    // [feature] 3: positions and velocities in the free motion
  int feature[3];         // [feature] 3: and with accelerations in the motion
  int own_feature;        // [feature] 3: the coordinates in the body alone
  int free_turn, turn;    // [body] 3: angular velocities
  int free_twist, twist;  // [body] 3: turns
  int law_slot;           // [input of a law] slots
  int gradient;           // of the elements
};

// What the elements that parameters change are worth to the objectives, and what one objective
// needs on the way there. docs/theory.md, section 15.
struct ElementLayout {
  int gradient;  // [objective, number of an element]
  // Where objectives are many, see stages/pooled_elements.hpp: the same the other way round, and
  // whether features are worth anything to an objective [objective]. Otherwise 0.
  int pooled, touched;
  int row;                      // [n] worth of the generalised forces of a stage
  int constraint_row[3];        // [m] worth of the constraints and their two rates
  int moved;                    // [body] motion that the row makes
  int inner, outer;             // [body] 12: sums over coordinates downstream
  int free_force[2], force[3];  // [body] forces that meet what moves the body
  int unit;                     // one direction of an element
  FeatureLayout features;       // [objective]
};

// Algebraic unknowns of a design, see stages/algebraic.hpp.
struct AlgebraicLayout {
  int value;                          // [unknown]
  int share;                          // [action] how its size answers to its unknown
  int load;                           // [unknown, n] generalised forces of size 1
  int response, multiplier_response;  // [unknown, n], [unknown, m] what these make
  int base_acceleration;              // [n] without them
  int base_multiplier;                // [m]
  int base_signal, gain;              // [signal], [unknown, signal] of the sensors that laws read
  int step, size, counts;             // [unknown] increments, and what round-off is beside
  int matrix, pivot;                  // [unknown, unknown], [unknown] of Newton's method
  int diagonal;                       // [unknown] of the matrix, which is factorised in place
  int slope;                          // [unknown, input of the widest law] of the laws
  int undo;                           // [unknown, n + m] motions that undo their multipliers' rows
  int unit;                           // [largest sensor] slopes of a law by its components
  int row;                            // [unknown, 3 n] by position, rate and acceleration
  int partial;                        // [unknown, parameter]
  int adjoint, worth;                 // [unknown] of what is differentiated at the moment
  int own, own_pivot;                 // [unknown, unknown], [unknown] accelerations given
  int bordered, bordered_pivot;       // the same, accelerations answering
  int columns;                        // [unknown, parameter, objective or 2 n]
  // Of ali3p, see stages/step_unknowns.hpp: whether the unknowns are those of a step [1], the rows
  // of the accelerations [n, unknown], multipliers that are put back [m], and what the unknowns of
  // a step are worth [unknown, objective].
  int of_step, by_acceleration, kept_multiplier, step_worth;
};

// Nonholonomic constraints at the start, see stages/start_slips.hpp.
struct StartSlipLayout {
  int row;            // [rate law, 2 n] by position and rate
  int response;       // [rate law, n] rates that a released row makes
  int matrix, pivot;  // [rate law, rate law], [rate law] of the laws by the released rates
  int step;           // [rate law]
  int partial;        // [rate law, parameter]
  int columns;        // [rate law, parameter or objective]
};

constexpr int kEventPoints = 24;  // of an attempt of a step, that are kept at a time

// Events of one-step methods, see integrators/event_meeting.hpp and event_step.hpp.
struct EventLayout {
  int pending;  // [1] the event that ends the last step, from 1 on; 0: none does
  int due;     // [event] 1: it comes at the end of the last step; -1: it passes zero there and does
               // not count
  int passed;  // [1] 1: an event has been passed where the design is
  int followed;            // [1] 1: what the adjoint comes to is followed by more at its instant
  int side;                // [event] sign of its expression at the base of the step
  int value, rate, terms;  // [event] the expression there, its rate, and its largest term
  int end_value, end_rate, end_terms;  // [event] at the state at hand
  int scale, rate_scale;               // [event] the largest value and rate so far
  int chain, chain_time, last_time;    // [1] instants in a short time, since when, the last [s]
  int points;                          // [point, 1 + 3 event] see event_search.hpp
  // Of the event that is passed: velocities and accelerations before it and after it, and the
  // velocities that an impulse of 1 makes [n]
  int velocity, acceleration, new_position, new_velocity, new_acceleration, response;
  int row, closing_row;     // [2 n] derivatives of a law by positions and rates
  int next;                 // [reset] of the event with most of them
  int next_columns;         // [reset, parameter or objective] of the same
  int shift, change, size;  // [parameter or objective] of the time, of rates, of the impulse
  int position_rows, velocity_rows, response_rows;  // [n, parameter or objective]
  // What is noted for people: how many events since that was looked at [1], and of as many as there
  // is room for the time and the number [log_size, 2].
  int log_count, log;
  int log_size;
};

// Costates of the continuous adjoint. docs/theory.md, section 16.
struct CostateLayout {
  int rows;           // [2 n, objective] of position and of velocity
  int instant;        // [2 n, objective] at the last instant, of one-step methods
  int matrix, pivot;  // [2 n, 2 n], [2 n] of these
  int held;           // [n - rank] independent coordinates that they belong to
  int gap;            // [m, objective] of ali3p, what the final time leaves open
};

constexpr int kSearchNodes = 6;  // ends of steps between which instants are looked for
constexpr int kSearchPlaces = kSearchNodes + 1;

// Objectives whose instant is looked for, see stages/instant_samples.hpp. End k of a step since the
// search began lies at place k % kSearchNodes; at the last place lies the one just behind a kink of
// time, before which an end lies, too.
struct SearchLayout {
  int count;     // [search] ends of steps so far
  int time;      // [search, kSearchPlaces] the last of them [s]
  int sample;    // [search, kSearchPlaces] and the expression there
  int choice;    // [search, kSearchPlaces] a number that tells which courses its kinks choose there
  int edge;      // [search] which of them, from 1 on, has a kink of time just behind it
  int side;      // [search] the sign it had last
  int nothing;   // [search] what counts as zero while it has had none
  int passages;  // [search] through zero so far
  int improved;  // [search] 1: the last end of a step has led to another instant
  int weight;    // [search, kSearchPlaces] what samples count for in the derivative of the value
  int instant;   // [search, kSearchPlaces] their times [s]
  int settled_weight, settled_instant;  // the same at the end of the search, for the adjoint
  int fine_step, fine_end;  // [1] adaptive methods: steps near an instant, and until when [s]
  int sample_gradient;      // [search, kSearchPlaces, parameter]
};

constexpr int kRateNumbers = 5;  // of a state that constraints read, see stages/watch_rates.hpp

// The space of the rows of the constraints at the ends of steps, see stages/row_space.hpp.
struct WatchLayout {
  int time;      // [1] s, of what follows
  int known;     // [1] 1: there is such
  int reversed;  // [1] 1: a stage of the step at hand lies behind a singular configuration
  int basis;     // [rank, n] orthonormal, in units of the coordinates; see now
  int rows;      // [rank] that it was made of
  int least;     // [1] the smallest part of a row that is independent of those before it
  int now;       // [rank, n] the same at the end of the step at hand
  // Where factors are sparse, basis and now [n, free] span the motions that the rows leave, and
  int orientation;  // [2] is that of rows and motions together, then and now: 1 or -1
  int vectors;      // [n, rank] scratch: sparse factors of the rows in units of the coordinates
  int factors;      // [2 rank] scratch
  int product;      // [k, k] scratch, k the larger of what basis spans and the rows of a group
  int pivot;        // [k] scratch
  // Of all row groups one after another: rows, and their entries [row, column] times the squares of
  // the units; [group] 1: it had as many independent rows as it should
  int group_rows, group_numbers, group_known;
  int rates;  // [state, kRateNumbers]
};

// What ties the tree, where its joints are eliminated one after another: t rows, of which r are
// independent. kernels/stages/ties.hpp.
struct TieLayout {
  int closes;      // 1: all this is there
  int rows;        // [t, n] of the Jacobian
  int scaled;      // [t, n] in units of the coordinates, see scale_rows_of_ties()
  int gram;        // [t, t] products of these
  int schur;       // [t, t] what forces along the rows do to them; scratch
  int lower;       // [r, t] its factors
  int pivot;       // [r]
  int order;       // [r] rows that are pivots
  int right;       // [t] one right-hand side
  int multiplier;  // [t] what answers to it
  int least;       // [1] the smallest part of a row that is independent of those before it
  // Positions that the ties determine
  int mark;          // [n] 1: is not held
  int leader;        // [body] the Euler parameter that the others determine
  int dependent;     // [r] other coordinates that are not held
  int block;         // [r, r] their columns of the pivots, as far as Euler parameters are free
  int block_factor;  // [r, r]
  int block_pivot;   // [r]
  int solved;        // [r] one solution
  int free;          // [t, n] scratch: what is left of the rows
  int line;          // [n] scratch
  // At the end of the step before
  int kept_rows;      // [t, n] scaled, of length 1
  int kept_pivots;    // [t] 1: was a pivot
  int kept_size;      // [1] determinant of the products of these
  int product;        // [t, t] scratch
  int product_pivot;  // [t]
};

struct Layout {
  int size;         // scalars per design
  int shared;       // those before this do not depend on the columns
  int record_size;  // scalars that a step keeps for its adjoint

  // Numbers of the design
  int parameter, slot, direction;

  // State: joint coordinates, rates, accelerations; multipliers
  int position, velocity, acceleration, multiplier, earlier_multiplier;
  // Before projection, and the prediction they are corrections of
  int free_velocity, free_acceleration;
  int predicted_position, predicted_velocity, predicted_acceleration;
  int correction, earlier_correction;
  int algorithmic;  // [n] algorithmic acceleration of ali3p
  // Multipliers of the projections, and what the projections changed
  int velocity_multiplier, acceleration_multiplier, velocity_change, acceleration_change;

  int time;          // [1] s, where laws are evaluated
  int law_slopes;    // [n, 2] derivatives of one law by the coordinates it feels and their rates
  int law_scratch;   // for running laws on dual numbers
  int action_size;   // [action] at the tangents, for the partials
  int action_slope;  // [input of laws] derivatives of the sizes there
  int size_slope;    // [touch, 2] of the sizes, by coordinate and by rate, for rows of reactions
  int polynomial;    // [4 of each polynomial of all splines]
  int polynomial_scratch;  // for how those of one spline change
  int extrapolation;       // [spline, 2] how far outside its knots, and since when [s]

  // Kinematics of the current position
  int rotation, origin, joint_point, reference, axis, feature;
  int line_length, inverse_line_length, line_direction;  // [line]
  int line_column;                                       // of lines one after another: 3
  int pose, pose_line, pose_direction;                   // [pose] its numbers; 3; 3 for each number
  int pose_column;                                       // of poses one after another: motions
  MotionLayout free_motion, motion;                      // before and after projection
  int velocity_change_rate, acceleration_change_rate;    // [body] motions
  int velocity_change_axis, acceleration_change_axis;    // [coordinate] motions

  // Composite quantities of the sub-trees, at the reference points
  int mass, moment, inertia, momentum, turning_inertia;
  int sub_tree_momentum;  // [body] wrench, at the projected velocity
  LoadLayout load, velocity_load, acceleration_load;
  int axis_momentum,
      axis_gyration;  // [coordinate] 6 and 3: inertia times axis, and its gyroscopic counterpart

  // Matrices, row-major
  int mass_matrix, stiffness, damping;                       // [n, n]
  int velocity_stiffness, acceleration_stiffness;            // [n, n] of the projections
  int constraint, constraint_rate, constraint_acceleration;  // [m]
  int constraint_time;                                       // [m] partial derivative by time
  int jacobian, jacobian_rate, jacobian_acceleration;        // [m, n]

  // Factors
  int range, null_space, triangle, pivot, reflected;  // of the transposed Jacobian
  int reflection;  // [2 rank] factors of reflections, inverse pivots, of its sparse factors
  int poor_split;  // [1] 1: the order of these does not serve here
  int position_matrix, position_factor,
      position_pivot;                     // leading matrix of the position stage, reduced
  int mass_factor, mass_pivot;            // reduced mass matrix
  int reduced;                            // [n - rank, n - rank] for a solver outside the kernels
  int held;                               // [n - rank] numbers of the held rows
  int held_rate;                          // [n, n] their derivative along the rates
  int kinematic_factor, kinematic_pivot;  // held rows on the null space
  int saddle, saddle_pivot;               // [n + m, n + m], [n + m] factors with penalty
  int skipped;                            // [2] whether the projections were skipped
  int product;                            // [n, n] scratch
  int gathered_row;                       // [n] scratch: a row that is not the same in all lanes
  int closure_position, factor_position;  // [n] scratch: of closing a loop, and of its factors
  int top, bottom, solution, multiplier_change,
      scratch;  // [n], [m], [n], [m], [2 n + m]: one right-hand side

  // Columns [n, parameter] and the parameter partials behind them
  int columns[kColumnSets];
  int residual_partial[kResidualSets];        // [n, parameter]; of the start [n - rank, parameter]
  int constraint_partial[kConstraintLevels];  // [m, parameter]
  int column_top, column_bottom, column_scratch;  // [n], [m], [2 n + m] times [parameter or 2 n]
  int refused;              // [1] solutions of another solver that were not accepted
  int jacobian_columns[3];  // [n, 2 n] in place of the sets of position, velocity, acceleration

  // Objectives
  int signal, program_value, program_adjoint, signal_adjoint;
  int objective_rows;  // [objective, 3 n] derivatives by position, velocity, acceleration; [5 n]
                       // with reactions: and by velocity and acceleration before projection
  int reaction_multiplier;  // [m] and by multipliers
  int virtual_motion;       // [n] that undoes these
  int penalty_motion;       // [n + m] the same with penalty
  // [objective]; [objective, parameter] and behind it the Gauss-Newton matrices of sums of squares,
  // [least squares, parameter, parameter], as of all gradients of objectives
  int objective_value, objective_gradient;
  int objective_history;  // [objective] what they have come to, for recording
  int residual_gradient;  // [parameter] of one residual
  int energy_rows;        // [3 n] kinetic by position and rate, potential by position
  int signal_columns;     // [signal, parameter] where columns are recorded
  int gradient_history;   // [objective, parameter] likewise, of objective_history

  // Bookkeeping
  int violation;     // [3] largest constraint violation of the run
  int blamed;        // [1] what made the design fail, see stages/watch.hpp
  int regularity;    // [1] last pivot of the constraints relative to the first
  int risen;         // [1] the first pivot beyond the rank, relative to the first of all
  int most_regular;  // [1] the largest of them, where penalties stand for constraints
  WatchLayout watch;
  int passage;                // [1] s, when a singular configuration was passed first, 0: never
  int jump;                   // [1] s, when accelerations jumped first, 0: never
  int stiff_since;            // [1] s, when the motion was found stiff, 0: never
  int iterations;             // [1]
  int steps, rejected_steps;  // [1] of one-step methods: taken, and tried in vain

  IntegratorLayout integrator;
  ArticulatedLayout articulated;
  TieLayout tie;
  ElementLayout element;
  CostateLayout costate;
  AlgebraicLayout algebraic;
  StartSlipLayout start_slip;
  EventLayout event;
  SearchLayout search;
};

}  // namespace gradus::kernels
