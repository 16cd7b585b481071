// The verbs of gradus: simulate, gradient, check, describe.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
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
  // The model's own if absent; likewise below. Where a model file names no formulation, step,
  // tolerance, projections and integrator mean here what they mean in the file (docs/model.md).
  std::optional<std::string> formulation;
  std::optional<std::string> integrator;
  std::optional<std::string> reference;
  std::optional<std::string> coordinates;
  std::optional<double> step;  // s; the duration has a whole number of them, the nearest, but one
                               // at least: a step that is longer becomes the duration
  std::optional<double> duration;
  std::optional<double> tolerance;
  // Of adaptive integrators: 1e-14 to 0.1; above 0, up to 1e6.
  std::optional<double> rtol, atol;
  std::optional<double> max_steps;  // likewise: steps that a design may try, 1 to 1e9
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
  // On cpu, but for adjoints of ali3p and the method dual: who takes steps of ali3p and evaluates
  // other formulations. "general": kernels for any mechanism; "specialised": kernels made for this
  // one, with the same bits, as soon as they are compiled, which takes seconds beside the run, and
  // needs a C compiler; "auto": these, if they are in the cache of an earlier start, or when
  // general ones have worked as long as the compiler will, if there is one.
  std::string kernels = "general";
  // Method direct on devices with ali3p: who solves for the columns of a step. "kernel": the kernel
  // that forms them; "native", "cublas-getrs", "cublas-trsm", "cusolver": a solver of batches,
  // apart from it; "auto": the kernel, but on CUDA what the table of gradus/solvers.hpp names for
  // systems of 32 equations and more, of one design or of as many as fill the device.
  std::string solver = "auto";
  // "double", or "mixed": factors in single precision, solutions refined to double. Where that does
  // not converge it is refused, and the stage solved in double precision; see Result::refused.
  std::string precision = "double";
  bool record = false;           // keep the trajectories of all designs
  std::size_t record_every = 1;  // steps between recorded times
  bool columns = false;          // gradient: record, and the sensitivities of all
                                 // sensors by all parameters with it
  std::size_t memory = 0;        // adjoint: bytes for steps, 0: all they need
  // With steps of fixed length: every n-th design has its errors estimated, from runs by longer or
  // shorter steps, see Result::objective_errors; 0: none has.
  std::size_t estimate_every = 0;
  // Largest relative error of objectives and gradients, above 0 and below 1: steps or tolerances
  // are chosen so that it is met, as are formulation and integrator where neither is given here.
  // Designs that cannot meet it fail. See Result::objective_errors.
  std::optional<double> accuracy;
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

// Why there can be no kernels made for a mechanism here; empty if there can. See Options::kernels.
// `tries`: the compiler is given something to compile, some 50 ms.
std::string specialised_kernels_obstacle(bool tries = false);

// Where they are kept from one start to the next; empty if nowhere.
std::string kernel_cache_folder();

// Kernels made for the motions of a mechanism, or for its gradients, of one design or of as many
// as a core advances at once.
struct MadeKernels {
  bool with_gradient = false;
  bool by_adjoint = false;  // of gradients
  std::size_t lanes = 1;
  std::size_t ways = 0;          // that they know
  std::size_t found = 0;         // of these kernels, in the cache of an earlier start
  std::size_t compilations = 0;  // of others
  double compile_s = 0.0;
  // Additions, products, quotients and functions of a step or, of one-step methods, of the part of
  // an evaluation that has most, on average of those that were learnt: by general kernels (0: all
  // were found) and by these; numbers that these read and write; their library.
  double general_operations = 0.0, operations = 0.0, numbers = 0.0;
  std::size_t code_bytes = 0;
  // The quickest run of a design, on one thread. It may be the general ones that are quicker.
  double general_s = 0.0, specialised_s = 0.0;
  bool complete = true;  // whether the last run brought nothing new
  std::string obstacle;  // why there are none; empty if there are
};

// Makes the kernels of Options::kernels ahead of the runs on cpu that they serve, with the same
// options: from runs of the model and of variations of it by 1 %, until these bring nothing new.
// Gradients are those of the method "adjoint" if it is asked for, or "direct". After `limit`
// seconds nothing more is learnt, each kind having its share of the time; after Options::cancelled
// nothing is done any more, and those that were made are returned. They are kept in the cache
// folder of the user, if that can be had (docs/program.md). Throws InputError, BackendError, and
// NumericalError where the motion fails.
std::vector<MadeKernels> make_kernels(const Model& model, const Options& options = {},
                                      double limit = std::numeric_limits<double>::infinity());

// The same for steps of ali3p on GPUs of an architecture ("sm_90"), whether or not there is one
// here: those of gradients, or of motions where the model has none. Nothing is timed. `image`
// receives the code for the GPU. Throws BackendError if there can be none.
MadeKernels make_device_kernel(const Model& model, const Options& options,
                               const std::string& architecture, std::string& image);

// What check() finds of one derivative.
enum class CheckVerdict {
  proved,          // adjoint, dual numbers and central differences agree with it
  proved_by_dual,  // adjoint and dual numbers do; differences are too inexact here, or fail
  zero,            // it is no larger than what rounding makes of it, by all methods; or hidden by
                   // that, and a millionth of its row
  undetermined,    // nothing contradicts it, but no method is exact enough here to prove it
  wrong            // a method contradicts it
};

// The name of a verdict, with words joined by underscores.
std::string to_string(CheckVerdict verdict);

// One derivative, by all methods. What deviates, and by how much that may be, is relative to
// `scale`, the size of the derivative itself: it is judged by what rounding and the noise of steps
// do to it, whatever others are.
struct CheckLine {
  std::string objective;
  std::string parameter;
  double direct = 0.0;
  double adjoint = 0.0;
  double dual = 0.0;             // NaN: dual numbers cannot follow the motion
  double difference = 0.0;       // central difference at the best step; NaN: neighbours fail
  double difference_step = 0.0;  // that step, relative to the parameter, or to 1 if that is larger
  double refined = 0.0;          // direct, as CheckReport::refinement says; NaN: that fails
  double scale = 0.0;
  double adjoint_deviation = 0.0;  // |direct - adjoint| / scale
  double dual_deviation = 0.0;
  double rounding = 0.0;  // what the two above may be: from the scatter of the derivative from one
                          // design to the next, very near ones
  double difference_deviation = 0.0;
  double difference_error = 0.0;   // what it may be: from the scatter of the objective, and from
                                   // how differences change with their step
  double refined_deviation = 0.0;  // |direct - refined| / scale
  CheckVerdict verdict = CheckVerdict::undetermined;
  bool accurate = false;  // finer steps change it by a hundredth at most, or by what is of no
                          // account for the objective
  bool passed = false;    // it is proved, or zero
};

// One of the three things that can fail.
struct CheckPart {
  bool passed = false;
  std::string message;  // what was found
};

struct CheckReport {
  std::vector<CheckLine> lines;  // [objective, parameter]; none if the motion fails
  std::string refinement;        // "half the step", "a tenth of the tolerance"
  CheckPart derivative;          // all lines have passed
  CheckPart accuracy;            // all lines are accurate
  CheckPart
      model;  // the motion and those beside it reach their end: not singular, no contradiction
  bool passed = false;                  // all three
  std::vector<SurfaceMotion> friction;  // what joints with friction do
};

// Proves the direct gradient against its discrete adjoint, dual numbers driven through the whole
// time loop and central differences over a sweep of steps, and its accuracy against finer steps.
// With adaptive integrators the host takes the direct run, and all others but the finer one take
// its steps. What fails is reported, and does not throw.
CheckReport check(const Model& model, const Options& options = {});

// Runs the motion of the model once more, by the general kernels of the CPU, and looks at the
// speeds of all its surfaces with friction. Empty if there are none, or if the motion fails.
std::vector<SurfaceMotion> friction_motions(const Model& model, const Options& options = {});

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
  // A joint of a drawing, and what of it both bodies have in common.
  struct DrawnLine {
    std::string joint, type, parent, child;
    std::vector<std::string> in_common;
  };
  std::string model;
  std::string formulation;
  std::string integrator;        // empty if nothing is integrated
  std::string stiff_integrator;  // with "auto": that of designs whose motion is stiff
  std::vector<BodyLine> tree;
  std::vector<LoopLine> loops;
  std::vector<DrawnLine> drawn;
  std::vector<ConstraintLine> constraints;  // beyond the loops: normalisations, the model's own
  std::string coordinate_kind;              // "joint" or "reference-point"
  std::size_t turn_counts = 0;  // states that count turns of joints, which no other number counts
  std::size_t coordinates = 0;
  std::size_t constraint_equations = 0;
  std::size_t constraint_rank = 0;
  std::size_t redundant_equations = 0;  // equations beyond the rank
  std::size_t degrees_of_freedom = 0;
  std::vector<std::string> independent_coordinates;  // held at the start
  // Start positions: "stated", or "equilibrium, " and whether it is stable at the stated
  // parameters.
  std::string start;
  std::vector<std::string> completed;  // those of them that the model leaves to the plan
  // Of the independent coordinates those whose rates follow from nonholonomic constraints.
  std::vector<std::string> released;
  std::vector<std::string> cut, reversed, added;  // joints that the plan cut, turned round, added
  std::vector<NamedUnit> parameters;
  std::vector<double> parameter_values;
  std::map<std::string, std::vector<std::string>> touches;  // parameter -> what it changes
  std::vector<std::string> objectives;
  std::vector<std::string> sensors;
  std::vector<std::string> states;  // "FORCE.STATE" those of forces
  std::vector<std::string> events;
  std::vector<std::string> backends;  // one line each: what can run here, and why not otherwise
};

Description describe(const Model& model);

// One line per backend: what can run here, and why not otherwise.
std::vector<std::string> describe_backends();

// The version of the library, "major.minor.patch".
std::string version();

}  // namespace gradus
