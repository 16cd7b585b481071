// Where the elements of a drawing are: at the parameter values that the model states, and at others
// near by, which tell what is so for all values from what happens to be so.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gradus/drawing.hpp"
#include "src/model/drawing/free_motion.hpp"

namespace gradus {

class DrawnGeometry {
 public:
  // The definitions of the drawing are among those of the model. Throws InputError if an element is
  // wrong, or a direction has no length.
  DrawnGeometry(const Drawing& drawing, const Model& model, const std::string& origin);

  // [stated values first] the elements of these names.
  std::vector<std::vector<DrawnElement>> of(const std::vector<std::string>& names) const;
  // [stated values first]
  const std::vector<DrawnScale>& scales() const { return scales_; }
  // The same of a vector that may depend on parameters; a place, or a direction of any length.
  std::vector<Eigen::Vector3d> of(const Vector3& vector, const std::string& where) const;

 private:
  std::vector<Model> models_;  // with other parameter values; the joints are of no interest
  std::string origin_;
  std::vector<std::map<std::string, DrawnElement>> elements_;
  std::vector<DrawnScale> scales_;
};

}  // namespace gradus
