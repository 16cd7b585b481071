// What a run hands back: plain data with names and units.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

struct NamedUnit {
  std::string name;
  std::string unit;
};

// How one design ended.
struct DesignStatus {
  bool ok = true;
  double time = 0.0;    // s, time reached when it failed
  std::string message;  // empty if ok
};

struct Timing {
  double total_s = 0.0;        // everything between the call and the result, the model already read
  double motion_s = 0.0;       // time loop without sensitivities
  double sensitivity_s = 0.0;  // what the sensitivities added
  double estimate_s = 0.0;     // what the estimate of errors took
  // Several threads: shares of the time passed. Devices: shares as in the last step, by which they
  // are waited for. One-step methods do both at once, which counts as sensitivities.
};

// Values over time of one design, recorded on request. Rows are times.
struct Trajectory {
  std::size_t design = 0;
  std::vector<double> time;           // [n_time] s
  std::vector<double> coordinates;    // [n_time, n_coordinate]
  std::vector<double> rates;          // [n_time, n_coordinate]
  std::vector<double> accelerations;  // [n_time, n_coordinate]
  std::vector<double> sensors;        // [n_time, n_sensor_component]
  // Derivatives of these, as asked for: [n_time, n_sensor_component, n_parameter]
  std::vector<double> sensor_columns;
  // What objectives have come to: integrals up to the time, and of others what their expressions
  // are then. Empty with adaptive integrators.
  std::vector<double> objective_history;  // [n_time, n_objective]
  std::vector<double> gradient_history;   // [n_time, n_objective, n_parameter], as asked for
};

// An event of a motion, and when it was passed [s].
struct EventPassage {
  std::string event;
  double time = 0.0;
};

// What the surfaces of a joint with friction do in a motion.
struct SurfaceMotion {
  std::string force;  // of type "joint-friction"
  std::string joint;
  std::string slip;        // of a joint with several: which, "angle", "displacement", "sliding"
  double threshold = 0.0;  // m/s: below this speed, of transition or of Stribeck, they stick
  std::string smoothing;   // the parameter that is this speed; empty if it is none
  // [n_objective] by how much objectives change where it is half as large; empty if it is no
  // parameter, or if that motion fails
  std::vector<double> halved;
  double sticking = 0.0;    // share of the duration
  std::size_t changes = 0;  // between sticking and slipping
  // Of steps of fixed length: the largest change of the speed in a step near the threshold, over
  // the threshold. Above 1 steps are too long for the law of friction. 0 with adaptive integrators.
  double resolution = 0.0;
  std::string verdict;  // "slips", "sticks", "sticks and slips", or "chatters": changes at least
                        // eight times, and every sixth recorded interval
};

// Failed designs hold NaN in all their numbers.
struct Result {
  std::string model;
  std::string backend;  // as it ran, e.g. "cpu:2"
  int lanes = 1;        // designs that a core advanced at once
  std::string solver;   // of batches that solved for the columns; empty: the kernels did
  // [n_design] with precision "mixed": stages, of all steps, for which single precision was
  // refused; empty otherwise
  std::vector<double> refused;
  std::string formulation;
  // That of all designs that ran; with "auto", where some are stiff and others are not, that of
  // those that are not
  std::string integrator;
  std::string stiff_integrator;  // that of designs that `switched`; empty if there are none
  std::string coordinate_kind;   // "joint" or "reference-point"
  std::string reference;
  std::string method;     // "none" for simulate
  double step = 0.0;      // s
  double duration = 0.0;  // s
  // Of equal steps how many the motion has; with `adaptive` every design chooses its own, see
  // step_count, and these are the intervals between which it may be recorded.
  std::size_t steps = 0;
  bool adaptive = false;
  std::size_t n_design = 0;

  std::vector<NamedUnit> parameters;
  std::vector<NamedUnit> objectives;
  std::vector<NamedUnit> coordinates;
  std::vector<NamedUnit> sensor_components;  // "r2.x", "r2.y", "r2.z", ...
  std::vector<std::string> sensors;          // names of whole sensors, in model order
  std::vector<std::size_t> sensor_sizes;     // components of each

  // Of one design on a CPU: its events in their order, of very many between two recorded times the
  // first.
  std::vector<EventPassage> events;
  std::vector<double> parameter_values;  // [n_design, n_parameter]
  std::vector<double> objective_values;  // [n_design, n_objective]
  std::vector<double> gradient;          // [n_design, n_objective, n_parameter]; empty for simulate
  // Estimated errors of these, relative; NaN for designs that were not looked at, empty if none
  // was. Of a row of the gradient: its largest change over its largest entry, both times the size
  // of their parameters (1 where that is 0). See Options::estimate_every.
  std::vector<double> objective_errors;    // [n_design, n_objective]
  std::vector<double> gradient_errors;     // [n_design, n_objective]; empty for simulate
  double accuracy = 0.0;                   // that was asked for, 0: none was
  std::vector<double> final_sensors;       // [n_design, n_sensor_component]
  std::vector<std::string> least_squares;  // objectives that are sums of squares, in model order
  // Their matrices 2 sum of (dr/drho)^T (dr/drho), by the direct method
  std::vector<double> gauss_newton;  // [n_design, n_least_squares, n_parameter, n_parameter]
  std::vector<DesignStatus> status;  // [n_design]
  std::vector<double>
      constraint_violation;  // [n_design, 3] largest |Phi|, |dPhi/dt|, |d2Phi/dt2| of the run
  std::vector<double> singular_passage;  // [n_design] s, when the motion first passed through a
                                         // singular configuration, 0: never, or nobody looked
  // What the motions begin in a singular configuration of, and therefore beside it; empty: in none
  std::string singular_start;
  // [n_design] s, by adaptive integrators: when accelerations first jumped; a gradient beyond it
  // lacks what the jump contributes by its own shift in time. 0: never; empty with other
  // integrators
  std::vector<double> jump;
  // [n_design] s, by dopri5 and dop853: since when the motion is known to be stiff, so that an
  // implicit integrator would take far fewer steps. 0: it is not; empty with other integrators
  std::vector<double> stiff_since;
  // [n_design] 1: and with the integrator "auto" such a one ran it, from the start; empty with
  // others
  std::vector<double> switched;
  // Splines that extrapolate, by the laws or objectives that have them; how far outside their
  // knots the motion asked for their values, 0: never, in the unit of the argument; and since when,
  // NaN: never.
  std::vector<std::string> extrapolating_splines;
  std::vector<double> extrapolation;        // [n_design, n_extrapolating_spline]
  std::vector<double> extrapolation_start;  // [n_design, n_extrapolating_spline] s
  std::vector<double> newton_iterations;    // [n_design] total over the run
  std::vector<double> step_count;           // [n_design] steps taken
  // [n_design] attempts that were repeated with shorter steps: by adaptive integrators for their
  // error, by implicit one-step methods, which halve them, where Newton's method did not converge
  // or velocities seemed to jump
  std::vector<double> rejected_steps;
  double recomputation = 0.0;  // adjoint within a budget: steps taken once more, relative to all

  std::vector<Trajectory> trajectories;  // as asked for
  bool has_sensor_columns = false;       // whether these hold sensitivities
  bool has_objective_history = false;    // and what objectives have come to
  std::vector<SurfaceMotion> friction;   // as the program asks friction_motions() of single designs
  Timing timing;

  // [n_design] how many splines each motion extrapolated; empty if none can be.
  std::vector<double> splines_extrapolated() const {
    std::vector<double> count(extrapolating_splines.empty() ? 0 : n_design, 0.0);
    for (std::size_t k = 0; k < extrapolation.size(); ++k)
      if (extrapolation[k] > 0.0) ++count[k / extrapolating_splines.size()];
    return count;
  }

  const std::string& integrator_of(std::size_t design) const {
    return !switched.empty() && switched[design] > 0.0 ? stiff_integrator : integrator;
  }

  bool all_ok() const {
    for (const DesignStatus& s : status)
      if (!s.ok) return false;
    return true;
  }
};

}  // namespace gradus
