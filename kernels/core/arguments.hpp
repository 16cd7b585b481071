// Arguments of every launch, handed over by value: trivially copyable, the same for all
// translations of the kernels.
#pragma once

#include <cstddef>

#include "kernels/base/decoration.hpp"
#include "kernels/core/evaluation_programs.hpp"
#include "kernels/core/layout.hpp"
#include "kernels/core/plan_view.hpp"
#include "kernels/core/status.hpp"
#include "kernels/core/tableau_view.hpp"

namespace gradus::kernels {

// How ali3p projects velocities and accelerations.
enum class ProjectionKind : int { exact, penalty, none };

// What the multipliers that make reactions belong to: the position stage of ali3p and its
// projection of accelerations, the equations of motion, or these with penalty.
enum class MultiplierSource : int { projected, accelerations, penalty };

// Settings of the time integration, the same for all designs.
struct StepSettings {
  double step;  // s
  double beta;  // Newmark parameters
  double gamma;
  double tolerance;  // on the 2-norm of the Newton increment
  int iteration_limit;
  int with_columns;           // 1: columns of sensitivities go along with the motion
  int with_adjoint = 0;       // 1: the motion is kept for its adjoint
  int records_columns = 0;    // 1: columns of the sensors are wanted at times between steps
  double duration = 0;        // of the motion [s], which no step passes
  int has_projections = 1;    // 1: a step has stages of projection, with residuals of their own
  double rtol = 0, atol = 0;  // adaptive integrators: error of a step
  double max_steps = 0;       // and how many may be tried
  int columns_in_error = 0;   // 1: so do the sensitivities
  int fixed_point = 0;        // 1: implicit stages by fixed-point iteration
  int halves_steps = 0;       // 1: implicit steps are halved where this does not converge
  int renews_jacobian = 0;    // 1: and each begins with a Jacobian of its own
  int projection_kind = 0;    // of ali3p: ProjectionKind
  double projection_tolerance = 0;          // violation below which they are skipped
  double penalty = 0;                       // of penalty methods
  int projects = 0;                         // 1: index1 projects at the end of a step
  double frequency = 0, damping_ratio = 0;  // of stabilisation; frequency 0: none [rad/s]
  // Generalised-alpha: what the true acceleration at the start of a step counts for in the
  // prediction, the algorithmic one the rest; and what the algorithmic acceleration at the end is
  // made of: itself at the start, the true ones at the start and the end. Newmark: 1 and 0, 0, 1.
  double true_share = 1;
  double algorithmic[3] = {0, 0, 1};
  int multiplier_source = 0;    // MultiplierSource
  double violation_limit = 0;   // of positions, above which a design fails
  int watches_singularity = 1;  // 1: passages through singular configurations are looked for
  int fails_singular = 1;       // and 1: they are failures
  int drifts = 0;               // 1: positions are not held, so that all violations grow
  int from_equilibrium = 0;     // 1: the motion starts from a static equilibrium
  int leaves_stiff = 0;         // 1: designs whose motion is found stiff end there
};

// What the algorithmic and the true acceleration at the start of a step contribute to the predicted
// position and velocity.
struct Prediction {
  double position[2];
  double velocity[2];
};

// The designs that one time loop drives.
struct Chunk {
  PlanView plan;
  Layout layout;
  StepSettings settings;
  void* memory;  // scalars, in tiles of [layout.shared, 32] if interleaved, [n_design, layout.size]
                 // otherwise; packs of lanes are such scalars
  Status* status;        // [n_design]
  double* failure_time;  // [n_design] s
  std::ptrdiff_t design_count;
  TableauView tableau;  // of one-step methods
  void* record;         // [record_capacity] rows of [n_design, layout.record_size], which lie in
                        // tiles likewise; not interleaved, the rows of a design follow each other
  std::ptrdiff_t record_capacity;  // steps that `record` holds, 0: none are kept
  // Of one design, for Rosenbrock methods: [layout.size] scalars with a derivative each.
  void* twin;
  // Of a pack whose lanes choose their steps: [lane, layout.size] what those have that wait.
  void* aside;
  EvaluationPrograms* programs;  // of one design or pack on a host; null: there are none
  // [step, kGivenStepNumbers] length and end of the steps that one-step methods take instead of
  // their own, to the end of the motion [s], and the event that ends them, from 1 on; null: there
  // are none. Of several designs: of all, and where those of
  // each begin [design], -1 for one that has none. With given steps
  // designs go alone, not in packs.
  const double* given_steps;
  const std::ptrdiff_t* given_begin;
  // Interleaved: columns of a design may be spread over slices, each with plan.column_count of them
  // and on a thread of its own, or over runs of the motion that count as designs. Places are
  // designs, then their next slices or runs; the columns of the first `column_stride` of them begin
  // with those of the plan.
  void* columns;  // of the places, in tiles of [layout.size - layout.shared, 32]
  std::ptrdiff_t slice_count;
  std::ptrdiff_t column_stride;
  // [limit, 3] what time alone says of the steps of adaptive methods, see law_limit(): of one
  // design `limit_count`; of several, or of the lanes of a pack, those of all, and where those of
  // each begin [design or lane, + 1].
  const double* step_limits;
  const std::ptrdiff_t* limit_begin;
  std::ptrdiff_t limit_count;
};

constexpr int kGivenStepNumbers = 3;

// Of a span of time [s]; begins and ends ascend, see LimitSpan: where it begins and ends, and how
// long a step may be there; 0: a step ends at its begin, kFixedInstant: so it does in all designs.
constexpr int kStepLimitNumbers = 3;
constexpr double kFixedInstant = -1.0;

// What is factorised of a leading matrix A.
enum class LeadingKind : int {
  reduced,    // A on the null space of the constraints
  held_rows,  // the kinematic problem: the held rows, whose values the top rows give; there is no A
  saddle,     // [A Phi_z^T; Phi_z -1/penalty] as a whole
};

// A leading matrix, [n, n], and its factor: offsets into a design's memory.
struct LeadingMatrix {
  LeadingKind kind;
  int matrix;
  int factor;
  int pivot;
};

GRADUS_ALWAYS_INLINE LeadingMatrix position_leading(const Layout& l) {
  return {LeadingKind::reduced, l.position_matrix, l.position_factor, l.position_pivot};
}
// The stiffness at rest, whose factor the position stage does not need yet.
GRADUS_ALWAYS_INLINE LeadingMatrix rest_leading(const Layout& l) {
  return {LeadingKind::reduced, l.stiffness, l.position_factor, l.position_pivot};
}
GRADUS_ALWAYS_INLINE LeadingMatrix mass_leading(const Layout& l) {
  return {LeadingKind::reduced, l.mass_matrix, l.mass_factor, l.mass_pivot};
}
GRADUS_ALWAYS_INLINE LeadingMatrix mass_saddle(const Layout& l) {
  return {LeadingKind::saddle, l.mass_matrix, l.saddle, l.saddle_pivot};
}
GRADUS_ALWAYS_INLINE LeadingMatrix held_leading(const Layout& l) {
  return {LeadingKind::held_rows, -1, l.kinematic_factor, l.kinematic_pivot};
}

// What makes an acceleration formulation: done in order at every evaluation.
enum class EvaluationStep : int {
  close_position,          // dependent positions from the constraints
  close_velocity,          // and velocities
  accelerate,              // accelerations and multipliers of the index-1 equations
  accelerate_recursively,  // the same, by elimination along the tree
  accelerate_by_penalty,
  close_tied_position,  // the same positions and velocities without factors of all constraints
  close_tied_velocity,
  normalise,  // Euler parameters to unit length, their rates across them
};

// factor * (matrix at `matrix`) * columns.
struct LinearTerm {
  int matrix;
  ColumnSet columns;
  double factor;
};

// target = sum of factor * source, all [n, parameter]. The target may be the first source.
struct Combination {
  ColumnSet target;
  int count;
  ColumnSet source[4];
  double factor[4];
};

// The linearised form of one stage, see stages/solve_columns.hpp.
struct StageTangent {
  LeadingMatrix leading;
  int of_start;          // 1: of a start problem, with the constraints that hold there only
  int of_accelerations;  // 1: accelerations, which algebraic unknowns answer to
  ColumnSet unknown;     // columns solved for; none: nothing is solved
  int skipped;           // offset of a number that is not 0 in designs which skip it, -1 if none
  ResidualSet residual_partial;
  double residual_scale;
  int constraint_partial_count;
  ConstraintLevel constraint_partial[3];
  double constraint_partial_factor[3];
  ColumnSet held_columns;  // kinematic problem: columns whose held rows are kept
  int term_count;
  LinearTerm terms[3];
  int constraint_term_count;
  LinearTerm constraint_terms[6];
  int before_count;
  Combination before[3];  // formed before the solution
  int after_count;
  Combination after[3];  // and after it
};

// An acceleration formulation: what an evaluation does, its linearised form, and what is done at
// the end of a step.
struct Evaluation {
  int operation_count;
  EvaluationStep operations[3];
  int tangent_count;
  StageTangent tangents[3];
  int chooses_independents;  // 1: on the way, even if nothing is projected
  int projection_count;
  EvaluationStep projections[2];
  StageTangent projection_tangents[2];
};

// What an instant is to the trapezoidal rule of continuous adjoints, which get it as `last`.
enum CostateInstant : int {
  kBetween,
  kMotionStart,
  kTrial,   // the second step of one, which is taken back
  kRestart  // where the rule begins anew
};

// What an instant is to the objectives, which get it as `last`.
enum InstantKind : int {
  kWithin,
  kLast,          // of the motion
  kBeforeSample,  // integrals alone count it; that behind the sample is to follow
};

// What a launch carries besides its chunk. Each kernel reads what it needs.
struct LaunchArguments {
  Chunk chunk;
  double time;    // s; read by time_of()
  double weight;  // of the instant in the integrals [s]
  int last;       // InstantKind; of continuous adjoints CostateInstant
  int step;       // that is taken back by the adjoint of a one-step method, from 1; 0: the start
  StageTangent stage;
  const Evaluation* evaluation;  // of acceleration formulations, where the kernel runs
  // Where the kernel runs, of launches that are replayed from step to step: number of the step and
  // its time [s], which counts instead of `time`.
  double* clock = nullptr;
};

// The same, saying what the memory holds.
template <class Real, bool kInterleaved>
struct KernelArguments : LaunchArguments {};

// As a body holds them: on a device by value, because they travel with it.
#if defined(__CUDACC__)
template <class Real, bool kInterleaved>
using HeldArguments = KernelArguments<Real, kInterleaved>;
#else
template <class Real, bool kInterleaved>
using HeldArguments = const LaunchArguments&;
#endif

}  // namespace gradus::kernels

GRADUS_KERNELS_BEGIN

GRADUS_FUNCTION bool wants_gradient(const StepSettings& s) {
  return s.with_columns != 0 || s.with_adjoint != 0;
}

// Sets of residuals of a step, kDynamics the first.
GRADUS_FUNCTION int residual_count(const StepSettings& s) {
  return s.has_projections != 0 ? kAccelerationProjection + 1 : kDynamics + 1;
}

// Entries of the gradients of all objectives, with the Gauss-Newton matrices behind them.
GRADUS_FUNCTION int gradient_entries(const PlanView& plan, const StepSettings& s) {
  const int matrices = s.with_columns != 0 ? plan.least_squares_count * plan.column_count : 0;
  return (plan.objective_count + matrices) * plan.column_count;
}

GRADUS_FUNCTION Prediction prediction(const StepSettings& s) {
  const double h = s.step;
  const double by_position = s.beta * s.true_share;
  const double by_velocity = s.gamma * s.true_share;
  return {{h * h * (0.5 - by_position), h * h * by_position},
          {h * (1.0 - by_velocity), h * by_velocity}};
}

GRADUS_FUNCTION double time_of(const LaunchArguments& arguments) {
  return arguments.clock != nullptr ? arguments.clock[1] : arguments.time;
}

GRADUS_KERNELS_END
