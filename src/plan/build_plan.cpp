// From a model to its plan: tree order, slots, features, loops, forces, sensors, and what each
// parameter touches.
#include <algorithm>
#include <array>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/spanning_tree.hpp"
#include "src/plan/draft.hpp"
#include "src/plan/joint_frame.hpp"

namespace gradus {
namespace {

using expression::Node;

class Builder {
 public:
  Builder(const SpanningTree& tree, Reference reference, const std::string& origin,
          const Extension& extension)
      : tree_(tree),
        extension_(extension),
        draft_(tree.model, reference, origin, extension.inputs),
        model_(draft_.model),
        plan_(draft_.plan),
        graph_(draft_.graph) {}

  Plan build() {
    plan_.gravity_slot = draft_.add_vector(model_.gravity, "/gravity");
    for (int i = 0; i < static_cast<int>(draft_.order.body.size()); ++i) add_body(i);
    add_constraints(draft_);
    add_forces(draft_);
    add_sensors(draft_, tree_.reversed);
    add_objectives(draft_, extension_.weighted);
    settle_start();
    if (!extension_.start_state.empty()) hold_given_start();
    plan_.slot_count = draft_.slots.size();
    plan_.slot_program = draft_.slots.program();
    add_partials(plan_, draft_.slots);
    return std::move(plan_);
  }

 private:
  std::string where(const std::string& path) const { return draft_.where(path); }

  void add_body(int i) {
    const Body& body = model_.bodies[index(draft_.order.body[index(i)])];
    const Joint& joint = model_.joints[index(draft_.order.joint[index(i)])];
    const std::string path = "/joints/" + joint.name;
    kernels::BodyEntry entry{};
    entry.parent = draft_.order.parent[index(i)];
    entry.end = draft_.order.end[index(i)];
    entry.joint = static_cast<kernels::JointKind>(joint.type);
    entry.first_coordinate = plan_.coordinate_count();
    entry.coordinate_count = gradus::coordinate_count(joint.type);
    entry.upstream_coordinate =
        entry.parent < 0 ? -1 : plan_.bodies[index(entry.parent)].tip_coordinate;
    add_mass(body, entry);
    entry.parent_point_slot = draft_.point_slot(
        draft_.references.point(joint.parent, where(path + "/parent")), path + "/parent");
    entry.child_point_slot = draft_.point_slot(
        draft_.references.point(joint.child, where(path + "/child")), path + "/child");
    const JointFrames frames =
        joint_frames(graph_, joint, draft_.scope, plan_.nominal, where(path));
    entry.parent_frame_slot = draft_.slots.add(frames.parent);
    entry.child_frame_slot = draft_.slots.add(frames.child);
    add_coordinates(joint, i, entry);
    plan_.bodies.push_back(entry);
    plan_.body_names.push_back(body.name);
    plan_.joint_names.push_back(joint.name);
  }

  // Mass, centre of mass, and inertia moved to the centre of mass if it is given about another
  // point.
  void add_mass(const Body& body, kernels::BodyEntry& entry) {
    const std::string path = "/bodies/" + body.name;
    const Node mass = number(graph_, body.mass, draft_.scope, where(path + "/mass"));
    const Nodes3 com = draft_.nodes(body.com, path + "/com");
    const Inertia& in = body.inertia;
    const auto at = [&](const Number& n, const char* key) {
      return number(graph_, n, draft_.scope, where(path + "/inertia/" + key));
    };
    std::array<Node, 6> inertia{at(in.xx, "xx"), at(in.yy, "yy"), at(in.zz, "zz"),
                                at(in.xy, "xy"), at(in.xz, "xz"), at(in.yz, "yz")};
    if (in.about != "com") {
      const auto point = body.points.find(in.about);
      const Nodes3 p = draft_.nodes(point->second, path + "/points/" + in.about);
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
    entry.mass_slot = draft_.slots.add(std::array<Node, 1>{mass});
    entry.com_slot = draft_.slots.add(com);
    entry.inertia_slot = draft_.slots.add(inertia);
  }

  void add_coordinates(const Joint& joint, int body, kernels::BodyEntry& entry) {
    const std::vector<CoordinateStart> starts = start_of(joint);
    const int euler = first_euler_parameter(joint.type);
    const int first = plan_.coordinate_count();
    entry.euler = euler < 0 ? -1 : first + euler;
    int upstream = entry.upstream_coordinate;
    for (int k = 0; k < entry.coordinate_count; ++k) {
      add_coordinate(joint, k, starts[index(k)], body, upstream);
      upstream = plan_.coordinate_count() - 1;
      if (euler >= 0 && k >= euler) plan_.coordinates.back().euler = entry.euler;
    }
    entry.tip_coordinate = upstream;
    hold_start(starts, first, entry);
    if (euler >= 0)
      draft_.add_constraint(kernels::ConstraintKind::normalisation, {entry.euler, -1, -1},
                            joint.name);
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
    c.position_slot = draft_.add_number(start.position, path + "position");
    c.velocity_slot = draft_.add_number(start.velocity, path + "velocity");
    plan_.coordinates.push_back(c);
    const bool single = gradus::coordinate_count(joint.type) == 1;
    plan_.coordinate_names.push_back({single ? joint.name : joint.name + "." + std::to_string(k),
                                      std::string(coordinates_of(joint.type)[index(k)].unit)});
  }

  // What the model states for certain is held; the rest are guesses.
  void hold_start(const std::vector<CoordinateStart>& starts, int first,
                  const kernels::BodyEntry& entry) {
    for (int k = 0; k < entry.coordinate_count; ++k) {
      const bool guess = starts[index(k)].position_is_guess;
      const int c = first + k;
      if (plan_.coordinates[index(c)].euler < 0) {
        (guess ? plan_.guesses : plan_.held_rows).push_back({c, -1});
      } else if (c == entry.euler) {
        for (int turn = 0; turn < 3; ++turn)
          (guess ? plan_.guesses : plan_.held_rows).push_back({c, turn});
      }
    }
  }

  // Held coordinates and loops must fit: what is left free is what the loops determine.
  // Without loops everything is held. With them the constraints take their share of the guesses.
  void settle_start() {
    const auto closes = [](const kernels::ConstraintEntry& e) {
      return e.kind != kernels::ConstraintKind::normalisation;
    };
    const bool loops = std::any_of(plan_.constraints.begin(), plan_.constraints.end(), closes);
    if (loops && plan_.guesses.empty() && !plan_.coordinates.empty())
      throw InputError(where((model_.constraints.empty() ? "/loops/" : "/constraints/") +
                             plan_.constraint_names.back()) +
                       ": all initial positions are held values, so nothing is left to " +
                       (model_.constraints.empty() ? "close the loop" : "satisfy the constraint") +
                       "; make as many of them {\"guess\": ...} as the " +
                       (model_.constraints.empty() ? "loops" : "constraints") + " determine");
    if (!loops) plan_.hold(std::exchange(plan_.guesses, {}));
    plan_.hold({});
  }

  // What the extension says is held; the rest are guesses.
  void hold_given_start() {
    const auto is_held = [&](const HeldRow& row) {
      return std::any_of(extension_.held.begin(), extension_.held.end(), [&](const HeldRow& held) {
        return held.coordinate == row.coordinate && held.turn == row.turn;
      });
    };
    std::vector<HeldRow> rows = std::exchange(plan_.held_rows, {});
    rows.insert(rows.end(), plan_.guesses.begin(), plan_.guesses.end());
    plan_.guesses.clear();
    for (const HeldRow& row : rows) (is_held(row) ? plan_.held_rows : plan_.guesses).push_back(row);
    plan_.hold({});
  }

  const SpanningTree& tree_;
  const Extension& extension_;
  Draft draft_;
  const Model& model_;
  Plan& plan_;
  expression::Graph& graph_;
};

}  // namespace

Plan build_plan(const Model& model, Reference reference, const std::string& origin,
                const Extension& extension) {
  SpanningTree tree = spanning_tree(model, origin);
  const std::size_t stated = row_count(model.objectives);
  extend(tree.model, extension);
  Plan plan = Builder(tree, reference, origin, extension).build();
  plan.stated_objectives = stated;
  return plan;
}

}  // namespace gradus
