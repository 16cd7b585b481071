// Calls of a mechanism: arrays in, arrays out, without the interpreter in between.
#include "python/src/mechanism.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "python/src/interruption.hpp"
#include "python/src/options.hpp"

namespace gradus::python {
namespace {

std::vector<std::pair<std::string, std::string>> pairs_of(const std::vector<NamedUnit>& all) {
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(all.size());
  for (const NamedUnit& one : all) pairs.emplace_back(one.name, one.unit);
  return pairs;
}

Failures failures_of(const std::vector<DesignStatus>& status) {
  Failures failures;
  for (std::size_t d = 0; d < status.size(); ++d)
    if (!status[d].ok)
      failures.emplace_back(
          d, "the motion failed at " + std::to_string(status[d].time) + " s: " + status[d].message);
  return failures;
}

}  // namespace

// A session that nobody else uses meanwhile.
class SharedMechanism::Lease {
 public:
  explicit Lease(SharedMechanism& from) : from_(from) {
    const std::lock_guard<std::mutex> lock(from_.mutex_);
    if (from_.idle_.empty()) return;
    session_ = std::move(from_.idle_.back());
    from_.idle_.pop_back();
  }
  ~Lease() {
    const std::lock_guard<std::mutex> lock(from_.mutex_);
    if (session_) from_.idle_.push_back(std::move(session_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  // Calls work(session) without the interpreter, and returns how the designs ended.
  template <class Work>
  Failures run(std::size_t designs, const Work& work) {
    return run_interruptibly([&] {
      if (!session_) session_ = std::make_unique<Session>(from_.mechanism_);
      if (work(*session_) == 0) return Failures{};
      std::vector<DesignStatus> status;
      for (std::size_t d = 0; d < designs; ++d) status.push_back(session_->status(d));
      return failures_of(status);
    });
  }

 private:
  SharedMechanism& from_;
  std::unique_ptr<Session> session_;
};

std::size_t SharedMechanism::rows_of(const InputArray& parameters) const {
  const std::size_t columns = mechanism_.parameter_count();
  if (columns == 0) return 1;
  if (parameters.size() % columns != 0 || parameters.size() == 0)
    throw InputError("parameters: found " + std::to_string(parameters.size()) +
                     " numbers, expected rows of " + std::to_string(columns));
  return parameters.size() / columns;
}

Failures SharedMechanism::evaluate(const InputArray& parameters, WrittenArray objectives,
                                   WrittenArray gradients, WrittenArray final_sensors,
                                   WrittenArray violation) {
  const Arrays to{span_of(objectives), span_of(gradients), span_of(final_sensors),
                  span_of(violation)};
  Lease lease(*this);
  return lease.run(rows_of(parameters), [&](Session& session) {
    return gradients.size() > 0 ? session.gradient(span_of(parameters), to)
                                : session.simulate(span_of(parameters), to);
  });
}

namespace {

// Outputs of a mechanism, as arrays.
struct NewOutputs {
  NewOutputs(const Mechanism& mechanism, std::size_t rows)
      : designs(rows),
        n_objective(mechanism.objective_count()),
        n_time(mechanism.exchange().times.size()),
        n_component(mechanism.exchanged_component_count()),
        n_state(mechanism.exchange().final_state ? 2 * mechanism.coordinate_count() : 0),
        objectives(designs * n_objective),
        sensors(designs * n_time * n_component),
        states(designs * n_state) {}

  Outputs to() { return {objectives.span(), sensors.span(), states.span()}; }
  nb::tuple hand_over() {
    return nb::make_tuple(objectives.hand_over({designs, n_objective}),
                          sensors.hand_over({designs, n_time, n_component}),
                          states.hand_over({designs, n_state}));
  }

  std::size_t designs, n_objective, n_time, n_component, n_state;
  NewArray objectives, sensors, states;
};

}  // namespace

nb::tuple SharedMechanism::exchange(const InputArray& parameters, const InputArray& start_states) {
  NewOutputs values(mechanism_, rows_of(parameters));
  Lease lease(*this);
  const Failures failures = lease.run(values.designs, [&](Session& session) {
    return session.evaluate({span_of(parameters), span_of(start_states)}, values.to());
  });
  return nb::make_tuple(values.hand_over(), failures);
}

nb::tuple SharedMechanism::jacobian_vector(const InputArray& parameters,
                                           const InputArray& start_states,
                                           const InputArray& parameter_directions,
                                           const InputArray& state_directions) {
  NewOutputs values(mechanism_, rows_of(parameters)), products(mechanism_, values.designs);
  Lease lease(*this);
  const Failures failures = lease.run(values.designs, [&](Session& session) {
    return session.jacobian_vector({span_of(parameters), span_of(start_states)},
                                   {span_of(parameter_directions), span_of(state_directions)},
                                   products.to(), values.to());
  });
  return nb::make_tuple(values.hand_over(), products.hand_over(), failures);
}

nb::tuple SharedMechanism::vector_jacobian(const InputArray& parameters,
                                           const InputArray& start_states,
                                           const InputArray& objective_weights,
                                           const InputArray& sensor_weights,
                                           const InputArray& state_weights) {
  NewOutputs values(mechanism_, rows_of(parameters));
  const std::size_t columns = mechanism_.parameter_count();
  const std::size_t states =
      mechanism_.exchange().start_states ? 2 * mechanism_.coordinate_count() : 0;
  NewArray of_parameters(values.designs * columns), of_states(values.designs * states);
  Lease lease(*this);
  const Failures failures = lease.run(values.designs, [&](Session& session) {
    return session.vector_jacobian(
        {span_of(parameters), span_of(start_states)},
        {span_of(objective_weights), span_of(sensor_weights), span_of(state_weights)},
        {of_parameters.span(), of_states.span()}, values.to());
  });
  return nb::make_tuple(values.hand_over(),
                        nb::make_tuple(of_parameters.hand_over({values.designs, columns}),
                                       of_states.hand_over({values.designs, states})),
                        failures);
}

std::vector<double> SharedMechanism::start_state(const InputArray& parameters,
                                                 const InputArray& given) const {
  const WithoutInterpreter released;
  return mechanism_.start_state(span_of(parameters), span_of(given));
}

namespace {

nb::object array_or_none(std::vector<double>&& numbers, std::initializer_list<std::size_t> shape) {
  if (numbers.empty()) return nb::none();
  return nb::cast(hand_over(std::move(numbers), shape));
}

nb::dict trajectory_of(Trajectory&& t, const Result& r) {
  const std::size_t times = t.time.size(), n = r.coordinates.size();
  const std::size_t components = r.sensor_components.size(), p = r.parameters.size();
  nb::dict d;
  d["design"] = t.design;
  d["time"] = hand_over(std::move(t.time), {times});
  d["coordinates"] = hand_over(std::move(t.coordinates), {times, n});
  d["rates"] = hand_over(std::move(t.rates), {times, n});
  d["accelerations"] = hand_over(std::move(t.accelerations), {times, n});
  d["sensors"] = hand_over(std::move(t.sensors), {times, components});
  d["sensor_columns"] = array_or_none(std::move(t.sensor_columns), {times, components, p});
  d["objectives"] = array_or_none(std::move(t.objective_history), {times, r.objectives.size()});
  d["gradients"] = array_or_none(std::move(t.gradient_history), {times, r.objectives.size(), p});
  return d;
}

nb::dict dict_of(Result&& r) {
  const std::size_t designs = r.n_design, objectives = r.objectives.size();
  const std::size_t p = r.parameters.size(), sensors = r.sensor_components.size();
  nb::dict d;
  d["failures"] = failures_of(r.status);
  for (const auto& [name, text] : {std::pair{"model", &r.model},
                                   {"backend", &r.backend},
                                   {"formulation", &r.formulation},
                                   {"integrator", &r.integrator},
                                   {"method", &r.method},
                                   {"coordinates", &r.coordinate_kind}})
    d[name] = *text;
  d["lanes"] = r.lanes;
  d["duration"] = r.duration;
  d["step"] = r.step;
  nb::list trajectories;
  for (Trajectory& t : r.trajectories) trajectories.append(trajectory_of(std::move(t), r));
  d["trajectories"] = trajectories;
  d["objective_values"] = hand_over(std::move(r.objective_values), {designs, objectives});
  d["gradient"] = array_or_none(std::move(r.gradient), {designs, objectives, p});
  d["objective_errors"] = array_or_none(std::move(r.objective_errors), {designs, objectives});
  d["gradient_errors"] = array_or_none(std::move(r.gradient_errors), {designs, objectives});
  d["final_sensors"] = hand_over(std::move(r.final_sensors), {designs, sensors});
  d["violation"] = hand_over(std::move(r.constraint_violation), {designs, 3});
  const std::size_t squares = r.least_squares.size();
  d["gauss_newton"] = array_or_none(std::move(r.gauss_newton), {designs, squares, p, p});
  d["step_count"] = hand_over(std::move(r.step_count), {designs});
  d["seconds"] = r.timing.total_s;
  return d;
}

}  // namespace

nb::object SharedMechanism::run(const InputArray& parameters, bool with_gradient,
                                const Options& options) const {
  return dict_of(run_interruptibly([&] {
    return with_gradient ? mechanism_.gradient(span_of(parameters), options)
                         : mechanism_.simulate(span_of(parameters), options);
  }));
}

void bind_mechanism(nb::module_& module) {
  using M = SharedMechanism;
  nb::class_<M>(module, "Mechanism")
      .def("evaluate", &M::evaluate)
      .def("exchange", &M::exchange)
      .def("jacobian_vector", &M::jacobian_vector)
      .def("vector_jacobian", &M::vector_jacobian)
      .def("start_state", &M::start_state)
      .def("run",
           [](const M& m, const InputArray& parameters, bool with_gradient,
              const nb::dict& arguments) {
             return m.run(parameters, with_gradient,
                          options_of(arguments, m.mechanism().options()));
           })
      .def_prop_ro("nominal",
                   [](const M& m) {
                     const auto all = m.mechanism().nominal();
                     return std::vector<double>(all.begin(), all.end());
                   })
      .def_prop_ro("parameters", [](const M& m) { return pairs_of(m.names().parameters); })
      .def_prop_ro("objectives", [](const M& m) { return pairs_of(m.names().objectives); })
      .def_prop_ro("coordinates", [](const M& m) { return pairs_of(m.names().coordinates); })
      .def_prop_ro("sensor_components",
                   [](const M& m) { return pairs_of(m.names().sensor_components); })
      .def_prop_ro("sensors",
                   [](const M& m) {
                     std::vector<std::pair<std::string, std::size_t>> sensors;
                     for (std::size_t k = 0; k < m.names().sensors.size(); ++k)
                       sensors.emplace_back(m.names().sensors[k], m.names().sensor_sizes[k]);
                     return sensors;
                   })
      .def_prop_ro("exchanged_components",
                   [](const M& m) { return m.mechanism().exchanged_component_count(); })
      .def_prop_ro("times", [](const M& m) { return m.mechanism().exchange().times; })
      .def_prop_ro("takes_start_states",
                   [](const M& m) { return m.mechanism().exchange().start_states; })
      .def_prop_ro("gives_final_states",
                   [](const M& m) { return m.mechanism().exchange().final_state; });
}

}  // namespace gradus::python
