// From a model to its plan: tree order, slots, features, loops, forces, sensors, and what each
// parameter touches.
#include <algorithm>
#include <array>
#include <map>

#include "gradus/error.hpp"
#include "src/model/scope.hpp"
#include "src/plan/joint_frame.hpp"
#include "src/plan/plan.hpp"
#include "src/plan/slot_table.hpp"
#include "src/plan/touches.hpp"
#include "src/plan/tree_order.hpp"

namespace gradus {
namespace {

using expression::Node;
using Nodes3 = std::array<Node, 3>;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

class Builder {
 public:
  Builder(const Model& model, Reference reference, const std::string& origin)
      : model_(model),
        origin_(origin),
        references_(model),
        scope_(graph_, model, origin),
        slots_(graph_),
        order_(order_tree(model, references_)) {
    plan_.reference = reference;
    plan_.nominal = nominal_parameters(model, origin);
  }

  Plan build() {
    plan_.gravity_slot = add_vector(model_.gravity, "/gravity");
    for (int i = 0; i < static_cast<int>(order_.body.size()); ++i) add_body(i);
    for (const Joint& loop : model_.loops) add_loop(loop);
    for (const SpringDamper& spring : model_.springs) add_spring(spring);
    for (const Sensor& sensor : model_.sensors) add_sensor(sensor);
    add_objectives();
    check_closure();
    plan_.slot_count = slots_.size();
    plan_.slot_program = slots_.program();
    add_partials(plan_, slots_);
    return std::move(plan_);
  }

 private:
  std::string where(const std::string& path) const { return origin_ + ": " + path; }

  Nodes3 nodes(const Vector3& v, const std::string& path) {
    return vector(graph_, v, scope_, where(path));
  }
  int add_vector(const Vector3& v, const std::string& path) { return slots_.add(nodes(v, path)); }
  int add_number(const Number& n, const std::string& path) {
    const std::array<Node, 1> node{number(graph_, n, scope_, where(path))};
    return slots_.add(node);
  }

  int position_of(const PointReference& point) const {
    return point.body == ground_body ? -1 : order_.place[index(point.body)];
  }
  // Slots of a point in the axes of its body.
  int point_slot(const PointReference& point, const std::string& path) {
    return add_vector(point.place != nullptr ? *point.place : Vector3{0, 0, 0}, path);
  }

  void add_body(int i) {
    const Body& body = model_.bodies[index(order_.body[index(i)])];
    const Joint& joint = model_.joints[index(order_.joint[index(i)])];
    const std::string path = "/joints/" + joint.name;
    kernels::BodyEntry entry{};
    entry.parent = order_.parent[index(i)];
    entry.end = order_.end[index(i)];
    entry.joint = joint.type == JointType::revolute ? kernels::JointKind::revolute
                                                    : kernels::JointKind::prismatic;
    entry.first_coordinate = plan_.coordinate_count();
    entry.coordinate_count = gradus::coordinate_count(joint.type);
    entry.upstream_coordinate =
        entry.parent < 0 ? -1 : plan_.bodies[index(entry.parent)].tip_coordinate;
    add_mass(body, entry);
    entry.parent_point_slot =
        point_slot(references_.point(joint.parent, where(path + "/parent")), path + "/parent");
    entry.child_point_slot =
        point_slot(references_.point(joint.child, where(path + "/child")), path + "/child");
    const JointFrames frames = joint_frames(graph_, joint, scope_, plan_.nominal, where(path));
    entry.parent_frame_slot = slots_.add(frames.parent);
    entry.child_frame_slot = slots_.add(frames.child);
    add_coordinates(joint, i, entry);
    plan_.bodies.push_back(entry);
    plan_.body_names.push_back(body.name);
    plan_.joint_names.push_back(joint.name);
  }

  // Mass, centre of mass, and inertia moved to the centre of mass if it is given about another
  // point.
  void add_mass(const Body& body, kernels::BodyEntry& entry) {
    const std::string path = "/bodies/" + body.name;
    const Node mass = number(graph_, body.mass, scope_, where(path + "/mass"));
    const Nodes3 com = nodes(body.com, path + "/com");
    const Inertia& in = body.inertia;
    const auto at = [&](const Number& n, const char* key) {
      return number(graph_, n, scope_, where(path + "/inertia/" + key));
    };
    std::array<Node, 6> inertia{at(in.xx, "xx"), at(in.yy, "yy"), at(in.zz, "zz"),
                                at(in.xy, "xy"), at(in.xz, "xz"), at(in.yz, "yz")};
    if (in.about != "com") {
      const auto point = body.points.find(in.about);
      const Nodes3 p = nodes(point->second, path + "/points/" + in.about);
      Nodes3 s{};
      for (std::size_t k = 0; k < 3; ++k) s[k] = graph_.subtract(com[k], p[k]);
      const auto product = [&](std::size_t a, std::size_t b) {
        return graph_.multiply(mass, graph_.multiply(s[a], s[b]));
      };
      const Node xx = product(0, 0);
      const Node yy = product(1, 1);
      const Node zz = product(2, 2);
      inertia[0] = graph_.subtract(inertia[0], graph_.add(yy, zz));
      inertia[1] = graph_.subtract(inertia[1], graph_.add(xx, zz));
      inertia[2] = graph_.subtract(inertia[2], graph_.add(xx, yy));
      inertia[3] = graph_.add(inertia[3], product(0, 1));
      inertia[4] = graph_.add(inertia[4], product(0, 2));
      inertia[5] = graph_.add(inertia[5], product(1, 2));
    }
    entry.mass_slot = slots_.add(std::array<Node, 1>{mass});
    entry.com_slot = slots_.add(com);
    entry.inertia_slot = slots_.add(inertia);
  }

  void add_coordinates(const Joint& joint, int body, kernels::BodyEntry& entry) {
    const bool angle = joint.type == JointType::revolute;
    int upstream = entry.upstream_coordinate;
    for (int k = 0; k < entry.coordinate_count; ++k) {
      const CoordinateStart start =
          index(k) < joint.start.size() ? joint.start[index(k)] : CoordinateStart{};
      const std::string path = "/joints/" + joint.name + "/initial/";
      if (start.velocity_is_guess && !start.position_is_guess)
        throw InputError(
            where(path + "velocity") +
            ": found a guess where the position is a held value; hold both or guess both");
      kernels::CoordinateEntry c{};
      c.body = body;
      c.upstream = upstream;
      c.independent = start.position_is_guess ? -1 : plan_.independent_count++;
      c.position_slot = add_number(start.position, path + "position");
      c.velocity_slot =
          start.position_is_guess ? -1 : add_number(start.velocity, path + "velocity");
      upstream = plan_.coordinate_count();
      plan_.coordinates.push_back(c);
      plan_.coordinate_names.push_back({joint.name, angle ? "rad" : "m"});
    }
    entry.tip_coordinate = upstream;
  }

  int feature(int body, int slot, bool is_point) {
    for (std::size_t f = 0; f < plan_.features.size(); ++f) {
      const kernels::FeatureEntry& known = plan_.features[f];
      if (known.body == body && known.slot == slot && (known.is_point != 0) == is_point)
        return static_cast<int>(f);
    }
    plan_.features.push_back({body, slot, is_point ? 1 : 0});
    return static_cast<int>(plan_.features.size()) - 1;
  }
  int point_feature(const std::string& text, const std::string& path) {
    const PointReference point = references_.point(text, where(path));
    return feature(position_of(point), point_slot(point, path), true);
  }

  void add_constraint(kernels::ConstraintKind kind, std::array<int, 3> features,
                      const std::string& name) {
    kernels::ConstraintEntry entry{};
    entry.kind = kind;
    std::copy(features.begin(), features.end(), entry.feature);
    entry.row = plan_.constraint_rows;
    const int count = kind == kernels::ConstraintKind::difference ? 2 : 3;
    add_touches(plan_, entry.feature, count, entry.touch_begin, entry.touch_end);
    plan_.constraint_rows += 3;
    plan_.constraints.push_back(entry);
    plan_.loop_names.push_back(name);
  }

  // Closure equations of a cut joint: docs/theory.md, section 6.
  void add_loop(const Joint& loop) {
    const std::string path = "/loops/" + loop.name;
    const int parent = position_of(references_.point(loop.parent, where(path + "/parent")));
    const int child = position_of(references_.point(loop.child, where(path + "/child")));
    const int parent_point = point_feature(loop.parent, path + "/parent");
    const int child_point = point_feature(loop.child, path + "/child");
    const JointFrames frames = joint_frames(graph_, loop, scope_, plan_.nominal, where(path));
    const auto direction = [&](int body, const FrameNodes& frame, int column) {
      return feature(body, slots_.add(frame_column(frame, column)), false);
    };
    const int parent_axis = direction(parent, frames.parent, 0);
    const int child_axis = direction(child, frames.child, 0);
    using kernels::ConstraintKind;
    if (loop.type == JointType::revolute) {
      add_constraint(ConstraintKind::difference, {child_point, parent_point, -1}, loop.name);
      add_constraint(ConstraintKind::difference, {child_axis, parent_axis, -1}, loop.name);
      return;
    }
    add_constraint(ConstraintKind::difference, {child_axis, parent_axis, -1}, loop.name);
    add_constraint(ConstraintKind::alignment, {child_axis, child_point, parent_point}, loop.name);
    add_constraint(ConstraintKind::difference,
                   {direction(child, frames.child, 1), direction(parent, frames.parent, 1), -1},
                   loop.name);
  }

  void add_spring(const SpringDamper& spring) {
    const std::string path = "/forces/" + spring.name;
    kernels::SpringEntry entry{};
    entry.from = point_feature(spring.from, path + "/from");
    entry.to = point_feature(spring.to, path + "/to");
    const std::array<Node, 3> constants{
        number(graph_, spring.stiffness, scope_, where(path + "/stiffness")),
        number(graph_, spring.damping, scope_, where(path + "/damping")),
        number(graph_, spring.length, scope_, where(path + "/length"))};
    entry.slot = slots_.add(constants);
    const int ends[2] = {entry.from, entry.to};
    add_touches(plan_, ends, 2, entry.touch_begin, entry.touch_end);
    plan_.springs.push_back(entry);
    plan_.spring_names.push_back(spring.name);
  }

  void add_sensor(const Sensor& sensor) {
    using kernels::SignalKind;
    const std::string path = "/sensors/" + sensor.name;
    kernels::SensorEntry entry{};
    entry.signal = plan_.signal_count;
    entry.size = sensor_size(model_, sensor);
    std::string unit;
    switch (sensor.kind) {
      case SensorKind::position:
      case SensorKind::velocity:
      case SensorKind::acceleration:
        entry.kind = static_cast<SignalKind>(sensor.kind);
        entry.index = point_feature(sensor.target, path);
        unit = sensor.kind == SensorKind::position   ? "m"
               : sensor.kind == SensorKind::velocity ? "m/s"
                                                     : "m/s^2";
        break;
      case SensorKind::coordinate:
      case SensorKind::rate:
      case SensorKind::coordinate_acceleration: {
        entry.kind = static_cast<SignalKind>(sensor.kind);
        const int joint = references_.joint(sensor.target, where(path));
        const auto body = std::find(order_.joint.begin(), order_.joint.end(), joint);
        entry.index =
            plan_.bodies[static_cast<std::size_t>(body - order_.joint.begin())].first_coordinate;
        unit = plan_.coordinate_names[index(entry.index)].unit;
        if (sensor.kind == SensorKind::rate) unit += "/s";
        if (sensor.kind == SensorKind::coordinate_acceleration) unit += "/s^2";
        break;
      }
      case SensorKind::energy:
        entry.kind = sensor.target == "kinetic"     ? SignalKind::kinetic_energy
                     : sensor.target == "potential" ? SignalKind::potential_energy
                                                    : SignalKind::total_energy;
        unit = "J";
        break;
    }
    for (int k = 0; k < entry.size; ++k) {
      const std::string component = entry.size == 3   ? std::string(".") + "xyz"[k]
                                    : entry.size == 1 ? ""
                                                      : "." + std::to_string(k);
      plan_.signal_names.push_back({sensor.name + component, unit});
    }
    plan_.signal_count += entry.size;
    plan_.sensors.push_back(entry);
  }

  void add_objectives() {
    expression::Graph graph;
    const ObjectiveScope scope(graph, model_, origin_);
    std::vector<Node> outputs;
    for (const Objective& objective : model_.objectives) {
      outputs.push_back(expression::parse_scalar(graph, objective.expression, scope,
                                                 where("/objectives/" + objective.name)));
      kernels::ObjectiveEntry entry{};
      entry.output = static_cast<int>(outputs.size()) - 1;
      entry.terminal = objective.kind == ObjectiveKind::terminal ? 1 : 0;
      entry.sensor_begin = static_cast<int>(plan_.objective_sensors.size());
      add_objective_sensors(graph.inputs_of(outputs.back()), scope);
      entry.sensor_end = static_cast<int>(plan_.objective_sensors.size());
      plan_.objectives.push_back(entry);
    }
    plan_.objective_program = expression::compile(graph, outputs);
  }

  // Sensors any component of which is among the inputs of an objective.
  void add_objective_sensors(const std::vector<int>& inputs, const ObjectiveScope& scope) {
    for (std::size_t s = 0; s < model_.sensors.size(); ++s) {
      const int first = scope.sensor_input(s);
      const int size = plan_.sensors[s].size;
      const bool used = std::any_of(inputs.begin(), inputs.end(),
                                    [&](int i) { return i >= first && i < first + size; });
      if (!used) continue;
      plan_.objective_sensors.push_back(static_cast<int>(s));
      if (model_.sensors[s].kind == SensorKind::energy) plan_.uses_energy = true;
    }
  }

  // Held coordinates and loops must fit: what is left free is what the loops determine.
  void check_closure() const {
    const int guesses = plan_.constraint_rank();
    if (guesses > 0 && plan_.constraints.empty())
      throw InputError(
          where("/joints") + ": " + std::to_string(guesses) +
          " initial position(s) are guesses, but the model has no loops that could determine "
          "them; give values instead");
    if (guesses == 0 && !plan_.constraints.empty())
      throw InputError(
          where("/loops/" + plan_.loop_names.front()) +
          ": all initial positions are held values, so nothing is left to close the loop; make "
          "as many of them {\"guess\": ...} as the loops determine");
    if (guesses > plan_.constraint_rows)
      throw InputError(where("/joints") + ": " + std::to_string(guesses) +
                       " initial positions are guesses, but the loops give only " +
                       std::to_string(plan_.constraint_rows) + " equations; hold more of them");
  }

  const Model& model_;
  const std::string& origin_;
  References references_;
  expression::Graph graph_;
  ModelScope scope_;
  SlotTable slots_;
  TreeOrder order_;
  Plan plan_;
};

}  // namespace

Plan build_plan(const Model& model, Reference reference, const std::string& origin) {
  return Builder(model, reference, origin).build();
}

}  // namespace gradus
