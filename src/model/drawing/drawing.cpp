// From a drawing to joints: pairs of bodies that have something in common, of which those are taken
// that say something new.
#include "gradus/drawing.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "gradus/error.hpp"
#include "src/model/drawing/drawn_directions.hpp"
#include "src/model/drawing/drawn_joints.hpp"
#include "src/model/message.hpp"
#include "src/model/reference.hpp"
#include "src/model/validation.hpp"

namespace gradus {
namespace {

// Which bodies have each element together already, by joints.
class Together {
 public:
  explicit Together(std::size_t bodies) : bodies_(bodies) {}

  // Whether joints keep the pair's element together.
  bool has(const std::string& name, std::size_t first, std::size_t second) {
    return root(name, first) == root(name, second);
  }
  bool has_all(const DrawnPair& pair) {
    return std::all_of(pair.shared.begin(), pair.shared.end(),
                       [&](const std::string& name) { return has(name, pair.parent, pair.child); });
  }
  void join(const DrawnPair& pair) {
    for (const std::string& name : pair.shared)
      leaders(name)[root(name, pair.child)] = root(name, pair.parent);
  }

 private:
  std::vector<std::size_t>& leaders(const std::string& name) {
    std::vector<std::size_t>& found = leaders_[name];
    if (found.empty()) {
      found.resize(bodies_);
      std::iota(found.begin(), found.end(), std::size_t{0});
    }
    return found;
  }
  std::size_t root(const std::string& name, std::size_t body) {
    std::vector<std::size_t>& leader = leaders(name);
    while (leader[body] != body) body = leader[body] = leader[leader[body]];
    return body;
  }

  std::size_t bodies_;
  std::unordered_map<std::string, std::vector<std::size_t>> leaders_;  // [name][body]
};

// A pair that its joint may join.
struct Candidate {
  DrawnPair pair;
  std::string name;      // empty: none was given
  int freedoms = 0;      // that the joint leaves
  bool has_type = true;  // whether there is such a joint
  std::optional<bool> cut = std::nullopt;
};

class JointsOfDrawing {
 public:
  JointsOfDrawing(const Drawing& drawing, const DrawnNames& names, Model& model,
                  const std::string& origin)
      : drawing_(drawing),
        names_(names),
        model_(model),
        origin_(origin),
        references_(model),
        geometry_(drawing, model, origin),
        together_(names.size()) {}

  void add() {
    std::vector<Candidate> candidates = named_pairs();
    check_typed_joints();
    add_found_pairs(candidates);
    std::vector<Candidate> taken;
    for (Candidate& candidate : candidates)
      if (!together_.has_all(candidate.pair) && candidate.has_type) {
        together_.join(candidate.pair);
        taken.push_back(std::move(candidate));
      } else if (!candidate.name.empty()) {
        reject_implied(candidate);
      }
    turn_from_ground(taken);
    for (const Candidate& candidate : taken) {
      Joint joint = joint_of(candidate);
      make_cardan(joint, candidate.pair, geometry_, model_, origin_);
      model_.joints.push_back(std::move(joint));
    }
    add_parallel_pairs();
  }

 private:
  std::string where_of(const DrawnPair& pair) const {
    const std::size_t body = pair.child == 0 ? pair.parent : pair.child;
    return origin_ + ": /bodies/" + name_of_body(model_, body) + "/drawn";
  }

  std::size_t body(const std::string& name, const std::string& where) const {
    return place_of(references_.body(name, where));
  }

  std::size_t owner(const std::string& point, const std::string& where) const {
    return place_of(references_.point(point, origin_ + ": " + where).body);
  }

  bool has_place(const DrawnPair& pair) const {
    return std::any_of(pair.shared.begin(), pair.shared.end(),
                       [&](const std::string& name) { return drawing_.vectors.count(name) == 0; });
  }

  DrawnConnection connection(const DrawnPair& pair) const {
    return {drawing_, geometry_, pair.shared, where_of(pair)};
  }

  Candidate candidate(DrawnPair pair, const std::string& name,
                      std::optional<bool> cut = std::nullopt) const {
    const DrawnConnection connection = this->connection(pair);
    const bool has_type = connection.type().has_value();
    if (!has_type && !name.empty())
      reject(origin_ + ": /joints/" + name, "found no type",
             "no joint keeps together " + quoted_list(pair.shared) +
                 ", which its bodies have in common",
             "leave it out, or state a type and take these from \"drawn\" of a body");
    return {std::move(pair), name, connection.freedoms(), has_type, cut};
  }

  std::vector<Candidate> named_pairs() const {
    std::vector<Candidate> candidates;
    for (const DrawnJoint& joint : drawing_.joints) {
      const std::string where = origin_ + ": /joints/" + joint.name;
      DrawnPair pair = drawn_pair(names_, body(joint.parent, where + "/parent"),
                                  body(joint.child, where + "/child"));
      if (pair.parent == pair.child)
        reject(where, "found " + in_quotes(joint.parent) + " twice", "a joint connects two bodies",
               "choose two bodies");
      if (pair.shared.empty())
        reject(where, "the key \"type\" is missing",
               "nothing of the drawing is fixed in both " + in_quotes(joint.parent) + " and " +
                   in_quotes(joint.child),
               "add it, or names to \"drawn\" of both");
      candidates.push_back(candidate(std::move(pair), joint.name, joint.cut));
    }
    return candidates;
  }

  // Bodies that have something in common are joined by that alone.
  void check_typed_joints() const {
    for (const auto& [key, joints] :
         {std::pair{"joints", &model_.joints}, std::pair{"loops", &model_.loops}})
      for (const Joint& joint : *joints) {
        const std::string where = "/" + std::string(key) + "/" + joint.name;
        const DrawnPair pair = drawn_pair(names_, owner(joint.parent, where + "/parent"),
                                          owner(joint.child, where + "/child"));
        if (pair.parent == pair.child || pair.shared.empty()) continue;
        reject(origin_ + ": " + where, "found a type",
               "the drawing has " + quoted_list(pair.shared) + " in common of " +
                   in_quotes(name_of_body(model_, pair.parent)) + " and " +
                   in_quotes(name_of_body(model_, pair.child)) + ", which joins them already",
               "leave out the type, with points and axes, or take these from \"drawn\" of a body");
      }
  }

  // Those that have no name, behind those that have: the ones that leave less freedom first, which
  // say more.
  void add_found_pairs(std::vector<Candidate>& candidates) const {
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    std::unordered_map<std::string, std::vector<std::size_t>> owners;
    for (std::size_t body = 0; body < names_.size(); ++body)
      for (const std::string& name : names_[body])
        if (drawing_.vectors.count(name) == 0) owners[name].push_back(body);
    for (const auto& owner : owners)
      for (std::size_t i = 0; i < owner.second.size(); ++i)
        for (std::size_t j = i + 1; j < owner.second.size(); ++j)
          pairs.emplace(owner.second[i], owner.second[j]);
    for (const Candidate& named : candidates)
      pairs.erase(std::minmax(named.pair.parent, named.pair.child));
    const auto first = static_cast<std::ptrdiff_t>(candidates.size());
    for (const auto& [parent, child] : pairs)
      candidates.push_back(candidate(drawn_pair(names_, parent, child), ""));
    std::stable_sort(
        candidates.begin() + first, candidates.end(),
        [](const Candidate& a, const Candidate& b) { return a.freedoms < b.freedoms; });
  }

  // The parents of joints that have no name are nearer to the ground: not every joint can be
  // reversed where a tree needs it.
  void turn_from_ground(std::vector<Candidate>& taken) const {
    std::vector<std::vector<std::size_t>> neighbours(names_.size());
    const auto connect = [&](std::size_t first, std::size_t second) {
      neighbours[first].push_back(second);
      neighbours[second].push_back(first);
    };
    for (const Candidate& candidate : taken)
      if (candidate.cut != true) connect(candidate.pair.parent, candidate.pair.child);
    for (const Joint& joint : model_.joints)
      if (joint.cut != true) connect(owner(joint.parent, "/joints"), owner(joint.child, "/joints"));
    std::vector<std::size_t> order;  // breadth first; what nothing connects begins anew
    std::vector<std::size_t> distance(names_.size(), names_.size());
    for (std::size_t root = 0; root < names_.size(); ++root) {
      if (distance[root] < names_.size()) continue;
      distance[root] = 0;
      order.push_back(root);
      for (std::size_t next = order.size() - 1; next < order.size(); ++next)
        for (const std::size_t neighbour : neighbours[order[next]])
          if (distance[neighbour] == names_.size()) {
            distance[neighbour] = distance[order[next]] + 1;
            order.push_back(neighbour);
          }
    }
    for (Candidate& candidate : taken)
      if (candidate.name.empty() &&
          distance[candidate.pair.child] < distance[candidate.pair.parent])
        candidate.pair = drawn_pair(names_, candidate.pair.child, candidate.pair.parent);
  }

  Joint joint_of(const Candidate& candidate) const {
    Joint joint =
        connection(candidate.pair)
            .joint(candidate.pair, model_,
                   candidate.name.empty() ? free_name_of(candidate.pair) : candidate.name);
    joint.cut = candidate.cut;
    return joint;
  }

  // "PARENT-CHILD", or with a number where that is taken.
  std::string free_name_of(const DrawnPair& pair) const {
    const std::string name =
        name_of_body(model_, pair.parent) + "-" + name_of_body(model_, pair.child);
    const auto is_taken = [&](const std::string& wanted) {
      const auto bears = [&](const auto& one) { return one.name == wanted; };
      return std::any_of(model_.joints.begin(), model_.joints.end(), bears) ||
             std::any_of(model_.loops.begin(), model_.loops.end(), bears) ||
             std::any_of(drawing_.joints.begin(), drawing_.joints.end(), bears);
    };
    std::string free = name;
    for (int k = 2; is_taken(free); ++k) free = name + " (" + std::to_string(k) + ")";
    return free;
  }

  [[noreturn]] void reject_implied(const Candidate& candidate) const {
    reject(origin_ + ": /joints/" + candidate.name,
           "found a joint of " + in_quotes(name_of_body(model_, candidate.pair.parent)) + " and " +
               in_quotes(name_of_body(model_, candidate.pair.child)),
           "joints before it keep together already what they have in common: " +
               quoted_list(candidate.pair.shared),
           "leave it out, or one of those");
  }

  // What no joint keeps together.
  void add_parallel_pairs() {
    for (std::size_t child = 0; child < names_.size(); ++child)
      for (const std::string& name : names_[child])
        for (std::size_t parent = 0; parent < child; ++parent) {
          const std::vector<std::string>& others = names_[parent];
          if (std::find(others.begin(), others.end(), name) == others.end() ||
              together_.has(name, parent, child))
            continue;
          const DrawnPair pair = drawn_pair(names_, parent, child);
          if (has_place(pair)) reject_translations(pair);
          connection(pair);  // which must be the same for all parameters
          add_parallel(pair, geometry_, model_);
          together_.join(pair);
        }
  }

  [[noreturn]] void reject_translations(const DrawnPair& pair) const {
    reject(where_of(pair),
           "found " + quoted_list(pair.shared) + " in common with " +
               in_quotes(name_of_body(model_, pair.parent)),
           "they leave two translations free, and there is no such joint",
           "put a body between the two, which slides on both");
  }

  const Drawing& drawing_;
  const DrawnNames& names_;
  Model& model_;
  const std::string& origin_;
  References references_;
  DrawnGeometry geometry_;
  Together together_;
};

// What is wrong with the definition of a point or vector is wrong where it is drawn.
std::string told_of_drawing(const std::string& message, const Drawing& drawing,
                            const std::string& origin) {
  const std::string before = origin + ": /definitions/";
  if (message.rfind(before, 0) != 0) return message;
  const std::string rest = message.substr(before.size());
  const std::string name = rest.substr(0, rest.find(':'));
  if (drawing.points.count(name) > 0) return origin + ": /drawing/points/" + rest;
  if (drawing.vectors.count(name) > 0) return origin + ": /drawing/vectors/" + rest;
  return message;
}

}  // namespace

void add_drawing(const Drawing& drawing, Model& model, const std::string& origin) {
  if (drawing.is_empty()) return;
  Model with_joints = model;
  const DrawnNames names = drawn_names(drawing, model, origin);
  add_drawn_definitions(drawing, with_joints);
  add_drawn_features(drawing, names, with_joints, origin);
  try {
    check_names(with_joints, origin);
    JointsOfDrawing(drawing, names, with_joints, origin).add();
  } catch (const InputError& error) {
    throw InputError(told_of_drawing(error.what(), drawing, origin));
  }
  model = std::move(with_joints);
}

}  // namespace gradus
