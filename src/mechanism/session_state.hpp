// What sessions work with.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradus/error.hpp"
#include "gradus/mechanism.hpp"
#include "src/mechanism/array_checks.hpp"
#include "src/mechanism/compilations.hpp"
#include "src/motion/host_run.hpp"
#include "src/motion/stage_solver.hpp"
#include "src/sensitivity/gradient.hpp"

namespace gradus {

struct Session::State {
  explicit State(const Mechanism& m) : mechanism(m), compilations(*m.compilations_) {}

  class Hold;
  class Call;

  using Compiled = std::shared_ptr<const CompiledMechanism>;

  const CompiledMechanism& compiled() const { return *compilations.stated(); }
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
    check_finite_rows(parameters, width(), "parameters", "parameter");
    return parameters.size() / width();
  }

  // The method that runs: `auto` decides once, by the mechanism.
  const std::string& method() {
    if (!method_) {
      Options one = mechanism.options();
      one.designs = {};
      // What would run on a GPU is direct.
      choose_backend(one.method == "auto" ? "direct" : one.method);
      method_ = chosen_method(DesignRun(compilations.stated(), one, *backend_), one);
    }
    return *method_;
  }

  void choose_backend(const std::string& name) {
    if (!backend_)
      backend_ = compiled().choose(compiled().backend(), 1, name, mechanism.options().log);
  }

  // Whether runs of the method can be kept.
  bool is_kept(const std::string& name) {
    choose_backend(name);
    return backend_->kind == BackendKind::cpu &&
           (name == "none" || name == "direct" || name == "adjoint" ||
            name == "continuous-adjoint");
  }

  HostRun& kept_run(const Compiled& which, std::unique_ptr<HostRun>& run, const std::string& name) {
    if (run) return *run;
    Options one = mechanism.options();
    one.designs = {};
    one.record = false;
    one.columns = false;
    one.progress = nullptr;
    const DesignRun designs(which, one, *backend_);
    const MotionRequest request = request_of(designs, name);
    if (asks_for_stage_solver(request)) check_stage_solver(request, *backend_);
    run = make_host_run(request, backend_->threads);
    return *run;
  }

  // Designs by rows of what is compiled; `run` keeps what works with them.
  const MotionOutcome& evaluate(const Compiled& which, std::unique_ptr<HostRun>& run,
                                std::span<const double> designs, std::size_t count,
                                const std::string& name) {
    if (is_kept(name)) {
      outcome = &kept_run(which, run, name).run(designs, count);
      return *outcome;
    }
    Options options = mechanism.options();
    options.designs = {};
    options.designs.values.assign(designs.begin(), designs.end());
    options.record = false;
    options.columns = false;
    const DesignRun some(which, options, name);
    last = name == "none" ? some.run(some.request()) : run_method(some, options, name);
    outcome = &last;
    return last;
  }

  // The mechanism as stated.
  const MotionOutcome& evaluate(std::span<const double> parameters, std::size_t designs,
                                const std::string& name) {
    std::unique_ptr<HostRun>& run = name == "none"      ? motion
                                    : name == "direct"  ? direct
                                    : name == "adjoint" ? adjoint
                                                        : continuous;
    return evaluate(compilations.stated(), run, parameters, designs, name);
  }

  std::size_t hand_over(const MotionOutcome& from, std::size_t designs, const Arrays& to) {
    const auto copy = [](const std::vector<double>& numbers, std::span<double> array) {
      if (!array.empty()) std::copy(numbers.begin(), numbers.end(), array.begin());
    };
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
      check_optional(array, designs * size, what, shape);
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

  std::size_t state_size() const { return 2 * mechanism.coordinate_count(); }
  std::size_t start_size() const { return mechanism.exchange().start_states ? state_size() : 0; }
  // Parameters and start states.
  std::size_t input_count() const { return width() + start_size(); }
  std::size_t output_count() const { return compilations.extended()->plan().objectives.size(); }

  std::size_t check_inputs(const Inputs& at) const {
    const bool by_states = width() == 0 && start_size() > 0 && at.parameters.empty();
    const std::size_t designs =
        by_states ? at.start_states.size() / start_size() : design_count(at.parameters);
    check_size(at.start_states.size(), std::max<std::size_t>(designs, 1) * start_size(),
               "start_states", start_shape());
    check_finite_rows(at.start_states, start_size(), "start_states", "number");
    return designs;
  }
  const char* start_shape() const {
    return start_size() > 0 ? "[n_design, 2 n_coordinate]" : kNoStartStates;
  }

  template <class Number>
  void check_seeds(const InputArrays<Number>& seeds, std::size_t designs) const {
    check_optional(seeds.parameters, designs * width(), "parameters", "[n_design, n_parameter]");
    check_optional(seeds.start_states, designs * start_size(), "start_states", start_shape());
  }
  template <class Number>
  void check_outputs(const OutputArrays<Number>& outputs, std::size_t designs) const {
    const Exchange& exchange = mechanism.exchange();
    const std::size_t components = mechanism.exchanged_component_count();
    check_optional(outputs.objectives, designs * objectives(), "objectives",
                   "[n_design, n_objective]");
    check_optional(outputs.sensors, designs * exchange.times.size() * components, "sensors",
                   components > 0 ? "[n_design, n_time, n_exchanged_component]"
                                  : "a mechanism whose exchange has no sensors at times");
    check_optional(outputs.final_states, designs * (exchange.final_state ? state_size() : 0),
                   "final_states",
                   exchange.final_state ? "[n_design, 2 n_coordinate]"
                                        : "a mechanism whose exchange has no final state");
  }

  // Numbers of the inputs of a design; zeros for those that are left out.
  double* put(const Inputs& inputs, std::size_t design, double* to) const {
    const auto part = [&](std::span<const double> from, std::size_t size) {
      if (from.empty())
        std::fill_n(to, size, 0.0);
      else
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(design * size), size, to);
      to += size;
    };
    part(inputs.parameters, width());
    part(inputs.start_states, start_size());
    return to;
  }

  // Calls visit(row of the plan, number of the caller) for what is not left out of a design. Rows
  // have the times of a component side by side, callers the components of a time.
  template <class Number, class Visit>
  void for_each_output(const OutputArrays<Number>& outputs, std::size_t design,
                       const Visit& visit) const {
    const std::size_t times = mechanism.exchange().times.size();
    const std::size_t components = mechanism.exchanged_component_count();
    std::size_t row = 0;
    for (std::size_t o = 0; o < objectives(); ++o, ++row)
      if (!outputs.objectives.empty()) visit(row, outputs.objectives[design * objectives() + o]);
    for (std::size_t c = 0; c < components; ++c)
      for (std::size_t t = 0; t < times; ++t, ++row)
        if (!outputs.sensors.empty())
          visit(row, outputs.sensors[(design * times + t) * components + c]);
    if (outputs.final_states.empty()) return;
    for (std::size_t c = 0; c < state_size(); ++c, ++row)
      visit(row, outputs.final_states[design * state_size() + c]);
  }
  // [n_design, row of the plan] to the caller.
  void hand_over(const std::vector<double>& from, std::size_t designs, const Outputs& to) const {
    for (std::size_t d = 0; d < designs; ++d)
      for_each_output(
          to, d, [&](std::size_t row, double& number) { number = from[d * output_count() + row]; });
  }

  // Products with the Jacobian; see Session.
  std::size_t jacobian_vector(const Inputs& at, const Inputs& directions, const Outputs& products,
                              const Outputs& values);
  std::size_t vector_jacobian(const Inputs& at, const OutputArrays<const double>& weights,
                              const InputArrays<double>& products, const Outputs& values);

  HostRun& directed() {
    if (directed_run) return *directed_run;
    // Of inputs x + d s: all x, all d, and s.
    MotionRequest request = compilations.extended()->along_direction()->request();
    request.sensitivity = Sensitivity::direct;
    request.first_column = static_cast<int>(2 * input_count());
    const int threads = is_kept("direct") ? backend_->threads : 1;
    if (asks_for_stage_solver(request)) check_stage_solver(request, *backend_);
    directed_run = make_host_run(request, threads);
    return *directed_run;
  }

  std::atomic_flag is_at_work;
  Mechanism mechanism;
  const Compilations& compilations;
  std::optional<std::string> method_;
  std::optional<BackendChoice> backend_;
  std::unique_ptr<HostRun> motion, direct, adjoint, continuous;  // as stated
  std::unique_ptr<HostRun> extended_run, directed_run, weighted_run;
  std::vector<double> rows;  // designs of what is compiled
  MotionOutcome last;
  const MotionOutcome* outcome = nullptr;  // of the last call
};

// The state of a session, for one caller at a time. Throws InputError where there is none, or
// somebody is at it.
class Session::State::Hold {
 public:
  explicit Hold(const std::unique_ptr<State>& state) : state_(state.get()) {
    if (state_ == nullptr)
      throw InputError("session: was moved from (nothing is left of it); make another");
    if (state_->is_at_work.test_and_set(std::memory_order_acquire))
      throw InputError(
          "session: is at work for another call (each thread needs one of its own); make another");
  }
  ~Hold() { state_->is_at_work.clear(std::memory_order_release); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

  State& operator*() const { return *state_; }
  State* operator->() const { return state_; }

 private:
  State* state_;
};

// The same for a call that runs designs: how those of the call before ended is forgotten, whatever
// becomes of it.
class Session::State::Call : public Hold {
 public:
  explicit Call(const std::unique_ptr<State>& state) : Hold(state) { (*this)->outcome = nullptr; }
};

}  // namespace gradus
