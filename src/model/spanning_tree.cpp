// The spanning tree as the cheapest arborescence of a graph of bodies and joints.
#include "src/model/spanning_tree.hpp"
#include "src/model/constraint_kind.hpp"

#include <algorithm>
#include <unordered_set>

#include "src/model/arborescence.hpp"
#include "src/model/force_kind.hpp"
#include "src/model/joint_types.hpp"
#include "src/model/message.hpp"
#include "src/model/reference.hpp"
#include "src/model/sensor_kind.hpp"

namespace gradus {
namespace {

constexpr int ground_vertex = 0;  // body i is vertex i + 1

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

struct Ends {
  int parent, child;  // vertices
};

bool may_be_cut(const Joint& joint) {
  return joint.type != JointType::floating && joint.cut != false;
}

bool may_be_kept(const Joint& joint) {
  return joint.cut != true;
}

// What keeping a joint costs beyond cutting it: unknowns, and the equations that are not needed.
int cost_of_keeping(JointType type) {
  const int norm = first_euler_parameter(type) >= 0 ? 1 : 0;
  return coordinate_count(type) + norm - closure_equation_count(type);
}

ArcCost joint_cost(const Joint& joint, int place, bool is_reversed) {
  return {may_be_cut(joint) ? 0 : -1,
          0,
          is_reversed && !is_reversible(joint.type) ? 1 : 0,
          cost_of_keeping(joint.type),
          joint.start.empty() ? 1 : 0,
          is_reversed ? 1 : 0,
          place};
}

ArcCost added_cost(int body) {
  return {0, 1, 0, 0, 0, 0, body};
}

Number negated(const Number& number) {
  if (number.is_expression()) return "-(" + number.expression() + ")";
  return number.value() == 0.0 ? 0.0 : -number.value();
}

Vector3 negated(const Vector3& vector) {
  return {negated(vector[0]), negated(vector[1]), negated(vector[2])};
}

class TreeBuilder {
 public:
  TreeBuilder(const Model& model, const std::string& origin) : model_(model), origin_(origin) {
    const References references(model);
    for (const Joint& joint : model.joints)
      ends_.push_back({references.point(joint.parent, where(joint, "/parent")).body + 1,
                       references.point(joint.child, where(joint, "/child")).body + 1});
  }

  SpanningTree build() {
    reject_floating_cuts();
    reject_uncuttable_chains();
    choose();
    assemble();
    reject_uses_of_cut_joints();
    return std::move(tree_);
  }

 private:
  enum class Role { cut, kept, reversed };

  std::string where(const Joint& joint, const std::string& key = "") const {
    return origin_ + ": /joints/" + joint.name + key;
  }
  int vertex_count() const { return static_cast<int>(model_.bodies.size()) + 1; }

  void reject_floating_cuts() const {
    for (const Joint& joint : model_.joints) {
      if (joint.type != JointType::floating || joint.cut != true) continue;
      reject(where(joint, "/cut"), "found true",
             "a floating joint leaves everything free: there is nothing to close",
             "remove \"cut\", or the joint");
    }
  }

  // Names of the joints along the only way from one vertex to another over `neighbours`.
  std::vector<std::string> names_between(
      int from, int to, const std::vector<std::vector<std::pair<int, int>>>& neighbours) const {
    std::vector<int> joint_to(neighbours.size(), -1), before(neighbours.size(), -1);
    std::vector<int> way{to};
    before[index(to)] = to;
    for (std::size_t k = 0; k < way.size(); ++k) {
      for (const auto& [joint, vertex] : neighbours[index(way[k])]) {
        if (before[index(vertex)] >= 0) continue;
        before[index(vertex)] = way[k];
        joint_to[index(vertex)] = joint;
        way.push_back(vertex);
      }
    }
    std::vector<std::string> names;
    for (int vertex = from; vertex != to; vertex = before[index(vertex)])
      names.push_back(model_.joints[index(joint_to[index(vertex)])].name);
    return names;
  }

  // Joints that may not be cut must not close a chain of their own.
  void reject_uncuttable_chains() const {
    std::vector<int> set(index(vertex_count()));
    for (int v = 0; v < vertex_count(); ++v) set[index(v)] = v;
    const auto find = [&set](int v) {
      while (set[index(v)] != v) v = set[index(v)] = set[index(set[index(v)])];
      return v;
    };
    std::vector<std::vector<std::pair<int, int>>> neighbours(set.size());
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const Joint& joint = model_.joints[j];
      const auto [parent, child] = ends_[j];
      if (may_be_cut(joint)) continue;
      if (find(parent) == find(child)) {
        std::vector<std::string> names = names_between(parent, child, neighbours);
        names.push_back(joint.name);
        reject(where(joint),
               "the joints " + quoted_list(names) + " form a closed chain and none may be cut",
               "\"cut\" is false, or the joint is floating",
               "let one of them be cut, or remove one");
      }
      set[index(find(parent))] = find(child);
      neighbours[index(parent)].emplace_back(static_cast<int>(j), child);
      neighbours[index(child)].emplace_back(static_cast<int>(j), parent);
    }
  }

  void choose() {
    std::vector<Arc> arcs;
    std::vector<int> joint_of;  // [arc], -1 for an added joint
    const auto add = [&](int from, int to, const ArcCost& cost, int joint) {
      if (to == ground_vertex) return;
      arcs.push_back({from, to, cost});
      joint_of.push_back(joint);
    };
    for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
      const Joint& joint = model_.joints[index(j)];
      const auto [parent, child] = ends_[index(j)];
      if (!may_be_kept(joint)) continue;
      add(parent, child, joint_cost(joint, j, false), j);
      add(child, parent, joint_cost(joint, j, true), j);
    }
    for (int body = 0; body + 1 < vertex_count(); ++body)
      add(ground_vertex, body + 1, added_cost(body), -1);

    const std::vector<int> entering = least_arborescence(vertex_count(), ground_vertex, arcs);
    roles_.assign(model_.joints.size(), Role::cut);
    for (int vertex = 1; vertex < vertex_count(); ++vertex) {
      const int joint = joint_of[index(entering[index(vertex)])];
      if (joint < 0) {
        bases_.push_back(vertex - 1);
      } else {
        roles_[index(joint)] = ends_[index(joint)].child == vertex ? Role::kept : Role::reversed;
      }
    }
  }

  void assemble() {
    tree_.model = model_;
    tree_.model.joints.clear();
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      const Joint& joint = model_.joints[j];
      if (roles_[j] == Role::kept) {
        tree_.model.joints.push_back(joint);
      } else if (roles_[j] == Role::reversed) {
        add_reversed(joint);
      } else {
        add_cut(joint);
      }
    }
    for (const int body : bases_) add_floating(model_.bodies[index(body)].name);
  }

  void add_reversed(const Joint& joint) {
    if (!is_reversible(joint.type))
      reject(where(joint), "the joint would have to be followed from its child to its parent",
             "only its parent is reached from the ground without it, and the coordinates of a " +
                 std::string(name_of(joint.type)) + " joint say how the child moves",
             "swap \"parent\" and \"child\"");
    tree_.model.joints.push_back(gradus::reversed(joint));
    tree_.reversed.push_back(joint.name);
  }

  void add_cut(const Joint& joint) {
    if (!joint.start.empty()) {
      const bool by_user = joint.cut == true;
      reject(where(joint, "/initial"), "found start values",
             "the joint is cut to close a loop and has no coordinates to start",
             by_user ? "remove them, or \"cut\"" : "write \"cut\": false, or remove them");
    }
    tree_.model.loops.push_back(joint);
    tree_.model.loops.back().cut.reset();
    tree_.cut.push_back(joint.name);
  }

  void add_floating(const std::string& body) {
    std::unordered_set<std::string> taken;
    for (const Joint& joint : model_.joints) taken.insert(joint.name);
    for (const Joint& loop : model_.loops) taken.insert(loop.name);
    const std::string name = body + " to ground";
    Joint joint;
    joint.name = name;
    for (int i = 2; taken.count(joint.name) != 0; ++i) joint.name = name + " " + std::to_string(i);
    joint.type = JointType::floating;
    joint.parent = "ground";
    joint.child = body;
    tree_.added.push_back(joint.name);
    tree_.model.joints.push_back(std::move(joint));
  }

  // Coordinates are there only while the joint is part of the tree.
  void reject_uses_of_cut_joints() const {
    const std::unordered_set<std::string> cut(tree_.cut.begin(), tree_.cut.end());
    const auto check = [&](const std::string& text, const std::string& path) {
      const std::string name = joint_name_of(text);
      if (cut.count(name) == 0) return;
      const bool by_user = std::any_of(
          model_.joints.begin(), model_.joints.end(),
          [&name](const Joint& joint) { return joint.name == name && joint.cut == true; });
      reject(origin_ + ": " + path, "found " + in_quotes(text),
             "the joint is cut to close a loop and has no coordinates",
             by_user ? "remove \"cut\" from the joint, or name another one"
                     : "write \"cut\": false at the joint, or name another one");
    };
    for (const Sensor& sensor : model_.sensors)
      if (kind_of(sensor).of == SensorOf::joint) check(sensor.target, "/sensors/" + sensor.name);
    for (const Force& force : model_.forces)
      if (kind_of(force).acts_on == ActsOn::coordinate)
        check(place_of(force), "/forces/" + force.name + "/joint");
    for (const Constraint& constraint : model_.constraints) {
      if (kind_of(constraint).of == ConstraintOf::coordinate)
        check(constraint.first, "/constraints/" + constraint.name + "/coordinate");
    }
  }

  const Model& model_;
  const std::string& origin_;
  std::vector<Ends> ends_;   // [joint]
  std::vector<Role> roles_;  // [joint]
  std::vector<int> bases_;   // bodies that get a floating joint
  SpanningTree tree_;
};

}  // namespace

Joint reversed(const Joint& joint) {
  Joint result = joint;
  std::swap(result.parent, result.child);
  // Without directions the axes of both bodies are meant, and swapping them changes nothing.
  const bool has_directions = joint.axis || joint.child_axis || joint.zero || joint.child_zero;
  if (compares_orientations(joint.type) && !has_directions) return result;
  const Vector3 axis = joint.axis.value_or(Vector3{0, 0, 1});
  result.axis = negated(joint.child_axis.value_or(axis));
  result.child_axis = negated(axis);
  result.zero = joint.child_zero ? joint.child_zero : joint.zero;
  result.child_zero = joint.zero;
  return result;
}

SpanningTree spanning_tree(const Model& model, const std::string& origin) {
  return TreeBuilder(model, origin).build();
}

}  // namespace gradus
