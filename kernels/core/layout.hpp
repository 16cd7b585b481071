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
};

// The sets of columns a step carries: derivatives of ... by the parameters.
enum ColumnSet : int {
  kPosition,
  kVelocity,
  kAcceleration,
  kPredictedVelocity,
  kPredictedAcceleration,
  kFreeVelocity,
  kFreeAcceleration,
  kUnknown,  // of the stage being solved
  kColumnSets,
};

struct Layout {
  int size;  // scalars per design

  // Numbers of the design
  int parameter, slot, direction;

  // State: joint coordinates, rates, accelerations; multipliers
  int position, velocity, acceleration, multiplier, earlier_multiplier;
  // Before projection, and the prediction they are corrections of
  int free_velocity, free_acceleration;
  int predicted_position, predicted_velocity, predicted_acceleration;
  int correction, earlier_correction;
  // Multipliers of the projections, and what the projections changed
  int velocity_multiplier, acceleration_multiplier, velocity_change, acceleration_change;

  // Kinematics of the current position
  int rotation, origin, joint_point, reference, axis, feature;
  MotionLayout free_motion, motion;                    // before and after projection
  int velocity_change_rate, acceleration_change_rate;  // [body] motions
  int velocity_change_axis, acceleration_change_axis;  // [coordinate] motions

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
  int jacobian, jacobian_rate, jacobian_acceleration;        // [m, n]

  // Factors
  int range, null_space, triangle, pivot, reflected;  // of the transposed Jacobian
  int position_matrix, position_factor,
      position_pivot;                     // leading matrix of the position stage, reduced
  int mass_factor, mass_pivot;            // reduced mass matrix
  int kinematic_factor, kinematic_pivot;  // held rows on the null space
  int product;                            // [n, n] scratch
  int top, bottom, solution, multiplier_change,
      scratch;  // [n], [m], [n], [m], [2 n]: one right-hand side

  // Columns [n, parameter] and the parameter partials behind them
  int columns[kColumnSets];
  int residual_partial[3];    // [n, parameter] of the position, velocity and acceleration stages
  int constraint_partial[3];  // [m, parameter] of the constraints and their two rates
  int start_partial[2];       // [n, parameter] of the held start positions and velocities
  int column_top, column_bottom, column_scratch;  // [n], [m], [2 n] times [parameter]

  // Objectives
  int signal, program_value, program_adjoint, signal_adjoint;
  int objective_rows;  // [3 n] derivatives of one objective by position, velocity, acceleration
  int objective_value, objective_gradient;
  int energy_rows;  // [3 n] kinetic by position and rate, potential by position

  // Bookkeeping
  int violation;   // [3] largest constraint violation of the run
  int iterations;  // [1]
};

}  // namespace gradus::kernels
