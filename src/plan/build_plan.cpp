// From a model to its plan: tree order, slots, features, loops, forces, sensors, and what each
// parameter touches.
#include <algorithm>
#include <array>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/keys.hpp"
#include "src/model/rigid_groups.hpp"
#include "src/model/states.hpp"
#include "src/plan/draft.hpp"
#include "src/plan/rate_constraint.hpp"

namespace gradus {
namespace {

using expression::Node;

class Builder : private Draft {
 public:
  using Draft::Draft;

  Plan build(const Extension& extension) {
    plan.from_equilibrium = model.start == keys::equilibrium ? 1 : 0;
    plan.state_count = static_cast<int>(states_of(model).size());
    plan.gravity_slot = add_vector(model.gravity, "/gravity");
    for (int i = 0; i < static_cast<int>(order.body.size()); ++i) add_body(i);
    add_inertia_tolerances();
    add_constraints(*this);
    add_forces(*this);
    add_rate_constraints(*this);
    add_followed_states(*this);
    add_samples(*this);
    add_events(*this);
    add_turn_counts(*this);
    add_resting_states(*this);
    add_sensors(*this);
    add_objectives(*this, extension.weighted);
    const bool given = !extension.start_state.empty();
    settle_start(given || plan.from_equilibrium != 0);
    if (given) hold_given_start(extension.held);
    plan.slot_count = slots.size();
    plan.slot_program = slots.program();
    plan.time_laws = time_laws.finish();
    add_partials(plan, slots);
    return std::move(plan);
  }

 private:
  std::vector<Node> mass_, inertia_terms_;  // [body]; the latter: what the trace is the sum of

  void add_body(int i) {
    const Body& body = model.bodies[index(order.body[index(i)])];
    const Joint& joint = model.joints[index(order.joint[index(i)])];
    const std::string path = "/joints/" + joint.name;
    kernels::BodyEntry entry{};
    entry.parent = order.parent[index(i)];
    entry.end = order.end[index(i)];
    entry.joint = static_cast<kernels::JointKind>(joint.type);
    entry.first_coordinate = plan.coordinate_count();
    entry.coordinate_count = gradus::coordinate_count(joint.type);
    entry.upstream_coordinate =
        entry.parent < 0 ? -1 : plan.bodies[index(entry.parent)].tip_coordinate;
    add_mass(body, entry);
    entry.parent_point_slot =
        point_slot(references.point(joint.parent, where(path + "/parent")), path + "/parent");
    entry.child_point_slot =
        point_slot(references.point(joint.child, where(path + "/child")), path + "/child");
    const JointFrames frames = joint_frames(*this, joint, path);
    entry.parent_frame_slot = slots.add(frames.parent);
    entry.child_frame_slot = slots.add(frames.child);
    add_coordinates(joint, i, entry);
    plan.bodies.push_back(entry);
    plan.body_names.push_back(body.name);
    plan.joint_names.push_back(joint.name);
  }

  // Mass, centre of mass, and inertia moved to the centre of mass if it is given about another
  // point.
  void add_mass(const Body& body, kernels::BodyEntry& entry) {
    const std::string path = "/bodies/" + body.name;
    const Node mass = node(body.mass, path + "/mass");
    const Nodes3 com = nodes(body.com, path + "/com");
    const Inertia& in = body.inertia;
    const auto at = [&](const Number& n, const char* key) {
      return node(n, path + "/inertia/" + key);
    };
    std::array<Node, 6> inertia{at(in.xx, "xx"), at(in.yy, "yy"), at(in.zz, "zz"),
                                at(in.xy, "xy"), at(in.xz, "xz"), at(in.yz, "yz")};
    Node terms = graph.apply(expression::Operation::absolute,
                             graph.add(inertia[0], graph.add(inertia[1], inertia[2])));
    if (in.about != "com") {
      const auto point = body.points.find(in.about);
      const Nodes3 p = nodes(point->second, path + "/points/" + in.about);
      Nodes3 s{};
      for (std::size_t k = 0; k < 3; ++k) s[k] = graph.subtract(com[k], p[k]);
      const auto product = [&](std::size_t a, std::size_t b) {
        return graph.multiply(mass, graph.multiply(s[a], s[b]));
      };
      const Node xx = product(0, 0);
      const Node yy = product(1, 1);
      const Node zz = product(2, 2);
      terms =
          graph.add(terms, graph.multiply(graph.constant(2.0), graph.add(xx, graph.add(yy, zz))));
      inertia[0] = graph.subtract(inertia[0], graph.add(yy, zz));
      inertia[1] = graph.subtract(inertia[1], graph.add(xx, zz));
      inertia[2] = graph.subtract(inertia[2], graph.add(xx, yy));
      inertia[3] = graph.add(inertia[3], product(0, 1));
      inertia[4] = graph.add(inertia[4], product(0, 2));
      inertia[5] = graph.add(inertia[5], product(1, 2));
    }
    entry.mass_slot = slots.add(std::array{mass});
    entry.com_slot = slots.add(com);
    entry.inertia_slot = slots.add(inertia);
    mass_.push_back(mass);
    inertia_terms_.push_back(terms);
  }

  // What of negative principal moments of a design counts as round-off or printed digits, as it
  // does in the model (check_inertias).
  void add_inertia_tolerances() {
    const std::vector<std::size_t> groups = rigid_groups(model, references, origin);
    std::vector<Node> group_terms(groups.size(), graph.constant(0.0));
    const auto group_of = [&](std::size_t i) { return groups[index(order.body[i])]; };
    for (std::size_t i = 0; i < plan.bodies.size(); ++i)
      group_terms[group_of(i)] = graph.add(group_terms[group_of(i)], inertia_terms_[i]);
    const auto scaled = [&](double factor, Node node) {
      return graph.multiply(graph.constant(factor), node);
    };
    constexpr double radius = kSmallestRadiusOfGyration;
    for (std::size_t i = 0; i < plan.bodies.size(); ++i) {
      const Node printed = graph.add(scaled(0.5 * kPrintedInertia, group_terms[group_of(i)]),
                                     scaled(radius * radius, mass_[i]));
      plan.bodies[i].inertia_tolerance_slot = slots.add(std::array{graph.apply(
          expression::Operation::maximum, printed, scaled(kInertiaRoundOff, inertia_terms_[i]))});
    }
  }

  void add_coordinates(const Joint& joint, int body, kernels::BodyEntry& entry) {
    const std::vector<CoordinateStart> starts = start_of(joint);
    const int euler = first_euler_parameter(joint.type);
    const int first = plan.coordinate_count();
    entry.euler = euler < 0 ? -1 : first + euler;
    int upstream = entry.upstream_coordinate;
    for (int k = 0; k < entry.coordinate_count; ++k) {
      add_coordinate(joint, k, starts[index(k)], body, upstream);
      upstream = plan.coordinate_count() - 1;
      if (euler >= 0 && k >= euler) plan.coordinates.back().euler = entry.euler;
    }
    entry.tip_coordinate = upstream;
    hold_start(starts, first, entry);
    if (euler >= 0)
      add_constraint(kernels::ConstraintKind::normalisation, {entry.euler, -1, -1}, joint.name);
  }

  void add_coordinate(const Joint& joint, int k, const CoordinateStart& start, int body,
                      int upstream) {
    const std::string path = "/joints/" + joint.name + "/initial/";
    if (start.velocity_is_guess && !start.position_is_guess)
      throw InputError(
          where(path + "velocity") +
          ": found a guess where the position is a held value; hold both or guess both");
    kernels::CoordinateEntry c{};
    c.body = body;
    c.upstream = upstream;
    c.euler = -1;
    c.position_slot = add_number(start.position, path + "position");
    c.velocity_slot = add_number(start.velocity, path + "velocity");
    c.start_rate = -1;
    plan.coordinates.push_back(c);
    for (const std::string& state : states_of(model))
      if (joint.name == disc_of_state(state)) {
        const std::string unit = unit_of_state(state);
        if (is_followed(state)) {
          plan.coordinate_names.push_back({joint.name, unit});
          return;
        }
        const bool is_product = unit.find_first_of("/ ") != std::string::npos;
        plan.coordinate_names.push_back({joint.name, unit == "1"  ? "s"
                                                     : is_product ? "(" + unit + ") s"
                                                                  : unit + " s"});
        return;
      }
    const bool single = gradus::coordinate_count(joint.type) == 1;
    plan.coordinate_names.push_back({single ? joint.name : joint.name + "." + std::to_string(k),
                                     std::string(coordinates_of(joint.type)[index(k)].unit)});
  }

  // What the model states for certain is held; the rest are guesses.
  void hold_start(const std::vector<CoordinateStart>& starts, int first,
                  const kernels::BodyEntry& entry) {
    for (int k = 0; k < entry.coordinate_count; ++k) {
      const bool guess = starts[index(k)].position_is_guess;
      const int c = first + k;
      if (plan.coordinates[index(c)].euler < 0) {
        (guess ? plan.guesses : plan.held_rows).push_back({c, -1});
      } else if (c == entry.euler) {
        for (int turn = 0; turn < 3; ++turn)
          (guess ? plan.guesses : plan.held_rows).push_back({c, turn});
      }
    }
  }

  // Held coordinates and loops must fit: what is left free is what the loops determine.
  // Without loops everything is held. With them the constraints take their share of the guesses,
  // and of all positions where these give way.
  void settle_start(bool gives_way) {
    const bool loops = std::any_of(plan.constraints.begin(), plan.constraints.end(),
                                   [](const kernels::ConstraintEntry& e) {
                                     return e.kind != kernels::ConstraintKind::normalisation;
                                   });
    if (loops && !gives_way && plan.guesses.empty() && !plan.coordinates.empty()) {
      const std::string& name = plan.constraint_names.back();
      const auto is_among = [&](const auto& elements) {
        return std::any_of(elements.begin(), elements.end(),
                           [&](const auto& element) { return element.name == name; });
      };
      const bool cut = is_among(model.loops);
      const std::string place = cut                      ? "/loops/"
                                : is_among(model.forces) ? "/forces/"
                                                         : "/constraints/";
      throw InputError(where(place + name) +
                       ": all initial positions are held values, so nothing is left to " +
                       (cut ? "close the loop" : "satisfy the constraint") +
                       "; make as many of them {\"guess\": ...} as the " +
                       (cut ? "loops" : "constraints") + " determine");
    }
    if (!loops) plan.hold(std::exchange(plan.guesses, {}));
    plan.hold({});
  }

  // What the extension says is held; the rest are guesses.
  void hold_given_start(const std::vector<HeldRow>& held_rows) {
    const auto is_held = [&](const HeldRow& row) {
      return std::any_of(held_rows.begin(), held_rows.end(), [&](const HeldRow& held) {
        return held.coordinate == row.coordinate && held.turn == row.turn;
      });
    };
    std::vector<HeldRow> rows = std::exchange(plan.held_rows, {});
    rows.insert(rows.end(), plan.guesses.begin(), plan.guesses.end());
    plan.guesses.clear();
    for (const HeldRow& row : rows) (is_held(row) ? plan.held_rows : plan.guesses).push_back(row);
    plan.hold({});
  }
};

}  // namespace

Plan build_plan(const Model& model, Reference reference, const std::string& origin,
                const Extension& extension) {
  return build_plan(spanning_tree(with_discs(model), origin), reference, origin, extension);
}

Plan build_plan(SpanningTree tree, Reference reference, const std::string& origin,
                const Extension& extension) {
  const std::size_t stated = row_count(tree.model.objectives);
  extend(tree.model, extension);
  Plan plan = Builder(tree, reference, origin, extension.inputs).build(extension);
  plan.stated_objectives = stated;
  return plan;
}

}  // namespace gradus
