// Sessions: one thread's evaluations of a mechanism.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/mechanism.hpp"
#include "src/motion/failure.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/mechanism.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {
namespace {

void check_finite(std::span<const double> numbers, const char* what) {
  for (const double x : numbers)
    if (!std::isfinite(x))
      throw InputError(std::string(what) + ": found a number that is not finite");
}

void check_size(std::size_t found, std::size_t expected, const char* what, const char* shape) {
  if (found != expected)
    throw InputError(std::string(what) + ": found " + std::to_string(found) +
                     " numbers, expected " + std::to_string(expected) + " for " + shape);
}

void copy(const std::vector<double>& from, std::span<double> to) {
  if (!to.empty()) std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

struct Session::State {
  explicit State(const Mechanism& m) : mechanism(m) {}

  const CompiledMechanism& compiled() const { return *mechanism.compiled_; }
  std::size_t width() const { return mechanism.parameter_count(); }
  std::size_t objectives() const { return mechanism.objective_count(); }

  std::size_t design_count(std::span<const double> parameters) const {
    if (width() == 0) {
      check_size(parameters.size(), 0, "parameters", "a mechanism without any");
      return 1;
    }
    if (parameters.empty() || parameters.size() % width() != 0)
      throw InputError("parameters: found " + std::to_string(parameters.size()) +
                       " numbers, expected rows of " + std::to_string(width()));
    check_finite(parameters, "parameters");
    return parameters.size() / width();
  }

  // The method that runs: `auto` decides once, by the mechanism.
  const std::string& method() {
    if (!method_) {
      Options one = mechanism.options();
      one.designs = {};
      method_ = chosen_method(DesignRun(mechanism.compiled_, one, one.method), one);
    }
    return *method_;
  }

  // Whether runs of the method can be kept.
  bool is_kept(const std::string& name) {
    if (!backend_)
      backend_ = compiled().choose(compiled().backend(), 1, name, mechanism.options().log);
    return backend_->kind == BackendKind::cpu &&
           (name == "none" || name == "direct" || name == "adjoint" ||
            name == "continuous-adjoint");
  }

  HostRun& kept_run(const std::string& name) {
    std::unique_ptr<HostRun>& run = name == "none"      ? motion
                                    : name == "direct"  ? direct
                                    : name == "adjoint" ? adjoint
                                                        : continuous;
    if (run) return *run;
    Options one = mechanism.options();
    one.designs = {};
    one.record = false;
    one.columns = false;
    one.progress = nullptr;
    const DesignRun designs(mechanism.compiled_, one, *backend_);
    run = make_host_run(request_of(designs, name), backend_->threads);
    return *run;
  }

  const MotionOutcome& evaluate(std::span<const double> parameters, std::size_t designs,
                                const std::string& name) {
    if (is_kept(name)) {
      outcome = &kept_run(name).run(parameters, designs);
      return *outcome;
    }
    Options options = mechanism.options();
    options.designs = {};
    options.designs.values.assign(parameters.begin(), parameters.end());
    options.record = false;
    options.columns = false;
    const DesignRun run(mechanism.compiled_, options, name);
    last = name == "none" ? run.run(run.request()) : run_method(run, options, name);
    outcome = &last;
    return last;
  }

  std::size_t hand_over(const MotionOutcome& from, std::size_t designs, const Arrays& to) {
    copy(from.objectives, to.objectives);
    copy(from.gradient, to.gradient);
    copy(from.signals, to.final_sensors);
    copy(from.violation, to.violation);
    return static_cast<std::size_t>(std::count_if(
        from.status.begin(), from.status.begin() + static_cast<std::ptrdiff_t>(designs),
        [](kernels::Status s) { return s != kernels::Status::ok; }));
  }

  void check_arrays(std::size_t designs, const Arrays& to, bool gradients) const {
    const auto fits = [&](std::span<double> array, std::size_t size, const char* what,
                          const char* shape) {
      if (!array.empty()) check_size(array.size(), designs * size, what, shape);
    };
    fits(to.objectives, objectives(), "objectives", "[n_design, n_objective]");
    fits(to.final_sensors, mechanism.sensor_component_count(), "final_sensors",
         "[n_design, n_sensor_component]");
    fits(to.violation, 3, "violation", "[n_design, 3]");
    if (gradients)
      fits(to.gradient, objectives() * width(), "gradient", "[n_design, n_objective, n_parameter]");
    else if (!to.gradient.empty())
      throw InputError("gradient: found an array, but simulate computes none; use gradient");
  }

  // The mechanism whose last parameter moves all others along a direction.
  HostRun& along_direction() {
    if (directed_run) return *directed_run;
    Options one = mechanism.options();
    one.designs = {};
    one.backend = "cpu:1";
    one.set.clear();
    directed = std::make_unique<const CompiledMechanism>(compiled().model(), one,
                                                         ParameterInputs::along_direction);
    MotionRequest request = directed->request();
    request.sensitivity = Sensitivity::direct;
    request.first_column = static_cast<int>(2 * width());
    directed_run = make_host_run(request, 1);
    return *directed_run;
  }

  Mechanism mechanism;
  std::optional<std::string> method_;
  std::optional<BackendChoice> backend_;
  std::unique_ptr<HostRun> motion, direct, adjoint, continuous, directed_run;
  std::unique_ptr<const CompiledMechanism> directed;
  std::vector<double> rows;  // parameters and directions; gradients
  MotionOutcome last;
  const MotionOutcome* outcome = nullptr;  // of the last call
};

Session::Session(const Mechanism& mechanism) : state_(std::make_unique<State>(mechanism)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::size_t Session::simulate(std::span<const double> parameters, const Arrays& to) {
  static const std::string none = "none";
  const std::size_t designs = state_->design_count(parameters);
  state_->check_arrays(designs, to, false);
  return state_->hand_over(state_->evaluate(parameters, designs, none), designs, to);
}

std::size_t Session::gradient(std::span<const double> parameters, const Arrays& to) {
  const std::size_t designs = state_->design_count(parameters);
  state_->check_arrays(designs, to, true);
  return state_->hand_over(state_->evaluate(parameters, designs, state_->method()), designs, to);
}

std::size_t Session::jacobian_vector(std::span<const double> parameters,
                                     std::span<const double> directions,
                                     std::span<double> products) {
  State& s = *state_;
  const std::size_t designs = s.design_count(parameters);
  const std::size_t width = s.width();
  check_size(directions.size(), designs * width, "directions", "[n_design, n_parameter]");
  check_size(products.size(), designs * s.objectives(), "products", "[n_design, n_objective]");
  check_finite(directions, "directions");
  s.rows.resize(designs * (2 * width + 1));
  for (std::size_t d = 0; d < designs; ++d) {
    double* const row = s.rows.data() + d * (2 * width + 1);
    std::copy_n(parameters.data() + d * width, width, row);
    std::copy_n(directions.data() + d * width, width, row + width);
    row[2 * width] = 0.0;
  }
  const MotionOutcome& outcome = s.along_direction().run(s.rows, designs);
  s.outcome = &outcome;
  Arrays to;
  to.gradient = products;
  return s.hand_over(outcome, designs, to);
}

std::size_t Session::vector_jacobian(std::span<const double> parameters,
                                     std::span<const double> weights, std::span<double> products) {
  static const std::string adjoint = "adjoint";
  State& s = *state_;
  const std::size_t designs = s.design_count(parameters);
  const std::size_t width = s.width();
  const std::size_t objectives = s.objectives();
  check_size(weights.size(), designs * objectives, "weights", "[n_design, n_objective]");
  check_size(products.size(), designs * width, "products", "[n_design, n_parameter]");
  check_finite(weights, "weights");
  const MotionOutcome& outcome = s.evaluate(parameters, designs, adjoint);
  for (std::size_t d = 0; d < designs; ++d)
    for (std::size_t p = 0; p < width; ++p) {
      double sum = 0.0;
      for (std::size_t o = 0; o < objectives; ++o)
        sum += weights[d * objectives + o] * outcome.gradient[(d * objectives + o) * width + p];
      products[d * width + p] = sum;
    }
  return s.hand_over(outcome, designs, {});
}

DesignStatus Session::status(std::size_t design) const {
  const MotionOutcome* outcome = state_->outcome;
  if (outcome == nullptr || design >= outcome->status.size())
    throw InputError("status: the last call had no design " + std::to_string(design));
  DesignStatus status;
  status.ok = outcome->status[design] == kernels::Status::ok;
  status.time = outcome->failure_time[design];
  status.message = failure_message(outcome->status[design], state_->compiled().plan());
  return status;
}

}  // namespace gradus
