// The verbs of gradus: simulate, gradient, check, describe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "gradus/result.hpp"

namespace gradus {

// What varies between the designs of a batch. Either `values` lists them, or `count` designs are
// drawn around the model: the first is the model itself, the others multiply every parameter by 1 +
// spread * u, u uniform in [-1, 1].
struct Designs {
  std::size_t count = 1;
  double spread = 0.0;  // 0: all designs are equal
  std::uint64_t seed = 1;
  std::vector<double> values;  // [n_design, n_parameter], overrides the three above if not empty
};

struct Options {
  std::string backend = "auto";  // cpu[:threads], debug, cuda[:device], auto
  std::string method =
      "direct";  // direct, adjoint, continuous-adjoint, auto, finite-difference, dual
  std::optional<std::string> formulation;  // the model's own if absent; likewise below
  std::optional<std::string> integrator;
  std::optional<std::string> reference;
  std::optional<double> step;  // s; the duration has a whole number of them, the nearest, but one
                               // at least: a step that is longer becomes the duration
  std::optional<double> duration;
  std::optional<double> tolerance;
  std::optional<double> rtol, atol;  // of adaptive integrators
  std::optional<bool> columns_in_error;
  std::optional<double> penalty;
  std::optional<std::string> projections, stabilisation, iteration, singular;
  std::map<std::string, double> set;  // parameter values that replace the model's
  Designs designs;
  // Designs that a core advances at once: 0 for as many as suit the processor, or 1, 2, 4, 8. A
  // build has 1 and as many as fill the registers of the processor that it was configured on (8, 4
  // or 2), with GRADUS_VECTOR_LEVELS=all every number that the processor allows; others are an
  // InputError. Results are the same to the bit.
  int lanes = 0;
  // Method direct on devices with ali3p: who solves for the columns of a step. "kernel": the kernel
  // that forms them; "native", "cublas-getrs", "cublas-trsm", "cusolver": a solver of batches,
  // apart from it; "auto": the kernel, but on CUDA what the table of gradus/solvers.hpp names for
  // systems of 32 equations and more, of one design or of as many as fill the device.
  std::string solver = "auto";
  // "double", or "mixed": factors in single precision, solutions refined to double. Where that does
  // not converge it is refused, and the stage solved in double precision; see Result::refused.
  std::string precision = "double";
  bool record = false;                          // keep the trajectories of all designs
  std::size_t record_every = 1;                 // steps between recorded times
  bool columns = false;                         // gradient: record, and the sensitivities of all
                                                // sensors by all parameters with it
  std::size_t memory = 0;                       // adjoint: bytes for steps, 0: all they need
  double difference_step = 1e-6;                // finite-difference: step relative to max(|rho|, 1)
  std::function<void(const std::string&)> log;  // receives remarks, e.g. which backend `auto` chose
  std::function<void(double done)> progress;    // fraction of the run that is done, 0 to 1
  // Asked now and then while designs run, by all threads; once it says true, the run throws
  // Cancelled.
  std::function<bool()> cancelled;
};

// Runs the motion of every design. Throws InputError, BackendError; a design that fails numerically
// is reported in Result::status and does not throw.
Result simulate(const Model& model, const Options& options = {});

// The same, and the exact gradient of every objective with respect to every parameter.
Result gradient(const Model& model, const Options& options = {});

// Verdict on one column of the gradient.
struct CheckLine {
  std::string objective;
  std::string parameter;
  double direct = 0.0;
  double adjoint = 0.0;
  double dual = 0.0;
  double difference = 0.0;         // central difference at the best step of the sweep
  double difference_step = 0.0;    // that step, relative
  double adjoint_deviation = 0.0;  // |direct - adjoint| / scale of the row
  double dual_deviation = 0.0;     // the same of dual numbers
  double difference_deviation = 0.0;
  bool passed = false;
};

struct CheckReport {
  std::vector<CheckLine> lines;
  double dual_tolerance = 0.0;  // of the adjoint as well
  double difference_tolerance = 0.0;
  // |w . (J v) - (J^T w) . v| of directions v of the parameters and w of the objectives drawn at
  // random, J v by the direct method and J^T w by the adjoint, relative to the sum of magnitudes.
  double identity_deviation = 0.0;
  bool passed = false;
};

// Proves the direct gradient against its discrete adjoint, dual numbers driven through the whole
// time loop and central differences over a sweep of steps. Throws NumericalError if the motion
// itself fails.
CheckReport check(const Model& model, const Options& options = {});

// What the plan made of a model, for `gradus info`.
struct Description {
  struct BodyLine {
    std::string body, joint, type, parent;
    std::vector<std::string> coordinates;
  };
  struct ConstraintLine {
    std::string constraint;
    std::size_t equations = 0;
  };
  struct LoopLine {
    std::string loop, type, parent, child;
    std::size_t equations = 0;
  };
  std::string model;
  std::vector<BodyLine> tree;
  std::vector<LoopLine> loops;
  std::vector<ConstraintLine> constraints;  // beyond the loops: normalisations, the model's own
  std::size_t coordinates = 0;
  std::size_t constraint_equations = 0;
  std::size_t constraint_rank = 0;
  std::size_t redundant_equations = 0;  // equations beyond the rank
  std::size_t degrees_of_freedom = 0;
  std::vector<std::string> independent_coordinates;  // held at the start
  std::vector<std::string> completed;             // those of them that the model leaves to the plan
  std::vector<std::string> cut, reversed, added;  // joints that the plan cut, turned round, added
  std::vector<NamedUnit> parameters;
  std::vector<double> parameter_values;
  std::map<std::string, std::vector<std::string>> touches;  // parameter -> what it changes
  std::vector<std::string> objectives;
  std::vector<std::string> sensors;
  std::vector<std::string> backends;  // one line each: what can run here, and why not otherwise
};

Description describe(const Model& model);

// One line per backend: what can run here, and why not otherwise.
std::vector<std::string> describe_backends();

// The version of the library, "major.minor.patch".
std::string version();

}  // namespace gradus
