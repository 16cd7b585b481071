// The joint that two bodies have by what is common to them.
#include "src/model/drawing/drawn_joints.hpp"

#include <algorithm>

#include "src/model/message.hpp"

namespace gradus {
namespace {

bool needs_axis(JointType type) {
  return type != JointType::spherical && type != JointType::fixed;
}

}  // namespace

DrawnPair drawn_pair(const DrawnNames& names, std::size_t parent, std::size_t child) {
  DrawnPair pair{parent, child, {}};
  const std::vector<std::string>& others = names[child];
  for (const std::string& name : names[parent])
    if (std::find(others.begin(), others.end(), name) != others.end()) pair.shared.push_back(name);
  return pair;
}

DrawnConnection::DrawnConnection(const Drawing& drawing, const DrawnGeometry& geometry,
                                 const std::vector<std::string>& shared, const std::string& where)
    : drawing_(drawing), shared_(shared), elements_(geometry.of(shared)) {
  for (std::size_t k = 0; k < elements_.size(); ++k)
    motions_.emplace_back(elements_[k], geometry.scales()[k]);
  const FreeMotion& stated = motions_.front();
  if (stated.doubt() > 0.0)
    reject(where, "found " + quoted_list(shared) + " in common",
           "what these leave free is a matter of " + rounded_text(stated.doubt(), 2) +
               " of their size, too little to be meant and too much for round-off",
           "draw them exactly, or leave out what the joint does not need");
  const auto differs = [&](const FreeMotion& motion) {
    return motion.freedoms() != stated.freedoms() || motion.type() != stated.type();
  };
  const std::vector<Direction> all = directions();
  const bool has_axis =
      !type() || !needs_axis(*type()) ||
      std::any_of(all.begin(), all.end(), [&](const Direction& one) { return is_right(one); });
  if (std::any_of(motions_.begin(), motions_.end(), differs) || !has_axis)
    reject(where, "found " + quoted_list(shared) + " in common",
           "how these join the bodies depends on parameters: what they leave free as drawn, other "
           "values do not",
           "derive one of them from the others, as \"B\": \"A + L*u\", or leave it out");
}

bool DrawnConnection::is_right(const Direction& direction) const {
  for (std::size_t k = 0; k < motions_.size(); ++k)
    if (!(direction.values[k].norm() > 0.0) || !motions_[k].has_direction(direction.values[k]))
      return false;
  return true;
}

// Of planes that are not parallel: where they meet.
void DrawnConnection::add_cross_products(std::vector<Direction>& all) const {
  const std::size_t count = all.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) {
      Direction direction;
      direction.components = components_of("cross(" + text_of(all[i].components) + ", " +
                                           text_of(all[j].components) + ")");
      for (std::size_t k = 0; k < all[i].values.size(); ++k)
        direction.values.push_back(all[i].values[k].cross(all[j].values[k]));
      const auto is_parallel = [](const Eigen::Vector3d& v) { return v.norm() < kDrawnDistinct; };
      if (std::none_of(direction.values.begin(), direction.values.end(), is_parallel))
        all.push_back(std::move(direction));
    }
}

// What may be the axis: that of the elements, from point to point, and where planes meet.
std::vector<DrawnConnection::Direction> DrawnConnection::directions() const {
  std::vector<Direction> all, normals;
  std::size_t first_point = shared_.size();
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    const std::string& name = shared_[s];
    const DrawnKind kind = elements_.front()[s].kind;
    Direction direction;
    if (kind == DrawnKind::point && first_point == shared_.size()) {
      first_point = s;
      continue;
    }
    if (kind == DrawnKind::point)
      direction.components = components_of("(" + name + " - " + shared_[first_point] + ")");
    if (kind == DrawnKind::vector) direction.components = components_of(name);
    if (kind == DrawnKind::line) direction.components = drawing_.lines.at(name).along;
    if (kind == DrawnKind::plane) direction.components = drawing_.planes.at(name).along;
    for (const std::vector<DrawnElement>& elements : elements_)
      direction.values.push_back(kind == DrawnKind::point
                                     ? elements[s].place - elements[first_point].place
                                     : elements[s].along);
    if (kind == DrawnKind::plane) normals.push_back(direction);
    all.push_back(std::move(direction));
  }
  const std::size_t planes = normals.size();
  add_cross_products(normals);
  all.insert(all.end(), normals.begin() + static_cast<std::ptrdiff_t>(planes), normals.end());
  return all;
}

Joint DrawnConnection::joint(const DrawnPair& pair, const Model& model,
                             const std::string& name) const {
  Joint joint;
  joint.name = name;
  joint.type = *type();
  joint.in_common = shared_;
  joint.parent = name_of_body(model, pair.parent);
  joint.child = name_of_body(model, pair.child);
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    const auto is_on = [&](std::size_t k) {
      return elements_[k][s].kind != DrawnKind::vector &&
             motions_[k].goes_through(elements_[k][s].place);
    };
    bool is_right = true;
    for (std::size_t k = 0; k < motions_.size(); ++k) is_right = is_right && is_on(k);
    if (!is_right) continue;
    joint.parent += "." + shared_[s];
    joint.child += "." + shared_[s];
    break;
  }
  if (needs_axis(joint.type)) {
    const std::vector<Direction> all = directions();
    joint.axis = std::find_if(all.begin(), all.end(), [&](const Direction& one) {
                   return is_right(one);
                 })->components;
  }
  return joint;
}

}  // namespace gradus
