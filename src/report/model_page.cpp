// The page of a model: how it starts, what it consists of, what is free to move.
#include <algorithm>
#include <cmath>

#include "gradus/study.hpp"
#include "src/model/constraint_kind.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/keys.hpp"
#include "src/model/message.hpp"
#include "src/model/nominal.hpp"
#include "src/model/states.hpp"
#include "src/report/pages.hpp"
#include "src/report/pose.hpp"
#include "src/results/atomic_file.hpp"

namespace gradus::report {
namespace {

std::string stated(const Number& number) {
  return number.is_expression() ? number.expression() : rounded_text(number.value(), 6);
}

std::string stated(const Vector3& vector) {
  return stated(vector[0]) + ", " + stated(vector[1]) + ", " + stated(vector[2]);
}

bool is_zero(const Number& number) {
  return !number.is_expression() && number.value() == 0.0;
}

bool is_zero(const Vector3& vector) {
  return std::all_of(vector.begin(), vector.end(), [](const Number& n) { return is_zero(n); });
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Without what round-off leaves of zero in a mechanism of usual size.
Json tidy(double value) {
  return number(std::abs(value) < 1e-12 ? 0.0 : value);
}

// Columns of text, and a table of them; null without rows.
Json text_table(const std::string& title, const std::vector<std::string>& titles, Json rows,
                bool wide = false) {
  if (rows.empty()) return nullptr;
  std::vector<Column> columns;
  for (const std::string& one : titles) columns.push_back({one, "", true});
  Json block = table(title, columns, std::move(rows));
  block["wide"] = wide;
  return block;
}

Json start_notice(const Pose& pose) {
  switch (pose.kind) {
    case Pose::Kind::start:
      return nullptr;
    case Pose::Kind::assembled:
      return notice("error", "The motion cannot start: " + pose.problem +
                                 ". The picture shows the assembled position.");
    case Pose::Kind::guess:
      return notice("error", "The mechanism cannot be assembled: " + pose.problem +
                                 ". The picture shows the start values and guesses of the model, "
                                 "at which its loops and constraints do not close.");
    default:
      return notice("error", "The model cannot be drawn: " + pose.problem + ".");
  }
}

Json picture_block(const Pose& pose) {
  if (pose.kind == Pose::Kind::none) return nullptr;
  return {{"kind", "pose"},
          {"title", pose.kind == Pose::Kind::start ? "Start" : "Position"},
          {"motions", Json::array({pose.drawing})}};
}

Json freedom_facts(const Description& d) {
  return Facts("Degrees of freedom")
      .add("coordinates", static_cast<double>(d.coordinates))
      .add("constraint equations", static_cast<double>(d.constraint_equations))
      .add("independent of these", static_cast<double>(d.constraint_rank))
      .add("redundant", d.redundant_equations == 0 ? "0"
                                                   : std::to_string(d.redundant_equations) +
                                                         ", which follow from the others")
      .add("degrees of freedom", static_cast<double>(d.degrees_of_freedom))
      .add("start positions", d.start == "stated" ? "" : d.start)
      .add(d.start == "stated" ? "held at the start" : "rates held at the start",
           joined(d.independent_coordinates))
      .add("of which gradus chose", joined(d.completed))
      .add("rates that follow", joined(d.released))
      .add("joints cut to open loops", joined(d.cut))
      .add("joints reversed", joined(d.reversed))
      .add("floating joints added", joined(d.added))
      .block();
}

Json analysis_facts(const Model& model, const Result& start) {
  const Analysis& analysis = model.analysis;
  const auto in_force = [](const std::string& found, const std::string& asked_for) {
    return found.empty() ? asked_for : found;  // what cannot start has no result
  };
  Facts facts("Analysis");
  facts.add("gravity", stated(model.gravity) + " m/s\u00b2")
      .add("formulation", in_force(start.formulation, analysis.formulation))
      .add("integrator", in_force(start.integrator, analysis.integrator))
      .add("reference point", analysis.reference)
      .add("duration", analysis.duration, "s");
  if (start.adaptive)
    facts.add("steps", "adaptive, rtol " + rounded_text(analysis.rtol, 6) + ", atol " +
                           rounded_text(analysis.atol, 6));
  else
    facts.add("step", analysis.step, "s");
  return facts.block();
}

Json body_table(const Model& model) {
  Json rows = Json::array();
  for (const Body& body : model.bodies) {
    const Inertia& i = body.inertia;
    std::string inertia = stated({i.xx, i.yy, i.zz});
    if (!is_zero({i.xy, i.xz, i.yz})) inertia += "; " + stated({i.xy, i.xz, i.yz});
    if (i.about != "com") inertia += " about " + i.about;
    std::vector<std::string> points;
    for (const auto& [name, point] : body.points)
      points.push_back(name + " (" + stated(point) + ")");
    rows.push_back({body.name, stated(body.mass), stated(body.com), inertia, joined(points)});
  }
  return text_table("Bodies",
                    {"body", "mass [kg]", "centre of mass [m]",
                     "inertia xx, yy, zz; xy, xz, yz [kg m\u00b2]", "points [m]"},
                    std::move(rows), true);
}

Json joint_table(const Model& model, const Description& d) {
  Json rows = Json::array();
  const auto add = [&](const Joint& joint, bool is_loop) {
    const bool cut = is_among(d.cut, joint.name);
    rows.push_back({joint.name, std::string(name_of(joint.type)), joint.parent, joint.child,
                    has_axis(joint.type) ? stated(joint.axis.value_or(Vector3{0, 0, 1})) : "",
                    is_loop                            ? "closes a loop"
                    : cut                              ? "cut: closes a loop"
                    : is_among(d.reversed, joint.name) ? "reversed"
                                                       : ""});
  };
  for (const Joint& joint : model.joints) add(joint, false);
  for (const Joint& joint : model.loops) add(joint, true);
  return text_table("Joints", {"joint", "type", "parent", "child", "axis in the parent", ""},
                    std::move(rows));
}

// What the coordinates are when the motion starts.
Json coordinate_table(const Pose& pose, const Description& d) {
  if (pose.kind == Pose::Kind::none) return nullptr;
  Json rows = Json::array();
  const Trajectory& motion = pose.start.trajectories.at(0);
  for (std::size_t c = 0; c < pose.start.coordinates.size(); ++c) {
    const NamedUnit& coordinate = pose.start.coordinates[c];
    const bool held = is_among(d.independent_coordinates, coordinate.name);
    rows.push_back({coordinate.name, tidy(motion.coordinates.at(c)), coordinate.unit,
                    tidy(motion.rates.at(c)),
                    !held                                    ? ""
                    : is_among(d.completed, coordinate.name) ? "held, chosen by gradus"
                                                             : "held"});
  }
  return table("Coordinates at the start",
               {{"coordinate", "", true},
                {"position", ""},
                {"unit", "", true},
                {"rate per second", ""},
                {"", "", true}},
               std::move(rows));
}

// What a key of a force says, without zeros: "stiffness k N/m".
std::string stated(const ForceKey& key, const ForceValue& value) {
  std::string name(key.name);
  std::replace(name.begin(), name.end(), '_', ' ');
  if (key.content == ForceContent::choice) return name + " " + value.text();
  if (value.is_vector() ? is_zero(value.vector()) : is_zero(value.number())) return "";
  const std::string number = value.is_vector() ? stated(value.vector()) : stated(value.number());
  return name + " " + number + (key.unit.empty() ? "" : " " + std::string(key.unit));
}

Json force_table(const Model& model) {
  Json rows = Json::array();
  for (const Force& force : model.forces) {
    const ForceKind& kind = kind_of(force);
    std::string on, text;
    for (const std::string_view place : place_keys(kind.acts_on))
      on += (on.empty() ? "" : " \u2013 ") + text_of(force, place);
    for (const ForceKey& key : kind.keys) {
      const ForceValue* const value = force.find(key.name);
      const std::string said = value == nullptr ? "" : stated(key, *value);
      if (!said.empty()) text += (text.empty() ? "" : "; ") + said;
    }
    rows.push_back({force.name, force.type, on, text});
  }
  return text_table("Forces", {"force", "kind", "acts on", "values"}, std::move(rows));
}

Json constraint_table(const Model& model) {
  Json rows = Json::array();
  for (const Constraint& c : model.constraints) {
    const bool is_stated = has_value(kind_of(c)) || is_expression(kind_of(c).of);
    rows.push_back({c.name, c.type, c.first + (c.second.empty() ? "" : " \u2013 " + c.second),
                    is_stated ? stated(c.value) : "", c.at_start ? "at the start only" : ""});
  }
  return text_table("Constraints", {"constraint", "kind", "of", "value", ""}, std::move(rows));
}

Json state_table(const Model& model) {
  Json rows = Json::array();
  for (const State& state : model.states)
    rows.push_back({state.name,
                    is_sampled(state) ? stated(state.next) + " every " + to_text(state.every) + " s"
                    : is_held(model, state) ? "set by events"
                                            : stated(state.rate),
                    stated(state.initial), state.unit, state.description});
  for (const Force& force : model.forces)
    for (const ForceState& state : states_of(model, force))
      rows.push_back({force.name + "." + std::string(state.name), "of " + force.name,
                      text_of(force, state.initial), "", ""});
  return text_table("States", {"state", "rate or next", "initial", "unit", ""}, std::move(rows));
}

Json event_table(const Model& model) {
  Json rows = Json::array();
  for (const Event& event : model.events) {
    std::string changes = event.restitution ? "impact, restitution " + stated(*event.restitution)
                          : event.impulse   ? "impulse " + stated(*event.impulse)
                                            : "";
    if (event.along) changes += " along " + stated(*event.along);
    for (const auto& [state, next] : event.set)
      changes += (changes.empty() ? "" : "; ") + state + " = " + stated(next);
    rows.push_back({event.name,
                    stated(event.when) + " passes 0" +
                        (event.direction == Passages::falling  ? " falling"
                         : event.direction == Passages::rising ? " rising"
                                                               : "") +
                        (event.condition ? " while " + stated(*event.condition) + " > 0" : ""),
                    changes, event.description});
  }
  return text_table("Events", {"event", "when", "changes", ""}, std::move(rows));
}

// The unit of a result that is called so, or whose first component is; none if nothing is known.
std::string unit_of(const std::vector<NamedUnit>& results, const std::string& name) {
  for (const NamedUnit& result : results)
    if (result.name == name || result.name.starts_with(name + ".")) return result.unit;
  return "";
}

Json observation_table(const Model& model, const Result& start) {
  Json rows = Json::array();
  for (const Sensor& sensor : model.sensors)
    rows.push_back({sensor.name, "sensor, " + sensor.type,
                    sensor.target + (sensor.second.empty() ? "" : " \u2013 " + sensor.second),
                    unit_of(start.sensor_components, sensor.name)});
  for (const Objective& objective : model.objectives) {
    const std::string kind(keys::objective.at(static_cast<std::size_t>(objective.kind)).name);
    const bool squares = !objective.residuals.empty();
    rows.push_back(
        {objective.name, "objective, " + kind,
         squares ? "squares of " + joined(objective.residuals) : objective.expression,
         objective.unit.empty() ? unit_of(start.objectives, objective.name) : objective.unit});
  }
  return text_table("Sensors and objectives", {"name", "kind", "of", "unit"}, std::move(rows));
}

Json parameter_table(const Model& model, const Description& d) {
  if (model.parameters.empty()) return nullptr;
  constexpr std::size_t most_touched = 6;
  Json rows = Json::array();
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const Parameter& parameter = model.parameters[k];
    std::vector<std::string> touched;
    if (const auto found = d.touches.find(parameter.name); found != d.touches.end())
      touched = found->second;
    const std::size_t more = touched.size() - std::min(touched.size(), most_touched);
    touched.resize(touched.size() - more);
    std::string bounds;
    if (parameter.bounds)
      bounds = rounded_text((*parameter.bounds)[0], 6) + " to " +
               rounded_text((*parameter.bounds)[1], 6);
    rows.push_back({parameter.name, number(d.parameter_values.at(k)), parameter.unit, bounds,
                    joined(touched) + (more > 0 ? " and " + std::to_string(more) + " more" : ""),
                    parameter.description});
  }
  Json block = table("Parameters",
                     {{"parameter", "", true},
                      {"value", ""},
                      {"unit", "", true},
                      {"bounds", "", true},
                      {"touches", "", true},
                      {"", "", true}},
                     std::move(rows));
  block["wide"] = true;
  return block;
}

}  // namespace
}  // namespace gradus::report

namespace gradus {

ModelPage write_model_page(const Model& model, const std::filesystem::path& file) {
  using namespace report;  // NOLINT: all of the page comes from there
  const Description d = describe(model);
  const Pose pose = pose_of(model);
  std::vector<Json> parts{start_notice(pose),

                          picture_block(pose),
                          freedom_facts(d),
                          analysis_facts(model, pose.start),
                          body_table(model),
                          joint_table(model, d),
                          coordinate_table(pose, d),
                          force_table(model),
                          state_table(model),
                          event_table(model),
                          constraint_table(model),
                          observation_table(model, pose.start),
                          parameter_table(model, d)};
  Json blocks = Json::array();
  for (Json& block : parts)
    if (!block.is_null()) blocks.push_back(std::move(block));
  results::write_file(file, html_page({{"title", model.name},
                                       {"subtitle", "gradus " + version() + ", model"},
                                       {"description", model.description},
                                       {"blocks", std::move(blocks)}}));
  return {pose.kind == Pose::Kind::start, pose.problem};
}

}  // namespace gradus
