// Which joints a drawing has: for each two bodies that have something in common, unless others keep
// that together already.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gradus/drawing.hpp"
#include "src/model/drawing/drawn_features.hpp"
#include "src/model/drawing/drawn_geometry.hpp"

namespace gradus {

// Two bodies, as places in DrawnNames, and what they have in common.
struct DrawnPair {
  std::size_t parent = 0, child = 0;
  std::vector<std::string> shared;
};

// Names that both bodies have, in the order of the parent.
DrawnPair drawn_pair(const DrawnNames& names, std::size_t parent, std::size_t child);

// How a pair is joined, at all parameter values.
class DrawnConnection {
 public:
  // Throws InputError, beginning with `where`, if it depends on parameters or digits how the bodies
  // are joined.
  DrawnConnection(const Drawing& drawing, const DrawnGeometry& geometry,
                  const std::vector<std::string>& shared, const std::string& where);

  int freedoms() const { return motions_.front().freedoms(); }
  std::optional<JointType> type() const { return motions_.front().type(); }
  // The joint of a pair; there is one if there is a type.
  Joint joint(const DrawnPair& pair, const Model& model, const std::string& name) const;

 private:
  struct Direction {
    Vector3 components;
    std::vector<Eigen::Vector3d> values;  // [parameter values]
  };
  std::vector<Direction> directions() const;
  bool is_right(const Direction& direction) const;
  void add_cross_products(std::vector<Direction>& all) const;

  const Drawing& drawing_;
  const std::vector<std::string>& shared_;
  std::vector<std::vector<DrawnElement>> elements_;  // [parameter values, shared]
  std::vector<FreeMotion> motions_;                  // [parameter values]
};

}  // namespace gradus
