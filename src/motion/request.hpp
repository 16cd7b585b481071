// What a time loop is asked for, and what it hands back: plain arrays over designs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gradus/result.hpp"
#include "gradus/run.hpp"
#include "kernels/core/arguments.hpp"
#include "src/motion/formulation.hpp"
#include "src/motion/tableau.hpp"
#include "src/plan/layout.hpp"
#include "src/plan/plan.hpp"

namespace gradus {

class StepWorkshop;    // see specialised_steps.hpp
struct Superposition;  // see superposition.hpp

struct MotionRequest {
  const Plan* plan = nullptr;
  const FormulationTraits* formulation = nullptr;
  double step = 0.0;  // s
  std::size_t steps = 0;
  double tolerance = 1e-10;
  Analysis analysis;  // the rest of what is asked for
  Tableau tableau;    // of formulations that yield accelerations
  // Of the integrator "auto": by which designs run again, from the start, whose motion that of the
  // tableau finds stiff. No name: designs go on.
  std::string stiff_integrator;
  Tableau stiff_tableau;
  Sensitivity sensitivity = Sensitivity::none;
  int first_column = 0;  // of the parameters that gradients are by, on the host only
  std::size_t n_design = 0;
  std::vector<double> parameters;  // [n_design, n_parameter]
  std::string solver = "auto";     // of the columns of stages on devices; see stage_solver.hpp
  bool mixed = false;              // its factors are in single precision
  std::size_t memory = 0;          // bytes that adjoints may take, 0: as many as they need
  // Of one-step methods, on the host: the steps to take, kGivenStepNumbers each, as
  // MotionOutcome::taken_steps has them; empty: the method decides. And whether a direct run of one
  // design notes its own there.
  std::vector<double> given_steps;
  bool notes_steps = false;
  // Where such steps are not given: the run with sensitivities that decides on them
  // (see step_probe.hpp); null: the error of what the run carries itself does. Not owned.
  const MotionRequest* probe = nullptr;
  // Whether implicit steps begin with Jacobians of their own: what the last step has left depends
  // on whether there are columns, and may decide where the iteration does not converge.
  bool renews_jacobian = false;
  int lanes = 0;  // designs that a core advances at once, 0: as suits it
  // Where steps by kernels made for the plan come from; none: general kernels run. Not owned.
  StepWorkshop* workshop = nullptr;
  // How columns of parameters are superposed, where that is worth it; null: it is not. Not owned.
  const Superposition* superposition = nullptr;
  bool record = false;
  bool columns = false;  // record the sensitivities of the sensors as well
  std::size_t record_every = 1;
  std::function<void(double)> progress;         // may be empty
  std::function<bool()> cancelled;              // may be empty
  std::function<void(const std::string&)> log;  // may be empty

  kernels::StepSettings settings() const;
  bool uses_penalty() const;
  // Whether joints are eliminated although something ties the tree.
  bool eliminates_ties() const;
  bool is_adaptive() const { return tableau.stages > 0 && tableau.error_order > 0; }
  bool chooses_steps() const { return is_adaptive() && given_steps.empty(); }
  // Whether a state is sampled at the end of step k, of fixed length.
  bool samples_at(std::size_t k) const {
    return std::binary_search(plan->sample_times.begin(), plan->sample_times.end(),
                              static_cast<double>(k) * step);
  }
  bool leaves_stiff() const { return !stiff_integrator.empty() && chooses_steps(); }
  // The request for designs whose motion is stiff.
  MotionRequest for_stiff_designs() const;
  bool is_probed() const { return probe != nullptr && given_steps.empty(); }
  // Whether the error of all columns that a run carries decides on its steps.
  bool columns_decide() const {
    return is_adaptive() && analysis.columns_in_error && probe == nullptr && given_steps.empty();
  }
  // Parameters that gradients are by.
  std::size_t column_count() const {
    return plan->nominal.size() - static_cast<std::size_t>(first_column);
  }
  bool with_columns() const { return sensitivity == Sensitivity::direct; }
  // Dual numbers record them without columns.
  bool records_columns() const { return columns && with_columns(); }
  // What objectives have come to at recorded times. Adaptive integrators know it at the ends of
  // their steps only, which lie elsewhere.
  bool records_objectives() const {
    return record && tableau.error_order == 0 && !plan->objectives.empty();
  }
};

// The parameter values of a batch, [n_design, n_parameter]. Throws InputError for unknown names,
// values that are not numbers, impossible counts.
std::vector<double> design_values(const Model& model, const Options& options,
                                  std::vector<double> nominal);

// Moves the times at which objectives take values to the instants of the motion they stand for, to
// the last bit. Throws InputError if one lies outside the motion, or no step ends there.
void settle_value_times(const MotionRequest& request, Plan& plan, const std::string& origin);

// The largest angle at which a motion ends, and of which coordinate of which design.
struct LargestAngle {
  double size = 0.0;  // rad
  std::size_t design = 0;
  std::size_t coordinate = 0;

  // Of the largest the first design counts, in whichever order they come.
  void look_at(double angle, std::size_t of_design, std::size_t of_coordinate) {
    const double found = angle < 0.0 ? -angle : angle;
    if (found > size || (found == size && of_design < design))
      *this = {found, of_design, of_coordinate};
  }
};

// An event of a motion: when it was passed, and its number in the plan.
struct PassedEvent {
  double time;
  std::size_t event;
};

struct MotionOutcome {
  std::vector<kernels::Status> status;  // [n_design]
  std::vector<double> failure_time;     // [n_design] s
  std::vector<double> blamed;   // [n_design] what made it fail, see kernels/stages/watch.hpp
  std::vector<double> passage;  // [n_design] s, see Result::singular_passage
  std::vector<double>
      extrapolation;                // [n_design, n_spline, 2] how far outside its knots, since when
  std::vector<double> jump;         // [n_design] s, see Result::jump
  std::vector<double> stiff_since;  // [n_design] s, see Result::stiff_since
  std::vector<double> switched;     // [n_design] 1: run by the integrator for stiff designs
  std::vector<double> objectives;   // [n_design, n_objective]
  std::vector<double> gradient;     // [n_design, n_objective, column_count()], if asked for
  std::vector<double> gauss_newton;    // [n_design, n_least_squares, n_parameter, n_parameter]
  std::vector<double> signals;         // [n_design, n_signal] at the end
  std::vector<double> violation;       // [n_design, 3]
  std::vector<double> iterations;      // [n_design]
  std::vector<double> steps;           // [n_design]
  std::vector<double> rejected_steps;  // [n_design] and halved ones, see Result
  std::vector<double> taken_steps;     // as kernels::Chunk has them, if they are noted
  std::vector<Trajectory> trajectories;
  std::vector<PassedEvent> events;  // of one design, as there was room for them
  LargestAngle largest_angle;       // of motions that succeeded
  int lanes = 1;                    // designs that travelled together
  std::string solver;               // that worked apart from the kernels; empty: none did
  std::vector<double> refused;      // [n_design] stages refused in single precision, if mixed
  double motion_s = 0.0;
  double sensitivity_s = 0.0;
  double recomputation = 0.0;  // of adjoints: steps taken once more, relative to the motion's
};

// Arrays of the right sizes; trajectories if recording is asked for, with room for the
// sensitivities of the sensors, which runs with some of the parameters each fill.
MotionOutcome make_outcome(const MotionRequest& request);
// The same into an outcome of an earlier run: nothing is allocated where sizes are equal.
void renew_outcome(const MotionRequest& request, MotionOutcome& outcome);

// Design `which` of a run of some in the place of one of `outcome`.
void take_design(const MotionOutcome& some, std::size_t which, std::size_t design,
                 MotionOutcome& outcome);

// A design whose gradient is not finite has failed, and one that has failed, in whichever of its
// runs, leaves NaN in all its numbers.
void judge_design(const MotionRequest& request, std::size_t design, MotionOutcome& outcome);

// Entries of the Gauss-Newton matrices of a design.
inline std::size_t gauss_newton_size(const MotionRequest& request) {
  const std::size_t columns = request.column_count();
  return static_cast<std::size_t>(request.plan->least_squares_count) * columns * columns;
}

// Whether step k is recorded, and as which row.
inline bool is_recorded(const MotionRequest& request, std::size_t k) {
  return request.record && (k % request.record_every == 0 || k == request.steps);
}
inline std::size_t recorded_row(const MotionRequest& request, std::size_t k) {
  return k == 0 ? 0 : (k - 1) / request.record_every + 1;
}

// Leaves the first `rows` recorded times of a trajectory.
void keep_rows(const Plan& plan, std::size_t rows, Trajectory& trajectory);

}  // namespace gradus
