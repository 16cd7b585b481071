// gradus simulate MODEL, gradus gradient MODEL, gradus check MODEL
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <regex>
#include <system_error>

#include "gradus/error.hpp"
#include "gradus/gradus.hpp"
#include "src/cli/arguments.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/models.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/study_reports.hpp"
#include "src/cli/text.hpp"
#include "src/model/json_document.hpp"
#include "src/motion/formulation_choice.hpp"
#include "src/results/atomic_file.hpp"
#include "src/results/hdf5_file.hpp"
#include "src/results/motion_csv.hpp"
#include "src/results/summary.hpp"
#include "src/study/run_folder.hpp"

namespace gradus::cli {
namespace {

// What the three commands share: a model, and the options of its run.
class Run : public Command {
 public:
  void declare(OptionList& list) override {
    list.operand("MODEL", "model file", model_);
    list.add_assignments("--set", "override the value of a parameter; repeatable", options_.set);
    Options& o = options_;
    list.add_value("--backend", "B", "auto, cpu, cpu:THREADS, debug, cuda or cuda:DEVICE",
                   o.backend, parse_backend);
    list.add_value("--formulation", "NAME", "equations of motion (default: the model's)",
                   o.formulation, parse_text);
    list.add_value("--integrator", "NAME",
                   "one-step method, or auto (default: that of the model, else of the formulation)",
                   o.integrator, parse_text);
    list.add_value(
        "--rtol", "R",
        "adaptive integrators: relative error tolerance of a step (default: the model's)", o.rtol,
        parse_positive);
    list.add_value(
        "--atol", "A",
        "adaptive integrators: absolute error tolerance of a step (default: the model's)", o.atol,
        parse_positive);
    list.add_value("--max-steps", "N",
                   "adaptive integrators: steps that a design may try (default: the model's)",
                   o.max_steps, parse_number);
    list.add_value("--iteration", "NAME", "implicit integrators: newton or fixed-point",
                   o.iteration, parse_text);
    list.add_value(
        "--singular", "WHAT",
        "a motion that begins in a singular configuration, or passes through one: fail, warn or "
        "continue",
        o.singular, parse_text);
    list.add_value("--projections", "NAME", "ali3p: exact, iterative, penalty or none",
                   o.projections, parse_text);
    list.add_value("--stabilisation", "NAME", "index1: projection, baumgarte or none",
                   o.stabilisation, parse_text);
    list.add_value("--penalty", "ALPHA",
                   "penalty factor of the penalty formulation and of --projections penalty",
                   o.penalty, parse_positive);
    list.add_value("--coordinates", "NAME",
                   "joint: those of the joints of a spanning tree; reference-point: position and "
                   "Euler parameters of every body, tied by all joints (default: the model's)",
                   o.coordinates, parse_text);
    list.add_value("--reference", "NAME",
                   "reference point of the velocities (default: the model's)", o.reference,
                   parse_text);
    list.add_value(
        "--step", "SECONDS",
        "length of steps (default: the model's); where nothing names formulation or "
        "integrator, steps are of this length, by ali3p; adaptive integrators begin with it, "
        "radau5 and radau9 then have fixed steps unless --rtol or --atol is given",
        o.step, parse_positive);
    list.add_value("--duration", "SECONDS", "duration of the motion (default: the model's)",
                   o.duration, parse_positive);
    list.add_value("--tolerance", "T",
                   "ali3p: tolerance of Newton's method, 1e-12 to 1e-2 (default: the model's)",
                   o.tolerance, parse_positive);
    list.flag("--kinematic", "fully driven mechanisms: solve the constraints alone", kinematic_);
    list.add_value("--columns-in-error", "WHETHER",
                   "gradients by adaptive integrators: control the error of the sensitivities as "
                   "well, yes or no (default: the model's, else yes)",
                   columns_in_error_, parse_choice,
                   std::vector<std::string>{"yes", "no", "true", "false"});
  }

  void check(const OptionList& list) override {
    if (kinematic_ && list.given("--formulation"))
      throw InputError("--kinematic is a formulation of its own; leave out --formulation");
    if (kinematic_) options_.formulation = "kinematic";
    if (list.given("--columns-in-error"))
      options_.columns_in_error = columns_in_error_ == "yes" || columns_in_error_ == "true";
  }

 protected:
  // Runs `verb` with remarks and progress on standard error.
  template <typename Verb>
  auto run_verb(Verb verb, const Model& model) const {
    Progress progress(quiet || json ? ProgressKind::none : ProgressKind::terminal);
    Options options = options_;
    if (!quiet) options.log = write_remark;
    options.progress = progress.of_run();
    try {
      return verb(model, options);
    } catch (const InputError& error) {
      throw InputError(with_file(error.what(), model.name));
    }
  }

  std::string model_;  // file
  Options options_;

 private:
  // What is wrong with the model as a whole is found when the file has long been read: it is named
  // here. Everything else is wrong with an option.
  std::string with_file(const std::string& message, const std::string& name) const {
    const std::string of_model = (name.empty() ? "model" : name) + ": ";
    if (message.starts_with(of_model)) return model_ + ": " + message.substr(of_model.size());
    for (const char* const of_all : {"model: ", "start: "})
      if (message.starts_with(of_all)) return model_ + ": " + message;
    return message;
  }

  bool kinematic_ = false;
  std::string columns_in_error_;
};

constexpr std::size_t kEstimateEvery = 32;  // designs of a batch: it takes some 4 % longer

// simulate and gradient, which run batches and write a folder.
class Simulation : public Run {
 public:
  using Verb = Result (*)(const Model&, const Options&);
  explicit Simulation(Verb verb) : verb_(verb) {}

  void declare(OptionList& list) override {
    Run::declare(list);
    Designs& designs = options_.designs;
    list.add_value("--designs", "N",
                   "run N designs: the model itself and N - 1 random variations of it",
                   designs.count, parse_count, 1u);
    list.add_value("--spread", "S",
                   "vary every parameter by a factor 1 + S u, u uniform in [-1, 1]; 0 <= S < 1 "
                   "(default 0: all designs are equal)",
                   designs.spread, parse_spread);
    list.add_value("--seed", "K", "random seed of the variations (default 1)", designs.seed,
                   parse_count, 0u);
    list.add_value("--lanes", "N",
                   "designs advanced together by one core: auto (default), 1, 2, 4 or 8, of which "
                   "a build has 1 and those of its processor",
                   options_.lanes, parse_lanes);
    list.add_value("--kernels", "K",
                   "general (default), specialised: steps of ali3p and evaluations of other "
                   "formulations by kernels that are compiled for the mechanism beside the run, "
                   "worth it from some ten seconds on, or auto: specialised where it is",
                   options_.kernels, parse_choice,
                   std::vector<std::string>{"general", "specialised", "auto"});
    list.add_value("--out", "DIR", "write arrays and summary.json to this folder", out_, parse_path,
                   "a folder");
    list.add_value("--record-every", "N",
                   "with --out or --csv: record the motion every N steps (default 1 for a single "
                   "design)",
                   options_.record_every, parse_count, 1u);
    list.add_value("--accuracy", "A",
                   "relative error that no objective and no gradient may exceed, e.g. 1e-6: steps "
                   "or tolerances, and the integrator unless it is given, are chosen accordingly",
                   options_.accuracy, parse_accuracy);
    list.add_value("--estimate-every", "N",
                   "fixed steps: estimate the errors of every N-th design from runs by other steps "
                   "(default 1 for a single design, 32 for batches; 0: never)",
                   options_.estimate_every, parse_count, 0u);
    list.flag("--hdf5", "with --out: also write the arrays as HDF5", formats_.hdf5);
    list.flag("--csv",
              "write the motion as CSV: with --out as a further file, else to standard output, in "
              "the place of the tables",
              formats_.csv);
    list.flag("--overwrite", "with --out: replace the results of an earlier study as well",
              overwrite_);
  }

  // The motions of a whole batch take much memory, so they are recorded on request only.
  void check(const OptionList& list) override {
    Run::check(list);
    if (formats_.hdf5) results::require_hdf5("--hdf5");
    for (const char* name : {"--spread", "--seed"})
      if (list.given(name) && !list.given("--designs"))
        throw InputError(std::string(name) +
                         " needs --designs N: it controls how designs are varied");
    check_outputs(list);
    if (options_.designs.count > 1 && !list.given("--spread") && !quiet)
      write_remark("all " + std::to_string(options_.designs.count) +
                   " designs are equal; --spread S varies them");
    estimates_ = list.given("--estimate-every") && options_.estimate_every > 0;
    if (!list.given("--estimate-every"))
      options_.estimate_every = options_.designs.count == 1 ? 1 : kEstimateEvery;
    if (!quiet) remark_on_variation(list);
    const bool asked_for = options_.columns || list.given("--record-every");
    options_.record =
        formats_.csv || (list.given("--out") && (asked_for || options_.designs.count == 1));
  }

  int run() const override {
    const std::string text = text_of_model(model_, quiet);
    const Model model = parse_model(text, model_);
    if (verb_ == gradient && !quiet) remark_on_nothing(model);
    // Before the run: a folder that cannot be used must not cost hours of work.
    if (!out_.empty()) prepare_folder_of_run(out_, text, overwrite_);
    Result result = run_verb(verb_, model);
    if (result.n_design == 1 && result.all_ok())
      result.friction = friction_motions(model, options_);
    if (estimates_ && !quiet) remark_on_estimates(result);
    if (!out_.empty()) {
      keep_model(text);
      results::write_results(out_, result, resolved(model.analysis), formats_);
    }
    if (formats_.csv && out_.empty())
      results::write_motions_csv(result, write_standard_output);
    else if (json)
      results::write_result_document(result, write_standard_output);
    else
      write_standard_output(result_report(result));
    if (result.all_ok()) return done;
    write_error(results::failure_message(result));
    return numerical_failure;
  }

 private:
  // Whether there is a place for what is asked for.
  void check_outputs(const OptionList& list) const {
    if (list.given("--out")) return;
    const auto need = [](bool asked, const char* what) {
      if (asked) throw InputError(what);
    };
    need(formats_.hdf5, "--hdf5 needs --out DIR: that is where arrays are written");
    need(overwrite_, "--overwrite needs --out DIR: that is where results are replaced");
    if (formats_.csv) {
      need(json,
           "--csv and --json exclude each other without --out DIR: both print on standard output");
      need(verb_ == gradient && !options_.columns,
           "--csv prints the motion, in which there is no gradient: add --columns (sensitivities "
           "over time) or --out DIR (the gradient in gradient.npz), or use simulate");
      return;
    }
    need(list.given("--record-every"),
         "--record-every needs --out DIR or --csv: that is where motions are written");
    need(options_.columns,
         "--columns needs --out DIR or --csv: that is where sensitivities are written");
  }

  static void remark_on_nothing(const Model& model) {
    const bool no_objectives = model.objectives.empty();
    if (!no_objectives && !model.parameters.empty()) return;
    write_remark(std::string("gradient: there is none, as the model has no ") +
                 (no_objectives ? "objectives" : "parameters"));
  }

  void remark_on_variation(const OptionList& list) const {
    if (options_.designs.count == 1 && list.given("--spread"))
      write_remark("--spread: has no effect (the only design is the model itself)");
    if (list.given("--seed") && (options_.designs.count == 1 || options_.designs.spread == 0.0))
      write_remark("--seed: has no effect (no design varies)");
  }

  void remark_on_estimates(const Result& result) const {
    const char* const why = options_.accuracy ? "--accuracy estimates the errors of all designs"
                            : result.adaptive ? "adaptive integrators control the error of steps"
                            : result.objectives.empty() ? "there are no objectives"
                                                        : nullptr;
    if (why != nullptr) write_remark(std::string("--estimate-every: has no effect (") + why + ")");
  }

  static double parse_accuracy(const std::string& option, const std::string& text) {
    const double accuracy = parse_number(option, text);
    if (accuracy <= 0.0 || accuracy >= 1.0)
      throw InputError(option + ": found '" + text +
                       "'; allowed: above 0 and below 1, e.g. 1e-6 for a relative error of that");
    return accuracy;
  }

  static double parse_spread(const std::string& option, const std::string& text) {
    const double spread = parse_number(option, text);
    if (spread < 0.0 || spread >= 1.0)
      throw InputError(option + ": found '" + text +
                       "'; allowed: 0 <= S < 1, so that no parameter changes sign");
    return spread;
  }

  // The options in force, for summary.json: the model's own where the command line gave none.
  Options resolved(const Analysis& analysis) const {
    Options options = options_;
    options.formulation = stated_formulation(analysis, options_);
    options.reference = options.reference.value_or(analysis.reference);
    options.step = options.step.value_or(analysis.step);
    options.duration = options.duration.value_or(analysis.duration);
    options.tolerance = options.tolerance.value_or(analysis.tolerance);
    return options;
  }

  // A copy of the model is kept with its results. The summary of an earlier run is removed first:
  // it belongs to another model.
  void keep_model(const std::string& text) const {
    const std::filesystem::path folder = out_;
    results::remove_file(folder / "summary.json");
    results::write_file(folder / "model.json", text);
  }

  Verb verb_;
  std::string out_;  // folder; empty if nothing is to be written
  results::FileFormats formats_;
  bool overwrite_ = false;
  bool estimates_ = false;  // asked for
};

class Gradient : public Simulation {
 public:
  Gradient() : Simulation(gradient) {}

  void declare(OptionList& list) override {
    Simulation::declare(list);
    list.add_value("--method", "M",
                   "direct (default), adjoint, continuous-adjoint, auto, finite-difference or dual",
                   options_.method, parse_choice,
                   std::vector<std::string>{"direct", "adjoint", "continuous-adjoint", "auto",
                                            "finite-difference", "dual"});
    list.add_value("--solver", "NAME",
                   "method direct on a device: linear solver, auto (default), kernel, native, "
                   "cublas-getrs, cublas-trsm or cusolver",
                   options_.solver, parse_text);
    list.add_value("--precision", "P",
                   "method direct on a device: double (default), or mixed (factors in single)",
                   options_.precision, parse_choice, std::vector<std::string>{"double", "mixed"});
    list.add_value(
        "--memory", "BYTES",
        "adjoint: most memory for stored steps, e.g. 512M (default: as much as the machine has)",
        options_.memory, parse_bytes);
    list.flag(
        "--columns",
        "with --out or --csv: record the sensitivities of every sensor and objective over time "
        "(objectives: with fixed steps)",
        options_.columns);
  }
};

class Check : public Run {
 public:
  int run() const override {
    const Model model = read_model_or_robot(model_, quiet);
    CheckReport report = run_verb(gradus::check, model);
    report.friction = friction_motions(model, options_);
    const std::string verdict = check_verdict(report);
    write_standard_output(json ? results::check_document(model.name, report)
                               : check_table(report) + check_findings(report) + verdict + "\n");
    if (report.passed) return done;
    write_error(verdict);
    return numerical_failure;
  }
};

using Instant = std::filesystem::file_time_type;

// Where some have been kept, or found, since then; empty if nowhere.
std::string folder_of_kernels(Instant since) {
  const std::filesystem::path folder = kernel_cache_folder();
  std::error_code none;
  for (std::filesystem::directory_iterator file(folder, none), end; !none && file != end;
       file.increment(none)) {
    std::error_code gone;
    if (file->last_write_time(gone) >= since && !gone) return folder.string();
  }
  return "";
}

class Compile : public Run {
 public:
  void declare(OptionList& list) override {
    Run::declare(list);
    list.add_value("--method", "M", "for gradients by this method: direct (default) or adjoint",
                   options_.method, parse_choice, std::vector<std::string>{"direct", "adjoint"});
    list.add_value("--device", "ARCHITECTURE",
                   "for steps of ali3p on GPUs of this architecture (sm_90), whether or not there "
                   "is one here, instead of the CPU",
                   architecture_, parse_architecture);
    list.add_value("--image", "FILE", "with --device: write the code for the GPU to this file",
                   image_, parse_path, "a file");
    list.add_value("--limit", "SECONDS",
                   "end learning after so long, and keep what is made by then (default: when runs "
                   "teach nothing new)",
                   limit_, parse_positive);
  }

  void check(const OptionList& list) override {
    Run::check(list);
    if (list.given("--image") && !list.given("--device"))
      throw InputError("--image needs --device ARCHITECTURE: the code is that of a GPU");
    if (list.given("--backend") && !quiet)
      write_remark("--backend: has no effect (kernels are made for the CPU, or by --device)");
    if (list.given("--limit") && list.given("--device"))
      throw InputError("--limit: kernels of --device are made of one run; leave it out");
  }

  int run() const override {
    const Model model = read_model_or_robot(model_, quiet);
    if (!architecture_.empty()) return make_for_device(model);
    const Instant begun = Instant::clock::now();
    const OrderlyInterruption interruption;
    const std::vector<MadeKernels> kernels = run_verb(
        [&](const Model& of, Options options) {
          options.cancelled = [&] { return interruption.asked_for(); };
          return make_kernels(of, options, limit_);
        },
        model);
    if (kernels.empty()) interruption.end_program();
    const std::string folder = folder_of_kernels(begun);
    write_standard_output(json ? results::kernels_document(model.name, folder, kernels)
                               : kernels_report(kernels, folder));
    if (interruption.asked_for()) interruption.end_program();
    const auto has_none = [](const MadeKernels& made) { return !made.obstacle.empty(); };
    if (!std::all_of(kernels.begin(), kernels.end(), has_none)) return done;
    write_error("no kernels could be made: " + kernels.front().obstacle);
    return backend_unavailable;
  }

 private:
  static std::string parse_architecture(const std::string& option, const std::string& text) {
    static const std::regex form("sm_[0-9]{2,3}[a-z]?");
    if (!std::regex_match(text, form))
      throw InputError(option + ": found '" + text + "'; allowed: sm_80, sm_90, sm_100, ...");
    return text;
  }

  int make_for_device(const Model& model) const {
    std::string image;
    const Instant begun = Instant::clock::now();
    const MadeKernels made = run_verb(
        [&](const Model& of, const Options& options) {
          return make_device_kernel(of, options, architecture_, image);
        },
        model);
    if (!image_.empty()) results::write_file(image_, image);
    const std::string folder = folder_of_kernels(begun);
    write_standard_output(json ? results::kernels_document(model.name, folder, {made})
                               : kernels_report({made}, folder));
    return done;
  }

  std::string architecture_, image_;
  double limit_ = std::numeric_limits<double>::infinity();  // s
};

}  // namespace

void add_run_commands(Commands& commands) {
  commands.push_back(
      {"simulate", "Compute the motion of a model", std::make_unique<Simulation>(simulate)});
  commands.push_back({"gradient", "Compute the motion and the gradient of every objective",
                      std::make_unique<Gradient>()});
  commands.push_back({"check",
                      "Prove derivatives and accuracy of the gradient, and say which failed",
                      std::make_unique<Check>()});
  commands.push_back({"compile",
                      "Make the kernels of --kernels specialised ahead, and say what they gain",
                      std::make_unique<Compile>()});
}

}  // namespace gradus::cli
