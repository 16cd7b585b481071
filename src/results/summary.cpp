// Result -> JSON, member by member.
#include "src/results/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>

#include "src/results/motion_checks.hpp"
#include "src/results/reports.hpp"

namespace gradus::results {
namespace {

const std::string& name_of(const NamedUnit& thing) {
  return thing.name;
}

const std::string& name_of(const std::string& name) {
  return name;
}

// An object with a member for each thing, whose value is value(index).
template <typename Things, typename Value>
Json object_of(const Things& things, const Value& value) {
  Json object = Json::object();
  for (std::size_t i = 0; i < things.size(); ++i) append(object, name_of(things[i]), value(i));
  return object;
}

// The same of numbers that begin at values[first].
template <typename Things>
Json numbers_of(const Things& things, const std::vector<double>& values, std::size_t first) {
  return object_of(things, [&](std::size_t i) { return number_at(values, first + i); });
}

Json objectives_of(const Result& result, std::size_t design) {
  return numbers_of(result.objectives, result.objective_values, design * result.objectives.size());
}

Json parameters_of(const Result& result, std::size_t design) {
  return numbers_of(result.parameters, result.parameter_values, design * result.parameters.size());
}

// A simulation has none.
bool has_gradient(const Result& result) {
  return result.method != "none";
}

Json gradient_of(const Result& result, std::size_t design) {
  const std::size_t first = design * result.objectives.size();
  return object_of(result.objectives, [&](std::size_t i) {
    return numbers_of(result.parameters, result.gradient, (first + i) * result.parameters.size());
  });
}

// What is known of the errors of a design's objectives, and of the rows of its gradient.
Json errors_of(const Result& result, std::size_t design) {
  Json errors = {{"objectives", numbers_of(result.objectives, result.objective_errors,
                                           design * result.objectives.size())}};
  if (!result.gradient_errors.empty())
    errors["gradient"] =
        numbers_of(result.objectives, result.gradient_errors, design * result.objectives.size());
  return errors;
}

// Of each sum of squares: a row of the matrix for every parameter.
Json gauss_newton_of(const Result& result, std::size_t design) {
  const std::size_t n_parameter = result.parameters.size();
  const std::size_t first = design * result.least_squares.size();
  return object_of(result.least_squares, [&](std::size_t i) {
    return object_of(result.parameters, [&](std::size_t k) {
      return numbers_of(result.parameters, result.gauss_newton,
                        ((first + i) * n_parameter + k) * n_parameter);
    });
  });
}

// The components of each whole sensor at the end of the motion.
Json final_sensors_of(const Result& result, std::size_t design) {
  std::size_t component = design * result.sensor_components.size();
  return object_of(result.sensors, [&](std::size_t i) {
    Json values = Json::array();
    for (std::size_t j = 0; j < result.sensor_sizes.at(i); ++j)
      values.push_back(number_at(result.final_sensors, component++));
    return values;
  });
}

Json events_of(const Result& result) {
  Json events = Json::array();
  for (const EventPassage& passage : result.events)
    events.push_back({{"event", passage.event}, {"time", passage.time}});
  return events;
}

Json units_of(const std::vector<NamedUnit>& things) {
  return object_of(things, [&](std::size_t i) { return things[i].unit; });
}

// One unit per whole sensor: its components share it.
Json sensor_units_of(const Result& result) {
  std::size_t component = 0;
  return object_of(result.sensors, [&](std::size_t i) {
    const bool known = component < result.sensor_components.size();
    const std::string unit = known ? result.sensor_components[component].unit : "";
    component += result.sensor_sizes.at(i);
    return unit;
  });
}

Json failure_of(const Result& result, std::size_t design) {
  const DesignStatus& status = result.status[design];
  return {{"design", design}, {"time", status.time}, {"message", status.message}};
}

Json design_of(const Result& result, std::size_t design) {
  const bool ok = design >= result.status.size() || result.status[design].ok;
  Json entry = {{"design", design},
                {"status", ok ? "ok" : result.status[design].message},
                {"parameters", parameters_of(result, design)},
                {"objectives", objectives_of(result, design)}};
  if (has_gradient(result)) entry["gradient"] = gradient_of(result, design);
  if (!result.gauss_newton.empty()) entry["gauss_newton"] = gauss_newton_of(result, design);
  const std::size_t first = design * result.objectives.size();
  if (!std::isnan(number_at(result.objective_errors, first)))
    entry["estimated_errors"] = errors_of(result, design);
  return entry;
}

// What grows with the designs.
std::vector<StreamedList> lists_of(const Result& result) {
  std::vector<StreamedList> lists;
  std::vector<std::size_t> failed;
  for (std::size_t design = 0; design < result.status.size(); ++design)
    if (!result.status[design].ok) failed.push_back(design);
  if (const std::size_t count = failed.size(); count > 0)
    lists.push_back({"failures", count, [&result, failed = std::move(failed)](std::size_t k) {
                       return failure_of(result, failed[k]);
                     }});
  if (result.n_design > 1)
    lists.push_back({"designs", result.n_design,
                     [&result](std::size_t design) { return design_of(result, design); }});
  return lists;
}

template <typename Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Who solved for the columns apart from the kernels, and which designs refused single precision.
Json solver_of(const Result& result) {
  Json solver = {{"name", result.solver},
                 {"precision", result.refused.empty() ? "double" : "mixed"}};
  if (!result.refused.empty()) {
    solver["designs_refused"] = std::count_if(result.refused.begin(), result.refused.end(),
                                              [](double count) { return count > 0.0; });
    solver["stages_refused"] = static_cast<std::size_t>(
        std::accumulate(result.refused.begin(), result.refused.end(), 0.0));
  }
  return solver;
}

// Those of design 0; nothing if it failed on its way and nobody knows how many there would be.
Json steps_of(const Result& result) {
  if (!result.adaptive) return result.steps;
  const double steps = number_at(result.step_count, 0);
  return std::isnan(steps) ? Json(nullptr) : Json(static_cast<std::size_t>(steps));
}

// Motions whose accelerations jump: gradients beyond that lack something.
void add_jumps(const Result& result, Json& document) {
  std::size_t count = 0, first = 0;
  for (std::size_t d = result.jump.size(); d-- > 0;)
    if (result.status[d].ok && result.jump[d] > 0.0) ++count, first = d;
  if (count > 0)
    document["jumps"] = {{"count", count},
                         {"first", {{"design", first}, {"time", result.jump[first]}}}};
}

// Motions that are stiff, and what ran them if it was not what runs others.
void add_stiffness(const Result& result, Json& document) {
  std::size_t count = 0, first = 0;
  for (std::size_t d = result.stiff_since.size(); d-- > 0;)
    if (result.stiff_since[d] > 0.0) ++count, first = d;
  if (count == 0) return;
  document["stiff"] = {{"count", count},
                       {"first", {{"design", first}, {"time", result.stiff_since[first]}}}};
  if (result.stiff_integrator.empty()) return;
  document["stiff"]["integrator"] = result.stiff_integrator;
  if (result.stiff_integrator == result.integrator) return;
  for (std::size_t d = 0; d < result.n_design; ++d)
    document["integrators"].push_back(result.integrator_of(d));
}

Json base_document(const Result& result) {
  Json document = {{"schema", "gradus-result/1"},
                   {"version", version()},
                   {"model", result.model},
                   {"backend", result.backend},
                   {"lanes", result.lanes}};
  if (!result.solver.empty()) document["solver"] = solver_of(result);
  document.update(Json{{"formulation", result.formulation},
                       {"integrator", result.integrator},
                       {"coordinates", result.coordinate_kind},
                       {"reference", result.reference},
                       {"method", result.method},
                       {"status", result.all_ok() ? "ok" : "failed"},
                       {"step", result.step},
                       {"duration", result.duration},
                       {"steps", steps_of(result)},
                       {"n_design", result.n_design}});
  add_stiffness(result, document);
  if (result.adaptive) {
    document["steps_taken"] = result.step_count;
    document["steps_rejected"] = result.rejected_steps;
  } else if (std::any_of(result.rejected_steps.begin(), result.rejected_steps.end(),
                         [](double count) { return count > 0.0; })) {
    document["steps_halved"] = result.rejected_steps;
  }
  if (!result.singular_start.empty()) document["singular_start"] = result.singular_start;
  add_motion_checks(result.constraint_violation, result.singular_passage, document);
  add_extrapolations(result, document);
  document["objectives"] = objectives_of(result, 0);
  if (has_gradient(result)) document["gradient"] = gradient_of(result, 0);
  if (!result.gauss_newton.empty()) document["gauss_newton"] = gauss_newton_of(result, 0);
  add_jumps(result, document);
  if (!result.objective_errors.empty()) document["estimated_errors"] = errors_of(result, 0);
  if (result.accuracy > 0.0) document["accuracy"] = result.accuracy;
  document["final"] = final_sensors_of(result, 0);
  if (!result.events.empty()) document["events"] = events_of(result);
  document["units"] = {{"parameters", units_of(result.parameters)},
                       {"objectives", units_of(result.objectives)},
                       {"sensors", sensor_units_of(result)}};
  if (!result.friction.empty()) document["friction"] = result.friction;
  document["timing"] = {{"total_s", result.timing.total_s},
                        {"motion_s", result.timing.motion_s},
                        {"sensitivity_s", result.timing.sensitivity_s}};
  if (result.timing.estimate_s > 0.0) document["timing"]["estimate_s"] = result.timing.estimate_s;
  if (!result.all_ok())
    document["error"] = {{"code", numerical_failure_code}, {"message", failure_message(result)}};
  return document;
}

// What only some integrators and formulations take is there only if it was given.
void add_given(const Options& options, Json& document) {
  const auto add = [&document](const char* name, const auto& value) {
    if (value) document[name] = *value;
  };
  add("coordinates", options.coordinates);
  add("rtol", options.rtol);
  add("atol", options.atol);
  add("max_steps", options.max_steps);
  add("columns_in_error", options.columns_in_error);
  add("penalty", options.penalty);
  add("projections", options.projections);
  add("stabilisation", options.stabilisation);
  add("iteration", options.iteration);
  add("singular", options.singular);
  add("accuracy", options.accuracy);
}

Json options_of(const Options& options) {
  Json set = Json::object();
  for (const auto& [name, value] : options.set) set[name] = value;
  Json document{{"backend", options.backend},
                {"method", options.method},
                {"formulation", value_or_null(options.formulation)},
                {"integrator", value_or_null(options.integrator)},
                {"reference", value_or_null(options.reference)},
                {"solver", options.solver},
                {"precision", options.precision},
                {"step", value_or_null(options.step)},
                {"duration", value_or_null(options.duration)},
                {"tolerance", value_or_null(options.tolerance)},
                {"difference_step", options.difference_step},
                {"set", set},
                {"designs",
                 {{"count", options.designs.count},
                  {"spread", options.designs.spread},
                  {"seed", options.designs.seed},
                  {"listed", !options.designs.values.empty()}}},
                {"record", options.record},
                {"record_every", options.record_every},
                {"columns", options.columns}};
  add_given(options, document);
  return document;
}

// Design 0, with units; all designs have theirs in "designs".
Json parameter_table(const Result& result) {
  return object_of(result.parameters, [&](std::size_t k) {
    return Json{{"value", number_at(result.parameter_values, k)},
                {"unit", result.parameters[k].unit}};
  });
}

}  // namespace

void write_result_document(const Result& result, const Sink& sink) {
  write_document(base_document(result), lists_of(result), sink);
}

void write_summary_document(const Result& result, const Options& options, const Sink& sink) {
  Json document = base_document(result);
  document["parameters"] = parameter_table(result);
  document["options"] = options_of(options);
  document["newton_iterations"] = result.newton_iterations;
  write_document(document, lists_of(result), sink);
}

std::string failure_message(const Result& result) {
  std::size_t failed = 0;
  std::optional<std::size_t> first;
  for (std::size_t design = 0; design < result.status.size(); ++design) {
    if (result.status[design].ok) continue;
    ++failed;
    if (!first) first = design;
  }
  if (!first) return "";
  const DesignStatus& status = result.status[*first];
  char time[32];
  std::snprintf(time, sizeof time, "%.9g", status.time);
  const std::string event = "at " + std::string(time) + " s: " + status.message;
  if (result.n_design == 1) return "the motion failed " + event;
  return std::to_string(failed) + " of " + std::to_string(result.n_design) +
         " designs failed; first: design " + std::to_string(*first) + " " + event;
}

}  // namespace gradus::results
