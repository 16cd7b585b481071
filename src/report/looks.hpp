// Shapes of bodies as a page draws them: triangles in the axes of bodies, and where these are.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gradus/model.hpp"
#include "src/model/mesh.hpp"
#include "src/report/blocks.hpp"

namespace gradus::report {

class Looks {
 public:
  // Of a model whose parameters have these values in the place of their own.
  Looks(const Model& model, const std::map<std::string, double>& set);

  // Appends sensors that show where the bodies with shapes are; `numbers` of them.
  void watch(Model& model) const;
  std::size_t numbers() const { return 9 * carriers_.size(); }
  // Of these numbers at one time: x, y, z and the Euler parameters of each body, appended.
  static void add_frames(std::span<const double> sensors, Json& frames);

  // "shapes", each with its "body" (a place in Model::bodies; -1: the ground) and its "carrier" (a
  // place among the frames; -1), and "missing", texts on what is not drawn.
  void describe(Json& drawing) const;

 private:
  void add(const Shape& shape, const Mesh& mesh, const std::string& owner, std::size_t body);

  std::vector<std::string> carriers_;  // bodies with shapes
  Json shapes_ = Json::array(), missing_ = Json::array();
};

}  // namespace gradus::report
